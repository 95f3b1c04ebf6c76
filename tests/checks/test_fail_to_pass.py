"""fail-to-pass: three real runs in clean copies of base, tree and their mix."""

from __future__ import annotations

import sys

import pytest

from backcheck.errors import UserError
from backcheck.testing import Case, check_canary, check_case, make_gate
from backcheck.verdict import Provenance

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=r.xml"]
#: Stands for pytest where it need not be pytest: every function of every test file, as TAP.
RUNNER = """
import pathlib, sys, traceback
sys.path.insert(0, ".")
lines = []
for path in sorted(pathlib.Path("tests").glob("test_*.py")):
    space = {}
    try:
        exec(compile(path.read_text(), str(path), "exec"), space)
    except Exception as error:
        lines.append(f"not ok - {path} # {type(error).__name__}")
    for name in [name for name in space if name.startswith("test")]:
        try:
            space[name]()
            lines.append(f"ok - {path.name}::{name}")
        except Exception as error:
            lines.append(f"not ok - {path.name}::{name}")
print(f"1..{len(lines)}", *lines, sep=chr(10))
sys.exit(any(line.startswith("not") for line in lines))
"""
RUN = {"run": [sys.executable, "-c", RUNNER]}
OLD = "def add(a, b):\n    return a - b\n\n\ndef one():\n    return 1\n"
NEW = OLD.replace("a - b", "a + b")
BEFORE = "from sums import one\n\n\ndef test_one():\n    assert one() == 1\n"
TURNS = BEFORE + "\n\ndef test_add():\n    from sums import add\n\n    assert add(2, 3) == 5\n"
BASE = {"sums.py": OLD, "tests/test_sums.py": BEFORE, "conftest.py": ""}


def tree(code: str = NEW, tests: str = TURNS, **more: str) -> dict[str, str]:
    return {"sums.py": code, "tests/test_sums.py": tests, "conftest.py": "", **more}


CASES = [
    Case("a mended bug with its test", RUN, tree(), "pass", "test_add fails without the work and passes with it; 1 that passed", base=BASE),
    Case("a test in a file of its own", RUN, tree(tests=BEFORE, **{"tests/test_more.py": TURNS.replace("test_one", "test_uno")}), "pass", base=BASE),
    Case("a test that proves nothing", RUN, tree(tests=BEFORE + "\n\ndef test_more():\n    assert 1\n"), "fail", "no test fails without the work", base=BASE),
    Case("no test at all", RUN, tree(tests=BEFORE), "fail", "no test fails", base=BASE),
    Case("the bug is still there", RUN, tree(code=OLD), "fail", "the suite does not pass", base=BASE),
    Case("something else broke", RUN, tree(code=NEW.replace("return 1", "return 2")), "fail", "does not pass", base=BASE),
    Case("what broke lost its test", RUN, tree(code=NEW.replace("return 1", "return 2"), tests=TURNS.replace("def test_one", "def _one")),
         "unclear", "test_one passed before and is no longer there", base=BASE),
    Case("a new name alone", RUN, tree(code=NEW + "\n\ndef two():\n    return 2\n", tests="from sums import one, two\n\n\n"
         "def test_one():\n    assert one()\n\n\ndef test_two():\n    assert 1\n"), "unclear", "only because what it loads is not there", base=BASE),
    Case("fewer than asked", {**RUN, "min_tests": 2}, tree(), "unclear", base=BASE),
    Case("no base", RUN, tree(), "unclear", "no base"),
    Case("no report", {"run": [sys.executable, "-c", "pass"], "report": "r.xml"}, tree(), "unclear", "wrote no report", base=BASE),
    Case("a loop", {"run": "sleep 60", "timeout": 0.5}, tree(), "fail", "stopped", base=BASE),
    Case("green cases and a red end", {"run": "printf '1..1\\nok 1 - a\\n'; exit 3"}, tree(), "fail", "ends with 3", base=BASE),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("fail-to-pass", case)


def test_canary() -> None:
    check_canary("fail-to-pass")


@pytest.mark.parametrize("arguments", [{}, {"run": ""}, {"run": "x", "tests": []}, {"run": "x", "min_tests": 0}])
def test_what_would_check_nothing_is_refused(arguments) -> None:
    with pytest.raises(UserError):
        make_gate("fail-to-pass", arguments)


def test_it_is_observed_in_a_real_repository_and_leaves_it_as_it_was(repo, monkeypatch, capsys) -> None:
    import json

    from backcheck.surfaces.cli.main import run

    for path, text in BASE.items():
        repo.write(path, text)
    command = json.dumps(PYTEST)
    repo.write(
        ".backcheck/contract.yaml",
        f"version: 1\nrequirements:\n  - {{id: f, check: fail-to-pass, with: {{run: {command}, report: r.xml}}}}\n",
    )
    base = repo.commit()
    for path, text in tree().items():
        repo.write(path, text)
    monkeypatch.chdir(repo.root)
    before = sorted(repo.root.rglob("*"))
    assert run(["check", "--json", "--base", base]) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["provenance"] == Provenance.OBSERVED.value
    assert [path for path in sorted(repo.root.rglob("*")) if ".git/" not in str(path)] == [
        path for path in before if ".git/" not in str(path)
    ]
