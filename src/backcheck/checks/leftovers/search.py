"""All leftovers of one file, whatever its language; which of them are new is the gate's question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON, read_code, suffix_of
from backcheck.checks.code.model import Code, Unparsed
from backcheck.checks.leftovers import refusals
from backcheck.checks.leftovers.comments import notes_of, without_notes
from backcheck.checks.leftovers.filler import filler_in
from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.leftovers.notebook import cells_of
from backcheck.checks.leftovers.probe import may_hold
from backcheck.checks.leftovers.roles import Role
from backcheck.checks.leftovers.saying import leftovers_in
from backcheck.checks.leftovers.stubs import stubs_in
from backcheck.checks.leftovers.words import MADE_UP_RETURN, excused
from backcheck.checks.words import plain

#: In prose a mark counts where it starts a line; a heading of that name is a plan, not a gap.
_PROSE_MARK = re.compile(
    r"^[\s>*+\-\d.)|_]*(?:\[[ xX]?\]\s*)?[*_]{0,2}(?P<mark>TODO|FIXME|TBD|TBA|WIP|XXX)\b[*_]{0,2}"
    r"(?:\s*:|\s*$|\s*\(|\s+-\s|\s*\|)"
)
_PROSE_GAP = re.compile(
    r"^[\s>*_]*(?:coming soon|to be (?:written|done|added|completed)|work in progress|under construction|"
    r"待补充|待完善|敬请期待|待填写)[\s.!…。*_]*$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")


def leftovers_of(path: str, text: str, role: Role) -> list[Leftover]:
    """Leftovers of a text, by line."""
    if role is Role.BESIDE:
        notes = _of_notes(path, text, role) if may_hold(path, text) else []
        return _ordered([item._replace(weight=Weight.NOTED) for item in notes])
    suffix = suffix_of(path)
    if suffix != ".ipynb" and not may_hold(path, text):
        return []
    if suffix == ".ipynb" and (cells := cells_of(text)) is not None:
        code = _of_code("cell.py", cells.code, role)
        found = [item._replace(line=_at(cells.code_lines, item.line)) for item in code]
        found += [item._replace(line=_at(cells.prose_lines, item.line)) for item in _of_prose(cells.prose)]
        return _ordered(found)
    if role is Role.PROSE:
        return _ordered([*_of_prose(text), *_of_notes(path, text, role), *filler_in(path, text, role)])
    return _ordered(_of_code(path, text, role))


def _at(lines: list[int], number: int) -> int:
    return lines[number - 1] if 0 < number <= len(lines) else 0


def _ordered(found: list[Leftover]) -> list[Leftover]:
    """One for each line, the heaviest."""
    best: dict[int, Leftover] = {}
    for item in found:
        if item.line not in best or item.weight > best[item.line].weight:
            best[item.line] = item
    return [best[line] for line in sorted(best)]


def _of_code(path: str, text: str, role: Role) -> list[Leftover]:
    code: Code | None = None
    try:
        code = read_code(path, text)
    except Unparsed:
        code = None
    suffix = suffix_of(path)
    found = list(filler_in(path, text, role))
    if code is None:
        found += [*_of_notes(path, text, role), *_refusals(path, text, role)]
        return found
    for comment in (*code.comments, *code.docs):
        found += leftovers_in(comment.text, comment.line, role)
    found += stubs_in(text, code, role)
    if suffix in PYTHON and role is not Role.TEST and refusals.MAY_REFUSE.search(text):
        found += _noted(refusals.in_python(text), text)
    elif suffix in ECMASCRIPT and role is not Role.TEST and not code.deferred and refusals.MAY_REFUSE.search(text):
        known = {line for item in code.functions if item.stub for line in range(item.line, item.line + 4)}
        found += [item for item in _refusals(path, text, role) if item.line not in known]
    return found + _made_up(path, text, role)


def _of_notes(path: str, text: str, role: Role) -> list[Leftover]:
    return [item for note in notes_of(path, text) for item in leftovers_in(note.text, note.line, role)]


def _refusals(path: str, text: str, role: Role) -> list[Leftover]:
    if role in {Role.TEST, Role.PROSE, Role.DATA}:
        return []
    return _noted(refusals.in_lines(path, without_notes(text, notes_of(path, text))), text)


def _noted(found: Iterator[Leftover], text: str) -> list[Leftover]:
    """A refusal that refers to an issue on its own line is for a person, not excused: work is missing all the same."""
    lines = text.split("\n")
    return [
        item._replace(weight=Weight.OPEN)
        if item.weight is Weight.PLAIN and excused(plain(lines[item.line - 1]))
        else item
        for item in found
    ]


def _made_up(path: str, text: str, role: Role) -> list[Leftover]:
    if role is not Role.WORK or "mock" in path.lower() or "fake" in path.lower():
        return []
    return [
        Leftover(number, Weight.PLAIN, "gives back a made-up value")
        for number, line in enumerate(text.split("\n"), start=1)
        if len(line) < 4000 and MADE_UP_RETURN.search(line)
    ]


def _of_prose(text: str) -> list[Leftover]:
    found = []
    fenced = False
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and ((mark := _PROSE_MARK.match(line)) or _PROSE_GAP.match(line)):
            weight = Weight.NOTED if excused(plain(line)) else Weight.PLAIN
            found.append(
                Leftover(number, weight, f"`{mark['mark']}`" if mark else "an announcement instead of content")
            )
    return found
