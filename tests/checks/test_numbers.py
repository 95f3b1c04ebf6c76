"""`numbers`: a named value, parsed and compared exactly; in prose it can only be refuted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backcheck.errors import UserError
from backcheck.testing import HOSTILE, Case, Folder, ask, check_case, make_gate, tree_of
from backcheck.verdict import Blame, Provenance, Status

LEAST: dict[str, Any] = {"report": "r.json", "at": "c", "at_least": 85}


def json_of(value: str) -> dict[str, str]:
    return {"r.json": f'{{"c": {value}}}'}


CASES = [
    Case("meets", LEAST, json_of("85"), "pass", "r.json: c is 85; it must be at least 85"),
    Case("exactly below", LEAST, json_of("84.99999999999999999999999999"), "fail", "c is 84.99999…"),
    Case("a float would round it up", {**LEAST, "at_least": 0.3}, json_of("0.29999999999999999"), "fail"),
    Case("exponent", LEAST, json_of("8.5e1"), "pass"),
    Case("negative", {**LEAST, "at_least": -1}, json_of("-1.0"), "pass"),
    Case("minus zero", {"report": "r.json", "at": "c", "equals": 0}, json_of("-0"), "pass"),
    Case("large", LEAST, json_of("1e308"), "pass"),
    Case("beyond all measure", LEAST, json_of("1e999999"), "unclear", "beyond all measure"),
    Case("thousands of digits", LEAST, json_of("9" * 5000), "unclear", "5,000 digits"),
    Case("at most", {"report": "r.json", "at": "c", "at_most": 85}, json_of("85.01"), "fail", "at most 85"),
    Case("equals", {"report": "r.json", "at": "c", "equals": 85}, json_of("85.000"), "pass"),
    Case("equals not", {"report": "r.json", "at": "c", "equals": 85}, json_of("85.0001"), "fail", "it must be 85"),
    Case("within", {"report": "r.json", "at": "c", "within": [85, 100]}, json_of("850"), "fail", "at least 85 and at most 100"),
    Case("both ends", {"report": "r.json", "at": "c", "within": ["84.99", 85]}, json_of("84.99"), "pass"),
    Case("bounds hold together", {"report": "r.json", "at": "c", "within": [0, 100], "at_least": 85}, json_of("84"), "fail"),
    Case("boolean", {"report": "r.json", "at": "c", "at_least": 1}, json_of("true"), "fail", "a boolean"),
    Case("null", LEAST, json_of("null"), "fail", "nothing where a number"),
    Case("list", LEAST, json_of("[85]"), "fail", "a list"),
    Case("object", LEAST, json_of('{"v": 85}'), "fail", "an object"),
    Case("text", LEAST, json_of('"85"'), "unclear", "only reads like a number"),
    Case("text with its unit", {**LEAST, "unit": "%"}, json_of('"85 %"'), "pass", "c is 85 %"),
    Case("text with another unit", {**LEAST, "unit": "ms"}, json_of('"85 s"'), "unclear", "only reads like"),
    Case("unit alone", {**LEAST, "unit": "%"}, json_of('"%"'), "fail", "no number"),
    Case("words", LEAST, json_of('"about 85, I think"'), "fail", "no number"),
    Case("NaN", LEAST, json_of("NaN"), "unclear", "no JSON"),
    Case("twice", LEAST, {"r.json": '{"c": 90, "c": 10}'}, "unclear", "twice in one object"),
    Case("nowhere", LEAST, {"r.json": '{"d": 90}'}, "fail", "holds nothing at `c`"),
    Case("not below", {**LEAST, "at": "a.c"}, {"r.json": '{"c": 90, "a": {}}'}, "fail", "holds nothing at `a.c`"),
    Case("pointer", {**LEAST, "at": "/a/0/c~1d"}, {"r.json": '{"a": [{"c/d": 85}]}'}, "pass"),
    Case("cut off", LEAST, {"r.json": '{"c": 8'}, "unclear", "no JSON"),
    Case("empty", LEAST, {"r.json": ""}, "unclear", "is empty"),
    Case("missing", LEAST, {}, "fail", "is not there"),
    Case("folder", LEAST, {"r.json": Folder()}, "fail", "is a folder"),
    Case("comment in JSON", LEAST, {"r.json": '{"c": 85} // fine'}, "unclear", "no JSON"),
    Case("YAML", {"report": "r.yaml", "at": "a.0.c", "at_least": 85}, {"r.yaml": "a:\n  - c: 84.999999999999999999\n"}, "fail", "84.99999…"),
    Case("YAML text", {"report": "r.yml", "at": "c", "at_least": 85}, {"r.yml": "c: 85 %\n"}, "unclear", "only reads like"),
    Case("YAML alias", {"report": "r.yaml", "at": "c", "at_least": 85}, {"r.yaml": "a: &x 90\nc: *x\n"}, "unclear", "cannot be read"),
    Case("YAML twice", {"report": "r.yaml", "at": "c", "at_least": 85}, {"r.yaml": "c: 90\nc: 10\n"}, "unclear", "twice"),
    Case("CSV", {"report": "r.csv", "at": "p95", "row": {"name": "api"}, "at_most": 100}, {"r.csv": "name,p95\ndb,900\napi,99.5\n"}, "pass", "p95 is 99.5"),
    Case("CSV, another row", {"report": "r.csv", "at": "p95", "row": {"name": "db"}, "at_most": 100}, {"r.csv": "name,p95\ndb,900\napi,99.5\n"}, "fail"),
    Case("CSV, which row?", {"report": "r.csv", "at": "p95", "at_most": 100}, {"r.csv": "name,p95\ndb,9\napi,9\n"}, "unclear", "2 rows"),
    Case("CSV, decimal comma", {"report": "r.csv", "at": "c", "delimiter": ";", "at_least": 85}, {"r.csv": "n;c\nx;84,99\n"}, "unclear", "only reads like"),
    Case("CSV, unit", {"report": "r.csv", "at": "c", "unit": "ms", "at_most": 85}, {"r.csv": "c\n84 ms\n"}, "pass"),
    Case("TSV", {"report": "r.tsv", "at": "c", "at_least": 85}, {"r.tsv": "n\tc\nx\t85\n"}, "pass"),
    Case("XML attribute", {"report": "r.xml", "at": "coverage/@line-rate", "at_least": "0.85"}, {"r.xml": '<coverage line-rate="0.8499"/>'}, "fail", "0.8499"),
    Case("XML element", {"report": "r.xml", "at": "r/s[@n='b']/v", "at_least": 85}, {"r.xml": "<r><s n='a'><v>90</v></s><s n='b'><v>85</v></s></r>"}, "pass"),
    Case("XML, which one?", {"report": "r.xml", "at": "r/v", "at_least": 85}, {"r.xml": "<r><v>90</v><v>10</v></r>"}, "unclear", "2 values"),
    Case("XML, entity", {"report": "r.xml", "at": "r", "at_least": 85}, {"r.xml": '<!DOCTYPE r [<!ENTITY x "90">]><r>&x;</r>'}, "unclear", "DTD of its own"),
    Case("named format", {"report": "r.out", "format": "json", "at": "c", "at_least": 85}, {"r.out": '{"c": 85}'}, "pass"),
]  # fmt: skip


def prose(name: str, text: str, status: str, reason: str = "", **more: Any) -> Case:
    return Case(
        name, {"report": "r.md", "at": "coverage", "at_least": 85, "unit": "%", **more}, {"r.md": text}, status, reason
    )


PROSE = [
    prose("misses", "Intro.\n\nThe coverage is 84.99 %.\n", "fail", "r.md:3 says `The coverage is 84.99 %.`"),
    prose("meets", "The coverage is 92 %.", "unclear", "a text proves no number"),
    prose("a table", "| what | share |\n|---|---|\n| coverage | 61.2 % |\n", "fail", "r.md:3"),
    prose("Chinese", "覆盖率为 60%。", "fail", "r.md:1", at="覆盖率"),
    prose("Chinese goal", "覆盖率的目标是 60%。", "unclear", "plainly states no number", at="覆盖率"),
    prose("full width", "The coverage is ６０％.", "fail"),
    prose("was and is", "Coverage was 90 %, now 40 %.", "unclear", "plainly states no number"),
    prose("a goal", "Target coverage: 60 %.", "unclear", "plainly states no number"),
    prose("at least", "Coverage must be at least 60 %.", "unclear"),
    prose("a plan", "We will raise the coverage to 60 %.", "unclear"),
    prose("negated", "The coverage is not 60 %.", "unclear"),
    prose("two things said", "The coverage is 60 %.\nThe coverage is 90 %.", "unclear", "says different things"),
    prose("all miss", "The coverage is 60 %.\nNow the coverage is 61 %.", "fail"),
    prose("two numbers", "The coverage is 60 % or 90 %.", "unclear"),
    prose("another kind", "Branch coverage is 60 %.", "unclear"),
    prose("a part", "Coverage of legacy/ is 20 %.", "unclear"),
    prose("another word", "The discoverages are 20 %.", "unclear"),
    prose("not named", "All is well: 12 %.", "unclear", "does not name it"),
    prose("no number", "The coverage is great.", "unclear"),
    prose("decimal comma, both ways", "The coverage is 84,99 %.", "unclear"),
    prose("decimal comma, misses either way", "The coverage is 4,5 %.", "fail"),
    prose("a share", "The coverage is 0.92.", "unclear", unit=""),
    prose("bare number", "The coverage is 60.", "fail", unit=""),
    prose("one error too many", "errors: 1", "fail", at="errors", at_least=None, at_most=0, unit=""),
    prose("a version", "coverage 7.17.5 was used", "unclear", unit=""),
    prose("a date", "coverage on 2026-01-02", "unclear", unit=""),
    prose("empty", "", "unclear"),
]

ROWS = [*CASES, *PROSE]


@pytest.mark.parametrize("case", ROWS, ids=[case.name for case in ROWS])
def test_cases(case: Case) -> None:
    check_case("numbers", case)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"at_least": None}, "nothing would be checked"), ({"at": " "}, "no number is named"), ({"at_least": "８５"}, "no number"), ({"at_least": "84,99"}, "no number"),
    ({"at_least": float("nan")}, "no number"), ({"at_least": float("inf")}, "no number"), ({"at_least": True}, "number"), ({"at_least": "85 %"}, "no number"),
    ({"within": [85]}, "two numbers"), ({"within": [100, 85]}, "nothing could pass"), ({"at_most": 80}, "nothing could pass"),
    ({"row": {"a": "b"}}, "only a CSV"), ({"format": "toml"}, "not one of"), ({"delimiter": ";;"}, "one character"), ({"unit": "85"}, "no unit"),
    ({"report": "r.xml", "at": "a//b"}, "no address in XML"), ({"at": "/a~2"}, "no address in JSON"), ({"report": ""}, "empty"), ({"run": " "}, "empty"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_in_a_contract(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_gate("numbers", {**LEAST, **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize("format_", ["json", "yaml", "csv", "xml", "prose"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_never_pass(name: str, format_: str) -> None:
    with tree_of({name: HOSTILE[name]}) as root:
        answer = ask("numbers", {**LEAST, "report": name, "format": format_}, root)
    assert answer.status in (Status.FAIL, Status.UNCLEAR)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120))
def test_prose_never_passes(text: str) -> None:
    with tree_of({"r.md": f"coverage {text} coverage: 92 % {text}"}) as root:
        answer = ask("numbers", {"report": "r.md", "at": "coverage", "at_least": 1, "unit": "%"}, root)
    assert answer.status is not Status.PASS


@settings(max_examples=150, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9))
def test_comparison_is_exact(number: Any) -> None:
    with tree_of({"r.json": f'{{"c": {number:f}}}'}) as root:
        assert (ask("numbers", {**LEAST, "at_least": f"{number:f}"}, root).status) is Status.PASS
        above = f"{number:f}0001"
        assert (ask("numbers", {**LEAST, "at_least": above}, root).status is Status.PASS) == (number < 0)


def test_a_run_counts_only_with_exit_code_0() -> None:
    with tree_of({}) as root:
        fine = ask("numbers", {**LEAST, "run": """echo '{"c": 90}' > r.json"""}, root)
        crashed = ask("numbers", {**LEAST, "run": """echo '{"c": 91}' > r.json; exit 3"""}, root)
    assert (fine.status, fine.provenance) == (Status.PASS, Provenance.RECORDED)
    assert (crashed.status, "ended with 3" in crashed.reason) == (Status.FAIL, True)


def test_whose_turn_it_is() -> None:
    with tree_of({"r.json": "{", "r.csv": "c\n1\n2\n"}) as root:
        assert ask("numbers", LEAST, root).blame is Blame.ENVIRONMENT
        assert ask("numbers", {"report": "r.csv", "at": "c", "at_least": 1}, root).blame is Blame.CONTRACT
