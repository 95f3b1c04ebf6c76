"""Leftovers that a change brought in: every changed file searched, old and moved ones taken out.

A comparison line by line would say no more: of two equal lines nobody can tell which is the new one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from backcheck.checks.api import Evidence
from backcheck.checks.changes import Change
from backcheck.checks.code.languages import DATA, suffix_of
from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.leftovers.probe import may_hold_bytes
from backcheck.checks.leftovers.roles import role_of
from backcheck.checks.leftovers.search import leftovers_of
from backcheck.checks.leftovers.stubs import names_of_stubs
from backcheck.checks.touched import bytes_before, bytes_of, forks
from backcheck.evidence.decode import decode, encoding_of
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.search import is_plain

_SAMPLE = 8192
_SKIPPED = "skipped"
#: Stands before the name of a stub, where others have a line; no line holds it.
_STUB = "\n"


class Fresh(NamedTuple):
    """`found` as (path, leftover); `searched` counts texts; `skipped` are no texts, or data too large for one; `problems`
    are (path, reason)."""

    found: list[tuple[str, Leftover]]
    searched: int
    skipped: int
    problems: list[tuple[str, str]]


def fresh_leftovers(evidence: Evidence, paths: dict[str, Change]) -> Fresh:
    """Search every path that was added or changed. Errors: GitError, parallel.WorkerDied."""
    there = [path for path, change in paths.items() if change is not Change.REMOVED]

    def work(part: Sequence[str]) -> list[list[Any]]:
        return [[path, *_of_file(evidence, path)] for path in part]

    rows = fork_map(work, there) if forks(evidence) else work(there)
    problems = [(path, reason) for path, reason, _ in rows if reason and reason != _SKIPPED]
    skipped = sum(reason == _SKIPPED for _, reason, _ in rows)
    found = [
        (path, Leftover(line, Weight(weight), what, stub), mark)
        for path, _, items in rows
        for line, weight, what, stub, mark in items
    ]
    kept = _without_old(evidence, found, paths) if found else []
    return Fresh(kept, len(rows) - skipped - len(problems), skipped, problems)


def _of_file(evidence: Evidence, path: str) -> tuple[str, list[list[Any]]]:
    """Why a file was not searched, and its leftovers, old and new, each with what it is known again by."""
    try:
        data = bytes_of(evidence, path, limit=MAX_TEXT)
    except Unreadable as error:
        return (_SKIPPED if suffix_of(path) in DATA and "the limit" in str(error) else str(error)), []
    if is_plain(data) and not path.endswith(".ipynb") and not may_hold_bytes(path, data):
        return "", []
    if (text := _text(data)) is None:
        return _SKIPPED, []
    lines = text.split("\n")
    # Line 0 is a place unknown.
    return "", [
        [
            item.line,
            int(item.weight),
            item.what,
            item.stub,
            _mark(item, lines[item.line - 1].strip() if item.line else ""),
        ]
        for item in leftovers_of(path, text, role_of(path))
    ]


def _text(data: bytes | None) -> str | None:
    """The text of bytes, None where they are none."""
    if data is None:
        return None
    if b"\0" in data[:_SAMPLE] and encoding_of(data)[0] == "utf-8":
        return None
    return decode(data)


def _without_old(
    evidence: Evidence, found: list[tuple[str, Leftover, str]], paths: dict[str, Change]
) -> list[tuple[str, Leftover]]:
    """Those that the change brought in. A line is known again by its text without indentation, a stub by its name: as
    many as the base held in the files of this change were there before, wherever they stand now.
    """
    wanted = {mark for _, _, mark in found} - {""}
    before: Counter[str] = Counter()
    for path, change in paths.items():
        if change is not Change.ADDED and (text := _text(bytes_before(evidence, path))):
            before.update(_marks(path, text, wanted))
    kept = []
    for path, item, mark in found:
        if before[mark] > 0:
            before[mark] -= 1
        else:
            kept.append((path, item))
    return kept


def _mark(item: Leftover, line: str) -> str:
    """What a leftover is known again by: a stub's name; the line from the word that gave it away, or the whole line."""
    if item.stub:
        return f"{_STUB}{item.what.partition(' ')[0]}"
    at = line.lower().find(item.what.strip("`").lower()) if item.what.startswith("`") else -1
    return _bare(line[max(at, 0) :])


def _bare(line: str) -> str:
    """Without what a notebook puts around a line of code."""
    return line.strip().rstrip('",').removesuffix("\\n").rstrip()


def _marks(path: str, text: str, wanted: set[str]) -> list[str]:
    """Each of the wanted marks, as often as a text holds it."""
    here = [mark for mark in wanted if not mark.startswith(_STUB) and mark in text]
    lines = [_bare(line) for line in text.split("\n")] if here else []
    found = [mark for mark in here for line in lines if line.endswith(mark)]
    if any(mark.startswith(_STUB) and mark[1:] in text for mark in wanted):
        stubs = (f"{_STUB}{name}" for name in names_of_stubs(path, text).elements())
        found += [mark for mark in stubs if mark in wanted]
    return found
