"""A requirement's arguments → a gate's fields, with every mismatch an error at its place in the contract."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from typing import Any

from backcheck.contract.fields import kind_of
from backcheck.contract.model import Requirement
from backcheck.contract.nodes import nearest
from backcheck.errors import UserError


class ArgumentError(ValueError):
    """Raised by a gate's `__post_init__`: `field` names the argument that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def bind(requirement: Requirement, gate: type[Any]) -> Any:
    """Make the gate. Errors: UserError with the place of the argument that is unknown, missing or wrong."""
    hints = typing.get_type_hints(gate, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(gate)}
    given = dict(requirement.arguments)
    for name in given:
        if name not in fields:
            raise UserError(f"check `{requirement.check}` has no argument `{name}`{nearest(name, fields)}",
                            where=requirement.place(f"with.{name}#key"), slug="contract-unknown-argument")  # fmt: skip
    values = {}
    for name, field in fields.items():
        if given.get(name) is None:
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                raise UserError(f"check `{requirement.check}` needs the argument `{name}`",
                                where=requirement.place("with"), slug="contract-missing-argument")  # fmt: skip
            continue
        values[name] = given[name] if _fits(given[name], hints[name]) else _converted(requirement, name, hints[name])
    try:
        return gate(**values)
    except ArgumentError as error:
        raise UserError(f"`{error.field}` of check `{requirement.check}`: {error}",
                        where=requirement.place(f"with.{error.field}"), slug="contract-argument") from None  # fmt: skip


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is plainly of a field's type; spares the common case the import of a converter."""
    if hint in (str, bool, int):
        return type(value) is hint
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return type(value) is list and all(_fits(item, arguments[0]) for item in value)
    return origin is types.UnionType and any(_fits(value, option) for option in arguments)


def _converted(requirement: Requirement, name: str, hint: Any) -> Any:
    import msgspec

    value = requirement.arguments[name]
    try:
        return msgspec.convert(value, type=hint, strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"`{name}` of check `{requirement.check}`: {_plain(str(error), value)}",
                        where=requirement.place(f"with.{name}"), slug="contract-argument") from None  # fmt: skip


_WORDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
          "object": "a mapping", "null": "nothing"}  # fmt: skip


def _plain(message: str, value: Any) -> str:
    """msgspec's sentence in a YAML writer's words."""

    def words(match: re.Match[str]) -> str:
        return " or ".join(_WORDS.get(name, name) for name in match[1].split(" | "))

    text = re.sub(r"`([a-z| ]+)`", words, message.split(" - at ")[0])
    said = f"{text[:1].lower()}{text[1:]}"
    return said if "got" in said else f"{said} (it is {kind_of(value)})"
