from __future__ import annotations

import json
from pathlib import Path

import pytest

from backcheck.contract.find import choose, parse_contract
from backcheck.contract.forge import load_forge
from backcheck.contract.skillgate import NAMES, load_skillgate
from backcheck.engine import bind_all
from backcheck.errors import UserError
from backcheck.surfaces.cli.main import run


def gate(text: str) -> object:
    return load_skillgate(text.encode(), ".skillgate/done.yaml")


def test_skillgate_gates_keep_their_meaning() -> None:
    text = """
version: 1
finishLine: [git commit]
gates:
  - {id: todos, type: absent, glob: "src/**", pattern: TODO, flags: i, ignore: ["gen/**"]}
  - {type: command, run: npm test}
  - {id: c, type: file-contains, file: a.md, pattern: x, flags: m}
  - {id: n, type: not-empty, path: docs, min: 2}
"""
    todos, command, contains, empty = load_skillgate(text.encode(), "done.yaml").requirements
    assert todos.arguments["dialect"] == "javascript"
    assert todos.arguments["ignored"] is True
    assert todos.arguments["ignore"] == ["**/node_modules/**", "**/.git/**", "dist/**", "gen/**"]
    assert (command.id, command.arguments) == ("gate-2", {"run": "npm test", "timeout": 30.0})
    assert contains.arguments == {"file": "a.md", "pattern": "x", "flags": "m", "dialect": "javascript"}
    assert empty.arguments == {"path": "docs", "min": 2}
    assert todos.place("with.pattern").line == 5
    assert all(r.stricter for r in (todos, command, contains, empty))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gates: {}", "`gates` must be a list, not a mapping"),
        ("gates:", "`gates` must be a list, not nothing"),
        ("x: 1", "`gates` must be a list, not nothing"),
        ("gates: [null]", "a gate must be a mapping, not nothing"),
        ("gates: [{id: a}]", "a gate has no `type`"),
        ("gates: [{id: a, type: comand, run: x}]", "no gate type `comand`; did you mean `command`?"),
        ("gates: [{id: a, type: Command, run: x}]", "did you mean `command`?"),
        (
            "gates: [{id: a, type: file-contains, file: a, patern: x}]",
            "a gate has no field `patern`; did you mean `pattern`?",
        ),
        ("gates: [{id: a, type: command, run: x, timeout: 0}]", "`timeout` must be from 1"),
        ("gates: [{id: a, type: command, run: x, timeout: 0.5}]", "`timeout` must be a whole number"),
        ("gates: [{id: a, type: command, run: x}, {id: a, type: command, run: x}]", "the id `a` is used twice"),
        ("version: 99\ngates: []", "`version` must be from 0 to 1"),
        ("version: 1.5\ngates: []", "`version` must be a whole number"),
    ],
)
def test_skillgate_mistakes_are_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=".+") as caught:
        gate(text)
    assert message in str(caught.value)


def test_json_must_be_json() -> None:
    good = b'{"gates": [{"id": "a", "type": "command", "run": "true"}]}'
    assert load_skillgate(good, ".skillgate.json").requirements[0].id == "a"
    for bad in (b'{"gates": [],}', b"\xef\xbb\xbf" + good, b"{gates: []}", b'{"gates": [] // c\n}'):
        with pytest.raises(UserError, match="JSON"):
            load_skillgate(bad, ".skillgate.json")
    with pytest.raises(UserError, match="twice"):
        load_skillgate(b'{"gates": [], "gates": []}', ".skillgate.json")


def test_json_strings_are_read_as_json_reads_them() -> None:
    text = '{"gates": [{"id": "a", "type": "file-contains", "file": "x", "pattern": "\\ud83d\\ude00\u0085|\u007f"}]}'
    made = load_skillgate(text.encode(), ".skillgate.json").requirements[0]
    assert made.arguments["pattern"] == "\U0001f600\u0085|\u007f"


FORGE = {
    "task": "Rate limiter",
    "files": ["src/limiter.py"],
    "contracts": {"src/limiter.py": {"minLen": 200, "keywords": ["limit"], "noKeywords": ["lorem"]}},
    "evidence_gates": {
        "evidence_dir": "evidence",
        "requirements": [
            {"id": "R1", "desc": "IP limits", "evidence_file": "test-output.txt", "pattern": "(?i)ip limit"},
            {"id": "R2", "evidence_file": "coverage.txt", "patterns": ["coverage", "8[5-9]"], "type": "regex"},
            {"id": "R3", "evidence_file": "log.txt", "pattern": "ERROR", "type": "negative"},
            {"id": "R4", "desc": "Invalidation is explained", "evidence_file": "review.md", "type": "llm"},
            {"id": "R5", "type": "argument-space", "verify_command": "node verify.mjs 'a b'"},
        ],
    },
    "layer3": {"divergence_threshold": 0.8},
}


def forge(value: object) -> object:
    return load_forge(json.dumps(value).encode(), ".forge/content-verify.json")


def test_forge_requirements() -> None:
    contract = load_forge(json.dumps(FORGE).encode(), ".forge/content-verify.json")
    made = {r.id: r for r in contract.requirements}
    assert list(made) == [
        "shape:src/limiter.py", "restatement:src/limiter.py", "content:src/limiter.py",
        "evidence:R1", "R1", "evidence:R2", "R2", "evidence:R3", "R3", "evidence:R4", "R4", "R5",
    ]  # fmt: skip
    assert made["content:src/limiter.py"].arguments == {
        "file": "src/limiter.py", "min_length": 200, "keywords": ["limit"], "forbidden": ["lorem"],
    }  # fmt: skip
    assert made["R1"].arguments == {
        "file": "evidence/test-output.txt", "dialect": "javascript", "flags": "i", "any": ["ip limit"],
    }  # fmt: skip
    # A number is never made optional by the words beside it.
    assert (made["R2"].arguments["all"], made["R2"].arguments["any"]) == (["8[5-9]"], ["coverage"])
    assert (made["R3"].check, made["R3"].arguments["patterns"]) == ("file-lacks", ["ERROR"])
    assert (made["R4"].check, made["R4"].arguments) == ("human", {"question": "Invalidation is explained"})
    assert made["R5"].arguments["run"] == ["node", "verify.mjs", "a b"]


def test_forge_evidence_folder_defaults_to_the_product_file() -> None:
    value = {"task": "t", "files": ["pkg/a.py"], "evidence_gates": {"requirements": [
        {"id": "R", "evidence_file": "out.txt", "pattern": "x"}]}}  # fmt: skip
    contract = load_forge(json.dumps(value).encode(), ".forge/content-verify.json")
    assert contract.requirements[-1].arguments["file"] == "pkg/.skillgate/evidence/out.txt"


@pytest.mark.parametrize("nothing", [{}, {"minLen": 0}, {"keywords": [], "noKeywords": []}, {"minLen": None}, None])
def test_a_file_contract_without_a_criterion_asks_nothing_more_of_the_file(nothing: object) -> None:
    contract = load_forge(
        json.dumps({"task": "t", "files": ["a.py"], "contracts": {"a.py": nothing}}).encode(), "c.json"
    )
    assert [r.id for r in contract.requirements] == ["shape:a.py", "restatement:a.py"]
    # A name without a value is no contract at all; an empty one is told, for its author may have meant something.
    assert [note for note in contract.notes if "a.py" in note and "no length and no words" in note] == list(
        contract.notes
    )
    assert len(contract.notes) == (nothing is not None)
    bind_all(contract)


def test_an_empty_file_contract_is_judged_and_proves_nothing_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / ".forge/content-verify.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"task": "t", "files": ["a.md"], "contracts": {"a.md": {}}}))
    assert run(["check", "-C", str(tmp_path), "-q"]) == 1
    assert "a.md" in capsys.readouterr().out
    (tmp_path / "a.md").write_text("The limiter counts requests per client and drops them after a minute.\n")
    assert run(["check", "-C", str(tmp_path)]) == 0
    assert "note      the contract of a.md gives no length and no words" in capsys.readouterr().out
    # Without any file nothing is asked, and nothing is no pass.
    config.write_text(json.dumps({"task": "t", "files": [], "contracts": {}}))
    assert run(["check", "-C", str(tmp_path)]) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": None}, "the contract has no `task`"),
        ({"fils": []}, "no field `fils`; did you mean `files`?"),
        ({"contracts": {"other.py": {"minLen": 1}}}, "`contracts` has no field `other.py`"),
        ({"contracts": {"src/limiter.py": {"minLength": 1}}}, "no field `minLength`; did you mean `minLen`?"),
        ({"evidence_gates": {"requirements": [{"id": "R", "evidence_file": "a", "type": "regexp", "pattern": "x"}]}},
         "`type` cannot be `regexp`; did you mean `regex`?"),
        ({"evidence_gates": {"requirements": [{"id": "R", "evidence_file": "a"}]}}, "needs `pattern` or `patterns`"),
        ({"evidence_gates": {"requirements": [{"id": "R", "pattern": "x"}]}}, "has no `evidence_file`"),
        ({"evidence_gates": {"requirements": [{"id": "R", "type": "argument-space"}]}}, "has no `verify_command`"),
        ({"evidence_gates": {"requirements": [{"id": "R", "evidence_file": "a", "pattern": "x", "strength": "L1"}]}},
         "every requirement is of the weakest strength"),
        ({"layer3": {"divergence_threshold": 1.5}}, "`divergence_threshold` must be"),
    ],
)  # fmt: skip
def test_forge_mistakes_are_refused(change: dict[str, object], message: str) -> None:
    value = {**FORGE, **change}
    with pytest.raises(UserError) as caught:
        forge({k: v for k, v in value.items() if v is not None})
    assert message in str(caught.value)


def test_which_contract_counts() -> None:
    def there(*names: str) -> str | None:
        return choose(lambda name: name in names)

    assert there() is None
    for earlier, later in zip(NAMES, NAMES[1:], strict=False):
        assert there(earlier, later) == earlier
    assert (
        there(".backcheck/contract.yaml", ".skillgate.yaml", ".forge/content-verify.json") == ".backcheck/contract.yaml"
    )
    with pytest.raises(UserError, match="two contracts"):
        there(".skillgate.yml", ".forge/content-verify.json")


def test_an_odd_name_is_read_by_its_content() -> None:
    assert parse_contract(b"gates: []", "mine.yaml").format == "skillgate"
    assert parse_contract(b"version: 1\nrequirements: []", "mine.yaml").format == "native"
    assert parse_contract(json.dumps(FORGE).encode(), "mine.json").format == "forge"
