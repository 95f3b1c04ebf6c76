"""Arguments of checks: every field of every check given every type that it does not take, and values that mean nothing."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterator
from typing import Any

from tests.hostile.bad_model import NATIVE, Bad

from backcheck.checks.registry import names, own_gate

#: A value of each kind that YAML can write, by the kind's name.
VALUES: dict[str, tuple[str, ...]] = {
    "bool": ("true",), "int": ("1", "-1", "1" + "0" * 40), "float": ("1.5", ".nan", ".inf", "-.inf"), "str": ("text",),
    "texts": ("[text]",), "list": ("[]", "[1]", "[[text]]", "[~]", "[true]", "[{a: b}]"), "dict": ("{a: 1}", "{}"),
}  # fmt: skip
#: What a field of this type takes besides its own kind: YAML's whole numbers are numbers too.
ALSO = {float: {"int", "float"}, int: {"int"}, str: {"str"}, bool: {"bool"}}


def arguments_of(check: str) -> dict[str, Any]:
    """Arguments with which a check can be made: those of its own known-wrong case."""
    canary = getattr(own_gate(check), "canary", None)
    return dict(canary.arguments) if canary is not None else {"question": "Is it good?"}


def accepted(hint: Any) -> set[str]:
    """Kinds that a type takes; bounds and contents are other cases."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return accepted(typing.get_args(hint)[0])
    if origin in (typing.Union, types.UnionType):
        return {kind for part in typing.get_args(hint) for kind in accepted(part)}
    if origin is list:
        return {"texts", "list"}
    if origin is dict or hint is dict:
        return {"dict"}
    return ALSO.get(hint, set())


def wrong_types() -> Iterator[Bad]:
    """Every field × every kind that it does not take, for all checks there are."""
    for check in names():
        gate = own_gate(check)
        hints = typing.get_type_hints(gate, include_extras=True)
        for field in dataclasses.fields(gate):
            takes = accepted(hints[field.name])
            for kind, values in VALUES.items():
                if kind in takes or (kind == "list" and "texts" in takes):
                    continue
                for value in values:
                    rest = {k: v for k, v in arguments_of(check).items() if k != field.name}
                    yield with_argument(f"type of {check}", field.name, value, check, rest)
            if "texts" in takes:
                nested = "list[str]]" in str(hints[field.name]) or "| list[" in str(hints[field.name])
                for value in (v for v in VALUES["list"][1:] if not (nested and v == "[[text]]")):
                    rest = {k: v for k, v in arguments_of(check).items() if k != field.name}
                    yield with_argument(f"type of {check}", field.name, value, check, rest)


def with_argument(kind: str, field: str, value: str, check: str, rest: dict[str, Any]) -> Bad:
    """A contract with one requirement; `value` is YAML, the rest JSON."""
    parts = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in rest.items()] + [f"{json.dumps(field)}: {value}"]
    text = f"version: 1\nrequirements:\n  - id: a\n    check: {check}\n    with: {{{', '.join(parts)}}}\n"
    return Bad(kind=kind, name=f"{field}={value[:40]}", files={NATIVE: text, "a.txt": "a\n"})


def unknown_and_missing() -> Iterator[Bad]:
    """A name that no check has, and each required argument left out."""
    for check in names():
        rest = arguments_of(check)
        for unknown in ("patern", "File", "with", "", "answer", "__class__", "channel", "canary", "\\u0000", "x" * 300):
            yield with_argument(f"unknown in {check}", unknown, "1", check, rest)
        for field in dataclasses.fields(own_gate(check)):
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                without = {k: v for k, v in rest.items() if k != field.name}
                yield with_argument(f"missing in {check}", field.name, "~", check, without)


#: Check, field and values (as YAML) that are of the right type and mean nothing, or too much.
MEANINGLESS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("file-exists", "file", ("''", "' '", "[]", "['']", "[a.txt, '']", '"\\u0085"')),
    ("file-contains", "file", ("''", "' '")),
    ("file-contains", "pattern", ("''", "'('", "')'", "'['", "'a**'", "'\\'", "'a{1001}'", "'(?x'",
                                  "'[z-a]'", "'\\8'", "'(a{1000}){1000}'", "'(?=a)(?P<n>'", "'*'", "'+'", '"\\ud800"', "'(?i'")),
    ("file-contains", "flags", ("x", "I", "ii i", "g", "u", "imsx", "'i '")),
    ("file-contains", "dialect", ("js", "''", "Native", "pcre")),
    ("file-lacks", "patterns", ("[]", "['']", "['(']", "[a, '[']")),
    ("file-lacks", "flags", ("q",)),
    ("absent", "glob", ("''", "'!'", "'!a'", "['!a', '!b']", "[]", "['']", "/etc/*", "../*", "a/../../b", "'..'", "'@(a|b)'", "'+(a)'", "'!(a)'",
                        "'./'", "'/'", "'{a,{b}'", "[a, '']", '"\\ud800"')),
    ("absent", "pattern", ("''", "'('", "'a{1001}'", "'[[:nothing:]]'", "'\\p{Nobody}'")),
    ("absent", "ignore", ("['']", "['../x']", "['/x']", "['@(x)']")),
    ("command", "run", ("''", "' '", "[]", "['']", "'# true'", '"\\0"', '["true", "a\\0b"]', '"\\n# a\\n  # b"')),
    ("command", "timeout", ("0", "-1", "86401", ".nan", ".inf", "1e400")),
    ("command", "env", ("['']", "['A=B']", "['1A']", "['A B']", "['*']", "['A**']", '["A\\n"]')),
    ("command", "memory_gib", ("0", "-1", ".inf", ".nan", "1025")),
    ("command", "processes", ("0", "-1", "100001")),
    ("diff-scope", "protected", ("[]", "['']", "['../x']", "['//x']", "['@(a)']")),
    ("evidence", "file", ("''", "'  '")),
    ("human", "question", ("''", "' '", '"\\n"')),
    ("instruction-sync", "threshold", ("-0.1", "1.1", ".nan", ".inf")),
    ("not-empty", "path", ("''", "' '")),
    ("not-empty", "min", ("0", "-1", "1000001", "1" + "0" * 30)),
    ("schema", "file", ("''",)),
    ("schema", "schema", ("''", "{}", "{type: nobody}", "{type: 1}", "{$ref: 'http://example.invalid/x'}", "{$ref: 'file:///etc/passwd'}",
                          "{$ref: '#/nowhere'}", "{pattern: '('}", "{properties: 1}", "{enum: x}", "{minimum: x}", "{allOf: []}",
                          "{$ref: other.json}")),
    ("content", "file", ("''",)),
    ("content", "min_length", ("-1", "10000001")),
    ("content", "keywords", ("['']", "[' ']", '["\\u200b"]')),
    ("content", "forbidden", ("['']", "['\t']")),
    ("restatement", "file", ("''",)),
    ("shape", "file", ("''", "[]", "['']")),
)  # fmt: skip


def meaningless() -> Iterator[Bad]:
    """Values of the right type that prove nothing."""
    for check, field, values in MEANINGLESS:
        for value in values:
            rest = {k: v for k, v in arguments_of(check).items() if k != field}
            if (check, field) in (("absent", "ignore"), ("file-contains", "flags"), ("file-contains", "dialect")):
                rest = arguments_of(check)
            yield with_argument(f"value of {check}", field, value, check, rest)
    for check, given in (("file-contains", {"file": "a"}), ("file-contains", {"file": "a", "all": [], "any": []}), ("diff-scope", {}),
                         ("diff-scope", {"allowed": [], "protected": []}), ("content", {"file": "a"}),
                         ("content", {"file": "a", "min_length": 0, "keywords": []})):  # fmt: skip
        text = json.dumps({"version": 1, "requirements": [{"id": "a", "check": check, "with": given}]})
        yield Bad(kind=f"value of {check}", name=f"nothing asked {json.dumps(given)}", files={NATIVE: text, "a": "a\n"})


def arguments() -> list[Bad]:
    """All of them."""
    return [*wrong_types(), *unknown_and_missing(), *meaningless()]
