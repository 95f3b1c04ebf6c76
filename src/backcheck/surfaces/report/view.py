"""A verdict document as every report reads it: well-typed, bounded, one level an answer, and nothing hidden shown.

Documents come from the engine or from the ledger, where anybody may have written; texts in them may be anybody's.
The one rule of all formats: a verdict that is not PASS holds at least one answer of level `error`, so that no reader of
any format shows it green.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from backcheck.contract.find import ALL_NAMES
from backcheck.errors import UserError
from backcheck.evidence.paths import join, shown

#: Characters of one text, places of one answer, answers of one report.
MAX_TEXT = 2000
MAX_PLACES = 20
MAX_ITEMS = 5000
MAX_PATH = 1000

WITHHELD = "this answer is kept for people and is not shown here"
SENTENCES = {
    "PASS": "every blocking requirement holds",
    "REJECT": "what was asked does not hold",
    "UNCLEAR": "a person must look",
}


class Level(StrEnum):
    """How loud an answer is in a foreign format."""

    ERROR = "error"
    WARNING = "warning"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place: path from the repository's top, line from 1 (0: none), note."""

    path: str
    line: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One answer, or a requirement that has none (`status` is then `unanswered` or `deferred`)."""

    name: str
    check: str
    status: str
    level: Level
    reason: str
    description: str = ""
    remedy: str = ""
    blame: str = ""
    places: tuple[Spot, ...] = ()
    seconds: float = 0.0
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A whole verdict. `items` are in the document's order; `left_out` counts answers beyond MAX_ITEMS."""

    verdict: str
    exit_code: int
    why: str
    items: tuple[Item, ...]
    contract: str
    contract_from: str
    digest: str
    tree: str
    base: str
    started: str
    seconds: float
    notices: tuple[str, ...] = ()
    asserted: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def headline(self) -> str:
        """The verdict in words."""
        return f"{SENTENCES[self.verdict]}{f' ({self.why})' if self.why else ''}"

    def count(self, status: str) -> int:
        """How many answers have a status."""
        return sum(item.status == status for item in self.items)


def view_of(document: Mapping[str, Any], *, reveal: bool = False) -> View:
    """Read a document; `reveal` shows hidden answers too. Errors: UserError where it is no verdict."""
    verdict = document.get("verdict")
    if verdict not in SENTENCES:
        raise UserError("this is no verdict, so there is nothing to report", slug="report")
    contract, tree = _mapping(document.get("contract")), _mapping(document.get("tree"))
    base = _mapping(document.get("base"))
    prefix = prefix_of(text(contract.get("path")))
    items = list(_items(document, prefix, reveal))
    if verdict != "PASS" and not any(item.level is Level.ERROR for item in items):
        items.append(_own(verdict, text(document.get("why"))))
    # What is loud is never cut for what is not.
    ordered = items if len(items) <= MAX_ITEMS else sorted(items, key=lambda i: list(Level).index(i.level))
    exit_code = document.get("exit_code")
    return View(
        verdict=verdict, exit_code=exit_code if isinstance(exit_code, int) else 3, why=text(document.get("why")),
        items=tuple(ordered[:MAX_ITEMS]), contract=text(contract.get("path"), MAX_PATH),
        contract_from=text(contract.get("from")), digest=text(contract.get("digest")), tree=text(tree.get("digest")),
        base=text(base.get("commit")), started=text(document.get("started")), seconds=_number(document.get("seconds")),
        notices=tuple(text(one) for one in _list(document.get("notices"))[:MAX_PLACES]),
        asserted=tuple(text(one) for one in _list(document.get("asserted_passes"))[:MAX_ITEMS]),
        left_out=max(0, len(items) - MAX_ITEMS),
    )  # fmt: skip


def withhold(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with hidden answers reduced to their status: what an agent may be shown."""
    findings = [_withheld(f) if f.get("hidden") else f for f in map(_mapping, _list(document.get("findings")))]
    return {**document, "findings": findings}


def prefix_of(contract: str) -> str:
    """The folder that a contract's paths count from, by the contract's own path."""
    for name in sorted(ALL_NAMES, key=len, reverse=True):
        if contract == name or contract.endswith(f"/{name}"):
            return contract.removesuffix(name).rstrip("/") if not contract.startswith("/") else ""
    return ""


def text(value: object, limit: int = MAX_TEXT) -> str:
    """Any value as one line of printable characters."""
    raw = value if isinstance(value, str) else "" if value is None else str(value)
    safe = shown(raw[: limit + 1])
    return safe if len(safe) <= limit else f"{safe[: limit - 1]}…"


def _withheld(finding: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in finding.items() if name not in {"details", "description", "dimension"}}
    return {**kept, "reason": WITHHELD, "where": [], "remedy": ""}


def _items(document: Mapping[str, Any], prefix: str, reveal: bool) -> Iterator[Item]:
    for finding in map(_mapping, _list(document.get("findings"))):
        hidden = bool(finding.get("hidden")) and not reveal
        item = _item(_withheld(finding) if hidden else finding, prefix)
        yield replace(item, withheld=hidden)
    for status, field in (("unanswered", "unanswered"), ("deferred", "deferred")):
        said = "was not asked, so it has no answer" if status == "unanswered" else "is asked at another door"
        loud = Level.ERROR if document.get("verdict") != "PASS" else Level.WARNING
        for name in _list(document.get(field)):
            level = loud if status == "unanswered" else Level.NONE
            yield Item(name=text(name, 200), check="", status=status, level=level, reason=f"it {said}")


def _item(finding: Mapping[str, Any], prefix: str) -> Item:
    status = text(finding.get("status"), 40)
    loud = Level.WARNING if finding.get("severity") == "warn" else Level.ERROR
    check = text(finding.get("check"), 100)
    places = [_spot(p, "" if check == "diff-scope" else prefix) for p in map(_mapping, _list(finding.get("where")))]
    return Item(
        name=text(finding.get("requirement"), 200), check=check, status=status,
        level=Level.NONE if status == "pass" else loud, reason=text(finding.get("reason")),
        description=text(finding.get("description")), remedy=text(finding.get("remedy")),
        blame=text(finding.get("blame"), 40), places=tuple(places[:MAX_PLACES]), seconds=_number(finding.get("seconds")),
    )  # fmt: skip


def _own(verdict: str, why: str) -> Item:
    return Item(name="backcheck:verdict", check="verdict", status=verdict.lower(), level=Level.ERROR,
                reason=f"{SENTENCES[verdict]}{f': {why}' if why else ''}")  # fmt: skip


def _spot(place: Mapping[str, Any], prefix: str) -> Spot:
    """`diff-scope` counts its paths from the repository's top, every other check from the contract's root."""
    line = place.get("line")
    number = line if isinstance(line, int) and not isinstance(line, bool) and 0 < line < 2**31 else 0
    return Spot(
        path=join(prefix, text(place.get("path"), MAX_PATH)), line=number, note=text(place.get("note"), MAX_PATH)
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: object) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
    return float(value) if fits else 0.0  # type: ignore[arg-type]
