"""The native contract as a JSON Schema (draft 2020-12), for editors and for whoever writes contracts by program.

A contract's own fields are written here by hand beside the loader; the arguments of each check come from the fields of
its gate. The schema refuses what the loader refuses as far as a schema can say it; the loader has the last word.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from backcheck.contract.load import MAX_REQUIREMENTS, PRIORITIES, VERSION
from backcheck.contract.model import DEFAULT_ATTEMPTS, DOORS
from backcheck.verdict import OWN_PREFIX, Isolation, Provenance, Severity

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "backcheck contract"

Schema = dict[str, Any]

_FILLED = {"type": "string", "pattern": r"\S"}
_FILLED_LIST = {"type": "array", "items": _FILLED}


def contract_schema(gates: Mapping[str, type[Any]]) -> Schema:
    """The schema of a contract that may name these checks (name → gate class, a dataclass of its arguments)."""
    definitions: Schema = {"requirement": _requirement(gates)}
    for name, gate in gates.items():
        definitions |= _arguments(name, gate)
    return {
        "$schema": DRAFT,
        "title": TITLE,
        "description": "What \"done\" means for one task: the requirements that must hold.",
        "type": "object",
        "properties": _top(),
        "required": ["version", "requirements"],
        "additionalProperties": False,
        # A plugin brings checks of its own; without one only these names exist.
        "if": {"properties": {"plugins": {"type": "array", "minItems": 1}}, "required": ["plugins"]},
        "else": {"properties": {"requirements": {"items": {"properties": {"check": {"enum": sorted(gates)}}}}}},
        "$defs": definitions,
    }  # fmt: skip


def _optional(schema: Schema, description: str) -> Schema:
    """A field that may stand without a value, which counts as absent."""
    if isinstance(schema.get("type"), str):
        more: Schema = {"type": [schema["type"], "null"]}
        if "enum" in schema:
            more["enum"] = [*schema["enum"], None]
        return schema | more | {"description": description}
    return {"description": description, "anyOf": [schema, {"type": "null"}]}


def _top() -> Schema:
    return {
        "version": {"description": "The version of this format.", "const": VERSION},
        "subject": _optional({"type": "string", "enum": ["workspace"]}, "What is judged. Default: workspace."),
        "task": _optional({"type": "string"}, "The task in one sentence, for people."),
        "prepare": _optional(_FILLED_LIST, "A command, run once in the clean copy before anything is observed."),
        "network": _optional({"type": "boolean"}, "Whether observed runs may use the network. Default: false."),
        "trusted_keys": _optional(
            {"type": "array", "items": {"type": "string", "pattern": "^ed25519:[A-Za-z0-9+/]{43}=$"}},
            "Public keys whose decisions count, and records too; see `backcheck keys`.",
        ),
        "recorder_keys": _optional(
            {"type": "array", "items": {"type": "string", "pattern": "^ed25519:[A-Za-z0-9+/]{43}=$"}},
            "Public keys whose records of runs count, and nothing else: those that lie where an agent can use them.",
        ),
        "attempts": _optional(
            {"type": "integer", "minimum": 1, "maximum": 1000, "default": DEFAULT_ATTEMPTS},
            f"How many rejected verdicts there may be before a person must look. Default: {DEFAULT_ATTEMPTS}.",
        ),
        "plugins": _optional({"type": "array", "items": _plugin()}, "Distributions whose checks this contract admits."),
        "requirements": {
            "description": "What must hold.",
            "type": "array",
            "maxItems": MAX_REQUIREMENTS,
            "items": {"$ref": "#/$defs/requirement"},
        },
    }


def _plugin() -> Schema:
    fields = {"distribution": "The installed distribution's name.", "version": "Its exact version."}
    return {
        "type": "object",
        "properties": {name: _FILLED | {"description": text} for name, text in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


def _requirement(gates: Mapping[str, type[Any]]) -> Schema:
    severities = [*(severity.value for severity in Severity), *PRIORITIES]
    doors = {"type": "string", "enum": list(DOORS)}
    one_or_more = {"anyOf": [_FILLED, _FILLED_LIST]}
    fields = {
        "id": {
            "description": "The requirement's name; unique in the contract.",
            "type": "string",
            "pattern": rf"^(?! )(?!{OWN_PREFIX})[^\x00-\x1f\x7f]{{0,119}}[^\x00-\x20\x7f]$",
        },
        "check": _FILLED | {"description": "The check that asks the question; `backcheck explain` lists them."},
        "description": _optional({"type": "string"}, "What must hold, in words."),
        "with": _optional({"type": "object"}, "The check's arguments."),
        "severity": _optional({"type": "string", "enum": severities}, "block (default), warn, or a priority P0 to P3."),
        "provenance": _optional(
            {"type": "string", "enum": [provenance.value for provenance in Provenance]},
            "The weakest evidence that counts. Default: asserted.",
        ),
        "isolation": _optional(
            {"type": "string", "enum": [isolation.value for isolation in Isolation]},
            "How far a run must at least be out of reach of the code under judgement. Default: none.",
        ),
        "inputs": _optional(one_or_more, "Globs of what the answer depends on. Default: everything."),
        "at": _optional({"anyOf": [doors, {"type": "array", "items": doors}]}, "Where it is asked. Default: everywhere."),
        "budget": _optional(
            {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 999999},
                       {"type": "string", "pattern": "^(?=.*[1-9])[0-9]{1,6}(ms|s|m|h)?$"}]},
            "How long it may take, as `30s`, `500ms` or `5m`.",
        ),
        "dimension": _optional({"type": "string"}, "The quality that it belongs to, for reports."),
        "hidden": _optional({"type": "boolean"}, "Its findings are for people and are not fed back to the agent."),
    }  # fmt: skip
    return {
        "type": "object",
        "properties": fields,
        "required": ["id", "check"],
        "additionalProperties": False,
        "allOf": [_per_check(name, gate) for name, gate in gates.items()],
    }


def _per_check(name: str, gate: type[Any]) -> Schema:
    """If the check is this one, then `with` has its arguments."""
    then: Schema = {"properties": {"with": {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}}}
    if _needed(gate):
        then = {"properties": {"with": {"$ref": f"#/$defs/{name}"}}, "required": ["with"]}
    return {"if": {"properties": {"check": {"const": name}}, "required": ["check"]}, "then": then}


def _needed(gate: type[Any]) -> list[str]:
    import dataclasses

    missing = dataclasses.MISSING
    return [one.name for one in dataclasses.fields(gate) if one.default is missing and one.default_factory is missing]


def _arguments(name: str, gate: type[Any]) -> Schema:
    """The definitions for one gate: its arguments, and the types that they use under names of their own."""
    import msgspec

    template = "#/$defs/{name}"
    _, found = msgspec.json.schema_components([gate], ref_template=template)
    own = gate.__name__
    renamed = {key: name if key == own else f"{name}.{key}" for key in found}
    made: Schema = {renamed[key]: _with_names(value, renamed) for key, value in found.items()}
    needed = set(_needed(gate))
    fields: Schema = made[name].get("properties", {})
    made[name] = {
        "title": name,
        "description": inspect.cleandoc(gate.__doc__ or ""),
        "type": "object",
        "properties": {key: value if key in needed else _nullable(value) for key, value in fields.items()},
        "required": sorted(needed),
        "additionalProperties": False,
    }
    return made


def _nullable(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return schema | {"type": [schema["type"], "null"]}
    default = {"default": schema["default"]} if "default" in schema else {}
    return {"anyOf": [{k: v for k, v in schema.items() if k != "default"}, {"type": "null"}], **default}


def _with_names(value: Any, renamed: Mapping[str, str]) -> Any:
    """The same schema with its references to the new names."""
    if isinstance(value, dict):
        return {key: _reference(item, renamed) if key == "$ref" else _with_names(item, renamed)
                for key, item in value.items()}  # fmt: skip
    return [_with_names(item, renamed) for item in value] if isinstance(value, list) else value


def _reference(target: str, renamed: Mapping[str, str]) -> str:
    head, _, last = target.rpartition("/")
    return f"{head}/{renamed.get(last, last)}"
