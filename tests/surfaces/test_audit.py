"""`backcheck audit`: what was spoiled is found, what is honest is left alone, and nothing is executed or written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support import Repo, require
from tests.surfaces.spoiled import HONEST_JAVASCRIPT, HONEST_PYTHON, SPOILED, SPOILED_WAYS

from backcheck.contract.find import parse_contract
from backcheck.engine import bind_all
from backcheck.surfaces.auditing.commands import judges, lost
from backcheck.surfaces.auditing.looking import audit
from backcheck.surfaces.auditing.model import Certainty
from backcheck.surfaces.auditing.table import names, page
from backcheck.surfaces.cli import main


def project(root: Path, files: dict[str, str], *, git: bool = True) -> Path:
    if not git:
        root.mkdir(parents=True, exist_ok=True)
    repo = Repo(root) if git else None
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    if repo:
        repo.commit()
    return root


def found(root: Path) -> set[tuple[str, str, int]]:
    return {(c.rule, c.path, c.line) for c in audit(str(root))[0].corners}


def call(*arguments: str) -> tuple[int, str, str]:
    runner = CliRunner()
    with runner.isolation() as (out, err, *_):
        code = main.run(list(arguments))
    return code, out.getvalue().decode(), err.getvalue().decode()


def test_every_spoiled_way_is_found_and_nothing_else(tmp_path: Path) -> None:
    assert len(SPOILED_WAYS) >= 8
    assert found(project(tmp_path, SPOILED)) == set(SPOILED_WAYS)


def test_a_credential_is_found_and_not_shown(tmp_path: Path) -> None:
    from backcheck.checks.secrets.detector import known_secrets

    pytest.importorskip("kingfisher_sdk", reason="the detector is not installed: secrets were not looked for")
    secret = known_secrets()["github-pat"].decode().strip()
    root = project(tmp_path, {**HONEST_PYTHON, "settings.py": f'TOKEN = "{secret}"\n'})
    code, text, _ = call("audit", str(root))
    assert (code, found(root)) == (1, {("secret-in-tree", "settings.py", 1)})
    assert secret not in text


def test_every_rule_but_that_of_secrets_has_a_spoiled_way() -> None:
    assert set(names()) - {way[0] for way in SPOILED_WAYS} == {"secret-in-tree"}


@pytest.mark.parametrize("files", [HONEST_PYTHON, HONEST_JAVASCRIPT], ids=["python", "javascript"])
def test_honest_projects_have_no_corner(tmp_path: Path, files: dict[str, str]) -> None:
    code, text, _ = call("audit", str(project(tmp_path, files)))
    assert found(tmp_path) == set()
    assert code == 0
    assert "No corner was found by these rules; that proves nothing about others." in text
    assert "a change can weaken the tests that judge it" in text


@pytest.mark.parametrize(("rule", "path"), sorted({(rule, path) for rule, path, _ in SPOILED_WAYS}))
def test_one_spoiled_file_in_an_honest_project_is_found_by_its_rule(tmp_path: Path, rule: str, path: str) -> None:
    files = {**HONEST_PYTHON, "tests/test_hard.py": SPOILED["tests/test_hard.py"], path: SPOILED[path]}
    if rule == "stub-ships":
        files.pop("adding.py")
    assert (rule, path) in {(r, p) for r, p, _ in found(project(tmp_path, files))}


def test_what_is_absent_is_not_held_against_an_archive(tmp_path: Path) -> None:
    rules = {rule for rule, _, _ in found(project(tmp_path, SPOILED, git=False))}
    assert not rules & {"testpaths-match-nothing", "named-evidence-missing"}
    assert any("files that are absent" in note for note in audit(str(tmp_path))[0].not_looked_at)


HARMLESS = [
    "curl -s https://example.invalid || true", "pip install pytest || true", "pytest -q", "set -e\npytest -q\necho done",
    "npm ci || true", "pytest --version || true", "rm -rf .pytest_cache || true", "pytest -q && echo ok",
    "set +e\npytest -q\ncode=$?\nexit $code", "set +e\npytest\nif [ $? -ne 0 ]; then exit 1; fi", "echo pytest || true",
    "set -o pipefail\npytest | tee log", "docker rm -f tests || true", "codecov || true", "pytest -q || exit 1",
    "git commit -m 'run pytest' || true", "brew install jest || true", "cat mypy.ini || true",
    "pytest; exit 0", "set +e\nmake docs\nset -e\npytest -q\necho ok", "set -eo pipefail\npytest | tee log",
]  # fmt: skip
LOST = [
    "pytest -q || true", "pytest || :", "pytest -q | tee log", "npm test || echo failed", "tox || true",
    "python -m pytest \\\n  -q || true", "set +e\npytest -q\necho done", "mypy src || true", "pytest || [ $? -eq 5 ]",
    "npx jest || true", "npm run lint || true", "poetry run pytest || true", "uv run pytest -q || true", "go test ./... || true",
    "cd a && pytest -q || true", "make test || true", "PYTHONPATH=src pytest || true", "coverage run -m pytest || true",
    "coverage report | cat", "./node_modules/.bin/eslint . || true",
]  # fmt: skip


@pytest.mark.parametrize("script", HARMLESS)
def test_scripts_that_lose_nothing(script: str) -> None:
    assert list(lost(script)) == []


@pytest.mark.parametrize("script", LOST)
def test_scripts_that_lose_a_failure(script: str) -> None:
    assert len(list(lost(script))) == 1


@pytest.mark.parametrize(
    "script", ["pytest; exit 0", "pytest -q\necho done", "pytest\neslint .", "sh -c 'pytest || true'"]
)
def test_without_e_the_shell_goes_on(script: str) -> None:
    assert len(list(lost(script, stops=False))) == 1


def test_the_last_command_of_a_script_gives_its_code() -> None:
    assert list(lost("make build\npytest -q", stops=False)) == []


def test_a_judging_word_in_a_path_or_a_message_judges_nothing() -> None:
    assert not judges("cat tests/pytest.ini")
    assert judges("./venv/bin/pytest")


def test_nothing_is_executed_and_nothing_written(tmp_path: Path) -> None:
    files = {**SPOILED, "setup.py": "open('ran', 'w')\n", "conftest.py": "open('ran', 'w')\n",
             "package.json": '{"scripts": {"test": "touch ran", "prepare": "touch ran"}}'}  # fmt: skip
    root = project(tmp_path, files)
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in root.rglob("*") if p.is_file()}
    call("audit", str(root))
    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in root.rglob("*") if p.is_file()} == before


def test_hostile_files_are_told_and_break_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, {"a.py": "x = 1\n"}, git=False)
    (root / "pyproject.toml").write_bytes(b"\xff\xfe\x00[[[")
    (root / "package.json").write_text("[" * 100_000)
    (root / "tox.ini").write_text("no section\n")
    os.symlink("/etc/hostname", root / "AGENTS.md")
    os.mkfifo(root / "Makefile")
    (root / ".github/workflows").mkdir(parents=True)
    (root / ".github/workflows/a.yml").write_text("a: &a [*a]\nb: !!python/object:os.system x\n" + "{" * 5000)
    (root / "tests").mkdir()
    (root / "tests/test_deep.py").write_text("x = " + "(" * 3000 + ")" * 3000)
    (root / "tests/bad.test.js").write_text("it.only(" * 2000)
    result, _ = audit(str(root))
    told = "\n".join(result.not_looked_at)
    for name in ("pyproject.toml", "package.json", "tox.ini", "a.yml"):
        assert name in told, told


def test_text_of_the_tree_cannot_write_to_a_terminal(tmp_path: Path) -> None:
    root = project(
        tmp_path, {"tests/test_a\x1b[2J.py": "def test_x():\n    pass\n", "Makefile": "test:\n\t-pytest \x1b[31m\n"}
    )
    code, text, _ = call("audit", str(root))
    assert code == 1
    assert "\x1b" not in text
    assert "\\x1b[2J" in text


def test_json_and_exit_codes(tmp_path: Path) -> None:
    root = project(tmp_path / "s", SPOILED)
    code, text, _ = call("audit", "--json", str(root))
    document: dict[str, Any] = json.loads(text)
    assert code == 1
    assert document["schema"] == "backcheck.audit/1"
    assert document["plain"] == sum(c["certainty"] == "plain" for c in document["corners"]) > 8
    assert {(c["rule"], c["path"], c["line"]) for c in document["corners"]} == set(SPOILED_WAYS)
    assert "runs" not in document
    look = project(
        tmp_path / "l", {**HONEST_PYTHON, "tests/test_b.py": "import adding\n\n\ndef test_b():\n    adding.add(1, 2)\n"}
    )
    assert call("audit", str(look))[0] == 0
    assert call("audit", str(tmp_path / "none"))[0] == 2
    (tmp_path / "empty").mkdir()
    code, _, error = call("audit", str(tmp_path / "empty"))
    assert (code, "no file to look at" in error) == (3, True)


def test_snippets_are_requirements_that_bind(tmp_path: Path) -> None:
    result, _ = audit(str(project(tmp_path, {**SPOILED, **HONEST_JAVASCRIPT})))
    snippets = {c.snippet for c in (*result.corners, *result.standing) if c.snippet}
    assert len(snippets) >= 3
    for snippet in snippets:
        body = "\n".join(f"  {line}" for line in snippet.split("\n"))
        bind_all(parse_contract(f"version: 1\nrequirements:\n{body}\n".encode(), ".backcheck/contract.yaml"))


@pytest.mark.parametrize("name", names())
def test_every_rule_has_a_page(name: str) -> None:
    assert len(page(name)) > 40
    assert f"{name}\n  {page(name).splitlines()[0]}" in call("audit", "--rules")[1]


def test_certainty_follows_the_page(tmp_path: Path) -> None:
    result, _ = audit(str(project(tmp_path, SPOILED)))
    looks = {c.rule for c in result.corners if c.certainty is Certainty.LOOK}
    assert looks == {"tests-left-out", "reruns-hide-failures", "loose-outcome-plugin", "no-assertion", "accepted-findings",
                     "stub-ships", "named-evidence-missing", "contract-asks-badly"}  # fmt: skip


# --run


def test_run_tells_what_really_ran_in_a_copy(tmp_path: Path) -> None:
    require("python3", "audit --run was not tried on pytest")
    root = project(tmp_path, HONEST_PYTHON)
    code, text, _ = call("audit", "--run", "--json", str(root))
    (ran,) = json.loads(text)["runs"]
    if "No module named pytest" in ran["output"]:
        pytest.skip("the python3 on the path has no pytest: audit --run was not tried on it")
    assert (code, ran["held"], ran["counts"]["passed"]) == (0, True, 1)
    (root / "adding.py").write_text("def add(a, b):\n    return a - b\n")
    code, text, _ = call("audit", "--run", str(root))
    assert code == 1
    assert "the tests did not hold: it ended with 1 (0 passed, 1 failed" in text or "no test passed" in text
    assert "not sandboxed" in text
    assert sorted(p.name for p in root.iterdir()) == [
        ".git",
        ".github",
        "README.md",
        "adding.py",
        "pyproject.toml",
        "tests",
    ]


def test_run_of_node_tests(tmp_path: Path) -> None:
    require("node", "audit --run was not tried on node:test")
    require("npm", "audit --run was not tried on npm")
    root = project(tmp_path, HONEST_JAVASCRIPT)
    code, text, _ = call("audit", "--run", "--json", str(root))
    (ran,) = json.loads(text)["runs"]
    assert (code, ran["held"], ran["counts"]["passed"]) == (0, True, 1)
    assert "as it printed for people, which its own code could forge" in ran["says"]
    shutil.rmtree(root / "test")
    code, text, _ = call("audit", "--run", "--json", str(root))
    assert json.loads(text)["runs"][0]["held"] is not True


def test_an_exit_code_alone_does_not_hold(tmp_path: Path) -> None:
    require("npm", "audit --run was not tried on npm")
    root = project(tmp_path, {"package.json": '{"scripts": {"test": "node -e 0"}}', "index.js": "1;\n"})
    code, text, _ = call("audit", "--run", "--json", str(root))
    assert json.loads(text)["runs"][0]["held"] is None
    assert code == 0
