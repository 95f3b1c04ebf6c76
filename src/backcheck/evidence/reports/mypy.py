"""mypy's output: text, or with `--output json` one object a line.

Only the text's last line says how many files were checked; the JSON does not, and is empty where nothing was found.
"""

from __future__ import annotations

import re

from backcheck.evidence.reports.lint_model import Level, LintReport, Remark
from backcheck.evidence.reports.numerals import count_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import count, mapping, parse_text, text_of, words

TEXT = "mypy text"
JSON = "mypy JSON"
_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "note": Level.NOTE}
#: `path:line[:column[:line:column]]: severity: message  [code]`
_LINE = re.compile(
    r"(?P<path>.+?):(?P<line>[0-9]+):(?:[0-9]+:){0,3} (?P<level>error|warning|note): (?P<message>.*?)(?:  \[(?P<code>[a-z-]+)\])?"
)
_FOUND = re.compile(r"Found (?P<errors>[0-9]+) errors? in (?P<files>[0-9]+) files? \((?P<rest>[^()]*)\)")
_CHECKED = re.compile(r"checked (?P<files>[0-9]+) source files?")
_SUCCESS = re.compile(r"Success: no issues found in (?P<files>[0-9]+) source files?")
_STOPPED = "errors prevented further checking"


def fits_text(text: str) -> bool:
    """Whether a text plainly ends as mypy's output does."""
    lines = text.rstrip().rsplit("\n", 1)
    return bool(_SUCCESS.fullmatch(lines[-1]) or _FOUND.fullmatch(lines[-1]))


def fits_json(text: str) -> bool:
    """Whether a text is plainly mypy's JSON, by its first line."""
    first = text.lstrip().split("\n", 1)[0]
    return first.startswith("{") and all(f'"{name}"' in first for name in ("file", "line", "severity", "hint"))


def read_text(data: bytes) -> LintReport:
    """Errors: ReportProblem."""
    remarks: list[Remark] = []
    others: list[str] = []
    wrong: list[str] = []
    failures: list[str] = []
    looked_at: int | None = None
    ended = False
    for line in text_of(data).split("\n"):
        line = line.rstrip()
        found = _LINE.fullmatch(line)
        if line and ended:
            raise ReportProblem(f"goes on after its summary line: {quoted(line)}")
        if found:
            remarks.append(Remark(level=_LEVELS[found["level"]], rule=found["code"] or "", path=found["path"],
                                  line=count_of(found["line"]), message=found["message"]))  # fmt: skip
        elif success := _SUCCESS.fullmatch(line):
            ended, looked_at = True, count_of(success["files"])
            if any(remark.level is Level.ERROR for remark in remarks):
                wrong.append("says that no issue was found, and lists errors")
        elif summary := _FOUND.fullmatch(line):
            ended = True
            looked_at = _summary(summary, remarks, wrong, failures)
        elif line:
            others.append(line)
    if not ended:
        raise ReportProblem(f"has no summary line of mypy{f', but {quoted(others[-1])}' if others else ''}")
    return LintReport(format=TEXT, remarks=tuple(remarks), unparsed=_unparsed(remarks), looked_at=looked_at,
                      failures=tuple(failures), contradictions=tuple(wrong))  # fmt: skip


def _summary(found: re.Match[str], remarks: list[Remark], wrong: list[str], failures: list[str]) -> int:
    errors = [remark for remark in remarks if remark.level is Level.ERROR]
    said = (count_of(found["errors"]), count_of(found["files"]))
    counted = (len(errors), len({remark.path for remark in errors}))
    if said != counted:
        wrong.append(f"declares {said[0]:,} errors in {said[1]:,} files, and lists {counted[0]:,} in {counted[1]:,}")
    checked = _CHECKED.fullmatch(found["rest"])
    if checked:
        return count_of(checked["files"])
    failures.append(f"says that {_STOPPED}" if found["rest"] == _STOPPED else f"says {quoted(found['rest'])}")
    return 0


def read_json(data: bytes) -> LintReport:
    """Errors: ReportProblem. Empty output is a report without findings, and without a sign that anything was checked."""
    remarks: list[Remark] = []
    for line in text_of(data).split("\n") if data.strip() else ():
        if not line.strip():
            continue
        item = mapping(parse_text(line), "a finding")
        level = item.get("severity")
        if level not in _LEVELS:
            raise ReportProblem(f"has the severity {quoted(level)}, which mypy does not have")
        code = item.get("code")
        line_number = item.get("line")
        remarks.append(
            Remark(
                level=_LEVELS[words(level, "a severity")],
                rule="" if code is None else words(code, "a code"),
                path=words(item.get("file"), "a file name"),
                line=0 if line_number == -1 else count(line_number, "a line"),
                message=words(item.get("message"), "a message"),
            )
        )
    # Without a file to check mypy ends with 2.
    return LintReport(format=JSON, remarks=tuple(remarks), unparsed=_unparsed(remarks), silence="")


def _unparsed(remarks: list[Remark]) -> tuple[Remark, ...]:
    return tuple(remark for remark in remarks if remark.rule == "syntax")
