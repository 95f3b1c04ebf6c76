"""`--tree index` judges what will be committed, and nothing else: staged in parts, from a hook, in a linked worktree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support import GIT_ENVIRONMENT, Repo

from backcheck.surfaces.cli.main import run as main

CONTRACT = """version: 1
requirements:
  - {id: scope, check: diff-scope, with: {protected: ["tests/**"]}}
  - {id: clean, check: absent, with: {glob: "src/**", pattern: TODO}}
  - {id: there, check: file-exists, with: {file: src/a.py}}
"""
COMMAND = "  - {id: run, check: command, with: {run: 'grep -q good src/a.py'}}\n"


@pytest.fixture
def world(repo: Repo) -> Repo:
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.write("tests/test_a.py", "assert True\n")
    repo.write("src/a.py", "x = 1\n")
    repo.git("config", "commit.gpgsign", "false")
    repo.commit()
    return repo


def ask(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, str], dict[str, Any]]:
    capsys.readouterr()
    main(["check", "-C", str(folder), "--json", "--base", "HEAD", *arguments])
    document = json.loads(capsys.readouterr().out)
    return {f["requirement"]: f["status"] for f in document["findings"]}, document


def test_what_is_staged_counts_and_not_what_lies_on_disk(world, capsys):
    world.write("src/a.py", "x = 1  # TODO\n")
    world.write("tests/test_a.py", "assert 1\n")
    world.git("add", "-A")
    world.write("src/a.py", "x = 1\n")
    world.write("tests/test_a.py", "assert True\n")
    assert ask(world.root, capsys)[0] == {"scope": "pass", "clean": "pass", "there": "pass"}
    assert ask(world.root, capsys, "--tree", "index")[0] == {"scope": "fail", "clean": "fail", "there": "pass"}


def test_what_is_not_staged_does_not_count(world, capsys):
    world.write("src/b.py", "y = 1\n")
    world.git("add", "-A")
    world.write("src/b.py", "y = 1  # TODO\n")
    world.write("tests/test_a.py", "assert 1\n")
    (world.root / "src/a.py").unlink()
    assert ask(world.root, capsys, "--tree", "index")[0] == {"scope": "pass", "clean": "pass", "there": "pass"}


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_of_the_index_hide_nothing(world, capsys, flag):
    world.write("src/a.py", "x = 1  # TODO\n")
    world.git("add", "-A")
    world.git("update-index", flag, "src/a.py", "tests/test_a.py")
    world.write("tests/test_a.py", "assert 1\n")
    assert ask(world.root, capsys, "--tree", "index")[0]["clean"] == "fail"
    assert ask(world.root, capsys)[0]["scope"] == "fail"


def test_a_command_does_not_answer_for_what_is_staged_in_part(world, capsys):
    world.write(".backcheck/contract.yaml", CONTRACT + COMMAND)
    world.commit()
    world.write("src/a.py", "bad = 1\n")
    world.git("add", "-A")
    world.write("src/a.py", "good = 1\n")
    found, document = ask(world.root, capsys, "--tree", "index")
    assert found["run"] == "unclear"
    assert document["verdict"] == "UNCLEAR"


def test_what_was_only_announced_will_not_be_committed(world, capsys):
    world.git("rm", "-q", "--cached", "src/a.py")
    world.write("src/empty.py", "")
    world.git("add", "src/empty.py")
    world.write("tests/new.py", "assert 1\n")
    world.git("add", "--intent-to-add", "src/a.py", "tests/new.py")
    found, document = ask(world.root, capsys, "--tree", "index")
    assert found == {"scope": "pass", "clean": "pass", "there": "fail"}
    assert document["tree"]["files"] == 3, "the contract, the test and the empty file"


HOOK = "#!/bin/sh\nexec {python} -m backcheck check --tree index --base HEAD --json >{out}\n"


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        (["commit", "-qm", "staged alone"], "PASS"),
        (["commit", "-qam", "all"], "REJECT"),
        (["commit", "-qm", "one", "tests/test_a.py"], "REJECT"),
        (["commit", "-qm", "another", "src/b.py"], "PASS"),
        (["commit", "-qm", "included", "-i", "tests/test_a.py"], "REJECT"),
    ],
)
def test_a_hook_judges_what_git_commits(world, tmp_path, command, verdict):
    out = tmp_path / "verdict.json"
    hook = world.write(".git/hooks/pre-commit", HOOK.format(python=sys.executable, out=out))
    hook.chmod(0o755)
    world.write("src/b.py", "y = 1\n")
    world.git("add", "src/b.py")
    world.write("tests/test_a.py", "pass\n")
    before = world.git("rev-parse", "HEAD")
    done = subprocess.run(["git", *command], cwd=world.root, env={**os.environ, **GIT_ENVIRONMENT}, check=False)
    assert json.loads(out.read_text())["verdict"] == verdict
    assert (done.returncode == 0) == (verdict == "PASS") == (world.git("rev-parse", "HEAD") != before)


def test_another_index_is_told(world, capsys, monkeypatch):
    world.write("src/a.py", "x = 1  # TODO\n")
    other = world.root.parent / "index"
    environment = {**os.environ, **GIT_ENVIRONMENT, "GIT_INDEX_FILE": str(other)}
    subprocess.run(["git", "add", "-A"], cwd=world.root, env=environment, check=True)
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))
    found, document = ask(world.root, capsys, "--tree", "index")
    assert found["clean"] == "fail"
    assert f"the index is {other}, as GIT_INDEX_FILE says" in document["notices"]
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    found, document = ask(world.root, capsys, "--tree", "index")
    assert found["clean"] == "pass"
    assert not any("GIT_INDEX_FILE" in notice for notice in document["notices"])


def test_variables_that_speak_of_another_repository_say_nothing_of_this_one(world, capsys, monkeypatch, tmp_path):
    other = Repo(tmp_path / "other")
    other.write("x", "")
    other.commit()
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git/index"))
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    assert ask(world.root, capsys, "--tree", "index")[1]["verdict"] == "PASS"
    # Without the second variable the first may be this repository's: a hook must not pass what it did not look at.
    monkeypatch.delenv("GIT_DIR")
    assert ask(world.root, capsys, "--tree", "index")[1]["verdict"] == "REJECT"
    monkeypatch.chdir(world.root)
    monkeypatch.setenv("GIT_DIR", ".git")
    assert ask(world.root, capsys, "--tree", "index")[1]["verdict"] == "REJECT"


def test_an_index_that_is_not_there_holds_nothing(world, capsys, monkeypatch):
    monkeypatch.setenv("GIT_INDEX_FILE", str(world.root / "none"))
    assert ask(world.root, capsys, "--tree", "index")[1]["verdict"] == "REJECT"


@pytest.fixture
def linked(world) -> Repo:
    """A worktree beside the repository, on a branch of its own."""
    root = world.root.parent / "linked"
    world.git("worktree", "add", "-q", "-b", "side", str(root))
    made = Repo.__new__(Repo)
    made.root = root
    return made


def test_a_linked_worktree_is_judged_by_its_own_files_and_its_own_index(world, linked, capsys):
    world.write("tests/test_a.py", "pass\n")
    world.git("add", "-A")
    assert ask(linked.root, capsys)[1]["verdict"] == "PASS"
    assert ask(linked.root, capsys, "--tree", "index")[1]["verdict"] == "PASS"
    linked.write("src/a.py", "TODO\n")
    assert ask(linked.root, capsys)[0]["clean"] == "fail"
    assert ask(linked.root, capsys, "--tree", "index")[0]["clean"] == "pass"
    linked.git("add", "-A")
    assert ask(linked.root, capsys, "--tree", "index")[0] == {"scope": "pass", "clean": "fail", "there": "pass"}
    assert ask(world.root, capsys, "--tree", "index")[0] == {"scope": "fail", "clean": "pass", "there": "pass"}


def test_a_hook_in_a_linked_worktree_judges_that_one(world, linked, tmp_path):
    out = tmp_path / "verdict.json"
    world.write(".git/hooks/pre-commit", HOOK.format(python=sys.executable, out=out)).chmod(0o755)
    linked.write("tests/test_a.py", "pass\n")
    done = subprocess.run(
        ["git", "commit", "-qam", "x"], cwd=linked.root, env={**os.environ, **GIT_ENVIRONMENT}, check=False
    )
    assert done.returncode != 0
    assert json.loads(out.read_text())["verdict"] == "REJECT"


def test_a_worktree_within_the_tree_is_like_other_new_files_unless_the_base_ignores_it(world, capsys):
    world.git("worktree", "add", "-q", "-b", "side", str(world.root / "tests/side"))
    found, document = ask(world.root, capsys)
    assert found["scope"] == "fail"
    assert all("/.git" not in place["path"] for finding in document["findings"] for place in finding["where"])
    world.write(".gitignore", "side/\n")
    world.git("add", ".gitignore")
    world.git("commit", "-qm", "ignored")
    assert ask(world.root, capsys)[0]["scope"] == "pass"


def test_a_worktree_whose_repository_is_gone_is_an_error_and_no_verdict(world, linked, capsys):
    (linked.root / ".git").write_text("gitdir: /nonexistent/worktrees/linked\n")
    assert main(["check", "-C", str(linked.root)]) == 2
    assert "names a folder that is not there" in capsys.readouterr().err


def test_a_form_of_repository_that_git_cannot_read_is_an_error_and_no_verdict(world, capsys):
    """References as a table, which gits before 2.45 do not know; here the table itself is missing, so newer ones fail too."""
    world.git("config", "core.repositoryFormatVersion", "1")
    world.git("config", "extensions.refStorage", "reftable")
    for arguments in ([], ["--base", "HEAD"], ["--tree", "index"], ["--tree", "HEAD"]):
        capsys.readouterr()
        assert main(["check", "-C", str(world.root), *arguments]) == 2
        assert "git cannot" in capsys.readouterr().err
