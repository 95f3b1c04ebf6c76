"""Running a suite on a mix of base and tree, and its outcomes case by case: what base-tests and fail-to-pass share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.running import Mix, NotRun, Ran, RunAsked, run_on
from backcheck.evidence.commands import Limits
from backcheck.evidence.git import GitError
from backcheck.evidence.globs import Globs
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_kinds import read_results
from backcheck.evidence.reports.results_model import CaseResult, Outcome
from backcheck.evidence.reports.xmlstream import pieces_of
from backcheck.verdict import Blame

#: What counts as a test or as a test's configuration where a contract does not say.
TESTS = ("**/tests/**", "**/test/**", "**/__tests__/**", "**/test_*.py", "**/*_test.py", "**/conftest.py", "**/*.test.*",
         "**/*.spec.*", "**/*_test.go", "pytest.ini", "tox.ini", "jest.config.*", "vitest.config.*", ".mocharc*")  # fmt: skip
MAX_CASES = 200_000
BAD = (Outcome.FAILED, Outcome.ERROR)
GOOD = (Outcome.PASSED, Outcome.XFAILED, Outcome.FLAKY)
#: Words of an error that say that something is not there to be loaded: nothing that a test asserts.
_ABSENT = ("ImportError", "ModuleNotFoundError", "cannot import", "Cannot find module", "ERR_MODULE_NOT_FOUND", "SyntaxError",
           "does not provide an export", "undefined:", "build failed", "collection failure")  # fmt: skip


class Case(NamedTuple):
    """How a case ended, and the first line of what it said."""

    outcome: Outcome
    message: str


@dataclass(slots=True)
class Suite:
    """One run's cases by id; a case that stands twice has the worse of its outcomes. `ran` is the run."""

    ran: Ran
    cases: dict[str, Case] = field(default_factory=dict)

    def add(self, case: CaseResult) -> None:
        """One more case. Errors: ReportProblem where there are too many."""
        if len(self.cases) >= MAX_CASES:
            raise ReportProblem(f"holds more than {MAX_CASES:,} cases")
        before = self.cases.get(case.id)
        if before is None or before.outcome not in BAD:
            self.cases[case.id] = Case(case.outcome, case.message)

    def having(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The ids of cases that ended so."""
        return sorted(name for name, case in self.cases.items() if case.outcome in outcomes)


def is_absent(case: Case) -> bool:
    """Whether a case failed because what it needs could not be loaded."""
    return any(word in case.message for word in _ABSENT)


def paths_of_tests(evidence: Evidence, globs: Sequence[str]) -> frozenset[str] | Answer:
    """The paths of base and tree that are tests, from the repository's top, or the answer where there are none."""
    try:
        base = evidence.base_nodes()
    except GitError as error:
        return unclear(f"the base cannot be read: {error}", blame=Blame.ENVIRONMENT)
    if base is None or evidence.base is None:
        return unclear("there is no base to compare with", blame=Blame.ENVIRONMENT,
                       remedy="Give one with `--base COMMIT`, or work on a branch whose upstream is fetched.")  # fmt: skip
    prefix = f"{evidence.prefix}/" if evidence.prefix else ""
    chosen = Globs([f"{prefix}{glob.removeprefix('**/') if glob.startswith('**/') and not prefix else glob}" for glob in globs]
                   + [f"{prefix}{glob}" for glob in globs])  # fmt: skip
    return frozenset(path for path in {*base, *evidence.final_nodes()} if path in chosen)


def run_suite(evidence: Evidence, run: str | Sequence[str], report: str, mix: Mix, seconds: float, variables: Sequence[str]
              ) -> Suite | Answer:  # fmt: skip
    """The suite's outcomes on a mix, or the answer where there are none to be had."""
    asked = RunAsked(run=run, variables=variables, limits=Limits(seconds=seconds), reports=[report] if report else [])
    try:
        ran = run_on(evidence, asked, mix)
    except NotRun as problem:
        return unclear(problem.reason, blame=problem.blame, remedy=problem.remedy)
    where = "the base's code" if mix.code == "base" else "the new code"
    if ran.result.problem:
        return unclear(ran.result.problem, blame=Blame.ENVIRONMENT, remedy="Install the command here.")
    if ran.result.stopped or ran.result.signal:
        how = ran.result.stopped or f"it was ended by {ran.result.signal}"
        return failed(f"on {where} the suite was stopped: {how}", remedy="Find out what ended it.")
    data = ran.reports.get(report) if report else ran.result.head + ran.result.tail
    suite = Suite(ran)
    if data is None:
        return unclear(f"on {where} the suite ended with {ran.result.code} and wrote no report {report}", blame=Blame.AGENT,
                       remedy="Let the command write its report at this path.")  # fmt: skip
    content: bytes = data
    try:
        said = read_results(lambda: pieces_of(content), suite.add)
    except ReportProblem as problem:
        return unclear(f"on {where} the report {problem}", blame=Blame.AGENT)
    if said.problems:
        return unclear(f"on {where} the report {said.problems[0]}", blame=Blame.AGENT)
    return suite


def listed(names: Sequence[str], cases: Mapping[str, Case] | None = None) -> str:
    """Some names, with what the first one said."""
    first = f" ({cases[names[0]].message})" if cases and names[0] in cases and cases[names[0]].message else ""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{first}{more}"
