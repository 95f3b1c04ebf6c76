"""Whether a test report speaks of the work: by the time it tells, by its bytes in the base, and, if asked, by files' times."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.testreports import Source
from backcheck.checks.touched import scope_of, touched
from backcheck.evidence.git import GitError
from backcheck.evidence.paths import join, shown
from backcheck.evidence.reports.results_model import ResultsReport
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree
from backcheck.verdict import Blame

#: A time without a zone can be off by so much; a clock by a few minutes.
_ZONES = timedelta(hours=26)
_CLOCK = timedelta(minutes=10)
#: File systems and checkouts do not keep finer times than this.
_GRAIN = 2.0
_DIGITS = re.compile(r"\d{12,13}", re.ASCII)
_ZONE = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$", re.ASCII)
_FORM = "%Y-%m-%d %H:%M"


def too_old(source: Source, report: ResultsReport, base: datetime | None) -> str:
    """Why a report says itself that it is none on this work, or none of this run; or empty text."""
    ran_at = _time(report.ran_at)
    if ran_at is None:
        return ""
    latest = ran_at + _slack(report.ran_at)
    if source.began is not None and latest < source.began:
        return (
            f"{source.name} says that it was written {ran_at:{_FORM}}, before the command ran ({source.began:{_FORM}})"
        )
    if base is not None and latest < base:
        return f"{source.name} says that it was written {ran_at:{_FORM}}, before the work began ({base:{_FORM}})"
    return ""


def too_new(source: Source, report: ResultsReport) -> str:
    """Why its time cannot be, or empty text."""
    ran_at = _time(report.ran_at)
    if ran_at is None or ran_at <= datetime.now(UTC) + _ZONES:
        return ""
    return f"{source.name} says that it was written {ran_at:{_FORM}}, which is still to come"


def kept_from_base(evidence: Evidence, source: Source) -> str:
    """Why a report that lay in the base, byte for byte, says nothing of what has changed since; or empty text."""
    if source.ran is not None or evidence.base is None:
        return ""
    path = join(evidence.prefix, source.path)
    try:
        node = (evidence.base_nodes() or {}).get(path)
        if node is None or evidence.final_nodes().get(path, ("", ""))[1] != node.oid:
            return ""
        found = touched(evidence, evidence.asking.inputs if evidence.asking else ())
    except (GitError, TooLarge, OSError):
        return ""
    changed = [] if isinstance(found, Answer) else [other for other in found.paths if other != path]
    if not changed:
        return ""
    return (
        f"{source.name} is the same as before the work, though {len(changed):,} files changed ({shown(changed[0])}, …)"
    )


def older_than(evidence: Evidence, globs: Sequence[str], sources: Sequence[Source]) -> Answer | None:
    """Where a file that `globs` name was changed after a report was written: the answer. None where none was."""
    tree = evidence.tree
    if not isinstance(tree, DiskTree):
        return unclear(f"the {tree.label} keeps no times of files", blame=Blame.CONTRACT,
                       remedy="Let this check run the tests (`run`).")  # fmt: skip
    scope = scope_of(globs, evidence.prefix)
    newest, path = 0.0, ""
    reports = {join(evidence.prefix, source.path) for source in sources}
    for one in tree.paths():
        if one in scope and one not in reports:
            state = os.lstat(os.path.join(tree.top, one))
            if state.st_mtime > newest or not path:
                newest, path = state.st_mtime, one
    if not path:
        return unclear(f"no file matches {', '.join(map(shown, globs))}: nothing was compared", blame=Blame.CONTRACT,
                       remedy="Correct the glob, or remove it.")  # fmt: skip
    for source in sources:
        written = os.stat(tree.entry(source.path).real).st_mtime
        if written + _GRAIN < newest:
            return unclear(
                f"by the times of the files {shown(path)} was changed after {source.name} was written",
                blame=Blame.AGENT, where=source.where, remedy="Run the tests anew.",
            )  # fmt: skip
    return None


def _time(text: str) -> datetime | None:
    if _DIGITS.fullmatch(text):
        return datetime.fromtimestamp(int(text) / 1000, UTC)
    try:
        found = datetime.fromisoformat(text[:35])
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _slack(text: str) -> timedelta:
    return _CLOCK if _DIGITS.fullmatch(text) or _ZONE.search(text) else _ZONES
