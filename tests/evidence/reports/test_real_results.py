"""Real reports of real tools; what they must say is known from how the suites that they ran were written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import junitparser
import pytest

from backcheck.evidence.reports.results_kinds import read_results
from backcheck.testing import ask

FOLDER = Path(__file__).parents[2] / "data/reports/results"

#: Suite → the outcomes that it was written to have, by what the format can tell apart.
MIXED = {"passed": 4, "failed": 1, "error": 1, "skipped": 1, "xfailed": 1, "xpassed": 1}
WRITTEN = {
    "pytest mixed": MIXED,
    # JUnit has no word for a test that passed against expectation.
    "pytest mixed, junit": {"passed": 5, "failed": 1, "error": 1, "skipped": 1, "xfailed": 1},
    # TAP has no word for an error.
    "pytest mixed, tap": {"passed": 4, "failed": 2, "skipped": 1, "xfailed": 1, "xpassed": 1},
    "pytest green": {"passed": 4}, "pytest teardown": {"error": 1}, "pytest none": {},
    "unittest mixed": {"passed": 2, "failed": 1, "error": 1, "skipped": 2},
    "js mixed and green": {"passed": 4, "failed": 1, "skipped": 1}, "js mixed": {"passed": 2, "failed": 1, "skipped": 1},
    "js mixed, without skipped": {"passed": 2, "failed": 1}, "js green": {"passed": 2}, "js broken": {"passed": 2, "error": 1},
    "node mixed": {"passed": 3, "failed": 1, "skipped": 1, "xfailed": 1}, "node green": {"passed": 2},
    "tape": {"passed": 1, "failed": 1}, "ava": {"passed": 2, "failed": 1, "skipped": 1},
    "go mixed": {"passed": 3, "failed": 1, "skipped": 1}, "go green": {"passed": 2}, "go exit": {"passed": 1, "failed": 1},
    "surefire mixed": {"passed": 3, "failed": 1, "error": 1, "skipped": 1, "flaky": 1}, "java green": {"passed": 2}, "java none": {},
    "gtest mixed": {"passed": 3, "failed": 1, "skipped": 2}, "gtest green": {"passed": 2},
    # One of its tests has no program: ctest writes it as skipped and ends with 8.
    "ctest mixed": {"passed": 1, "failed": 1, "skipped": 2, "error": 1}, "ctest green": {"passed": 1},
    "subtests": {"passed": 3, "failed": 1}, "subtests green": {"passed": 3},
    # pytest itself counts a test with a failed subtest among both.
    "subtests, printed": {"passed": 4, "failed": 1},
    "uncaptured": {"passed": 122}, "uncaptured, verbose": {"passed": 4}, "two": {"passed": 2},
    "late": {"passed": 1, "error": 1}, "late, JSON": {"passed": 1},
    "unittest printed": {"passed": 1, "failed": 1},
    "bats mixed": {"passed": 1, "failed": 1, "skipped": 1}, "bats green": {"passed": 1},
}  # fmt: skip

#: File → (suite, the gate's answer).
FILES = {
    **{f"pytest-{v}-mixed.{x}": ("pytest mixed, junit" if x == "xml" else "pytest mixed", "fail")
       for v in ("7.4.4", "8.3.4", "9.0.0") for x in ("xml", "txt")},
    **{f"pytest-{v}-verbose.txt": ("pytest mixed", "fail") for v in ("7.4.4", "8.3.4", "9.0.0")},
    **{f"pytest-{v}-green.xml": ("pytest green", "pass") for v in ("7.4.4", "8.3.4", "9.0.0")},
    **{f"pytest-{v}-teardown.xml": ("pytest teardown", "fail") for v in ("7.4.4", "8.3.4", "9.0.0")},
    **{f"pytesttap-{v}-mixed.tap": ("pytest mixed, tap", "fail") for v in ("7.4.4", "8.3.4", "9.0.0")},
    "pytest-9.0.0-green.txt": ("pytest green", "pass"), "pytest-9.0.0-none.txt": ("pytest none", "fail"),
    "pytest-9.0.0-none.xml": ("pytest none", "fail"), "xdist-mixed.txt": ("pytest mixed", "fail"),
    "xdist-mixed.xml": ("pytest mixed, junit", "fail"), "xmlrunner-mixed.xml": ("unittest mixed", "fail"),
    "nose2-mixed.xml": ("unittest mixed", "fail"),
    **{f"jest-{v}-mixed.{x}": ("js mixed and green", "fail") for v in (29, 30) for x in ("json", "txt")},
    **{f"jest-{v}-green.{x}": ("js green", "pass") for v in (29, 30) for x in ("json", "txt")},
    **{f"jest-{v}-broken.{x}": ("js broken", "fail") for v in (29, 30) for x in ("json", "txt")},
    "jestjunit-29-mixed.xml": ("js mixed and green", "fail"),
    **{f"mocha-{v}-mixed.{x}": ("js mixed", "fail") for v in (10, 11) for x in ("tap", "xml")},
    **{f"mocha-{v}-green.tap": ("js green", "pass") for v in (10, 11)},
    "mochajunit-10-mixed.xml": ("js mixed, without skipped", "fail"),
    **{f"vitest-{v}-mixed.{x}": ("js mixed and green", "fail") for v in (1, 3) for x in ("json", "txt", "xml")},
    **{f"vitest-{v}-mixed.tap": ("js mixed", "fail") for v in (1, 3)},
    **{f"vitest-3-green.{x}": ("js green", "pass") for x in ("tap", "txt")},
    **{f"node-20-mixed.{x}": ("node mixed", "fail") for x in ("tap", "xml")},
    **{f"node-20-green.{x}": ("node green", "pass") for x in ("tap", "xml")},
    "tape-5-mixed.tap": ("tape", "fail"), "ava-6-mixed.tap": ("ava", "fail"),
    "go-1.19-mixed.json": ("go mixed", "fail"), "go-1.19-green.json": ("go green", "pass"), "go-1.19-exit.json": ("go exit", "fail"),
    # What was not built beside it is told on a plain line, as go did before it had an event for it.
    "go-1.19-notbuilt.json": ("go green", "fail"),
    "surefire-3.2.5-mixed.xml": ("surefire mixed", "fail"), "surefire-3.2.5-green.xml": ("java green", "pass"),
    "surefire-3.2.5-empty.xml": ("java none", "fail"),
    "gtest-1.12-mixed.xml": ("gtest mixed", "fail"), "gtest-1.12-green.xml": ("gtest green", "pass"),
    "ctest-3.25-mixed.xml": ("ctest mixed", "fail"), "ctest-3.25-green.xml": ("ctest green", "pass"),
    "pytest-9.0.0-subtests.xml": ("subtests", "fail"), "pytest-9.0.0-subtests.txt": ("subtests, printed", "fail"),
    **{f"pytest-9.0.0-subtests-green.{x}": ("subtests green", "pass") for x in ("xml", "txt")},
    "pytest-9.0.0-uncaptured.txt": ("uncaptured", "pass"), "pytest-9.0.0-uncaptured-verbose.txt": ("uncaptured, verbose", "pass"),
    "pytest-9.0.0-named.txt": ("two", "pass"),
    # An error outside of every test: vitest prints it and ends with 1, and its JSON keeps silent on it.
    "vitest-3-late.txt": ("late", "fail"), "vitest-3-late.json": ("late, JSON", "pass"),
    "unittest-3.11-mixed.txt": ("unittest printed", "fail"),
    **{f"bats-mixed.{x}": ("bats mixed", "fail") for x in ("tap", "xml")}, "bats-green.tap": ("bats green", "pass"),
}  # fmt: skip
#: A test that passed when it was repeated: the plug-in shows two passes or none of it.
REPEATED = ["rerunfailures-flaky.txt", "rerunfailures-flaky.xml"]
#: What runners print for people in forms that are not read here.
UNREAD = ["node-20-mixed.txt", "mocha-10-mixed.txt"]


def counts(path: Path) -> dict[str, int]:
    found: Counter[str] = Counter()
    read_results(lambda: [path.read_bytes()], lambda case: found.update([case.outcome.value]))
    return dict(found)


@pytest.mark.parametrize("name", FILES)
def test_a_real_report_says_what_its_suite_was_written_to_do(name: str) -> None:
    suite, answer = FILES[name]
    assert counts(FOLDER / name) == WRITTEN[suite]
    assert ask("tests", {"report": name}, FOLDER).status.value == answer


@pytest.mark.parametrize("name", REPEATED)
def test_what_was_repeated_until_it_passed_is_for_a_person(name: str) -> None:
    assert ask("tests", {"report": name}, FOLDER).status.value == "unclear"


@pytest.mark.parametrize("name", UNREAD)
def test_a_form_that_is_not_read_is_said_to_be_unknown(name: str) -> None:
    answer = ask("tests", {"report": name}, FOLDER)
    assert (answer.status.value, "no report of tests that is known" in answer.reason) == ("unclear", True)


def test_reports_of_several_suites_are_one() -> None:
    answer = ask("tests", {"report": "surefire-3.2.5-[eg]*.xml", "must_run": ["demo.GreenTest$Inner.two"]}, FOLDER)
    assert (answer.status.value, answer.reason[:8]) == ("pass", "2 passed")


def test_every_file_is_asked_and_none_names_a_place_of_its_maker() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*FILES, *REPEATED, *UNREAD}
    for path in FOLDER.iterdir():
        assert not any(word in path.read_bytes() for word in (b"/tmp", b"/root", b'hostname="vm"'))


#: junitparser passes over cases that stand beside the suites, as node writes them, and takes ctest's word for "skipped".
ORACLE = [path for path in sorted(FOLDER.glob("*.xml")) if not path.name.startswith(("node-", "ctest-3.25-mixed"))]


@pytest.mark.parametrize("path", ORACLE, ids=lambda path: path.name)
def test_junitparser_sees_the_same_cases(path: Path) -> None:
    xml = junitparser.JUnitXml.fromfile(str(path))
    suites = list(xml) if isinstance(xml, junitparser.JUnitXml) else [xml]
    cases = [item for suite in suites for item in (suite if isinstance(suite, junitparser.TestSuite) else [suite])]
    assert sum(counts(path).values()) == len(cases)
    bad = [case for case in cases if any(isinstance(r, junitparser.Failure | junitparser.Error) for r in case.result)]
    ours = counts(path)
    assert ours.get("failed", 0) + ours.get("error", 0) == len(bad)
