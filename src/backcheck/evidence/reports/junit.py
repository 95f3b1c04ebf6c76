"""JUnit XML and its dialects: pytest, surefire, gtest, jest-junit, mocha, go-junit-report, nextest and their like.

Read as a stream: a report of any size takes the memory of one case. (junitparser, which is the test's oracle, holds the
whole tree.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from backcheck.evidence.reports.junit_words import ELEMENTS, outcome_of_element, outcome_of_states, worse
from backcheck.evidence.reports.numerals import count_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.results_model import Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.xmlstream import Attributes, walk

_ROOTS = ("testsuites", "testsuite", "testcase")
_RERUNS = ("rerunFailure", "rerunError", "flakyFailure", "flakyError")
_DECLARED = ("tests", "failures", "failed", "errors", "skipped")
#: What a suite printed or was set to: no case of its own stands in there.
_ASIDE = ("system-out", "system-err", "properties")


def read(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """Hand every case to `sink`. Errors: ReportProblem."""
    reader = _Reader(sink)
    walk(data, reader.start, reader.end)
    if reader.root is None:
        raise ReportProblem("is no JUnit report")
    return reader.report


class _Suite:
    """A suite that is being read: what it declares, and what was counted in it."""

    __slots__ = ("attributes", "counted", "leaf")

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.counted: Counter[str] = Counter()
        self.leaf = True


class _Reader:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.report = ResultsReport("junit")
        self.root: str | None = None
        self.suites: list[_Suite] = []
        self.case: Attributes | None = None
        self.found: Outcome = Outcome.PASSED
        self.message = ""
        self.repeated = 0
        self.todo = False
        self.aside = 0
        #: Leaf suites that declare more tests than they show: label, declared, shown.
        self.short: list[tuple[str, int, int]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if self.root is None:
            if name not in _ROOTS:
                raise ReportProblem(f"is XML with the root {quoted(name)}, no JUnit report")
            self.root = name
        if name in ("testsuites", "testsuite"):
            if self.case is not None:
                raise ReportProblem("has a suite inside a case")
            for suite in self.suites[-1:]:
                suite.leaf = False
            self.suites.append(_Suite(attributes))
            if not self.report.ran_at:
                self.report.ran_at = attributes.get("timestamp", "")[:64]
        elif name == "testcase":
            self._begin(attributes)
        elif self.case is not None:
            self._inside(name, attributes, self.case)
        elif name in _ASIDE:
            self.aside += 1
        elif name in ("failure", "error") and self.suites:
            self._case_of_suite(name, attributes)

    def _begin(self, attributes: Attributes) -> None:
        if self.case is not None:
            raise ReportProblem("has a case inside a case")
        if self.aside:
            raise ReportProblem("has a case inside of what was printed")
        self.case, self.found, self.message, self.repeated, self.todo = attributes, Outcome.PASSED, "", 0, False
        if "status" in attributes or "result" in attributes:
            self.found, unknown = outcome_of_states(attributes)
            if unknown:
                self.report.doubt(f"has a case with the state {quoted(unknown)}, which is not known here")
        if "name" not in attributes:
            self.report.contradict("has a case without a name")

    def _inside(self, name: str, attributes: Attributes, inside: Attributes) -> None:
        outcome = outcome_of_element(name, attributes, inside)
        if outcome is Outcome.SKIPPED and attributes.get("type") == "todo":
            # node marks so what is to do, and shows beside it how it failed.
            self.todo = True
        if name in _RERUNS:
            self.repeated += 1
        if outcome is None or worse(outcome, self.found) is not outcome:
            return
        if outcome is not self.found or not self.message:
            self.message = attributes.get("message", "") or attributes.get("type", "")
        self.found = outcome

    def _case_of_suite(self, name: str, attributes: Attributes) -> None:
        """A suite that could not run at all says so beside its cases."""
        suite = self.suites[-1].attributes.get("name", "")
        self.sink(case(suite, f"({name} of the suite)", ELEMENTS[name], attributes.get("message", "")))
        for open_suite in self.suites:
            open_suite.counted["beside"] += 1

    def end(self, name: str, text: str) -> None:
        if name == "testcase" and self.case is not None:
            self._finish(self.case)
            self.case = None
        elif name in ("testsuites", "testsuite") and self.suites:
            suite = self.suites.pop()
            self._compare(suite)
            if not self.suites:
                self._tell_short(suite)
        elif self.case is None and name in _ASIDE:
            self.aside -= 1
        elif self.case is not None and name in ELEMENTS and not self.message:
            self.message = text.strip()

    def _finish(self, attributes: Attributes) -> None:
        if self.todo and self.found in (Outcome.FAILED, Outcome.ERROR):
            self.found = Outcome.XFAILED
        group = attributes.get("classname") or (self.suites[-1].attributes.get("name", "") if self.suites else "")
        file = attributes.get("file") or (self.suites[-1].attributes.get("file", "") if self.suites else "")
        message = self.message or (f"it says {attributes['status']}" if "status" in attributes else "")
        self.sink(case(group, attributes.get("name", ""), self.found, message, file))
        for suite in self.suites:
            suite.counted["tests"] += 1
            suite.counted[self.found] += 1
            suite.counted["repeated"] += self.repeated

    def _compare(self, suite: _Suite) -> None:
        """What a suite declares against what was counted in it. More failures declared than shown cannot be right; other
        totals differ for known reasons (a repeated case counts each time, pytest counts subtests)."""
        declared = {key: count_of(suite.attributes[key]) for key in _DECLARED if suite.attributes.get(key)}
        counted, name = suite.counted, suite.attributes.get("name", "")
        bad = counted[Outcome.FAILED] + counted[Outcome.ERROR] + counted["beside"]
        said = max(declared.get("failures", 0), declared.get("failed", 0)) + declared.get("errors", 0)
        label = f"suite {quoted(name)}" if name else "the report"
        if said > bad + counted[Outcome.FLAKY] + counted["repeated"]:
            self.report.contradict(f"declares {said} failures and errors in {label} and shows {bad}")
        if bad and {"failures", "errors"} & set(declared) and said == 0:
            self.report.contradict(f"declares no failure in {label} and shows {bad}")
        tests = declared.get("tests")
        if tests is not None and tests != counted["tests"]:
            self._other_total(suite, label, tests, name)

    def _other_total(self, suite: _Suite, label: str, tests: int, name: str) -> None:
        shown, counted = suite.counted["tests"], suite.counted
        if shown < tests <= shown + counted["repeated"] + counted["beside"] or (name == "pytest" and tests > shown):
            self.report.note(f"{label} declares {tests} tests and shows {shown} cases")
        elif tests < shown and counted["repeated"]:
            # Maven's totals are then those of the last repetition alone.
            self.report.note(f"{label} declares {tests} tests and shows {shown} cases, some of them repeated")
        elif name == "pytest":
            self.report.doubt(f"shows {shown} cases of {tests} tests: some were repeated")
        elif tests > shown and (suite.leaf or not self.suites):
            self.short.append((label, tests, shown) if suite.leaf else ("", tests, shown))
        elif tests < shown:
            self.report.contradict(f"declares {tests} tests in {label} and shows {shown}")

    def _tell_short(self, root: _Suite) -> None:
        """Some writers leave skipped cases out and only count them at the top."""
        leaves = [item for item in self.short if item[0]] or self.short
        declared = count_of(root.attributes.get("skipped") or "0") - root.counted[Outcome.SKIPPED]
        for label, tests, shown in leaves:
            if 0 < sum(item[1] - item[2] for item in leaves) <= declared:
                self.report.note(f"{label} leaves {tests - shown} skipped cases out")
            else:
                self.report.contradict(f"declares {tests} tests in {label or 'the report'} and shows {shown}")
        self.short = []
