"""The gate `tests`: what may pass, what may not, however green it looks."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest

from backcheck.checks import testreports
from backcheck.checks.running import Ran
from backcheck.contract.model import Requirement
from backcheck.errors import UserError
from backcheck.evidence.commands import Result
from backcheck.evidence.reading import Unreadable
from backcheck.testing import Case, ask, check_canary, check_case, evidence_of, make_gate, tree_of
from backcheck.verdict import Isolation, Provenance


def suite(*cases: str, **attributes: object) -> str:
    """A JUnit suite; a case is written `name` or `name=element`."""
    said = "".join(f' {key}="{value}"' for key, value in attributes.items())
    rows = []
    for case in cases:
        name, _, element = case.partition("=")
        rows.append(f'<testcase classname="tests.test_a" name="{name}">{f"<{element}/>" if element else ""}</testcase>')
    return f"<testsuite{said}>{''.join(rows)}</testsuite>"


def events(*rows: tuple[str, str], end: str = "pass") -> str:
    """`go test -json` of one package."""
    lines = [{"Action": "start", "Package": "p"}]
    for name, action in rows:
        lines += [{"Action": "run", "Package": "p", "Test": name}, {"Action": action, "Package": "p", "Test": name}]
    if end:
        lines.append({"Action": end, "Package": "p"})
    return "".join(json.dumps(line) + "\n" for line in lines)


def jest(*states: str, **more: object) -> str:
    """jest's JSON of one file."""
    cases = [{"fullName": f"case {n}", "title": "x", "status": state} for n, state in enumerate(states)]
    return json.dumps({"testResults": [{"name": "a.test.js", "status": "passed", "assertionResults": cases}], **more})


GREEN = suite("a", "b", tests=2, failures=0, errors=0)
R = {"report": "r"}

CASES = [
    Case("green", R, {"r": GREEN}, "pass", "2 passed", ["r"]),
    Case("without totals", R, {"r": suite("a")}, "pass", "1 passed"),
    Case("a namespace and a root of suites", R, {"r": f'<testsuites xmlns="urn:x">{GREEN}</testsuites>'}, "pass", "2 passed"),
    Case("a DOCTYPE alone", R, {"r": f'<!DOCTYPE testsuite SYSTEM "x.dtd">{GREEN}'}, "pass"),
    Case("UTF-16", R, {"r": ('<?xml version="1.0" encoding="UTF-16"?>' + GREEN).encode("utf-16")}, "pass", "2 passed"),
    Case("nested suites", R, {"r": f"<testsuites><testsuite>{GREEN}{GREEN}</testsuite></testsuites>"}, "pass", "4 passed"),
    Case("a failure that the totals hide", R, {"r": suite("a", "b=failure", tests=2, failures=0)}, "fail", "1 failed"),
    Case("612 passed, 1 error", R, {"r": "612 passed, 1 error in 3.21s\n"}, "fail", "612 passed, 1 in error"),
    Case("an error of the suite", R, {"r": f"<testsuite>{GREEN}<error message='boom'/></testsuite>"}, "fail", "1 in error"),
    Case("declared failures that are not shown", R, {"r": suite("a", tests=1, failures=1)}, "fail", "declares 1 failures"),
    Case("declared tests that are not shown", R, {"r": suite("a", tests=612)}, "fail", "declares 612 tests"),
    Case("pytest counts subtests", R, {"r": suite("a", name="pytest", tests=3)}, "pass", "1 passed"),
    Case("fewer declared than shown", R, {"r": suite("a", "b", name="x", tests=1)}, "fail", "declares 1 tests"),
    Case("no test", R, {"r": suite(tests=0)}, "fail", "no test"),
    Case("all skipped", R, {"r": suite("a=skipped", "b=skipped")}, "fail", "2 skipped"),
    Case("all expected to fail", R, {"r": suite('a=skipped type="pytest.xfail"')}, "fail", "1 expected to fail"),
    Case("not run, says gtest", R, {"r": '<testsuite><testcase name="a" status="notrun"/></testsuite>'}, "fail", "1 skipped"),
    Case("some skipped are told", R, {"r": suite("a", "b=skipped")}, "pass", "1 passed, 1 skipped"),
    Case("some skipped are too many", {**R, "max_skipped": 0}, {"r": suite("a", "b=skipped")}, "fail", "at most 0"),
    Case("too few", {**R, "min_passed": 3}, {"r": GREEN}, "fail", "at least 3"),
    Case("a case inside of what was printed", R, {"r": '<testsuite><testcase name="a"/><system-out><testcase name="b"/></system-out></testsuite>'}, "unclear", "inside of what was printed"),
    Case("a case behind what was printed", R, {"r": '<testsuite><properties/><system-out>x</system-out><testcase name="a"><system-out/></testcase><testcase name="b"/></testsuite>'}, "pass", "2 passed"),
    Case("an attribute with a prefix overlays none", R, {"r": '<testsuite xmlns:x="u" failures="3" x:failures="0"><testcase name="a"/></testsuite>'}, "fail", "declares 3 failures"),
    Case("failed, in another spelling of totals", R, {"r": '<testsuite failed="3"><testcase name="a"/></testsuite>'}, "fail", "declares 3 failures"),
    Case("UTF-16 that is no XML", R, {"r": "2 passed in 0.1s\n".encode("utf-16")}, "unclear", "save it as UTF-8"),
    Case("a state that says failed", R, {"r": '<testsuite><testcase name="a"/><testcase name="b" status="failed"/></testsuite>'}, "fail", "b (it says failed)"),
    Case("a result that says error", R, {"r": '<testsuite><testcase name="a"/><testcase name="b" result="Error"/></testsuite>'}, "fail", "1 in error"),
    Case("a state that is not known", R, {"r": '<testsuite><testcase name="a" status="grand"/></testsuite>'}, "unclear", "grand"),
    Case("states that say passed", R, {"r": '<testsuite><testcase name="a" status="Passed"/><testcase name="b" status="run" result="completed"/></testsuite>'}, "pass", "2 passed"),
    Case("a failure in another spelling", R, {"r": '<testsuite><testcase name="a"/><testcase name="b"><Failed/></testcase></testsuite>'}, "fail", "1 failed"),
    Case("not found, says ctest", R, {"r": '<testsuite><testcase name="a"/><testcase name="b" status="notrun"><skipped message="Unable to find executable"/></testcase></testsuite>'}, "fail", "1 in error: b (Unable to find executable)"),
    Case("skipped, says ctest", R, {"r": '<testsuite><testcase name="a"/><testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>'}, "pass", "1 skipped"),
    Case("Maven's totals are of the last repetition", {**R, "max_flaky": 1}, {"r": suite("a", "b=flakyFailure", tests=1, failures=0)}, "pass", "1 passed only when repeated"),
    Case("more flaky than allowed", {**R, "max_flaky": 1}, {"r": suite("a=flakyError", "b=flakyFailure")}, "unclear", "repeated"),
    Case("expected to fail, too many", {**R, "max_xfailed": 0}, {"r": suite("a", 'b=skipped type="pytest.xfail"')}, "fail", "at most 0 may be expected to fail"),
    Case("skipped is not expected to fail", {**R, "max_skipped": 0}, {"r": suite("a", 'b=skipped type="pytest.xfail"')}, "pass", "1 expected to fail"),
    Case("a floor met by counting twice", {**R, "min_passed": 4, "report": "*.xml"}, {"a.xml": suite("a", "b"), "b.xml": suite("a", "b")}, "unclear", "only 2 of different names"),
    Case("names that stand twice are told", {**R, "report": "*.xml"}, {"a.xml": suite("a", "b"), "b.xml": suite("a", "b")}, "pass", "2 names stand there more than once"),
    Case("passed once and failed once", R, {"r": suite("a", "a=failure")}, "fail", "tests.test_a::a once passed and once did not"),
    Case("must run, unnamed", {**R, "must_run": ["a"]}, {"r": "tests/test_a.py .. [100%]\n2 passed in 0.01s\n"}, "unclear", "2 tests that passed are not named"),
    Case("must run, named at the end", {**R, "must_run": ["test_b.py::test_1"]}, {"r": "== short test summary info ==\nPASSED test_b.py::test_1\n1 passed in 0.01s\n"}, "pass"),
    Case("must run, named where anything may be printed", {**R, "must_run": ["test_b.py::test_1"]}, {"r": "PASSED test_b.py::test_1\n1 passed in 0.01s\n"}, "unclear", "not named"),
    Case("must run, as xdist names it", {**R, "must_run": ["test_b.py::test_1"]}, {"r": "[gw0] [100%] PASSED test_b.py::test_1 \n== 1 passed in 0.01s ==\n"}, "pass", "1 passed"),
    Case("must run, failed and unnamed ones", {**R, "must_run": ["x"]}, {"r": "FAILED a.py::y - no\n1 failed, 2 passed in 0.01s\n"}, "fail", "1 failed"),
    Case("many stars take no time", {**R, "must_run": ["*a*a*a*a*a*a*a*a*b"]}, {"r": suite("a" * 480)}, "fail", "not among"),
    Case("repeated, by its totals", R, {"r": suite("a", "a", name="pytest", tests=1)}, "unclear", "repeated"),
    Case("pytest repeated", R, {"r": "2 passed, 1 rerun in 0.1s\n"}, "unclear", "repeated"),
    Case("to do and failed, as node writes it", R, {"r": '<testsuites><testcase name="a"/><testcase name="b"><skipped type="todo"/><failure/></testcase></testsuites>'}, "pass", "1 expected to fail"),
    Case("skipped cases are only counted", R, {"r": '<testsuites tests="3" skipped="1"><testsuite tests="3"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>'}, "pass", "2 passed"),
    Case("more are missing than were skipped", R, {"r": '<testsuites tests="9" skipped="1"><testsuite tests="9"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>'}, "fail", "declares 9 tests"),
    Case("TAP in braces", R, {"r": "1..1\nok 1 - f {\n    1..1\n    ok 1 - a\n}\n"}, "pass", "1 passed"),
    Case("TAP in braces hides a child", R, {"r": "1..1\nok 1 - f {\n    1..1\n    not ok 1 - a\n}\n"}, "fail", "1 failed"),
    Case("passed only when repeated", R, {"r": suite("a=flakyFailure")}, "unclear", "repeated"),
    Case("failed also when repeated", R, {"r": '<testsuite><testcase name="a"><failure/><rerunFailure/></testcase></testsuite>'}, "fail", "1 failed"),
    Case("the wrong suite", {**R, "must_run": ["tests/test_b.py::*"]}, {"r": GREEN}, "fail", "not among the 2 tests that ran (ran: tests.test_a::a"),
    Case("the right suite, by pytest's id", {**R, "must_run": ["tests/test_a.py::a", "tests.test_a.b"]}, {"r": GREEN}, "pass"),
    Case("by a glob and without parameters", {**R, "must_run": ["tests/test_a.py::*", "q"]}, {"r": suite("q[1-x/y]")}, "pass"),
    Case("the right one was skipped", {**R, "must_run": ["a"]}, {"r": suite("a=skipped", "b")}, "fail", "a did not pass: 1 skipped"),
    Case("part of a name is none", {**R, "must_run": ["est_a.a"]}, {"r": GREEN}, "fail", "not among"),
    Case("cut off", R, {"r": GREEN[:-12]}, "unclear", "no XML"),
    Case("an entity bomb", R, {"r": '<!DOCTYPE x [<!ENTITY a "b">]>' + GREEN}, "unclear", "DTD of its own"),
    Case("another XML", R, {"r": "<coverage><packages/></coverage>"}, "unclear", "no JUnit report"),
    Case("prose", R, {"r": "All 42 tests passed.\n"}, "unclear", "no report of tests"),
    Case("a claim as short as a summary", R, {"r": "42 passed\n"}, "unclear", "no report of tests"),
    Case("missing", R, {}, "fail", "r is not there"),
    Case("empty", R, {"r": ""}, "unclear", "is empty"),
    Case("several reports", {"report": "out/*.xml"}, {"out/1.xml": GREEN, "out/2.xml": suite("c=failure")}, "fail", "2 passed, 1 failed"),
    Case("no report matches", {"report": "out/*.xml"}, {"out/x.json": "{}"}, "fail", "no file matches"),
    Case("one of several is broken", {"report": "*.xml"}, {"1.xml": GREEN, "2.xml": "<x"}, "unclear", "2.xml"),
    Case("TAP", R, {"r": "1..2\nok 1 - a\nok 2 - b\n"}, "pass", "2 passed"),
    Case("TAP 14 with subtests", R, {"r": "TAP version 14\n# Subtest: x\n    ok 1 - a\n    1..1\nok 1 - x\n1..1\n"}, "pass", "1 passed"),
    Case("TAP without a plan", R, {"r": "ok 1 - a\n"}, "fail", "no plan"),
    Case("TAP that plans more", R, {"r": "1..3\nok 1\nok 2\n"}, "fail", "plans 3 tests"),
    Case("TAP that gave up", R, {"r": "1..2\nok 1\nBail out! no database\n"}, "fail", "given up: no database"),
    Case("TAP with a number twice", R, {"r": "1..2\nok 1\nok 1\n"}, "fail", "numbers test 1"),
    Case("TAP whose parent hides a child", R, {"r": "    not ok 1 - a\n    1..1\nok 1 - x\n1..1\n"}, "fail", "1 failed"),
    Case("TAP to do", R, {"r": "1..2\nok 1 - a\nnot ok 2 - b # TODO later\n"}, "pass", "1 expected to fail"),
    Case("TAP with a byte order mark", R, {"r": "\ufeff1..1\nok 1 - a\n"}, "pass", "1 passed"),
    Case("TAP, failed at no level", R, {"r": "1..1\n  not ok 1 - a\nok 1 - b\n"}, "fail", "at no level of its own"),
    Case("TAP, failed behind a tab", R, {"r": "1..1\n\tnot ok 1 - a\nok 1 - b\n"}, "fail", "at no level of its own"),
    Case("TAP, failed inside details", R, {"r": "1..2\nok 1 - a\n  ---\nnot ok 2 - b\n  ...\nok 2 - c\n"}, "fail", "inside a block of details"),
    Case("TAP, words inside details", R, {"r": "1..1\nok 1 - a\n  ---\n  said: |\n    not ok 7\n  ...\n"}, "pass", "1 passed"),
    Case("TAP all skipped", R, {"r": "1..0 # SKIP no database\n"}, "fail", "no test"),
    Case("TAP a skipped test", R, {"r": "1..2\nok 1 - a # SKIP slow\nok 2 - b\n"}, "pass", "1 passed, 1 skipped"),
    Case("TAP a hash in a name", R, {"r": "1..1\nok 1 - issue \\# TODO list\n"}, "pass", "1 passed"),
    Case("go", R, {"r": events(("A", "pass"), ("B", "skip"))}, "pass", "1 passed, 1 skipped"),
    Case("go, a subtest failed", R, {"r": events(("A", "fail"), ("A/x", "fail"), end="fail")}, "fail", "2 failed"),
    Case("go, cut off", R, {"r": events(("A", "pass"), end="")}, "fail", "cut off"),
    Case("go, the process ended", R, {"r": events(("A", "pass"), end="fail")}, "fail", "1 in error"),
    Case("go, a test never ended", R, {"r": events(("A", "run"))}, "fail", "in error"),
    Case("go, not built", R, {"r": events(("A", "pass")) + '{"Action":"build-fail","ImportPath":"q"}\n'}, "fail", "was not built"),
    Case("go, a plain failure between", R, {"r": events(("A", "pass")) + "FAIL\tq [build failed]\n"}, "fail", "FAIL"),
    Case("go, an unknown action", R, {"r": '{"Action":"won","Package":"p"}\n'}, "unclear", "no known action"),
    Case("jest", R, {"r": jest("passed", "pending", success=True, numTotalTests=2)}, "pass", "1 passed, 1 skipped"),
    Case("jest, totals that lie", R, {"r": jest("passed", numTotalTests=40)}, "fail", "numTotalTests"),
    Case("jest, success that is none", R, {"r": jest("passed", success=False)}, "fail", "success: false"),
    Case("jest, a failure", R, {"r": jest("passed", "failed", success=True)}, "fail", "1 failed"),
    Case("jest was interrupted", R, {"r": jest("passed", success=True, wasInterrupted=True)}, "fail", "interrupted"),
    Case("jest, a file is missing", R, {"r": jest("passed", wasInterrupted=False, numTotalTestSuites=2)}, "fail", "declares `2` test files and shows 1"),
    Case("jest, a file that broke is not shown", R, {"r": jest("passed", numRuntimeErrorTestSuites=1)}, "fail", "numRuntimeErrorTestSuites"),
    Case("jest, an unknown state", R, {"r": jest("perfect")}, "unclear", "status"),
    Case("jest, a file that did not run", R, {"r": json.dumps({"testResults": [
        {"name": "a.test.js", "status": "passed", "assertionResults": [{"fullName": "x", "status": "passed"}]},
        {"name": "b.test.js", "status": "failed", "message": "SyntaxError", "assertionResults": []}]})}, "fail", "1 passed, 1 in error"),
    Case("jest prints", R, {"r": "PASS ./a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n"}, "pass", "as printed for people"),
    Case("jest prints a broken file", R, {"r": "FAIL ./b.test.js\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total\n"}, "fail", "in error"),
    Case("jest's totals do not add up", R, {"r": "Tests:       3 passed, 9 total\n"}, "fail", "9 tests in all"),
    Case("pytest prints", R, {"r": "tests/test_a.py .. [100%]\n\n==== 2 passed in 0.01s ====\n"}, "pass", "2 passed"),
    Case("pytest in colour", R, {"r": "\x1b[32m\x1b[1m2 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m\n"}, "pass", "2 passed"),
    Case("pytest shows fewer than it counts", R, {"r": "tests/test_a.py .. [100%]\n==== 42 passed in 0.01s ====\n"}, "fail", "counts 42 passed"),
    Case("pytest names a failure that it does not count", R, {"r": "FAILED tests/a.py::x - no\n==== 2 passed in 0.01s ====\n"}, "fail", "1 failed"),
    Case("vitest, an error outside of every test", R, {"r": " Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error\n"}, "fail", "1 in error"),
    Case("pytest, a test prints between", R, {"r": "tests/a.py hello\n.world\n. [100%]\n\n=== 3 passed in 0.1s ===\n"}, "pass", "3 passed"),
    Case("pytest, verbose, a test prints between", R, {"r": "a.py::x hello\nPASSED\na.py::y PASSED\n\n=== 2 passed in 0.1s ===\n"}, "pass", "2 passed"),
    Case("pytest, a test prints like TAP", R, {"r": "ok 1 fine\ntests/a.py . [100%]\n=== 1 passed in 0.1s ===\n"}, "pass", "1 passed"),
    Case("pytest, what a test printed is no case", R, {"r": "tests/a.py . [100%]\n=== PASSES ===\n____ x ____\nnotes.txt F\nb.py::z FAILED\n=== 1 passed in 0.1s ===\n"}, "pass", "1 passed;"),
    Case("pytest, failed subtests", R, {"r": "2 passed, 1 subtests failed in 0.1s\n"}, "fail", "1 failed"),
    Case("two runners, one red", R, {"r": "1..1\nok 1 - x\n=== 3 failed, 1 passed in 0.1s ===\n"}, "unclear", "several runners print (pytest and TAP)"),
    Case("go and pytest", R, {"r": events(("A", "pass")) + "=== 3 failed in 0.1s ===\n"}, "unclear", "several runners"),
    Case("jest and pytest", R, {"r": "Tests: 1 failed, 2 passed, 3 total\n=== 1 passed in 0.1s ===\n"}, "unclear", "several runners"),
    Case("unittest failed before it", R, {"r": "Ran 3 tests in 0.1s\n\nFAILED (failures=2)\n=== 1 passed in 0.1s ===\n"}, "unclear", "several runners print (pytest and unittest)"),
    Case("unittest", R, {"r": "...s\n----\nRan 4 tests in 0.001s\n\nOK (skipped=1)\n"}, "pass", "3 passed, 1 skipped"),
    Case("unittest, names", {**R, "must_run": ["ut.T.test_a"]}, {"r": "test_a (ut.T.test_a) ... ok\ntest_b (ut.T)\nSays why. ... ok\nRan 2 tests in 0.1s\n\nOK\n"}, "pass", "2 passed"),
    Case("unittest failed", R, {"r": "FAIL: test_b (ut.T.test_b)\nRan 4 tests in 0.001s\n\nFAILED (failures=1)\n"}, "fail", "3 passed, 1 failed: ut.T::test_b"),
    Case("unittest, a class that was not set up", R, {"r": "ERROR: setUpClass (ut.T)\nRan 0 tests in 0.001s\n\nFAILED (errors=1)\n"}, "fail", "1 in error"),
    Case("unittest, success against expectation", R, {"r": "Ran 2 tests in 0.001s\n\nFAILED (unexpected successes=1)\n"}, "fail", "1 passed, 1 failed"),
    Case("unittest, OK over a failure", R, {"r": "FAIL: test_b (ut.T.test_b)\nRan 4 tests in 0.001s\n\nOK\n"}, "fail", "1 failed"),
    Case("unittest, FAILED without a count", R, {"r": "Ran 4 tests in 0.001s\n\nFAILED\n"}, "fail", "says FAILED and counts 0"),
    Case("unittest, nothing ran", R, {"r": "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"}, "fail", "no test"),
    Case("unittest twice", R, {"r": "Ran 1 test in 0.1s\n\nOK\nRan 1 test in 0.1s\n\nOK\n"}, "fail", "two summaries"),
    Case("unittest, cut off", R, {"r": "....\nRan 4 tests in 0.001s\n"}, "unclear", "no closing lines"),
    Case("unittest, more shown than ran", R, {"r": "test_a (a.T.test_a) ... ok\ntest_b (a.T.test_b) ... ok\nRan 1 test in 0.1s\n\nOK\n"}, "fail", "ran 1 tests and shows 2"),
    Case("mocha failed before it", R, {"r": "  3 failing\n1..1\nok 1 - a\n"}, "unclear", "`3 failing`"),
    Case("cargo failed before it", R, {"r": "test result: FAILED. 1 passed; 1 failed\n=== 1 passed in 0.1s ===\n"}, "unclear", "another runner"),
    Case("pytest twice", R, {"r": "1 failed in 0.1s\n2 passed in 0.1s\n"}, "fail"),
    Case("pytest, nothing ran", R, {"r": "no tests ran in 0.01s\n"}, "fail", "no test"),
    Case("pytest broke", R, {"r": "INTERNALERROR> x\n==== 2 passed in 0.01s ====\n"}, "fail", "INTERNALERROR"),
    Case("a run prints its report", {"run": "printf '1..1\\nok 1 - a\\n'"}, {}, "pass", "1 passed"),
    Case("a green report and a red end", {"run": "printf '1..1\\nok 1 - a\\n'; exit 3"}, {}, "fail", "ended with 3"),
    Case("a red report and a green end", {"run": "printf '1..1\\nnot ok 1 - a\\n'; exit 0"}, {}, "fail", "1 failed"),
    Case("a run that writes nothing", {"run": "true", **R}, {"r": GREEN}, "fail", "one lies there that it did not write"),
    Case("a run that never ends", {"run": "sleep 60", "timeout": 0.3}, {}, "fail", "longer than"),
    Case("a run that prints prose", {"run": "echo 4 passed"}, {}, "unclear", "no report of tests"),
    Case("a run that prints too much", {"run": "head -c 300000 /dev/zero | tr '\\0' 'x'"}, {}, "unclear", "more than is kept"),
    Case("a run that prints too much and breaks", {"run": "head -c 300000 /dev/zero | tr '\\0' 'x'; exit 3"}, {}, "fail", "ended with 3"),
    Case("a run that breaks", {"run": "echo no; exit 2"}, {}, "fail", "ended with 2"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("tests", case)


def test_canary() -> None:
    check_canary("tests")


@pytest.mark.parametrize(
    "arguments",
    [{}, {"report": " "}, {"report": "r", "min_passed": 0}, {"report": "r", "must_run": ["*"]}, {"run": []}, {"run": " "},
     {"report": "r", "not_older_than": ["@(a|b)"]}, {"run": "x", "not_older_than": ["a"]}, {"run": "x", "report": "out/*.xml"}, {"report": "r", "env": ["X"]}, {"report": "../out/*.xml"}],
)  # fmt: skip
def test_what_would_check_nothing_is_refused(arguments) -> None:
    with pytest.raises(UserError):
        make_gate("tests", arguments)


def test_a_fresh_report_of_a_run_is_recorded_and_an_asserted_one_says_who_wrote_it() -> None:
    with tree_of({"r.xml": GREEN}) as root:
        lying = ask("tests", {"report": "r.xml"}, root)
        fresh = ask("tests", {"report": "n.xml", "run": "cp r.xml n.xml"}, root)
    assert (lying.provenance, fresh.provenance) == (Provenance.ASSERTED, Provenance.RECORDED)
    assert "written by somebody" in lying.reason
    assert fresh.isolation is Isolation.NONE


@pytest.mark.parametrize(
    ("stamp", "status"),
    [("2020-01-01T00:00:00", "fail"), ("2026-11-29T12:00:00+00:00", "fail"), ("2026-11-30T23:00:00", "pass"),
     ("2026-12-01T10:00:01Z", "pass"), ("2999-01-01T00:00:00Z", "unclear"), ("yesterday", "pass"), ("", "pass")],
)  # fmt: skip
def test_a_report_older_than_the_base_proves_nothing_of_the_work(stamp: str, status: str) -> None:
    with tree_of({"r.xml": suite("a", timestamp=stamp)}) as root:
        evidence = evidence_of(root)
        evidence.base_time = lambda: datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
        answer = make_gate("tests", {"report": "r.xml"}).answer(evidence)
    assert answer.status.value == status, answer.reason


@pytest.mark.parametrize(
    ("tree", "base", "status"),
    [({"r": GREEN, "a.py": "1"}, {"r": GREEN, "a.py": "0"}, "unclear"), ({"r": GREEN, "a.py": "1"}, {"r": GREEN, "a.py": "1"}, "pass"),
     ({"r": GREEN, "a.py": "1"}, {"r": GREEN + " ", "a.py": "0"}, "pass"), ({"r": GREEN, "a.py": "1"}, {"a.py": "0"}, "pass"),
     ({"r": GREEN, ".backcheck/contract.yaml": "x"}, {"r": GREEN}, "pass")],
)  # fmt: skip
def test_the_report_of_the_base_says_nothing_of_what_changed_since(tree, base, status) -> None:
    with tree_of(tree) as root:
        answer = ask("tests", R, root, base=base)
    assert answer.status.value == status, answer.reason
    assert status == "pass" or "r is the same as before the work, though 1 files changed (a.py" in answer.reason


def test_only_changes_of_its_inputs_make_a_report_of_the_base_old() -> None:
    seen = []
    for inputs in (("src/**",), ("docs/**",)):
        with tree_of({"r": GREEN, "src/a.py": "1", "docs/a.md": "x"}) as root:
            evidence = evidence_of(root, base={"r": GREEN, "src/a.py": "1", "docs/a.md": "y"})
            evidence.asking = Requirement(id="t", check="tests", inputs=inputs)
            seen.append(make_gate("tests", R).answer(evidence).status.value)
    assert seen == ["pass", "unclear"]


@pytest.mark.parametrize(
    ("globs", "changed", "status", "reason"),
    [(["src/**"], 1000, "pass", ""), (["src/**"], 3000, "unclear", "src/a.py was changed after r was written"),
     (["docs/**"], 3000, "unclear", "no file matches docs/**"), (["**"], 1000, "pass", "")],
)  # fmt: skip
def test_a_report_must_be_younger_than_the_files_that_are_named(globs, changed, status, reason) -> None:
    with tree_of({"r": GREEN, "src/a.py": "1"}) as root:
        os.utime(root / "r", (2000, 2000))
        os.utime(root / "src/a.py", (changed, changed))
        answer = ask("tests", {**R, "not_older_than": globs}, root)
    assert (answer.status.value, reason in answer.reason) == (status, True), answer.reason


def test_a_folder_that_cannot_be_listed_may_hold_a_red_report(monkeypatch) -> None:
    with tree_of({"out/a.xml": GREEN, "out/b/c.xml": GREEN}) as root:
        evidence = evidence_of(root)
        names = type(evidence.tree).names

        def closed(tree, path):
            if path == "out/b":
                raise Unreadable("cannot be listed")
            return names(tree, path)

        monkeypatch.setattr(type(evidence.tree), "names", closed)
        answer = make_gate("tests", {"report": "out/**/*.xml"}).answer(evidence)
    assert (answer.status.value, "cannot be listed" in answer.reason) == ("unclear", True)


def test_a_run_that_brings_an_old_report_did_not_run_the_tests() -> None:
    with tree_of({"old.xml": suite("a", timestamp="2020-01-01T00:00:00Z")}) as root:
        answer = ask("tests", {"run": "cp old.xml r.xml", "report": "r.xml"}, root)
    assert (answer.status.value, "before the command ran" in answer.reason) == ("fail", True)


@pytest.mark.parametrize("limit", ["MAX_REPORTS", "MAX_LISTED"])
def test_of_too_many_reports_none_is_left_out_in_silence(limit, monkeypatch) -> None:
    monkeypatch.setattr(testreports, limit, 1)
    with tree_of({"out/a.xml": GREEN, "out/b.xml": GREEN, "out/c/d.xml": suite("c=failure")}) as root:
        answer = ask("tests", {"report": "out/**/*.xml"}, root)
    assert (answer.status.value, "more than 1 reports" in answer.reason or "1 names" in answer.reason) == (
        "unclear",
        True,
    )


def test_a_record_of_an_earlier_run_may_hold_an_earlier_report() -> None:
    old = suite("a", timestamp="2026-11-30T00:00:00Z").encode()
    seen = []
    for replayed in (False, True):
        with tree_of({}) as root:
            evidence = evidence_of(root)
            evidence.runner = lambda _, was=replayed: Ran(result=Result(code=0), reports={"r": old}, replayed=was)
            seen.append(make_gate("tests", {"run": "x", **R}).answer(evidence).status.value)
    assert seen == ["fail", "pass"]


def test_doubles_are_counted_and_told() -> None:
    with tree_of({"r.xml": suite("a", "a", "b")}) as root:
        assert ask("tests", {"report": "r.xml"}, root).details["doubles"] == 1


def test_a_report_that_git_ignores_is_bound_to_the_verdict(repo, monkeypatch, capsys) -> None:
    from backcheck.surfaces.cli.main import run

    repo.write(".gitignore", "out/\n")
    text = "version: 1\nrequirements:\n  - {id: t, check: tests, with: {report: 'out/*.xml'}}\n"
    repo.write(".backcheck/contract.yaml", text)
    repo.write("out/r.xml", GREEN)
    base = repo.commit()
    monkeypatch.chdir(repo.root)
    seen = []
    for cases in (("a", "b"), ("a", "c")):
        repo.write("out/r.xml", suite(*cases))
        capsys.readouterr()
        assert run(["check", "--json", "--base", base]) == 0
        seen.append(json.loads(capsys.readouterr().out)["evidence"])
    assert seen[0]["beside"] == ["out/r.xml"]
    assert seen[0]["digest"] != seen[1]["digest"]
