"""YAML and JSON text → plain data with positions, bounded and without YAML's traps.

YAML 1.2 core schema by ruamel.yaml's composer: the node graph keeps line and column, duplicate keys, aliases, tags and
second documents are refused before any value is built.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from backcheck.errors import Position, UserError

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 24
MAX_NODES = 20_000
MAX_DATA_NODES = 200_000
MAX_SCALAR_DIGITS = 30

_TRUE = {"true", "True", "TRUE"}
_NULL = {"", "~", "null", "Null", "NULL"}
_PLAIN_TAGS = {"map", "seq", "str", "int", "float", "bool", "null", "timestamp", "value", "merge"}


@dataclass(frozen=True, slots=True)
class Document:
    """Parsed data and the position of every mapping value and list item, keyed by path (`requirements.0.id`)."""

    data: Any
    path: str
    positions: Mapping[str, Position]

    def at(self, key: str) -> Position:
        """The position of `key`, or of the nearest thing around it."""
        while key and key not in self.positions:
            key = key.rpartition(".")[0]
        return self.positions.get(key, Position(path=self.path, line=1, column=1))


def parse(raw: bytes, path: str) -> Document:
    """Parse a contract's bytes (UTF-8, with or without BOM; JSON is YAML 1.2). Errors: UserError with its place."""
    if len(raw) > MAX_BYTES:
        raise UserError(
            f"the contract is {len(raw):,} bytes; the limit is {MAX_BYTES:,}",
            where=path,
            slug="contract-too-large",
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(
            "the contract is not UTF-8 text", where=Position(path=path, line=line), slug="contract-encoding"
        ) from None
    if not text.strip():
        raise UserError("the contract is empty", where=path, slug="contract-empty")
    if path.endswith(".json"):
        _strict_json(raw, path)
    node = _compose(text, path)
    if node is None:
        raise UserError("the contract is empty", where=path, slug="contract-empty")
    positions: dict[str, Position] = {"": _position(node, path)}
    return Document(_Builder(path, positions).value(node, "", 0), path, positions)


def _strict_json(raw: bytes, path: str) -> None:
    """A file that calls itself JSON must be JSON; YAML's freedoms would hide a slip."""
    import json

    try:
        json.loads(raw.decode("utf-8"))
    except json.JSONDecodeError as error:
        where = Position(path=path, line=error.lineno, column=error.colno)
        raise UserError(f"not valid JSON: {error.msg}", where=where, slug="contract-json") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid JSON: {error}", where=path, slug="contract-json") from None


def _position(node: Any, path: str) -> Position:
    return Position(path=path, line=node.start_mark.line + 1, column=node.start_mark.column + 1)


def _compose(text: str, path: str, *, nodes: int = MAX_NODES) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    try:
        _bounded_events(yaml, text, path, nodes)
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Position(path=path, line=mark.line + 1, column=mark.column + 1) if mark else Position(path=path)
        raise UserError(
            f"not valid YAML: {error.problem or error.context}", where=where, slug="contract-yaml"
        ) from None
    except YAMLError as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else "unreadable"
        raise UserError(f"not valid YAML: {first}", where=path, slug="contract-yaml") from None
    except (ValueError, RecursionError, AttributeError, IndexError, TypeError) as error:
        # The pure parser raises bare exceptions on some malformed directives and escapes.
        raise UserError(f"not valid YAML: {error}", where=path, slug="contract-yaml") from None


def _bounded_events(yaml: Any, text: str, path: str, limit: int) -> None:
    """Refuse what the composer must not be given: depth, size, aliases, a second document."""
    from ruamel.yaml.events import (
        AliasEvent,
        DocumentStartEvent,
        MappingStartEvent,
        NodeEvent,
        ScalarEvent,
        SequenceStartEvent,
    )

    depth = nodes = documents = 0
    for event in yaml.parse(text):
        where = Position(path=path, line=event.start_mark.line + 1, column=event.start_mark.column + 1)
        documents += isinstance(event, DocumentStartEvent)
        nodes += isinstance(event, NodeEvent)
        if documents > 1:
            raise UserError("a second YAML document; one is expected", where=where, slug="contract-yaml")
        if nodes > limit:
            raise UserError(f"more than {limit:,} values", where=where, slug="contract-too-large")
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise UserError("YAML anchors and aliases are not allowed here; write the value out", where=where,
                            slug="contract-alias")  # fmt: skip
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise UserError(f"nested deeper than {MAX_DEPTH} levels", where=where, slug="contract-too-deep")
        elif not isinstance(event, ScalarEvent) and type(event).__name__ in {
            "MappingEndEvent",
            "SequenceEndEvent",
        }:
            depth -= 1


class _Builder:
    """Nodes → data. One instance a document."""

    def __init__(self, path: str, positions: dict[str, Position]) -> None:
        self.path = path
        self.positions = positions

    def value(self, node: Any, key: str, depth: int) -> Any:
        self._plain_tag(node)
        kind = type(node).__name__
        if kind == "MappingNode":
            return self._mapping(node, key, depth)
        if kind == "SequenceNode":
            return [self._child(item, f"{key}.{i}" if key else str(i), depth) for i, item in enumerate(node.value)]
        return self._scalar(node)

    def _child(self, node: Any, key: str, depth: int) -> Any:
        self.positions[key] = _position(node, self.path)
        return self.value(node, key, depth + 1)

    def _mapping(self, node: Any, key: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name_node, value_node in node.value:
            where = _position(name_node, self.path)
            name = name_node.value if type(name_node).__name__ == "ScalarNode" else None
            if not isinstance(name, str):
                raise UserError("a key must be plain text", where=where, slug="contract-key")
            if name == "<<" and name_node.style is None:
                raise UserError("YAML merge keys (<<) are not allowed here; write the fields out", where=where,
                                slug="contract-alias")  # fmt: skip
            if name in result:
                raise UserError(f"the key `{name}` stands here twice", where=where, slug="contract-duplicate-key")
            path = f"{key}.{name}" if key else name
            result[name] = None
            value = self._child(value_node, path, depth)
            # A field is shown where its name stands: that is where a reader looks.
            self.positions[f"{path}#key"] = where
            result[name] = value
        return result

    def _plain_tag(self, node: Any) -> None:
        tag = str(node.tag or "")
        if tag.startswith("tag:yaml.org,2002:") and tag.rpartition(":")[2] in _PLAIN_TAGS:
            return
        raise UserError(
            f"the YAML tag {tag!r} is not allowed here", where=_position(node, self.path), slug="contract-tag"
        )

    def _scalar(self, node: Any) -> Any:
        tag = str(node.tag).rpartition(":")[2]
        text: str = node.value
        if node.style is not None and tag != "null":
            return text
        try:
            if tag == "null" or (text in _NULL and node.style is None):
                return None
            if tag == "bool":
                return text in _TRUE
            if tag == "int":
                return _integer(text)
            if tag == "float":
                return _float(text)
        except ValueError:
            raise UserError(f"the number {text[:40]!r} cannot be read", where=_position(node, self.path),
                            slug="contract-number") from None  # fmt: skip
        return text


def _integer(text: str) -> int:
    plain = text.replace("_", "")
    if len(plain) > MAX_SCALAR_DIGITS:
        raise ValueError("too many digits")
    sign = -1 if plain.startswith("-") else 1
    body = plain.lstrip("+-")
    for prefix, base in (("0x", 16), ("0o", 8), ("0b", 2)):
        if body.startswith(prefix):
            return sign * int(body[2:], base)
    return sign * int(body, 10)


def _float(text: str) -> float:
    special = {".inf": float("inf"), "-.inf": float("-inf"), "+.inf": float("inf"), ".nan": float("nan")}
    lowered = text.lower()
    return special[lowered] if lowered in special else float(text.replace("_", ""))


def parse_data(text: str, path: str) -> Any:
    """The value of a JSON (by the file's ending) or YAML text, as strict as a contract but as large as it comes.

    Errors: UserError with line and column.
    """
    if not path.endswith(".json"):
        node = _compose(text, path, nodes=MAX_DATA_NODES)
        return _Builder(path, {}).value(node, "", 0) if node is not None else None
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            raise UserError("a key stands twice in one object", where=path, slug="data")
        return made

    def no_constant(word: str) -> Any:
        raise UserError(f"`{word}` is no JSON", where=path, slug="data")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        where = Position(path=path, line=error.lineno, column=error.colno)
        raise UserError(f"not valid JSON: {error.msg}", where=where, slug="data") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid JSON: {error}", where=path, slug="data") from None


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean X?` and the list of names, for a name that is not one of them."""
    known = sorted(names)
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    hint = f"; did you mean `{close[0]}`?" if close else "."
    return f"{hint} Known: {', '.join(known)}"
