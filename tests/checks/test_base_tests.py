"""base-tests: two real runs in clean copies, the base's own tests over the new code."""

from __future__ import annotations

import json
import sys

import pytest
from tests.checks.test_fail_to_pass import PYTEST, RUN

from backcheck.errors import UserError
from backcheck.testing import Case, check_canary, check_case, make_gate

OLD = "def add(a, b):\n    return a + b\n\n\ndef one():\n    return 1\n"
TESTS = (
    "import sums\n\n\ndef test_add():\n    assert sums.add(2, 3) == 5\n\n\n"
    "def test_one():\n    from sums import one\n\n    assert one() == 1\n"
)
BASE = {"sums.py": OLD, "tests/test_sums.py": TESTS}
BROKEN = OLD.replace("a + b", "a - b")
NO_ONE = OLD.partition("\n\n\n")[0] + "\n"


def tree(code: str = OLD + "\n\nX = 1\n", tests: str = TESTS, **more: str) -> dict[str, str]:
    return {"sums.py": code, "tests/test_sums.py": tests, **more}


CASES = [
    Case("honest work", RUN, tree(), "pass", "all 2 tests that passed on the base", base=BASE),
    Case("honest work with new tests that need it", RUN, tree(tests=TESTS + "\n\ndef test_x():\n    assert sums.X == 1\n"), "pass", base=BASE),
    Case("a broken function", RUN, tree(BROKEN), "fail", "test_add passed before the work and fails", base=BASE),
    Case("and its test taken away", RUN, tree(BROKEN, TESTS.replace("def test_add", "def _add")), "fail", "test_add passed before", base=BASE),
    Case("and its file taken away", RUN, {"sums.py": BROKEN}, "fail", "test_add passed before", base=BASE),
    Case("and its expectation changed", RUN, tree(BROKEN, TESTS.replace("== 5", "== -1")), "unclear", "the work changed what it expects", base=BASE),
    Case("another test's expectation changed helps nothing", RUN, tree(BROKEN, TESTS.replace("== 1", "== 1 == 1")), "fail", "test_add", base=BASE),
    Case("one broken, one changed", RUN, tree(BROKEN.replace("return 1", "return 2"), TESTS.replace("== 1", "== 2")), "fail", "test_add", base=BASE),
    Case("a function removed", RUN, tree(NO_ONE, TESTS.partition("\n\n\ndef test_one")[0] + "\n"), "fail", "test_one", base=BASE),
    Case("a module removed", RUN, {"more.py": OLD, "tests/test_sums.py": TESTS.replace("sums", "more")}, "fail", "do not run", base=BASE),
    Case("nothing passed on the base", RUN, tree(), "unclear", "no test passed on the base", base={**BASE, "sums.py": BROKEN.replace("return 1", "return 3")}),
    Case("no test in the base", RUN, tree(), "unclear", "no path of the base is a test", base={"sums.py": OLD}),
    Case("what failed before may fail", RUN, tree(BROKEN), "pass", "all 1 tests", base={**BASE, "sums.py": BROKEN}),
    Case("no base", RUN, tree(), "unclear", "no base"),
    Case("no report", {"run": [sys.executable, "-c", "pass"], "report": "r.xml"}, tree(), "unclear", "wrote no report", base=BASE),
    Case("a loop in the new code", {**RUN, "timeout": 5}, tree("while True:\n    pass\n"), "fail", "stopped", base=BASE),
    Case("a red end that no test shows", {"run": "printf '1..1\\nok 1 - a\\n'; test ! -f more.txt"}, tree(**{"more.txt": ""}), "unclear", "ended with 1", base=BASE),
    Case("a test that does not run any more", {"run": "test -f more.txt && printf '1..1\\nok 1 - a\\n' || printf '1..2\\nok 1 - a\\nok 2 - b\\n'"},
         tree(**{"more.txt": ""}), "fail", "b passed on the base and does not run", base=BASE),
    Case("a test that is skipped now", {"run": "test -f more.txt && printf '1..1\\nok 1 - a # SKIP no\\n' || printf '1..1\\nok 1 - a\\n'"},
         tree(**{"more.txt": ""}), "fail", "a passed on the base and was skipped", base=BASE),
    Case("a source that ends the interpreter", RUN, tree("import os\nprint('1..1')\nprint('ok 1 - x', flush=True)\nos._exit(0)\n"), "fail", base=BASE),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("base-tests", case)


def test_canary() -> None:
    check_canary("base-tests")


@pytest.mark.parametrize("arguments", [{}, {"run": ""}, {"run": "x", "tests": []}, {"run": "x", "tests": ["!a"]}])
def test_what_would_check_nothing_is_refused(arguments) -> None:
    with pytest.raises(UserError):
        make_gate("base-tests", arguments)


def status(repo, capsys, base: str) -> tuple[str, str]:
    from backcheck.surfaces.cli.main import run

    run(["check", "--json", "--base", base])
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["provenance"] == "observed"
    return finding["status"], finding["reason"]


def test_conftest_and_configuration_of_the_work_are_out_of_play(repo, monkeypatch, capsys) -> None:
    for path, text in {**BASE, "conftest.py": ""}.items():
        repo.write(path, text)
    repo.write(
        ".backcheck/contract.yaml",
        f"version: 1\nrequirements:\n  - {{id: f, check: base-tests, with: {{run: {json.dumps(PYTEST)}, report: r.xml}}}}\n",
    )
    base = repo.commit()
    monkeypatch.chdir(repo.root)
    repo.write("sums.py", OLD + "\n\nX = 1\n")
    assert status(repo, capsys, base)[0] == "pass"
    repo.write("sums.py", BROKEN)
    repo.write(
        "conftest.py",
        "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if 'add' not in i.name]\n",
    )
    assert status(repo, capsys, base)[0] == "fail"
    repo.write("pytest.ini", "[pytest]\naddopts = --deselect tests/test_sums.py::test_add\n")
    assert status(repo, capsys, base)[0] == "fail"
    # This one stays the work's, but what it keeps from running is missed.
    repo.write("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--deselect tests/test_sums.py::test_add"\n')
    found, reason = status(repo, capsys, base)
    assert found == "fail"
    assert "does not run on the new code" in reason
