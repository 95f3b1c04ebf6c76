"""Go's cover profile: blocks of statements by import path and position.

The measure of Go's own tools is statements. A line counts as executable where a block lies on it (also blank lines and
braces inside one), and as executed where one of its blocks was. With `-coverpkg` every test binary repeats all blocks.
"""

from __future__ import annotations

from backcheck.evidence.reports.coverage_model import CoverageReport, FileCoverage, Measure, Share, line_share
from backcheck.evidence.reports.numerals import count_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import text_of

NAME = "Go cover profile"
_MODES = frozenset({"set", "count", "atomic"})
#: Lines that all blocks together may span; more is no source file.
_MAX_LINES = 20_000_000

_Block = tuple[int, int, int, int]


def read(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    lines = text_of(data).split("\n")
    if lines[0].strip().removeprefix("mode: ") not in _MODES or not lines[0].startswith("mode: "):
        raise ReportProblem("does not start with `mode: set`, `count` or `atomic`")
    mode = lines[0].strip()
    files: dict[str, dict[_Block, tuple[int, int]]] = {}
    problems: list[str] = []
    if not data.endswith(b"\n"):
        problems.append("ends inside a line: it was cut off")
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        if line.startswith("mode: "):
            # Profiles of several runs laid one after the other.
            if line.strip() != mode:
                problems.append(f"changes its mode at line {number}")
            continue
        path, block, statements, hits = _entry(line, number)
        known = files.setdefault(path, {})
        before = known.get(block, (statements, 0))
        if before[0] != statements:
            problems.append(
                f"says at line {number} that a block has {statements}, before that it has {before[0]} statements"
            )
        known[block] = (max(statements, before[0]), before[1] + hits)
    if not files:
        raise ReportProblem("holds no block")
    budget = [_MAX_LINES]
    return CoverageReport(format=NAME, files=tuple(_file(path, blocks, budget) for path, blocks in files.items()),
                          problems=tuple(problems))  # fmt: skip


def _entry(line: str, number: int) -> tuple[str, _Block, int, int]:
    """`path.go:5.2,7.3 2 1`."""
    path, colon, rest = line.strip().rpartition(":")
    words = rest.split(" ")
    if not colon or not path or len(words) != 3:
        raise ReportProblem(f"holds {quoted(line)} at line {number}, which is no block")
    start, comma, end = words[0].partition(",")
    ends = [*start.split("."), *end.split(".")]
    if not comma or len(ends) != 4:
        raise ReportProblem(f"holds {quoted(words[0])} at line {number}, which is no position")
    first, left, last, right = (count_of(text) for text in ends)
    if (last, right) < (first, left) or first == 0:
        raise ReportProblem(f"holds a block at line {number} that ends before it starts")
    return path, (first, left, last, right), count_of(words[1]), count_of(words[2])


def _file(path: str, blocks: dict[_Block, tuple[int, int]], budget: list[int]) -> FileCoverage:
    lines: dict[int, bool] = {}
    for (first, _, last, _), (statements, hits) in blocks.items():
        budget[0] -= last - first + 1
        if budget[0] < 0:
            raise ReportProblem(f"has blocks that span more lines than any source ({quoted(path)})")
        for number in range(first, last + 1) if statements else ():
            lines[number] = lines.get(number, False) or hits > 0
    share = Share(sum(n for n, hits in blocks.values() if hits), sum(n for n, _ in blocks.values()))
    shares = {Measure.LINES: line_share(lines), Measure.STATEMENTS: share}
    return FileCoverage(path=path, lines=lines, shares=shares)
