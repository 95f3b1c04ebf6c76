"""How many of the lines that a change adds were executed, by a coverage report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.changes import Change
from backcheck.checks.measured import Measured, ending_of
from backcheck.checks.newlines import new_lines
from backcheck.checks.touched import bytes_before, bytes_of, touched
from backcheck.evidence.decode import decode
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.reports.coverage_model import Share
from backcheck.verdict import Blame


@dataclass(slots=True, kw_only=True)
class AddedLines:
    """Of one file: the added lines that were executed, those that were not, and those taken out of measuring.

    Of a file that the report does not measure, every added line that is not blank counts as not executed.
    """

    covered: list[int] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    measured: bool = True

    @property
    def share(self) -> Share:
        """Executed of executable."""
        return Share(len(self.covered), len(self.covered) + len(self.missed))

    @property
    def strict(self) -> Share:
        """The same, with what is excluded taken for not executed."""
        return Share(self.share.covered, self.share.total + len(self.excluded))


def newly_covered(evidence: Evidence, report: Measured, globs: Sequence[str]) -> Mapping[str, AddedLines] | Answer:
    """Path (from the contract's root) → its added lines, for changed files that the globs name, or without globs for those
    with an ending that the report measures. Or the answer where it cannot be told."""
    found = touched(evidence, globs)
    if isinstance(found, Answer):
        return found
    prefix = f"{evidence.prefix}/" if evidence.prefix else ""
    lines: dict[str, AddedLines] = {}
    for path, change in found.paths.items():
        if change in (Change.REMOVED, Change.MODE) or not path.startswith(prefix):
            continue
        place = path[len(prefix) :]
        if not globs and ending_of(place) not in report.endings:
            continue
        try:
            before = bytes_before(evidence, path)
            text = decode(bytes_of(evidence, path, limit=MAX_TEXT))
        except (Unreadable, GitError) as error:
            return unclear(
                f"{shown(place)} {error}", blame=Blame.ENVIRONMENT, remedy="Make the changed files readable."
            )
        added = new_lines(None if before is None else decode(before), text)
        seen = _seen(report, place, added, text)
        if isinstance(seen, Answer):
            return seen
        lines[place] = seen
    return lines


def _seen(report: Measured, path: str, added: set[int], text: str) -> AddedLines | Answer:
    file = report.files.get(path)
    if file is None:
        rows = text.split("\n")
        return AddedLines(missed=sorted(n for n in added if rows[n - 1].strip()), measured=False)
    if file.lines is None:
        return unclear(f"the report ({report.format}) counts lines and names none, so nothing is known of the added ones",
                       blame=Blame.CONTRACT, remedy="Name a report that lists lines: LCOV, Cobertura or JSON.")  # fmt: skip
    known = file.lines
    return AddedLines(
        covered=sorted(n for n in added if known.get(n) is True),
        missed=sorted(n for n in added if known.get(n) is False),
        excluded=sorted(added & file.excluded),
    )
