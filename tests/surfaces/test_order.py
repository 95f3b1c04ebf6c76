"""What is asked first, and of which tree: commands run, then the tree is read as it lies after them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support import Repo

from backcheck.checks import registry
from backcheck.checks.api import Answer, Evidence, passed
from backcheck.checks.gates.file_exists import Gate as FileExists
from backcheck.evidence.workspace import Kind
from backcheck.surfaces.cli.main import main
from backcheck.testing import write_tree

HEAD = "version: 1\nrequirements:\n"


def project(root: Path, *requirements: str, **files: str) -> Path:
    lines = "".join(f"  - {line}\n" for line in requirements)
    write_tree(root, {".backcheck/contract.yaml": HEAD + lines, "README.md": "# x\n", "src/a.py": "x = 1\n", **files})
    return root


def check(root: Path, *arguments: str) -> Any:
    """The document of a real process."""
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(root), "--json", *arguments],
        capture_output=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def statuses(document: Any) -> list[tuple[str, str]]:
    return [(finding["requirement"], finding["status"]) for finding in document["findings"]]


MAKES = "{id: makes, check: command, with: {run: 'echo 12 passed > report.txt'}}"
READS = "{id: reads, check: file-contains, with: {file: report.txt, pattern: passed}}"
REMOVES = "{id: removes, check: command, with: {run: 'rm -f report.txt'}}"


def test_a_file_that_a_later_command_removed_satisfies_nothing(tmp_path: Path) -> None:
    document = check(project(tmp_path, MAKES, READS, REMOVES))
    assert statuses(document) == [("makes", "pass"), ("reads", "fail"), ("removes", "pass")]
    assert document["verdict"] == "REJECT"


def test_a_file_that_a_command_left_is_part_of_what_was_judged(tmp_path: Path) -> None:
    root = project(tmp_path, READS, MAKES)
    document = check(root)
    assert statuses(document) == [("reads", "pass"), ("makes", "pass")]
    assert any("left new files in the tree: report.txt" in notice for notice in document["notices"])
    assert check(root, "--only", "reads")["tree"] == document["tree"]
    (root / "report.txt").write_text("13 passed")
    assert check(root, "--only", "reads")["tree"]["digest"] != document["tree"]["digest"]


def test_a_search_looks_at_what_commands_left(tmp_path: Path) -> None:
    absent = "{id: clean, check: absent, with: {glob: '**', pattern: 12 passed}}"
    assert statuses(check(project(tmp_path, absent, MAKES))) == [("clean", "fail"), ("makes", "pass")]


@pytest.mark.parametrize("tree", ["index", "HEAD"])
def test_a_command_that_changes_the_disk_is_told_for_the_index_and_a_revision_too(repo: Repo, tree: str) -> None:
    project(repo.root, "{id: c, check: command, with: {run: 'echo y >> src/a.py'}}",
            "{id: r, check: file-contains, with: {file: src/a.py, pattern: x}}")  # fmt: skip
    repo.commit()
    document = check(repo.root, "--tree", tree)
    assert statuses(document) == [("c", "pass"), ("r", "pass"), ("backcheck:tree-changed", "unclear")]
    assert check(repo.root, "--tree", tree)["findings"][0]["status"] == "unclear"


class Runs(FileExists):
    """A gate of another channel that runs something all the same."""

    executes = True

    def answer(self, evidence: Evidence) -> Answer:
        assert evidence.command_folder is not None
        Path(evidence.command_folder, "made.txt").write_text("")
        return passed("it ran")


def test_a_gate_that_says_it_executes_is_asked_first_and_reported_as_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[frozenset[str]] = []

    def gate_for(requirement: Any, _plugins: Any) -> Any:
        return Runs if requirement.id == "runs" else Looks

    class Looks(FileExists):
        def answer(self, evidence: Evidence) -> Answer:
            seen.append(evidence.made)
            return super().answer(evidence)

    monkeypatch.setattr("backcheck.engine.gate_for", gate_for)
    project(tmp_path, "{id: looks, check: file-exists, with: {file: made.txt}}",
            "{id: runs, check: file-exists, with: {file: README.md}}")  # fmt: skip
    result = CliRunner().invoke(main, ["check", "-C", str(tmp_path), "--json"], standalone_mode=False)
    document = json.loads(result.stdout)
    assert statuses(document) == [("looks", "pass"), ("runs", "pass")]
    assert [(f["channel"], f["basis"]) for f in document["findings"]] == [("filesystem", "text"), ("execution", "run")]
    assert seen == [frozenset({"made.txt"})]
    assert document["asserted_passes"] == ["looks"]


def test_the_same_check_twice_says_the_same_where_a_command_compiles(repo: Repo) -> None:
    run = f"{sys.executable} -c \"import sys; sys.path.insert(0, '.'); import src.a\""
    project(repo.root, f"{{id: runs, check: command, with: {{run: {json.dumps(run)}}}}}",
            "{id: scope, check: diff-scope, with: {allowed: [docs/**], protected: [src/**]}}")  # fmt: skip
    base = repo.commit()
    first, second = check(repo.root, "--base", base), check(repo.root, "--base", base)
    assert statuses(first) == statuses(second) == [("runs", "pass"), ("scope", "pass")]
    assert first["tree"] == second["tree"]
    assert not first["notices"]


class LooksAndRuns(FileExists):
    """Looks at the whole tree before it makes a file, and at the file after."""

    executes = True

    def answer(self, evidence: Evidence) -> Answer:
        assert "made.txt" not in evidence.final_nodes()
        assert evidence.tree.entry("made.txt").kind is Kind.MISSING
        Path(evidence.tree.root, "made.txt").write_text("")
        return passed("it ran")


def test_what_was_met_while_commands_ran_is_forgotten(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.gate_for
    monkeypatch.setattr("backcheck.engine.gate_for", lambda r, p: LooksAndRuns if r.id == "runs" else real(r, p))
    project(repo.root, "{id: runs, check: file-exists, with: {file: README.md}}",
            "{id: looks, check: file-exists, with: {file: made.txt}}",
            "{id: scope, check: diff-scope, with: {allowed: ['src/**']}}")  # fmt: skip
    base = repo.commit()
    call = ["check", "-C", str(repo.root), "--json", "--base", base]
    document = json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)
    assert statuses(document) == [("runs", "pass"), ("looks", "pass"), ("scope", "unclear")]
    assert "made.txt was made by a command while the tree was judged" in document["findings"][2]["reason"]
