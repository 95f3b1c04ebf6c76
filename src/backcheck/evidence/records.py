"""Records of runs: an in-toto Statement v1 about one command, the tree that it ran on, and what came out.

A record says what was seen; whether it counts is decided where it is used: by whose key signed it, and by whether
command, folder, environment and tree are the ones that are asked for.
Source: in-toto attestation specification (Statement v1), DSSE specification version 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from backcheck.evidence import signing
from backcheck.evidence.signing import SignatureProblem

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:backcheck:run:v1"
MAX_RECORD = 4 * 1024 * 1024
#: Paths that a record lists as changed by its own run; there may be more.
MAX_CHANGED = 1000
_STATEMENT_FIELDS = {"_type", "subject", "predicateType", "predicate"}

Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Bytes that are kept by their sha256; `kept` is false where they were too many, `path` is the tree's, if any."""

    sha256: Digest
    bytes: Count
    kept: bool = True
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run. Times are UTC (ISO 8601), `seconds` by a clock that nobody sets; `folder` is from the tree's top.

    `environment` is a digest of what decided how the command ran (see recording.environment_digest); `before` and
    `after` are digests of the tree; `manifest` lists its files after the run; `changed` are paths that the run changed
    or made; `commit` is HEAD's, empty where there was none.
    """

    name: str
    argv: Annotated[list[str], msgspec.Meta(min_length=1, max_length=10_000)]
    folder: str
    environment: Digest
    executable: str
    started: str
    ended: str
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    exit_code: int | None
    signal: str
    stopped: str
    output: Stored
    commit: str
    before: str
    after: str
    manifest: Stored
    changed: list[str] = field(default_factory=list)
    reports: list[Stored] = field(default_factory=list)
    key: str = ""
    recorder: str = ""

    @property
    def ended_well(self) -> bool:
        """Whether the command ended by itself with code 0."""
        return self.exit_code == 0 and not self.signal and not self.stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What an envelope holds; `problem` says why it never counts, in words that follow "the record"."""

    record: RunRecord | None
    problem: str = ""


def statement(record: RunRecord) -> bytes:
    """The Statement's bytes: its subject is the tree after the run."""
    document = {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": "tree", "digest": {"sha256": record.after}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": asdict(record),
    }
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def seal(record: RunRecord, key: Ed25519PrivateKey) -> dict[str, Any]:
    """A signed envelope. Errors: ValueError where the record cannot be read back, or names another key."""
    if record.key != signing.public_text(key):
        raise ValueError("the record names another key than the one that signs it")
    envelope = signing.seal(PAYLOAD_TYPE, statement(record), key)
    problem = read(envelope).problem
    if problem:
        raise ValueError(f"the record {problem}")
    return envelope


def read(envelope: object) -> Read:
    """What an envelope says, whether its own signature holds and its times are possible. Never raises."""
    try:
        record = _parse(signing.payload_of(envelope, PAYLOAD_TYPE, MAX_RECORD))
    except SignatureProblem as problem:
        return Read(record=None, problem=str(problem))
    try:
        signing.check(envelope, PAYLOAD_TYPE, record.key, MAX_RECORD)
    except SignatureProblem as problem:
        return Read(record=record, problem=str(problem))
    return Read(record=record, problem=_times(record))


def _parse(payload: bytes) -> RunRecord:
    try:
        document = json.loads(payload, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise SignatureProblem("is no JSON") from None
    if not isinstance(document, Mapping) or set(document) != _STATEMENT_FIELDS:
        raise SignatureProblem("is no in-toto Statement")
    if document["_type"] != STATEMENT_TYPE or document["predicateType"] != PREDICATE_TYPE:
        raise SignatureProblem("is a Statement of another kind")
    predicate = document["predicate"]
    known = set(RunRecord.__dataclass_fields__)
    if not isinstance(predicate, Mapping) or set(predicate) != known:
        raise SignatureProblem("does not have the fields of a record")
    try:
        record = msgspec.convert(predicate, RunRecord)
    except (msgspec.ValidationError, RecursionError) as error:
        raise SignatureProblem(f"has a wrong field: {error}") from None
    if document["subject"] != [{"name": "tree", "digest": {"sha256": record.after}}]:
        raise SignatureProblem("names another tree outside than inside")
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _times(record: RunRecord) -> str:
    try:
        started, ended = datetime.fromisoformat(record.started), datetime.fromisoformat(record.ended)
        took = (ended - started).total_seconds()
    except (ValueError, TypeError):
        return "has a time that is none"
    if took < 0:
        return "ended before it started: the clock was set back"
    # The wall clock may be corrected a little while a command runs; more means that it was set.
    if abs(took - record.seconds) > 5 + 0.05 * record.seconds:
        return "took another time than its clock shows: the clock was set"
    return ""
