"""Counting a test report's cases as they come: outcomes, bad ones to name, names that must have run, and doubles."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
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
    #: Passes under a name that had passed before.
    again: int = 0
    #: Passes without a name.
    nameless: int = 0
    #: Some names that once passed and once did not.
    mixed: list[str] = field(default_factory=list)
    #: Pattern → outcomes of the cases that it names.
    named: dict[str, Counter[Outcome]] = field(default_factory=dict)
    _seen: dict[int, Outcome] = field(default_factory=dict)

    def add(self, case: CaseResult) -> None:
        """One more case."""
        self.counts[case.outcome] += 1
        if case.outcome in BAD and len(self.bad) < MAX_PLACES:
            self.bad.append(case)
        if len(self.ran) < 5 and case.name:
            self.ran.append(case.id)
        if self.must_run:
            self._match(case)
        if case.name:
            self._note(case)
        elif case.outcome is Outcome.PASSED:
            self.nameless += 1

    def _note(self, case: CaseResult) -> None:
        key = hash((case.file, case.group, case.name))
        before = self._seen.get(key)
        if before is None:
            if len(self._seen) < MAX_IDS:
                self._seen[key] = case.outcome
            return
        self.doubles += 1
        self.again += before is case.outcome is Outcome.PASSED
        if (before in BAD) != (case.outcome in BAD) and len(self.mixed) < MAX_PLACES:
            self.mixed.append(case.id)

    def _match(self, case: CaseResult) -> None:
        spellings = {plain(name) for name in _spellings(case)}
        for pattern in self.must_run:
            matches = _matcher(pattern)
            if any(matches(name) for name in spellings):
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
def _matcher(pattern: str) -> Callable[[str], bool]:
    """`*` stands for anything, in linear time; all else is meant as it is written. The last parts of a name name it too."""
    import re2

    wanted = plain(pattern)
    if "*" not in wanted:
        endings = (f".{wanted}", f" {wanted}")
        return lambda name: name == wanted or name.endswith(endings)
    body = ".*".join(map(re2.escape, wanted.split("*")))
    compiled = re2.compile(f"(?s)(?:.*[. ])?{body}")
    return lambda name: compiled.fullmatch(name) is not None
