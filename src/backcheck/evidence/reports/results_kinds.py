"""Which format of test results a text is, by what stands in it, and its reader."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable

from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import ResultsReport, Sink

#: Opens the report from its start, as often as it is asked.
Pieces = Callable[[], Iterable[bytes]]
_HEAD = 64 * 1024
_PACKAGE = "backcheck.evidence.reports"
_TAP = re.compile(rb"^(?:TAP version \d+|1\.\.\d+\b|(?:not )?ok\b)", re.MULTILINE)
_JEST = re.compile(
    rb"^[ \t]*(?:\x1b\[[0-9;]*m)*(?:Tests|Test Suites|Test Files):?(?:\x1b\[[0-9;]*m)*[ \t]+", re.MULTILINE
)
_EVENT = re.compile(rb'\{[^\n]*"Action"\s*:')

#: Name → (module, function).
READERS = {
    "junit": ("junit", "read"),
    "tap": ("tap", "read"),
    "go-test-json": ("gotest", "read"),
    "jest-json": ("jest", "read_json"),
    "jest-output": ("jest", "read_output"),
    "pytest-output": ("pytestout", "read"),
}


def read_results(pieces: Pieces, sink: Sink) -> ResultsReport:
    """Hand every case of a report to `sink`. Errors: ReportProblem, also where it is no report that is known."""
    module, function = READERS[format_of(pieces)]
    reader = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), function)
    report: ResultsReport = reader(pieces(), sink)
    return report


def format_of(pieces: Pieces) -> str:
    """The name of the format. Errors: ReportProblem."""
    head = _head(pieces)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise ReportProblem("is empty")
    if start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return "junit"
    if start.startswith(b"{"):
        return "go-test-json" if _EVENT.match(start) else "jest-json"
    if _EVENT.search(head):
        return "go-test-json"
    if _TAP.search(head):
        return "tap"
    return _printed(pieces)


def _head(pieces: Pieces) -> bytes:
    head = b""
    for piece in pieces():
        head += piece[: _HEAD - len(head)]
        if len(head) >= _HEAD:
            break
    return head


def _printed(pieces: Pieces) -> str:
    """pytest's summary is a line of its own; jest's is named."""
    from backcheck.evidence.reports.pytestout import is_summary
    from backcheck.evidence.reports.tap import lines_of

    jest = False
    for line in lines_of(pieces()):
        if is_summary(line):
            return "pytest-output"
        jest = jest or bool(_JEST.match(line.encode("utf-8", "replace")))
    if jest:
        return "jest-output"
    raise ReportProblem("is no report of tests that is known here (JUnit, TAP, go test -json, pytest, jest)")
