"""Reports out: read back by the libraries that read them, never green for what is no PASS, and nothing gets out of its text."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import junitparser
import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from sarif_pydantic import Sarif
from tests.surfaces.reporting_kit import HOSTILE, document, finding

from backcheck.errors import UserError
from backcheck.surfaces.report import outputs
from backcheck.surfaces.report.annotations import fence
from backcheck.surfaces.report.annotations import render as commands_of
from backcheck.surfaces.report.excerpt import MAX_WIDTH, around
from backcheck.surfaces.report.markdown import MAX_COMMENT, code
from backcheck.surfaces.report.view import WITHHELD, Item, Level, Spot, view_of, withhold
from backcheck.testing import write_tree

STATUSES = ["fail", "unclear", "error", "not-applicable"]


def cases(text: str) -> dict[str, list[str]]:
    """Name → kinds of answers, as the library reads them."""
    xml = junitparser.JUnitXml.fromstring(text.encode())
    return {case.name: [type(r).__name__ for r in case.result] for suite in xml for case in suite}


def sarif(doc: dict[str, Any]) -> dict[str, Any]:
    text = outputs.render("sarif", doc)
    Sarif.model_validate_json(text)
    run: dict[str, Any] = json.loads(text)["runs"][0]
    return run


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as a runner parses them, line by line."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(error|warning|notice)(?: ([^:]*))?::(.*)", line)
        assert match, line
        properties = dict(pair.split("=", 1) for pair in (match[2] or "").split(",") if pair)
        found.append((match[1], properties, match[3]))
    return found


# No report is green for what is no PASS, none is red for a PASS.


@pytest.mark.parametrize("status", STATUSES)
def test_every_blocking_answer_that_is_no_pass_is_red_everywhere(status: str) -> None:
    doc = document("REJECT" if status == "fail" else "UNCLEAR", finding("good", "pass"), finding("bad", status))
    red = cases(outputs.render("junit", doc))
    assert red["good"] == []
    assert red["bad"] == ["Failure" if status == "fail" else "Error"]
    xml = junitparser.JUnitXml.fromstring(outputs.render("junit", doc).encode())
    assert (xml.tests, xml.failures + xml.errors, xml.skipped) == (2, 1, 0)
    results = sarif(doc)["results"]
    assert [(r["ruleId"], r["level"], r["kind"]) for r in results] == [("bad", "error", "fail")]
    assert [kind for kind, _, _ in commands(outputs.render("github", doc))] == ["error"]
    assert f"## backcheck: {doc['verdict']}" in outputs.render("markdown", doc)


@pytest.mark.parametrize(
    "doc",
    [
        document("UNCLEAR", why="no blocking requirement was answered"),
        document("UNCLEAR", finding("a", "pass"), unanswered=["b"], why="requirements without an answer"),
        document("UNCLEAR", finding("a", "fail", severity="warn")),
        document("REJECT"),
    ],
)
def test_a_verdict_without_a_loud_answer_is_red_all_the_same(doc: dict[str, Any]) -> None:
    red = [kind for kinds in cases(outputs.render("junit", doc)).values() for kind in kinds]
    assert "Error" in red or "Failure" in red
    assert any(r["level"] == "error" for r in sarif(doc)["results"])
    assert any(kind == "error" for kind, _, _ in commands(outputs.render("github", doc)))


def test_a_pass_is_green_and_its_warnings_are_seen() -> None:
    doc = document("PASS", finding("a", "pass"), finding("w", "fail", severity="warn"), deferred=["slow"])
    assert cases(outputs.render("junit", doc)) == {"a": [], "w": ["Skipped"], "slow": ["Skipped"]}
    assert [r["level"] for r in sarif(doc)["results"]] == ["warning"]
    assert [kind for kind, _, _ in commands(outputs.render("github", doc))] == ["warning"]
    assert outputs.render("github", document("PASS", finding("a", "pass"))) == ""
    assert sarif(document("PASS", finding("a", "pass")))["results"] == []


# Hidden answers.


@pytest.mark.parametrize("name", [*outputs.FORMATS])
def test_hidden_answers_are_told_by_status_only(name: str) -> None:
    secret = finding("h", "fail", hidden=True, reason="SECRET-WHY", remedy="SECRET-DO", description="SECRET-ASKED",
                     where=[{"path": "SECRET-WHERE", "line": 1, "note": "SECRET-NOTE"}], details={"x": "SECRET-D"})  # fmt: skip
    doc = document("REJECT", secret)
    shown = outputs.render(name, doc)
    assert "SECRET" not in shown
    assert WITHHELD in shown
    assert "SECRET-WHY" in outputs.render(name, doc, reveal=True)
    assert "SECRET" not in json.dumps(withhold(doc))


# Nothing gets out of its text.

FIELDS = ["reason", "remedy", "description", "requirement", "check"]


def hostile(text: str) -> dict[str, Any]:
    bad = finding("x", "fail") | {field: text for field in FIELDS}
    bad["where"] = [{"path": text or "p", "line": 3, "note": text}]
    return document("REJECT", bad, notices=[text], why=text, asserted_passes=[text])


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_holds_every_foreign_text_in_code(text: str) -> None:
    for name in ("markdown", "summary"):
        parser = MarkdownIt("gfm-like", {"html": True, "linkify": False})
        tokens = [t for top in parser.parse(outputs.render(name, hostile(text))) for t in (top, *(top.children or []))]
        kinds = {token.type for token in tokens}
        assert not kinds & {"html_block", "html_inline", "link_open", "image", "table_open", "fence", "code_block", "hr",
                            "blockquote_open", "ordered_list_open"}, kinds  # fmt: skip
        assert [t.tag for t in tokens if t.type == "heading_open"] == ["h2"]
        plain = "".join(token.content for token in tokens if token.type == "text")
        assert not re.search(r"@|#\d|GH-|https?:|www\.|[<>&*_\[\]]", plain), plain


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip()])
def test_a_code_span_reads_back_as_the_very_text(text: str) -> None:
    one = view_of(document("REJECT", finding("x", reason=text))).items[0].reason
    (paragraph,) = [t for t in MarkdownIt().parse(f"- why: {code(one)}") if t.type == "inline"]
    spans = [child.content for child in paragraph.children or [] if child.type == "code_inline"]
    # A parser leaves a text as it is but for the one space on both sides that makes room for ticks.
    assert spans == [one]


@pytest.mark.parametrize("text", HOSTILE)
def test_annotations_are_one_command_a_finding_whatever_is_in_it(text: str) -> None:
    rendered = outputs.render("github", hostile(text))
    (found,) = commands(rendered)
    kind, properties, message = found
    assert kind == "error"
    assert set(properties) == {"file", "line", "title"}
    assert not re.search(r"[\r\n:,]", "".join(properties.values()))
    assert "\n" not in message
    decoded = message.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
    assert decoded.startswith(view_of(hostile(text)).items[0].reason[:100])


@pytest.mark.parametrize("text", HOSTILE)
def test_junit_and_sarif_stay_readable(text: str) -> None:
    doc = hostile(text)
    view = view_of(doc)
    assert list(cases(outputs.render("junit", doc))) == [view.items[0].name]
    (result,) = sarif(doc)["results"]
    message = result["message"]["text"]
    # No embedded link and no placeholder: every bracket is escaped, every brace doubled.
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", message)
    assert "{" not in message.replace("{{", "")
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9/_.~%-]+", uri), uri


# SARIF.


def test_sarif_has_a_place_for_every_result_and_marks_that_lines_do_not_move() -> None:
    def doc(line: int, reason: str) -> dict[str, Any]:
        where = [{"path": "src/a b.py", "line": line}, {"path": "src/a b.py", "line": line + 9}, {"path": "c:d.py"}]
        return document("REJECT", finding("a", reason=reason, where=where), finding("b"))

    first, second = sarif(doc(3, "3 hits"))["results"], sarif(doc(7, "4 hits"))["results"]
    marks = [r["partialFingerprints"] for r in first]
    assert marks == [r["partialFingerprints"] for r in second]
    assert len({json.dumps(mark) for mark in marks}) == 4
    places = [r["locations"][0]["physicalLocation"] for r in first]
    assert [p["artifactLocation"]["uri"] for p in places] == [
        "src/a%20b.py", "src/a%20b.py", "c%3Ad.py", ".backcheck/contract.yaml",
    ]  # fmt: skip
    assert [p.get("region") for p in places] == [{"startLine": 3}, {"startLine": 12}, None, None]


def test_sarif_keeps_the_limits_of_uploads() -> None:
    many = [finding(f"r{n}", where=[{"path": f"f{p}.py", "line": 1} for p in range(20)]) for n in range(400)]
    warnings = [finding(f"w{n}", severity="warn") for n in range(200)]
    run = sarif(document("REJECT", *warnings, *many))
    assert len(run["results"]) == 5000
    assert {r["level"] for r in run["results"]} == {"error"}
    assert "left out" in json.dumps(run["invocations"])
    assert all(len(rule["properties"]["tags"]) <= 20 for rule in run["tool"]["driver"]["rules"])


def test_sarif_fits_the_published_schema() -> None:
    folder = os.environ.get("BACKCHECK_DATA", "")
    path = Path(folder, "sarif-schema-2.1.0.json")
    if not folder or not path.exists():
        pytest.skip(
            "the published schema is not here (BACKCHECK_DATA/sarif-schema-2.1.0.json); the library's model was asked"
        )
    validator = jsonschema_rs.validator_for(json.loads(path.read_text()))
    for text in HOSTILE:
        validator.validate(json.loads(outputs.render("sarif", hostile(text))))
    validator.validate(json.loads(outputs.render("sarif", document("PASS", finding("a", "pass")))))


def test_an_answer_of_a_broken_verifier_is_no_successful_execution() -> None:
    assert sarif(document("UNCLEAR", finding("a", "error")))["invocations"][0]["executionSuccessful"] is False
    assert sarif(document("REJECT", finding("a", "fail")))["invocations"][0]["executionSuccessful"] is True


# Annotations, places, sizes.


def test_more_than_ten_of_a_kind_are_counted_in_the_tenth() -> None:
    doc = document(
        "REJECT", *[finding(f"r{n}") for n in range(25)], *[finding(f"w{n}", severity="warn") for n in range(10)]
    )
    found = commands(outputs.render("github", doc))
    assert [kind for kind, _, _ in found] == ["error"] * 10 + ["warning"] * 10
    assert "16 more of 25" in found[9][2]
    assert "more" not in found[19][2]


def test_commands_are_escaped_whatever_the_view_let_through() -> None:
    item = Item(name="a,b:c\n", check="x", status="fail", level=Level.ERROR, reason="r\r\n::error::50%",
                places=(Spot(path="p:q,\r\nr", line=1),))  # fmt: skip
    view = replace(view_of(document("REJECT")), items=(item,))
    assert commands_of(view) == (
        "::error file=p%3Aq%2C%0D%0Ar,line=1,title=backcheck%3A a%2Cb%3Ac%0A (fail)::r%0D%0A::error::50%25\n"
    )


def test_paths_count_from_the_top_of_the_repository() -> None:
    doc = document("REJECT", finding("a", where=[{"path": "x.py", "line": 2}]),
                   finding("b", check="diff-scope", where=[{"path": "other/y.py"}]))  # fmt: skip
    doc["contract"]["path"] = "part/.backcheck/contract.yaml"
    assert [p["file"] for _, p, _ in commands(outputs.render("github", doc))] == ["part/x.py", "other/y.py"]


def test_markdown_is_cut_by_whole_answers_loud_ones_first() -> None:
    many = [finding(f"p{n}", "pass", reason="x" * 900) for n in range(300)]
    text = outputs.render("markdown", document("REJECT", *many, finding("the-bad-one", reason="y" * 1500)))
    assert len(text.encode()) <= MAX_COMMENT
    assert "the-bad-one" in text
    assert re.search(r"… and \d+ more\n\n</details>", text)
    worse = [finding(f"f{n}", reason="é" * 1900) for n in range(300)]
    text = outputs.render("markdown", document("REJECT", *worse))
    assert len(text.encode()) <= MAX_COMMENT
    assert re.search(r"\*\*\d+ more did not pass and are not shown here", text)


@pytest.mark.parametrize("broken", [{}, {"verdict": "PASSED"}, {"verdict": None}, {"verdict": ["PASS"]}])
def test_what_is_no_verdict_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="no verdict"):
        outputs.render("junit", broken) if not isinstance(broken.get("verdict"), list) else _unhashable(broken)


def _unhashable(broken: dict[str, Any]) -> None:
    outputs.render("junit", broken | {"verdict": str(broken["verdict"])})


@pytest.mark.parametrize("name", [*outputs.FORMATS])
def test_a_stored_document_with_wrong_types_is_reported_not_broken(name: str) -> None:
    odd = document("UNCLEAR") | {
        "findings": [None, 3, {"requirement": 7, "status": None, "where": "x"}, {"where": [None, {"line": "7"}]}],
        "unanswered": "abc", "notices": {"a": 1}, "contract": [], "tree": None, "base": 3, "seconds": "long",
        "exit_code": "three", "started": 5, "why": {"a": "b"}, "asserted_passes": 3, "deferred": None,
    }  # fmt: skip
    assert outputs.render(name, odd)


# The command.


def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hidden: str = "") -> Path:
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI"):
        monkeypatch.delenv(name, raising=False)
    contract = (
        "version: 1\nrequirements:\n  - {id: readme, check: file-exists, with: {file: README.md}}\n"
        f"  - {{id: clean, check: absent, with: {{glob: 'src/**', pattern: TODO}}{hidden}}}\n"
    )
    write_tree(tmp_path, {".backcheck/contract.yaml": contract, "README.md": "x\n",
                          "src/a.py": "def f():\n    return 1  # TODO\n\n"})  # fmt: skip
    return tmp_path


def call(*arguments: str, env: dict[str, str] | None = None) -> Any:
    from backcheck.surfaces.cli import main as module

    runner = CliRunner(env=env)
    with runner.isolation() as (out, err, *_):
        code = module.run(list(arguments))
    return code, out.getvalue().decode(), err.getvalue().decode()


def test_reports_go_to_files_beside_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path / "w", monkeypatch)
    out = tmp_path / "out"
    code, text, error = call("check", "-C", str(root), "--report", f"junit={out}/deep/j.xml", "--report", f"sarif={out}/s.json",
                             "--report", f"markdown={out}/m.md", "--report", f"summary={out}/sum.md")  # fmt: skip
    assert (code, error) == (1, "")
    assert text.startswith("REJECT")
    assert cases((out / "deep/j.xml").read_text()) == {"readme": [], "clean": ["Failure"]}
    assert json.loads((out / "s.json").read_text())["runs"][0]["results"][0]["ruleId"] == "clean"
    assert (out / "m.md").read_text() == (out / "sum.md").read_text()[:-1]
    assert sorted(p.name for p in out.iterdir()) == ["deep", "m.md", "s.json", "sum.md"]


def test_a_report_alone_on_stdout_and_from_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path, monkeypatch)
    code, text, _ = call("check", "-C", str(root), "--report", "junit")
    assert (code, cases(text)) == (1, {"readme": [], "clean": ["Failure"]})
    code, again, _ = call("show", "last", "-C", str(root), "--report", "junit")
    assert (code, again) == (0, text)


def test_the_place_is_shown_with_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, text, _ = call("check", "-C", str(folder(tmp_path, monkeypatch)))
    assert "where  src/a.py:2\n             1 | def f():\n           > 2 |     return 1  # TODO\n" in text
    assert "\x1b" not in text


def test_hidden_places_are_not_shown_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path, monkeypatch, hidden=", hidden: true")
    code, text, _ = call("check", "-C", str(root))
    assert code == 1
    assert "src/a.py" not in text
    assert WITHHELD in text
    assert "src/a.py:2" in call("check", "-C", str(root), "--reveal")[1]


def test_github_actions_get_annotations_and_a_summary_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path / "w", monkeypatch)
    summary = tmp_path / "summary.md"
    summary.write_text("what another step wrote\n")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    code, text, _ = call("check", "-C", str(root), env=env)
    assert code == 1
    token = re.match(r"::stop-commands::([0-9a-f]{32})\nREJECT", text)
    assert token
    after = text.partition(f"\n::{token[1]}::\n")[2]
    assert [(kind, p["file"], p["line"]) for kind, p, _ in commands(after)] == [("error", "src/a.py", "2")]
    assert summary.read_text().startswith("what another step wrote\n## backcheck: REJECT")
    _, text, _ = call("check", "-C", str(root), "--json", env=env)
    assert json.loads(text)["verdict"] == "REJECT"
    assert summary.read_text().count("## backcheck") == 2
    _, text, _ = call("check", "-C", str(root), "--report", "none", env=env)
    assert "::" not in text
    assert summary.read_text().count("## backcheck") == 2


def test_a_summary_that_is_full_is_told_and_changes_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path / "w", monkeypatch)
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * (outputs.MAX_SUMMARY - 1000))
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    code, _, error = call("check", "-C", str(root), env=env)
    assert code == 1
    assert "summary: the report cannot be written: the summary holds" in error
    assert summary.stat().st_size == outputs.MAX_SUMMARY - 1000


def test_a_summary_never_grows_beyond_what_github_takes(tmp_path: Path) -> None:
    summary = tmp_path / "s.md"
    summary.write_bytes(b"x" * (outputs.MAX_SUMMARY - 50_000))
    doc = document("REJECT", *[finding(f"r{n}", reason="z" * 1000) for n in range(500)])
    outputs.write([outputs.Output(format="summary", target=str(summary))], doc)
    assert outputs.MAX_SUMMARY - 5000 < summary.stat().st_size <= outputs.MAX_SUMMARY


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--report", "junti"], "no format `junti`; did you mean `junit`?"),
        (["--report", "junit", "--report", "sarif"], "cannot all go to stdout"),
        (["--report", "junit=a", "--report", "sarif=a"], "same file"),
        (["--report", "junit="], "a file is missing"), (["--report", "summary"], "needs a file"),
        (["--json", "--report", "junit"], "both go to stdout"),
    ],
)  # fmt: skip
def test_wrong_reports_are_refused_before_anything_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.setattr("backcheck.surfaces.cli.check.judge", lambda *_: 1 / 0)
    code, text, error = call("check", "-C", str(folder(tmp_path, monkeypatch)), *arguments)
    assert (code, text) == (2, "")
    assert message in error


def test_a_report_that_cannot_be_written_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path, monkeypatch)
    (root / "src/a.py").write_text("x = 1\n")
    code, text, error = call("check", "-C", str(root), "--report", f"junit={root}/README.md/j.xml")
    assert text.startswith("PASS")
    assert code == 2
    assert "cannot be written" in error


def test_a_link_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    link = tmp_path / "out.xml"
    link.symlink_to(victim)
    outputs.write([outputs.Output(format="junit", target=str(link))], document("PASS", finding("a", "pass")))
    assert victim.read_text() == "precious"
    assert not link.is_symlink()
    assert cases(link.read_text()) == {"a": []}


def test_colour_only_for_who_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from backcheck.surfaces.cli.reporting import paint

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert paint("x", "red") != "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("x", "red") == "x"


def test_excerpts_are_bounded_and_safe() -> None:
    lines = ["a" * 500, "\x1b]0;title\x07b\u202e", "", "c"]
    assert around(lines, 1)[0] == f"> 1 | {'a' * (MAX_WIDTH - 1)}…"
    assert around(lines, 2)[1] == "> 2 | \\x1b]0;title\\x07b\\u202e"
    assert around(lines, 3) == []
    assert around(lines, 9) == []


def test_the_fence_cannot_be_guessed() -> None:
    assert fence("x") != fence("x")


def test_what_a_machine_reads_withholds_hidden_answers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path, monkeypatch, hidden=", hidden: true")
    for arguments in (["check", "-C", str(root)], ["show", "-C", str(root)]):
        for json_or_not in (["--json"], []):
            assert "src/a.py" not in call(*arguments, *json_or_not)[1]
            assert "src/a.py" in call(*arguments, *json_or_not, "--reveal")[1]
