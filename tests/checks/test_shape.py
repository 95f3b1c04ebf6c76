"""Case table of `shape`: what is a text, what is a placeholder, and which reports show that no test ran."""

from __future__ import annotations

import time
from typing import Any

import pytest

from backcheck.checks.testlog import ran_in
from backcheck.errors import UserError
from backcheck.testing import HOSTILE, Case, Link, Sparse, ask, check_canary, check_case, make_gate, tree_of
from backcheck.verdict import Status

TABLE = """| cache | read | write |
|-------|------|-------|
| LRU   | O(1) | O(1)  |
| LFU   | O(1) | O(log n) |
"""
DIAGRAM = """+----------+      +-----------+      +---------+
|  agent   |----->| backcheck |----->| verdict |
+----------+      +-----------+      +---------+
      |                 ^                 |
      +-----------------+-----------------+
"""
RULED = f"{'=' * 60}\nMinutes of the meeting on caching and limits\n{'=' * 60}\n\nWe agreed to drop the key on every write.\n"
LONG_DOCUMENT = "The runner prints one line for each file and a summary at the end of every run. " * 20


def one(name: str, path: str, text: str | bytes, status: str, reason: str = "", line: int = 0) -> Case:
    """A case of one file, whose place is its line if one is given."""
    return Case(name, {"file": path}, {path: text}, status, reason, [f"{path}:{line}"] if line else [])


LENGTHS = [
    one("four characters", "a.md", " done \n", "fail", "holds 4 characters"),
    one("five characters", "a.md", "fixed", "pass"),
    one("invisible characters do not count", "a.md", "do\u200b\u200b\u200b\u2060ne", "fail", "holds 4 characters"),
    one("white space does not count", "a.md", "ok" + " \n" * 500, "fail", "holds 2 characters"),
    one("Chinese, short and whole", "a.md", "缓存已删除。", "pass"),
    one("Chinese, too short", "a.md", "完成。", "fail", "holds 3 characters"),
    one("three headings in Chinese", "c.md", "第1章：起因\n第2章：做法\n第3章：结论", "pass"),
    one("UTF-16", "a.txt", "The key is dropped on write.".encode("utf-16"), "pass"),
    one("not a text", "a.txt", bytes(range(128, 160)) * 20 + b"abc", "unclear", "is no text"),
    one("NUL inside a text", "a.txt", b"The key is dropped.\0 It is stored anew.", "pass"),
]
SIGNS = [
    one("dots", "a.md", "......?!......", "fail", "100% punctuation"),
    one("a word and many signs", "a.txt", "ok!!!!!!!!!!!!!!!!!!!!!!!!", "fail", "punctuation"),
    one("emoji", "a.md", "🎉🎉🎉🎉✅✅✅🚀🚀🚀", "fail", "punctuation"),
    one("Chinese signs", "a.md", "。。。！？，，。……", "fail", "punctuation"),
    one("words between many different signs", "a.md", "is?!;it,;:!ok;?!,;at,;:?!;all?!,;:", "fail", "punctuation"),
    one("signs in a file of Python", "a.py", "# ?!;,:;?!;,\n#;:,!?;:\n", "fail", "punctuation"),
    one("signs that no Python is", "a.py", "?!;,:;?!;,\n", "fail", "punctuation"),
    one("statements that do nothing", "a.js", "{};;;;{{}};;;;", "fail", "punctuation"),
    one("nothing but brackets", "a.json", "[[[]],[[],[]],{}]", "fail", "punctuation"),
    one("signs in data", "a.csv", ";!;?;:;!;?;:;!\n", "fail", "punctuation"),
    one("a table", "a.md", TABLE, "pass"),
    one("a diagram", "a.txt", DIAGRAM, "pass"),
    one("a ruled text", "a.txt", RULED, "pass"),
    one("a text ruled by other signs", "a.txt", RULED.replace("=", "%"), "pass"),
    one("a small manifest", "a.json", '{".": "1.0", "a": "2"}', "pass"),
    one("numbers in JSON", "a.json", "[[1,2],[3,4],[5,6],[]]", "pass"),
    one("a sparse table", "a.csv", "a,b,c,d,e\n,,,,1\n,,2,,\n,,,,3\n", "pass"),
    one("dense JavaScript", "a.js", "f=(a,b)=>[[a],[b],{}];g=()=>({...f(1,2)});\n", "pass"),
    one("dense Python", "a.py", "T = ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), {1: {2: (3,)}})\n", "pass"),
    one("dense C", "a.c", "int*(*(*f)(int*(*)(int)))[(3)];int(*g[2])(char*,...);", "pass"),
]
PLACEHOLDERS = [
    one("to do", "a.md", "# Report\n\nTODO\n", "fail", "placeholder, `todo`"),
    one("full-width", "a.md", "ＴＯＤＯ： later", "fail", "placeholder"),
    one("look-alikes", "a.md", "TОDО: write it", "fail", "placeholder"),
    one("in brackets", "a.md", "[Insert summary here]", "fail", "placeholder"),
    one("Chinese", "a.md", "测试结果：待填写", "fail", "`待填写`"),
    one("left out, in Chinese", "a.md", "表格如下：略", "fail", "`略`"),
    one("part of a Chinese word", "a.md", "缓存策略已更换", "pass"),
    one("part of an English word", "a.md", "Autodoc is enabled", "pass"),
    one("in a longer text", "a.md", "The parser has one TODO left, and it is described in the issue.", "pass"),
    one("a comment as code", "a.py", "# TODO: implement\n", "fail", "placeholder"),
    one("a bare name as code", "a.py", "FIXME\n", "fail", "placeholder"),
    one("an annotation as code", "a.py", "TODO: implement\n", "fail", "placeholder"),
    one("a bare name as script", "a.ts", "FIXME\n", "fail", "placeholder"),
    one("a module of a to-do list", "a.py", "from .todo import Todo\n", "pass"),
    one("a type of a to-do list", "a.ts", "export type Todo = string\n", "pass"),
    one("an interface of a to-do list", "a.ts", "interface Todo { id: string }", "pass"),
    one("a constant of a to-do list", "a.js", 'export const TODO = "todo"\n', "pass"),
    one("code that does not parse", "a.py", "def TODO(:\n", "fail", "placeholder"),
    one("a value in data", "a.json", '{"state": "todo"}', "unclear", "placeholder"),
]
NO_TEST_RAN = {
    "pytest": "collected 0 items\n\n=== no tests ran in 0.01s ===", "in colours": "\x1b[33m=== no tests ran in 0.01s ===\x1b[0m",
    "zero passed": "0 passed", "skipped only": "=== 5 skipped in 0.03s ===", "passed none, skipped some": "0 passed, 5 skipped",
    "deselected": "collected 12 items / 12 deselected / 0 selected\n\n=== 12 deselected in 0.12s ===",
    "collection error": "collected 0 items / 1 error\n\n=== 1 error in 0.10s ===",
    "unittest": "-------\nRan 0 tests in 0.000s\n\nOK", "jest": "Test Suites: 1 failed, 1 total\nTests:       0 total\nTime: 0.5 s",
    "jest skipped": "Tests: 3 skipped, 3 total", "mocha": "  0 passing (2ms)", "mocha pending": "  0 passing (2ms)\n  3 pending",
    "TAP": "TAP version 13\n1..0\n# tests 0\n# pass  0", "TAP skipped": "1..0 # SKIP no network",
    "cargo": "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "go": "?   \texample.com/a\t[no test files]", "go without a match": "ok  \texample.com/b\t0.004s [no tests to run]",
    "maven": "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0", "phpunit": "No tests executed!", "playwright": "Error: No tests found",
    "gtest": "[==========] Running 0 tests from 0 test suites.\n[  PASSED  ] 0 tests.", "bun": " 0 pass\n 0 fail\nRan 0 tests across 0 files.",
    "node": "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ duration_ms 4.3", "rspec": "Finished in 0.0003 seconds\n0 examples, 0 failures",
    "dotnet": "Passed!  - Failed:     0, Passed:     0, Skipped:     0, Total:     0, Duration: 1 ms", "labels": "Passed: 0\nFailed: 0\nTotal: 0",
    "ctest": "100% tests passed, 0 tests failed out of 0", "Chinese": "测试总数：0，通过：0，失败：0", "Chinese sentence": "没有收集到测试",
    "quoted in a log": "[log] python run_tests.py -> exit_code=0, stdout: '0 passed in 0.00s (no tests collected)'",
    "cleared line": "\x1b[2K0 passed", "full-width digits": "０ passed in 0.01s",
}  # fmt: skip
TESTS_RAN = {
    "ten": "10 passed", "a hundred": "100 tests", "no failure": "0 failed, 12 passed", "pytest": "collected 3 items\n\n=== 3 passed in 0.1s ===",
    "failures": "=== 2 failed in 0.10s ===", "unittest": "Ran 3 tests in 0.000s\n\nOK", "mocha": "  4 passing (2ms)\n  1 failing",
    "TAP": "TAP version 13\nok 1 - a\n1..1", "jest": "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total",
    "cargo with empty documentation tests": "test result: ok. 2 passed; 0 failed; finished in 0.00s\n\nrunning 0 tests\n\n"
    "test result: ok. 0 passed; 0 failed; finished in 0.00s",
    "go": "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.004s", "maven": "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
    "vitest": "✓ test/config.spec.ts (9 tests) 41ms\n Test files: 4 passed (4)\n  Tests: 42 passed, 0 failed (42)",
    "verbose": "tests/test_a.py::test_x PASSED", "ctest": "100% tests passed, 0 tests failed out of 12", "Chinese": "测试总数：12，通过：12，失败：0",
    "dotnet": "Passed!  - Failed:     0, Passed:     9, Skipped:     0, Total:     9, Duration: 1 ms - a.dll (net8.0)",
}  # fmt: skip
NO_REPORT = {
    "lint": "0 errors, 0 warnings", "nothing failed": "0 tests failed", "prose": "All is well with the cache.", "a decimal": "10.0 passed the line",
    "a document that explains it": LONG_DOCUMENT + "It exits with 5 where no tests were collected.",
}  # fmt: skip
MENTIONS = {
    "prose": "The suite was started, but 0 tests were found in the folder.",
    "prose in Chinese": "没有运行任何测试，因为环境不可用。",
    "a part of a report in prose": "The first run printed '0 passed', so the folder was wrong.",
    "contradiction": "Yesterday 12 tests passed.\n0 passed in 0.00s\n",
    "an example in a document": f"{LONG_DOCUMENT}\n\n0 passed in 0.00s\n\n{LONG_DOCUMENT}",
}
REPORTS = [
    *[one(f"no test ran: {name}", "out.txt", text, "fail", "no test ran") for name, text in NO_TEST_RAN.items()],
    *[one(f"tests ran: {name}", "out.txt", text + "\n", "pass") for name, text in TESTS_RAN.items()],
    *[one(f"no report: {name}", "out.md", text, "pass") for name, text in NO_REPORT.items()],
    *[one(f"mention: {name}", "out.md", text, "unclear", "no test ran") for name, text in MENTIONS.items()],
    one("the place", "out.log", "platform linux\n\ncollected 0 items\n", "fail", "out.log:3", 3),
    one("at the end of a long log", "out.log", LONG_DOCUMENT + "\n" * 50 + "\n0 passed in 0.00s\n", "fail", "no test ran"),
    one("a test of a parser", "a.py", 'REPORT = "0 passed in 0.00s (no tests collected)"\n', "pass"),
    one("JUnit, none", "r.xml", '<testsuites tests="0"><testsuite name="a" tests="0"/></testsuites>', "fail", "no test ran"),
    one("JUnit, some", "r.xml", '<testsuites><testsuite name="a" tests="0"/><testsuite tests="10"/></testsuites>', "pass"),
    one("JUnit, no count", "r.xml", '<testsuites><testsuite name="a" xtests="0"/></testsuites>', "pass"),
    one("Jest", "r.json", '{"numTotalTests": 0, "success": true}', "fail", "no test ran"),
    one("Jest, some", "r.json", '{"numTotalTests": 10, "success": true}', "pass"),
    one("Mocha", "r.json", '{"stats": {"tests": 0, "passes": 0}}', "fail", "no test ran"),
    one("Playwright", "r.json", '{"stats": {"expected": 0, "unexpected": 0, "flaky": 0, "skipped": 4}}', "fail", "no test ran"),
    one("pytest-json-report", "r.json", '{"summary": {"total": 0, "collected": 0}}', "fail", "no test ran"),
    one("other data", "r.json", '{"stats": "none", "summary": {"total": "many"}}', "pass"),
]  # fmt: skip
SEVERAL = [
    Case("all good", {"file": ["a.md", "b.md"]}, {"a.md": "The cache", "b.md": "The limiter"}, "pass", "2 files hold a text"),
    Case("the worst counts", {"file": ["a.md", "b.json", "c.md"]}, {"a.md": "The cache", "b.json": '{"s":"tbd"}', "c.md": "..."},
         "fail", "c.md holds 3", ["c.md"]),
    Case("one unclear", {"file": ["a.md", "b.json"]}, {"a.md": "The cache", "b.json": '{"s":"tbd"}'}, "unclear", "b.json", ["b.json"]),
    Case("many", {"file": [f"{n}.md" for n in range(9)]}, {f"{n}.md": "" for n in range(9)}, "fail", "and 4 more", ["0.md", "8.md"]),
    Case("through a link", {"file": "l.md"}, {"l.md": Link("a.md"), "a.md": "The cache"}, "pass"),
    Case("too large", {"file": "big.log"}, {"big.log": Sparse(17 * 1024 * 1024, b"12 passed")}, "unclear", "the limit is 16 MiB"),
]  # fmt: skip
CASES = [*LENGTHS, *SIGNS, *PLACEHOLDERS, *REPORTS, *SEVERAL]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("shape", case)


def test_canary() -> None:
    check_canary("shape")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_never_pass_and_never_hang(name: str) -> None:
    started = time.monotonic()
    with tree_of({name: HOSTILE[name]}) as root:
        answer = ask("shape", {"file": name}, root)
    assert answer.status in {Status.FAIL, Status.UNCLEAR}
    assert ("the limit is 16 MiB" in answer.reason) == (name == "huge")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "arguments", [{}, {"file": []}, {"file": " "}, {"file": ["a", ""]}, {"file": 5}, {"files": "a"}]
)
def test_mistakes_in_a_contract(arguments: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        make_gate("shape", arguments)


def test_a_report_of_too_many_lines_is_said_to_be_one() -> None:
    with tree_of({"a.log": "0 passed\n" * 300_001}) as root:
        answer = ask("shape", {"file": "a.log"}, root)
    assert (answer.status, "more than 300,000 lines" in answer.reason) == (Status.UNCLEAR, True)
    assert answer.where[0].line == 300_001


@pytest.mark.parametrize(
    "line", ["ok " + "a" * 1900 + " x", "files " * 300, "test '" * 300, "ok a no tests " * 140, "0 " * 900 + "tests"]
)
def test_no_line_makes_reading_slow(line: str) -> None:
    started = time.monotonic()
    ran_in(f"{line}\n" * 500, markup=False)
    assert time.monotonic() - started < 8
