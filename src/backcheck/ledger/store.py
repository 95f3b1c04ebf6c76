"""What a ledger is: entries in a hash chain behind one small interface, and how an entry is written down and checked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from backcheck.errors import UserError
from backcheck.evidence.limits import size

#: What the first entry has for `previous`.
GENESIS = "0" * 64
ID_LENGTH = 12
MAX_BODY = 16 * 1024 * 1024

_KIND = re.compile(r"[a-z][a-z-]{0,31}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class LedgerError(UserError):
    """The store cannot be used: not writable, busy, or no safe place. Nothing was acknowledged."""

    def __init__(self, message: str, *, where: str | None = None, slug: str = "ledger") -> None:
        super().__init__(message, where=where, slug=slug)


class LedgerCorrupt(LedgerError):
    """The store is there, but it is damaged, was changed, or is some other program's file."""

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(message, where=where, slug="ledger-corrupt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry. `seq` counts from 1, `time` is UTC (ISO 8601, microseconds), `previous` the hash of the entry before.

    `hash` is sha256, in hex, over `previous` and the canonical JSON of body, kind, seq and time.
    """

    seq: int
    kind: str
    time: str
    body: Mapping[str, Any]
    previous: str
    hash: str

    @property
    def id(self) -> str:
        """The first 12 hex digits of the hash: how people name an entry."""
        return self.hash[:ID_LENGTH]


class Ledger(Protocol):
    """An append-only store. Everything may raise LedgerError, or LedgerCorrupt where the store is damaged."""

    @property
    def where(self) -> str:
        """The store's place, for messages."""
        ...

    def append(self, kind: str, body: Mapping[str, Any]) -> Entry:
        """Write one entry; when this returns, the entry outlives the process and a power cut."""
        ...

    def entries(
        self,
        kind: str | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
        *,
        contract: str | None = None,
        outcome: str | None = None,
    ) -> Iterator[Entry]:
        """Entries with a seq above `after`, oldest first.

        `contract` picks those whose body names this digest, `outcome` the verdicts with this one, without reading the rest.
        """
        ...

    def get(self, name: str | int) -> Entry:
        """The entry with this seq, or whose id starts with this. Errors: UserError where it is none or several."""
        ...

    def verify(self) -> list[str]:
        """What is wrong with the chain, in words; an empty list says that it is whole. Never raises for damage."""
        ...


def now() -> str:
    """The time as entries carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def canonical(value: object) -> str:
    """JSON with sorted keys, no spaces and ASCII only, so that equal values are equal bytes.

    Errors: LedgerError for what JSON cannot hold, or what is nested too deep or too large.
    """
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise LedgerError(f"the entry cannot be written as JSON: {error}") from None
    if len(text) > MAX_BODY:
        raise LedgerError(f"the entry holds {size(len(text))}; the limit is {size(MAX_BODY)}")
    return text


def check_kind(kind: str) -> str:
    """The kind itself. Errors: LedgerError where it is not a short word of small letters."""
    if not _KIND.fullmatch(kind):
        raise LedgerError(f"{kind!r} is no kind of entry: it takes up to 32 small letters and hyphens")
    return kind


def chain_hash(previous: str, *, seq: int, kind: str, time: str, body: str) -> str:
    """The hash of an entry; `body` is its canonical JSON as it is stored, so that any other byte gives another hash."""
    record = f'{previous}{{"body":{body},"kind":"{kind}","seq":{seq},"time":"{time}"}}'
    return hashlib.sha256(record.encode("utf-8", "surrogateescape")).hexdigest()


def entry_problem(*, seq: int, kind: str, time: str, body: str, previous: str, hash: str) -> str:  # noqa: A002
    """Why this is not what was written, or empty text. The chain to the entry before is the caller's to check."""
    if not _KIND.fullmatch(kind) or not _TIME.fullmatch(time):
        return "its kind or time is none that was ever written"
    if chain_hash(previous, seq=seq, kind=kind, time=time, body=body) != hash:
        return "it does not hash to what stands beside it: it was changed after it was written"
    return ""


def contract_of(body: Mapping[str, Any]) -> str:
    """The digest of the contract that a body names, or empty text."""
    return text_at(body, "contract", "digest")


def outcome_of(body: Mapping[str, Any]) -> str:
    """The outcome of a verdict's body, or empty text."""
    return text_at(body, "verdict")


def text_at(body: object, *keys: str) -> str:
    """The text at a path of keys; empty where there is none or it is no text: a stored body may be anybody's."""
    for key in keys:
        if not isinstance(body, Mapping):
            return ""
        body = body.get(key)
    return body if isinstance(body, str) else ""
