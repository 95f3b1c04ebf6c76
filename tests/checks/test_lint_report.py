"""`lint-report`: what a tool found, counted by level and rule, against the base; and when silence is no proof."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.evidence.reports.report_projects import DATA, LINTED, SCRIPTS, TYPED

from backcheck.errors import UserError
from backcheck.testing import HOSTILE, Case, Folder, ask, check_case, make_gate, tree_of
from backcheck.verdict import Provenance, Status


def real(name: str, project: dict[str, str]) -> dict[str, Any]:
    return {**project, "r": (DATA / "lint" / name).read_bytes()}


def eslint(**files: list[tuple[str, int, str]]) -> str:
    """ESLint's JSON: `a_js` → (rule, severity, message) each."""
    entries = []
    for name, said in files.items():
        messages = [{"ruleId": rule or None, "severity": severity, "message": text, "line": number, "fatal": not rule}
                    for number, (rule, severity, text) in enumerate(said, start=1)]  # fmt: skip
        counts = {key: sum(s == level for _, s, _ in said) for key, level in (("errorCount", 2), ("warningCount", 1))}
        entries.append({"filePath": f"/project/{name.replace('_js', '.js')}", "messages": messages, **counts})
    return json.dumps(entries)


NO_ERRORS: dict[str, Any] = {"report": "r", "max": {"error": 0}}
CODE = {"a.js": "1;\n2;\n3;\n", "b.js": "1;\n"}
CLEAN = {**CODE, "r": eslint(a_js=[], b_js=[])}
EQ = ("eqeqeq", 2, "Use ===")
WARNING = ("no-console", 1, "No console")

CASES = [
    Case("clean", NO_ERRORS, CLEAN, "pass", "ESLint JSON: 0 errors, 0 warnings, 0 notes, 0 suppressed in 2 files"),
    Case("an error", NO_ERRORS, {**CODE, "r": eslint(a_js=[EQ], b_js=[])}, "fail", "1 error, at most 0: a.js:1 eqeqeq Use ===", ["a.js:1"]),
    Case("as many as allowed", {"report": "r", "max": {"error": 1}}, {**CODE, "r": eslint(a_js=[EQ], b_js=[])}, "pass", "1 error,"),
    Case("warnings are not errors", NO_ERRORS, {**CODE, "r": eslint(a_js=[WARNING])}, "pass", "1 warning"),
    Case("warnings are limited", {"report": "r", "max": {"warning": 0}}, {**CODE, "r": eslint(a_js=[WARNING] * 3)}, "fail", "3 warnings, at most 0", ["a.js:3"]),
    Case("a forbidden rule", {"report": "r", "forbidden": ["no-console"]}, {**CODE, "r": eslint(a_js=[WARNING])}, "fail", "must not be broken"),
    Case("a forbidden family", {"report": "r", "forbidden": ["no-*"]}, {**CODE, "r": eslint(a_js=[WARNING])}, "fail", "must not be broken"),
    Case("another rule", {"report": "r", "forbidden": ["no-consol"]}, {**CODE, "r": eslint(a_js=[WARNING])}, "pass"),
    Case("cannot be parsed", {"report": "r", "max": {"error": 9}}, {**CODE, "r": eslint(a_js=[("", 2, "Parsing error")], b_js=[])}, "fail", "could not be parsed"),
    Case("no file looked at", {"report": "r", "max": {"error": 0}, "format": "eslint"}, {"r": "[]"}, "unclear", "looked at no file of the tree"),
    Case("only files of elsewhere", NO_ERRORS, {"r": CLEAN["r"], "c.js": ""}, "unclear", "looked at no file of the tree (2 others)"),
    Case("the files that are meant", {**NO_ERRORS, "files": ["a.*", "b.js"]}, CLEAN, "pass"),
    Case("files that were not looked at", {**NO_ERRORS, "files": ["lib/**"]}, {**CLEAN, "lib/x.js": ""}, "fail", "no file that the tool looked at matches lib/**"),
    Case("counts that lie", NO_ERRORS, {**CODE, "r": eslint(a_js=[]).replace('"errorCount": 0', '"errorCount": 3')}, "unclear", "declares 3 errors"),
    Case("counts that lie the other way", NO_ERRORS, {**CODE, "r": eslint(a_js=[EQ]).replace('"errorCount": 1', '"errorCount": 0')}, "fail", "1 error"),
    Case("an empty list", NO_ERRORS, {**CODE, "r": "[]"}, "unclear", "name its `format`"),
    Case("ruff's empty list", {**NO_ERRORS, "format": "ruff"}, {**CODE, "r": "[]"}, "unclear", "nothing in r shows that any file was looked at"),
    Case("tsc's silence", {**NO_ERRORS, "format": "tsc"}, {**CODE, "r": ""}, "unclear", "nothing in r shows"),
    Case("mypy's silence", {**NO_ERRORS, "format": "mypy-json"}, {**CODE, "r": ""}, "unclear", "nothing in r shows"),
    Case("empty", NO_ERRORS, {"r": ""}, "unclear", "r is empty"),
    Case("missing", NO_ERRORS, {}, "fail", "r is not there"),
    Case("folder", NO_ERRORS, {"r": Folder()}, "fail", "is a folder"),
    Case("prose", NO_ERRORS, {"r": "No lint errors found."}, "unclear", "no lint report"),
    Case("cut off", NO_ERRORS, {**CODE, "r": CLEAN["r"][:-10]}, "unclear", "no JSON"),
    Case("SARIF that failed", NO_ERRORS, {**CODE, "r": json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [],
         "artifacts": [{"location": {"uri": "a.js"}}], "invocations": [{"executionSuccessful": False}]}]})}, "unclear", "did not end well"),
    Case("SARIF of clean files", NO_ERRORS, {**CODE, "r": json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [],
         "artifacts": [{"location": {"uri": "a.js"}}], "invocations": [{"executionSuccessful": True}]}]})}, "pass", "SARIF"),
    Case("SARIF of nothing", NO_ERRORS, {"r": '{"version": "2.1.0", "runs": []}'}, "unclear", "no run"),
    # What the tools really wrote.
    Case("real: ESLint", NO_ERRORS, real("eslint-10.15.0.json", SCRIPTS), "fail", "src/broken.js:1 Parsing error", ["src/broken.js:1"]),
    Case("real: ESLint, clean", NO_ERRORS, real("eslint-10.15.0-clean.json", SCRIPTS), "pass", "in 1 file"),
    Case("real: ESLint, ignored", {"report": "r", "max": {"error": 0}}, real("eslint-10.15.0-ignored.json", SCRIPTS), "unclear", "looked at no file"),
    Case("real: ESLint SARIF", {"report": "r", "max": {"error": 9}}, real("eslint-8.57.1.sarif", SCRIPTS), "fail", "could not be parsed"),
    Case("real: suppressed", {"report": "r", "max": {"suppressed": 0}}, real("eslint-9.39.5.json", {**SCRIPTS}), "fail"),
    Case("real: a forbidden rule that is suppressed", {"report": "r", "forbidden": ["no-console"]},
         {**SCRIPTS, "r": (DATA / "lint" / "eslint-10.15.0.json").read_text().replace('"fatal":true', '"fatal":false')}, "fail", "src/bad.js:5 no-console"),
    Case("real: ruff", NO_ERRORS, real("ruff-0.17.6.json", LINTED), "fail", "src/syntax.py:1"),
    Case("real: ruff, no such path", NO_ERRORS, real("ruff-0.17.6-no-such-path.json", LINTED), "unclear", "could not be read"),
    Case("real: ruff SARIF, clean", NO_ERRORS, real("ruff-0.17.6-clean.sarif", LINTED), "unclear", "nothing in r shows"),
    Case("real: mypy", NO_ERRORS, real("mypy-2.4.1.txt", LINTED), "fail", "2 errors, at most 0: src/bad.py:5 no-untyped-def", ["src/bad.py:12"]),
    Case("real: mypy within", {"report": "r", "max": {"error": 2}}, real("mypy-1.4.1.txt", LINTED), "pass", "2 errors, 0 warnings, 0 notes, 0 suppressed in 2 files"),
    Case("real: mypy, clean", NO_ERRORS, real("mypy-2.4.1-clean.txt", LINTED), "pass", "in 1 file"),
    Case("real: mypy JSON", {"report": "r", "forbidden": ["return-value"]}, real("mypy-2.4.1.jsonl", LINTED), "fail", "src/bad.py:12"),
    Case("real: mypy, syntax", {"report": "r", "max": {"error": 9}}, real("mypy-2.4.1-syntax.jsonl", LINTED), "fail", "could not be parsed"),
    Case("real: tsc", NO_ERRORS, real("tsc-7.0.2.txt", TYPED), "fail", "4 errors, at most 0: src/bad.ts:1 TS2322", ["src/deep.ts:3"]),
    Case("real: tsc, listed", {**NO_ERRORS, "format": "tsc", "files": ["ok/*"]}, real("tsc-7.0.2-listed.txt", TYPED), "pass"),
    Case("real: tsc, no such project", {"report": "r", "forbidden": ["TS2322"]}, real("tsc-7.0.2-no-such-project.txt", TYPED), "unclear", "TS5058"),
    Case("real: bandit", {"report": "r", "max": {"error": 9}}, real("bandit-1.9.4.sarif", LINTED), "fail", "src/syntax.py:0 syntax error"),
    Case("real: bandit, clean", NO_ERRORS, real("bandit-1.9.4-clean.sarif", LINTED), "pass"),
]  # fmt: skip

OLD = {"old.json": eslint(a_js=[EQ], b_js=[])}
AGAINST: dict[str, Any] = {"report": "r", "baseline": "old.json"}
BASELINE = [
    Case("known", AGAINST, {**CODE, "r": eslint(a_js=[EQ], b_js=[])}, "pass", "nothing new against the base", base={**CODE, **OLD}),
    Case("moved", AGAINST, {**CODE, "r": eslint(a_js=[EQ], b_js=[]).replace('"line": 1', '"line": 3')},
         "pass", base={**CODE, **OLD}),
    Case("a second one", AGAINST, {**CODE, "r": eslint(a_js=[EQ, EQ], b_js=[])}, "fail", "1 new against the base: a.js:2 eqeqeq", ["a.js:2"], base={**CODE, **OLD}),
    Case("in another file", AGAINST, {**CODE, "r": eslint(a_js=[], b_js=[EQ])}, "fail", "b.js:1", base={**CODE, **OLD}),
    Case("a new warning", AGAINST, {**CODE, "r": eslint(a_js=[EQ, WARNING])}, "fail", "no-console", base={**CODE, **OLD}),
    Case("only errors count as new", {**AGAINST, "new_from": "error"}, {**CODE, "r": eslint(a_js=[EQ, WARNING])}, "pass", base={**CODE, **OLD}),
    Case("loosened in the tree", AGAINST, {**CODE, "r": eslint(a_js=[EQ, EQ]), "old.json": eslint(a_js=[EQ, EQ])}, "fail", base={**CODE, **OLD}),
    Case("not in the base", AGAINST, {**CODE, **OLD, "r": eslint(a_js=[EQ])}, "unclear", "the base has no report old.json", base=CODE),
    Case("unreadable in the base", AGAINST, {**CODE, "r": eslint(a_js=[EQ])}, "unclear", "the base's old.json", base={**CODE, "old.json": "?"}),
    Case("contradicting in the base", AGAINST, {**CODE, "r": eslint(a_js=[EQ])}, "unclear", "the base's report declares",
         base={**CODE, "old.json": OLD["old.json"].replace('"errorCount": 1', '"errorCount": 0')}),
    Case("no base", AGAINST, {**CODE, "r": eslint(a_js=[EQ])}, "unclear", "no base"),
    Case("made elsewhere", AGAINST, {**CODE, "r": eslint(a_js=[EQ], b_js=[])}, "pass", base={**CODE, "old.json": OLD["old.json"].replace("/project", "/ci/build")}),
]  # fmt: skip

ROWS = [*CASES, *BASELINE]


@pytest.mark.parametrize("case", ROWS, ids=[case.name for case in ROWS])
def test_cases(case: Case) -> None:
    check_case("lint-report", case)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, "nothing would be checked"), ({"max": {}}, "nothing would be checked"), ({"max": {"errors": 0}}, "not one of error"), ({"max": {"error": -1}}, ">= 0"),
    ({"max": {"error": "0"}}, "whole number"), ({"max": {"error": 0.5}}, "whole number"), ({"max": {"error": True}}, "whole number"),
    ({"forbidden": [""]}, "no rule"), ({"forbidden": ["*x"]}, "no rule"), ({"baseline": "b", "new_from": "bad"}, "not one of error"),
    ({"max": {"error": 0}, "format": "pylint"}, "not one of"), ({"max": {"error": 0}, "files": ["!x"]}, "nothing would be checked"),
    ({"max": {"error": 0}, "report": " "}, "empty"), ({"max": {"error": 0}, "run": []}, "empty"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_in_a_contract(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_gate("lint-report", {"report": "r", **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize("format_", ["", "ruff", "tsc", "mypy-json", "eslint", "sarif", "mypy"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_never_pass(name: str, format_: str) -> None:
    with tree_of({name: HOSTILE[name]}) as root:
        answer = ask("lint-report", {"report": name, "max": {"error": 0}, "format": format_}, root)
    assert answer.status in (Status.FAIL, Status.UNCLEAR)


ONE_RUFF = '[{"cell": null, "code": "F401", "filename": "a.py", "location": {"row": 1, "column": 1}, "message": "m", "noqa_row": 1}]'
RUNS: list[tuple[str, str, dict[str, Any], Status, str]] = [
    ("ruff, clean", "printf '[]' > r", {"format": "ruff"}, Status.PASS, "ruff JSON: 0 errors"),
    ("ruff, nothing found", "printf '[]' > r; echo 'warning: No Python files found under the given path(s)' >&2", {"format": "ruff"}, Status.UNCLEAR,
     "found nothing to look at"),
    ("ruff, crashed", "printf '[]' > r; exit 2", {"format": "ruff"}, Status.UNCLEAR, "ended with 2, and r holds nothing"),
    ("ruff, exit 1 and nothing", "printf '[]' > r; exit 1", {"format": "ruff"}, Status.UNCLEAR, "ended with 1, and r holds nothing"),
    ("ruff, allowed findings", f"printf '%s' '{ONE_RUFF}' > r; exit 1", {"max": {"error": 1}}, Status.PASS, "1 error"),
    ("ruff, another exit code", f"printf '%s' '{ONE_RUFF}' > r; exit 77", {"max": {"error": 1}}, Status.UNCLEAR, "ended with 77"),
    ("mypy JSON, clean", ": > r", {"format": "mypy-json"}, Status.PASS, "mypy JSON"),
    ("mypy JSON, no files", ": > r; exit 2", {"format": "mypy-json"}, Status.UNCLEAR, "ended with 2"),
    ("tsc, silent", ": > r", {"format": "tsc"}, Status.UNCLEAR, "nothing in r shows that any file was looked at"),
    ("tsc, listed", "echo a.ts > r", {"format": "tsc"}, Status.PASS, "tsc"),
    ("eslint, no files", "printf '[]' > r", {"format": "eslint"}, Status.UNCLEAR, "looked at no file"),
    ("nothing written", "true", {}, Status.FAIL, "wrote no report"),
    ("a crash's words", "echo oops > r; exit 2", {}, Status.UNCLEAR, "(its command ended with 2)"),
    ("killed", "printf '[]' > r; kill -9 $$", {"format": "ruff"}, Status.FAIL, "SIGKILL"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "arguments", "status", "reason"), [row[1:] for row in RUNS], ids=[row[0] for row in RUNS]
)
def test_the_exit_code_must_agree(command: str, arguments: dict[str, Any], status: Status, reason: str) -> None:
    with tree_of({"a.py": "import os\n", "a.ts": "1;\n"}) as root:
        answer = ask("lint-report", {"report": "r", "max": {"error": 0}, **arguments, "run": command}, root)
    assert (answer.status, reason in answer.reason) == (status, True), answer.reason
    if status is Status.PASS:
        assert answer.provenance is Provenance.RECORDED
