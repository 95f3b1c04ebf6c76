"""A lint report → an answer: what fails comes first, then what makes a pass impossible."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backcheck.checks.api import Answer, failed, passed, unclear
from backcheck.checks.linted import Linted
from backcheck.checks.touched import scope_of
from backcheck.evidence.commands import Result
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.lint_model import Level, LintReport, Remark, count_levels
from backcheck.verdict import Blame, Place

SUPPRESSED = "suppressed"
_MESSAGE = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a contract demands of a report."""

    limits: Mapping[str, int]
    forbidden: Sequence[str]
    new_from: Level
    files: Sequence[str]
    #: Folder of the contract's root below the repository's top: globs with `/` count from there.
    prefix: str = ""


def judge(found: Linted, asked: Asked, name: str, *, baseline: Linted | None, result: Result | None) -> Answer:
    """The answer; `result` is how the command that wrote the report ended, None where there was none."""
    report = found.report
    counts: dict[str, int] = {level.value: count for level, count in count_levels(report.remarks).items()}
    counts[SUPPRESSED] = len(report.suppressed)
    details = {**counts, "files": report.signs}
    wrong = _wrong(found, asked, counts, baseline)
    if wrong is not None:
        reason, remarks, remedy = wrong
        return failed(reason, where=tuple(map(_place, remarks[:MAX_PLACES])), details=details, remedy=remedy)
    doubt = _doubt(found, asked, name, baseline, result)
    if doubt is not None:
        return unclear(doubt, blame=Blame.ENVIRONMENT, details=details,
                       remedy="Let the tool run anew on this tree and write its report whole.")  # fmt: skip
    signs = report.signs
    looked = f" in {signs:,} files" if signs > 1 else " in 1 file" if signs else ""
    told = ", ".join(
        f"{count:,} {level}{'' if level == SUPPRESSED or count == 1 else 's'}" for level, count in counts.items()
    )
    return passed(
        f"{report.format}: {told}{looked}{'; nothing new against the base' if baseline else ''}", details=details
    )


_Wrong = tuple[str, Sequence[Remark], str]


def _wrong(found: Linted, asked: Asked, counts: Mapping[str, int], baseline: Linted | None) -> _Wrong | None:
    """Why it fails, the remarks that show it, and what to do."""
    report = found.report
    if report.unparsed:
        return (f"{_first(report.unparsed)}: the file could not be parsed, so it was not looked at", report.unparsed,
                "Mend the syntax of these files.")  # fmt: skip
    for level, limit in asked.limits.items():
        if counts[level] > limit:
            shown_ones = report.suppressed if level == SUPPRESSED else [r for r in report.remarks if r.level == level]
            what = level if level == SUPPRESSED or counts[level] == 1 else f"{level}s"
            return (
                f"{counts[level]:,} {what}, at most {limit:,}: {_first(shown_ones)}",
                shown_ones,
                "Mend what the tool reports.",
            )
    hits = [remark for remark in (*report.remarks, *report.suppressed) if _matches(remark.rule, asked.forbidden)]
    if hits:
        return (
            f"{_first(hits)}: a rule that must not be broken, {len(hits):,} times",
            hits,
            "Mend what the tool reports.",
        )
    new = _new(report.remarks, baseline.report.remarks, asked.new_from) if baseline else []
    if new:
        return f"{len(new):,} new against the base: {_first(new)}", new, "Mend what the change brought in."
    if report.files is not None:
        for glob in (glob for glob in asked.files if not glob.startswith("!")):
            one = scope_of([glob], asked.prefix)
            if not any(posixpath.join(asked.prefix, path) in one for path in report.files):
                return f"no file that the tool looked at matches {glob}", (), "Let the tool look at these files."
    return None


def _doubt(found: Linted, asked: Asked, name: str, baseline: Linted | None, result: Result | None) -> str | None:
    """What keeps a report without a failure from being a pass."""
    report = found.report
    for problem in (*report.failures, *report.contradictions):
        return f"{name} {problem}"
    if baseline is not None and (unsound := [*baseline.report.failures, *baseline.report.contradictions]):
        return f"the base's report {unsound[0]}"
    if result is not None and result.code != 0 and not report.remarks:
        return f"the command ended with {result.code}, and {name} holds nothing that says why"
    if result is not None and result.code not in (0, 1, 2):
        return f"the command ended with {result.code}, so it is not known whether {name} is whole"
    if asked.files and report.files is None:
        return f"{report.format} does not list the files that were looked at, so `files` cannot be answered"
    if (report.files is not None and not report.files) or (not found.here and found.elsewhere):
        return f"{name} looked at no file of the tree ({found.elsewhere:,} others)"
    return None if report.signs else _silence(report, name, result)


def _silence(report: LintReport, name: str, result: Result | None) -> str | None:
    """Whether a report that shows no file may stand for clean files."""
    if report.silence is None or result is None or result.code != 0:
        return f"nothing in {name} shows that any file was looked at"
    if report.silence and report.silence in result.output:
        return f"the command says that it found nothing to look at: {report.silence}"
    return None


def _new(now: Iterable[Remark], before: Iterable[Remark], least: Level) -> list[Remark]:
    """What the base's report does not have, or has less often; lines move, so they do not count."""
    known = Counter((remark.path, remark.rule, remark.message) for remark in before)
    new = []
    for remark in now:
        key = (remark.path, remark.rule, remark.message)
        if known[key]:
            known[key] -= 1
        elif remark.level.rank <= least.rank:
            new.append(remark)
    return new


def _matches(rule: str, names: Sequence[str]) -> bool:
    return any(rule == name or (name.endswith("*") and rule.startswith(name[:-1]) and bool(rule)) for name in names)


def _place(remark: Remark) -> Place:
    return Place(path=shown(remark.path) or "(no file)", line=remark.line, note=_told(remark))


def _told(remark: Remark) -> str:
    text = shown(" ".join(remark.message.split())[:_MESSAGE])
    return f"{shown(remark.rule[:80])} {text}".strip()


def _first(remarks: Sequence[Remark]) -> str:
    first = remarks[0]
    place = f"{shown(first.path)}:{first.line} " if first.path else ""
    more = f" (and {len(remarks) - 1:,} more)" if len(remarks) > 1 else ""
    return f"{place}{_told(first)}{more}"
