"""TAP 12, 13 and 14, with subtests, directives, plans and bail-outs. Leaves are counted; a parent only sums its children."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from backcheck.evidence.reports.numerals import MAX_COUNT_DIGITS
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.xmlstream import pieces_of

MAX_LEVEL = 100
MAX_LINE = 1024 * 1024
_POINT = re.compile(r"(not )?ok\b(?:\s+(\d{1,15}))?(?:\s*-?\s*(.*))?$", re.ASCII)
_PLAN = re.compile(r"(\d{1,15})\.\.(\d{1,15})(?:\s*#\s*(.*))?\s*$", re.ASCII)
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(SKIP|TODO)\b[\S]*\s*(.*)$", re.IGNORECASE)


@dataclass(slots=True)
class _Level:
    """One level of indentation: its plan, the points seen, and whether one of them failed."""

    plan: int | None = None
    points: int = 0
    failed: bool = False
    #: Whether a level below ended just before: the next point sums it up.
    summed: bool = False
    below_failed: bool = False
    #: The point that opened a level in braces, as vitest writes it: its failure, and its name. None outside.
    opened: tuple[bool, str] | None = None


def lines_of(data: bytes | Iterable[bytes]) -> Iterator[str]:
    """The lines of a text in pieces, strictly UTF-8, each of bounded length. Errors: ReportProblem."""
    rest, first = b"", True
    for piece in pieces_of(data):
        if first and piece:
            piece, first = piece.removeprefix(b"\xef\xbb\xbf"), False
        parts = (rest + piece).split(b"\n")
        rest = parts.pop()
        if len(rest) > MAX_LINE or any(len(part) > MAX_LINE for part in parts):
            raise ReportProblem(f"has a line of more than {MAX_LINE >> 20} MiB")
        yield from map(_text, parts)
    if rest:
        yield _text(rest)


def _text(line: bytes) -> str:
    try:
        text = line.rstrip(b"\r").decode("utf-8")
    except UnicodeDecodeError:
        raise ReportProblem("is no text in UTF-8") from None
    if "\0" in text:
        raise ReportProblem("holds NUL characters")
    return text


def read(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """Hand every case to `sink`. Errors: ReportProblem."""
    reader = _Reader(sink)
    for line in lines_of(data):
        reader.line(line)
    return reader.finish()


class _Reader:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.report = ResultsReport("tap")
        self.levels = [_Level()]
        self.names: list[str] = []
        self.block: int | None = None
        self.seen = False

    def line(self, line: str) -> None:
        body = line.lstrip(" \t")
        indent = len(line) - len(body)
        if self.block is not None:
            if body.startswith("...") and indent <= self.block:
                self.block = None
            elif indent < self.block and (_POINT.match(body) or _PLAN.match(body)):
                self.report.contradict(f"has {body[:60]!r} inside a block of details")
            return
        if body.startswith("Bail out!"):
            self.report.contradict(f"was given up: {body[9:].strip()[:200] or 'Bail out!'}")
            return
        if body.startswith("---") and indent:
            self.block = indent
            return
        point, plan = _POINT.match(body), _PLAN.match(body)
        if not point and not plan:
            return
        if indent % 4 or "\t" in line[:indent]:
            # No level of TAP; what failed there must not be lost with it.
            if point and point[1]:
                self.report.contradict(f"has {body[:60]!r} at no level of its own")
            return
        self.seen = True
        level = self._level(indent // 4)
        if plan:
            self._plan(level, plan)
        elif point:
            self._point(level, point)

    def _level(self, depth: int) -> _Level:
        if depth > MAX_LEVEL:
            raise ReportProblem(f"has subtests nested deeper than {MAX_LEVEL}")
        while len(self.levels) - 1 > depth:
            self._close()
        while len(self.levels) - 1 < depth:
            self.levels.append(_Level())
        return self.levels[depth]

    def _close(self) -> None:
        done = self.levels.pop()
        self._check(done, "a subtest")
        parent = self.levels[-1]
        if parent.opened is not None:
            self._sum(parent.opened[0], parent.opened[1], done.failed)
            parent.opened = None
            return
        parent.summed = True
        parent.below_failed = done.failed

    def _sum(self, failed: bool, name: str, below_failed: bool) -> bool:
        """Hold a parent against its children; whether it is more than they are, since it failed by itself."""
        if below_failed and not failed:
            self.report.contradict(f"says ok for {name[:60]!r}, in which a test failed")
        return failed and not below_failed

    def _check(self, level: _Level, what: str) -> None:
        if level.plan is None:
            self.report.contradict(f"has no plan for {what}: it may have ended early")
        elif level.plan != level.points:
            self.report.contradict(f"plans {level.plan} tests in {what} and shows {level.points}")

    def _plan(self, level: _Level, match: re.Match[str]) -> None:
        if level.plan is not None:
            self.report.contradict("has two plans")
        first, last = int(match[1]), int(match[2])
        level.plan = max(0, last - first + 1)
        if level.plan == 0 and match[3]:
            self.report.note(f"nothing was planned: {match[3][:100]}")

    def _point(self, level: _Level, match: re.Match[str]) -> None:
        failed, said = bool(match[1]), match[3] or ""
        directive = _DIRECTIVE.search(said)
        name = (said[: directive.start()] if directive else said).strip()
        kind = directive[1].upper() if directive else ""
        level.points += 1
        if match[2] and len(match[2]) <= MAX_COUNT_DIGITS and int(match[2]) != level.points:
            self.report.contradict(f"numbers test {match[2]} where {level.points} belongs")
        level.failed = level.failed or (failed and kind != "TODO")
        if said.rstrip().endswith("{"):
            level.opened = (failed, name)
            return
        if level.summed and not directive and not self._sum(failed, name, level.below_failed):
            level.summed = False
            return
        level.summed = False
        self.sink(case("", name or f"test {level.points}", _outcome(failed, kind), directive[2] if directive else ""))

    def finish(self) -> ResultsReport:
        if not self.seen:
            raise ReportProblem("holds no line of TAP")
        while len(self.levels) > 1:
            self._close()
        if self.block is not None:
            self.report.contradict("ends inside a block of details")
        self._check(self.levels[0], "the report")
        return self.report


def _outcome(failed: bool, kind: str) -> Outcome:
    if kind == "SKIP":
        return Outcome.SKIPPED
    if kind == "TODO":
        return Outcome.XFAILED if failed else Outcome.XPASSED
    return Outcome.FAILED if failed else Outcome.PASSED
