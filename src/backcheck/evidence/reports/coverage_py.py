"""coverage.py's JSON report, formats 1 (5.0) to 3 (7.17).

Before 7.5 or so `executed_lines` also names docstrings and excluded lines that were passed, which are no statements: there
the smaller declared count is taken, a larger one is a contradiction; likewise for branches, where ways that were not foreseen
are listed as executed too. `percent_covered` mixes branches in and is not used.
"""

from __future__ import annotations

from typing import Any

from backcheck.evidence.reports.coverage_model import CoverageReport, FileCoverage, Measure, Share
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import count, listing, mapping, parse

NAME = "coverage.py JSON"


def fits(value: Any) -> bool:
    """Whether a parsed JSON value is plainly this report."""
    return isinstance(value, dict) and {"meta", "files", "totals"} <= set(value)


def read(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    return of_value(parse(data))


def of_value(value: Any) -> CoverageReport:
    """As `read`, of the parsed JSON. Errors: ReportProblem."""
    document = mapping(value, "the report")
    if not fits(document):
        raise ReportProblem("has no `meta`, `files` and `totals`, so it is no report of coverage.py")
    branches = mapping(document["meta"], "`meta`").get("branch_coverage") is True
    problems: list[str] = []
    files = [_file(path, entry, branches, problems) for path, entry in mapping(document["files"], "`files`").items()]
    _check_totals(mapping(document["totals"], "`totals`"), files, problems)
    return CoverageReport(format=NAME, files=tuple(files), problems=tuple(problems))


def _numbers(entry: dict[str, Any], name: str) -> frozenset[int]:
    numbers = [count(line, f"a line of `{name}`") for line in listing(entry.get(name, []), f"`{name}`")]
    if len(set(numbers)) != len(numbers):
        raise ReportProblem(f"names a line twice in `{name}`")
    return frozenset(numbers)


def _file(path: str, value: Any, branches: bool, problems: list[str]) -> FileCoverage:
    entry = mapping(value, "a file")
    if "executed_lines" not in entry or "missing_lines" not in entry:
        raise ReportProblem(f"has no `executed_lines` and `missing_lines` for {quoted(path)}")
    executed, missing, excluded = (_numbers(entry, f"{name}_lines") for name in ("executed", "missing", "excluded"))
    both = executed & missing
    if both:
        problems.append(f"says that line {min(both)} of {quoted(path)} was executed and was not")
    # Line 0 stands in for the code object itself where an old version ran under a newer Python.
    ran = executed - excluded - missing - {0}
    summary = mapping(entry.get("summary"), "a `summary`")
    said = count(summary.get("covered_lines"), "`covered_lines`")
    statements = count(summary.get("num_statements"), "`num_statements`")
    if (
        said > len(ran)
        or statements != said + len(missing)
        or summary.get("missing_lines", len(missing)) != len(missing)
    ):
        listed = f"{len(ran):,} executed and {len(missing):,} missing"
        problems.append(f"declares {said:,} of {statements:,} lines for {quoted(path)}, and lists {listed}")
    covered = min(said, len(ran))
    total = max(statements, covered + len(missing))
    share = Share(covered, total)
    shares = {Measure.LINES: share, Measure.STATEMENTS: share}
    if branches:
        shares[Measure.BRANCHES] = _branches(path, entry, summary, problems)
    lines = dict.fromkeys(ran, True) | dict.fromkeys(missing, False)
    return FileCoverage(path=path, lines=lines, shares=shares, excluded=excluded)


def _branches(path: str, entry: dict[str, Any], summary: dict[str, Any], problems: list[str]) -> Share:
    said = Share(count(summary.get("covered_branches"), "`covered_branches`"),
                 count(summary.get("num_branches"), "`num_branches`"))  # fmt: skip
    if said.covered > said.total:
        problems.append(f"declares {said} branches for {quoted(path)}")
    if "executed_branches" not in entry:
        return Share(min(said), said.total)
    executed, missing = (_arcs(entry, f"{name}_branches") for name in ("executed", "missing"))
    if executed & missing or said.covered > len(executed) or said.total != said.covered + len(missing):
        listed = f"{len(executed):,} executed and {len(missing):,} missing"
        problems.append(f"declares {said} branches for {quoted(path)}, and lists {listed}")
    covered = min(said.covered, len(executed))
    return Share(covered, max(said.total, covered + len(missing)))


def _arcs(entry: dict[str, Any], name: str) -> set[tuple[int, int]]:
    found = set()
    for arc in listing(entry.get(name, []), f"`{name}`"):
        if not isinstance(arc, list) or [type(end) for end in arc] != [int, int]:
            raise ReportProblem(f"holds {quoted(arc)} where a branch belongs")
        found.add((arc[0], arc[1]))
    return found


def _check_totals(totals: dict[str, Any], files: list[FileCoverage], problems: list[str]) -> None:
    names = {"covered_lines": (Measure.LINES, 0), "num_statements": (Measure.LINES, 1),
             "covered_branches": (Measure.BRANCHES, 0), "num_branches": (Measure.BRANCHES, 1)}  # fmt: skip
    for name, (measure, side) in names.items():
        counted = sum(file.shares[measure][side] for file in files if measure in file.shares)
        if (name in totals or measure is Measure.LINES) and totals.get(name) != counted:
            problems.append(f"declares `{name}` {quoted(totals.get(name))} in all, and its files add up to {counted:,}")
