"""ESLint's JSON. It lists every file that was looked at, also clean ones.

A message without a rule is no finding of a rule: fatal, it says that the file could not be parsed; else, without a line,
that the file was ignored.
"""

from __future__ import annotations

from typing import Any

from backcheck.evidence.reports.lint_model import Level, LintReport, Remark
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import count, listing, mapping, parse, words

NAME = "ESLint JSON"
_LEVELS = {2: Level.ERROR, 1: Level.WARNING}


def fits(value: Any) -> bool:
    """Whether a parsed JSON value is plainly this report; an empty list may be any linter's."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(item, dict) and {"filePath", "messages", "errorCount"} <= set(item) for item in value
    )  # fmt: skip


def read(data: bytes) -> LintReport:
    """Errors: ReportProblem."""
    return of_value(parse(data))


def of_value(value: Any) -> LintReport:
    """As `read`, of the parsed JSON. Errors: ReportProblem."""
    items = listing(value, "the files")
    if items and not fits(value):
        raise ReportProblem("holds files that are not ESLint's")
    files: set[str] = set()
    remarks: list[Remark] = []
    suppressed: list[Remark] = []
    unparsed: list[Remark] = []
    wrong: list[str] = []
    for item in items:
        path = words(item["filePath"], "a path")
        said = [(_remark(message, path), message) for message in listing(item["messages"], "`messages`")]
        own = [remark for remark, _ in said]
        _check_counts(item, own, wrong)
        fatal = [remark for remark, message in said if message.get("fatal") is True]
        ignored = any(not remark.rule and not remark.line and remark not in fatal for remark in own)
        if path in files:
            wrong.append(f"lists {quoted(path)} twice")
        if not fatal and not ignored:
            files.add(path)
        unparsed += fatal
        remarks += own
        suppressed += [_remark(message, path) for message in listing(item.get("suppressedMessages", []), "messages")]
    return LintReport(format=NAME, remarks=tuple(remarks), suppressed=tuple(suppressed), unparsed=tuple(unparsed),
                      files=frozenset(files), looked_at=len(files), contradictions=tuple(wrong))  # fmt: skip


def _remark(value: Any, path: str) -> Remark:
    message = mapping(value, "a message")
    severity = message.get("severity")
    if severity not in _LEVELS or isinstance(severity, bool):
        raise ReportProblem(f"has the severity {quoted(severity)}, which ESLint does not have")
    rule, line = message.get("ruleId"), message.get("line")
    return Remark(
        level=_LEVELS[severity],
        rule="" if rule is None else words(rule, "a rule"),
        path=path,
        line=0 if line is None else count(line, "a line"),
        message=words(message.get("message"), "a message"),
    )


def _check_counts(item: dict[str, Any], remarks: list[Remark], wrong: list[str]) -> None:
    for name, level in (("errorCount", Level.ERROR), ("warningCount", Level.WARNING)):
        declared = count(item.get(name), f"`{name}`")
        counted = sum(remark.level is level for remark in remarks)
        if declared != counted:
            wrong.append(f"declares {declared:,} {level}s in {quoted(item['filePath'])}, and {counted:,} are listed")
