"""A coverage report laid over the tree: which of its files are files of the tree, and what in it cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backcheck.checks.api import Evidence
from backcheck.checks.obtained import folder_of
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.reports.coverage_kinds import read_coverage
from backcheck.evidence.reports.coverage_model import CoverageReport, FileCoverage, joined
from backcheck.evidence.reports.places import located, merged
from backcheck.evidence.workspace import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """`files` by their path in the tree; `foreign` are entries about no file of it; `unplaced` are counts about no file at
    all; `problems` are contradictions, in words that follow the report's name."""

    format: str
    files: Mapping[str, FileCoverage]
    foreign: Sequence[FileCoverage] = ()
    unplaced: Sequence[FileCoverage] = ()
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def endings(self) -> frozenset[str]:
        """The endings of the files that are measured: `.py`."""
        return frozenset(ending_of(path) for path in self.files)


def ending_of(path: str) -> str:
    """`a/b.py` → `.py`; empty where there is none."""
    name = path.rsplit("/", 1)[-1]
    return f".{name.rsplit('.', 1)[1]}" if "." in name[1:] else ""


def measured(evidence: Evidence, report: str, data: bytes, name: str) -> Measured:
    """Read a report and lay it over the tree under judgement. Errors: ReportProblem."""
    tree = evidence.tree
    found = read_coverage(data, name)
    places = located(
        (file.path for file in found.files),
        lambda path: tree.entry(path).kind is Kind.FILE,
        roots=[tree.root],
        sources=found.sources,
        folder=folder_of(report),
    )
    laid = _laid(found, places)
    return Measured(
        format=laid.format, files=laid.files, foreign=laid.foreign, unplaced=laid.unplaced, notes=laid.notes,
        problems=[*laid.problems, *_beyond(evidence, laid.files)],
    )  # fmt: skip


def measured_in(paths: Mapping[str, object], report: str, data: bytes, name: str) -> Measured:
    """As `measured`, over a tree of which only the paths are known (the base's). Errors: ReportProblem."""
    found = read_coverage(data, name)
    places = located(
        (file.path for file in found.files), paths.__contains__, sources=found.sources, folder=folder_of(report)
    )
    return _laid(found, places)


def _laid(found: CoverageReport, places: Mapping[str, str]) -> Measured:
    by_name = {file.path: file for file in found.files}
    files: dict[str, FileCoverage] = {}
    problems = list(found.problems)
    for place, names in merged(places).items():
        files[place] = by_name[names[0]]
        for other in names[1:]:
            both = joined(files[place], by_name[other])
            if both is None:
                problems.append(f"measures {shown(place)} twice, with different answers")
            else:
                files[place] = both
    return Measured(
        format=found.format,
        files=files,
        foreign=[file for file in found.files if file.path and file.path not in places],
        unplaced=[file for file in found.files if not file.path],
        problems=problems,
        notes=found.notes,
    )


def _beyond(evidence: Evidence, files: Mapping[str, FileCoverage]) -> list[str]:
    """Lines beyond a file's end: the report is about another state of the file."""
    wrong = []
    for path, file in files.items():
        last = max(file.lines, default=0) if file.lines else 0
        if not last:
            continue
        try:
            data = evidence.tree.read(path, limit=MAX_TEXT)
        except Unreadable as error:
            wrong.append(f"measures {shown(path)}, which {error}")
            continue
        length = data.count(b"\n") + 1
        if last > length:
            wrong.append(
                f"measures line {last:,} of {shown(path)}, which has {length:,}: it is about another state of it"
            )
    return wrong
