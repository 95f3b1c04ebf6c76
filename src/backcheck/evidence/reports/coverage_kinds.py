"""Which coverage format a report has, by what it holds; never by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backcheck.evidence.reports import cobertura, coverage_py, go_cover, istanbul, lcov
from backcheck.evidence.reports.coverage_model import CoverageReport
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.strictjson import parse_text, text_of

#: Name in a contract → reader.
READERS: Mapping[str, Callable[[bytes], CoverageReport]] = {
    "coverage-py": coverage_py.read,
    "cobertura": cobertura.read,
    "lcov": lcov.read,
    "istanbul": istanbul.read_final,
    "istanbul-summary": istanbul.read_summary,
    "go-cover": go_cover.read,
}


def read_coverage(data: bytes, name: str = "") -> CoverageReport:
    """Read a report in the format that is named, or that it plainly has. Errors: ReportProblem."""
    if name:
        return READERS[name](data)
    if data.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
        return cobertura.read(data)
    text = text_of(data)
    start = text.lstrip()
    if start.startswith("mode: "):
        return go_cover.read(data)
    if start.startswith(("TN:", "SF:", "#")):
        return lcov.read(data)
    if not start.startswith(("{", "[")):
        raise ReportProblem("is no coverage report of a known format")
    value = parse_text(text)
    for fits, read in (
        (coverage_py.fits, coverage_py.of_value),
        (istanbul.fits_summary, istanbul.of_summary),
        (istanbul.fits_final, istanbul.of_final),
    ):
        if fits(value):
            return read(value)
    raise ReportProblem("is JSON, but no coverage report of a known format")
