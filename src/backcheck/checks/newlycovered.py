"""How many of the lines that a change adds were executed, by a coverage report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backcheck.checks.addedlines import AddedLines, added
from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.measured import Measured, ending_of
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.coverage_model import Share
from backcheck.verdict import Blame

#: How coverage.py, Istanbul, c8, node, lcov and gcovr are told to leave lines out.
_TAKES_OUT = re.compile(
    r"pragma:? no ?cover|(?:istanbul|c8|v8) ignore|node:coverage (?:ignore|disable)|[LG]COVR?_EXCL", re.IGNORECASE
)


@dataclass(slots=True, kw_only=True)
class CoveredLines:
    """Of one file: the added lines that were executed, those that were not, and those taken out of measuring.

    Of a file that the report does not measure, every added line that is not blank counts as not executed.
    """

    covered: list[int] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    #: Added lines that take code out of measuring where the report does not say which.
    hiding: list[int] = field(default_factory=list)
    measured: bool = True

    @property
    def share(self) -> Share:
        """Executed of executable."""
        return Share(len(self.covered), len(self.covered) + len(self.missed))

    @property
    def strict(self) -> Share:
        """The same, with what is excluded taken for not executed."""
        return Share(self.share.covered, self.share.total + len(self.excluded))


def newly_covered(evidence: Evidence, report: Measured, globs: Sequence[str]) -> Mapping[str, CoveredLines] | Answer:
    """Path (from the contract's root) → its added lines, for changed files that the globs name, or without globs for those
    with an ending that the report measures. Or the answer where it cannot be told."""
    found = added(evidence, globs)
    if isinstance(found, Answer):
        return found
    prefix = f"{evidence.prefix}/" if evidence.prefix else ""

    def meant(path: str) -> bool:
        return path.startswith(prefix) and (bool(globs) or ending_of(path) in report.endings)

    for path, why in found.apart.items():
        if meant(path):
            return unclear(f"{shown(path)} {why}", blame=Blame.ENVIRONMENT, remedy="Make the changed files readable.")
    lines: dict[str, CoveredLines] = {}
    for path, change in found.files.items():
        if not meant(path):
            continue
        place = path[len(prefix) :]
        seen = _seen(report, place, change)
        if isinstance(seen, Answer):
            return seen
        lines[place] = seen
    return lines


def _seen(report: Measured, path: str, change: AddedLines) -> CoveredLines | Answer:
    file = report.files.get(path)
    if file is None:
        return CoveredLines(missed=[number for number, row in change if row.strip()], measured=False)
    if file.lines is None:
        return unclear(f"the report ({report.format}) counts lines and names none, so nothing is known of the added ones",
                       blame=Blame.CONTRACT, remedy="Name a report that lists lines: LCOV, Cobertura or JSON.")  # fmt: skip
    known = file.lines
    return CoveredLines(
        covered=[number for number in change.numbers if known.get(number) is True],
        missed=[number for number in change.numbers if known.get(number) is False],
        excluded=[number for number in change.numbers if number in file.excluded],
        hiding=[number for number, row in change if number not in file.excluded and _TAKES_OUT.search(row)],
    )
