"""LCOV's tracefile, as lcov, coverage.py, Istanbul and others write it.

A branch's name may be text (coverage.py: `jump to line 4`), its count `-` where its block was never reached. Records of
one file are added up. A file that ends inside a record was cut off.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from backcheck.evidence.reports.coverage_model import CoverageReport, FileCoverage, Measure, Share, line_share
from backcheck.evidence.reports.numerals import count_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import text_of

NAME = "LCOV"
#: Tags of the format (man geninfo, lcov 2) that say nothing which is counted here.
_OTHER = frozenset({"TN", "VER", "FNL", "FNA", "MCDC", "MCF", "MCH"})
_TOTALS = {"LF": (Measure.LINES, 1), "LH": (Measure.LINES, 0), "BRF": (Measure.BRANCHES, 1), "BRH": (Measure.BRANCHES, 0),
           "FNF": (Measure.FUNCTIONS, 1), "FNH": (Measure.FUNCTIONS, 0)}  # fmt: skip


@dataclass(slots=True)
class _Record:
    """What one record, or all records of a file, hold."""

    lines: dict[int, int] = field(default_factory=dict)
    branches: dict[tuple[str, str, str], int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)

    def share(self, measure: Measure) -> Share:
        if measure is Measure.LINES:
            return line_share({number: hits > 0 for number, hits in self.lines.items()})
        counts = self.branches if measure is Measure.BRANCHES else self.functions
        return Share(sum(hits > 0 for hits in counts.values()), len(counts))

    def take(self, other: _Record) -> None:
        for number, hits in other.lines.items():
            self.lines[number] = self.lines.get(number, 0) + hits
        for key, hits in other.branches.items():
            self.branches[key] = self.branches.get(key, 0) + hits
        for name, hits in other.functions.items():
            self.functions[name] = self.functions.get(name, 0) + hits
        self.declared |= other.declared


def read(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    files: dict[str, _Record] = {}
    problems: list[str] = []
    path: str | None = None
    record = _Record()
    for number, line in enumerate(text_of(data).split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line == "end_of_record":
            if path is None:
                raise ReportProblem(f"ends a record at line {number} that was not begun")
            _check(path, record, problems)
            files.setdefault(path, _Record()).take(record)
            path = None
            continue
        tag, colon, rest = line.partition(":")
        if tag == "SF" and colon:
            if path is not None:
                raise ReportProblem(f"begins a record at line {number} inside another")
            path, record = rest.strip(), _Record()
            if not path:
                raise ReportProblem(f"names no file at line {number}")
        elif not colon or not _take(record, tag, rest, path):
            raise ReportProblem(f"holds {quoted(line)} at line {number}, which is no LCOV")
    if path is not None:
        raise ReportProblem(f"ends inside the record of {quoted(path)}: it was cut off")
    if not files:
        raise ReportProblem("holds no record of a file")
    found = [_file(path, record) for path, record in files.items()]
    return CoverageReport(format=NAME, files=tuple(found), problems=tuple(problems))


def _take(record: _Record, tag: str, rest: str, path: str | None) -> bool:
    """Add one line to the record; whether it is of the format. Errors: ReportProblem."""
    if path is None or tag in _OTHER:
        return tag == "TN" or path is not None
    if tag == "DA":
        line, _, hits = rest.partition(",")
        number, times = count_of(line.strip()), count_of(hits.partition(",")[0].strip())
        record.lines[number] = record.lines.get(number, 0) + times
    elif tag in _TOTALS:
        record.declared[tag] = count_of(rest.strip())
    elif tag == "BRDA":
        _branch(record, rest)
    elif tag == "FN":
        # `line,name` or `line,last line,name`; a name may hold commas.
        name = rest.partition(",")[2]
        last, comma, after = name.partition(",")
        record.functions.setdefault(after if comma and last.isascii() and last.isdigit() else name, 0)
    elif tag == "FNDA":
        hits, _, name = rest.partition(",")
        record.functions[name] = record.functions.get(name, 0) + count_of(hits.strip())
    else:
        return False
    return True


def _branch(record: _Record, rest: str) -> None:
    """`line,block,name,taken`; the name may hold commas."""
    head, _, taken = rest.rpartition(",")
    parts = head.split(",", 2)
    if len(parts) != 3:
        raise ReportProblem(f"holds {quoted(rest)} where a branch belongs")
    key = (str(count_of(parts[0].strip())), parts[1], parts[2])
    times = 0 if taken.strip() == "-" else count_of(taken.strip())
    record.branches[key] = record.branches.get(key, 0) + times


def _check(path: str, record: _Record, problems: list[str]) -> None:
    if record.lines.get(0):
        problems.append(f"says that line 0 of {quoted(path)} was executed")
    for tag, (measure, side) in _TOTALS.items():
        # Functions that share a name, as lambdas do, cannot be told apart; lines and branches can.
        if measure is Measure.FUNCTIONS:
            continue
        counted = record.share(measure)[side]
        if tag in record.declared and record.declared[tag] != counted:
            problems.append(f"declares {tag} {record.declared[tag]:,} for {quoted(path)}, and {counted:,} are counted")


def _file(path: str, record: _Record) -> FileCoverage:
    shares = {Measure.LINES: record.share(Measure.LINES)}
    if record.branches or "BRF" in record.declared:
        shares[Measure.BRANCHES] = record.share(Measure.BRANCHES)
    if record.functions or "FNF" in record.declared:
        counted = record.share(Measure.FUNCTIONS)
        said = Share(record.declared.get("FNH", counted.covered), record.declared.get("FNF", counted.total))
        shares[Measure.FUNCTIONS] = Share(min(said.covered, counted.covered), max(said.total, counted.total))
    return FileCoverage(path=path, lines={n: hits > 0 for n, hits in record.lines.items()}, shares=shares)
