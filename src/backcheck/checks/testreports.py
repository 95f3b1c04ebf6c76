"""Where a test report comes from: files of the tree, what a run of this check wrote, or what it printed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.files import no_file
from backcheck.checks.obtained import check_source, obtain
from backcheck.checks.running import NotRun, Ran, RunAsked, run
from backcheck.evidence.commands import Limits
from backcheck.evidence.globs import GlobError, Globs, check_glob, has_wildcard
from backcheck.evidence.limits import MAX_FILE, size
from backcheck.evidence.paths import join, shown
from backcheck.evidence.reading import Unreadable, open_regular
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.xmlstream import pieces_of
from backcheck.evidence.workspace import DiskTree, Kind
from backcheck.verdict import Blame, Isolation, Place, Provenance

MAX_REPORTS = 2000
MAX_LISTED = 200_000
MAX_SIZE = 2 * 1024**3
_STEP = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One report. `data` are its bytes where a run gave them; else it is read from the tree, piece by piece."""

    path: str
    evidence: Evidence
    data: bytes | None = None
    ran: Ran | None = None
    #: When the command was started, where it was started for this answer.
    began: datetime | None = None

    @property
    def name(self) -> str:
        """How a reason names it."""
        return shown(self.path) if self.path else "what the command printed"

    @property
    def where(self) -> tuple[Place, ...]:
        """The report as a place."""
        return (Place(path=shown(self.path)),) if self.path else ()

    @property
    def seen(self) -> dict[str, Any]:
        """Provenance and isolation for an answer: outcomes are told by a process that the code under judgement shares."""
        if self.ran is None:
            return {"provenance": Provenance.ASSERTED}
        isolation = Isolation.NONE if self.ran.isolation is Isolation.NONE else Isolation.IN_PROCESS
        return {"provenance": self.ran.provenance, "isolation": isolation}

    @property
    def said(self) -> str:
        """Who wrote it, in words that follow a reason."""
        if self.ran is None:
            return f"; {self.name} lay in the tree, written by somebody"
        return f"; {self.ran.said}" if self.ran.said else ""

    def pieces(self) -> Iterable[bytes]:
        """The report from its start. Errors: ReportProblem."""
        if self.data is not None:
            return pieces_of(self.data)
        return _from_tree(self.evidence, self.path)


def check_command(report: str, command: str | Sequence[str] | None, variables: Sequence[str]) -> None:
    """Refuse what could not be read or run. Errors: ArgumentError."""
    check_source(report or "printed", command, variables)
    if not has_wildcard(report):
        return
    if command is not None:
        raise ArgumentError("report", "the report of a run is one file; give its path without wildcards")
    try:
        check_glob(report)
    except GlobError as error:
        raise ArgumentError("report", f"{report!r}: {error}") from None


def sources_of(evidence: Evidence, report: str, command: str | Sequence[str] | None, *, seconds: float,
               variables: Sequence[str]) -> list[Source] | Answer:  # fmt: skip
    """The reports to read, at least one, or the answer where there is none."""
    if command is not None:
        if not report:
            return _printed(evidence, command, seconds, variables)
        started = datetime.now(UTC)
        got = obtain(evidence, report, command, seconds=seconds, variables=variables)
        if isinstance(got, Answer):
            return got
        return [Source(path=report, evidence=evidence, data=got.data, ran=got.ran, began=_began(got.ran, started))]
    if not has_wildcard(report):
        entry = evidence.tree.entry(report)
        return [Source(path=report, evidence=evidence)] if entry.kind is Kind.FILE else no_file(entry)
    try:
        paths = _matching(evidence, report)
    except Unreadable as problem:
        return unclear(f"{report}: {problem}", blame=Blame.ENVIRONMENT, remedy="Narrow the glob.")
    if not paths:
        return failed(f"no file matches {report}", remedy="Run the tests that write this report.")
    return [Source(path=path, evidence=evidence) for path in paths]


def _printed(
    evidence: Evidence, command: str | Sequence[str], seconds: float, variables: Sequence[str]
) -> list[Source] | Answer:
    asked = RunAsked(run=command, variables=variables, limits=Limits(seconds=seconds))
    started = datetime.now(UTC)
    try:
        ran = run(evidence, asked)
    except NotRun as problem:
        return unclear(problem.reason, blame=problem.blame, remedy=problem.remedy)
    result = ran.result
    if result.problem:
        return unclear(result.problem, blame=Blame.ENVIRONMENT, remedy="Install the command here.")
    source = Source(path="", evidence=evidence, data=result.head + result.tail, ran=ran, began=_began(ran, started))
    if result.stopped or result.signal:
        how = f"was stopped: {result.stopped}" if result.stopped else f"was ended by {result.signal}"
        return failed(f"the command {how}", remedy="Find out what ended it.", **source.seen)
    if result.printed > len(result.head) + len(result.tail) and result.code != 0:
        return failed(f"the command ended with {result.code} and printed {result.printed:,} bytes",
                      remedy="Mend what the command reports.", **source.seen)  # fmt: skip
    if result.printed > len(result.head) + len(result.tail):
        return unclear(f"the command printed {result.printed:,} bytes, more than is kept", blame=Blame.CONTRACT,
                       remedy="Let it write a report, and name it as `report`.", **source.seen)  # fmt: skip
    return [source]


def _began(ran: Ran | None, started: datetime) -> datetime | None:
    return None if ran is None or ran.replayed else started


def _from_tree(evidence: Evidence, path: str) -> Iterator[bytes]:
    tree = evidence.tree
    try:
        if isinstance(tree, DiskTree):
            yield from _streamed(tree, path)
        else:
            yield from pieces_of(tree.read(path, limit=MAX_FILE))
    except (Unreadable, OSError) as problem:
        raise ReportProblem(str(problem)) from None


def _streamed(tree: DiskTree, path: str) -> Iterator[bytes]:
    """A file of any size in pieces; one that git ignores is bound to the verdict by its digest, as if read whole."""
    entry = tree.entry(path)
    if entry.kind is not Kind.FILE:
        raise Unreadable(entry.note)
    descriptor, state = open_regular(entry.real)
    with open(descriptor, "rb") as file:
        if state.st_size > MAX_SIZE:
            raise Unreadable(f"holds {size(state.st_size)}; the limit is {size(MAX_SIZE)}")
        digest = hashlib.sha256()
        while piece := file.read(_STEP):
            digest.update(piece)
            yield piece
    inside = os.path.relpath(entry.real, tree.top)
    if tree.outside(inside):
        tree.beside[inside] = digest.hexdigest()


def _matching(evidence: Evidence, glob: str) -> list[str]:
    """Files that a glob names, ignored ones too: reports mostly are. Errors: Unreadable, since one of them may be a red one."""
    globs = Globs([glob])
    found: list[str] = []
    stack, listed = [""], 0
    while stack:
        folder = stack.pop()
        if len(found) > MAX_REPORTS or listed > MAX_LISTED:
            raise Unreadable(f"more than {MAX_REPORTS:,} reports, or {MAX_LISTED:,} names to look through")
        for name in evidence.tree.names(folder or "."):
            listed += 1
            path = join(folder, name)
            kind = evidence.tree.entry(path).kind
            if kind is Kind.FILE and path in globs:
                found.append(path)
            elif kind is Kind.FOLDER and name not in (".git", "node_modules") and globs.may_hold(path):
                stack.append(path)
    return sorted(found)
