"""What changes between the pass that hashes the tree and the checks that read it keeps the answer from being one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support import Repo

from backcheck.checks.api import Answer, Evidence, passed
from backcheck.checks.gates.file_exists import Gate as FileExists
from backcheck.checks.registry import gate_for
from backcheck.evidence.reading import read_whole
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces import asking
from backcheck.surfaces.cli.main import main

HEAD = "version: 1\nrequirements:\n"
Act = Callable[[Path], object]
CHECKS = {
    "reads": "file-contains, with: {file: note.txt, pattern: done}",
    "exists": "file-exists, with: {file: made.txt}",
    "lists": "not-empty, with: {path: out, min: 1}",
    "scope": "diff-scope, with: {allowed: [note.txt, 'out/**']}",
    "through": "file-contains, with: {file: link.txt, pattern: done}",
    "ignored": "file-contains, with: {file: run.log, pattern: done}",
}


class Disturbs(FileExists):
    """Stands for another process that writes to the tree while it is judged."""

    act: Act = staticmethod(lambda _root: None)

    def answer(self, evidence: Evidence) -> Answer:
        type(self).act(Path(evidence.tree.root))
        return passed("nothing")


@pytest.fixture
def judged(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The document of a check between two acts; the tree is a repository with a base."""

    def run(check: str, first: Act = lambda _: None, then: Act = lambda _: None, *, old: bool = False) -> Any:
        lines = f"  - {{id: a, check: file-exists, with: {{file: x}}}}\n  - {{id: it, check: {CHECKS[check]}}}\n"
        repo.write(".backcheck/contract.yaml", HEAD + lines + "  - {id: z, check: file-exists, with: {file: x}}\n")
        for path, text in {
            ".gitignore": "*.log\n.venv/\n",
            "note.txt": "done\n",
            "other.txt": "x\n",
            "out/a": "x\n",
        }.items():
            repo.write(path, text)
        (repo.root / "link.txt").symlink_to("note.txt")
        base = repo.commit()
        repo.write("run.log", "done\n")
        repo.write(".venv/x", "")
        if old:
            monkeypatch.setattr("backcheck.evidence.folder.RACY", -(10**12))
            monkeypatch.setattr("backcheck.evidence.survey.RACY", 0)

        def classes(requirement: Any, plugins: Any) -> Any:
            act = {"a": first, "z": then}.get(requirement.id)
            return gate_for(requirement, plugins) if act is None else type("D", (Disturbs,), {"act": staticmethod(act)})

        monkeypatch.setattr("backcheck.engine.gate_for", classes)
        call = ["check", "-C", str(repo.root), "--json", "--base", base]
        return json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)

    return run


def write(path: str, text: str) -> Act:
    return lambda root: (root / path).write_text(text)


def remove(path: str) -> Act:
    return lambda root: (root / path).unlink()


def put_back(root: Path) -> None:
    """The bytes and the times that were there; the change time cannot be set."""
    (root / "note.txt").write_text("done\n")
    os.utime(root / "note.txt", ns=(0, 0))


def swap_link(root: Path) -> None:
    (root / "link.txt").unlink()
    (root / "link.txt").symlink_to("other.txt")


UNSTEADY: dict[str, tuple[str, Act, Act, str]] = {
    "rewritten": ("reads", write("note.txt", "all done\n"), lambda _: None, "note.txt"),
    "rewritten in the same size": ("reads", write("note.txt", "done!"), lambda _: None, "note.txt"),
    "rewritten and put back": ("reads", write("note.txt", "DONE done\n"), put_back, "note.txt"),
    "put back with its times": ("scope", put_back, lambda _: None, "note.txt"),
    "made": ("exists", write("made.txt", ""), lambda _: None, "made.txt"),
    "made and removed": ("exists", write("made.txt", ""), remove("made.txt"), "made.txt"),
    "removed and put back": ("reads", remove("note.txt"), write("note.txt", "done\n"), "note.txt"),
    "added to a folder": ("lists", write("out/b", ""), remove("out/b"), "out/b"),
    "removed from a folder": ("lists", remove("out/a"), lambda _: None, "out/a"),
    "changed under the diff": ("scope", write("other.txt", "y\n"), write("other.txt", "x\n"), "other.txt"),
    "hidden from the diff": ("scope", remove("other.txt"), write("other.txt", "x\n"), "other.txt"),
    "a folder hidden from the diff": ("scope", lambda root: shutil.rmtree(root / "out"), lambda _: None, "out/a"),
    "shown to the diff only": ("scope", write("out/new", ""), remove("out/new"), "out/new"),
    "a link that leads elsewhere": ("through", swap_link, lambda _: None, "link.txt"),
}


@pytest.mark.parametrize("name", UNSTEADY)
def test_what_moved_under_a_check_is_no_answer(judged: Callable[..., Any], name: str) -> None:
    check, first, then, path = UNSTEADY[name]
    document = judged(check, first, then)
    own = [f for f in document["findings"] if f["requirement"] == "backcheck:tree-changed"]
    assert [(f["status"], f["blame"]) for f in own] == [("unclear", "environment")]
    assert f"the tree changed while it was judged: {path}" in own[0]["reason"]
    assert document["verdict"] != "PASS"


STEADY: dict[str, tuple[str, Act]] = {
    "nothing moves": ("reads", lambda _: None),
    "another file than the one that is read": ("reads", write("other.txt", "y\n")),
    "an ignored file that is read": ("ignored", write("run.log", "done done\n")),
    "an ignored file beside": ("scope", write("new.log", "x\n")),
    "an ignored folder": ("scope", write(".venv/y", "x\n")),
    "a folder with ignored ones in it": ("lists", write("out/x.log", "")),
    "the diff of a quiet tree": ("scope", lambda _: None),
    "a link": ("through", lambda _: None),
    "git's own files": ("scope", write(".git/x", "")),
}


@pytest.mark.parametrize("name", STEADY)
def test_work_elsewhere_does_not_disturb(judged: Callable[..., Any], name: str) -> None:
    check, first = STEADY[name]
    document = judged(check, first)
    assert [f["status"] for f in document["findings"]] == ["pass"] * 3
    assert document["verdict"] == "PASS"


def test_files_that_were_changed_long_before_the_pass_need_no_state_of_it(judged: Callable[..., Any]) -> None:
    assert judged("scope", old=True)["verdict"] == "PASS"


def test_two_checks_that_met_two_things_met_no_tree(tmp_path: Path) -> None:
    """There and gone again between two looks: neither the first nor the last look tells."""
    tree = DiskTree(str(tmp_path))
    for there in (False, True, False):
        if there:
            (tmp_path / "a").write_text("")
        tree.entry("a")
        tree.names(".")
        (tmp_path / "a").unlink(missing_ok=True)
    steady = tree.survey([]).steady
    assert steady is not None
    tree.seen.look_again(tree.top)
    assert tree.seen.unsteady == {"a", ""}
    assert "a" in steady.differing(tree.seen, tree.outside)


def test_bytes_that_were_there_only_while_they_were_read_are_no_answer(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate reads the files of a change by itself, after the trees were compared."""
    repo.write(".backcheck/contract.yaml", HEAD + "  - {id: it, check: placeholder}\n")
    base = repo.commit()
    left = repo.write("src/left.py", "def f():\n    raise NotImplementedError  # TODO\n")
    call = ["check", "-C", str(repo.root), "--json", "--base", base]
    assert json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)["verdict"] == "REJECT"
    name = "backcheck.checks.touched.read_whole"

    def shown_another(path: str, **more: Any) -> bytes:
        kept = left.read_bytes()
        left.write_text("def f():\n    return 1\n")
        data = read_whole(path, **more)
        left.write_bytes(kept)
        return data

    monkeypatch.setattr(name, shown_another)
    document = json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)
    assert [(f["check"], f["status"]) for f in document["findings"]] == [
        ("placeholder", "pass"),
        ("tree-changed", "unclear"),
    ]
    assert document["verdict"] == "UNCLEAR"


def test_what_moves_after_the_commands_and_before_the_pass_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".backcheck").mkdir()
    (tmp_path / ".backcheck/contract.yaml").write_text(HEAD + "  - {id: c, check: command, with: {run: 'true'}}\n")
    (tmp_path / "guard.py").write_text("tampered = True\n")
    forget = asking._forget

    def restore(run: Any) -> None:
        (tmp_path / "guard.py").write_text("tampered = False\n")
        forget(run)

    call = ["check", "-C", str(tmp_path), "--json"]
    assert json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)["verdict"] == "PASS"
    monkeypatch.setattr(asking, "_forget", restore)
    document = json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)
    assert document["findings"][-1]["requirement"] == "backcheck:tree-changed"
    assert "while it was judged: guard.py" in document["findings"][-1]["reason"]
    assert document["verdict"] == "UNCLEAR"


def test_git_files_that_a_check_reads_are_part_of_what_was_judged(repo: Repo) -> None:
    contract = HEAD + "  - {id: r, check: file-contains, with: {file: .git/COMMIT_EDITMSG, pattern: .}}\n"
    repo.write(".backcheck/contract.yaml", contract)
    repo.commit("first")
    call = ["check", "-C", str(repo.root), "--json"]
    first = json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)
    assert first["evidence"]["beside"] == [".git/COMMIT_EDITMSG"]
    repo.write(".git/COMMIT_EDITMSG", "another")
    second = json.loads(CliRunner().invoke(main, call, standalone_mode=False).stdout)
    assert first["tree"]["digest"] != second["tree"]["digest"]
