"""How a gate has a command run: it says what it wants; where and how strongly that is seen, the surface decides.

Without a surface (a test of a gate) it runs here, in the tree itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from backcheck.evidence.commands import Limits, Result, allowed_environment, run_command
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.masking import mask, printable
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import DiskTree
from backcheck.verdict import Blame, Isolation, Provenance

if TYPE_CHECKING:
    from backcheck.checks.api import Evidence

#: Lines of output that a reason quotes, and its longest line.
LINES = 3
LINE_LENGTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAsked:
    """A command (text: for `/bin/sh -c`), names of variables it may see beside the usual ones, its limits, and the paths
    (from the contract's root) of the reports that it is to write."""

    run: str | Sequence[str]
    variables: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)
    reports: Sequence[str] = ()

    @property
    def argv(self) -> list[str]:
        """The call as the system sees it."""
        return ["/bin/sh", "-c", self.run] if isinstance(self.run, str) else list(self.run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How it ended, the bytes of the reports that this very run wrote, and how it was seen. `stale` are reports that lie
    there but were not written by it; `said` is what a reader should know, in words that follow the finding's reason.
    `replayed`: it is the record of an earlier run."""

    result: Result
    reports: Mapping[str, bytes] = field(default_factory=dict)
    stale: Sequence[str] = ()
    provenance: Provenance = Provenance.RECORDED
    isolation: Isolation = Isolation.NONE
    said: str = ""
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """A clean copy of `code` (`head`: the tree under judgement, or `base`) in which `paths` (from the repository's top) are the
    other tree's."""

    code: str
    paths: frozenset[str]


class NotRun(Exception):
    """The command was not run. `status` of the answer is unclear; `remedy` says what helps."""

    def __init__(self, reason: str, blame: Blame = Blame.ENVIRONMENT, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason, self.blame, self.remedy = reason, blame, remedy


def run(evidence: Evidence, asked: RunAsked) -> Ran:
    """Have it run as the requirement demands. Errors: NotRun."""
    if evidence.runner is not None:
        return evidence.runner(asked)
    return run_here(evidence, asked)


def run_on(evidence: Evidence, asked: RunAsked, mix: Mix) -> Ran:
    """Have it run in a clean copy of two trees. Errors: NotRun."""
    if evidence.mixer is None:
        raise NotRun("copies of two trees are made by `backcheck check` only", Blame.VERIFIER)
    return evidence.mixer(asked, mix)


def run_here(evidence: Evidence, asked: RunAsked) -> Ran:
    """Run in the working tree, with the caller's rights. Errors: NotRun where that is not what is judged."""
    folder = evidence.command_folder
    if folder is None:
        raise NotRun(
            f"it was not run: the {evidence.tree.label} is judged, and the files on disk are others",
            remedy="Judge the working tree, or make it the same as what is judged.",
        )
    before = {path: _state(folder, path) for path in asked.reports}
    result = run_command(asked.run, folder, allowed_environment(asked.variables), asked.limits)
    tree = DiskTree(evidence.tree.root if isinstance(evidence.tree, DiskTree) else folder)
    found, stale = {}, []
    for path in asked.reports:
        state = _state(folder, path)
        if state is None:
            continue
        if state == before[path]:
            stale.append(path)
            continue
        try:
            found[path] = tree.read(path, limit=MAX_FILE)
        except Unreadable as problem:
            raise NotRun(f"its report {shown(path)} {problem}", Blame.AGENT, "Let it write a regular file.") from None
    return Ran(result=result, reports=found, stale=stale)


def _state(folder: str, path: str) -> tuple[int, int, int] | None:
    try:
        state = os.lstat(os.path.join(folder, path))
    except OSError:
        return None
    return state.st_ctime_ns, state.st_ino, state.st_size


def last_words(result: Result) -> str:
    """The last lines that a command printed, masked, as words that follow a reason; empty where it printed none."""
    text = printable(mask(result.output))
    lines = [line.strip() for line in text.splitlines() if any(map(str.isalnum, line))][-LINES:]
    return f": {' | '.join(line[:LINE_LENGTH] for line in lines)}" if lines else ""
