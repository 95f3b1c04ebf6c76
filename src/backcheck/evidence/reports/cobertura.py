"""Cobertura's XML, as coverage.py, Istanbul (nyc, c8, jest), gcovr, coverlet and others write it.

Counted are the `<line>`s below each class's own `<lines>`, by file and number: several classes may share a file, and those
below methods only repeat them. Istanbul loses a branch that lies on a line without a statement; then its larger declared
total is kept beside what is counted, and the worse of the two holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from backcheck.evidence.reports.coverage_model import (
    CoverageReport,
    FileCoverage,
    Measure,
    Share,
    added,
    line_share,
    rate_fits,
)
from backcheck.evidence.reports.numerals import count_of, decimal_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.xmlstream import Attributes, walk

NAME = "Cobertura XML"
#: Writers print rates with four places or four digits.
_SLACK = Fraction(1, 1000)


def read(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    reader = _Reader()
    walk(data, reader.start, reader.end)
    return reader.report()


@dataclass(slots=True)
class _File:
    """Lines by number → executed; branches by line → share. `entries` counts the elements, also repeated ones."""

    lines: dict[int, bool] = field(default_factory=dict)
    branches: dict[int, Share] = field(default_factory=dict)
    entries: list[bool] = field(default_factory=list)


class _Reader:
    """The elements that stand open, and what they said."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.root: Attributes = {}
        self.files: dict[str, _File] = {}
        self.current: _File | None = None
        self.path = ""
        self.in_methods: list[tuple[int, bool, Share | None]] = []
        self.own_lines = False
        self.sources: list[str] = []
        self.problems: list[str] = []
        self.classes = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if not self.open:
            if name != "coverage" or not ({"line-rate", "lines-valid"} & attributes.keys()):
                raise ReportProblem(f"starts with <{name[:60]}>, so it is no Cobertura report")
            self.root = attributes
        elif name == "class":
            self._class(attributes)
        elif name == "line" and self.current is not None:
            self._line(attributes)
        self.open.append(name)

    def end(self, name: str, text: str) -> None:
        self.open.pop()
        if name == "source" and text.strip():
            self.sources.append(text.strip())
        elif name == "class" and self.current is not None:
            if not self.own_lines:
                for number, hit, share in self.in_methods:
                    self._add(self.current, number, hit, share)
            self.current = None

    def _class(self, attributes: Attributes) -> None:
        self.path = attributes.get("filename", "")
        if not self.path:
            raise ReportProblem("has a <class> without a file name")
        self.classes += 1
        self.current = self.files.setdefault(self.path, _File())
        self.in_methods, self.own_lines = [], False

    def _line(self, attributes: Attributes) -> None:
        number, hits = count_of(attributes.get("number", "")), attributes.get("hits", "")
        hit = count_of(hits) > 0
        if number == 0 and hit:
            self.problems.append(f"says that line 0 of {quoted(self.path)} was executed")
        share = None
        if attributes.get("branch", "").lower() == "true":
            share = _conditions(attributes.get("condition-coverage", ""), number, self.path, self.problems)
        if "methods" in self.open:
            self.in_methods.append((number, hit, share))
        elif self.current is not None:
            self.own_lines = True
            self._add(self.current, number, hit, share)

    @staticmethod
    def _add(file: _File, number: int, hit: bool, share: Share | None) -> None:
        file.lines[number] = file.lines.get(number, False) or hit
        file.entries.append(hit)
        if share is not None:
            before = file.branches.get(number, Share(0, 0))
            file.branches[number] = Share(max(share.covered, before.covered), max(share.total, before.total))

    def report(self) -> CoverageReport:
        counted = added(line_share(file.lines) for file in self.files.values())
        repeated = added(Share(sum(file.entries), len(file.entries)) for file in self.files.values())
        branches = added(share for file in self.files.values() for share in file.branches.values())
        self._check("lines", "line-rate", [counted, repeated])
        lost = self._lost_branches(branches)
        measured = branches.total > 0 or bool(self.root.get("branches-valid", "0").strip("0"))
        files = []
        for path, file in self.files.items():
            shares = {Measure.LINES: line_share(file.lines)}
            if measured:
                shares[Measure.BRANCHES] = added(file.branches.values())
            files.append(FileCoverage(path=path, lines=file.lines, shares=shares))
        notes = []
        if lost:
            notes.append(f"has {lost.total:,} branches in its total that stand on no line")
            # What stands nowhere is nobody's file; in the total it counts where it makes the answer worse.
            if branches.total == 0 or lost.fraction < branches.fraction:
                files.append(FileCoverage(path="", lines=None, shares={Measure.BRANCHES: lost}))
        return CoverageReport(format=NAME, files=tuple(files), sources=tuple(self.sources),
                              problems=tuple(self.problems), notes=tuple(notes))  # fmt: skip

    def _declared(self, kind: str) -> Share | None:
        valid, covered = self.root.get(f"{kind}-valid"), self.root.get(f"{kind}-covered")
        return None if valid is None or covered is None else Share(count_of(covered), count_of(valid))

    def _check(self, kind: str, rate: str, counted: list[Share]) -> None:
        declared = self._declared(kind)
        if declared is not None and declared not in counted:
            self.problems.append(f"declares {declared} {kind}, and {counted[0]} are counted")
        if rate in self.root:
            value = decimal_of(self.root[rate])
            if not any(_near(share, value) for share in counted):
                self.problems.append(f"declares the {rate} {value}, and {counted[0]} are counted")

    def _lost_branches(self, counted: Share) -> Share | None:
        declared = self._declared("branches")
        if declared is None or declared == counted:
            self._check("branches", "branch-rate", [counted])
            return None
        lost = Share(declared.covered - counted.covered, declared.total - counted.total)
        if 0 <= lost.covered <= lost.total:
            self._check("branches", "branch-rate", [declared])
            return lost
        self._check("branches", "branch-rate", [counted, declared])
        self.problems.append(f"declares {declared} branches, and {counted} are counted")
        return None


def _near(share: Share, rate: Decimal) -> bool:
    return rate_fits(share, rate, scale=1, slack=_SLACK)


def _conditions(text: str, number: int, path: str, problems: list[str]) -> Share | None:
    """`50% (1/2)` → 1 of 2. Errors: ReportProblem."""
    if not text:
        return None
    percent, opening, rest = text.partition("(")
    covered, slash, total = rest.removesuffix(")").partition("/")
    if not (opening and slash and rest.endswith(")") and percent.strip().endswith("%")):
        raise ReportProblem(f"has the condition coverage {quoted(text)}, which is none")
    share = Share(count_of(covered.strip()), count_of(total.strip()))
    declared = decimal_of(percent.strip().removesuffix("%"))
    if share.covered > share.total or not rate_fits(share, declared, scale=100, slack=Fraction(1)):
        problems.append(f"contradicts itself on line {number} of {quoted(path)}: {quoted(text)}")
        return Share(min(share), share.total)
    return share
