"""Observed runs and records that count, through `backcheck check` on real repositories."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support import Repo, require

from backcheck.evidence import sandbox
from backcheck.surfaces.cli.main import run as main

CONTRACT = """version: 1
recorder_keys: [{key}]
requirements:
  - id: tests
    check: command
    with: {{run: [sh, -c, "{command}"]}}
    provenance: {provenance}
{more}
"""


@pytest.fixture
def world(repo: Repo, monkeypatch, capsys):
    """A repository with such a contract in its base, and a function that checks it."""
    monkeypatch.chdir(repo.root)
    main(["keys", "new", "recorder"])
    key = capsys.readouterr().out.strip()

    class World:
        root = repo.root

        def begin(self, command: str, provenance: str, more: str = "", key: str = key) -> None:
            text = CONTRACT.format(command=command, provenance=provenance, more=more, key=key)
            repo.write(".backcheck/contract.yaml", text)
            repo.write("a.txt", "a\n")
            repo.write("docs.md", "words\n")
            repo.write(".gitignore", "ran*\n*.local\n")
            self.base = repo.commit()

        def check(self, *arguments: str) -> Any:
            capsys.readouterr()
            main(["check", "--json", "--base", self.base, *arguments])
            return json.loads(capsys.readouterr().out)

        def finding(self, *arguments: str) -> Any:
            return self.check(*arguments)["findings"][0]

        def runs(self) -> int:
            return len(list(repo.root.glob("ran*")))

    return World()


COUNT = "touch ran$$; test -f a.txt"


def test_an_observed_run_sees_what_is_judged_and_nothing_else(world):
    require("bwrap", "isolation was not tested")
    world.begin("test -f a.txt && test ! -e poison.local && touch made", "observed")
    (world.root / "poison.local").write_text("x")
    finding = world.finding()
    assert (finding["status"], finding["provenance"]) == ("pass", "observed")
    assert finding["isolation"] == ("process" if sandbox.bubblewrap() else "none")
    assert not (world.root / "made").exists()


def test_an_observed_run_judges_a_revision_whatever_lies_on_disk(world):
    world.begin("grep -qx a a.txt", "observed")
    (world.root / "a.txt").write_text("broken\n")
    assert world.finding()["status"] == "fail"
    assert world.finding("--tree", world.base)["status"] == "pass"


def test_isolation_that_is_demanded_and_not_had_is_unclear(world, monkeypatch):
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")
    world.begin("true", "observed", "    isolation: process")
    finding = world.finding()
    assert (finding["status"], finding["blame"]) == ("unclear", "environment")
    world.begin("true", "observed")
    finding = world.finding()
    assert finding["status"] == "pass"
    assert "not isolated" in finding["reason"]


def test_a_prepare_step_that_fails_is_unclear_and_no_pass(world):
    world.begin("true", "observed")
    path = world.root / ".backcheck/contract.yaml"
    path.write_text(path.read_text().replace("requirements:", "prepare: [sh, -c, 'exit 9']\nrequirements:"))
    finding = world.finding(str(path), "--base", "HEAD")
    assert finding["status"] == "pass", "the base's contract has no such step"
    world.begin("true", "observed")
    path.write_text(path.read_text().replace("requirements:", "prepare: [sh, -c, 'exit 9']\nrequirements:"))
    world.base = _committed(world)
    assert "exit 9" in world.finding()["reason"]
    assert world.finding()["status"] == "unclear"


def _committed(world) -> str:
    return Repo(world.root).commit()


def test_a_record_of_this_very_tree_spares_the_run(world):
    world.begin(COUNT, "recorded")
    main(["run", "--as", "tests"])
    assert world.runs() == 1
    finding = world.finding()
    assert (finding["status"], finding["provenance"]) == ("pass", "recorded")
    assert "recorded" in finding["reason"]
    assert world.runs() == 1


CHANGES = {
    "a file was changed since": lambda root: (root / "a.txt").write_text("other\n"),
    "a file came": lambda root: (root / "b.txt").write_text("new\n"),
    "a mode was changed": lambda root: (root / "a.txt").chmod(0o755),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_record_of_another_tree_does_not_count(world, name):
    world.begin(COUNT, "recorded")
    main(["run", "--as", "tests"])
    CHANGES[name](world.root)
    world.finding()
    assert world.runs() == 2


def test_a_change_outside_the_declared_inputs_leaves_the_record(world):
    world.begin(COUNT, "recorded", "    inputs: ['*.txt']")
    main(["run", "--as", "tests"])
    (world.root / "docs.md").write_text("more words\n")
    assert "recorded" in world.finding()["reason"]
    (world.root / "a.txt").write_text("other\n")
    assert "recorded" not in world.finding()["reason"]


@pytest.mark.parametrize("forger", ["another command", "another key", "no provenance asked", "changed its inputs"])
def test_a_record_that_is_not_the_contracts_does_not_count(world, forger, capsys):
    world.begin(COUNT, "asserted" if forger == "no provenance asked" else "recorded")
    if forger == "another command":
        main(["run", "--as", "tests", "--", "printf", "42 passed"])
    elif forger == "another key":
        main(["keys", "new", "mine"])
        main(["run", "--as", "tests", "--key", "mine"])
    elif forger == "changed its inputs":
        world.begin(COUNT + "; cp a.txt x; echo y > a.txt; cp x a.txt; rm x", "recorded")
        main(["run", "--as", "tests"])
    else:
        main(["run", "--as", "tests"])
    before = world.runs()
    world.check()
    assert world.runs() == before + 1


def test_a_failing_record_fails_without_another_run(world):
    world.begin("touch ran$$; exit 7", "recorded")
    main(["run", "--as", "tests"])
    finding = world.finding()
    assert (finding["status"], world.runs()) == ("fail", 1)
    assert "7" in finding["reason"]


def test_repeating_until_it_is_green_proves_nothing(world):
    world.begin("test -e ran.local || { touch ran.local; exit 1; }", "recorded")
    main(["run", "--as", "tests"])
    main(["run", "--as", "tests"])
    finding = world.finding()
    assert finding["status"] == "unclear"
    assert "passed" in finding["reason"]


def test_a_recorders_key_decides_nothing(world, capsys):
    world.begin("true", "recorded", "  - {id: looked, check: human, with: {question: Is it right?}}")
    world.check()
    assert main(["decide", "last", "looked", "pass", "--reason", "fine", "--key", "recorder"]) != 0
    assert world.check()["verdict"] == "UNCLEAR"
