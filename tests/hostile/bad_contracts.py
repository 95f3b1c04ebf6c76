"""Contracts that are wrong, written out one by one: their bytes, their YAML, their fields, in all three dialects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.hostile.bad_model import FORGE, NATIVE, SKILLGATE, UNCLEAR, WRONG, Bad

GOOD = "version: 1\nrequirements:\n  - {id: a, check: file-exists, with: {file: a.txt}}\n"
HERE: Mapping[str, str] = {"a.txt": "a\n"}


def native(kind: str, name: str, text: str | bytes, exits: frozenset[int] = WRONG, **more: Any) -> Bad:
    """A native contract in a folder in which the good one would pass."""
    return Bad(kind=kind, name=name, files={**HERE, NATIVE: text}, exits=exits, **more)


def one(fields: str) -> str:
    """A contract with one requirement, its fields in flow style."""
    return f"version: 1\nrequirements:\n  - {{{fields}}}\n"


def foreign(kind: str, name: str, file: str, data: Any, exits: frozenset[int] = WRONG) -> Bad:
    """A contract of another tool; text and bytes are taken as they are."""
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    return Bad(kind=kind, name=name, files={**HERE, file: text}, exits=exits)


def raw_bytes() -> Iterator[Bad]:
    """Files that are no text, or too much of it."""
    rows = {
        "empty": b"", "blank": b" \n\t\n", "only a mark": b"\xef\xbb\xbf", "only comments": b"# nothing\n# at all\n",
        "not UTF-8": b"version: 1\nx: \xff\xfe\n", "cut in a character": GOOD.encode() + b"# \xe4\xb8", "latin-1": b"task: caf\xe9\n",
        "UTF-16": GOOD.encode("utf-16"), "UTF-16 without mark": GOOD.encode("utf-16-le"), "UTF-32": GOOD.encode("utf-32"),
        "overlong": b"task: \xc0\xae\n", "encoded surrogate": b"task: \xed\xa0\x80\n", "NUL": b"version: 1\0\n", "only NUL": b"\0" * 100,
        "control characters": b"task: \x01\x02\x1b[2J\n", "DEL": b"task: \x7f\n", "binary": bytes(range(256)) * 4,
        "over the limit": b"#" * (1024 * 1024 + 1), "50 MB": b"a: b\n" * 10_000_000, "gzip": b"\x1f\x8b\x08\0" + b"x" * 50,
        "a script": b"#!/bin/sh\nexit 0\n", "HTML": b"<html><body>version: 1</body></html>", "TOML": b"version = 1\n[[requirements]]\n",
    }  # fmt: skip
    for name, data in rows.items():
        yield native("bytes", name, data)


def yaml_traps() -> Iterator[Bad]:
    """What YAML allows and a contract may not have."""
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    rows = {
        "alias bomb": bomb, "alias": "version: 1\nx: &x 1\ny: *x\n", "anchor alone": "version: &v 1\nrequirements: []\n",
        "alias to itself": "&a [*a]", "merge key": "version: 1\nrequirements:\n  - <<: {id: a}\n    check: file-exists\n",
        "merge list": "version: 1\n<<: [{a: 1}]\n", "unknown alias": "version: *nobody\n",
        "deep list": "[" * 100_000, "deep map": "{a: " * 100_000, "deep blocks": "- " * 100_000, "deep closed": "[" * 500 + "]" * 500,
        "deep keys": "? " * 10_000, "deep indentation": "\n".join(" " * n + f"k{n}:" for n in range(200)) + " 1\n",
        "duplicate key": "version: 1\nversion: 1\nrequirements: []\n", "duplicate key below": one("id: a, id: b, check: human"),
        "duplicate quoted": "version: 1\n'version': 1\n", "duplicate escaped": 'version: 1\n"ver\\x73ion": 1\n',
        "python tag": "version: !!python/object/apply:os.system ['touch ran']\n", "local tag": "version: !x 1\n",
        "core tag": "version: !!int '1'\n", "binary tag": "version: !!binary AAAA\n", "set tag": "requirements: !!set {a}\n",
        "omap tag": "requirements: !!omap [a: 1]\n", "verbatim tag": "version: !<tag:yaml.org,2002:int> 1\n",
        "long tag": "!" + "a" * 900_000, "long verbatim tag": "!<" + "a" * 900_000 + "> x", "non-specific tag": "version: ! 1\n",
        "two documents": f"{GOOD}---\n{GOOD}", "second empty": f"{GOOD}---\n", "document end and more": f"{GOOD}...\nx: 1\n",
        "tab indentation": "version: 1\nrequirements:\n\t- id: a\n", "tab in flow": "version:\t1\nrequirements:\n- {\tid: a}\n- x",
        "unknown directive": f"%FOO bar\n--- \n{GOOD}x: 1\n", "YAML 1.1 words": "%YAML 1.1\n---\n" + one("id: a, check: human, hidden: yes, with: {question: x}"),
        "tag directive": "%TAG ! tag:evil,2000:\n--- !x\nversion: 1\n", "many directives": "%FOO\n" * 10_000 + "--- x", "two YAML directives": "%YAML 1.2\n%YAML 1.2\n---\na: 1\n",
        "bad directive": "%\n---\n", "bad version directive": "%YAML x\n---\n", "huge version directive": "%YAML 99.99\n---\na: b\n",
        "list at the top": "- a\n- b\n", "text at the top": "just text\n", "number at the top": "42\n", "null at the top": "null\n", "empty map": "{}\n",
        "key is a list": "[a]: 1\n", "key is a map": "{a: 1}: 1\n", "key is null": "~: 1\nversion: 1\n", "key is a number": "1: 1\nversion: 1\nrequirements: []\n",
        "complex key": "? [a, b]\n: 1\n", "key without value": one("id, check: human, with: {question: x}"), "unclosed quote": 'task: "abc\n', "unclosed list": "requirements: [a\n",
        "unclosed map": "requirements: {a\n", "bad escape": 'task: "\\q"\n', "bad hex escape": 'task: "\\xZZ"\n', "huge escape": 'task: "\\U99999999"\n',
        "lone surrogate": 'version: 1\nrequirements:\n  - {id: "\\ud800", check: file-exists, with: {file: a.txt}}\n',
        "lone low surrogate": one('id: a, check: file-exists, with: {file: a.txt}, description: "\\udfff x"'), "surrogate key": '"\\ud800": 1\n',
        "reserved at": "task: @x\n", "reserved backtick": "task: `x`\n", "colon chaos": "a: b: c: d\n", "comma chaos": "{a: 1,, b: 2}\n", "dash chaos": "-\n-a\n- -\n  -\n a",
        "block scalar with no text": "version: |\nrequirements: []\n", "bad block header": "version: |99\n 1\n", "folded version": "version: >\n 1\nrequirements: []\n",
        "number too long": f"version: {'1' * 400_000}\n", "many values": "requirements:\n" + "- 1\n" * 30_000, "many keys": "".join(f"k{n}: 1\n" for n in range(30_000)),
        "long plain": "version: 1\ntask: " + "x " * 250_000 + "\n", "long quoted": 'version: 1\ntask: "' + "\\x41" * 200_000 + '"\n', "many lines": "\n" * 900_000 + "version: 1\n",
        "long comment": "#" * 900_000 + "\nversion: 1\n", "many comments": "# x\n" * 200_000 + "version: 1\n", "long key": "k" * 500_000 + ": 1\n",
        "next line characters": "version: 1\x85requirements: []\n", "line separators": "version: 1\u2028requirements: []\n", "byte order marks": "version: 1\n\ufeffrequirements: []\n",
        "bidi": "version: 1\n\u202erequirements: []\n", "carriage returns": "version: 1\rversion: 1\r", "vertical tab": "version: 1\x0brequirements: []\n",
    }  # fmt: skip
    for name, text in rows.items():
        yield native("yaml", name, text)


def top_fields() -> Iterator[Bad]:
    """The contract's own fields."""
    requirement = "requirements:\n  - {id: a, check: file-exists, with: {file: a.txt}}\n"
    for value in (
        "0",
        "2",
        "-1",
        "1.5",
        "'1'",
        "true",
        "[]",
        "{}",
        "[1]",
        ".nan",
        ".inf",
        "~",
        "0x1F",
        "0o7",
        "1" * 40,
        "one",
    ):
        yield native("version", value[:20], f"version: {value}\n{requirement}")
    yield native("version", "missing", requirement)
    for value in ("workspaces", "conversation", "1", "[]", "Workspace", "''"):
        yield native("subject", value, f"version: 1\nsubject: {value}\n{requirement}")
    for value in ("0", "-1", "1001", "'5'", "true", "1.5", "[]", ".inf", "9" * 40):
        yield native("attempts", value[:20], f"version: 1\nattempts: {value}\n{requirement}")
    for field, value in (("task", "[a]"), ("task", "1"), ("prepare", "uv sync"), ("prepare", "[1]"), ("prepare", "['']"), ("prepare", "{a: 1}"),
                         ("trusted_keys", "ed25519:x"), ("trusted_keys", "[x]"), ("trusted_keys", "['ed25519:AAAA']"), ("trusted_keys", "[1]"),
                         ("plugins", "x"), ("plugins", "[x]"), ("plugins", "[{}]"), ("plugins", "[{distribution: x}]"),
                         ("plugins", "[{distribution: nobody-has-this, version: '1'}]"), ("plugins", "[{distribution: click, version: '0'}]"),
                         ("plugins", "[{distribution: click, version: '1', more: 1}]"), ("plugins", "[{distribution: '../x', version: '1'}]"),
                         ("requirement", "[]"), ("Requirements", "[]"), ("gates", "[]"), ("", "1"), ("requirements ", "[]"), ("x" * 5000, "1"),
                         ("verison", "1"), ("\u0440equirements", "[]")):  # fmt: skip
        yield native(
            "top field", f"{field[:20]}={value[:20]}", f"version: 1\n{json.dumps(field)}: {value}\n{requirement}"
        )
    for value in ("~", "{}", "a", "1", "[a]", "[[]]", "[1]", "[~]", "{a: {id: a}}"):
        yield native("requirements", value, f"version: 1\nrequirements: {value}\n")
    yield native("requirements", "none", "version: 1\nrequirements: []\n", UNCLEAR)
    yield native("requirements", "no field", "version: 1\n")
    many = "".join(f"  - {{id: a{n}, check: human, with: {{question: x}}}}\n" for n in range(1001))
    yield native("requirements", "1001", f"version: 1\nrequirements:\n{many}")


TYPED = ("1", "[]", "{}", "~")


def requirement_fields() -> Iterator[Bad]:
    """A requirement's fields."""
    rest = "check: file-exists, with: {file: a.txt}"
    ids = (
        "''",
        "' '",
        "' a'",
        "'a '",
        '"a\\nb"',
        '"\\x01"',
        "a" * 121,
        "backcheck:x",
        "'backcheck:attempts'",
        "1",
        "true",
        "[]",
        "{}",
        "~",
        "1.5",
    )
    for value in ids:
        yield native("id", value[:20], one(f"id: {value}, {rest}"))
    yield native("id", "missing", one(rest))
    yield native("id", "twice", f"version: 1\nrequirements:\n  - {{id: a, {rest}}}\n  - {{id: a, {rest}}}\n")
    checks = ("", "nobody", "file_exists", "File-Exists", "file-exist", "../gates/human", "file-exists ", "1", "[]", "{}", "~", "__init__", "file-exists\0", "file-exists\n",
              "a" * 5000, "fi\u0142e-exists", "command; true", "backcheck", "registry", ".human")  # fmt: skip
    for value in checks:
        yield native(
            "check",
            value[:20],
            one(f"id: a, check: {value if value in TYPED else json.dumps(value)}, with: {{file: a.txt}}"),
        )
    yield native("check", "missing", one("id: a, with: {file: a.txt}"))
    values = {
        "severity": ("P4", "P-1", "warning", "BLOCK", "''", "1", "[]", "true", "error", "none"),
        "provenance": ("recorded", "observed", "asserted!", "1", "[]", "''", "OBSERVED", "any"),
        "at": ("deploy", "[]x", "[stop, deploy]", "1", "{}", "['']", "[1]", "STOP", "[[stop]]"),
        "budget": ("0", "-1", "0s", "1d", "''", "s", "1.5", "true", "[]", "10 s", ".inf", "9999999s", "{}", "1e3", "-5s"),
        "hidden": ("yes", "1", "'true'", "[]", "on", "{}"), "inputs": ("1", "[1]", "['']", "{}", "[[a]]", "true"),
        "description": ("1", "[]", "{}", "true"), "dimension": ("1", "[a]", "{}"),
        "with": ("a.txt", "[]x", "[file]", "1", "true", "[{file: a}]"),
        "Severity": ("block",), "severty": ("block",), "on": ("stop",), "weight": ("1",), "file": ("a.txt",), "": ("1",), "run": ("'true'",), "args": ("{}",),
    }  # fmt: skip
    for field, options in values.items():
        for value in options:
            fields = f"id: a, {rest}" if field != "with" else "id: a, check: file-exists"
            yield native("requirement field", f"{field}={value}", one(f"{fields}, {json.dumps(field)}: {value}"))


def skillgate() -> Iterator[Bad]:
    """Another tool's file, read as strictly."""
    gate = {"type": "file-exists", "file": "a.txt"}
    rows: dict[str, Any] = {
        "list": [], "text": "x", "null": None, "no gates": {"version": 1}, "gates map": {"version": 1, "gates": {}}, "gates text": {"version": 1, "gates": "x"},
        "gate text": {"version": 1, "gates": ["x"]}, "gate null": {"version": 1, "gates": [None]}, "no type": {"version": 1, "gates": [{"file": "a.txt"}]},
        "version 2": {"version": 2, "gates": [gate]}, "version text": {"version": "1", "gates": [gate]}, "version true": {"version": True, "gates": [gate]},
        "version 1.5": {"version": 1.5, "gates": [gate]}, "unknown field": {"version": 1, "gates": [gate], "gate": []},
        "finishLine": {"version": 1, "gates": [gate], "finishLine": "stop"}, "twice": {"version": 1, "gates": [{"id": "a", **gate}] * 2},
        "made id twice": {"version": 1, "gates": [{"id": "gate-2", **gate}, gate]}, "own id": {"version": 1, "gates": [{"id": "backcheck:x", **gate}]},
        "1001": {"version": 1, "gates": [gate] * 1001},
    }  # fmt: skip
    for name, data in rows.items():
        yield foreign("skillgate", name, SKILLGATE, data)
    yield foreign("skillgate", "none", SKILLGATE, {"version": 1, "gates": []}, UNCLEAR)
    gates: dict[str, dict[str, Any]] = {
        "unknown type": {"type": "nobody"}, "type number": {"type": 1}, "type null": {"type": None}, "no file": {"type": "file-exists"},
        "file null": {"type": "file-exists", "file": None}, "file empty": {"type": "file-exists", "file": ""}, "file number": {"type": "file-exists", "file": 1},
        "files empty": {"type": "file-exists", "file": []}, "other field": {"type": "file-exists", "file": "a.txt", "pattern": "x"},
        "severity": {"type": "file-exists", "file": "a.txt", "severity": "warn"}, "id number": {**gate, "id": 1}, "id lines": {**gate, "id": "a\nb"},
        "no pattern": {"type": "file-contains", "file": "a.txt"}, "pattern empty": {"type": "file-contains", "file": "a.txt", "pattern": ""},
        "pattern invalid": {"type": "file-contains", "file": "a.txt", "pattern": "("}, "pattern number": {"type": "file-contains", "file": "a.txt", "pattern": 1},
        "flag unknown": {"type": "file-contains", "file": "a.txt", "pattern": "a", "flags": "x"}, "flag twice": {"type": "file-contains", "file": "a.txt", "pattern": "a", "flags": "ii"},
        "flags u v": {"type": "file-contains", "file": "a.txt", "pattern": "a", "flags": "uv"}, "flags list": {"type": "file-contains", "file": "a.txt", "pattern": "a", "flags": ["i"]},
        "absent no glob": {"type": "absent", "pattern": "x"}, "absent empty glob": {"type": "absent", "glob": "", "pattern": "x"},
        "absent out": {"type": "absent", "glob": "../**", "pattern": "x"}, "absent root": {"type": "absent", "glob": "/**", "pattern": "x"},
        "absent ignore number": {"type": "absent", "glob": "*", "pattern": "x", "ignore": 1}, "absent ignore empty": {"type": "absent", "glob": "*", "pattern": "x", "ignore": [""]},
        "absent only not": {"type": "absent", "glob": "!a", "pattern": "x"}, "command none": {"type": "command"}, "command empty": {"type": "command", "run": ""},
        "command blank": {"type": "command", "run": " \n"}, "command comment": {"type": "command", "run": "# true"}, "command list": {"type": "command", "run": [1]},
        "timeout 0": {"type": "command", "run": "true", "timeout": 0}, "timeout -1": {"type": "command", "run": "true", "timeout": -1},
        "timeout text": {"type": "command", "run": "true", "timeout": "30s"}, "timeout huge": {"type": "command", "run": "true", "timeout": 10**12},
        "timeout half": {"type": "command", "run": "true", "timeout": 0.5}, "min 0": {"type": "not-empty", "path": ".", "min": 0},
        "min text": {"type": "not-empty", "path": ".", "min": "1"}, "min half": {"type": "not-empty", "path": ".", "min": 1.5}, "path empty": {"type": "not-empty", "path": ""},
        "threshold 2": {"type": "instruction-sync", "threshold": 2}, "threshold -1": {"type": "instruction-sync", "threshold": -1},
        "threshold text": {"type": "instruction-sync", "threshold": "0.9"}, "evidence none": {"type": "evidence"}, "evidence list": {"type": "evidence", "file": ["a.txt"]},
    }  # fmt: skip
    for name, data in gates.items():
        yield foreign("skillgate gate", name, SKILLGATE, {"version": 1, "gates": [data]})


def json_traps() -> Iterator[Bad]:
    """Files that call themselves JSON and are not."""
    good = '{"version": 1, "gates": [{"type": "file-exists", "file": "a.txt"}]}'
    for name, text in {
        "trailing comma": good[:-1] + ",}", "comment": "// x\n" + good, "block comment": "/* x */" + good, "single quotes": good.replace('"', "'"),
        "unquoted": "{version: 1, gates: []}", "NaN": good.replace("1,", "NaN,"), "Infinity": good.replace("1,", "Infinity,"), "hex": good.replace("1,", "0x1,"),
        "leading zero": good.replace("1,", "01,"), "plus": good.replace("1,", "+1,"), "two": good + good, "cut": good[:-3], "empty": "", "true": "true",
        "duplicate": good.replace('"version"', '"version": 1, "version"'), "duplicate gates": good[:-1] + ', "gates": []}', "escaped duplicate": good.replace('"version"', '"version": 1, "\\u0076ersion"'),
        "lone surrogate": good.replace("a.txt", "\\ud800"), "control": good.replace("a.txt", "a\x01"), "tab in text": good.replace("a.txt", "a\tb"), "deep": "[" * 5000 + "]" * 5000,
        "deep maps": '{"a":' * 5000 + "1" + "}" * 5000, "huge number": good.replace("1,", "9" * 5000 + ","), "huge exponent": good.replace("1,", "1e999999,"),
        "YAML": GOOD, "BOM twice": "\ufeff\ufeff" + good, "NUL": good + "\0", "bad escape": good.replace("a.txt", "\\x41"), "cut escape": good.replace("a.txt", "\\u12"),
        "UTF-16": "", "proto": good[:-1] + ', "__proto__": {}}', "line separator": good.replace("1,", "\u20281,"), "vertical tab": "\x0b" + good,
    }.items():  # fmt: skip
        data = good.encode("utf-16") if name == "UTF-16" else text
        yield foreign("json", name, SKILLGATE, data)


def forge() -> Iterator[Bad]:
    """The third dialect."""
    rule = {"id": "a", "type": "regex", "pattern": "x", "evidence_file": "e.txt", "strength": "L2"}

    def gates(**change: Any) -> dict[str, Any]:
        made = {k: v for k, v in {**rule, **change}.items() if v != "DROP"}
        return {"task": "t", "files": [], "evidence_gates": {"evidence_dir": ".", "requirements": [made]}}

    for name, data in {
        "list": [], "no task": {"files": ["a.txt"]}, "task empty": {"task": " ", "files": ["a.txt"]}, "task number": {"task": 1}, "files text": {"task": "t", "files": "a.txt"},
        "files number": {"task": "t", "files": [1]}, "files blank": {"task": "t", "files": [" "]}, "files twice": {"task": "t", "files": ["a.txt", "a.txt"]},
        "unknown field": {"task": "t", "files": ["a.txt"], "file": 1}, "contracts list": {"task": "t", "files": ["a.txt"], "contracts": []},
        "contract of nobody": {"task": "t", "files": ["a.txt"], "contracts": {"b.txt": {"minLen": 1}}}, "contract text": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": "x"}},
        "minLen text": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"minLen": "1"}}},
        "minLen -1": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"minLen": -1}}}, "minLen true": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"minLen": True}}},
        "keywords text": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"keywords": "x"}}}, "keywords blank": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"keywords": [""]}}},
        "unknown rule": {"task": "t", "files": ["a.txt"], "contracts": {"a.txt": {"minLen": 1, "maxLen": 2}}}, "gates list": {"task": "t", "files": [], "evidence_gates": []},
        "gates field": {"task": "t", "files": [], "evidence_gates": {"requirement": []}}, "requirements map": {"task": "t", "files": [], "evidence_gates": {"requirements": {}}},
        "layer3 text": {"task": "t", "files": ["a.txt"], "layer3": "x"}, "layer3 0": {"task": "t", "files": ["a.txt"], "layer3": {"divergence_threshold": 0}},
        "layer3 2": {"task": "t", "files": ["a.txt"], "layer3": {"divergence_threshold": 2}}, "layer3 field": {"task": "t", "files": ["a.txt"], "layer3": {"x": 1}},
        "layer3 true": {"task": "t", "files": ["a.txt"], "layer3": {"divergence_threshold": True}}, "model number": {"task": "t", "files": ["a.txt"], "model": 1},
        "no id": gates(id="DROP"), "id empty": gates(id=""), "id lines": gates(id="a\nb"), "type unknown": gates(type="regexp"), "type number": gates(type=1),
        "no pattern": gates(pattern="DROP"), "pattern empty": gates(pattern=""), "pattern invalid": gates(pattern="("), "pattern number": gates(pattern=1),
        "patterns text": gates(pattern="DROP", patterns="x"), "patterns empty": gates(pattern="DROP", patterns=[]), "patterns blank": gates(pattern="DROP", patterns=[""]),
        "no evidence file": gates(evidence_file="DROP"), "evidence file number": gates(evidence_file=1), "strength": gates(strength="L5"), "all weakest": gates(strength="L1"),
        "unknown": gates(more=1), "no command": gates(type="argument-space"), "command quotes": gates(type="argument-space", verify_command="'"),
        "command empty": gates(type="argument-space", verify_command=""), "command blank quotes": gates(type="argument-space", verify_command="''"), "desc number": gates(desc=1),
    }.items():  # fmt: skip
        yield foreign("forge", name, FORGE, data)
    yield foreign("forge", "nothing asked", FORGE, {"task": "t", "files": []}, UNCLEAR)


def fixed() -> list[Bad]:
    """All of them."""
    parts = (raw_bytes, yaml_traps, top_fields, requirement_fields, skillgate, json_traps, forge)
    return [bad for part in parts for bad in part()]
