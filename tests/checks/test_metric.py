"""`metric`: shares counted from the elements, over the tree, exactly; and what may not pass."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.evidence.reports.report_projects import DATA, GO, JAVASCRIPT, PYTHON

from backcheck.errors import UserError
from backcheck.evidence.workspace import DiskTree
from backcheck.testing import HOSTILE, Case, Folder, Link, ask, check_case, evidence_of, make_gate, tree_of
from backcheck.verdict import Blame, Provenance, Status


def lcov(**files: dict[int, int]) -> str:
    """LCOV of `a_py` → a.py: its lines and hits."""
    records = []
    for name, lines in files.items():
        rows = [f"DA:{number},{hits}" for number, hits in lines.items()]
        records.append(
            "\n".join(
                [f"SF:{name.replace('__', '/').replace('_py', '.py').replace('_js', '.js')}", *rows, "end_of_record"]
            )
        )
    return "\n".join(records) + "\n"


def lines(covered: int, total: int) -> dict[int, int]:
    return {number: int(number <= covered) for number in range(1, total + 1)}


def code(count: int, word: str = "x") -> str:
    return "".join(f"{word}{n} = {n}\n" for n in range(1, count + 1))


TEN = {"r": lcov(a_py=lines(8, 10)), "a.py": code(10)}
TWO = {"r": lcov(a_py=lines(10, 10), b_py=lines(1, 10)), "a.py": code(10), "b.py": code(10)}
EMPTY = {"r": lcov(a_py={}), "a.py": "# nothing\n"}
EXCLUDING = json.dumps({
    "meta": {"branch_coverage": False},
    "files": {"a.py": {"executed_lines": [1], "missing_lines": [], "excluded_lines": [2, 3],
                       "summary": {"covered_lines": 1, "num_statements": 1, "missing_lines": 0}}},
    "totals": {"covered_lines": 1, "num_statements": 1},
})  # fmt: skip


def real(name: str, project: dict[str, str]) -> dict[str, Any]:
    return {**project, "r": (DATA / "coverage" / name).read_bytes()}


CASES = [
    Case("meets", {"report": "r", "floor": 80}, TEN, "pass", "8 of 10 lines (80 %) covered in 1 file"),
    Case("misses", {"report": "r", "floor": 80.01}, TEN, "fail", "8 of 10 lines (80 %) covered in 1 file; the floor is 80.01 %", ["r"]),
    Case("ceiling", {"report": "r", "ceiling": 79}, TEN, "fail", "the ceiling is 79 %"),
    Case("between", {"report": "r", "floor": "79.9 %", "ceiling": 81}, TEN, "pass"),
    Case("whole hides one", {"report": "r", "floor": 50}, TWO, "pass", "11 of 20 lines (55 %) covered in 2 files"),
    Case("each shows it", {"report": "r", "floor": 50, "per_file": True}, TWO, "fail", "b.py: 1 of 10 lines (10 %)", ["b.py"]),
    Case("each holds", {"report": "r", "floor": 10, "per_file": True}, TWO, "pass", "the least is b.py with 1 of 10 lines"),
    Case("of some files", {"report": "r", "floor": 50, "files": ["a.*"]}, TWO, "pass", "covered in 1 file of a.*"),
    Case("of others", {"report": "r", "floor": 50, "files": ["b.py"]}, TWO, "fail", "1 of 10 lines"),
    Case("a glob of no measured file", {"report": "r", "floor": 1.5, "files": ["a.py", "c.py"]}, {**TWO, "c.py": "x"}, "fail", "matches c.py"),
    Case("complete", {"report": "r", "floor": 50, "files": ["*.py"], "complete": True}, TWO, "pass"),
    Case("not complete", {"report": "r", "floor": 50, "files": ["*.py"], "complete": True}, {**TWO, "c.py": "x"}, "fail", "c.py of `files` not measured", ["c.py"]),
    Case("nothing to execute", {"report": "r", "floor": 50}, EMPTY, "unclear", "nothing was measured"),
    Case("nothing to execute, each", {"report": "r", "floor": 50, "per_file": True}, EMPTY, "unclear", "nothing was measured"),
    Case("no such measure", {"report": "r", "floor": 50, "measure": "branches"}, TEN, "unclear", "counts no branches"),
    Case("missing", {"report": "r", "floor": 50}, {}, "fail", "r is not there"),
    Case("folder", {"report": "r", "floor": 50}, {"r": Folder()}, "fail", "is a folder"),
    Case("link out", {"report": "r", "floor": 50}, {"r": Link("/etc/hostname")}, "fail", "out of the tree"),
    Case("no report", {"report": "r", "floor": 50}, {"r": "92 % covered"}, "unclear", "no coverage report"),
    Case("cut off", {"report": "r", "floor": 50}, {**TEN, "r": TEN["r"].removesuffix("end_of_record\n")}, "unclear", "cut off"),
    Case("another format than named", {"report": "r", "floor": 50, "format": "cobertura"}, TEN, "unclear", "no XML"),
    Case("declares more than it holds", {"report": "r", "floor": 50}, {**TEN, "r": TEN["r"].replace("end_of", "LF:1\nLH:1\nend_of")}, "unclear", "declares LF 1"),
    Case("a contradiction rescues nothing", {"report": "r", "floor": 90}, {**TEN, "r": TEN["r"].replace("end_of", "LF:1\nLH:1\nend_of")}, "fail"),
    Case("files of another project", {"report": "r", "floor": 50}, {"r": TEN["r"], "b.py": "x"}, "unclear", "measures no file of the tree (1 others)"),
    Case("a stuffed report", {"report": "r", "floor": 50}, {"r": lcov(a_py=lines(1, 10), fake_py=lines(900, 900)), "a.py": code(10)}, "fail", "1 of 10 lines (10 %)"),
    Case("foreign files that are worse", {"report": "r", "floor": 50}, {"r": lcov(a_py=lines(8, 10), old_py=lines(0, 90)), "a.py": code(10)},
         "unclear", "8 of 10 lines (80 %) in files of the tree, but 8 of 100"),
    Case("foreign files are told", {"report": "r", "floor": 50}, {"r": lcov(a_py=lines(8, 10), old_py=lines(9, 9)), "a.py": code(10)},
         "pass", "not in the tree and not counted: 1 file"),
    Case("another state of the file", {"report": "r", "floor": 50}, {"r": lcov(a_py=lines(80, 80)), "a.py": code(10)}, "unclear", "line 80 of a.py, which has 11"),
    Case("two names of one file", {"report": "r", "floor": 50}, {"r": TEN["r"] + TEN["r"].replace("SF:", "SF:./"), "a.py": code(10)}, "pass", "8 of 10"),
    Case("empty rate 1", {"report": "r", "floor": 50}, {"r": '<coverage line-rate="1"><packages/></coverage>', "a.py": "x"}, "unclear", "no file of the tree"),
    Case("below a folder", {"report": "w/r", "floor": 50}, {"w/r": TEN["r"], "w/a.py": code(10)}, "pass"),
    Case("excluded is told", {"report": "r", "floor": 50}, {"r": EXCLUDING, "a.py": code(3)}, "pass", "2 lines are excluded"),
    # Over the trees that the tools really measured.
    Case("real: XML", {"report": "r", "floor": 75}, real("coverage-py-7.17.5-branch.xml", PYTHON), "pass", "12 of 16 lines (75 %)"),
    Case("real: XML, missed", {"report": "r", "floor": 75.01}, real("coverage-py-7.17.5-branch.xml", PYTHON), "fail"),
    Case("real: branches are not lines", {"report": "r", "floor": 70, "measure": "branches"}, real("coverage-py-7.17.5-branch.json", PYTHON), "fail",
         "5 of 8 branches (62.5 %)"),
    Case("real: relative to the source", {"report": "r", "floor": 75}, real("pytest-cov-7.1.0.xml", PYTHON), "pass", "in 3 files"),
    Case("real: LCOV of coverage.py", {"report": "r", "floor": 75}, real("coverage-py-7.17.5-branch.lcov", PYTHON), "pass"),
    Case("real: LCOV that contradicts itself", {"report": "r", "floor": 50}, real("coverage-py-7.3.2-branch.lcov", PYTHON), "unclear", "declares LF 9"),
    Case("real: nyc", {"report": "r", "floor": 50}, real("nyc-15.1.0.lcov", JAVASCRIPT), "pass", "4 of 8 lines (50 %)"),
    Case("real: nyc, Cobertura branches", {"report": "r", "floor": 61, "measure": "branches"}, real("nyc-15.1.0.xml", JAVASCRIPT), "fail", "branches"),
    Case("real: jest summary, absolute paths", {"report": "r", "floor": 50, "measure": "statements"}, real("jest-30.5.2-summary.json", JAVASCRIPT), "pass", "in 3 files"),
    Case("real: functions", {"report": "r", "floor": 34, "measure": "functions"}, real("jest-30.5.2-final.json", JAVASCRIPT), "fail", "1 of 3 functions (33.33333… %)"),
    Case("real: go", {"report": "r", "floor": 62.5, "measure": "statements"}, real("go-1.19.8-set.out", GO), "pass", "5 of 8 statements (62.5 %) covered in 2 files"),
]  # fmt: skip

BEFORE = {"a.py": code(8), "b.py": code(10)}
CHANGED = [
    Case("the added lines are executed", {"report": "r", "floor": 90, "changed": True}, {"r": lcov(a_py=lines(10, 10)), "a.py": code(10)}, "pass",
         "2 of 2 added lines (100 %)", base=BEFORE),
    Case("only old lines are", {"report": "r", "floor": 50, "changed": True}, TEN, "fail", "0 of 2 added lines (0 %)", ["a.py:9", "a.py:10"], base=BEFORE),
    Case("high in all, low in the change", {"report": "r", "floor": 80}, TEN, "pass", base=BEFORE),
    Case("a new file that is not measured", {"report": "r", "floor": 50, "changed": True}, {**TEN, "r": lcov(a_py=lines(10, 10)), "new.py": code(20)}, "fail",
         "not measured at all: new.py", ["new.py:1"], base=BEFORE),
    Case("scope of what is meant", {"report": "r", "floor": 50, "changed": True, "files": ["a.py"]},
         {"r": lcov(a_py=lines(10, 10)), "a.py": code(10), "test_a.py": code(20)}, "pass", base=BEFORE),
    Case("a glob that nothing matches", {"report": "r", "floor": 50, "changed": True, "files": ["srcc/**"]}, TEN, "unclear", "no file matches srcc/**", base=BEFORE),
    Case("other files do not count", {"report": "r", "floor": 50, "changed": True}, {**TEN, "r": lcov(a_py=lines(10, 10)), "README.md": "words\n"}, "pass", base=BEFORE),
    Case("nothing executable is new", {"report": "r", "floor": 50, "changed": True}, {"r": lcov(a_py=lines(8, 8)), "a.py": code(8) + "# why\n"}, "unclear",
         "nothing was measured", base=BEFORE),
    Case("nothing changed", {"report": "r", "floor": 50, "changed": True}, {"r": lcov(a_py=lines(8, 8)), "a.py": code(8)}, "unclear", "nothing was counted", base=BEFORE),
    Case("no base", {"report": "r", "floor": 50, "changed": True}, TEN, "unclear", "no base"),
    Case("only counts", {"report": "r", "floor": 50, "changed": True}, real("nyc-15.1.0-summary.json", JAVASCRIPT), "unclear", "names none", base={}),
    Case("excluded lines decide", {"report": "r", "floor": 50, "changed": True}, {"r": EXCLUDING, "a.py": code(3)}, "unclear", "2 added lines are excluded", base={}),
    Case("excluded lines do not matter", {"report": "r", "floor": 30, "changed": True}, {"r": EXCLUDING, "a.py": code(3)}, "pass", base={}),
    Case("what is taken out is not said", {"report": "r", "floor": 50, "changed": True}, {"r": lcov(a_py=lines(10, 10)), "a.py": code(9) + "def f():  # pragma: no cover\n    1\n"},
         "unclear", "a.py:10 takes code out of measuring, and r does not say", ["a.py:10"], base=BEFORE),
    Case("what was taken out before", {"report": "r", "floor": 50, "changed": True}, {"r": lcov(a_py=lines(10, 10)), "a.py": "/* c8 ignore next */\n" + code(9)}, "pass",
         base={"a.py": "/* c8 ignore next */\n"}),
    Case("each changed file", {"report": "r", "floor": 50, "changed": True, "per_file": True},
         {"r": lcov(a_py=lines(60, 60), c_py=lines(1, 10)), "a.py": code(60), "c.py": code(10, "c")}, "fail", "c.py: 1 of 10 added lines", ["c.py:2"], base=BEFORE),
    Case("the lines of a real change", {"report": "r", "floor": 60, "changed": True}, real("coverage-py-7.17.5-branch.json", PYTHON), "pass",
         "12 of 16 added lines (75 %)", base={}),
    Case("the same, by a format that does not list what is excluded", {"report": "r", "floor": 60, "changed": True}, real("coverage-py-7.17.5-branch.xml", PYTHON),
         "unclear", "src/pkg/calc.py:17 takes code out of measuring", base={}),
]  # fmt: skip

NO_WORSE = [
    Case("as before", {"report": "r", "no_worse": True}, TEN, "pass", "the base had 8 of 10 lines (80 %)", base=TEN),
    Case("less", {"report": "r", "no_worse": True}, TEN, "fail", "8 of 10 lines (80 %), and the base had 9 of 10", base={**TEN, "r": lcov(a_py=lines(9, 10))}),
    Case("less by a hair", {"report": "r", "no_worse": True}, {"r": lcov(a_py=lines(6665, 9999)), "a.py": code(9999)}, "fail", base={"r": lcov(a_py=lines(6666, 9999)), "a.py": code(9999)}),
    Case("more of more", {"report": "r", "no_worse": True}, TEN, "pass", base={"r": lcov(a_py=lines(7, 9)), "a.py": code(9)}),
    Case("no report before", {"report": "r", "no_worse": True}, TEN, "unclear", "the base has no report r", base={"a.py": ""}),
    Case("no base", {"report": "r", "no_worse": True}, TEN, "unclear", "no base"),
    Case("unreadable before", {"report": "r", "no_worse": True}, TEN, "unclear", "the base's r", base={**TEN, "r": "?"}),
    Case("contradicting before", {"report": "r", "no_worse": True}, TEN, "unclear", "the base's r declares", base={**TEN, "r": TEN["r"].replace("end_of", "LF:1\nend_of")}),
    Case("nothing before", {"report": "r", "no_worse": True}, TEN, "unclear", "nothing to compare with", base=EMPTY),
    Case("a file is no longer measured", {"report": "r", "no_worse": True}, {**TWO, "r": lcov(a_py=lines(10, 10))}, "fail", "b.py was measured in the base", ["b.py"], base=TWO),
    Case("a file is gone", {"report": "r", "no_worse": True}, {"r": lcov(a_py=lines(10, 10)), "a.py": code(10)}, "pass", base=TWO),
    Case("one falls, the whole rises", {"report": "r", "no_worse": True, "per_file": True}, {**TWO, "r": lcov(a_py=lines(9, 10), b_py=lines(9, 10))}, "fail",
         "a.py: 9 of 10 lines (90 %), and the base had 10 of 10", ["a.py"], base=TWO),
    Case("the floor still holds", {"report": "r", "no_worse": True, "floor": 90}, TEN, "fail", "the floor is 90 %", base=TEN),
    Case("loosened in the tree", {"report": "r", "no_worse": True}, {"r": lcov(a_py=lines(1, 10)), "a.py": code(10)}, "fail", base=TEN),
]  # fmt: skip

ROWS = [*CASES, *CHANGED, *NO_WORSE]


@pytest.mark.parametrize("case", ROWS, ids=[case.name for case in ROWS])
def test_cases(case: Case) -> None:
    check_case("metric", case)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, "nothing would be checked"), ({"floor": 0}, "always holds"), ({"ceiling": 100}, "always holds"), ({"floor": 0.85}, "in percent"),
    ({"floor": 1}, "in percent"), ({"floor": 101}, "from 0 to 100"), ({"floor": -1}, "from 0 to 100"), ({"floor": "８５"}, "no number"),
    ({"floor": "84,99"}, "no number"), ({"floor": float("nan")}, "no number"), ({"floor": float("inf")}, "no number"), ({"floor": True}, "number"),
    ({"floor": "85 percent"}, "no number"), ({"floor": [85]}, "number"), ({"floor": 90, "ceiling": 80}, "nothing could pass"),
    ({"floor": 80, "measure": "line"}, "not one of lines"), ({"floor": 80, "format": "xml"}, "not one of"), ({"floor": 80, "files": ["!a"]}, "nothing would be checked"),
    ({"floor": 80, "files": ["../a"]}, "leaves the root"), ({"floor": 80, "changed": True, "measure": "branches"}, "added lines"),
    ({"no_worse": True, "changed": True}, "added lines"), ({"floor": 80, "complete": True}, "which files"), ({"floor": 80, "report": ""}, "empty"),
    ({"floor": 80, "run": ""}, "empty"), ({"floor": 80, "env": ["A"]}, "no command"), ({"floor": 80, "run": "x", "env": ["A=1"]}, "no name"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_in_a_contract(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_gate("metric", {"report": "r", **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_never_pass(name: str) -> None:
    with tree_of({name: HOSTILE[name]}) as root:
        assert ask("metric", {"report": name, "floor": 1.5}, root).status in (Status.FAIL, Status.UNCLEAR)


WRITES = "printf 'SF:a.py\\nDA:1,1\\nend_of_record\\n' > r"


@pytest.mark.parametrize(("command", "status", "reason"), [
    (WRITES, Status.PASS, "1 of 1 lines (100 %)"),
    (f"{WRITES}; exit 1", Status.FAIL, "ended with 1"),
    ("true", Status.FAIL, "wrote no report r (one lies there that it did not write)"),
    (f"{WRITES}; kill -9 $$", Status.FAIL, "was ended by SIGKILL"),
    ("rm r", Status.FAIL, "wrote no report r"),
    ("no-such-command-here", Status.FAIL, "ended with 127"),
])  # fmt: skip
def test_a_run_counts_only_by_what_it_writes(command: str, status: Status, reason: str) -> None:
    with tree_of({"a.py": "x = 1\n", "r": lcov(a_py={1: 1})}) as root:
        answer = ask("metric", {"report": "r", "run": command, "floor": 50}, root)
    assert (answer.status, reason in answer.reason) == (status, True), answer.reason
    if status is Status.PASS:
        assert answer.provenance is Provenance.RECORDED
        assert "written by somebody" not in answer.reason


def test_who_wrote_it_is_said_of_every_pass() -> None:
    with tree_of(TEN) as root:
        answer = ask("metric", {"report": "r", "floor": 80}, root)
    assert answer.provenance is Provenance.ASSERTED
    assert "the report lay in the tree, written by somebody" in answer.reason


def test_only_a_run_executes() -> None:
    assert make_gate("metric", {"report": "r", "floor": 80, "run": "x"}).executes
    assert not make_gate("metric", {"report": "r", "floor": 80}).executes


def test_an_unreadable_report_is_not_the_agents_fault() -> None:
    with tree_of({"r": TEN["r"].removesuffix("end_of_record\n")}) as root:
        assert ask("metric", {"report": "r", "floor": 80}, root).blame is Blame.ENVIRONMENT


@pytest.mark.parametrize(("globs", "status"), [
    (["a.py"], Status.PASS), (["/sub/a.py"], Status.PASS), (["/a.py"], Status.FAIL), (["sub/a.py"], Status.FAIL),
])  # fmt: skip
def test_globs_count_from_the_contracts_root_or_with_a_slash_from_the_top(globs: list[str], status: Status) -> None:
    with tree_of({"sub/r": TEN["r"], "sub/a.py": TEN["a.py"], "b.py": "x\n"}) as root:
        evidence = evidence_of(root, base={"b.py": "x\n"})
        evidence.tree, evidence.prefix = DiskTree(str(root), "sub"), "sub"
        for more in ({}, {"complete": True}):
            assert (
                make_gate("metric", {"report": "r", "floor": 80, "files": globs, **more}).answer(evidence).status
                is status
            )
        changed = make_gate("metric", {"report": "r", "floor": 80, "files": globs, "changed": True}).answer(evidence)
    assert changed.status is (Status.PASS if status is Status.PASS else Status.UNCLEAR)
