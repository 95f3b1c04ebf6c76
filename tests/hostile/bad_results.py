"""Test reports that must never pass: cut off, of another dialect, contradicting, bombs, impossible numbers, wrong bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator

SUITE = ('<testsuite name="s" tests="3" failures="0" errors="0" skipped="1" timestamp="2026-12-01T10:00:00">'
         '<testcase classname="c" name="a"/><testcase classname="c" name="b"/><testcase classname="c" name="d"><skipped/></testcase>'
         "</testsuite>")  # fmt: skip
TAP = "TAP version 14\n# Subtest: x\n    ok 1 - a\n    ok 2 - b\n    1..2\nok 1 - x\nok 2 - c\n1..2\n"
GO = "".join(json.dumps(row) + "\n" for row in (
    {"Action": "start", "Package": "p"}, {"Action": "run", "Package": "p", "Test": "A"},
    {"Action": "output", "Package": "p", "Test": "A", "Output": "x\n"}, {"Action": "pass", "Package": "p", "Test": "A"},
    {"Action": "pass", "Package": "p"}))  # fmt: skip
JEST = json.dumps({"success": True, "numTotalTests": 1, "numPassedTests": 1, "numFailedTests": 0, "testResults": [
    {"name": "a.test.js", "status": "passed", "assertionResults": [{"fullName": "a", "status": "passed"}]}]})  # fmt: skip
PYTEST = "collected 3 items\n\ntests/test_a.py ..s [100%]\n\n=== 2 passed, 1 skipped in 0.02s ===\n"
JEST_OUT = "PASS ./a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n"
UNITTEST = "test_a (ut.T.test_a) ... ok\ntest_b (ut.T.test_b) ... ok\n\n-----\nRan 2 tests in 0.001s\n\nOK\n"
GOOD = {
    "unittest": UNITTEST,
    "junit": SUITE,
    "tap": TAP,
    "go": GO,
    "jest": JEST,
    "pytest": PYTEST,
    "jest-out": JEST_OUT,
}


def bad_results() -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of every hostile report."""
    for name, text in GOOD.items():
        yield from _cut(name, text.encode())
        yield from _bytes(name, text.encode())
    yield from _junit()
    yield from _tap()
    yield from _go()
    yield from _jest()
    yield from _printed()


def _cut(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Every tenth of it; a cut that leaves a whole report (a last line end) is none."""
    for tenth in range(10):
        yield f"{name} cut at {tenth}0 %", data[: len(data) * tenth // 10]


def _bytes(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    middle = len(data) // 2
    yield f"{name} with a NUL", data[:middle] + b"\0" + data[middle:]
    yield f"{name} with bytes of no text", data[:middle] + b"\xff\xfe\xfa" + data[middle:]
    yield f"{name} zeros", b"\0" * 4096
    yield f"{name} twice over with a failure between", data + b"\n<failure/>FAIL\nnot ok 1\n1 failed in 0.1s\n" + data


def _junit() -> Iterator[tuple[str, bytes]]:
    attributes = ("tests", "failures", "errors", "skipped")
    for key in attributes[:3]:
        for value in ("1e308", "-1", "NaN", "9" * 400, "612", "٣", "4.5", "0x10", "1_000", "inf", " 7"):
            yield f"junit {key}={value[:12]}", SUITE.replace(f'{key}="{dict(tests=3, failures=0, errors=0)[key]}"',
                                                            f'{key}="{value}"').encode()  # fmt: skip
    body = SUITE.partition(">")[2]
    yield "junit with an entity", f'<!DOCTYPE testsuite [<!ENTITY a "b">]><testsuite>&a;{body}'.encode()
    bomb = "".join(f'<!ENTITY e{n} "&e{n - 1};&e{n - 1};&e{n - 1};&e{n - 1};">' for n in range(1, 30))
    yield "junit entity bomb", f'<!DOCTYPE t [<!ENTITY e0 "x">{bomb}]><testsuite name="&e29;">{body}'.encode()
    yield (
        "junit outer entity",
        f'<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite name="&x;">{body}'.encode(),
    )
    yield "junit undeclared entity", f'<testsuite name="&x;">{body}'.encode()
    yield "junit nested too deep", (b"<testsuite>" * 5000) + b'<testcase name="a"/>' + (b"</testsuite>" * 5000)
    yield "junit case in a case", b'<testsuite><testcase name="a"><testcase name="b"/></testcase></testsuite>'
    yield "junit suite in a case", b'<testsuite><testcase name="a"><testsuite/></testcase></testsuite>'
    yield "junit without a name", b"<testsuite><testcase/></testsuite>"
    yield "junit two roots", (SUITE + SUITE).encode()
    yield "junit rubbish after it", (SUITE + "passed").encode()
    yield "junit in an unknown encoding", ('<?xml version="1.0" encoding="klingon"?>' + SUITE).encode()
    yield "junit that says UTF-16 and is not", ('<?xml version="1.0" encoding="UTF-16"?>' + SUITE).encode()
    yield "junit attribute twice", SUITE.replace('tests="3"', 'tests="3" tests="3"').encode()
    for root in ("html", "coverage", "checkstyle", "test-run", "assemblies", "Testsuite", "suite"):
        yield f"junit root {root}", f"<{root}>{body.removesuffix('</testsuite>')}</{root}>".encode()
    for element in ("failure", "error"):
        for where in ("<testcase name='x'>{}</testcase>", "{}"):
            yield (
                f"junit {element} in {where[:9]}",
                SUITE.replace("</testsuite>", where.format(f"<{element}/>") + "</testsuite>").encode(),
            )
    for key in ("status", "result"):
        for word in (
            "failed",
            "FAIL",
            "Failure",
            "error",
            "broken",
            "timed-out",
            "cancelled",
            "unbekannt",
            "失败",
            "not_run",
        ):
            yield f"junit {key} {word}", f'<testsuite><testcase name="a" {key}="{word}"/></testsuite>'.encode()
    for word in ("Failure", "FAILED", "fail", "Error", "exception", "x:failure"):
        yield f"junit <{word}>", f'<testsuite xmlns:x="u"><testcase name="a"><{word}/></testcase></testsuite>'.encode()
    yield "junit endless attribute", b'<testsuite><testcase name="' + b"x" * (10 << 20)
    yield "junit endless comment", b'<testsuite><testcase name="a"/><!--' + b"x" * (10 << 20)
    yield (
        "junit too many names",
        b"<testsuite><testcase name='a'/>" + b"".join(b"<n%d/>" % n for n in range(20_000)) + b"</testsuite>",
    )
    yield "junit only skipped", b'<testsuite><testcase name="a"><skipped/></testcase></testsuite>'
    yield "junit comment of a case", b'<testsuite><!-- <testcase name="a"/> --></testsuite>'
    yield "junit case in text", b'<testsuite><![CDATA[<testcase name="a"/>]]></testsuite>'
    yield "junit processing instruction", b'<testsuite><?testcase name="a"?></testsuite>'


def _tap() -> Iterator[tuple[str, bytes]]:
    for name, text in {
        "no plan": "ok 1\nok 2\n", "plan only": "1..2\n", "plan of nothing": "1..0\nok 1\n", "two plans": "1..1\nok 1\n1..1\n",
        "plan backwards": "2..1\nok 1\n", "plan of a million": "1..1000000\nok 1\n", "plan too long": f"1..{'9' * 400}\nok 1\n",
        "negative plan": "1..-1\nok 1\n", "numbers out of order": "1..2\nok 2\nok 1\n", "number twice": "1..2\nok 1\nok 1\n",
        "bail out": "1..1\nok 1\nBail out!\n", "not ok": "1..1\nnot ok 1\n", "NOT OK": "1..1\nNOT OK 1\n", "okay": "1..1\nokay 1\n",
        "child failed": "    not ok 1\n    1..1\nok 1\n1..1\n", "child without plan": "    ok 1\nok 1 - x\n1..1\n",
        "open block": "1..1\nok 1\n  ---\n  a: b\n", "skip all": "1..2\nok 1 # SKIP\nok 2 # skip\n", "to do all": "1..1\nnot ok 1 # TODO\n",
        "deep": "".join("    " * n + "ok 1\n" for n in range(150)) + "1..1\n", "long line": "ok 1 " + "x" * 2_000_000 + "\n1..1\n", "failed at no level": "1..1\n   not ok 1\nok 1\n",
        "failed behind a tab": "1..1\n\tnot ok 1\nok 1\n", "failed in details": "1..1\nok 1\n  ---\nnot ok 2\n  ...\n",
        "pytest behind it": "1..1\nok 1\n== 1 failed in 0.1s ==\n", "mocha before it": "  1 failing\n1..1\nok 1\n",
    }.items():  # fmt: skip
        yield f"tap {name}", text.encode()


def _go() -> Iterator[tuple[str, bytes]]:
    rows = GO.splitlines()
    for name, lines in {
        "no end": rows[:-1], "package failed": [*rows[:-1], rows[-1].replace("pass", "fail")], "test never ended": [*rows[:3], rows[-1]],
        "test failed": [*rows[:3], rows[3].replace("pass", "fail"), rows[-1]], "unknown action": [*rows, '{"Action":"win"}'],
        "no JSON": [*rows, "{"], "key twice": ['{"Action":"pass","Action":"fail","Package":"p"}', *rows],
        "package is a number": ['{"Action":"pass","Package":7}', *rows], "NaN": ['{"Action":"pass","Package":"p","Elapsed":NaN}', *rows],
        "build failed": [*rows, '{"Action":"build-fail","ImportPath":"q"}'], "panic": [*rows, "panic: runtime error"], "only start": rows[:1],
        "FAIL between": [*rows, "FAIL"], "pytest behind it": [*rows, "1 failed in 0.1s"], "jest behind it": [*rows, "Tests: 1 failed, 1 total"], "list": ["[]", *rows, "{}"], "deep": ["{\"Action\":" * 3000, *rows],
    }.items():  # fmt: skip
        yield f"go {name}", ("\n".join(lines) + "\n").encode()


def _jest() -> Iterator[tuple[str, bytes]]:
    document = json.loads(JEST)
    changes: dict[str, object] = {
        "numTotalTests": [0, 2, -1, 1.5, "1", True, 10**30], "numPassedTests": [0, 5], "numFailedTests": [1], "success": [False],
        "wasInterrupted": [True], "numFailedTestSuites": [1], "numRuntimeErrorTestSuites": [1, -1, "0"],
        "testResults": [[], {}, None, "passed", [None], [[]], [{"assertionResults": None}], [{"name": 3, "assertionResults": []}],
                        [{"assertionResults": [{"status": "passed"}]}], [{"assertionResults": [{"status": "passed", "fullName": 7}]}],
                        [{"assertionResults": [{"status": "won", "fullName": "a"}]}], [{"status": "failed", "assertionResults": []}]],
    }  # fmt: skip
    for key, values in changes.items():
        for value in values:  # type: ignore[attr-defined]
            yield f"jest {key} {str(value)[:40]}", json.dumps({**document, key: value}).encode()
    yield "jest key twice", JEST.replace('"success": true', '"success": true, "success": true').encode()
    yield "jest no results", b'{"success": true}'
    yield "jest deep", b'{"testResults":' + b"[" * 100_000


def _printed() -> Iterator[tuple[str, bytes]]:
    for number, text in enumerate((
        "612 passed, 1 error in 3.2s\n", "1 failed, 612 passed in 3.2s\n", "no tests ran in 0.1s\n", "3 skipped in 0.1s\n", "2 passed\n",
        "== 2 passed in 0.1s ==\n== 3 passed in 0.1s ==\n", "tests/a.py F [100%]\n2 passed in 0.1s\n", "FAILED a.py::x\n2 passed in 0.1s\n",
        "tests/a.py . [100%]\n5 passed in 0.1s\n", "9999999999 passed in 0.1s\n", "-3 passed in 0.1s\n", "٣ passed in 0.1s\n",
        "INTERNALERROR> x\n2 passed in 0.1s\n", "!!!!!!!! Interrupted: 1 error !!!!!!!!\n2 passed in 0.1s\n", "a.py::x FAILED\n2 passed in 0.1s\n",
        "Tests: 1 failed, 2 passed, 3 total\n", "Tests: 2 passed, 9 total\n", "Tests: 9999999999 passed, 9999999999 total\n",
        "Tests: 2 passed, 2 total\nTests: 1 failed, 1 total\n", "FAIL a.js\nTests: 2 passed, 2 total\n", "Tests: 0 total\n", "Tests: 2 skipped, 2 total\n",
        "Test Suites: 1 failed, 1 passed, 2 total\nTests: 2 passed, 2 total\n", "Tests: all passed\n", "OK\n", "Tests  1 passed (1)\nErrors  1 error\n", "Ran 2 tests in 0.1s\n\nFAILED (failures=1)\n",
        "Ran 2 tests in 0.1s\n", "Ran 9999999999 tests in 0.1s\n\nOK\n", "FAIL: a (b.C)\nRan 2 tests in 0.1s\n\nOK\n", "Ran 2 tests in 0.1s\n\nOK (failures=1)\n",
        "Ran 0 tests in 0.0s\n\nOK\n", "Ran 2 tests in 0.1s\n\nOK (won=1)\n", "Ran 2 tests in 0.1s\n\nOK\n== 1 failed in 0.1s ==\n", "Ran ٣ tests in 0.1s\n\nOK\n", "42 tests passed", "全部测试通过\n",
    )):  # fmt: skip
        yield f"printed {number}", text.encode()
