"""A report for a gate: the file that lies in the tree, or what a run of this check has just written."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from backcheck.checks.api import Answer, Evidence, broken, failed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.files import no_file, require_name
from backcheck.checks.running import NotRun, Ran, RunAsked, last_words, run
from backcheck.evidence.commands import Limits
from backcheck.evidence.limits import size
from backcheck.evidence.masking import mask, printable
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Blame, Isolation, Place, Provenance, Status

#: A report is held in memory while it is read.
MAX_REPORT = 128 * 1024 * 1024
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\*?")
_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Obtained:
    """A report's bytes, its path, and the run that wrote it, None where it lay in the tree."""

    path: str
    data: bytes
    ran: Ran | None = None

    @property
    def place(self) -> Place:
        """The report as a place."""
        return Place(path=shown(self.path))

    @property
    def provenance(self) -> Provenance:
        """How it came to be."""
        return self.ran.provenance if self.ran else Provenance.ASSERTED

    @property
    def isolation(self) -> Isolation:
        """How far it could be forged."""
        return self.ran.isolation if self.ran else Isolation.NONE

    def told(self, answer: Answer) -> str:
        """The reason of an answer; a pass also says who wrote its report."""
        if answer.status is not Status.PASS:
            return answer.reason
        if self.ran is None:
            return f"{answer.reason}; the report lay in the tree, written by somebody"
        return f"{answer.reason}; {self.ran.said}" if self.ran.said else answer.reason


def check_source(report: str, command: str | Sequence[str] | None, variables: Sequence[str]) -> None:
    """Refuse a report without a name, and a command that is none. Errors: ArgumentError."""
    require_name("report", report)
    if command is None:
        if variables:
            raise ArgumentError("env", "there is no command in `run` that could see these variables")
        return
    words = [command] if isinstance(command, str) else list(command)
    if not words or not words[0].strip() or any("\0" in word for word in words):
        raise ArgumentError("run", "the command is empty, or holds a NUL character")
    for name in variables:
        if not _VARIABLE.fullmatch(name):
            raise ArgumentError("env", f"`{name}` is no name of an environment variable")


def obtain(evidence: Evidence, report: str, command: str | Sequence[str] | None, *, seconds: float,
           variables: Sequence[str] = ()) -> Obtained | Answer:  # fmt: skip
    """The report, or the answer where there is none."""
    if command is None:
        return _lying(evidence, report)
    name = _called(command)
    try:
        ran = run(
            evidence, RunAsked(run=command, variables=variables, limits=Limits(seconds=seconds), reports=[report])
        )
    except NotRun as problem:
        return unclear(f"{name}: {problem.reason}", blame=problem.blame, remedy=problem.remedy)
    result = ran.result
    if result.problem:
        return broken(printable(result.problem), blame=Blame.ENVIRONMENT, remedy="Install the command here.")
    seen: dict[str, Any] = {"provenance": ran.provenance, "isolation": ran.isolation}
    if result.stopped or result.signal:
        how = f"was stopped: {result.stopped}" if result.stopped else f"was ended by {result.signal}"
        return failed(f"{name} {how}", remedy="Find out what ended it.", **seen)
    data = ran.reports.get(report)
    if data is not None:
        return Obtained(path=report, data=data, ran=ran)
    lies = " (one lies there that it did not write)" if report in ran.stale else ""
    return failed(f"{name} ended with {result.code} and wrote no report {shown(report)}{lies}{last_words(result)}",
                  remedy="Let the command write its report at this path, anew at each run.", **seen)  # fmt: skip


def _lying(evidence: Evidence, report: str) -> Obtained | Answer:
    entry = evidence.tree.entry(report)
    if entry.kind is not Kind.FILE:
        return no_file(entry)
    try:
        return Obtained(path=report, data=evidence.tree.read(report, limit=MAX_REPORT))
    except Unreadable as error:
        return unclear(f"{shown(report)} {error}", blame=Blame.ENVIRONMENT, where=(Place(path=shown(report)),),
                       remedy=f"Keep the report readable and below {size(MAX_REPORT)}.")  # fmt: skip


def _called(command: str | Sequence[str]) -> str:
    text = printable(mask(command if isinstance(command, str) else " ".join(command))).replace("\n", " ")
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"


def folder_of(report: str) -> str:
    """The folder in which a report lies, from the root."""
    return posixpath.normpath(posixpath.dirname(report)).removeprefix(".").strip("/")
