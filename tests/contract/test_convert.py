"""`convert`: the native text means the same as the foreign file, and every stricter answer is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backcheck.contract import yamltext
from backcheck.contract.convert import Converted, convert, meaning
from backcheck.contract.find import parse_contract
from backcheck.contract.load import load_native
from backcheck.contract.model import Contract
from backcheck.contract.nodes import parse
from backcheck.contract.skillgate import FIELDS, STRICTER
from backcheck.engine import bind_all
from backcheck.errors import UserError
from backcheck.surfaces.cli.main import run

SKILLGATE = {
    "version": 1,
    "finishLine": ["git commit", "npm publish"],
    "gates": [
        {
            "id": "tests",
            "type": "command",
            "run": "npm test --silent",
            "timeout": 60000,
            "description": "The suite passes",
        },
        {"id": "todo", "type": "absent", "glob": ["src/**/*.ts", "!src/gen/**"], "pattern": r"//\s*TODO", "flags": "i"},
        {"id": "log", "type": "file-contains", "file": "CHANGELOG.md", "pattern": "unreleased: yes #1", "flags": "im"},
        {"type": "file-exists", "file": ["README.md", "LICENSE"]},
        {"id": "ev", "type": "evidence", "file": ".skillgate/evidence/run.txt"},
        {"id": "dir", "type": "not-empty", "path": "docs", "min": 3},
        {"id": "sync", "type": "instruction-sync", "threshold": 0.95},
    ],
}
FORGE = {
    "task": "A limiter: fast & 'quoted'",
    "files": ["src/a.b.js", "out/report.md"],
    "model": "some-model",
    "contracts": {"src/a.b.js": {"minLen": 200, "keywords": ["limit", "是"], "noKeywords": ["TODO"]}},
    "evidence_gates": {
        "evidence_dir": "ev",
        "requirements": [
            {"id": "R1", "desc": "Limits by IP", "evidence_file": "t.txt", "pattern": "(?i)ip.*limit"},
            {"id": "R2", "desc": "Coverage", "evidence_file": "c.txt", "patterns": [r"coverage", r"8[5-9]%|9\d%"]},
            {"id": "R3", "desc": "No stub", "evidence_file": "t.txt", "type": "negative", "patterns": ["stub", "todo"]},
            {"id": "R4", "desc": "Reads well", "evidence_file": "r.md", "type": "llm", "strength": "L2"},
            {"id": "R5", "desc": "It drops the entry", "type": "argument-space", "verify_command": "node probe.js 'a b'",
             "verify_keyspace": ["x"]},
        ],
    },
    "layer3": {"divergence_threshold": 0.8},
}  # fmt: skip


def converted(data: Any, path: str = ".skillgate/done.yaml") -> tuple[Contract, Converted]:
    raw = json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")
    contract = parse_contract(raw, path)
    return contract, convert(contract, raw)


def assert_same(contract: Contract, text: str) -> None:
    made = load_native(text.encode(), ".backcheck/contract.yaml")
    assert made.format == "native"
    assert [meaning(one) for one in made.requirements] == [meaning(one) for one in contract.requirements]
    assert [dict(one.arguments) for one in made.requirements] == [dict(one.arguments) for one in contract.requirements]
    assert made.task == contract.task


@pytest.mark.parametrize(("data", "path"), [(SKILLGATE, ".skillgate/done.yaml"), (FORGE, ".forge/content-verify.json")])
def test_the_native_contract_means_the_same(data, path):
    contract, result = converted(data, path)
    assert_same(contract, result.text)


#: Without product files: only checks that run and read evidence.
GATES_ONLY = {**FORGE, "files": [], "contracts": {}}


@pytest.mark.parametrize(
    ("data", "path"), [(SKILLGATE, ".skillgate/done.yaml"), (GATES_ONLY, ".forge/content-verify.json")]
)
def test_the_checks_take_the_native_contract(data, path):
    contract, result = converted(data, path)
    bound = bind_all(load_native(result.text.encode(), "c.yaml"))
    assert [repr(one.gate) for one in bound] == [repr(one.gate) for one in bind_all(contract)]


@pytest.mark.parametrize(("data", "path"), [(SKILLGATE, ".skillgate/done.yaml"), (FORGE, ".forge/content-verify.json")])
def test_every_stricter_answer_is_a_comment_and_is_listed(data, path):
    contract, result = converted(data, path)
    expected = [(one.id, note) for one in contract.requirements for note in one.stricter]
    assert expected
    assert [(one.requirement, one.note) for one in result.stricter] == expected
    unwrapped = " ".join(line.strip().removeprefix("#").strip() for line in result.text.splitlines())
    for _, note in expected:
        assert f"stricter: {note}" in unwrapped


def test_comments_stand_above_their_requirement():
    _, result = converted(SKILLGATE)
    lines = result.text.splitlines()
    at = next(number for number, line in enumerate(lines) if line == "  - id: ev")
    assert [line.strip() for line in lines[at - 2 : at]] == [f"# stricter: {note}" for note in STRICTER["evidence"]]


def test_what_has_no_place_is_told():
    _, result = converted(SKILLGATE)
    assert [name for name, _ in result.left_out] == ["finishLine"]
    assert "# left out: finishLine" in result.text
    _, result = converted(FORGE, ".forge/content-verify.json")
    assert [name for name, _ in result.left_out] == ["model", "layer3", "R4.strength", "R5.verify_keyspace"]
    assert "# note: layer3" in result.text


def test_characters_that_json_writes_as_two_escapes():
    raw = json.dumps({"gates": [{"id": "a", "type": "evidence", "file": "\U0001f600.txt"}]}).encode()
    contract = parse_contract(raw, ".skillgate.json")
    assert_same(contract, convert(contract, raw).text)
    assert "\U0001f600.txt" in convert(contract, raw).text


def test_an_empty_list_stays_empty_and_is_told():
    contract, result = converted({"gates": []})
    assert_same(contract, result.text)
    assert "the verdict will be UNCLEAR" in result.text


def test_a_native_contract_is_refused():
    raw = b"version: 1\nrequirements: []\n"
    with pytest.raises(UserError, match="native already"):
        convert(parse_contract(raw, ".backcheck/contract.yaml"), raw)


def test_what_does_not_come_back_as_it_was_is_refused(monkeypatch):
    monkeypatch.setattr(yamltext, "text", lambda value: "'other'" if value == "LICENSE" else repr(value))
    with pytest.raises(UserError, match="without a change of meaning") as caught:
        converted(SKILLGATE)
    assert caught.value.slug == "convert-failed"


def test_short_mappings_are_one_line_and_long_ones_a_block():
    _, result = converted(SKILLGATE)
    assert "    with: {path: docs, min: 3}\n" in result.text
    assert "    with:\n      glob: [\n" not in result.text
    assert "      glob: ['src/**/*.ts', '!src/gen/**']\n" in result.text


# The writer, and generated contracts

TEXT = st.text(max_size=12) | st.sampled_from(
    ["true", "no", "null", "~", "1e3", "0x1", "2026-01-01", "a: b", "- a", "#c", "'", '"', "\\", " lead", "trail ", "",
     "{a}", "[b]", "*x", "&y", "!z", "%q", "@r", "`s", "a\nb", "\t", "\x7f", "\x85", "\u2028", "\ufeff", "\U0001f600",
     "\x00", ".inf", "<<", "=", "? k", "a #b", "key:", "yes", "日志", "N", "a, b", "a]"]
)  # fmt: skip
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.sampled_from([1e16, 1e-7, -0.0, 1e300, 30.0])
DATA = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(TEXT, DATA, min_size=1, max_size=5))
def test_what_is_written_is_what_is_read(data):
    lines = [line for name, value in data.items() for line in yamltext.field(name, value, 0)]
    read = parse("\n".join(lines).encode("utf-8"), "c.yaml").data
    assert repr(read) == repr(data)


@pytest.mark.parametrize(
    ("value", "written"),
    [("plain words", "plain words"), ("yes", "'yes'"), ("it's", "'it''s'"), (r"\bTODO\b", r"'\bTODO\b'"),
     ("a\nb", '"a\\nb"'), ("\ufeff", '"\\ufeff"'), ("\U000e0001", '"\\U000e0001"'), ("\x07", '"\\x07"'),
     ("\ud800", '"\\ud800"'), (1e16, "1.0e+16"), (float("inf"), ".inf"), (None, "null"), (True, "true"), ("", "''")],
)  # fmt: skip
def test_single_values(value, written):
    assert yamltext.scalar(value) == written


def test_a_value_that_yaml_has_no_name_for():
    with pytest.raises(TypeError):
        yamltext.scalar(object())


@given(st.text(max_size=300))
def test_a_comment_stays_a_comment(line):
    for part in yamltext.comment(line, 2):
        assert part.startswith("  #")
        assert part.isprintable()


#: What YAML lets stand in a file as it is, and control characters, which JSON escapes.
RAW = st.characters(codec="utf-8", exclude_characters="\ufeff\ufffe\uffff" + "".join(map(chr, range(0x7F, 0xA0))))
PLAIN = st.text(RAW, max_size=20)
FILLED = PLAIN.filter(str.strip)
VISIBLE = st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=["C", "Z"])
NAMES = st.text(VISIBLE, min_size=1, max_size=20)
VALUES = {
    "file": FILLED, "pattern": FILLED, "flags": st.sampled_from(["", "i", "gim"]), "run": FILLED, "path": FILLED,
    "glob": FILLED | st.lists(FILLED, min_size=1, max_size=3), "ignore": st.lists(FILLED, min_size=1, max_size=2) | FILLED,
    "timeout": st.integers(1, 86_400_000), "min": st.integers(-5, 10**12), "threshold": st.floats(0, 1) | st.integers(0, 1),
}  # fmt: skip


@st.composite
def _gates(draw):
    gates = []
    for name in draw(st.lists(NAMES, unique=True, max_size=5)):
        kind = draw(st.sampled_from(sorted(FIELDS)))
        gate = {"id": name, "type": kind}
        gate |= {field: draw(VALUES[field]) for field in FIELDS[kind] if draw(st.booleans())}
        if draw(st.booleans()):
            gate["description"] = draw(PLAIN)
        gates.append(gate)
    return {"version": 1, "gates": gates}


@settings(deadline=None, max_examples=150)
@given(_gates(), st.sampled_from([".skillgate/done.yaml", ".skillgate.json"]))
def test_any_skillgate_contract_that_can_be_read_comes_through(data, path):
    raw = json.dumps(data, ensure_ascii=False).encode()
    try:
        contract = parse_contract(raw, path)
    except UserError:
        return  # a wrong contract, which the loaders' own tests are about
    assert_same(contract, convert(contract, raw).text)


@st.composite
def _tasks(draw):
    requirements = []
    for name in draw(st.lists(NAMES, unique=True, min_size=1, max_size=4)):
        kind = draw(st.sampled_from(["regex", "negative", "llm", "argument-space"]))
        one = {"id": name, "type": kind, "evidence_file": draw(FILLED), "desc": draw(PLAIN)}
        one["pattern"] = draw(FILLED)
        one["verify_command"] = draw(st.sampled_from(["node a.js", "node 'a b' \"c\"", "./x --y=1"]))
        requirements.append(
            one if kind == "argument-space" else {k: v for k, v in one.items() if k != "verify_command"}
        )
    return {"task": draw(FILLED), "files": draw(st.lists(FILLED, unique=True, max_size=2)),
            "evidence_gates": {"requirements": requirements}}  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(_tasks())
def test_any_task_that_can_be_read_comes_through(data):
    raw = json.dumps(data, ensure_ascii=False).encode()
    try:
        contract = parse_contract(raw, ".forge/content-verify.json")
    except UserError:
        return  # as above
    assert_same(contract, convert(contract, raw).text)


# The command


def lay_out(folder: Path, data: Any = SKILLGATE, name: str = ".skillgate/done.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_command_prints_text_on_stdout_and_differences_on_stderr(tmp_path, capsys):
    lay_out(tmp_path)
    assert run(["convert", "-C", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    contract, result = converted(SKILLGATE)
    assert_same(contract, shown.out)
    assert "Stricter than skillgate:" in shown.err
    for one in result.stricter:
        assert f"  {one.requirement} ({one.check}): {one.note}" in shown.err
    assert "finishLine" in shown.err


def test_the_json_document(tmp_path, capsys):
    path = lay_out(tmp_path, GATES_ONLY, ".forge/content-verify.json")
    assert run(["convert", str(path), "-C", str(tmp_path), "--json"]) == 0
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    contract, result = converted(GATES_ONLY, ".forge/content-verify.json")
    assert_same(contract, document["text"])
    assert document["schema"] == "backcheck.convert/1"
    assert document["from"] == {"path": ".forge/content-verify.json", "format": "forge"}
    assert document["stricter"] == [
        {"requirement": one.requirement, "check": one.check, "note": one.note} for one in result.stricter
    ]
    assert shown.err == ""


def test_a_new_file_is_written_and_an_old_one_is_not_touched(tmp_path, capsys):
    lay_out(tmp_path)
    target = tmp_path / ".backcheck/contract.yaml"
    assert run(["convert", "-C", str(tmp_path), "-o", str(target)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"written: {target}" in shown.err
    written = target.read_text()
    assert_same(converted(SKILLGATE)[0], written)
    target.write_text("mine")
    foreign = str(tmp_path / ".skillgate/done.yaml")
    assert run(["convert", foreign, "-C", str(tmp_path), "-o", str(target)]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert target.read_text() == "mine"
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "nowhere.yaml")
    assert run(["convert", foreign, "-C", str(tmp_path), "-o", str(link)]) == 2
    assert not (tmp_path / "nowhere.yaml").exists()


def test_a_native_contract_and_a_wrong_one_are_user_errors(tmp_path, capsys):
    native = tmp_path / ".backcheck/contract.yaml"
    native.parent.mkdir()
    native.write_text("version: 1\nrequirements: []\n")
    assert run(["convert", "-C", str(tmp_path)]) == 2
    assert "native already" in capsys.readouterr().err
    native.unlink()
    for gate in ({"type": "absnt"}, {"type": "absent", "glob": "**", "pattern": "("}):
        lay_out(tmp_path, {"gates": [{"id": "a", **gate}]})
        assert run(["convert", "-C", str(tmp_path)]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith("backcheck: .skillgate/done.yaml:1:")
