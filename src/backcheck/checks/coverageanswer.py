"""Shares of covered code → an answer. Every comparison is exact; every reason says how many of how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from backcheck.checks.api import Answer, failed, passed, unclear
from backcheck.checks.measured import Measured
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.coverage_model import Share, added
from backcheck.evidence.reports.numerals import written
from backcheck.verdict import Blame, Place, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """In percent, exact; None where there is none."""

    floor: Fraction | None = None
    ceiling: Fraction | None = None

    def missed(self, share: Share) -> str:
        """Why a share with something to cover is out of bounds; empty where it is within."""
        percent = share.fraction * 100
        if self.floor is not None and percent < self.floor:
            return f"the floor is {written(self.floor)} %"
        if self.ceiling is not None and percent > self.ceiling:
            return f"the ceiling is {written(self.ceiling)} %"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is weighed: `shares` by file of the tree; `strict` the same with excluded lines taken for missed, None where it
    does not matter; `loose` are counts about no file at all; `others` are about files that are not in the tree."""

    what: str
    scope: str = ""
    shares: Mapping[str, Share]
    strict: Mapping[str, Share] | None = None
    loose: Sequence[Share] = ()
    others: Sequence[Share] = ()
    places: Sequence[Place] = ()
    excluded: int = 0
    unmeasured: Sequence[str] = ()
    hiding: Sequence[Place] = ()


def whole_of(judged: Judged) -> Share:
    """All files of the tree together."""
    return added([*judged.shares.values(), *judged.loose])


def told(share: Share, what: str) -> str:
    """`82 of 100 lines (82 %)`."""
    percent = f" ({written(share.fraction * 100)} %)" if share.total else ""
    return f"{share} {what}{percent}"


def judge(judged: Judged, bounds: Bounds, report: Measured, name: str, *, per_file: bool) -> Answer:
    """The answer for one report. Failing comes first; then what makes a pass impossible."""
    answer = _numbers(judged, bounds, name, per_file=per_file)
    if answer.status is not Status.PASS:
        return answer
    if report.problems:
        return unclear(f"{name} {report.problems[0]}{_more(len(report.problems), 'contradictions')}", blame=Blame.ENVIRONMENT,
                       remedy="Let the tool write its report anew, in this tree.", details=answer.details)  # fmt: skip
    shaky = _shaky(judged, bounds, name, per_file=per_file)
    if shaky is not None:
        return shaky
    beside = f"; not in the tree and not counted: {_files(len(report.foreign))}" if report.foreign else ""
    return passed(answer.reason + beside, details=answer.details)


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _more(count: int, what: str) -> str:
    return f" (and {count - 1:,} more {what})" if count > 1 else ""


def _numbers(judged: Judged, bounds: Bounds, name: str, *, per_file: bool) -> Answer:
    if not judged.shares:
        if judged.what == "added lines":
            return unclear("no changed file is one that the report measures: nothing was counted", blame=Blame.CONTRACT,
                           remedy="Say in `files` which files are meant, or ask for the whole.")  # fmt: skip
        return unclear(f"{name} counts no {judged.what}", blame=Blame.CONTRACT,
                       remedy=f"Let the tool measure {judged.what}, or ask for another measure.")  # fmt: skip
    share = whole_of(judged)
    excluded = f"; {judged.excluded:,} lines are excluded from measuring" if judged.excluded else ""
    details = {"covered": share.covered, "total": share.total, "files": len(judged.shares), "excluded": judged.excluded}
    if share.total == 0:
        return unclear(f"none of {_files(len(judged.shares))}{judged.scope} holds {judged.what} to execute{excluded}: "
                       "nothing was measured", blame=Blame.CONTRACT, details=details,
                       remedy="Correct what is measured, or let a person look.")  # fmt: skip
    if per_file:
        return _each(judged, bounds, details)
    in_files = f"covered in {_files(len(judged.shares))}{judged.scope}"
    missed = bounds.missed(share)
    if not missed:
        return passed(f"{told(share, judged.what)} {in_files}{excluded}", details=details)
    unmeasured = f"; not measured at all: {', '.join(map(shown, judged.unmeasured[:3]))}" if judged.unmeasured else ""
    return failed(f"{told(share, judged.what)} {in_files}; {missed}{unmeasured}{excluded}", where=tuple(judged.places),
                  details=details, remedy="Test what is not executed yet.")  # fmt: skip


def _each(judged: Judged, bounds: Bounds, details: Mapping[str, object]) -> Answer:
    weighed = {path: share for path, share in judged.shares.items() if share.total}
    wrong = {path: why for path, share in weighed.items() if (why := bounds.missed(share))}
    if not wrong:
        worst = min(weighed, key=lambda path: weighed[path].fraction)
        return passed(f"each of {_files(len(weighed))}{judged.scope} holds its bounds; the least is {shown(worst)} with "
                      f"{told(weighed[worst], judged.what)}", details=details)  # fmt: skip
    first = min(wrong, key=lambda path: weighed[path].fraction)
    places = tuple(Place(path=shown(path), note=told(weighed[path], judged.what)) for path in list(wrong)[:MAX_PLACES])
    return failed(f"{shown(first)}: {told(weighed[first], judged.what)} covered; {wrong[first]}"
                  f"{_more(len(wrong), 'files')}", where=tuple(judged.places) or places, details=details,
                  remedy="Test what is not executed yet.")  # fmt: skip


def _shaky(judged: Judged, bounds: Bounds, name: str, *, per_file: bool) -> Answer | None:
    """Where the same numbers, taken more strictly, would not pass: a person decides which are right."""
    everything = added([whole_of(judged), *judged.others])
    if judged.others and not per_file and everything.total and (why := bounds.missed(everything)):
        return unclear(f"{told(whole_of(judged), judged.what)} in files of the tree, but {told(everything, judged.what)} in all "
                       f"that {name} counts; {why}", blame=Blame.ENVIRONMENT,
                       remedy="Let the report be made in this tree, of its files only.")  # fmt: skip
    if judged.hiding:
        first = judged.hiding[0]
        return unclear(f"{first.path}:{first.line} takes code out of measuring, and {name} does not say how many lines",
                       blame=Blame.AGENT, where=tuple(judged.hiding),
                       remedy="Take the exclusions back, or let a person accept them.")  # fmt: skip
    if judged.strict is None:
        return None
    groups = [share for share in judged.strict.values() if share.total] if per_file else [added(judged.strict.values())]
    if any(share.total and bounds.missed(share) for share in groups):
        return unclear(f"{told(whole_of(judged), judged.what)} are covered, but {judged.excluded:,} added lines are excluded "
                       "from measuring; counted as not executed they would miss the bound", blame=Blame.AGENT,
                       remedy="Take the exclusions back, or let a person accept them.")  # fmt: skip
    return None


def against(before: Judged, now: Judged, gone: Sequence[str], *, per_file: bool) -> Answer:
    """The comparison with the base: failed where it covered more, or measured a file (`gone`) that is still there."""
    if gone:
        return failed(f"{shown(gone[0])} was measured in the base and is not any more{_more(len(gone), 'files')}",
                      where=tuple(Place(path=shown(path)) for path in gone[:MAX_PLACES]),
                      remedy="Measure these files again.")  # fmt: skip
    old, new = whole_of(before), whole_of(now)
    if not old.total:
        return unclear(
            f"the base's report counts no {before.what}: there is nothing to compare with", blame=Blame.CONTRACT
        )
    pairs = {path: (before.shares[path], now.shares[path]) for path in before.shares if path in now.shares}
    fallen = (
        [path for path, (a, b) in pairs.items() if a.total and b.total and b.fraction < a.fraction] if per_file else []
    )
    if fallen:
        a, b = pairs[fallen[0]]
        return failed(f"{shown(fallen[0])}: {told(b, now.what)}, and the base had {told(a, now.what)}"
                      f"{_more(len(fallen), 'files')}", where=tuple(Place(path=shown(path)) for path in fallen[:MAX_PLACES]),
                      remedy="Test what is not executed any more.")  # fmt: skip
    if not per_file and new.fraction < old.fraction:
        return failed(f"{told(new, now.what)}, and the base had {told(old, now.what)}",
                      remedy="Test what is not executed any more.")  # fmt: skip
    return passed(f"the base had {told(old, now.what)}")
