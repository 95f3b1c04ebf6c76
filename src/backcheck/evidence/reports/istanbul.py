"""Istanbul's two JSON reports (nyc, c8, jest, vitest): `coverage-final.json` by element, `coverage-summary.json` by count.

Every total of the summary is compared with the sum over its files; a percentage of nothing is "Unknown" or 100 there and
is not used. In the final report a line counts where a statement starts on it, as Istanbul itself counts lines.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from backcheck.evidence.reports.coverage_model import (
    CoverageReport,
    FileCoverage,
    Measure,
    Share,
    line_share,
    rate_fits,
    total_of,
)
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import count, listing, mapping, parse, words

FINAL = "Istanbul JSON"
SUMMARY = "Istanbul JSON summary"
#: Percentages are cut off after two places.
_SLACK = Fraction(1, 100)


def fits_final(value: Any) -> bool:
    """Whether a parsed JSON value is plainly a `coverage-final.json`."""
    return isinstance(value, dict) and bool(value) and all(
        isinstance(entry, dict) and {"statementMap", "s"} <= set(entry) for entry in value.values()
    )  # fmt: skip


def fits_summary(value: Any) -> bool:
    """Whether a parsed JSON value is plainly a `coverage-summary.json`."""
    total = value.get("total") if isinstance(value, dict) else None
    return isinstance(total, dict) and {"lines", "statements", "functions", "branches"} <= set(total)


def read_final(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    return of_final(parse(data))


def read_summary(data: bytes) -> CoverageReport:
    """Errors: ReportProblem."""
    return of_summary(parse(data))


def of_final(value: Any) -> CoverageReport:
    """As `read_final`, of the parsed JSON. Errors: ReportProblem."""
    if not fits_final(value):
        raise ReportProblem("is no coverage-final.json")
    problems: list[str] = []
    files = [_final_file(key, entry, problems) for key, entry in value.items()]
    return CoverageReport(format=FINAL, files=tuple(files), problems=tuple(problems))


def _final_file(key: str, entry: dict[str, Any], problems: list[str]) -> FileCoverage:
    path = words(entry.get("path", key), "a path")
    if path != key:
        problems.append(f"calls one file {quoted(key)} and {quoted(path)}")
    places = mapping(entry["statementMap"], "`statementMap`")
    hits = _hits(entry, "s", places, key)
    lines: dict[int, bool] = {}
    for name, place in places.items():
        start = mapping(mapping(place, "a statement").get("start"), "its start")
        number = count(start.get("line"), "a line")
        lines[number] = lines.get(number, False) or hits[name] > 0
    if lines.get(0):
        problems.append(f"says that line 0 of {quoted(path)} was executed")
    functions = _hits(entry, "f", mapping(entry.get("fnMap", {}), "`fnMap`"), key)
    shares = {
        Measure.LINES: line_share(lines),
        Measure.STATEMENTS: Share(sum(n > 0 for n in hits.values()), len(hits)),
        Measure.FUNCTIONS: Share(sum(n > 0 for n in functions.values()), len(functions)),
        Measure.BRANCHES: _branches(entry, key),
    }
    return FileCoverage(path=path, lines=lines, shares=shares)


def _hits(entry: dict[str, Any], name: str, places: dict[str, Any], path: str) -> dict[str, int]:
    hits = mapping(entry.get(name, {}), f"`{name}`")
    if set(hits) != set(places):
        raise ReportProblem(f"counts other elements in `{name}` of {quoted(path)} than it has")
    return {key: count(value, f"a count of `{name}`") for key, value in hits.items()}


def _branches(entry: dict[str, Any], path: str) -> Share:
    places, hits = mapping(entry.get("branchMap", {}), "`branchMap`"), mapping(entry.get("b", {}), "`b`")
    if set(hits) != set(places):
        raise ReportProblem(f"counts other branches of {quoted(path)} than it has")
    counts: list[int] = []
    for key, taken in hits.items():
        ways = listing(mapping(places[key], "a branch").get("locations"), "`locations`")
        if len(listing(taken, "a branch's counts")) != len(ways):
            raise ReportProblem(f"counts other branches of {quoted(path)} than it has")
        counts += [count(number, "a count of `b`") for number in taken]
    return Share(sum(number > 0 for number in counts), len(counts))


def of_summary(value: Any) -> CoverageReport:
    """As `read_summary`, of the parsed JSON. Errors: ReportProblem."""
    if not fits_summary(value):
        raise ReportProblem("is no coverage-summary.json")
    problems: list[str] = []
    files = [FileCoverage(path=path, lines=None, shares=_shares(path, entry, problems))
             for path, entry in value.items() if path != "total"]  # fmt: skip
    totals = _shares("total", value["total"], problems)
    if not files:
        problems.append("holds a total and no file, so nothing can be counted")
    for measure, said in totals.items():
        counted = total_of(files, measure)
        if files and counted != said:
            problems.append(f"declares {said} {measure}, and its files add up to {counted or 'none'}")
    return CoverageReport(format=SUMMARY, files=tuple(files), problems=tuple(problems))


def _shares(path: str, value: Any, problems: list[str]) -> dict[Measure, Share]:
    entry, found = mapping(value, "a file"), {}
    for measure in Measure:
        numbers = mapping(entry.get(measure), f"`{measure}` of {quoted(path)}")
        share = Share(count(numbers.get("covered"), "`covered`"), count(numbers.get("total"), "`total`"))
        if share.covered > share.total or not _percent_fits(share, numbers.get("pct")):
            problems.append(f"declares {share} {measure} of {quoted(path)} and {quoted(numbers.get('pct'))} %")
            share = Share(min(share), share.total)
        found[measure] = share
    return found


def _percent_fits(share: Share, percent: object) -> bool:
    if share.total == 0:
        return True
    if isinstance(percent, bool) or not isinstance(percent, int | Decimal):
        return False
    return rate_fits(share, Decimal(percent), scale=100, slack=_SLACK)
