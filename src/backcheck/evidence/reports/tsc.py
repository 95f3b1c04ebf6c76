"""tsc's output, plain (`--pretty false`) or for a terminal, with the files of `--listFiles` where it was asked for them.

Silence is all that tsc says about clean code, and about none: a project whose `files` is empty and which only refers to
others is silent too.
"""

from __future__ import annotations

import re

from backcheck.evidence.reports.lint_model import Level, LintReport, Remark
from backcheck.evidence.reports.numerals import count_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import text_of

NAME = "tsc"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "message": Level.NOTE, "suggestion": Level.NOTE}
_WORDS = "|".join(_LEVELS)
_PLAIN = re.compile(
    rf"(?P<path>.+?)\((?P<line>[0-9]+),[0-9]+\): (?P<level>{_WORDS}) (?P<code>TS[0-9]+): (?P<message>.*)"
)
_PRETTY = re.compile(
    rf"(?P<path>.+?):(?P<line>[0-9]+):[0-9]+ - (?P<level>{_WORDS}) (?P<code>TS[0-9]+): (?P<message>.*)"
)
_WHOLE = re.compile(rf"(?P<level>{_WORDS}) (?P<code>TS[0-9]+): (?P<message>.*)")
_FOUND = re.compile(r"Found (?P<errors>[0-9]+) errors?(?: in .*)?\.?")
#: A file of `--listFiles`: absolute or relative, with nothing said about it.
_LISTED = re.compile(r"(?:[A-Za-z]:)?[^\s:0-9][^:]*\.[cm]?[jt]sx?")
#: What frames an error for a terminal: source lines with their number, underlines, a table of files.
_FRAME = re.compile(r"[0-9]+ .*|[0-9]+|\s.*|Errors  Files|\s*[0-9]+  .*")


def fits(text: str) -> bool:
    """Whether a line of a text is plainly tsc's."""
    return any(
        pattern.fullmatch(line)
        for line in _COLOUR.sub("", text).split("\n")[:200]
        for pattern in (_PLAIN, _PRETTY, _WHOLE)
    )


def read(data: bytes) -> LintReport:
    """Errors: ReportProblem. Empty output is a report without findings, and without a sign that anything was checked."""
    remarks: list[Remark] = []
    failures: list[str] = []
    files: set[str] = set()
    said: int | None = None
    text = _COLOUR.sub("", text_of(data)) if data.strip() else ""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip()
        found = _PLAIN.fullmatch(line) or _PRETTY.fullmatch(line)
        if found:
            remarks.append(Remark(level=_LEVELS[found["level"]], rule=found["code"], path=found["path"],
                                  line=count_of(found["line"]), message=found["message"]))  # fmt: skip
        elif whole := _WHOLE.fullmatch(line):
            # An error without a place is about the call or the configuration: the code was not, or not all, checked.
            failures.append(f"says {quoted(line)}")
            remarks.append(
                Remark(level=_LEVELS[whole["level"]], rule=whole["code"], path="", line=0, message=whole["message"])
            )
        elif summary := _FOUND.fullmatch(line):
            said = (said or 0) + count_of(summary["errors"])
        elif _LISTED.fullmatch(line):
            files.add(line)
        elif line and not _FRAME.fullmatch(line):
            raise ReportProblem(f"holds {quoted(line)} at line {number}, which tsc does not say")
    errors = sum(remark.level is Level.ERROR for remark in remarks)
    wrong = () if said in (None, errors) else (f"declares {said:,} errors, and {errors:,} are listed",)
    return LintReport(format=NAME, remarks=tuple(remarks), files=frozenset(files) if files else None,
                      failures=tuple(failures), contradictions=wrong)  # fmt: skip
