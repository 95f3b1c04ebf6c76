"""The JSON Schema for editors: it takes what the loader and the checks take, and refuses what they refuse."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, ClassVar

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backcheck.checks.registry import names, own_gate
from backcheck.contract.load import load_native
from backcheck.contract.nodes import parse
from backcheck.contract.schema import DRAFT, contract_schema
from backcheck.engine import bind_all
from backcheck.errors import UserError
from backcheck.surfaces.cli.main import run

SCHEMA = contract_schema({name: own_gate(name) for name in names()})
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)

GOOD = """\
version: 1
subject: workspace
task: A task
prepare: [uv, sync, --frozen]
trusted_keys: ["ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
attempts: 3
requirements:
  - id: run it
    description: It runs
    check: command
    with: {run: [make, test], timeout: 60}
    severity: P1
    provenance: asserted
    inputs: "src/**"
    at: [commit, push]
    budget: 5m
    dimension: intent
    hidden: true
  - {id: b, check: absent, with: {glob: "**/*.py", pattern: TODO, flags: null}, severity: warn, at: stop, budget: 30}
  - {id: c, check: file-exists, with: {file: [a, b]}, description: null, with_: 0}
"""
GOOD = GOOD.replace(", with_: 0", "")


def by_loader(text: str) -> str:
    """Empty where loader and checks take a contract, else what they say."""
    try:
        bind_all(load_native(text.encode(), "c.yaml"))
    except UserError as error:
        return str(error)
    return ""


def by_schema(text: str) -> str:
    """Empty where the schema takes a contract, else what it says."""
    return "; ".join(error.message for error in VALIDATOR.iter_errors(parse(text.encode(), "c.yaml").data))


def requirement(fields: str) -> str:
    return f"version: 1\nrequirements:\n  - {{{fields}}}\n"


FILE = "id: a, check: file-exists, with: {file: x}"

WRONG = {
    "no version": "requirements: []\n",
    "a version to come": "version: 2\nrequirements: []\n",
    "a version as text": "version: '1'\nrequirements: []\n",
    "a version that is true": "version: true\nrequirements: []\n",
    "no requirements": "version: 1\n",
    "requirements without a value": "version: 1\nrequirements:\n",
    "requirements as a mapping": "version: 1\nrequirements: {}\n",
    "an unknown field at the top": "version: 1\nrequirments: []\nrequirements: []\n",
    "a list instead of a mapping": "- version: 1\n",
    "an unknown subject": "version: 1\nsubject: workspce\nrequirements: []\n",
    "prepare as text": "version: 1\nprepare: make\nrequirements: []\n",
    "a blank word in prepare": "version: 1\nprepare: [make, ' ']\nrequirements: []\n",
    "a key of another kind": "version: 1\ntrusted_keys: ['rsa:AAAA']\nrequirements: []\n",
    "no attempt": "version: 1\nattempts: 0\nrequirements: []\n",
    "too many attempts": "version: 1\nattempts: 1001\nrequirements: []\n",
    "attempts as text": "version: 1\nattempts: five\nrequirements: []\n",
    "a plugin without a version": "version: 1\nplugins: [{distribution: x}]\nrequirements: []\n",
    "a plugin with an unknown field": "version: 1\nplugins: [{distribution: x, version: '1', at: y}]\nrequirements: []\n",
    "a requirement that is text": "version: 1\nrequirements: [tests]\n",
    "no id": requirement("check: file-exists, with: {file: x}"),
    "an empty id": requirement("id: '', check: file-exists, with: {file: x}"),
    "an id that ends with a space": requirement("id: 'a ', check: file-exists, with: {file: x}"),
    "an id of two lines": requirement('id: "a\\nb", check: file-exists, with: {file: x}'),
    "an id that is ours": requirement("id: 'backcheck:tree', check: file-exists, with: {file: x}"),
    "an id that is too long": requirement(f"id: {'a' * 121}, check: file-exists, with: {{file: x}}"),
    "an id that is a number": requirement("id: 7, check: file-exists, with: {file: x}"),
    "no check": requirement("id: a, with: {file: x}"),
    "an unknown check": requirement("id: a, check: file-exist, with: {file: x}"),
    "an unknown field": requirement(FILE + ", sevrity: warn"),
    "an unknown severity": requirement(FILE + ", severity: high"),
    "an unknown provenance": requirement(FILE + ", provenance: seen"),
    "an unknown door": requirement(FILE + ", at: [stop, merge]"),
    "a blank input": requirement(FILE + ", inputs: ' '"),
    "a budget without a unit that is known": requirement(FILE + ", budget: 5d"),
    "a budget of nothing": requirement(FILE + ", budget: 0s"),
    "a budget that is negative": requirement(FILE + ", budget: -1"),
    "hidden as text": requirement(FILE + ", hidden: 'yes'"),
    "a description that is a list": requirement(FILE + ", description: [a]"),
    "arguments as a list": requirement("id: a, check: file-exists, with: [file, x]"),
    "arguments missing": requirement("id: a, check: file-exists"),
    "arguments without a value": requirement("id: a, check: file-exists, with: null"),
    "a needed argument missing": requirement("id: a, check: absent, with: {glob: '**'}"),
    "a needed argument without a value": requirement("id: a, check: absent, with: {glob: '**', pattern: null}"),
    "an unknown argument": requirement("id: a, check: absent, with: {glob: '**', patern: x, pattern: y}"),
    "an argument of another check": requirement("id: a, check: file-exists, with: {file: x, glob: y}"),
    "an argument of the wrong type": requirement("id: a, check: file-exists, with: {file: 7}"),
    "a list that holds a number": requirement("id: a, check: file-exists, with: {file: [a, 7]}"),
    "a flag as text": requirement("id: a, check: absent, with: {glob: '**', pattern: y, ignored: 'no'}"),
    "an argument below its bound": requirement("id: a, check: not-empty, with: {path: x, min: 0}"),
    "a time that is not above zero": requirement("id: a, check: command, with: {run: x, timeout: 0}"),
}


def test_a_good_contract_passes_both():
    assert by_loader(GOOD) == ""
    assert by_schema(GOOD) == ""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_contract_is_refused_by_both(name):
    assert by_loader(WRONG[name]) != ""
    assert by_schema(WRONG[name]) != ""


@pytest.mark.parametrize("subject", ["workspace", "conversation"])
def test_subjects_are_those_that_the_loader_can_check(subject):
    text = f"version: 1\nsubject: {subject}\nrequirements: []\n"
    assert bool(by_loader(text)) is bool(by_schema(text))


def test_the_project_s_own_contracts_are_valid(pytestconfig):
    root = pytestconfig.rootpath
    named = [*root.glob("examples/**/*.yaml"), *root.glob("src/backcheck/**/contracts/*.yaml"),
             *root.glob(".backcheck/contract.yaml")]  # fmt: skip
    contracts = [path for path in named if "\nrequirements:" in path.read_text(encoding="utf-8")]
    assert len(contracts) >= 2
    for path in contracts:
        text = path.read_text(encoding="utf-8")
        load_native(text.encode(), str(path))
        assert by_schema(text) == "", path


def test_the_examples_of_the_how_to_are_valid(pytestconfig):
    text = (pytestconfig.rootpath / "docs/how-to/write-a-contract.md").read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in text.split("```yaml\n")[1:]]
    contracts = [block for block in blocks if block.startswith(("version:", "#"))]
    assert len(contracts) >= 2
    for block in contracts:
        load_native(block.encode(), "c.yaml")
        assert by_schema(block) == ""


def test_the_schema_is_a_schema_of_the_draft():
    assert SCHEMA["$schema"] == DRAFT
    jsonschema_rs.meta.validate(SCHEMA)
    json.dumps(SCHEMA, allow_nan=False)


@pytest.mark.parametrize("name", names())
def test_every_check_has_its_arguments_with_its_docstring(name):
    made, gate = SCHEMA["$defs"][name], own_gate(name)
    fields = dataclasses.fields(gate)
    assert set(made["properties"]) == {field.name for field in fields}
    assert made["description"].splitlines()[0] == str(gate.__doc__).strip().splitlines()[0]
    missing = dataclasses.MISSING
    needed = {one.name for one in fields if one.default is missing and one.default_factory is missing}
    assert set(made["required"]) == needed


@pytest.mark.parametrize("name", [name for name in names() if hasattr(own_gate(name), "canary")])
def test_the_canary_of_every_check_fits_its_schema(name):
    canary = own_gate(name).canary
    data = {"version": 1, "requirements": [{"id": "a", "check": name, "with": dict(canary.arguments)}]}
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


def test_an_admitted_plugin_may_bring_a_check_of_any_name():
    head = "version: 1\nplugins: [{distribution: x, version: '1'}]\n"
    body = "requirements:\n  - {id: a, check: their-own, with: {any: thing}}\n"
    assert by_schema(head + body) == ""
    assert by_schema("version: 1\nplugins: []\n" + body) != ""
    assert by_schema("version: 1\n" + body) != ""
    known = "requirements:\n  - {id: a, check: file-exists, with: {any: thing}}\n"
    assert by_schema(head + known) != ""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A part of an argument."""

    x: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Nested:
    """A check whose argument has parts."""

    kind: ClassVar[str] = "not an argument"

    point: Point
    more: dict[str, list[Point]] | None = None


def test_parts_of_arguments_have_definitions_of_their_own():
    schema = contract_schema({"one": Nested, "two": Nested})
    assert {"one", "one.Point", "two", "two.Point"} <= set(schema["$defs"])
    validator = jsonschema_rs.Draft202012Validator(schema)

    def valid(arguments: Any) -> bool:
        data = {"version": 1, "requirements": [{"id": "a", "check": "one", "with": arguments}]}
        return bool(validator.is_valid(data))

    assert valid({"point": {"x": 1}})
    assert valid({"point": {"x": 1}, "more": {"a": [{"x": 2}]}})
    assert valid({"point": {"x": 1}, "more": None})
    assert not valid({"point": {"x": "1"}})
    assert not valid({"point": {"x": 1}, "more": {"a": [{"x": "2"}]}})
    assert not valid({"point": {"x": 1}, "kind": "x"})


VALUES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "", " ", "warn", "stop", "30s", "0"])
FIELDS = st.dictionaries(
    st.sampled_from(["description", "severity", "provenance", "inputs", "at", "budget", "dimension", "hidden"]),
    VALUES | st.lists(VALUES, max_size=2), max_size=3,
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(FIELDS, st.sampled_from(["a", "a b", " a", "é", "a" * 120, "x\ty", "backcheck:"]))
def test_schema_and_loader_agree_on_the_fields_of_a_requirement(fields, name):
    one = {"id": name, "check": "file-exists", "with": {"file": "x"}, **fields}
    text = json.dumps({"version": 1, "requirements": [one]}, ensure_ascii=False)
    try:
        load_native(text.encode(), "c.yaml")
        loaded = ""
    except UserError as error:
        loaded = str(error)
    assert bool(by_schema(text)) is bool(loaded), (loaded, by_schema(text))


def test_the_command_prints_the_schema(capsys):
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
