"""What a coverage report says, file by file: values only. Totals are always counted from the files' elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class Measure(StrEnum):
    """What is counted."""

    LINES = "lines"
    BRANCHES = "branches"
    STATEMENTS = "statements"
    FUNCTIONS = "functions"


class Share(NamedTuple):
    """So many of so many."""

    covered: int
    total: int

    @property
    def fraction(self) -> Fraction:
        """The exact share, 0 to 1; 0 of 0 is nothing and has none (ZeroDivisionError)."""
        return Fraction(self.covered, self.total)

    def __str__(self) -> str:
        return f"{self.covered:,} of {self.total:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCoverage:
    """One file. `lines` are its executable lines and whether each was executed, None where the format only counts them;
    `excluded` are lines that were taken out of measuring; `shares` hold every measure that the report has of this file."""

    path: str
    lines: Mapping[int, bool] | None
    shares: Mapping[Measure, Share]
    excluded: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """A report. `sources` are folders that relative paths may count from; `problems` are contradictions in it, in words
    that follow its name: with one of them nothing passes. `notes` are worth telling and no more."""

    format: str
    files: tuple[FileCoverage, ...]
    sources: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def line_share(lines: Mapping[int, bool]) -> Share:
    """Counted from the lines."""
    return Share(sum(lines.values()), len(lines))


def added(shares: Iterable[Share]) -> Share:
    """The sum."""
    covered = total = 0
    for share in shares:
        covered += share.covered
        total += share.total
    return Share(covered, total)


def total_of(files: Iterable[FileCoverage], measure: Measure) -> Share | None:
    """The sum over the files that have this measure; None where none has it."""
    shares = [file.shares[measure] for file in files if measure in file.shares]
    return added(shares) if shares else None


def joined(first: FileCoverage, second: FileCoverage) -> FileCoverage | None:
    """Two entries about one file as one: a line counts as executed where one of them says so. None where an entry only
    counts, or where they disagree on what else there is to execute: then they cannot be joined."""
    if first.lines is None or second.lines is None:
        return None
    lines = {number: first.lines.get(number, False) or second.lines.get(number, False)
             for number in sorted({*first.lines, *second.lines})}  # fmt: skip
    shares = {Measure.LINES: line_share(lines)}
    for measure in set(first.shares) | set(second.shares):
        if measure is Measure.LINES:
            continue
        one, other = first.shares.get(measure), second.shares.get(measure)
        if one is None or other is None or one.total != other.total:
            return None
        # Which of the elements each of them saw is not known here; the larger number is certain.
        shares[measure] = max(one, other)
    return FileCoverage(path=first.path, lines=lines, shares=shares, excluded=first.excluded | second.excluded)


def rate_fits(share: Share, rate: Decimal, *, scale: int, slack: Fraction) -> bool:
    """Whether a declared rate (of `scale`: 1 or 100) is the share, rounded or cut off to its places or within `slack`."""
    if share.total == 0:
        return True
    exponent = rate.as_tuple().exponent
    unit = Fraction(1, 10**-exponent) if isinstance(exponent, int) and exponent < 0 else Fraction(0)
    return abs(Fraction(rate) - share.fraction * scale) <= max(unit, slack)
