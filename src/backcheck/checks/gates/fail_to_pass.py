"""Check `fail-to-pass`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.obtained import check_source
from backcheck.checks.running import Mix
from backcheck.checks.suites import BAD, GOOD, TESTS, Suite, is_absent, listed, paths_of_tests, run_suite
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.paths import shown
from backcheck.verdict import Blame, Channel, Isolation, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The work's tests fail on the base's code and pass on the new code, and what passed before still passes.

    The suite is run three times in clean copies: as it is, the new tests on the base's code, and the base as it was. A test
    that also passes without the work shows nothing of it. One that fails on the base's code only because something that it
    loads is not there yet shows nothing either of what it asserts.

    Passes when: at least `min_tests` tests fail on the base's code by what they assert and pass on the new code, the suite passes
        as it is, and every test that passed on the base passes now.
    Fails when: the suite fails as it is, no test fails on the base's code, or one that passed before fails now.
    Unclear when: tests fail on the base's code only because what they load is missing; a test that passed before is no longer
        there; there is no base; a run cannot be made or read.
    Cost: three runs of the command, each in a clean copy.
    Source: backcheck's own, after how benchmarks of mended bugs judge.
    """

    channel: ClassVar[Channel] = Channel.EXECUTION
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(
        arguments={"run": "sh tests/t.sh"},
        files={"a.txt": "new\n", "tests/t.sh": "printf '1..1\\nok 1 - always\\n'\n"},
        base={"a.txt": "old\n", "tests/t.sh": "printf '1..1\\nok 1 - always\\n'\n"},
    )

    run: str | list[str]
    report: str = ""
    tests: list[str] = field(default_factory=lambda: list(TESTS))
    min_tests: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_source(self.report or "printed", self.run, self.env)
        if not self.tests:
            raise ArgumentError("tests", "no glob says which paths are tests")

    def answer(self, evidence: Evidence) -> Answer:
        """Three runs, compared case by case."""
        paths = paths_of_tests(evidence, self.tests)
        if isinstance(paths, Answer):
            return paths
        now = self._suite(evidence, Mix(code="head", paths=frozenset()))
        if isinstance(now, Answer):
            return now
        bad = now.having(BAD)
        if bad or now.ran.result.code != 0:
            why = f"{shown(listed(bad, now.cases))} fails" if bad else f"the command ends with {now.ran.result.code}"
            return failed(f"the suite does not pass: {why}", remedy="Mend what the tests report.", **_shared(now))
        new_on_old = self._suite(evidence, Mix(code="base", paths=paths))
        if isinstance(new_on_old, Answer):
            return new_on_old
        old = self._suite(evidence, Mix(code="base", paths=frozenset()))
        if isinstance(old, Answer):
            return old
        return self._weigh(now, new_on_old, old)

    def _suite(self, evidence: Evidence, mix: Mix) -> Suite | Answer:
        return run_suite(evidence, self.run, self.report, mix, self.timeout, self.env)

    def _weigh(self, now: Suite, new_on_old: Suite, old: Suite) -> Answer:
        good = set(now.having(GOOD))
        turned = [name for name in new_on_old.having(BAD) if name in good]
        shows = [name for name in turned if not is_absent(new_on_old.cases[name])]
        # What cannot even be loaded on the base's code has no case there.
        unseen = sorted(good - set(new_on_old.cases))
        before = old.having(GOOD)
        lost = [name for name in before if now.cases.get(name) and now.cases[name].outcome in BAD]
        gone = [name for name in before if name not in now.cases]
        shared = _shared(now) | {
            "details": {"turned": shows[:20], "gone": gone[:20], "before": len(before), "now": len(good)}
        }
        if lost:
            return failed(
                f"{shown(listed(lost))} passed before and fails now", remedy="Mend what the work broke.", **shared
            )
        if len(shows) < self.min_tests and not turned and not unseen:
            return failed("no test fails without the work: the tests show nothing of it",
                          remedy="Write a test of what the work is to do.", **shared)  # fmt: skip
        if len(shows) < self.min_tests:
            names = turned or unseen
            return unclear(f"{shown(listed(names))} fails on the base's code only because what it loads is not there",
                           blame=Blame.AGENT, remedy="Let a person look, or prove the behaviour with `probe`.",
                           **shared)  # fmt: skip
        if gone:
            return unclear(f"{shown(listed(gone))} passed before and is no longer there", blame=Blame.AGENT,
                           remedy="Let a person look at why it went.", **shared)  # fmt: skip
        return passed(f"{shown(listed(shows))} fails without the work and passes with it; {len(before):,} that passed before do"
                      f"{'; ' + now.ran.said if now.ran.said else ''}", **shared)  # fmt: skip


def _shared(suite: Suite) -> dict[str, Any]:
    isolation = Isolation.NONE if suite.ran.isolation is Isolation.NONE else Isolation.IN_PROCESS
    return {"provenance": suite.ran.provenance, "isolation": isolation}
