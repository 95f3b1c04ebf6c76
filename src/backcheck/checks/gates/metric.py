"""Check `metric`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.bounds import Number, percentage
from backcheck.checks.canary import Canary
from backcheck.checks.coverageanswer import Bounds, Judged, against, judge
from backcheck.checks.measured import Measured, measured, measured_in
from backcheck.checks.newlycovered import CoveredLines, newly_covered
from backcheck.checks.obtained import Obtained, check_source, obtain
from backcheck.checks.touched import check_globs, scope_of
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.git import GitError
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.coverage_kinds import READERS
from backcheck.evidence.reports.coverage_model import FileCoverage, Measure, Share
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Enough of the code is executed by the tests, by a coverage report.

    The report is a file of the tree, or, with `run`, what the command writes there in this very run (its exit code must be
    0). Formats, told by content: coverage.py JSON, Cobertura XML, LCOV, Istanbul's JSON and JSON summary, Go's cover
    profile. Shares are counted from the elements and compared exactly. Only files of the tree count. With `changed` only
    lines that the base does not have are counted; a changed file that the report does not measure counts with all its
    added lines as not executed: say in `files` which are meant. Whoever configures the tool can leave files out: `complete`
    and `no_worse` see that, and exclusions are counted where the format lists them (coverage.py JSON).

    Passes when: the share of `measure` is at least `floor`, at most `ceiling` and, with `no_worse`, at least that of the
        report at the same path in the base: over all files together, or with `per_file` for each one.
    Fails when: one is not; a glob of `files` names no measured file; with `complete` a file that `files` names is not
        measured; with `no_worse` a file is no longer measured; the report is missing.
    Unclear when: there is nothing to execute; the report cannot be read, contradicts itself or is about another state of a
        file; the answer depends on lines that are excluded from measuring or on files that are not in the tree; there is
        no base, or no report in it.
    Cost: reads the report and the measured files; with `run` the command's own.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    basis: ClassVar[Basis] = Basis.TEXT
    canary: ClassVar[Canary] = Canary(
        arguments={"report": "lcov.info", "floor": 85},
        files={
            "lcov.info": "SF:a.py\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n",
            "a.py": "x = 1\ny = 2\n",
        },
    )

    report: str
    #: Text is run by `/bin/sh -c`, a list as it is.
    run: str | list[str] | None = None
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)
    #: `coverage-py`, `cobertura`, `lcov`, `istanbul`, `istanbul-summary` or `go-cover`; by content where it is not named.
    format: str = ""
    #: `lines`, `branches`, `statements` or `functions`.
    measure: str = "lines"
    #: In percent.
    floor: Number | None = None
    #: In percent.
    ceiling: Number | None = None
    files: list[str] = field(default_factory=list)
    per_file: bool = False
    changed: bool = False
    complete: bool = False
    no_worse: bool = False

    def __post_init__(self) -> None:
        check_source(self.report, self.run, self.env)
        check_globs("files", self.files)
        bounds = self._bounds()
        if bounds.floor is None and bounds.ceiling is None and not self.no_worse:
            raise ArgumentError("floor", "`floor`, `ceiling` or `no_worse` is needed; nothing would be checked")
        if bounds.floor == 0:
            raise ArgumentError("floor", "a floor of 0 always holds; nothing would be checked")
        if bounds.ceiling == 100 and bounds.floor is None and not self.no_worse:
            raise ArgumentError("ceiling", "a ceiling of 100 always holds; nothing would be checked")
        if bounds.floor is not None and bounds.ceiling is not None and bounds.floor > bounds.ceiling:
            raise ArgumentError("ceiling", "it is below `floor`; nothing could pass")
        if self.measure not in set(Measure):
            raise ArgumentError("measure", f"`{self.measure}` is not one of {', '.join(Measure)}")
        if self.format and self.format not in READERS:
            raise ArgumentError("format", f"`{self.format}` is not one of {', '.join(READERS)}")
        if self.changed and (self.measure != Measure.LINES or self.no_worse):
            raise ArgumentError("changed", "it counts added lines: `measure` is `lines` and `no_worse` has no meaning")
        if self.complete and not self.files:
            raise ArgumentError("complete", "`files` must say which files are to be measured")

    @property
    def executes(self) -> bool:
        """Whether a command is run."""
        return self.run is not None

    def _bounds(self) -> Bounds:
        return Bounds(floor=percentage("floor", self.floor), ceiling=percentage("ceiling", self.ceiling))

    def answer(self, evidence: Evidence) -> Answer:
        """Obtain, read, lay over the tree, count, compare."""
        got = obtain(evidence, self.report, self.run, seconds=self.timeout, variables=self.env)
        if isinstance(got, Answer):
            return got
        answer = self._of(evidence, got)
        where = answer.where or (got.place,)
        return replace(answer, reason=got.told(answer), where=where, provenance=got.provenance,
                       isolation=got.isolation)  # fmt: skip

    def _of(self, evidence: Evidence, got: Obtained) -> Answer:
        name = shown(self.report)
        if got.ran is not None and got.ran.result.code != 0:
            return failed(f"the command that writes {name} ended with {got.ran.result.code}",
                          remedy="Mend what the command reports; its coverage counts when it ends with 0.")  # fmt: skip
        try:
            report = measured(evidence, self.report, got.data, self.format)
        except ReportProblem as problem:
            return unclear(f"{name} {problem}", blame=Blame.ENVIRONMENT,
                           remedy="Let the tool write its report anew and whole.")  # fmt: skip
        if not report.files:
            return unclear(f"{name} measures no file of the tree ({len(report.foreign)} others)", blame=Blame.ENVIRONMENT,
                           remedy="Let the report be made in this tree, or name its source folder.")  # fmt: skip
        if self.changed:
            lines = newly_covered(evidence, report, self.files)
            if isinstance(lines, Answer):
                return lines
            return judge(self._judged_changed(lines), self._bounds(), report, name, per_file=self.per_file)
        chosen = self._chosen(evidence, report)
        if isinstance(chosen, Answer):
            return chosen
        answer = judge(self._judged(report, chosen), self._bounds(), report, name, per_file=self.per_file)
        if not self.no_worse or answer.status is Status.FAIL:
            return answer
        return self._against_base(evidence, report, chosen, answer)

    def _chosen(self, evidence: Evidence, report: Measured) -> Mapping[str, FileCoverage] | Answer:
        """The measured files that `files` names; the answer where a glob names none, or not all are measured."""
        if not self.files:
            return report.files
        prefix = f"{evidence.prefix}/" if evidence.prefix else ""
        for glob in (glob for glob in self.files if not glob.startswith("!")):
            one = scope_of([glob], evidence.prefix)
            if not any(prefix + path in one for path in report.files):
                return failed(
                    f"no file that the report measures matches {glob}", remedy="Let the tests measure these files."
                )
        scope = scope_of(self.files, evidence.prefix)
        if self.complete:
            paths = [
                path[len(prefix) :] for path in evidence.final_nodes() if path in scope and path.startswith(prefix)
            ]
            left = sorted(path for path in paths if path not in report.files)
            if left:
                more = f" and {len(left) - 1} more" if len(left) > 1 else ""
                return failed(f"{shown(left[0])}{more} of `files` not measured", remedy="Let the tests measure these files.",
                              where=tuple(Place(path=shown(path)) for path in left[:20]))  # fmt: skip
        return {path: file for path, file in report.files.items() if prefix + path in scope}

    def _judged(self, report: Measured, chosen: Mapping[str, FileCoverage]) -> Judged:
        measure = Measure(self.measure)

        def shares_of(files: Sequence[FileCoverage]) -> list[Share]:
            return [file.shares[measure] for file in files if measure in file.shares and not self.files]

        shares = {path: file.shares[measure] for path, file in chosen.items() if measure in file.shares}
        excluded = sum(len(file.excluded) for file in chosen.values())
        scope = f" of {', '.join(self.files)}" if self.files else ""
        return Judged(what=measure.value, scope=scope, shares=shares, excluded=excluded,
                      loose=shares_of(report.unplaced), others=shares_of(report.foreign))  # fmt: skip

    def _judged_changed(self, lines: Mapping[str, CoveredLines]) -> Judged:
        places = [Place(path=shown(path), line=number, note="" if item.measured else "not measured")
                  for path, item in lines.items() for number in item.missed]  # fmt: skip
        return Judged(
            what="added lines", scope=f" of {', '.join(self.files)}" if self.files else "",
            shares={path: item.share for path, item in lines.items()},
            strict={path: item.strict for path, item in lines.items()}, places=places[:20],
            hiding=[Place(path=shown(path), line=number) for path, item in lines.items() for number in item.hiding][:20],
            excluded=sum(len(item.excluded) for item in lines.values()),
            unmeasured=[path for path, item in lines.items() if not item.measured and item.missed],
        )  # fmt: skip

    def _against_base(self, evidence: Evidence, report: Measured, chosen: Mapping[str, FileCoverage],
                      answer: Answer) -> Answer:  # fmt: skip
        """The answer, or a worse one where the base's own report says more."""
        name = shown(self.report)
        try:
            nodes = evidence.base_nodes()
            if nodes is None:
                return unclear("there is no base to compare with", blame=Blame.ENVIRONMENT,
                               remedy="Give one with `--base COMMIT`, or work on a fetched upstream's branch.")  # fmt: skip
            prefix = f"{evidence.prefix}/" if evidence.prefix else ""
            node = nodes.get(prefix + self.report)
            data = None if node is None else evidence.base_blob(node.oid)
            if data is None:
                return unclear(f"the base has no report {name}", blame=Blame.CONTRACT,
                               remedy="Commit a report to compare with, or ask for a `floor`.")  # fmt: skip
            paths: dict[str, Any] = {path[len(prefix) :]: None for path in nodes if path.startswith(prefix)}
            before = measured_in(paths, self.report, data, self.format)
        except (GitError, ReportProblem) as problem:
            return unclear(f"the base's {name} {problem}", blame=Blame.ENVIRONMENT)
        scope = scope_of(self.files, evidence.prefix) if self.files else None
        old = {path: file for path, file in before.files.items() if scope is None or prefix + path in scope}
        gone = sorted(
            path for path in old if path not in report.files and evidence.tree.entry(path).kind.value == "file"
        )
        compared = against(self._judged(before, old), self._judged(report, chosen), gone, per_file=self.per_file)
        if before.problems and compared.status is Status.PASS:
            return unclear(f"the base's {name} {before.problems[0]}", blame=Blame.ENVIRONMENT)
        if compared.status is not Status.PASS or answer.status is not Status.PASS:
            return compared if compared.status is Status.FAIL or answer.status is Status.PASS else answer
        return replace(answer, reason=f"{answer.reason}; {compared.reason}")
