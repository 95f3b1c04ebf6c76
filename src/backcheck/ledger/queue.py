"""What waits for a person: the newest UNCLEAR verdict of each contract and tree, and what in it is still open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from backcheck.ledger import decisions
from backcheck.ledger.decisions import Recorded
from backcheck.ledger.store import Entry, Ledger, text_at
from backcheck.verdict import Outcome, Severity

#: How many verdicts are looked at, newest first.
MAX_VERDICTS = 5000
UNANSWERED = "unanswered"
#: The keys whose decisions count for a verdict.
TrustedKeys = Callable[[Entry], Collection[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequirement:
    """A requirement without an answer: its id, `unclear`, `error` or `unanswered`, and why."""

    requirement: str
    status: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A verdict that waits. `superseded`: another tree was judged under the same contract since."""

    entry: Entry
    contract: str
    path: str
    tree: str
    open: tuple[OpenRequirement, ...]
    superseded: bool

    @property
    def decidable(self) -> bool:
        """Whether a decision could close it; a contract that asked nothing can only be mended."""
        return all(item.status != UNANSWERED for item in self.open) and bool(self.open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Waiting verdicts, newest first; `complete` is False where the ledger holds more verdicts than were looked at."""

    waiting: tuple[Waiting, ...]
    complete: bool


def waiting(ledger: Ledger, trusted_keys: TrustedKeys) -> Queue:
    """What a person must look at. Errors: LedgerError."""
    known = decisions.load(ledger)
    seen: set[tuple[str, str, str]] = set()
    contracts: set[tuple[str, str]] = set()
    found: list[Waiting] = []
    looked = 0
    for entry in ledger.entries("verdict", newest_first=True, limit=MAX_VERDICTS + 1):
        looked += 1
        if looked > MAX_VERDICTS:
            break
        contract, path = text_at(entry.body, "contract", "digest"), text_at(entry.body, "contract", "path")
        tree = text_at(entry.body, "tree", "digest")
        if (contract, path, tree) in seen:
            continue
        seen.add((contract, path, tree))
        if entry.body.get("verdict") == Outcome.UNCLEAR:
            item = Waiting(entry=entry, contract=contract, path=path, tree=tree, superseded=(contract, path) in contracts,
                           open=open_requirements(entry.body))  # fmt: skip
            left = _undecided(item, known, trusted_keys)
            if left or not item.open:
                found.append(replace(item, open=left))
        contracts.add((contract, path))
    return Queue(waiting=tuple(found), complete=looked <= MAX_VERDICTS)


def open_requirements(body: Mapping[str, Any]) -> tuple[OpenRequirement, ...]:
    """What in a verdict's document blocks without being answered, in its order, each requirement once."""
    found: dict[str, OpenRequirement] = {}
    for item in _mappings(body.get("findings")):
        status = text_at(item, "status")
        if status in {s.value for s in decisions.OPEN} and text_at(item, "severity") != Severity.WARN:
            name = text_at(item, "requirement")
            found.setdefault(name, OpenRequirement(requirement=name, status=status, reason=text_at(item, "reason")))
    unanswered = body.get("unanswered")
    for name in unanswered if isinstance(unanswered, list) else ():
        if isinstance(name, str):
            found.setdefault(name, OpenRequirement(requirement=name, status=UNANSWERED, reason="nobody asked it"))
    return tuple(found.values())


def _undecided(item: Waiting, known: tuple[Recorded, ...], trusted_keys: TrustedKeys) -> tuple[OpenRequirement, ...]:
    """What is left open after the decisions that count. One that nobody was asked cannot be decided."""
    names = {one.requirement for one in item.open if one.status != UNANSWERED}
    about = [r for r in known if r.decision is not None and r.decision.requirement in names]
    if not about:
        return item.open
    trusted = trusted_keys(item.entry)
    answered = {
        r.decision.requirement
        for r in about
        if r.decision is not None
        and not decisions.why_not(r, contract_digest=item.contract, contract_path=item.path, tree_digest=item.tree,
                                  trusted_keys=trusted)
    }  # fmt: skip
    return tuple(one for one in item.open if one.requirement not in answered)


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
