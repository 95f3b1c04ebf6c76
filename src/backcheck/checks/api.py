"""The seam between the engine and a gate: what a gate is given, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from backcheck.evidence.base import Base
from backcheck.evidence.git import GitError
from backcheck.evidence.lfs import Pointer
from backcheck.evidence.objects import Node
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.search import Search
from backcheck.evidence.survey import Tally
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import Workspace
from backcheck.verdict import Blame, Channel, Finding, Isolation, Place, Provenance, Status

if TYPE_CHECKING:
    from datetime import datetime

    from backcheck.checks.running import Mix, Ran, RunAsked
    from backcheck.contract.model import Requirement
    from backcheck.evidence.probing import Probed
    from backcheck.evidence.submodules import Module


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a gate says; the engine adds the requirement's own fields to make it a Finding."""

    status: Status
    reason: str
    where: tuple[Place, ...] = ()
    remedy: str = ""
    blame: Blame | None = None
    provenance: Provenance | None = None
    isolation: Isolation = Isolation.NONE
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Evidence:
    """Everything that a gate may look at. `tally` answers a search that the gate announced by `searches`."""

    tree: Workspace
    base: Base | None = None
    #: Every path of the base from the repository's top, or None where there is no base.
    base_nodes: Callable[[], Mapping[str, Node] | None] = lambda: None
    #: A blob of the base by its id.
    base_blob: Callable[[str], bytes | None] = lambda _oid: None
    #: Every path of the tree under judgement from the repository's top, as (mode, git blob id).
    final_nodes: Callable[[], Mapping[str, tuple[str, str]]] = dict
    #: When the base was committed; None where there is no base.
    base_time: Callable[[], datetime | None] = lambda: None
    #: A submodule of the base on disk: path, commit → its tree (submodules.Modules.at), why it cannot be told, None: gone.
    module: Callable[[str, str], Module | str | None] | None = None
    #: Bytes of a file of the tree under judgement, by its path from the repository's top. Errors: Unreadable.
    raw: Callable[[str], bytes] = lambda _path: b""
    #: Whether a file on disk (path from the top) is the content of a Git LFS pointer. Errors: Unreadable.
    is_content: Callable[[str, Pointer], bool] | None = None
    #: What the base's `.gitattributes` say of a file on disk, by its path from the top. Errors: GitError.
    attributes: Callable[[str], Mapping[str, str]] = lambda _path: {}
    tallies: dict[str, Tally] = field(default_factory=dict)
    #: Runs commands in place; None where the tree under judgement is not the one on disk.
    command_folder: str | None = None
    #: Has commands run as the requirement that is asked demands; None runs them in place. Errors: running.NotRun.
    runner: Callable[[RunAsked], Ran] | None = None
    #: Has a command run in a clean copy of base and tree. Errors: running.NotRun.
    mixer: Callable[[RunAsked, Mix], Ran] | None = None
    #: Drives the code by a probe's script (its bytes, the language, seconds). Errors: running.NotRun.
    prober: Callable[[bytes, str, float], Probed] | None = None
    #: The requirement that is being asked, for the runner; the engine sets it.
    asking: Requirement | None = None
    repository_top: str = ""
    #: Paths from the repository's top that commands made while this tree was judged; they were not there before.
    made: frozenset[str] = frozenset()
    #: Folder of the contract's root below the repository's top.
    prefix: str = ""

    def tally(self, search: Search) -> Tally:
        """What the pass over the tree found for a search; asked anew where no pass was made for it."""
        if search.key not in self.tallies:
            try:
                self.tallies[search.key] = self.tree.survey([search]).tallies[0]
            except (TooLarge, WorkerDied, GitError, OSError) as error:
                self.tallies[search.key] = Tally(problems=[(".", f"could not be read whole: {error}")])
        return self.tallies[search.key]


class Check(Protocol):
    """A gate: a frozen dataclass of its parameters with one method.

    `channel` says what it reads, `provenance` the strongest provenance that it can give. A gate that searches the tree
    may have `searches()`; the engine then makes one pass for all of them. One that runs something though its channel is
    not `execution` says so by a property `executes`; it is then asked before the tree is read, as commands are.
    """

    channel: ClassVar[Channel]
    provenance: ClassVar[Provenance]

    def answer(self, evidence: Evidence) -> Answer:
        """Answer the one question. Must not write, and must be bounded."""
        ...


def passed(reason: str, **more: object) -> Answer:
    """A pass."""
    return Answer(status=Status.PASS, reason=reason, **more)  # type: ignore[arg-type]


def failed(reason: str, *, blame: Blame = Blame.AGENT, **more: object) -> Answer:
    """A failure, the agent's unless said otherwise."""
    return Answer(status=Status.FAIL, reason=reason, blame=blame, **more)  # type: ignore[arg-type]


def unclear(reason: str, *, blame: Blame, **more: object) -> Answer:
    """No answer; a person must look."""
    return Answer(status=Status.UNCLEAR, reason=reason, blame=blame, **more)  # type: ignore[arg-type]


def broken(reason: str, *, blame: Blame = Blame.VERIFIER, **more: object) -> Answer:
    """The verifier could not do its work."""
    return Answer(status=Status.ERROR, reason=reason, blame=blame, **more)  # type: ignore[arg-type]


__all__: Sequence[str] = (
    "Answer", "Base", "Check", "Evidence", "Finding", "Place", "broken", "failed", "passed", "unclear",
)  # fmt: skip
