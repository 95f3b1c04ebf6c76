"""Counting a test report's cases as they come: outcomes, bad ones to name, names that must have run, and doubles."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.reports.results_model import CaseResult, Outcome

#: Ids that are remembered to find doubles; of more, the first ones.
MAX_IDS = 100_000
BAD = (Outcome.FAILED, Outcome.ERROR)


@dataclass(slots=True)
class Tally:
    """What was counted. `ran` are some names that ran, for a reader who finds the wrong suite."""

    must_run: Sequence[str] = ()
    counts: Counter[Outcome] = field(default_factory=Counter)
    bad: list[CaseResult] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    doubles: int = 0
    #: Pattern → outcomes of the cases that it names.
    named: dict[str, Counter[Outcome]] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)

    def add(self, case: CaseResult) -> None:
        """One more case."""
        self.counts[case.outcome] += 1
        if case.outcome in BAD and len(self.bad) < MAX_PLACES:
            self.bad.append(case)
        if len(self.ran) < 5 and case.name:
            self.ran.append(case.id)
        if self.must_run:
            self._match(case)
        if case.name and len(self._seen) < MAX_IDS:
            key = hash((case.file, case.group, case.name))
            self.doubles += key in self._seen
            self._seen.add(key)

    def _match(self, case: CaseResult) -> None:
        spellings = {plain(name) for name in _spellings(case)}
        for pattern in self.must_run:
            matcher = _matcher(pattern)
            if any(matcher.fullmatch(name) for name in spellings):
                self.named.setdefault(pattern, Counter())[case.outcome] += 1

    @property
    def total(self) -> int:
        """Cases, whatever became of them."""
        return sum(self.counts.values())

    def said(self) -> str:
        """The counts, in words."""
        order = (
            Outcome.PASSED,
            Outcome.FAILED,
            Outcome.ERROR,
            Outcome.SKIPPED,
            Outcome.XFAILED,
            Outcome.XPASSED,
            Outcome.FLAKY,
        )
        words = {Outcome.ERROR: "in error", Outcome.XFAILED: "expected to fail", Outcome.XPASSED: "passed against expectation",
                 Outcome.FLAKY: "passed only when repeated"}  # fmt: skip
        told = [f"{self.counts[o]:,} {words.get(o, o.value)}" for o in order if self.counts[o]]
        return ", ".join(told) or "no test"


def plain(name: str) -> str:
    """One spelling for `tests/test_a.py::TestX::test_y` and `tests.test_a.TestX.test_y`."""
    return (
        name.strip().replace(".py::", ".").replace("::", ".").replace("/", ".").replace(" › ", " ").replace(" > ", " ")
    )


def _spellings(case: CaseResult) -> list[str]:
    found = [case.name]
    if case.group:
        found += [f"{case.group}.{case.name}", f"{case.group} {case.name}"]
    if case.file:
        found += [f"{case.file}::{case.name}"]
    # A name without its parameters stands for all of them.
    return found + [name.partition("[")[0] for name in found if name.endswith("]")]


@functools.lru_cache(maxsize=1024)
def _matcher(pattern: str) -> re.Pattern[str]:
    """`*` stands for anything; all else is meant as it is written. A suite's name covers what is in it."""
    body = ".*?".join(map(re.escape, plain(pattern).split("*")))
    return re.compile(f"(?:.*[. ])?{body}", re.DOTALL)
