"""Check `tests`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.testage import kept_from_base, older_than, too_new, too_old
from backcheck.checks.testreports import Source, check_command, sources_of
from backcheck.checks.testtally import BAD, Tally
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.globs import GlobError, check_glob
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_kinds import read_results
from backcheck.evidence.reports.results_model import Outcome, ResultsReport
from backcheck.verdict import Blame, Channel, Place, Provenance

_HIDDEN_FAILURE = (
    '<testsuite name="s" tests="1" failures="0"><testcase classname="c" name="a"><failure/></testcase></testsuite>'
)


#: Reason, places, what to do.
Problem = tuple[str, tuple[Place, ...], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The tests ran and passed, counted case by case from their report.

    `report` is the report's path or a glob over several: JUnit XML and its dialects, TAP, `go test -json`, jest's and
    vitest's JSON, or what pytest, unittest, jest or vitest printed (which is easily written by hand; a pass says so).
    With `run` backcheck runs the command and counts only reports that this run wrote; without `report` what it prints
    is read. `must_run` names tests (`*` stands for anything; pytest's ids and JUnit's names both do) of which each must
    have passed, so that a green run of another suite is none. Cases that are expected to fail (pytest's xfail, TAP's
    TODO) are counted apart from skipped ones: `max_xfailed`. `not_older_than` are globs of files after which the report
    must have been written, by their times on disk; they mean something only where the report is made in the same
    folder, and nothing right after a clone.

    Passes when: at least `min_passed` cases passed, none failed or was in error, no more than `max_skipped` were skipped, no
        more than `max_flaky` passed only when repeated, each of `must_run` passed, the report does not contradict itself,
        and the command, if one was run, ended with 0.
    Fails when: a case failed or was in error, too few passed (none ran, all were skipped), too many were skipped, a name of
        `must_run` did not run or did not pass, the command ended with another code, no report is there, it says that it is
        older than the base or than the run, or its totals do not fit its cases.
    Unclear when: a case passed only when it was repeated, the floor is met only by counting a name twice, the report is of
        no known format, mixes those of two runners, was cut off or is too large, its time lies in the future, it is the one
        of the base though other files changed, a file of `not_older_than` is newer, or it does not name the tests that
        `must_run` asks for.
    Cost: reads the reports as streams; with `run`, the command's own.
    Source: backcheck's own; totals are never trusted, since dialects count differently.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(arguments={"report": "junit.xml"}, files={"junit.xml": _HIDDEN_FAILURE})

    report: str = ""
    run: str | list[str] | None = None
    min_passed: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1
    max_skipped: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | None = None
    max_xfailed: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | None = None
    max_flaky: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] = 0
    must_run: list[str] = field(default_factory=list)
    not_older_than: list[str] = field(default_factory=list)
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.report and self.run is None:
            raise ArgumentError("report", "`report` or `run` is needed; nothing would be read")
        check_command(self.report, self.run, self.env)
        for name in self.must_run:
            if not name.strip(" *"):
                raise ArgumentError("must_run", f"{name!r} names no test")
        if self.not_older_than and self.run is not None:
            raise ArgumentError("not_older_than", "the report of a run is written by it; there is nothing to compare")
        for glob in self.not_older_than:
            try:
                check_glob(glob)
            except GlobError as error:
                raise ArgumentError("not_older_than", f"{glob!r}: {error}") from None

    @property
    def executes(self) -> bool:
        """Whether a command is run."""
        return self.run is not None

    def answer(self, evidence: Evidence) -> Answer:
        """Get the reports, count, weigh."""
        sources = sources_of(evidence, self.report, self.run, seconds=self.timeout, variables=self.env)
        if isinstance(sources, Answer):
            return sources
        tally = Tally(must_run=self.must_run)
        read: list[tuple[Source, ResultsReport]] = []
        for source in sources:
            try:
                read.append((source, read_results(source.pieces, tally.add)))
            except ReportProblem as problem:
                return self._unread(source, problem)
        return self._weigh(evidence, tally, read)

    def _unread(self, source: Source, problem: ReportProblem) -> Answer:
        reason = f"{source.name} {problem}"
        if source.ran is not None and source.ran.result.code != 0:
            return failed(f"the command ended with {source.ran.result.code}, and {reason}", where=source.where,
                          remedy="Mend what the command reports.", **source.seen)  # fmt: skip
        remedy = "Let the test runner write its report anew."
        if not source.path:
            remedy = "Let the command write a report to a file, and name that as `report`."
        return unclear(reason, blame=Blame.AGENT, where=source.where, remedy=remedy, **source.seen)

    def _weigh(self, evidence: Evidence, tally: Tally, read: list[tuple[Source, ResultsReport]]) -> Answer:
        first = read[0][0]
        details = {"counts": {o.value: tally.counts[o] for o in Outcome if tally.counts[o]}, "reports": len(read),
                   "formats": sorted({report.format for _, report in read}), "doubles": tally.doubles,
                   "notes": [note for _, report in read for note in report.notes][:MAX_PLACES]}  # fmt: skip
        shared: dict[str, Any] = {"details": details, **first.seen}
        problem = self._failure(evidence, tally, read) or self._too_little(tally) or self._missing(tally)
        if problem:
            reason, places, remedy = problem
            return failed(reason, where=places or first.where, remedy=remedy, **shared)
        doubt = self._doubt(evidence, tally, read)
        if doubt:
            reason, blame, remedy = doubt
            return unclear(reason, blame=blame, where=first.where, remedy=remedy, **shared)
        older = older_than(evidence, self.not_older_than, [one for one, _ in read]) if self.not_older_than else None
        if older is not None:
            return older
        told = f"; {tally.doubles:,} names stand there more than once" if tally.doubles else ""
        printed = "; as printed for people" if any(report.printed for _, report in read) else ""
        return passed(f"{tally.said()}{told}{printed}{first.said}", where=first.where, **shared)

    def _failure(self, evidence: Evidence, tally: Tally, read: list[tuple[Source, ResultsReport]]) -> Problem | None:
        """The first thing that is wrong with what ran, worst first."""
        bad = sum(tally.counts[outcome] for outcome in BAD)
        if bad:
            case = tally.bad[0]
            named = f": {shown(case.id)}{f' ({shown(case.message)})' if case.message else ''}" if case.name else ""
            more = f" and {bad - 1} more" if bad > 1 and named else ""
            mixed = f"; {shown(tally.mixed[0])} once passed and once did not" if tally.mixed else ""
            return f"{tally.said()}{named}{more}{mixed}", _places(tally, read[0][0]), "Mend what these tests report."
        for source, report in read:
            if report.problems:
                return f"{source.name} {report.problems[0]}", source.where, "Let the test runner write its report anew."
            stale = too_old(source, report, evidence.base_time())
            if stale:
                return stale, source.where, "Run the tests on this work, and not from a cache."
        code = read[0][0].ran.result.code if read[0][0].ran else 0
        if code != 0:
            return (
                f"the command ended with {code} though its report shows {tally.said()}",
                (),
                "Find out what else failed.",
            )
        return None

    def _too_little(self, tally: Tally) -> Problem | None:
        """Too few passed, or too much was left out."""
        if tally.counts[Outcome.PASSED] + tally.counts[Outcome.FLAKY] < self.min_passed:
            return f"{tally.said()}; at least {self.min_passed:,} must pass", (), "Run the tests that are meant."
        for most, outcome, words, remedy in (
            (self.max_skipped, Outcome.SKIPPED, "be skipped", "Run what was skipped."),
            (self.max_xfailed, Outcome.XFAILED, "be expected to fail", "Mend what is expected to fail."),
        ):
            if most is not None and tally.counts[outcome] > most:
                return f"{tally.said()}; at most {most:,} may {words}", (), remedy
        return None

    def _missing(self, tally: Tally) -> Problem | None:
        ran = f" (ran: {', '.join(map(shown, tally.ran[:3]))}, …)" if tally.ran else ""
        for name in self.must_run:
            outcomes = tally.named.get(name)
            if outcomes is None:
                if tally.nameless:
                    continue
                return (
                    f"{shown(name)} is not among the {tally.total:,} tests that ran{ran}",
                    (),
                    "Run the suite that is meant.",
                )
            if not outcomes[Outcome.PASSED] + outcomes[Outcome.FLAKY]:
                how = ", ".join(f"{count} {outcome.value}" for outcome, count in outcomes.items())
                return f"{shown(name)} did not pass: {how}", (), "Run it, and let it pass."
        return None

    def _doubt(self, evidence: Evidence, tally: Tally, read: list[tuple[Source, ResultsReport]]
               ) -> tuple[str, Blame, str] | None:  # fmt: skip
        """What a person must look at, though nothing failed: reason, whose it is, what to do."""
        steady = "Find out why it is not the same each time."
        if tally.counts[Outcome.FLAKY] > self.max_flaky:
            return f"{tally.said()}: what passes only when it is repeated may fail again", Blame.AGENT, steady
        for source, report in read:
            if report.doubts:
                return f"{tally.said()}; {source.name} {report.doubts[0]}", Blame.AGENT, steady
            late = too_new(source, report)
            if late:
                return late, Blame.ENVIRONMENT, "Set the clock right."
            kept = kept_from_base(evidence, source)
            if kept:
                return kept, Blame.AGENT, "Run the tests on this work."
        different = tally.counts[Outcome.PASSED] + tally.counts[Outcome.FLAKY] - tally.again
        if different < self.min_passed:
            return (f"{tally.said()}, but only {different:,} of different names; at least {self.min_passed:,} must pass",
                    Blame.AGENT, "Let each test have a name of its own, and no report be read twice.")  # fmt: skip
        unseen = next((name for name in self.must_run if name not in tally.named), "")
        if unseen:
            return (f"whether {shown(unseen)} ran cannot be told: {tally.nameless:,} tests that passed are not named",
                    Blame.CONTRACT, "Let the runner write a report that names its tests (JUnit, pytest -v).")  # fmt: skip
        return None


def _places(tally: Tally, source: Source) -> tuple[Place, ...]:
    return tuple(
        Place(path=shown(case.file or source.path), note=f"{case.outcome.value}: {shown(case.id)}")
        for case in tally.bad
    )
