"""`placeholder`, `secrets` and `work-present` by the command as it ships, in real repositories and over every kind of tree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.checks.secrets.tokens import GITHUB
from tests.support import Repo

CONTRACT = (
    "version: 1\nrequirements:\n  - {id: leftovers, check: placeholder}\n  - {id: secrets, check: secrets}\n"
    "  - {id: work, check: work-present, with: {names: [save]}}\n"
)
GOOD = "def save(x):\n    return x.write()\n"
STUB = "def save(x):\n    pass\n"
KEY = f'KEY = "{GITHUB}"\n'


def check(root: Path, *arguments: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Exit code, status by requirement, and the whole document."""
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(root), "--json", *arguments],
        capture_output=True, text=True, check=False, cwd=root,
    )  # fmt: skip
    assert done.stdout, done.stderr
    document = json.loads(done.stdout)
    return done.returncode, {f["requirement"]: f["status"] for f in document["findings"]}, document


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "r")
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.write("old.py", "# TODO: old\n" + KEY)
    repo.write(".gitignore", "build/\n")
    repo.commit("base")
    return repo


def test_honest_work_passes_and_bad_work_does_not(repo: Repo) -> None:
    repo.write("new.py", GOOD)
    assert check(repo.root, "--base", "HEAD")[:2] == (0, {"leftovers": "pass", "secrets": "pass", "work": "pass"})
    repo.write("new.py", STUB + KEY)
    assert check(repo.root, "--base", "HEAD")[:2] == (1, {"leftovers": "fail", "secrets": "fail", "work": "fail"})


def test_commits_in_between_change_nothing(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.write("new.py", STUB + KEY)
    repo.commit("one")
    repo.write("new.py", STUB + KEY + "x = 1\n")
    repo.commit("two")
    assert check(repo.root, "--base", base)[1] == {"leftovers": "fail", "secrets": "fail", "work": "fail"}


def test_taken_back_is_no_change(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.write("new.py", GOOD)
    repo.commit("one")
    (repo.root / "new.py").unlink()
    repo.commit("two")
    code, statuses, document = check(repo.root, "--base", base)
    assert (code, statuses) == (1, {"leftovers": "unclear", "secrets": "unclear", "work": "fail"})
    assert "no change" in document["findings"][2]["reason"]


def test_without_a_base_nothing_passes(repo: Repo) -> None:
    repo.write("new.py", GOOD)
    assert check(repo.root)[:2] == (3, {"leftovers": "unclear", "secrets": "unclear", "work": "unclear"})


@pytest.mark.parametrize("tree", ["index", "HEAD"])
def test_the_index_and_a_revision_are_judged_by_their_own_bytes(repo: Repo, tree: str) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.write("new.py", STUB + KEY)
    repo.git("add", "-A")
    if tree == "HEAD":
        repo.git("commit", "-qm", "bad")
    repo.write("new.py", GOOD)
    assert check(repo.root, "--base", base, "--tree", tree)[1] == {
        "leftovers": "fail",
        "secrets": "fail",
        "work": "fail",
    }
    assert check(repo.root, "--base", base)[1] == {"leftovers": "pass", "secrets": "pass", "work": "pass"}


def test_ignored_files_are_no_part_and_a_new_ignore_rule_hides_nothing(repo: Repo) -> None:
    repo.write("build/a.py", STUB + KEY)
    repo.write("new.py", GOOD)
    assert check(repo.root, "--base", "HEAD")[0] == 0
    repo.write(".gitignore", "build/\nhidden.py\n")
    repo.write("hidden.py", "# TODO: x\n" + KEY)
    assert check(repo.root, "--base", "HEAD")[1] == {"leftovers": "fail", "secrets": "fail", "work": "pass"}


def test_attributes_of_the_tree_change_nothing(repo: Repo) -> None:
    repo.write(".gitattributes", "*.py -diff binary linguist-generated linguist-vendored\n")
    repo.write("new.py", "# @generated DO NOT EDIT\n" + STUB + KEY)
    assert check(repo.root, "--base", "HEAD")[1] == {"leftovers": "fail", "secrets": "fail", "work": "fail"}


def test_globs_count_from_the_contract_below_the_top(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r")
    repo.write("pkg/.backcheck/contract.yaml", "version: 1\nrequirements:\n  - {id: a, check: placeholder, with: {paths: ['src/**']}}\n"
               "  - {id: b, check: work-present, with: {paths: ['src/**'], names: [src/new.py]}}\n")  # fmt: skip
    repo.commit("base")
    repo.write("src/other.py", "# TODO: not in scope\n")
    repo.write("pkg/src/new.py", GOOD)
    assert check(repo.root / "pkg", "--base", "HEAD")[:2] == (0, {"a": "pass", "b": "pass"})
    repo.write("pkg/src/new.py", STUB)
    assert check(repo.root / "pkg", "--base", "HEAD")[:2] == (1, {"a": "fail", "b": "fail"})


def test_a_secret_is_nowhere_in_report_or_ledger(repo: Repo) -> None:
    repo.write("new.py", GOOD + KEY)
    repo.write(f"{GITHUB}.txt", "x")
    _, _, document = check(repo.root, "--base", "HEAD")
    text = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(repo.root), "--base", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert GITHUB not in json.dumps(document)
    assert GITHUB not in text.stdout + text.stderr
    ledgers = [path for path in repo.root.rglob("*") if "ledger" in path.name and path.is_file()]
    assert ledgers, "a check is remembered"
    assert all(GITHUB.encode() not in path.read_bytes() for path in ledgers)


def test_the_line_of_a_secret_is_not_shown_though_others_are(repo: Repo) -> None:
    repo.write("new.py", "def save(x):\n    # TODO: write\n    return '" + "sk_" + "live_" + GITHUB[4:28] + "'\n")
    command = [sys.executable, "-m", "backcheck", "check", "-C", str(repo.root), "--base", "HEAD"]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert "# TODO: write" in text
    assert GITHUB[8:28] not in text
