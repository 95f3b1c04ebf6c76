"""A person's answers: signed, bound to requirement, contract and tree, and counted only where all of it fits."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from backcheck.evidence import signing
from backcheck.evidence.signing import SignatureProblem
from backcheck.ledger.store import Ledger, LedgerCorrupt, LedgerError, canonical
from backcheck.verdict import Basis, Blame, Channel, Finding, Isolation, Provenance, Status

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KIND = "decision"
PAYLOAD_TYPE = "application/vnd.backcheck.decision+json"
SCHEMA = "backcheck.decision/1"
MAX_DECISIONS = 10_000
MAX_REASON = 2000
MAX_NOTED = 20
#: What a person can answer; everything else is final.
OPEN = (Status.UNCLEAR, Status.ERROR)
ANSWERS = (Status.PASS, Status.FAIL)

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One answer. `contract` and `tree` are digests (hex), `path` is the contract's from the tree's top (one text can be
    the contract of two folders), `verdict` the id of the entry that was looked at, `time` UTC (ISO 8601,
    microseconds), `key` the signer's public text, `name` what the signer calls that key."""

    requirement: str
    status: Status
    reason: str
    contract: str
    path: str
    tree: str
    verdict: str
    time: str
    key: str
    name: str

    @property
    def by(self) -> str:
        """`NAME/fingerprint`. Errors: SignatureProblem where the key's text is none."""
        return f"{self.name}/{signing.fingerprint(self.key)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A decision of the ledger: the entry's id, what it says (None where it cannot be read), why it never counts."""

    entry: str
    decision: Decision | None
    problem: str = ""


def clean_reason(text: str) -> str:
    """A reason on one line. Errors: ValueError where nothing is left, or more than MAX_REASON characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not line:
        raise ValueError("a reason is needed: what did you look at, and what decided it?")
    if len(line) > MAX_REASON:
        raise ValueError(f"the reason has {len(line):,} characters; the limit is {MAX_REASON:,}")
    return line


def seal(decision: Decision, key: Ed25519PrivateKey) -> dict[str, Any]:
    """Sign a decision: the body of a ledger entry. Errors: ValueError where it is not the key that the decision names."""
    if decision.key != signing.public_text(key):
        raise ValueError("the decision names another key than the one that signs it")
    envelope = signing.seal(PAYLOAD_TYPE, _payload(decision), key)
    recorded = read("", envelope)
    if recorded.problem:
        raise ValueError(f"the decision {recorded.problem}")
    return envelope


def read(entry: str, envelope: Mapping[str, Any]) -> Recorded:
    """What an envelope says and whether its own signature holds; whether its key is trusted is asked later."""
    try:
        decision = _parse(signing.payload_of(envelope, PAYLOAD_TYPE))
    except SignatureProblem as problem:
        return Recorded(entry=entry, decision=None, problem=str(problem))
    try:
        signing.check(envelope, PAYLOAD_TYPE, decision.key)
    except SignatureProblem as problem:
        return Recorded(entry=entry, decision=decision, problem=str(problem))
    return Recorded(entry=entry, decision=decision)


def load(ledger: Ledger) -> tuple[Recorded, ...]:
    """All decisions of a ledger, oldest first. Errors: LedgerError, also where there are more than MAX_DECISIONS."""
    found = tuple(read(e.id, e.body) for e in ledger.entries(KIND, limit=MAX_DECISIONS + 1))
    if len(found) > MAX_DECISIONS:
        # Leaving some out could leave out a "fail".
        raise LedgerCorrupt(f"the ledger holds more than {MAX_DECISIONS:,} decisions", where=ledger.where)
    return found


def why_not(
    recorded: Recorded, *, contract_digest: str, contract_path: str, tree_digest: str, trusted_keys: Collection[str]
) -> str:
    """Why a decision has no effect on a requirement of this contract and tree, or empty text where it has."""
    decision = recorded.decision
    if recorded.problem or decision is None:
        return f"it {recorded.problem}"
    if signing.raw_key(decision.key) not in _raw(trusted_keys):
        return "its key is not among the base contract's trusted keys"
    if (decision.contract, decision.path) != (contract_digest, contract_path) or not contract_digest:
        return "it was made for another contract"
    if decision.tree != tree_digest or not tree_digest:
        return "it was made for another tree; the tree has changed since"
    return ""


def winner(counted: Iterable[Decision]) -> Decision | None:
    """Of decisions that count: each key's newest by its signed time, and of those a `fail` before the newest `pass`.

    The signed time, not the place in the ledger: an old decision that is entered again must not become the newest.
    """
    ordered = sorted(counted, key=_age)
    newest = {signing.raw_key(decision.key): decision for decision in ordered}
    standing = sorted(newest.values(), key=_age)
    failing = [decision for decision in standing if decision.status is Status.FAIL]
    chosen = failing or standing
    return chosen[-1] if chosen else None


def apply_decisions(
    findings: Sequence[Finding],
    decisions: Sequence[Recorded],
    *,
    contract_digest: str,
    contract_path: str,
    tree_digest: str,
    trusted_keys: Collection[str],
) -> tuple[Finding, ...]:
    """Findings after people's decisions: only `unclear` and `error` can be decided; pass, fail and the rest stay.

    A decision about a requirement that does not count is named in that finding's details, `decisions_not_counted`.
    """
    about: dict[str, list[Recorded]] = {}
    for recorded in decisions:
        if recorded.decision is not None:
            about.setdefault(recorded.decision.requirement, []).append(recorded)
    decided = []
    for finding in findings:
        counted, noted = [], []
        for recorded in about.get(finding.requirement, ()):
            why = why_not(recorded, contract_digest=contract_digest, contract_path=contract_path,
                          tree_digest=tree_digest, trusted_keys=trusted_keys)  # fmt: skip
            if not why and finding.status not in OPEN:
                why = f"the answer is `{finding.status.value}`, which no decision changes"
            if why:
                noted.append(_note(recorded, why))
            elif recorded.decision is not None:
                counted.append((recorded.entry, recorded.decision))
        decided.append(_decided(_noted(finding, noted), counted))
    return tuple(decided)


def _age(decision: Decision) -> tuple[str, bool]:
    """Older first; at the same instant a `fail` counts as the newer."""
    return decision.time, decision.status is Status.FAIL


def _raw(keys: Collection[str]) -> set[bytes]:
    found = set()
    for key in keys:
        try:
            found.add(signing.raw_key(key))
        except SignatureProblem:
            continue
    return found


def _note(recorded: Recorded, why: str) -> dict[str, str]:
    decision = recorded.decision
    said = f"{decision.status.value} by {decision.by}" if decision else ""
    return {"decision": recorded.entry, "said": said, "why": why}


def _noted(finding: Finding, noted: list[dict[str, str]]) -> Finding:
    if not noted:
        return finding
    more = {"decisions_not_counted_more": len(noted) - MAX_NOTED} if len(noted) > MAX_NOTED else {}
    return replace(finding, details={**finding.details, "decisions_not_counted": noted[-MAX_NOTED:], **more})


def _decided(finding: Finding, counted: list[tuple[str, Decision]]) -> Finding:
    decision = winner(decision for _, decision in counted)
    if decision is None:
        return finding
    entry = next(entry for entry, candidate in counted if candidate == decision)
    passed = decision.status is Status.PASS
    original = {
        "status": finding.status.value,
        "reason": finding.reason,
        "channel": finding.channel.value,
        "blame": finding.blame.value if finding.blame else None,
        "provenance": finding.provenance.value,
    }
    return replace(
        finding,
        status=decision.status,
        reason=f"decided by {decision.by}: {decision.reason}",
        channel=Channel.HUMAN,
        basis=Basis.PERSON,
        # It now rests on a person's word, whatever had been run before.
        provenance=Provenance.ASSERTED,
        isolation=Isolation.NONE,
        blame=None if passed else Blame.AGENT,
        remedy="" if passed else finding.remedy,
        details={**finding.details, "decision": entry, "decided_at": decision.time, "original": original},
    )


def _payload(decision: Decision) -> bytes:
    body = {
        "schema": SCHEMA,
        "requirement": decision.requirement,
        "status": decision.status.value,
        "reason": decision.reason,
        "contract": decision.contract,
        "path": decision.path,
        "tree": decision.tree,
        "verdict": decision.verdict,
        "time": decision.time,
        "key": decision.key,
        "name": decision.name,
    }
    return canonical(body).encode("ascii")


def _parse(payload: bytes) -> Decision:
    """Errors: SignatureProblem for anything that `_payload` does not write, to the byte: one text, one meaning."""
    try:
        body = json.loads(payload)
        del body["schema"]  # Compared below, with all the rest.
        decision = Decision(**{**body, "status": Status(body["status"])})
        if not all(isinstance(value, str) for value in body.values()):
            raise SignatureProblem("is of a form that this backcheck does not know")
        exact = _payload(decision) == payload
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, LedgerError):
        raise SignatureProblem("is of a form that this backcheck does not know") from None
    named = signing.NAME.fullmatch(decision.name)
    if not exact or not named or decision.status not in ANSWERS or not _TIME.fullmatch(decision.time):
        raise SignatureProblem("is of a form that this backcheck does not know")
    signing.raw_key(decision.key)
    try:
        if clean_reason(decision.reason) != decision.reason:
            raise SignatureProblem("gives its reason on more than one line")
    except ValueError:
        raise SignatureProblem("gives no reason, or one that is too long") from None
    return decision
