"""Which format of test results a text is, by what stands in it, and its reader."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable

from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.results_model import ResultsReport, Sink

#: Opens the report from its start, as often as it is asked.
Pieces = Callable[[], Iterable[bytes]]
_HEAD = 64 * 1024
_PACKAGE = "backcheck.evidence.reports"
_EVENT = re.compile(rb'\{[^\n]*"Action"\s*:')

#: Name → (module, function, what people call it).
READERS = {
    "junit": ("junit", "read", "JUnit"),
    "tap": ("tap", "read", "TAP"),
    "go-test-json": ("gotest", "read", "go test -json"),
    "jest-json": ("jest", "read_json", "jest's JSON"),
    "jest-output": ("jest", "read_output", "jest or vitest"),
    "pytest-output": ("pytestout", "read", "pytest"),
    "unittest-output": ("unittestout", "read", "unittest"),
}


def read_results(pieces: Pieces, sink: Sink) -> ResultsReport:
    """Hand every case of a report to `sink`. Errors: ReportProblem, also where it is no report that is known."""
    name, doubts = _format(pieces)
    module, function, _ = READERS[name]
    reader = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), function)
    report: ResultsReport = reader(pieces(), sink)
    for doubt in doubts:
        report.doubt(doubt)
    return report


def format_of(pieces: Pieces) -> str:
    """The name of the format. Errors: ReportProblem."""
    return _format(pieces)[0]


def _format(pieces: Pieces) -> tuple[str, list[str]]:
    start = _head(pieces).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise ReportProblem("is empty")
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<" not in start[2:4]:
        raise ReportProblem("is text in UTF-16, which is read of XML only; save it as UTF-8")
    if start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return "junit", []
    if start.startswith(b"{") and not _EVENT.match(start):
        return "jest-json", []
    return _of_text(pieces)


def _head(pieces: Pieces) -> bytes:
    head = b""
    for piece in pieces():
        head += piece[: _HEAD - len(head)]
        if len(head) >= _HEAD:
            break
    return head


def _of_text(pieces: Pieces) -> tuple[str, list[str]]:
    """Text that two runners wrote is not read: what one of them says would be lost."""
    from backcheck.evidence.reports.signs import signs_of

    signs = signs_of(pieces())
    formats = sorted(signs.formats) or (["tap"] if signs.points else [])
    if not formats:
        raise ReportProblem(
            "is no report of tests that is known here (JUnit, TAP, go test -json, pytest, unittest, jest, vitest)"
        )
    if len(formats) > 1:
        both = " and ".join(READERS[name][2] for name in formats)
        raise ReportProblem(f"holds what several runners print ({both}): which of it counts cannot be told")
    return formats[0], [f"also holds the words of another runner: {quoted(line)}" for line in signs.failures]
