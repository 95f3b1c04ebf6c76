from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.contract.load import load_native
from backcheck.errors import Position, UserError
from backcheck.verdict import Provenance, Severity

GOOD = """\
version: 1
task: a task
attempts: 3
trusted_keys: ["ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
requirements:
  - id: tests
    description: The suite passes
    check: command
    with: {run: [pytest, -q], timeout: 60}
    provenance: recorded
    inputs: ["src/**"]
    severity: P0
    at: [push, server]
    budget: 5m
    dimension: intent
    hidden: true
  - {id: readme, check: file-exists, with: {file: README.md}, severity: warn}
"""


def load(text: str | bytes) -> object:
    return load_native(text.encode() if isinstance(text, str) else text, "c.yaml")


def test_every_field() -> None:
    contract = load_native(GOOD.encode(), "c.yaml")
    assert (contract.task, contract.attempts, len(contract.trusted_keys)) == ("a task", 3, 1)
    tests, readme = contract.requirements
    assert tests.arguments == {"run": ["pytest", "-q"], "timeout": 60}
    assert (tests.severity, tests.priority, tests.provenance) == (Severity.BLOCK, "P0", Provenance.RECORDED)
    assert (tests.at, tests.budget, tests.inputs) == (("push", "server"), 300.0, ("src/**",))
    assert (tests.dimension, tests.hidden) == ("intent", True)
    assert (readme.severity, readme.at) == (Severity.WARN, ("stop", "commit", "push", "server"))
    assert tests.place("with.timeout") == Position(path="c.yaml", line=9, column=40)
    assert tests.place("with.nothing").line == 9


def test_a_byte_order_mark_and_crlf_change_nothing_but_the_digest() -> None:
    plain = load_native(GOOD.encode(), "c.yaml")
    odd = load_native(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), "c.yaml")
    assert [r.arguments for r in odd.requirements] == [r.arguments for r in plain.requirements]
    assert odd.digest != plain.digest


R = "version: 1\nrequirements:\n  - "

WRONG = [
    ("", "c.yaml: the contract is empty"),
    ("  \n# only a comment\n", "c.yaml: the contract is empty"),
    ("[1, 2]", "c.yaml:1:1: the contract must be a mapping, not a list"),
    ("requirements: []", "has no `version`; write `version: 1`"),
    ("version: 2\nrequirements: []", "c.yaml:1:10: `version` must be from 1 to 1, not 2"),
    ("version: '1'\nrequirements: []", "`version` must be a whole number, not text"),
    ("version: true\nrequirements: []", "`version` must be a whole number, not a boolean"),
    ("version: 1", "the contract has no `requirements`"),
    ("version: 1\nrequirements: {}", "c.yaml:2:15: `requirements` must be a list, not a mapping"),
    ("version: 1\nrequirments: []", "c.yaml:2:1: the contract has no `requirements`; is `requirments` meant for it?"),
    (R + "{id: a, chek: absent}", "c.yaml:3:13: a requirement has no `check`; is `chek` meant for it?"),
    (
        R + "{id: a, check: command, run: x}",
        "no field `run`. Known: at, budget, check, description, dimension, hidden, id, ",
    ),
    (R + "{id: a, check: command, run: x}", "; arguments of the check stand below `with`"),
    (
        "version: 1\nrequirements:\n\t- id: a",
        "c.yaml:3:1: not valid YAML: found character '\\t' that cannot start any token; "
        "indent with spaces, not with a tab",
    ),
    ("version: 1\nrequirements:\n  - id: a\n  check: absent", "is this line indented like the ones it belongs to?"),
    ("version: 1\ntask: a: b", "put text that holds `: ` in quotes"),
    ("version: 1\ntask: @b", "put text that starts with a special character in single quotes"),
    ("version: 1\ntask: %b", "put text that starts with a special character in single quotes"),
    (R + "{Id: a, check: absent}", "a requirement has no `id`"),
    ("version: 1\nrequirements: []\ntaks: x", "c.yaml:3:1: the contract has no field `taks`; did you mean `task`?"),
    ("version: 1\nversion: 1\nrequirements: []", "c.yaml:2:1: the key `version` stands here twice"),
    ("version: 1\nrequirements: []\nsubject: talk", "`subject` cannot be `talk`"),
    ("version: 1\nrequirements: []\nsubject: conversation", "c.yaml:3:10: `subject: conversation` cannot be checked"),
    ("version: 1\nrequirements: []\nattempts: 0", "`attempts` must be from 1 to 1000, not 0"),
    ("version: 1\nrequirements: []\ntrusted_keys: [abc]", "c.yaml:3:16: a key is written `ed25519:`"),
    (R + "x", "c.yaml:3:5: a requirement must be a mapping, not text"),
    (R + "{check: absent}", "c.yaml:3:5: a requirement has no `id`"),
    (R + "{id: a}", "a requirement has no `check`"),
    (R + "{id: '', check: absent}", "`id` is empty"),
    (R + "{id: ' a', check: absent}", "an id is 1 to 120 printable characters"),
    (R + "{id: 'backcheck:x', check: absent}", "are backcheck's own"),
    (R + "{id: 5, check: absent}", "c.yaml:3:10: `id` must be text, not a whole number"),
    (R + "{id: a, check: absent}\n  - {id: a, check: absent}", "c.yaml:4:10: the id `a` is used twice"),
    (
        R + "{id: a, check: c, severty: warn}",
        "c.yaml:3:23: a requirement has no field `severty`; did you mean `severity`?",
    ),
    (R + "{id: a, check: c, severity: blocker}", "`severity` cannot be `blocker`; did you mean `block`?"),
    (R + "{id: a, check: c, provenance: seen}", "`provenance` cannot be `seen`"),
    (R + "{id: a, check: c, at: [comit]}", "`at` cannot be `comit`"),
    (R + "{id: a, check: c, at: 5}", "`at` must be a list of text, not a whole number"),
    (R + "{id: a, check: c, budget: -1}", "`budget` must be a time above zero"),
    (R + "{id: a, check: c, budget: 0s}", "`budget` must be a time above zero"),
    (R + "{id: a, check: c, budget: soon}", "`budget` must be a time above zero"),
    (R + "{id: a, check: c, hidden: 'yes'}", "`hidden` must be true or false, not text"),
    (R + "{id: a, check: c, with: [x]}", "c.yaml:3:29: `with` must be a mapping of the check's arguments, not a list"),
    (R + "{id: a, check: c, inputs: ['']}", "`inputs` must hold non-empty text"),
    ("version: 1\nrequirements: [[[,,", "not valid YAML"),
    ("version: 1\n\tx: 1", "c.yaml:2:1: not valid YAML"),
    ("a: &x [1]\nb: *x", "anchors and aliases are not allowed"),
    ("a: &x 1", "anchors and aliases are not allowed"),
    ("version: 1\n---\nversion: 1", "c.yaml:2:1: a second YAML document"),
    ("<<: {version: 1}\nrequirements: []", "merge keys"),
    ("version: !!int 1\nrequirements: !!python/object {}", "tag"),
    ("? [a]\n: 1", "a key must be plain text"),
    ("version: 1\nrequirements: " + "[" * 40 + "]" * 40, "nested deeper than 24 levels"),
    ("version: 1\nx: [" + "a," * 30000 + "]", "more than 20,000 values"),
    ("version: 9999999999999999999999999999999999999999", "the number"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_not_utf8_and_too_large() -> None:
    with pytest.raises(UserError, match=r"c\.yaml:2: the contract is not UTF-8"):
        load(b"version: 1\n\xff\xfe")
    with pytest.raises(UserError, match="the limit is 1,048,576"):
        load(b"#" * (1024 * 1024 + 1))


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "0o7", "1e3", "~", ".inf", "2001-01-01"])
def test_yaml_1_2_reads_words_as_they_are(word: str) -> None:
    text = f"version: 1\ntask: '{word}'\nrequirements: []"
    assert load_native(text.encode(), "c").task == word
    if word in ("yes", "no", "on", "off"):
        assert load_native(text.replace("'", "").encode(), "c").task == word


@given(st.text(max_size=200))
def test_any_text_is_a_contract_or_one_error(text: str) -> None:
    try:
        load(text)
    except UserError as error:
        assert "\n" not in str(error)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_contract_or_one_error(raw: bytes) -> None:
    try:
        load_native(raw, "c")
    except UserError as error:
        assert "\n" not in str(error)
