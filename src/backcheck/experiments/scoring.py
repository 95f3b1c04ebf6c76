"""Counting verdicts against the truth: rates that always carry their counts and their Wilson interval.

Pure: nothing here reads a file. scipy is imported where an interval is asked for; counting alone needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backcheck.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """`k` of `n`. A rate over nothing has no value and no interval; it is never shown as 0 % or 100 %."""

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.k <= self.n:
            raise ValueError(f"{self.k} of {self.n} is not a rate")

    @property
    def value(self) -> float | None:
        """A share between 0 and 1, or None over nothing."""
        return self.k / self.n if self.n else None

    def interval(self) -> tuple[float, float] | None:
        """The two-sided 95 % Wilson score interval as shares (scipy), or None over nothing."""
        if not self.n:
            return None
        from scipy.stats import binomtest

        bounds = binomtest(self.k, self.n).proportion_ci(confidence_level=CONFIDENCE, method="wilson")
        return float(bounds.low), float(bounds.high)

    def text(self) -> str:
        """`9/12 = 75.0 % (47-91)`: counts, percentage, interval in whole per cent."""
        value, bounds = self.value, self.interval()
        if value is None or bounds is None:
            return f"{self.k}/{self.n} (nothing to count)"
        low, high = (round(100 * bound) for bound in bounds)
        return f"{self.k}/{self.n} = {100 * value:.1f} % ({low}-{high})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The whole confusion table of one arm: good and bad work, each accepted, rejected or left to a person.

    An abstention (UNCLEAR) is neither right nor an error: it lowers `accuracy` and `detection` and shows in
    `abstained`, but counts in neither error column.
    """

    good_accepted: int
    good_rejected: int
    good_abstained: int
    bad_accepted: int
    bad_rejected: int
    bad_abstained: int

    @property
    def good(self) -> int:
        """Items that really were in order."""
        return self.good_accepted + self.good_rejected + self.good_abstained

    @property
    def bad(self) -> int:
        """Items that really were not."""
        return self.bad_accepted + self.bad_rejected + self.bad_abstained

    @property
    def accuracy(self) -> Rate:
        """Right answers among all."""
        return Rate(k=self.good_accepted + self.bad_rejected, n=self.good + self.bad)

    @property
    def detection(self) -> Rate:
        """Bad items that were rejected (the recall)."""
        return Rate(k=self.bad_rejected, n=self.bad)

    @property
    def false_accepts(self) -> Rate:
        """Bad items that were accepted."""
        return Rate(k=self.bad_accepted, n=self.bad)

    @property
    def false_rejects(self) -> Rate:
        """Good items that were rejected."""
        return Rate(k=self.good_rejected, n=self.good)

    @property
    def abstained(self) -> Rate:
        """Items left to a person."""
        return Rate(k=self.good_abstained + self.bad_abstained, n=self.good + self.bad)


def score(answers: Iterable[tuple[bool, Outcome]]) -> Score:
    """Count (really compliant, verdict) pairs; ValueError names the first pair that is none."""
    counts = {(good, outcome): 0 for good in (True, False) for outcome in Outcome}
    for place, (compliant, outcome) in enumerate(answers, start=1):
        if not isinstance(compliant, bool) or not isinstance(outcome, Outcome):
            raise ValueError(f"pair {place}: expected (bool, Outcome), got ({compliant!r}, {outcome!r})")
        counts[compliant, outcome] += 1
    return Score(
        good_accepted=counts[True, Outcome.PASS],
        good_rejected=counts[True, Outcome.REJECT],
        good_abstained=counts[True, Outcome.UNCLEAR],
        bad_accepted=counts[False, Outcome.PASS],
        bad_rejected=counts[False, Outcome.REJECT],
        bad_abstained=counts[False, Outcome.UNCLEAR],
    )


def score_requirements(answers: Iterable[tuple[bool, bool | None]]) -> Score:
    """Count (really met, found met) pairs, one a requirement; None is a requirement without an answer."""
    named = {True: Outcome.PASS, False: Outcome.REJECT, None: Outcome.UNCLEAR}
    return score((met, named[found]) for met, found in answers)
