"""What a linter's or type checker's report says: values only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad the tool says it is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Level).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing that the tool said. `rule` is empty where it names none, `line` 0 where it names no line."""

    level: Level
    rule: str
    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LintReport:
    """A report.

    `suppressed` are remarks that somebody silenced, `unparsed` those that say a file could not be parsed (they are in
    `remarks` too): that file was not looked at. `files` are the paths that were looked at, None where the format does not
    say; `looked_at` is how many, None where that is not said either. `failures` say that the tool did not do its work,
    `contradictions` that the report contradicts itself; both in words that follow its name, and with either nothing passes.
    `silence` is None where a report without remarks says nothing of whether files were looked at, even after a run that
    ended with 0; else such a run looked at some, unless its output holds these words (empty: it always says so).
    """

    format: str
    remarks: tuple[Remark, ...]
    suppressed: tuple[Remark, ...] = ()
    unparsed: tuple[Remark, ...] = ()
    files: frozenset[str] | None = None
    looked_at: int | None = None
    failures: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    silence: str | None = None

    @property
    def signs(self) -> int:
        """How many files were certainly looked at: those listed or counted, else those with a remark that were parsed."""
        if self.files is not None or self.looked_at is not None:
            return max(len(self.files or ()), self.looked_at or 0)
        return len({remark.path for remark in self.remarks} - {remark.path for remark in self.unparsed} - {""})


def count_levels(remarks: Iterable[Remark]) -> dict[Level, int]:
    """Level → how many, every level named."""
    counts = dict.fromkeys(Level, 0)
    for remark in remarks:
        counts[remark.level] += 1
    return counts
