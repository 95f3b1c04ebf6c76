"""Check `base-tests`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.intact.expectations import Fate, fate_of
from backcheck.checks.obtained import check_source
from backcheck.checks.running import Mix
from backcheck.checks.suites import BAD, GOOD, TESTS, Suite, is_absent, listed, paths_of_tests, run_suite
from backcheck.checks.touched import check_globs
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.verdict import Blame, Channel, Isolation, Place, Provenance

_SCRIPT = "grep -q old a.txt && r=ok || r='not ok'\nprintf '1..1\\n%s 1 - keeps\\n' \"$r\"\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The tests of the base, put back over the new code, still pass.

    The suite is run twice in clean copies: the base as it was, which says what there is to keep, and the new code with the
    base's tests and test configuration in place of the work's. What the work did to tests, fixtures and configuration named
    by `tests` is out of play then. `pyproject.toml`, `setup.cfg` and `package.json` stay the work's, for they name what the
    new code needs; a test that they keep from running is missed all the same.

    Passes when: every test that passed on the base passes on the new code.
    Fails when: one fails whose expectation the work left as it was, or took away; one cannot load what the work removed; one
        does not run any more though its file is there; the run is stopped.
    Unclear when: a test fails whose own text the work changed, so that the new expectation may be right; the command ends with
        an error that no test shows; no test passed on the base; there is no base; a run cannot be made or read.
    Cost: two runs of the command, each in a clean copy.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.EXECUTION
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(
        arguments={"run": "sh tests/t.sh"},
        files={"a.txt": "new\n", "tests/t.sh": _SCRIPT},
        base={"a.txt": "old\n", "tests/t.sh": _SCRIPT},
    )

    run: str | list[str]
    report: str = ""
    #: Globs of the paths that are put back: tests and what configures them.
    tests: list[str] = field(default_factory=lambda: list(TESTS))
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_source(self.report or "printed", self.run, self.env)
        check_globs("tests", self.tests)
        if not self.tests:
            raise ArgumentError("tests", "no glob says which paths are tests")

    def answer(self, evidence: Evidence) -> Answer:
        """Two runs, compared case by case."""
        paths = paths_of_tests(evidence, self.tests)
        if isinstance(paths, Answer):
            return paths
        there = frozenset(evidence.base_nodes() or ()) & paths
        if not there:
            return unclear("no path of the base is a test: there is nothing to put back", blame=Blame.CONTRACT,
                           remedy="Name the base's tests by `tests`, or remove the requirement.")  # fmt: skip
        old = self._suite(evidence, Mix(code="base", paths=frozenset()))
        if isinstance(old, Answer):
            return old
        if not old.having(GOOD):
            return unclear(f"no test passed on the base ({len(old.cases):,} ran): there is nothing to keep",
                           blame=Blame.CONTRACT, remedy="Correct the command, or choose another base.",
                           **_shared(old))  # fmt: skip
        now = self._suite(evidence, Mix(code="head", paths=paths))
        if isinstance(now, Answer):
            return now
        try:
            return self._weigh(evidence, there, old, now)
        except GitError as error:
            return unclear(f"the base cannot be read: {error}", blame=Blame.ENVIRONMENT)

    def _suite(self, evidence: Evidence, mix: Mix) -> Suite | Answer:
        return run_suite(evidence, self.run, self.report, mix, self.timeout, self.env)

    def _weigh(self, evidence: Evidence, there: frozenset[str], old: Suite, now: Suite) -> Answer:
        kept = old.having(GOOD)
        lost = [name for name in kept if name in now.cases and now.cases[name].outcome in BAD]
        gone = [name for name in kept if name not in now.cases]
        # A file that cannot be loaded has one case of its own in place of its tests.
        unloaded = [name for name in now.having(BAD) if name not in old.cases]
        absent = [name for name in (*lost, *unloaded) if is_absent(now.cases[name])]
        fates = {name: fate_of(evidence, there, name) for name in lost}
        changed = [name for name in lost if fates[name] is Fate.CHANGED]
        broken = [name for name in lost if fates[name] is not Fate.CHANGED]
        shared = _shared(now) | {"details": {"kept": len(kept), "lost": lost[:20], "gone": gone[:20]}}
        if absent:
            return failed(f"the base's test {shown(listed(absent, now.cases))} cannot load what the work took away or broke",
                          where=_places([*absent, *gone]), remedy="Keep what the base's tests use.", **shared)  # fmt: skip
        if broken:
            return failed(f"the base's test {shown(listed(broken, now.cases))} passed before the work and fails with it",
                          where=_places(broken), remedy="Mend what the work broke.", **shared)  # fmt: skip
        if unloaded:
            return failed(f"the base's tests do not run: {shown(listed(unloaded, now.cases))}", where=_places([*unloaded, *gone]),
                          remedy="Mend what the work broke.", **shared)  # fmt: skip
        if gone:
            return failed(f"{shown(listed(gone))} passed on the base and does not run on the new code, though it was put back",
                          where=_places(gone), remedy="Let the base's tests run as they did.", **shared)  # fmt: skip
        skipped = [name for name in kept if name in now.cases and now.cases[name].outcome not in (*GOOD, *BAD)]
        if skipped:
            how = now.cases[skipped[0]].outcome.value
            return failed(f"{shown(listed(skipped))} passed on the base and was {how} on the new code",
                          where=_places(skipped), remedy="Let the base's tests run as they did.", **shared)  # fmt: skip
        if changed:
            return unclear(f"the base's test {shown(listed(changed, now.cases))} fails, and the work changed what it expects",
                           blame=Blame.AGENT, where=_places(changed),
                           remedy="Let a person say whether the new expectation is right.", **shared)  # fmt: skip
        if now.ran.result.code != 0 and not now.having(BAD):
            return unclear(f"no test failed, but the command ended with {now.ran.result.code}", blame=Blame.AGENT,
                           remedy="Find out what else failed.", **shared)  # fmt: skip
        return passed(f"all {len(kept):,} tests that passed on the base pass on the new code"
                      f"{'; ' + now.ran.said if now.ran.said else ''}", **shared)  # fmt: skip


def _places(names: list[str]) -> tuple[Place, ...]:
    return tuple(Place(path=shown(name.partition("::")[0]), note=shown(name)) for name in names[:MAX_PLACES])


def _shared(suite: Suite) -> dict[str, Any]:
    isolation = Isolation.NONE if suite.ran.isolation is Isolation.NONE else Isolation.IN_PROCESS
    return {"provenance": suite.ran.provenance, "isolation": isolation}
