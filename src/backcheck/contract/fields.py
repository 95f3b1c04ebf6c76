"""Typed access to a mapping of a contract: every wrong type, value or name is an error at its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backcheck.contract.nodes import Document, nearest
from backcheck.errors import Position, UserError


def kind_of(value: Any) -> str:
    """What a YAML writer would call this value."""
    names = {
        bool: "a boolean",
        int: "a whole number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "a mapping",
    }
    return "nothing" if value is None else names.get(type(value), type(value).__name__)


class Fields:
    """One mapping being read. Getters remember what was asked for, `finish` refuses the rest."""

    def __init__(self, document: Document, key: str, data: Any, what: str) -> None:
        self.document = document
        self.key = key
        self.what = what
        if not isinstance(data, dict):
            raise UserError(
                f"{what} must be a mapping, not {kind_of(data)}", where=document.at(key), slug="contract-type"
            )
        self.data: dict[str, Any] = data
        self.asked: set[str] = set()

    def path(self, name: str) -> str:
        """The dotted path of a field."""
        return f"{self.key}.{name}" if self.key else name

    def where(self, name: str = "") -> Position:
        """The place of a field's value, or of the mapping."""
        return self.document.at(self.path(name) if name else self.key)

    def wrong(self, name: str, expected: str) -> UserError:
        """The error for a value of the wrong kind."""
        found = kind_of(self.data.get(name))
        return UserError(f"`{name}` must be {expected}, not {found}", where=self.where(name), slug="contract-type")

    def missing(self, name: str) -> UserError:
        """The error for a field that is needed; at the name that looks like a slip for it, if there is one."""
        import difflib

        close = difflib.get_close_matches(name, [key for key in self.data if key not in self.asked], n=1, cutoff=0.75)
        where = self.document.positions.get(f"{self.path(close[0])}#key", self.where()) if close else self.where()
        slip = f"; is `{close[0]}` meant for it?" if close else ""
        return UserError(f"{self.what} has no `{name}`{slip}", where=where, slug="contract-missing")

    def raw(self, name: str, default: Any = None) -> Any:
        """The value as it is; a name that stands there without a value counts as absent."""
        self.asked.add(name)
        value = self.data.get(name)
        return default if value is None else value

    def text(self, name: str, default: str = "", *, required: bool = False) -> str:
        """Text; empty text where text is required is an error."""
        value = self.raw(name)
        if value is None and not required:
            return default
        if value is None:
            raise self.missing(name)
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        if required and not value.strip():
            raise UserError(f"`{name}` is empty", where=self.where(name), slug="contract-empty-field")
        return value

    def texts(self, name: str, *, one_ok: bool = False) -> tuple[str, ...]:
        """A list of non-empty text; `one_ok` takes a single text for a list of one."""
        value = self.raw(name)
        if value is None:
            return ()
        if one_ok and isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            raise self.wrong(name, "a list of text")
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                where = self.document.at(f"{self.path(name)}.{index}")
                raise UserError(
                    f"`{name}` must hold non-empty text, not {kind_of(item)}",
                    where=where,
                    slug="contract-type",
                )
        return tuple(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean."""
        value = self.raw(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def integer(self, name: str, default: int, *, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self.raw(name, default)
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(name, "a whole number")
        if not low <= value <= high:
            raise UserError(f"`{name}` must be from {low} to {high}, not {value}", where=self.where(name),
                            slug="contract-value")  # fmt: skip
        return value

    def choice(self, name: str, default: str, allowed: Iterable[str]) -> str:
        """One of a few words."""
        value = self.text(name, default)
        if value not in set(allowed):
            raise UserError(f"`{name}` cannot be `{value}`{nearest(value, allowed)}", where=self.where(name),
                            slug="contract-value")  # fmt: skip
        return value

    def items(self, name: str, *, required: bool = False) -> list[tuple[str, Any]]:
        """A list as pairs (dotted path, item)."""
        value = self.raw(name)
        if value is None:
            if required:
                raise self.missing(name)
            return []
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return [(f"{self.path(name)}.{index}", item) for index, item in enumerate(value)]

    def finish(self, *, known: Iterable[str] = (), hint: str = "") -> None:
        """Refuse names that nobody asked for; `hint` says where else such a name could belong."""
        allowed = self.asked | set(known)
        for name in self.data:
            if name not in allowed:
                where = self.document.positions.get(f"{self.path(name)}#key", self.where(name))
                raise UserError(f"{self.what} has no field `{name}`{nearest(name, allowed)}{hint}", where=where,
                                slug="contract-unknown-field")  # fmt: skip
