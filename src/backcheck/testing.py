"""The harness of gates, for this project's tests and for plugin authors: a table of cases, and hostile input for all.

    CASES = [Case("a stub fails", {"file": "a.py"}, {"a.py": "pass"}, "fail")]
    test_cases = table("shape", CASES)          # in tests; every row is one test

Trees are written into a fresh folder; a value of a tree is text, bytes, or one of the specials below.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backcheck.checks.api import Answer, Evidence
from backcheck.checks.binding import bind
from backcheck.checks.registry import own_gate
from backcheck.checks.running import Mix, Ran, RunAsked
from backcheck.contract.model import Requirement
from backcheck.errors import Position
from backcheck.evidence.base import Base, Origin
from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.commands import allowed_environment
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.objects import Node, blob_id
from backcheck.evidence.probing import Probed
from backcheck.evidence.workspace import DiskTree
from backcheck.verdict import Provenance


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link with this target."""

    target: str


@dataclass(frozen=True, slots=True)
class Fifo:
    """A named pipe."""


@dataclass(frozen=True, slots=True)
class Folder:
    """An empty folder."""


@dataclass(frozen=True, slots=True)
class Sparse:
    """A file of this many bytes that takes no room, ending in `tail`."""

    size: int
    tail: bytes = b""


Content = str | bytes | Link | Fifo | Folder | Sparse


@dataclass(frozen=True, slots=True)
class Case:
    """One row: arguments, tree, the status expected, and a part of the reason."""

    name: str
    arguments: Mapping[str, Any]
    tree: Mapping[str, Content]
    status: str
    reason: str = ""
    where: Sequence[str] = field(default=())
    base: Mapping[str, str | bytes] | None = None


def write_tree(root: Path, tree: Mapping[str, Content]) -> None:
    """Write a tree into a folder."""
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Folder):
            path.mkdir(exist_ok=True)
        elif isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, Fifo):
            os.mkfifo(path)
        elif isinstance(content, Sparse):
            with path.open("wb") as handle:
                handle.truncate(content.size - len(content.tail))
                handle.seek(0, os.SEEK_END)
                handle.write(content.tail)
        else:
            path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def make_gate(check: str | type[Any], arguments: Mapping[str, Any]) -> Any:
    """A gate, by its name or its class, bound to arguments as a contract gives them."""
    gate = own_gate(check) if isinstance(check, str) else check
    name = check if isinstance(check, str) else check.__name__
    return bind(Requirement(id="case", check=name, arguments=arguments, position=Position(path="case")), gate)


def evidence_of(root: Path, *, base: Mapping[str, str | bytes] | None = None) -> Evidence:
    """Evidence over a folder on disk; `base` is the tree before the work (all regular files), None for no base."""
    tree = DiskTree(str(root))
    evidence = Evidence(tree=tree, command_folder=str(root), raw=lambda path: tree.read(path, limit=MAX_FILE))
    evidence.final_nodes = lambda: disk_blobs(tree.top, list(tree.paths()), 40)
    evidence.prober = lambda script, language, seconds: _probed(tree, script, language, seconds)
    if base is not None:
        blobs = {path: text.encode() if isinstance(text, str) else text for path, text in base.items()}
        ids = {path: blob_id(data, 40) for path, data in blobs.items()}
        evidence.base = Base(commit="0" * 40, origin=Origin.GIVEN, name="base")
        evidence.base_nodes = lambda: {path: Node("100644", oid) for path, oid in ids.items()}
        evidence.base_blob = {ids[path]: data for path, data in blobs.items()}.get
        evidence.mixer = lambda asked, mix: _mixed(tree, blobs, asked, mix)
    return evidence


def _mixed(tree: DiskTree, base: Mapping[str, bytes], asked: RunAsked, mix: Mix) -> Ran:
    """Run a command in a copy of two trees, as a check of a real repository does."""
    from backcheck.evidence.cleancopy import Copied
    from backcheck.evidence.observing import Plan, observe

    head = {path: tree.read(path, limit=MAX_FILE) for path in tree.paths()}
    code, other = (head, base) if mix.code == "head" else (base, head)
    files = {path: data for path, data in code.items() if path not in mix.paths}
    files |= {path: data for path, data in other.items() if path in mix.paths}

    def copy(into: str) -> Copied:
        write_tree(Path(into), {path: data for path, data in files.items()})
        return Copied(files=len(files))

    seen = observe(Plan(copy=copy, paths=lambda: files, digest=str), asked.argv, "", allowed_environment(asked.variables),
                   asked.limits, asked.reports)  # fmt: skip
    return Ran(result=seen.result, reports=seen.reports, provenance=Provenance.OBSERVED, isolation=seen.isolation)


def _probed(tree: DiskTree, script: bytes, language: str, seconds: float) -> Probed:
    from backcheck.evidence.cleancopy import copy_disk
    from backcheck.evidence.observing import Plan
    from backcheck.evidence.probing import run_probe

    plan = Plan(copy=lambda into: copy_disk(tree.top, tree.paths(), into), paths=tree.paths, digest=str)
    return run_probe(plan, script, language, "", seconds)


def ask(
    check: str | type[Any], arguments: Mapping[str, Any], root: Path, *, base: Mapping[str, str | bytes] | None = None
) -> Answer:
    """Ask a gate about a folder."""
    answer: Answer = make_gate(check, arguments).answer(evidence_of(root, base=base))
    return answer


@contextmanager
def tree_of(tree: Mapping[str, Content]) -> Iterator[Path]:
    """A fresh folder that holds a tree."""
    with tempfile.TemporaryDirectory(prefix="backcheck-case-") as folder:
        root = Path(folder)
        write_tree(root, tree)
        yield root


def check_case(check: str | type[Any], case: Case) -> None:
    """Run one row twice and assert its answer, that it is the same both times and that the tree is unchanged."""
    with tree_of(case.tree) as root:
        before = sorted(str(path) for path in root.rglob("*"))
        first = ask(check, case.arguments, root, base=case.base)
        second = ask(check, case.arguments, root, base=case.base)
        after = sorted(str(path) for path in root.rglob("*"))
    assert first.status.value == case.status, f"{case.name}: {first.status.value}, {first.reason}"
    assert case.reason in first.reason, f"{case.name}: {first.reason}"
    assert (first.status, first.reason) == (second.status, second.reason), f"{case.name}: two answers"
    assert before == after, f"{case.name}: the gate changed the tree"
    places = [f"{p.path}:{p.line}" if p.line else p.path for p in first.where]
    for place in case.where:
        assert place in places, f"{case.name}: {place} not in {places}"


#: Files that every gate with a `file` must answer without a pass, a hang or an exception.
HOSTILE: Mapping[str, Content] = {
    "empty": "",
    "blank": " \n\t\n",
    "nul": b"\0" * 64,
    "invalid": b"\xff\xfe\xfa" * 40,
    "folder": Folder(),
    "fifo": Fifo(),
    "link-out": Link("/etc/hostname"),
    "device": Link("/dev/zero"),
    "loop": Link("loop"),
    "huge": Sparse(600 * 1024 * 1024),
}


def check_canary(check: str | type[Any]) -> None:
    """Assert that a gate's own known-wrong case turns it red."""
    gate = own_gate(check) if isinstance(check, str) else check
    with tree_of(dict(gate.canary.files)) as root:
        answer = ask(check, gate.canary.arguments, root, base=gate.canary.base)
    assert answer.status.value == "fail", f"the canary of {check} gave {answer.status.value}: {answer.reason}"
