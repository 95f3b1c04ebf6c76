"""`backcheck init`: the contract it writes is a right one, and answers sensibly on real projects with real runners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support import Repo, require
from tests.surfaces.spoiled import HONEST_JAVASCRIPT, HONEST_PYTHON, SPOILED

from backcheck.contract.find import parse_contract
from backcheck.contract.lint import lint
from backcheck.contract.model import Contract
from backcheck.engine import bind_all
from backcheck.evidence.globs import Globs
from backcheck.surfaces.cli import main
from backcheck.surfaces.cli.pattern_runner import Runner

NAME = ".backcheck/contract.yaml"
#: More work, done honestly, for each project.
PYTHON_WORK = {
    "adding.py": HONEST_PYTHON["adding.py"] + '\n\ndef double(a):\n    """Twice."""\n    return add(a, a)\n',
    "tests/test_double.py": "from adding import double\n\n\ndef test_double():\n    assert double(4) == 8\n",
}
JAVASCRIPT_WORK = {
    "src/double.js": 'import { add } from "./add.js";\n\nexport function double(a) {\n  return add(a, a);\n}\n',
    "test/double.test.js": (
        'import test from "node:test";\nimport assert from "node:assert";\nimport { double } from "../src/double.js";\n\n'
        'test("doubles", () => {\n  assert.equal(double(4), 8);\n});\n'
    ),
}


def call(*arguments: str) -> tuple[int, str, str]:
    runner = CliRunner()
    with runner.isolation() as (out, err, *_):
        code = main.run(list(arguments))
    return code, out.getvalue().decode(), err.getvalue().decode()


def check(root: Path, *arguments: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Exit code, status by requirement, and the whole document, of the command as it ships."""
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(root), "--json", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    document = json.loads(done.stdout)
    return done.returncode, {f["requirement"]: f["status"] for f in document["findings"]}, document


def written(root: Path) -> Contract:
    contract = parse_contract((root / NAME).read_bytes(), NAME)
    bind_all(contract)
    return contract


def started(root: Path, files: dict[str, str]) -> tuple[Repo, str]:
    """A repository with a project, and the contract that init writes, committed: the base."""
    repo = Repo(root)
    for name, text in files.items():
        repo.write(name, text)
    repo.commit()
    code, _, error = call("init", str(root))
    assert (code, error) == (0, "")
    return repo, repo.commit("contract")


PROJECTS = [
    pytest.param(HONEST_PYTHON, PYTHON_WORK, {"adding.py": "def add(a, b):\n    return a - b\n"}, "python3", id="python"),
    pytest.param(HONEST_JAVASCRIPT, JAVASCRIPT_WORK, {"src/add.js": "export function add(a, b) {\n  return a - b;\n}\n"}, "npm",
                 id="javascript"),
]  # fmt: skip


def with_runner(program: str) -> None:
    path = require(program, "the contract of init was not tried with the real runner")
    if program == "python3":
        done = subprocess.run([path, "-c", "import pytest"], capture_output=True, check=False, cwd="/")
        if done.returncode != 0:
            pytest.skip("the python3 on the path has no pytest: the contract of init was not tried with it")


@pytest.mark.parametrize(("files", "work", "broken", "program"), PROJECTS)
def test_honest_work_passes_and_broken_work_does_not(
    tmp_path: Path, files: dict[str, str], work: dict[str, str], broken: dict[str, str], program: str
) -> None:
    with_runner(program)
    repo, base = started(tmp_path, files)
    for name, text in work.items():
        repo.write(name, text)
    code, status, document = check(tmp_path, "--base", base, "--at", "push")
    assert document["verdict"] == "PASS", document["findings"]
    assert (code, status["tests"], status["scope"]) == (0, "pass", "pass")
    # New tests are shown and do not block.
    assert status["tests-unchanged"] == "fail"
    assert check(tmp_path, "--base", base, "--at", "stop")[0] == 0
    code, status, _ = check(tmp_path, "--base", base)
    assert (code, status["asked-for"]) == (3, "unclear")
    for name, text in broken.items():
        repo.write(name, text)
    code, status, _ = check(tmp_path, "--base", base, "--at", "push")
    assert (code, status["tests"]) == (1, "fail")


@pytest.mark.parametrize(("files", "work", "broken", "program"), PROJECTS)
def test_a_suite_that_is_taken_away_or_bent_does_not_pass(
    tmp_path: Path, files: dict[str, str], work: dict[str, str], broken: dict[str, str], program: str
) -> None:
    del work
    with_runner(program)
    repo, base = started(tmp_path, files)
    for name, text in broken.items():
        repo.write(name, text)
    bent = {
        "python3": {"conftest.py": "import os\n\n\ndef pytest_sessionfinish():\n    os._exit(0)\n"},
        "npm": {"package.json": files.get("package.json", "").replace("node --test", "node -e 0 --")},
    }[program]
    for name, text in bent.items():
        repo.write(name, text)
    assert check(tmp_path, "--base", base, "--at", "push")[1]["tests"] != "pass"
    for name in bent:
        (tmp_path / name).unlink()
    for path in [*tmp_path.glob("test*/*")]:
        path.unlink()
    assert check(tmp_path, "--base", base, "--at", "push")[1]["tests"] != "pass"


@pytest.mark.parametrize(("files", "work", "broken", "program"), PROJECTS)
def test_a_change_of_ci_or_contract_is_rejected(
    tmp_path: Path, files: dict[str, str], work: dict[str, str], broken: dict[str, str], program: str
) -> None:
    del work, broken, program
    repo, base = started(tmp_path, files | {".github/workflows/ci.yml": "on: push\n"})
    repo.write(".github/workflows/ci.yml", "on: pull_request\n")
    assert check(tmp_path, "--base", base, "--at", "stop")[1]["scope"] == "fail"
    repo.write(".github/workflows/ci.yml", "on: push\n")
    repo.write(NAME, "version: 1\nrequirements: []\n")
    assert check(tmp_path, "--base", base, "--at", "stop")[1]["scope"] == "fail"


@pytest.mark.parametrize(("files", "work", "broken", "program"), PROJECTS)
def test_nothing_done_is_no_pass(
    tmp_path: Path, files: dict[str, str], work: dict[str, str], broken: dict[str, str], program: str
) -> None:
    del work, broken, program
    _, base = started(tmp_path, files)
    assert check(tmp_path, "--base", base, "--at", "stop")[0] == 3


@pytest.mark.parametrize(
    "files", [HONEST_PYTHON, HONEST_JAVASCRIPT, {"README.md": "# x\n"}, {**HONEST_PYTHON, **HONEST_JAVASCRIPT}]
)
def test_every_line_says_why_and_the_linter_has_nothing_to_say(tmp_path: Path, files: dict[str, str]) -> None:
    started(tmp_path, files)
    text = (tmp_path / NAME).read_text()
    for line in text.split("\n"):
        plain = line.strip().startswith(("#", '- "')) or not line.strip() or line == "requirements:"
        assert plain or "  # " in line, line
    contract = written(tmp_path)
    warnings = [w for w in lint(contract, Runner()) if w.rule != "no-trusted-keys"]
    assert [w.rule for w in warnings] == []
    slow = [r for r in contract.requirements if r.id.startswith("tests") and r.check == "command"]
    assert all(r.at == ("push", "server") for r in slow)


def test_what_has_dependencies_runs_where_they_are_installed(tmp_path: Path) -> None:
    started(tmp_path / "a", HONEST_PYTHON | {"pyproject.toml": '[project]\nname = "x"\ndependencies = ["attrs"]\n'})
    (tests,) = [r for r in written(tmp_path / "a").requirements if r.id == "tests"]
    assert tests.provenance.value == "recorded"
    assert "`prepare`" in (tmp_path / "a" / NAME).read_text()


def test_coverage_that_is_set_up_is_asked_with_the_projects_own_floor(tmp_path: Path) -> None:
    with_runner("python3")
    settings = HONEST_PYTHON["pyproject.toml"] + "\n[tool.coverage.report]\nfail_under = 55\n"
    started(tmp_path, HONEST_PYTHON | {"pyproject.toml": settings})
    asked = [r for r in written(tmp_path).requirements if r.check == "metric"]
    if not asked:
        assert "#   coverage: it is set up, but it cannot be measured" in (tmp_path / NAME).read_text()
        return
    assert asked[0].arguments["floor"] == 55


def test_what_is_not_installed_is_left_out_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "backcheck.surfaces.auditing.part.shutil.which", lambda name: None if name == "ruff" else f"/bin/{name}"
    )
    started(tmp_path, HONEST_PYTHON | {"ruff.toml": "line-length = 100\n"})
    assert "lint" not in {r.id for r in written(tmp_path).requirements}
    assert "#   lint: the project is set up for ruff, but ruff is not on the path here" in (tmp_path / NAME).read_text()


def test_a_contract_is_never_overwritten(tmp_path: Path) -> None:
    started(tmp_path, HONEST_PYTHON)
    mine = (tmp_path / NAME).read_text().replace("timeout: 900", "timeout: 60")
    (tmp_path / NAME).write_text(mine)
    code, text, error = call("init", str(tmp_path))
    assert code == 2
    assert "there is a contract already; it is not overwritten" in error
    assert any(line.startswith("-") and "timeout: 60" in line for line in text.split("\n"))
    assert any(line.startswith("+") and "timeout: 900" in line for line in text.split("\n"))
    assert (tmp_path / NAME).read_text() == mine
    code, text, error = call("init", "--stdout", str(tmp_path))
    assert (code, error, "timeout: 900" in text) == (0, "", True)
    assert (tmp_path / NAME).read_text() == mine


def test_a_foreign_contract_is_pointed_to(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.write(".skillgate/done.yaml", "gates: []\n")
    code, _, error = call("init", str(tmp_path))
    assert code == 2
    assert "backcheck convert" in error
    assert not (tmp_path / NAME).exists()


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    repo = Repo(tmp_path / "in")
    repo.write("a.py", "x = 1\n")
    os.symlink(outside, repo.root / ".backcheck")
    code, _, error = call("init", str(repo.root))
    assert code == 2
    assert "link" in error or "already" in error
    assert list(outside.iterdir()) == []


def test_names_of_the_tree_cannot_break_the_contract(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    for name in ('we"ird: [x]/a.py', "new\nline/b.py", "#hash/c.py", "[a]/d.py", "a*b/e.py", "ünï/f.py", "{a,b}/g.py"):
        repo.write(name, "x = 1\n")
    code, _, error = call("init", str(tmp_path))
    assert (code, error) == (0, "")
    allowed = next(r for r in written(tmp_path).requirements if r.id == "scope").arguments["allowed"]
    for name in ('we"ird: [x]/a.py', "new\nline/b.py", "#hash/c.py", "[a]/d.py", "a*b/e.py", "ünï/f.py", "{a,b}/g.py"):
        assert name in Globs(allowed), name
    assert "acb/e.py" not in Globs(allowed)


def test_files_at_the_top_without_an_ending_may_change(tmp_path: Path) -> None:
    started(tmp_path, HONEST_PYTHON | {"Makefile": "a:\n", ".gitignore": "x\n", ".nycrc.json": "{}\n"})
    allowed = next(r for r in written(tmp_path).requirements if r.id == "scope").arguments["allowed"]
    assert all(name in Globs(allowed) for name in ("Makefile", ".gitignore", ".nycrc.json", "README.md"))


def test_the_spoiled_project_gets_a_contract_too(tmp_path: Path) -> None:
    files = {name: text for name, text in SPOILED.items() if name != NAME}
    started(tmp_path, files)
    protected = next(r for r in written(tmp_path).requirements if r.id == "scope").arguments["protected"]
    assert {".github/**", ".gitlab-ci.yml", ".husky/**", ".claude/**", "AGENTS.md", ".backcheck/**"} <= set(protected)
