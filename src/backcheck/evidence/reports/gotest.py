"""`go test -json`: one event a line. A package's own last event decides, for a test that ends its process leaves none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from backcheck.evidence.reports import strictjson
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import MAX_MESSAGE, Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.tap import lines_of

MAX_OPEN = 200_000
_ENDS = {"pass": Outcome.PASSED, "fail": Outcome.FAILED, "skip": Outcome.SKIPPED}
_ACTIONS = {"start", "run", "pause", "cont", "pass", "bench", "fail", "output", "skip", "build-output", "build-fail", "attr",
            "artifacts"}  # fmt: skip
_PLAIN_FAIL = re.compile(r"(?:FAIL|---\s*FAIL:|panic:|# )\s*(\S+)?")


@dataclass(slots=True)
class _Package:
    ended: str = ""
    failed: int = 0
    tests: int = 0
    open: dict[str, str] = field(default_factory=dict)
    parents: set[str] = field(default_factory=set)
    said: str = ""


def read(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """Hand every case to `sink`; a test with subtests is its subtests. Errors: ReportProblem."""
    reader = _Reader(sink)
    for number, line in enumerate(lines_of(data), start=1):
        reader.line(line, number)
    return reader.finish()


class _Reader:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.report = ResultsReport("go-test-json")
        self.packages: dict[str, _Package] = {}
        self.events = self.parents = 0

    def line(self, line: str, number: int) -> None:
        if not line.strip():
            return
        if not line.startswith("{"):
            if _PLAIN_FAIL.match(line):
                self.report.contradict(f"says {line[:100]!r} between its events")
            return
        try:
            event = strictjson.mapping(strictjson.parse_text(line), "an event")
        except ReportProblem as problem:
            raise ReportProblem(f"{problem} (event on line {number})") from None
        action = event.get("Action")
        if action not in _ACTIONS:
            raise ReportProblem(f"has no known action on line {number}")
        self.events += 1
        self._event(str(action), event)

    def _event(self, action: str, event: Mapping[str, Any]) -> None:
        name, test = event.get("Package") or event.get("ImportPath") or "", event.get("Test")
        if not isinstance(name, str) or not isinstance(test, str | None):
            raise ReportProblem("names a package or a test by something that is no text")
        if not self.report.ran_at and isinstance(event.get("Time"), str):
            self.report.ran_at = event["Time"][:64]
        if action in ("build-fail", "build-output"):
            if action == "build-fail":
                self.report.contradict(f"says that {name[:100]} was not built")
            return
        package = self.packages.setdefault(name, _Package())
        if package.ended and action != "output":
            self.report.contradict(f"goes on after the end of package {name[:100]!r}")
        if test is None:
            self._of_package(package, action, event)
        else:
            self._of_test(package, name, test, action, event)
        if len(self.packages) > MAX_OPEN or len(package.open) > MAX_OPEN or self.parents > MAX_OPEN:
            raise ReportProblem(f"has more than {MAX_OPEN:,} open tests, parents of tests or packages")

    def _of_package(self, package: _Package, action: str, event: Mapping[str, Any]) -> None:
        if action == "output":
            package.said = str(event.get("Output", ""))[:MAX_MESSAGE] or package.said
        elif action in _ENDS:
            package.ended = action

    def _of_test(self, package: _Package, name: str, test: str, action: str, event: Mapping[str, Any]) -> None:
        parent = test.rpartition("/")[0]
        if action == "run":
            package.open[test] = ""
            if parent and parent not in package.parents:
                package.parents.add(parent)
                self.parents += 1
        elif action == "output" and test in package.open:
            said = str(event.get("Output", "")).strip()
            if said and not said.startswith(("===", "---")):
                package.open[test] = said[:MAX_MESSAGE]
        elif action in _ENDS:
            self._ended(package, name, test, _ENDS[action])

    def _ended(self, package: _Package, name: str, test: str, outcome: Outcome) -> None:
        message = package.open.pop(test, "")
        package.failed += outcome is Outcome.FAILED
        # A parent that passes is its subtests; one that fails may have failed by itself.
        if test in package.parents and outcome is Outcome.PASSED:
            return
        package.tests += 1
        self.sink(case(name, test, outcome, message))

    def finish(self) -> ResultsReport:
        if not self.events:
            raise ReportProblem("holds no event of go test")
        for name, package in self.packages.items():
            for test, message in list(package.open.items())[:1000]:
                self.sink(case(name, test, Outcome.ERROR, message or "it never ended"))
            if not package.ended and (package.tests or package.open or name):
                self.report.contradict(f"has no end of package {name[:100]!r}: it was cut off")
            if package.ended == "fail" and not package.failed:
                self.sink(case(name, "(the package)", Outcome.ERROR, package.said))
            if package.ended != "fail" and package.failed:
                self.report.contradict(
                    f"says {package.ended or 'nothing'} for package {name[:100]!r}, in which a test failed"
                )
        return self.report
