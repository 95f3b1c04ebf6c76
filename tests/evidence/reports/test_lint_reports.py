"""Lint reports that the tools wrote, against what is known of the code; and the traps of each format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.evidence.reports.report_projects import DATA

from backcheck.evidence.reports.lint_kinds import READERS, read_lint
from backcheck.evidence.reports.lint_model import Level, LintReport, count_levels
from backcheck.evidence.reports.problem import ReportProblem

#: File → errors, warnings, notes, suppressed, files that could not be parsed, files certainly looked at.
REAL: dict[str, tuple[int, int, int, int, int, int]] = {
    "ruff-0.1.15.json": (6, 0, 0, 0, 1, 2),
    "ruff-0.6.9.json": (7, 0, 0, 0, 2, 2),
    "ruff-0.17.6.json": (7, 0, 0, 0, 2, 2),
    "ruff-0.1.15.sarif": (4, 0, 0, 0, 1, 2),
    "ruff-0.6.9.sarif": (5, 0, 0, 0, 2, 2),
    "ruff-0.17.6.sarif": (6, 0, 0, 0, 2, 2),
    "ruff-0.17.6-clean.sarif": (0, 0, 0, 0, 0, 0),
    "eslint-8.57.1.json": (3, 1, 0, 1, 1, 1),
    "eslint-9.39.5.json": (3, 1, 0, 1, 1, 1),
    "eslint-10.15.0.json": (3, 1, 0, 1, 1, 1),
    "eslint-10.15.0-clean.json": (0, 0, 0, 0, 0, 1),
    "eslint-10.15.0-ignored.json": (0, 1, 0, 0, 0, 0),
    "mypy-1.4.1.txt": (2, 0, 0, 0, 0, 2),
    "mypy-1.11.2.txt": (2, 0, 0, 0, 0, 2),
    "mypy-2.4.1.txt": (2, 0, 0, 0, 0, 2),
    "mypy-2.4.1-clean.txt": (0, 0, 0, 0, 0, 1),
    "mypy-1.11.2.jsonl": (2, 0, 0, 0, 0, 1),
    "mypy-2.4.1.jsonl": (2, 0, 0, 0, 0, 1),
    "mypy-2.4.1-syntax.jsonl": (2, 0, 0, 0, 2, 0),
    "tsc-4.9.5.txt": (4, 0, 0, 0, 0, 2),
    "tsc-5.9.3.txt": (4, 0, 0, 0, 0, 2),
    "tsc-5.9.3-pretty.txt": (4, 0, 0, 0, 0, 2),
    "tsc-7.0.2.txt": (4, 0, 0, 0, 0, 2),
    "tsc-7.0.2-pretty.txt": (4, 0, 0, 0, 0, 2),
    "bandit-1.9.4.sarif": (2, 0, 2, 0, 1, 2),
    "bandit-1.9.4-clean.sarif": (0, 0, 0, 0, 0, 1),
}
#: File → a part of what its tool could not do.
FAILED = {
    "ruff-0.17.6-no-such-path.json": "could not be read",
    "tsc-7.0.2-no-such-project.txt": "TS5058",
    "eslint-8.57.1.sarif": "did not end well",
}
#: These say nothing by their content alone; with the name of their format they are read.
SILENT = {"ruff-0.17.6-clean.json": "ruff", "tsc-5.9.3-listed.txt": "tsc", "tsc-7.0.2-listed.txt": "tsc"}


def figures(report: LintReport) -> tuple[int, ...]:
    return (*count_levels(report.remarks).values(), len(report.suppressed), len(report.unparsed), report.signs)


@pytest.mark.parametrize("name", REAL)
def test_a_real_report_is_read_as_it_is_known_to_be(name: str) -> None:
    report = read_lint((DATA / "lint" / name).read_bytes())
    assert figures(report) == REAL[name]
    assert (report.failures, report.contradictions) == ((), ())


@pytest.mark.parametrize("name", FAILED)
def test_a_real_report_of_a_tool_that_failed(name: str) -> None:
    report = read_lint((DATA / "lint" / name).read_bytes())
    assert any(FAILED[name] in failure for failure in report.failures)


@pytest.mark.parametrize("name", SILENT)
def test_a_real_report_without_a_word_needs_its_name(name: str) -> None:
    data = (DATA / "lint" / name).read_bytes()
    with pytest.raises(ReportProblem):
        read_lint(data)
    assert read_lint(data, SILENT[name]).remarks == ()


@pytest.mark.parametrize("name", [name for name in {**REAL, **FAILED} if name.endswith(".sarif")])
def test_sarif_pydantic_sees_the_same_results(name: str) -> None:
    from sarif_pydantic import Sarif

    data = (DATA / "lint" / name).read_bytes()
    results = [result for run in Sarif.model_validate_json(data).runs for result in run.results or ()]
    ours = read_lint(data)
    notified = len(ours.unparsed) if name.startswith(("bandit", "eslint")) else 0
    assert len(results) == len(ours.remarks) + len(ours.suppressed) - notified


def test_every_real_report_is_in_a_table() -> None:
    assert {path.name for path in (DATA / "lint").iterdir()} == {*REAL, *FAILED, *SILENT}


def test_listed_files_are_known() -> None:
    listed = read_lint((DATA / "lint" / "tsc-5.9.3-listed.txt").read_bytes(), "tsc")
    assert listed.files is not None
    assert "ok/good.ts" in listed.files


def test_places_and_rules_are_kept() -> None:
    report = read_lint((DATA / "lint" / "eslint-10.15.0.json").read_bytes())
    assert [(r.level.value, r.rule, r.path, r.line) for r in report.remarks] == [
        ("warning", "no-unused-vars", "/project/src/bad.js", 1),
        ("error", "eqeqeq", "/project/src/bad.js", 3),
        ("error", "no-debugger", "/project/src/bad.js", 3),
        ("error", "", "/project/src/broken.js", 1),
    ]


def sarif(*results: dict[str, Any], **run: Any) -> bytes:
    driver = {"name": "tool", **run.pop("driver", {})}
    return json.dumps(
        {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results), **run}]}
    ).encode()


def levels(data: bytes) -> list[str]:
    return [remark.level.value for remark in read_lint(data).remarks]


def result(**more: Any) -> dict[str, Any]:
    return {"message": {"text": "m"}, **more}


RULES = {
    "rules": [
        {"id": "A", "defaultConfiguration": {"level": "error"}},
        {"id": "B"},
        {"id": "N", "defaultConfiguration": {"level": "none"}},
    ]
}


def test_sarif_takes_a_level_from_the_rule_and_then_warning() -> None:
    found = levels(sarif(result(ruleId="A"), result(ruleIndex=0), result(ruleId="A/1"), result(ruleId="B"), result(ruleId="C"),
                         result(), result(ruleId="A", level="note"), result(rule={"id": "A"}), driver=RULES))  # fmt: skip
    assert found == ["error", "error", "error", "warning", "warning", "warning", "note", "error"]


def test_sarif_extension_rules_and_overrides() -> None:
    tool = {
        "driver": {"name": "t"},
        "extensions": [{"name": "e", "rules": [{"id": "X", "defaultConfiguration": {"level": "error"}}]}],
    }
    assert levels(sarif(result(rule={"index": 0, "toolComponent": {"index": 0}}), result(ruleId="X"), tool=tool)) == [
        "error",
        "error",
    ]
    override = [
        {
            "executionSuccessful": True,
            "ruleConfigurationOverrides": [{"descriptor": {"id": "B"}, "configuration": {"level": "error"}}],
        }
    ]
    assert levels(sarif(result(ruleId="B"), driver=RULES, invocations=override)) == ["error"]


def test_sarif_counts_what_counts() -> None:
    data = sarif(
        result(level="error", suppressions=[]),
        result(level="error", suppressions=[{"kind": "inSource"}]),
        result(level="error", suppressions=[{"kind": "external", "status": "underReview"}]),
        result(level="error", suppressions=[{"kind": "external", "status": "rejected"}]),
        result(level="error", baselineState="absent"),
        result(level="error", baselineState="unchanged"),
        result(level="none", kind="pass"),
        result(kind="open"),
        result(ruleId="N"),
        driver=RULES,
    )
    report = read_lint(data)
    assert [remark.level.value for remark in report.remarks] == ["error", "error", "error", "error", "note"]
    assert len(report.suppressed) == 1


def test_sarif_takes_null_for_nothing_said() -> None:
    nothing = {
        "kind": None,
        "baselineState": None,
        "level": None,
        "suppressions": None,
        "locations": None,
        "ruleId": None,
        "ruleIndex": None,
    }
    empty = {"artifacts": None, "invocations": None, "originalUriBaseIds": None}
    assert levels(sarif(result(**nothing), driver={"rules": None}, **empty)) == ["warning"]


def test_sarif_adds_up_its_runs() -> None:
    runs = [{"tool": {"driver": {"name": name}}, "results": [result(level="error")]} for name in "ab"]
    report = read_lint(json.dumps({"version": "2.1.0", "runs": runs}).encode())
    assert len(report.remarks) == 2


#: The run that is not one: a part of what is told.
SARIF_FAILURES: list[tuple[bytes, str]] = [
    (sarif(invocations=[{"executionSuccessful": False}]), "did not end well"),
    (sarif(invocations=[{}]), "did not end well"),
    (sarif(invocations=[{"executionSuccessful": "true"}]), "did not end well"),
    (sarif(invocations=[{"executionSuccessful": True}, {"executionSuccessful": False}]), "did not end well"),
    (sarif(results=None), "without results"),
    (b'{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]}', "without results"),
    (b'{"version": "2.1.0", "runs": []}', "no run"),
    (sarif(externalPropertyFileReferences={"results": [{"location": {"uri": "x"}}]}), "other files"),
    (sarif(invocations=[{"executionSuccessful": True, "toolExecutionNotifications": [{"level": "error", "message": {"text": "died"}}]}]), "died"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "told"), SARIF_FAILURES)
def test_a_sarif_run_that_failed_is_told(data: bytes, told: str) -> None:
    assert any(told in failure for failure in read_lint(data).failures)


def test_sarif_places() -> None:
    def at(location: dict[str, Any], **run: Any) -> str:
        place = {"physicalLocation": {"artifactLocation": location, "region": {"startLine": 3}}}
        return read_lint(sarif(result(locations=[place]), **run)).remarks[0].path

    assert at({"uri": "src/a%20b.py"}) == "src/a b.py"
    assert at({"uri": "file:///p/a.py"}) == "/p/a.py"
    assert at({"uri": "file://host/p/a.py"}) == "/p/a.py"
    assert at({"uri": "a.py", "uriBaseId": "NOWHERE"}) == "a.py"
    assert (
        at({"uri": "a.py", "uriBaseId": "R"}, originalUriBaseIds={"R": {"description": {"text": "no uri"}}}) == "a.py"
    )
    bases = {
        "R": {"uri": "file:///p/"},
        "S": {"uri": "src/", "uriBaseId": "R"},
        "LOOP": {"uri": "x/", "uriBaseId": "LOOP"},
    }
    assert at({"uri": "a.py", "uriBaseId": "S"}, originalUriBaseIds=bases) == "/p/src/a.py"
    assert at({"uri": "a.py", "uriBaseId": "LOOP"}, originalUriBaseIds=bases).endswith("a.py")
    assert at({"index": 0}, artifacts=[{"location": {"uri": "a.py"}}]) == "a.py"


def test_eslint_counts_its_messages() -> None:
    item = {"filePath": "/p/a.js", "messages": [], "errorCount": 1, "warningCount": 0}
    report = read_lint(json.dumps([item]).encode())
    assert "declares 1 errors" in report.contradictions[0]
    twice = {**item, "errorCount": 0}
    assert "twice" in read_lint(json.dumps([twice, twice]).encode()).contradictions[0]


MYPY_CONTRADICTIONS = [
    "a.py:1: error: x  [misc]\nSuccess: no issues found in 1 source file\n",
    "Found 1 error in 1 file (checked 1 source file)\n",
    "a.py:1: error: x  [misc]\nFound 2 errors in 1 file (checked 1 source file)\n",
    "a.py:1: error: x\nb.py:1: error: x\nFound 2 errors in 1 file (checked 2 source files)\n",
]


@pytest.mark.parametrize("text", MYPY_CONTRADICTIONS)
def test_mypy_contradictions_are_told(text: str) -> None:
    assert read_lint(text.encode()).contradictions


def test_mypy_lines() -> None:
    text = ("src/a.py:1:5: error: one: two  [arg-type]\nsrc/a.py:1: note: hint\nC:\\p\\b.py:2:1:2:9: error: y  [misc]\n"
            "some line of a plugin\nFound 2 errors in 2 files (checked 3 source files)\n")  # fmt: skip
    report = read_lint(text.encode())
    assert [(r.path, r.line, r.rule, r.message) for r in report.remarks] == [
        ("src/a.py", 1, "arg-type", "one: two"), ("src/a.py", 1, "", "hint"), ("C:\\p\\b.py", 2, "misc", "y"),
    ]  # fmt: skip
    assert report.looked_at == 3
    stopped = read_lint(b"a.py:1: error: x  [syntax]\nFound 1 error in 1 file (errors prevented further checking)\n")
    assert stopped.failures
    assert stopped.unparsed


def test_tsc_summary_is_compared() -> None:
    assert read_lint(b"a.ts(1,2): error TS1: x\nFound 2 errors.\n").contradictions == (
        "declares 2 errors, and 1 are listed",
    )


#: Report → why it is none.
UNREADABLE: list[tuple[bytes, str]] = [
    (b"", "empty"), (b"[]", "name its `format`"), (b"{}", "no lint report"), (b"[1]", "no lint report"), (b"All good!", "no lint report"),
    (b"Success: no issues found in \xef\xbc\x91 source file\n", "no lint report"), (b"0 errors", "no lint report"),
    (b"warning: plugin\n[]", "no lint report"), (b'[{"filePath": "a", "messages": [], "errorCount": 0', "no JSON"),
    (b'[{"filePath": "a", "messages": [{"severity": 3}], "errorCount": 0}]', "severity"),
    (b'[{"filePath": "a", "messages": [], "errorCount": -1, "warningCount": 0}]', "where `errorCount` belongs"),
    (b'[{"filePath": "a", "messages": [], "errorCount": 0}]', "where `warningCount` belongs"),
    (sarif(result(level="fatal")), "level"), (sarif(result(kind="x")), "kind"), (b'{"version": "2.0.0", "runs": []}', "no SARIF"),
    (sarif(result(locations=[{"physicalLocation": {"artifactLocation": {"uri": "http://x/a"}}}])), "which is no file"),
    (sarif(result(locations=[{"physicalLocation": {"artifactLocation": {"uri": "a%zz"}}}])), "broken address"),
    (b'{"file": "a", "line": 1, "severity": "fine", "hint": null, "message": "m"}', "severity"),
    (b"Success: no issues found in 1 source file\nSuccess: no issues found in 1 source file\n", "goes on after"),
    (b"a.ts(1,2): error TS1: x\nall is well\n", "tsc does not say"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "told"), UNREADABLE)
def test_what_is_no_report_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(ReportProblem) as caught:
        read_lint(data)
    assert told in str(caught.value)


def test_named_formats_and_empty_output() -> None:
    assert set(READERS) == {"eslint", "mypy", "mypy-json", "ruff", "sarif", "tsc"}
    for name in ("mypy-json", "tsc"):
        assert read_lint(b"", name).signs == 0
    for name in ("ruff", "eslint"):
        assert read_lint(b"[]", name).signs == 0
    for name in ("mypy", "sarif", "ruff", "eslint"):
        with pytest.raises(ReportProblem):
            read_lint(b"", name)


def test_levels_are_ordered() -> None:
    assert [level.rank for level in Level] == [0, 1, 2]
