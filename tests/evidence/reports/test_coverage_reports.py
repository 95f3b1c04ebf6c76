"""Coverage reports that the tools wrote, against what is known of the code they measured; and the traps of each format."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.evidence.reports.report_projects import DATA

from backcheck.evidence.reports.coverage_kinds import READERS, read_coverage
from backcheck.evidence.reports.coverage_model import CoverageReport, Measure, Share, total_of
from backcheck.evidence.reports.problem import ReportProblem

L, B, S, F = Measure.LINES, Measure.BRANCHES, Measure.STATEMENTS, Measure.FUNCTIONS

#: Of PYTHON in report_projects; coverage.py 4.5 and 5.5 run under Python 3.11 add a line 0 to two files.
PY: dict[Measure, tuple[int, int]] = {L: (12, 16), B: (5, 8)}
PY_OLD: dict[Measure, tuple[int, int]] = {L: (12, 18), B: (5, 8)}
#: Of JAVASCRIPT; c8 counts every line as one statement.
JS: dict[Measure, tuple[int, int]] = {L: (4, 8), B: (3, 5)}
JS_ALL = {**JS, S: (4, 8), F: (1, 3)}
C8: dict[Measure, tuple[int, int]] = {L: (11, 21), B: (4, 7)}
GO: dict[Measure, tuple[int, int]] = {S: (5, 8), L: (9, 15)}

REAL: list[tuple[str, str, dict[Measure, tuple[int, int]], int]] = [
    ("coverage-py-4.5.4-branch.xml", "Cobertura XML", PY_OLD, 3),
    ("coverage-py-5.5-branch.xml", "Cobertura XML", PY_OLD, 3),
    ("coverage-py-5.5-branch.json", "coverage.py JSON", PY_OLD, 3),
    ("coverage-py-6.5.0-branch.xml", "Cobertura XML", PY, 3),
    ("coverage-py-6.5.0-branch.json", "coverage.py JSON", PY, 3),
    ("coverage-py-7.3.2-branch.xml", "Cobertura XML", PY, 3),
    ("coverage-py-7.3.2-branch.json", "coverage.py JSON", PY, 3),
    ("coverage-py-7.3.2-lines.json", "coverage.py JSON", {L: (12, 16), S: (12, 16)}, 3),
    ("coverage-py-7.17.5-branch.xml", "Cobertura XML", PY, 3),
    ("coverage-py-7.17.5-branch.json", "coverage.py JSON", {**PY, S: (12, 16)}, 3),
    ("coverage-py-7.17.5-branch.lcov", "LCOV", {**PY, F: (2, 3)}, 3),
    ("coverage-py-7.17.5-lines.json", "coverage.py JSON", {L: (12, 16)}, 3),
    ("pytest-cov-7.1.0.xml", "Cobertura XML", PY, 3),
    ("pytest-cov-7.1.0.json", "coverage.py JSON", PY, 3),
    ("pytest-cov-7.1.0.lcov", "LCOV", PY, 3),
    ("nyc-15.1.0.lcov", "LCOV", {**JS, F: (1, 3)}, 3),
    ("nyc-15.1.0.xml", "Cobertura XML", JS, 3),
    ("nyc-15.1.0-summary.json", "Istanbul JSON summary", JS_ALL, 3),
    ("nyc-15.1.0-final.json", "Istanbul JSON", JS_ALL, 3),
    ("c8-10.1.3.lcov", "LCOV", {**C8, F: (1, 4)}, 3),
    ("c8-10.1.3.xml", "Cobertura XML", C8, 3),
    ("c8-10.1.3-summary.json", "Istanbul JSON summary", {**C8, F: (1, 4)}, 3),
    ("c8-10.1.3-final.json", "Istanbul JSON", {**C8, F: (1, 4)}, 3),
    ("jest-29.7.0.xml", "Cobertura XML", JS, 3),
    ("jest-29.7.0-final.json", "Istanbul JSON", JS_ALL, 3),
    ("jest-30.5.2.lcov", "LCOV", JS, 3),
    ("jest-30.5.2.xml", "Cobertura XML", JS, 3),
    ("jest-30.5.2-summary.json", "Istanbul JSON summary", JS_ALL, 3),
    ("jest-30.5.2-final.json", "Istanbul JSON", JS_ALL, 3),
    ("gcovr-8.8.xml", "Cobertura XML", {L: (5, 9), B: (3, 4)}, 1),
    ("gcovr-8.8.lcov", "LCOV", {L: (5, 9), B: (3, 4), F: (1, 2)}, 1),
    ("go-1.19.8-set.out", "Go cover profile", GO, 2),
    ("go-1.19.8-count.out", "Go cover profile", GO, 2),
    ("go-1.19.8-atomic.out", "Go cover profile", GO, 2),
    ("go-1.19.8-coverpkg.out", "Go cover profile", {S: (6, 8), L: (11, 15)}, 2),
]

#: coverage.py's own LCOV before 7.4 or so contradicts itself: docstrings, excluded lines, a line 0 of an empty file.
CONTRADICTING = ["coverage-py-6.5.0-branch.lcov", "coverage-py-6.5.0-lines.lcov", "coverage-py-7.3.2-branch.lcov"]


@pytest.mark.parametrize(("name", "format_", "truth", "files"), REAL, ids=[row[0] for row in REAL])
def test_a_real_report_is_read_as_it_is_known_to_be(
    name: str, format_: str, truth: dict[Measure, tuple[int, int]], files: int
) -> None:
    report = read_coverage((DATA / "coverage" / name).read_bytes())
    assert report.format == format_
    assert report.problems == ()
    assert {measure: total_of(report.files, measure) for measure in truth} == truth
    assert len([file for file in report.files if file.path]) == files


@pytest.mark.parametrize("name", CONTRADICTING)
def test_a_real_report_that_contradicts_itself_is_told(name: str) -> None:
    report = read_coverage((DATA / "coverage" / name).read_bytes())
    assert any("declares LF 9 for `src/pkg/calc.py`, and 1" in problem for problem in report.problems)


def test_every_real_report_is_in_a_table() -> None:
    assert {path.name for path in (DATA / "coverage").iterdir()} == {row[0] for row in REAL} | set(CONTRADICTING)


def test_lines_are_known_one_by_one() -> None:
    for name in ("coverage-py-7.17.5-branch.json", "coverage-py-7.17.5-branch.xml", "coverage-py-7.17.5-branch.lcov"):
        files = {file.path: file for file in read_coverage((DATA / "coverage" / name).read_bytes()).files}
        calc = files["src/pkg/calc.py"]
        assert calc.lines is not None
        assert {n for n, hit in calc.lines.items() if hit} == {4, 5, 6, 7, 9, 12}
        assert {n for n, hit in calc.lines.items() if not hit} == {8, 13, 14}
    summary = read_coverage((DATA / "coverage" / "nyc-15.1.0-summary.json").read_bytes())
    assert all(file.lines is None for file in summary.files)


def test_excluded_lines_are_known_from_json_only() -> None:
    report = read_coverage((DATA / "coverage" / "coverage-py-7.17.5-branch.json").read_bytes())
    assert {file.path: file.excluded for file in report.files}["src/pkg/calc.py"] == {17, 18, 19}


def lcov(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def xml(body: str, root: str = 'line-rate="0.5" lines-valid="2" lines-covered="1"', sources: str = "") -> bytes:
    return (f"<coverage {root}><sources>{sources}</sources><packages><package><classes>{body}</classes></package>"
            "</packages></coverage>").encode()  # fmt: skip


CLASS = '<class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>'


def python(**changes: Any) -> bytes:
    """A coverage.py report of one file, with some of its fields changed."""
    entry: dict[str, Any] = {"executed_lines": [1], "missing_lines": [2], "excluded_lines": [],
                             "summary": {"covered_lines": 1, "num_statements": 2, "missing_lines": 1}}  # fmt: skip
    document: dict[str, Any] = {"meta": {"branch_coverage": False}, "files": {"a.py": entry},
                                "totals": {"covered_lines": 1, "num_statements": 2}}  # fmt: skip
    for path, value in changes.items():
        target: Any = document
        *steps, last = path.split("__")
        for step in steps:
            target = target["a.py"] if step == "file" else target[step]
        target[last] = value
    return json.dumps(document).encode()


def summary(lines: tuple[int, int], percent: Any, total: tuple[int, int] | None = None) -> bytes:
    def entry(covered: int, whole: int, shown: Any) -> dict[str, Any]:
        return {name: {"total": whole, "covered": covered, "skipped": 0, "pct": shown}
                for name in ("lines", "statements", "functions", "branches")}  # fmt: skip

    whole = total or lines
    shown = 100 * whole[0] // whole[1] if total else percent
    return json.dumps({"total": entry(*whole, shown), "/p/a.js": entry(*lines, percent)}).encode()


#: Report → a part of what is told. Nothing of this may pass.
CONTRADICTIONS: list[tuple[str, bytes, str]] = [
    ("LF", lcov("SF:a", "DA:1,1", "LF:2", "end_of_record"), "declares LF 2"),
    ("LH", lcov("SF:a", "DA:1,0", "LH:1", "end_of_record"), "declares LH 1"),
    ("BRF", lcov("SF:a", "DA:1,1", "BRF:1", "end_of_record"), "declares BRF 1"),
    ("BRH", lcov("SF:a", "DA:1,1", "BRDA:1,0,0,-", "BRH:1", "end_of_record"), "declares BRH 1"),
    ("LCOV line 0", lcov("SF:a", "DA:0,1", "end_of_record"), "line 0"),
    ("Cobertura total", xml(CLASS, 'line-rate="0.5" lines-valid="20" lines-covered="10"'), "declares 10 of 20 lines"),
    ("Cobertura rate", xml(CLASS, 'line-rate="0.9" lines-valid="2" lines-covered="1"'), "line-rate 0.9"),
    ("Cobertura rate only", xml(CLASS, 'line-rate="1"'), "line-rate 1"),
    ("Cobertura branches", xml(CLASS, 'lines-valid="2" lines-covered="1" branches-valid="1" branches-covered="2"'), "2 of 1 branches"),
    ("Cobertura condition", xml('<class filename="a"><lines><line number="1" hits="1" branch="true" condition-coverage="100% (1/2)"/></lines></class>',
                                'line-rate="1"'), "contradicts itself on line 1"),
    ("JSON summary", python(files__file__summary={"covered_lines": 2, "num_statements": 3, "missing_lines": 1}), "declares 2 of 3 lines"),
    ("JSON both", python(files__file__missing_lines=[1]), "was executed and was not"),
    ("JSON totals", python(totals={"covered_lines": 9, "num_statements": 10}), "declares `covered_lines` `9`"),
    ("JSON no totals", python(totals={}), "declares `covered_lines` `None`"),
    ("summary total", summary((1, 2), 50, (2, 2)), "declares 2 of 2 lines, and its files add up to 1 of 2"),
    ("JSON more branches than are listed", python(
        meta={"branch_coverage": True}, totals={"covered_lines": 1, "num_statements": 2, "covered_branches": 1, "num_branches": 3},
        files__file__executed_branches=[[1, 2]], files__file__missing_branches=[[1, 3]],
        files__file__summary={"covered_lines": 1, "num_statements": 2, "covered_branches": 2, "num_branches": 3}), "declares 2 of 3 branches"),
    ("JSON branches", python(meta={"branch_coverage": True}, totals={"covered_lines": 1, "num_statements": 2, "covered_branches": 2, "num_branches": 2},
                             files__file__executed_branches=[[1, 2]], files__file__missing_branches=[[1, 3]],
                             files__file__summary={"covered_lines": 1, "num_statements": 2, "covered_branches": 2, "num_branches": 2}), "declares 2 of 2 branches"),
    ("summary percent", summary((1, 2), 90), "`90` %"),
    ("summary percent as text", summary((1, 2), "50"), "`50` %"),
    ("summary more than all", summary((3, 2), 150), "3 of 2"),
    ("go cut off", b"mode: set\na.go:1.1,2.2 1 1", "cut off"),
    ("go two answers", b"mode: set\na.go:1.1,2.2 1 1\na.go:1.1,2.2 3 1\n", "before that it has 1"),
    ("go two modes", b"mode: set\na.go:1.1,2.2 1 1\nmode: count\n", "changes its mode"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "told"), [row[1:] for row in CONTRADICTIONS], ids=[row[0] for row in CONTRADICTIONS])
def test_contradictions_are_told(data: bytes, told: str) -> None:
    assert any(told in problem for problem in read_coverage(data).problems), read_coverage(data).problems


#: Report → why it is none.
UNREADABLE: list[tuple[str, bytes, str]] = [
    ("cut off", lcov("SF:a", "DA:1,1"), "cut off"),
    ("no record", b"TN:x\n", "no record"),
    ("end without begin", b"TN:\nend_of_record\n", "not begun"),
    ("record in a record", lcov("SF:a", "SF:b", "end_of_record"), "inside another"),
    ("no name", lcov("SF:", "end_of_record"), "names no file"),
    ("not LCOV", lcov("SF:a", "hello", "end_of_record"), "which is no LCOV"),
    ("line outside", lcov("TN:", "DA:1,1"), "which is no LCOV"),
    ("negative hits", lcov("SF:a", "DA:1,-4", "end_of_record"), "where a count belongs"),
    ("full-width digits", "SF:a\nDA:１,1\nend_of_record\n".encode(), "where a count belongs"),
    ("underscore", lcov("SF:a", "DA:1_0,1", "end_of_record"), "where a count belongs"),
    ("decimal hits", lcov("SF:a", "DA:1,1.0", "end_of_record"), "where a count belongs"),
    ("huge hits", lcov("SF:a", "DA:1," + "9" * 400, "end_of_record"), "where a count belongs"),
    ("branch without parts", lcov("SF:a", "BRDA:1,1", "end_of_record"), "where a branch belongs"),
    ("DTD of its own", b'<!DOCTYPE c [<!ENTITY x "y">]><coverage line-rate="1"/>', "DTD of its own"),
    ("entity nowhere", b'<!DOCTYPE c SYSTEM "x.dtd"><coverage line-rate="1">&x;</coverage>', "nowhere declared"),
    ("another XML", b"<testsuites/>", "no Cobertura"),
    ("JaCoCo", b'<report name="x"/>', "no Cobertura"),
    ("XML cut off", xml(CLASS)[:-30], "no XML"),
    ("XML without a file name", xml("<class><lines/></class>"), "without a file name"),
    ("XML hits", xml('<class filename="a"><lines><line number="1" hits="many"/></lines></class>'), "where a count belongs"),
    ("XML conditions", xml('<class filename="a"><lines><line number="1" hits="1" branch="true" condition-coverage="all"/></lines></class>'), "which is none"),
    ("XML deep", b"<coverage line-rate='1'>" + b"<a>" * 300, "nested deeper"),
    ("XML encoding", b'<?xml version="1.0" encoding="x-none"?><coverage/>', "encoding"),
    ("JSON twice", b'{"meta": {}, "files": {"a": {}, "a": {}}, "totals": {}}', "twice"),
    ("JSON cut off", python()[:-9], "no JSON"),
    ("JSON NaN", python().replace(b'"num_statements": 2', b'"num_statements": NaN'), "NaN"),
    ("JSON boolean", python(files__file__missing_lines=[True]), "where a line"),
    ("JSON line twice", python(files__file__missing_lines=[2, 2]), "names a line twice"),
    ("JSON without lines", python(files__file={}), "has no `executed_lines`"),
    ("another JSON", b'{"a": 1}', "no coverage report"),
    ("a list", b"[]", "no coverage report"),
    ("deep JSON", b"[" * 100_000, "nested too deep"),
    ("empty", b"", "empty"),
    ("blank", b" \n\t", "empty"),
    ("NUL", b"SF:a\0\n", "NUL"),
    ("no UTF-8", b"SF:\xff\n", "no text"),
    ("prose", b"coverage: 100 %", "no coverage report"),
    ("go without a block", b"mode: set\n", "no block"),
    ("go mode", b"mode: all\na.go:1.1,2.2 1 1\n", "does not start"),
    ("go position", b"mode: set\na.go:1,2.2 1 1\n", "no position"),
    ("go backwards", b"mode: set\na.go:3.1,2.2 1 1\n", "ends before it starts"),
    ("go negative", b"mode: set\na.go:1.1,2.2 1 -1\n", "where a count belongs"),
    ("go endless block", b"mode: set\na.go:1.1,99999999999.2 1 1\n", "more lines than any source"),
    ("final: other counts", b'{"a": {"path": "a", "statementMap": {}, "s": {"0": 1}, "fnMap": {}, "f": {}, "branchMap": {}, "b": {}}}', "other elements"),
    ("final: other branches", b'{"a": {"path": "a", "statementMap": {}, "s": {}, "branchMap": {}, "b": {"0": [1]}}}', "other branches"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "told"), [row[1:] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE])
def test_what_is_no_report_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(ReportProblem) as caught:
        read_coverage(data)
    assert told in str(caught.value)


def only(data: bytes) -> CoverageReport:
    report = read_coverage(data)
    assert report.problems == ()
    return report


def test_lcov_takes_what_its_writers_write() -> None:
    report = only(lcov("# a comment", "TN:", "SF:a.py", "VER:1", "FN:1,f,g", "FNDA:0,f,g", "DA:1,2,9w3MuI/sxiLgOqzAGY67Tg",
                       "DA:2,0", "BRDA:1,0,jump to line 4, or not,0", "BRDA:1,0,exit,-", "BRDA:1,0,x,3", "end_of_record",
                       "TN:second", "SF:a.py", "DA:2,1", "end_of_record", "SF:empty.py", "end_of_record"))  # fmt: skip
    assert [file.path for file in report.files] == ["a.py", "empty.py"]
    assert report.files[0].shares[L] == Share(2, 2)
    assert report.files[0].shares[B] == Share(1, 3)
    assert report.files[1].shares[L] == Share(0, 0)
    assert B not in report.files[1].shares


def test_cobertura_counts_a_file_once_however_many_classes_it_has() -> None:
    methods = '<class filename="a.py"><methods><method><lines><line number="9" hits="1"/></lines></method></methods>{}</class>'
    repeated = xml(CLASS + CLASS, 'lines-valid="4" lines-covered="2"')
    assert total_of(only(repeated).files, L) == Share(1, 2)
    below = xml(methods.format('<lines><line number="1" hits="0"/></lines>'), 'line-rate="0"')
    assert total_of(only(below).files, L) == Share(0, 1)
    alone = xml(methods.format("<lines/>"), 'line-rate="1"')
    assert total_of(only(alone).files, L) == Share(1, 1)


def test_branches_on_no_line_count_where_they_make_it_worse() -> None:
    branch = '<class filename="a"><lines><line number="1" hits="1" branch="true" condition-coverage="100% (2/2)"/></lines></class>'
    worse = only(xml(branch, 'lines-valid="1" lines-covered="1" branches-valid="4" branches-covered="2"'))
    assert total_of(worse.files, B) == Share(2, 4)
    half = branch.replace("100% (2/2)", "50% (1/2)")
    better = only(xml(half, 'lines-valid="1" lines-covered="1" branches-valid="4" branches-covered="3"'))
    assert total_of(better.files, B) == Share(1, 2)


def test_nothing_of_nothing_has_no_rate() -> None:
    assert only(xml('<class filename="a" line-rate="1"><lines/></class>', 'line-rate="1"')).files[0].shares[L] == Share(
        0, 0
    )
    assert total_of(only(summary((0, 0), "Unknown")).files, L) == Share(0, 0)
    with pytest.raises(ZeroDivisionError):
        _ = Share(0, 0).fraction


def test_old_coverage_py_names_docstrings_as_executed() -> None:
    data = python(files__file__executed_lines=[1, 5, 7], files__file__excluded_lines=[7])
    report = only(data)
    assert report.files[0].shares[L] == Share(1, 2)


def test_old_coverage_py_lists_ways_that_it_did_not_foresee() -> None:
    counts = {"covered_branches": 1, "num_branches": 2}
    data = python(meta={"branch_coverage": True}, totals={"covered_lines": 1, "num_statements": 2, **counts},
                  files__file__executed_branches=[[1, 2], [1, -9]], files__file__missing_branches=[[1, 3]],
                  files__file__summary={"covered_lines": 1, "num_statements": 2, **counts})  # fmt: skip
    assert only(data).files[0].shares[B] == Share(1, 2)


def test_a_line_of_two_statements_was_executed_where_one_was() -> None:
    places = {str(n): {"start": {"line": 1, "column": n}} for n in range(3)}
    entry = {"path": "a", "statementMap": places, "s": {"0": 0, "1": 4, "2": 0}}
    shares = only(json.dumps({"a": entry}).encode()).files[0].shares
    assert (shares[L], shares[S]) == (Share(1, 1), Share(1, 3))


def test_a_summary_without_files_is_told() -> None:
    entry = json.loads(summary((1, 2), 50))
    data = json.dumps({"total": entry["total"]}).encode()
    assert "nothing can be counted" in read_coverage(data).problems[0]


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
def test_a_named_format_is_not_guessed(reader: Callable[[bytes], CoverageReport]) -> None:
    with pytest.raises(ReportProblem):
        reader(b'{"some": "thing"}')


def test_utf16_and_marks_are_decoded() -> None:
    text = "SF:a\nDA:1,1\nend_of_record\n"
    for data in (text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        assert total_of(only(data).files, L) == Share(1, 1)
