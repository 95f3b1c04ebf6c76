"""ruff's JSON. It lists findings and nothing else: an empty list is the same for clean code and for no code at all."""

from __future__ import annotations

from typing import Any

from backcheck.evidence.reports.lint_model import Level, LintReport, Remark
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.strictjson import count, listing, mapping, parse, words

NAME = "ruff JSON"
#: What ruff prints (and exits with 0) where it found nothing to look at.
NOTHING_FOUND = "No Python files found under the given path"
IO_ERROR = "E902"
SYNTAX = frozenset({"", "E999", "invalid-syntax"})
_LEVELS = {"error": Level.ERROR, "fatal": Level.ERROR, "warning": Level.WARNING, "info": Level.NOTE, "help": Level.NOTE}


def fits(value: Any) -> bool:
    """Whether a parsed JSON value is plainly this report; an empty list may be any linter's."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(item, dict) and {"code", "filename", "location", "noqa_row"} <= set(item) for item in value
    )  # fmt: skip


def read(data: bytes) -> LintReport:
    """Errors: ReportProblem."""
    return of_value(parse(data))


def of_value(value: Any) -> LintReport:
    """As `read`, of the parsed JSON. Errors: ReportProblem."""
    items = [mapping(item, "a finding") for item in listing(value, "the findings")]
    if items and not fits(value):
        raise ReportProblem("holds findings that are not ruff's")
    remarks = [_remark(item) for item in items]
    lost = [remark for remark in remarks if remark.rule == IO_ERROR]
    return LintReport(
        format=NAME,
        remarks=tuple(remark for remark in remarks if remark.rule != IO_ERROR),
        unparsed=tuple(remark for remark in remarks if remark.rule in SYNTAX),
        silence=NOTHING_FOUND,
        failures=tuple(f"says that {remark.path} could not be read: {remark.message}" for remark in lost),
    )


def _remark(item: dict[str, Any]) -> Remark:
    code = item["code"]
    level = item.get("severity", "error")
    if level not in _LEVELS:
        raise ReportProblem("has a severity that ruff does not have")
    return Remark(
        level=_LEVELS[level],
        rule="" if code is None else words(code, "a code"),
        path=words(item["filename"], "a file name"),
        line=count(mapping(item["location"], "a location").get("row"), "a row"),
        message=words(item.get("message"), "a message"),
    )
