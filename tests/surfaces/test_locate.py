"""Which contract counts, and what is said when the tree holds another one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from backcheck.surfaces.cli.main import run

CONTRACT = "version: 1\nrequirements:\n  - {id: a, description: d, check: file-exists, with: {file: a.md}}\n"
PATH = ".backcheck/contract.yaml"


@pytest.fixture
def based(repo: Any) -> Any:
    """A repository whose base has a contract."""
    repo.write(PATH, CONTRACT)
    repo.write("a.md", "text\n")
    repo.commit()
    return repo


def notices(repo: Any, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    capsys.readouterr()
    run(["check", "-C", str(repo.root), "--base", "HEAD", "--json", *arguments])
    return [str(notice) for notice in json.loads(capsys.readouterr().out)["notices"]]


def changed(told: list[str]) -> list[str]:
    return [notice for notice in told if PATH in notice]


@pytest.mark.parametrize("tree", ["worktree", "index"])
def test_line_ends_of_a_checkout_are_no_change_of_the_contract(based, capsys, tree):
    based.write(PATH, CONTRACT.replace("\n", "\r\n"))
    based.git("add", "-A")
    assert changed(notices(based, capsys, "--tree", tree)) == []


@pytest.mark.parametrize("text", [CONTRACT + "\n", CONTRACT.replace("a.md", "b.md"), CONTRACT.replace("\n", "\r"), ""])
def test_any_other_change_is_told(based, capsys, text):
    based.write(PATH, text)
    assert changed(notices(based, capsys)) == [
        f"{PATH} was changed in the tree; the base's contract is the one that counts"
    ]


def test_a_contract_that_is_gone_is_told(based, capsys):
    (based.root / PATH).unlink()
    assert changed(notices(based, capsys)) == [
        f"{PATH} is missing in the tree; the base's contract is the one that counts"
    ]


def test_an_unchanged_contract_says_nothing(based, capsys):
    assert changed(notices(based, capsys)) == []
