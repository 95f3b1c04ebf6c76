"""Where a test report comes from: files of the tree, what a run of this check wrote, or what it printed."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
from backcheck.evidence.reports.results_model import ResultsReport
from backcheck.evidence.reports.xmlstream import pieces_of
from backcheck.evidence.workspace import DiskTree, Kind
from backcheck.verdict import Blame, Isolation, Place, Provenance

MAX_REPORTS = 2000
MAX_LISTED = 200_000
MAX_SIZE = 2 * 1024**3
_STEP = 1 << 20
#: A time without a zone can be off by so much; a clock by a few minutes.
_ZONES = timedelta(hours=26)
_DIGITS = re.compile(r"\d{12,13}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One report. `data` are its bytes where a run gave them; else it is read from the tree, piece by piece."""

    path: str
    evidence: Evidence
    data: bytes | None = None
    ran: Ran | None = None

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

    def too_old(self, report: ResultsReport, base: datetime | None) -> str:
        """Why a report that lies in the tree says itself that it is no report on this work, or empty text."""
        ran_at = _time(report.ran_at)
        if self.ran is not None or base is None or ran_at is None or ran_at + _slack(report.ran_at) >= base:
            return ""
        return f"{self.name} says that it was written {ran_at:%Y-%m-%d}, before the work began ({base:%Y-%m-%d})"

    def too_new(self, report: ResultsReport) -> str:
        """Why its time cannot be, or empty text."""
        ran_at = _time(report.ran_at)
        if ran_at is None or ran_at <= datetime.now(UTC) + _ZONES:
            return ""
        return f"{self.name} says that it was written {ran_at:%Y-%m-%d}, which is still to come"


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
        got = obtain(evidence, report, command, seconds=seconds, variables=variables)
        return got if isinstance(got, Answer) else [Source(path=report, evidence=evidence, data=got.data, ran=got.ran)]
    if not has_wildcard(report):
        entry = evidence.tree.entry(report)
        return [Source(path=report, evidence=evidence)] if entry.kind is Kind.FILE else no_file(entry)
    paths = _matching(evidence, report)
    if len(paths) > MAX_REPORTS:
        return unclear(
            f"{report} names more than {MAX_REPORTS:,} files", blame=Blame.CONTRACT, remedy="Narrow the glob."
        )
    if not paths:
        return failed(f"no file matches {report}", remedy="Run the tests that write this report.")
    return [Source(path=path, evidence=evidence) for path in paths]


def _printed(
    evidence: Evidence, command: str | Sequence[str], seconds: float, variables: Sequence[str]
) -> list[Source] | Answer:
    asked = RunAsked(run=command, variables=variables, limits=Limits(seconds=seconds))
    try:
        ran = run(evidence, asked)
    except NotRun as problem:
        return unclear(problem.reason, blame=problem.blame, remedy=problem.remedy)
    result = ran.result
    if result.problem:
        return unclear(result.problem, blame=Blame.ENVIRONMENT, remedy="Install the command here.")
    source = Source(path="", evidence=evidence, data=result.head + result.tail, ran=ran)
    if result.stopped or result.signal:
        how = f"was stopped: {result.stopped}" if result.stopped else f"was ended by {result.signal}"
        return failed(f"the command {how}", remedy="Find out what ended it.", **source.seen)
    if result.printed > len(result.head) + len(result.tail):
        return unclear(f"the command printed {result.printed:,} bytes, more than is kept", blame=Blame.CONTRACT,
                       remedy="Let it write a report, and name it as `report`.", **source.seen)  # fmt: skip
    return [source]


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
    """Files that a glob names, ignored ones too: reports mostly are."""
    globs = Globs([glob])
    found: list[str] = []
    stack, listed = [""], 0
    while stack and len(found) <= MAX_REPORTS and listed < MAX_LISTED:
        folder = stack.pop()
        try:
            names = evidence.tree.names(folder or ".")
        except Unreadable:
            continue
        for name in names:
            listed += 1
            path = join(folder, name)
            kind = evidence.tree.entry(path).kind
            if kind is Kind.FILE and path in globs:
                found.append(path)
            elif kind is Kind.FOLDER and name not in (".git", "node_modules") and globs.may_hold(path):
                stack.append(path)
    return sorted(found)


def _time(text: str) -> datetime | None:
    if _DIGITS.fullmatch(text):
        return datetime.fromtimestamp(int(text) / 1000, UTC)
    try:
        found = datetime.fromisoformat(text[:35])
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _slack(text: str) -> timedelta:
    zoned = _DIGITS.fullmatch(text) or text.endswith("Z") or re.search(r"[+-]\d\d:?\d\d$", text)
    return timedelta(minutes=10) if zoned else _ZONES
