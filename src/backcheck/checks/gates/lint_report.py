"""Check `lint-report`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.lintanswer import Asked, judge
from backcheck.checks.linted import base_report, linted
from backcheck.checks.obtained import Obtained, check_source, obtain
from backcheck.checks.touched import check_globs
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.lint_kinds import READERS
from backcheck.evidence.reports.lint_model import Level
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.verdict import Basis, Blame, Channel, Provenance

#: Beside the levels, what somebody silenced can be limited.
SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A linter or type checker found no more than is allowed, by its report.

    The report is a file of the tree, or, with `run`, what the command writes there in this very run. Formats, told by
    content: SARIF 2.1.0, ESLint JSON, ruff JSON, mypy text and JSON, tsc; an empty report needs its `format`. A file that
    could not be parsed was not looked at, so it never passes. A report that shows no file it looked at (ruff's `[]`, tsc's
    silence) proves nothing by itself; ruff and mypy in a run of this check that ended with 0 do. `baseline` is a report
    that is read from the base, never from the tree.

    Passes when: at least one file was looked at (and one for each glob of `files`), no level has more than `max` allows, no
        rule of `forbidden` is there (also where suppressed), and nothing is new against `baseline`.
    Fails when: one of these does not hold, a file could not be parsed, or the report is missing.
    Unclear when: the report cannot be read or contradicts itself or its command's exit code; the tool did not end well;
        nothing shows that a file was looked at; there is no base, or no baseline in it.
    Cost: reads the report; with `run` the command's own.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    basis: ClassVar[Basis] = Basis.TEXT
    canary: ClassVar[Canary] = Canary(
        arguments={"report": "mypy.txt", "max": {"error": 0}},
        files={
            "mypy.txt": "a.py:1: error: no  [misc]\nFound 1 error in 1 file (checked 1 source file)\n",
            "a.py": "x\n",
        },
    )

    report: str
    #: Text is run by `/bin/sh -c`, a list as it is.
    run: str | list[str] | None = None
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)
    #: `eslint`, `mypy`, `mypy-json`, `ruff`, `sarif` or `tsc`; by content where it is not named.
    format: str = ""
    #: How many at most of `error`, `warning`, `note`, `suppressed`; what is not named is not limited.
    max: dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]] = field(default_factory=dict)
    #: Rules by name; a star at the end stands for the rest of a name.
    forbidden: list[str] = field(default_factory=list)
    baseline: str = ""
    #: The least level that counts as new against the baseline.
    new_from: str = "warning"
    files: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_source(self.report, self.run, self.env)
        check_globs("files", self.files)
        if not (self.max or self.forbidden or self.baseline):
            raise ArgumentError("max", "`max`, `forbidden` or `baseline` is needed; nothing would be checked")
        known = [*Level, SUPPRESSED]
        for name in self.max:
            if name not in known:
                raise ArgumentError("max", f"`{name}` is not one of {', '.join(known)}")
        for rule in self.forbidden:
            if not rule.strip() or "*" in rule[:-1]:
                raise ArgumentError("forbidden", f"`{rule}` is no rule; a star may stand at the end only")
        if self.new_from not in set(Level):
            raise ArgumentError("new_from", f"`{self.new_from}` is not one of {', '.join(Level)}")
        if self.format and self.format not in READERS:
            raise ArgumentError("format", f"`{self.format}` is not one of {', '.join(READERS)}")

    @property
    def executes(self) -> bool:
        """Whether a command is run."""
        return self.run is not None

    def answer(self, evidence: Evidence) -> Answer:
        """Obtain, read, lay over the tree, count, compare."""
        got = obtain(evidence, self.report, self.run, seconds=self.timeout, variables=self.env)
        if isinstance(got, Answer):
            return got
        answer = self._of(evidence, got)
        return replace(answer, reason=got.told(answer), where=answer.where or (got.place,),
                       provenance=got.provenance, isolation=got.isolation)  # fmt: skip

    def _of(self, evidence: Evidence, got: Obtained) -> Answer:
        name = shown(self.report)
        try:
            report = linted(evidence, self.report, got.data, self.format)
        except ReportProblem as problem:
            code = f" (its command ended with {got.ran.result.code})" if got.ran and got.ran.result.code else ""
            return unclear(f"{name} {problem}{code}", blame=Blame.ENVIRONMENT,
                           remedy="Let the tool write its report anew and whole.")  # fmt: skip
        known = base_report(evidence, self.baseline, self.format) if self.baseline else None
        if isinstance(known, Answer):
            return known
        asked = Asked(limits=self.max, forbidden=self.forbidden, new_from=Level(self.new_from), files=self.files,
                      prefix=evidence.prefix)  # fmt: skip
        return judge(report, asked, name, baseline=known, result=got.ran.result if got.ran else None)
