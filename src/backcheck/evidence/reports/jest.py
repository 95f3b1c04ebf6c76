"""jest's and vitest's results: their JSON, case by case, and jest's own output, by its totals and the files it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from backcheck.evidence.reports import strictjson
from backcheck.evidence.reports.numerals import is_count
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.results_model import Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.tap import lines_of
from backcheck.evidence.reports.xmlstream import pieces_of

MAX_JSON = 128 * 1024 * 1024
MAX_SUMMED = 1_000_000
_STATES = {"passed": Outcome.PASSED, "failed": Outcome.FAILED, "skipped": Outcome.SKIPPED, "pending": Outcome.SKIPPED,
           "todo": Outcome.SKIPPED, "disabled": Outcome.SKIPPED, "focused": Outcome.PASSED}  # fmt: skip
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TOTALS = re.compile(r"\s*(Tests|Test Suites|Test Files):?\s+(.*\d.*)$")
_FILE = re.compile(r"\s*(PASS|FAIL)\s+(\S+)")
_LATE = re.compile(r"\s*(?:Type )?Errors\s+[1-9]\d* errors?\s*$", re.ASCII)
_COUNT = re.compile(r"([0-9]{1,12}) (failed|passed|skipped|todo|total|pending)")
#: vitest writes the total in brackets.
_BRACKETS = re.compile(r"\(([0-9]{1,12})\)\s*$")
_JS_WORDS = {"failed": Outcome.FAILED, "passed": Outcome.PASSED, "skipped": Outcome.SKIPPED, "todo": Outcome.SKIPPED,
             "pending": Outcome.SKIPPED}  # fmt: skip


def read_json(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """`jest --json` and vitest's json reporter. Errors: ReportProblem."""
    raw = b""
    for piece in pieces_of(data):
        raw += piece
        if len(raw) > MAX_JSON:
            raise ReportProblem(f"holds more than {MAX_JSON >> 20} MiB of JSON")
    document = strictjson.mapping(strictjson.parse(raw), "the report")
    report = ResultsReport("jest-json")
    counted: Counter[Outcome] = Counter()
    for item in strictjson.listing(document.get("testResults"), "testResults"):
        _file(strictjson.mapping(item, "a file's results"), sink, counted)
    started = document.get("startTime")
    if is_count(started):
        report.ran_at = str(started)
    _compare(document, counted, report)
    return report


def _file(item: Mapping[str, Any], sink: Sink, counted: Counter[Outcome]) -> None:
    name = strictjson.words(item.get("name", ""), "a file's name")
    cases = strictjson.listing(item.get("assertionResults"), "assertionResults")
    bad = False
    for entry in cases:
        result = strictjson.mapping(entry, "a case")
        state = result.get("status")
        if state not in _STATES:
            raise ReportProblem(f"has a case with the status {quoted(state)}")
        outcome = _STATES[state]
        bad = bad or outcome is Outcome.FAILED
        counted[outcome] += 1
        messages = result.get("failureMessages")
        first = messages[0] if isinstance(messages, list) and messages and isinstance(messages[0], str) else ""
        full = result.get("fullName") or result.get("title")
        sink(case("", strictjson.words(full, "a case's name").strip(), outcome, _ESCAPES.sub("", first), name))
    if item.get("status") == "failed" and not bad:
        message = item.get("message")
        sink(
            case(
                "", f"(file {name})", Outcome.ERROR, _ESCAPES.sub("", message) if isinstance(message, str) else "", name
            )
        )
        counted[Outcome.ERROR] += 1


def _compare(document: Mapping[str, Any], counted: Counter[Outcome], report: ResultsReport) -> None:
    for key, outcomes in (("numPassedTests", (Outcome.PASSED,)), ("numFailedTests", (Outcome.FAILED,)),
                          ("numTotalTests", (Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED))):  # fmt: skip
        declared = document.get(key)
        if declared is None:
            continue
        shown = sum(counted[outcome] for outcome in outcomes)
        if is_count(declared) and declared == shown:
            continue
        if key == "numPassedTests" and is_count(declared) and declared == shown + counted[Outcome.SKIPPED]:
            # vitest 1 counts what it skipped among what passed.
            report.note(f"declares {declared} passed tests, {counted[Outcome.SKIPPED]} of them skipped")
        else:
            report.contradict(f"declares {quoted(declared)} for {key} and shows {shown}")
    bad = counted[Outcome.FAILED] + counted[Outcome.ERROR]
    if document.get("wasInterrupted") is True:
        report.contradict("says that it was interrupted")
    files = document.get("numTotalTestSuites")
    if "wasInterrupted" in document and files is not None and files != len(document["testResults"]):
        # vitest, which does not have that key, counts its groups here.
        report.contradict(f"declares {quoted(files)} test files and shows {len(document['testResults'])}")
    for key in ("numFailedTestSuites", "numRuntimeErrorTestSuites"):
        if document.get(key) not in (None, 0) and not bad:
            report.contradict(f"declares {quoted(document[key])} for {key} and shows no failure")
    if document.get("success") is False and not bad:
        report.contradict("says success: false and shows no failure")
    if document.get("success") is True and bad:
        report.contradict("says success: true and shows a failure")


def read_output(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """What jest or vitest prints at its end. Errors: ReportProblem."""
    report = ResultsReport("jest-output", printed=True)
    totals: dict[str, Counter[str]] = {}
    files: Counter[str] = Counter()
    for line in lines_of(data):
        text = _ESCAPES.sub("", line)
        match, file, late = _TOTALS.match(text), _FILE.match(text), _LATE.match(text)
        if match:
            if match[1] in totals:
                report.contradict(f"holds two summaries of {match[1]}")
            totals[match[1]] = _counted(match[2])
        elif file:
            files[file[1]] += 1
        elif late:
            # What broke outside of every test; vitest's own JSON, JUnit and TAP keep silent on it.
            sink(case("", "(outside of every test)", Outcome.ERROR, text.strip()))
    tests = totals.get("Tests")
    if tests is None:
        raise ReportProblem("has no summary of tests: it was cut off, or is something else")
    _printed(tests, totals.get("Test Suites") or totals.get("Test Files") or Counter(), files, report, sink)
    return report


def _counted(text: str) -> Counter[str]:
    counts = Counter({word: int(number) for number, word in _COUNT.findall(text)})
    brackets = _BRACKETS.search(text)
    if brackets:
        counts["total"] = int(brackets[1])
    return counts


def _printed(tests: Counter[str], suites: Counter[str], files: Counter[str], report: ResultsReport, sink: Sink) -> None:
    shown = sum(number for word, number in tests.items() if word != "total")
    if "total" not in tests:
        raise ReportProblem("has a summary of tests without their total: it was cut off")
    if tests["total"] != shown:
        report.contradict(f"counts {tests['total']} tests in all and {shown} by their outcomes")
    if shown > MAX_SUMMED:
        raise ReportProblem(f"claims more than {MAX_SUMMED:,} tests")
    for word, outcome in _JS_WORDS.items():
        for _ in range(tests[word]):
            sink(case("", "", outcome))
    # A file that could not run counts no test: jest says so only of the suite.
    broken = max(suites["failed"], files["FAIL"])
    if broken and not tests["failed"]:
        sink(case("", "(a test file)", Outcome.ERROR, f"{broken} test files failed"))
