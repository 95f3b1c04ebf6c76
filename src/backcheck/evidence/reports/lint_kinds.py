"""Which lint format a report has, by what it holds; never by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backcheck.evidence.reports import eslint, mypy, ruff, sarif, tsc
from backcheck.evidence.reports.lint_model import LintReport
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.strictjson import parse_text, text_of

#: Name in a contract → reader.
READERS: Mapping[str, Callable[[bytes], LintReport]] = {
    "eslint": eslint.read,
    "mypy": mypy.read_text,
    "mypy-json": mypy.read_json,
    "ruff": ruff.read,
    "sarif": sarif.read,
    "tsc": tsc.read,
}


def read_lint(data: bytes, name: str = "") -> LintReport:
    """Read a report in the format that is named, or that it plainly has. Errors: ReportProblem.

    An empty file and an empty list are the same in several formats and need the name.
    """
    if name:
        return READERS[name](data)
    text = text_of(data)
    start = text.lstrip()
    if mypy.fits_json(text):
        return mypy.read_json(data)
    if start.startswith(("{", "[{", "[]")) or (start[:1] == "[" and start[1:].lstrip()[:1] in ("{", "]")):
        value = parse_text(text)
        if value == []:
            raise ReportProblem("is an empty list, which several tools write: name its `format`")
        for fits, read in ((sarif.fits, sarif.of_value), (eslint.fits, eslint.of_value), (ruff.fits, ruff.of_value)):
            if fits(value):
                return read(value)
        raise ReportProblem("is JSON, but no lint report of a known format")
    if mypy.fits_text(text):
        return mypy.read_text(data)
    if tsc.fits(text):
        return tsc.read(data)
    raise ReportProblem("is no lint report of a known format")
