"""What a test report says, case by case: values only. Nothing is believed that is not counted from the cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

#: Longest name and message that are kept.
MAX_NAME = 500
MAX_MESSAGE = 300
#: Contradictions, doubts and notes that are kept of one report.
MAX_TOLD = 20


class Outcome(StrEnum):
    """How a case ended. `FLAKY` passed only when it was repeated."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    FLAKY = "flaky"


class CaseResult(NamedTuple):
    """One case: what it belongs to (a class, a suite, a package), its name, and how it ended. `file` may be empty."""

    group: str
    name: str
    outcome: Outcome
    message: str = ""
    file: str = ""

    @property
    def id(self) -> str:
        """How a reason names it."""
        return f"{self.group}::{self.name}" if self.group else self.name


#: Told each case as it is read, so that a report of any length needs no more memory than a short one.
Sink = Callable[[CaseResult], None]


@dataclass(slots=True)
class ResultsReport:
    """What a report says beside its cases. `problems` are contradictions in it, in words that follow its name: with one of
    them nothing passes. `notes` are worth telling. `ran_at` is when it says that the tests ran, as it is written."""

    format: str
    problems: list[str] = field(default_factory=list)
    #: Signs that something was repeated until it passed, or that not all was understood: with one of them a person must look.
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ran_at: str = ""
    #: Whether it is what a program printed for people, which is easier to write by hand than a format for programs.
    printed: bool = False

    def contradict(self, problem: str) -> None:
        """Keep a contradiction, within bounds."""
        _keep(self.problems, problem)

    def doubt(self, doubt: str) -> None:
        """Keep a sign that a person must look, within bounds."""
        _keep(self.doubts, doubt)

    def note(self, note: str) -> None:
        """Keep what is worth telling, within bounds."""
        _keep(self.notes, note)


def _keep(told: list[str], one: str) -> None:
    if len(told) < MAX_TOLD and one not in told:
        told.append(one)


def case(group: str, name: str, outcome: Outcome, message: str = "", file: str = "") -> CaseResult:
    """A case with its texts cut to what is kept."""
    first = message.strip().partition("\n")[0]
    return CaseResult(group[:MAX_NAME], name[:MAX_NAME], outcome, first[:MAX_MESSAGE], file[:MAX_NAME])
