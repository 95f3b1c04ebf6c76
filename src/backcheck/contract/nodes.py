"""YAML and JSON text → plain data with positions, bounded and without YAML's traps.

YAML 1.2 by ruamel.yaml's parser, whose events carry line and column; plain scalars by the core schema. Duplicate keys,
aliases, merge keys, tags and second documents are refused at their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from backcheck.errors import Position, UserError

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 24
MAX_NODES = 20_000
MAX_DATA_NODES = 200_000
MAX_SCALAR_DIGITS = 30

#: Stands for "no document", which is not the document `null`.
_NOTHING = object()
#: No tag is allowed, but the parser takes minutes over a long one before it can be refused.
_LONG_TAG = re.compile(r"(?:^|[\s,\[{])!<?[0-9A-Za-z;/?:@&=+$,_.!~*'()\[\]%-]{2000}")
_HALF = re.compile("[\ud800-\udfff]")


class Document(NamedTuple):
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
    positions: dict[str, Position] = {}
    if path.endswith(".json"):
        return Document(_json_contract(raw, text, path, positions), path, positions)
    data = _build(text, path, positions)
    if data is _NOTHING:
        raise UserError("the contract is empty", where=path, slug="contract-empty")
    return Document(data, path, positions)


def _json_contract(raw: bytes, text: str, path: str, positions: dict[str, Position]) -> Any:
    """The value of a contract that calls itself JSON: JSON's own reading, with the places that YAML's gives.

    JSON is YAML but for a few characters in strings; where YAML stumbles over those, only the places are lost.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        raise UserError("not valid JSON: it starts with a byte order mark", where=path, slug="contract-json")
    try:
        data = parse_data(text, path)
    except UserError as error:
        raise UserError(error.message, where=error.where, slug="contract-json") from None
    _no_halves(data, path)
    try:
        _build(text, path, positions)
    except UserError as error:
        if error.slug in ("contract-too-large", "contract-too-deep"):
            raise
        positions.clear()
    return data


def _no_halves(data: Any, path: str) -> None:
    import json

    try:
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise UserError("half of a surrogate pair stands alone in a text; it is no character", where=path,
                        slug="contract-encoding") from None  # fmt: skip
    except RecursionError:
        raise UserError(f"nested deeper than {MAX_DEPTH} levels", where=path, slug="contract-too-deep") from None


def _position(event: Any, path: str) -> Position:
    return Position(path=path, line=event.start_mark.line + 1, column=event.start_mark.column + 1)


def _build(text: str, path: str, positions: dict[str, Position], *, nodes: int = MAX_NODES) -> Any:
    """The value of a YAML text; `positions` is filled. `_NOTHING` where there is no document. Errors: UserError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if tag := _LONG_TAG.search(text):
        where = Position(path=path, line=text.count("\n", 0, tag.end()) + 1)
        raise UserError("YAML tags are not allowed here", where=where, slug="contract-tag")
    try:
        return _Builder(path, positions, YAML(typ="safe", pure=True).parse(text), nodes).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Position(path=path, line=mark.line + 1, column=mark.column + 1) if mark else Position(path=path)
        problem = " ".join(str(error.problem or error.context).split())
        raise UserError(f"not valid YAML: {problem}{_yaml_hint(problem)}", where=where, slug="contract-yaml") from None
    except YAMLError as error:
        first = " ".join(str(error).split()) or "unreadable"
        raise UserError(f"not valid YAML: {first}", where=path, slug="contract-yaml") from None
    except (ValueError, RecursionError, AttributeError, IndexError, TypeError, KeyError, OverflowError) as error:
        # The pure parser raises bare exceptions on some malformed directives and escapes.
        raise UserError(f"not valid YAML: {' '.join(str(error).split())}", where=path, slug="contract-yaml") from None


def _yaml_hint(problem: str) -> str:
    """What most often lies behind a parser's sentence."""
    if "\\t" in problem:
        return "; indent with spaces, not with a tab"
    if "<block end>" in problem:
        return "; is this line indented like the ones it belongs to?"
    if "mapping values are not allowed" in problem:
        return "; put text that holds `: ` in quotes"
    if "while scanning" in problem or "cannot start any token" in problem or "flow sequence" in problem:
        return "; put text that starts with a special character in single quotes"
    return ""


class _Builder:
    """Parse events → data, in one pass that stops at the first thing a contract may not have."""

    def __init__(self, path: str, positions: dict[str, Position], events: Iterator[Any], limit: int) -> None:
        self.path = path
        self.positions = positions
        self.events = events
        self.limit = limit
        self.count = 0

    def document(self) -> Any:
        """The one document's value."""
        value: Any = _NOTHING
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if value is not _NOTHING:
                    raise UserError("a second YAML document; one is expected", where=_position(event, self.path),
                                    slug="contract-yaml")  # fmt: skip
                first = next(self.events)
                self.positions[""] = _position(first, self.path)
                value = self._value(first, "", 0)
        return value

    def _value(self, event: Any, key: str, depth: int) -> Any:
        self._allowed(event, depth)
        kind = type(event).__name__
        if kind == "MappingStartEvent":
            return self._mapping(key, depth)
        if kind == "SequenceStartEvent":
            return self._sequence(key, depth)
        return self._scalar(event)

    def _allowed(self, event: Any, depth: int) -> None:
        self.count += 1
        where = _position(event, self.path)
        if self.count > self.limit:
            raise UserError(f"more than {self.limit:,} values", where=where, slug="contract-too-large")
        if type(event).__name__ == "AliasEvent" or getattr(event, "anchor", None):
            raise UserError("YAML anchors and aliases are not allowed here; write the value out", where=where,
                            slug="contract-alias")  # fmt: skip
        if depth > MAX_DEPTH:
            raise UserError(f"nested deeper than {MAX_DEPTH} levels", where=where, slug="contract-too-deep")
        if getattr(event, "tag", None):
            raise UserError(
                f"the YAML tag `{_short(str(event.tag))}` is not allowed here", where=where, slug="contract-tag"
            )

    def _sequence(self, key: str, depth: int) -> list[Any]:
        items: list[Any] = []
        while type(event := next(self.events)).__name__ != "SequenceEndEvent":
            items.append(self._child(event, f"{key}.{len(items)}" if key else str(len(items)), depth))
        return items

    def _child(self, event: Any, key: str, depth: int) -> Any:
        self.positions[key] = _position(event, self.path)
        return self._value(event, key, depth + 1)

    def _mapping(self, key: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while type(name_event := next(self.events)).__name__ != "MappingEndEvent":
            where = _position(name_event, self.path)
            if type(name_event).__name__ != "ScalarEvent":
                raise UserError("a key must be plain text", where=where, slug="contract-key")
            self._allowed(name_event, depth)
            name = self._text(name_event)
            if name == "<<" and name_event.style is None:
                raise UserError("YAML merge keys (<<) are not allowed here; write the fields out", where=where,
                                slug="contract-alias")  # fmt: skip
            if name in result:
                raise UserError(
                    f"the key `{_short(name)}` stands here twice", where=where, slug="contract-duplicate-key"
                )
            path = f"{key}.{name}" if key else name
            result[name] = self._child(next(self.events), path, depth)
            # A field is shown where its name stands: that is where a reader looks.
            self.positions[f"{path}#key"] = where
        return result

    def _text(self, event: Any) -> str:
        """A scalar's text; two `\\u` escapes that make one character, as JSON writers write them, are that character."""
        text: str = event.value
        if not _HALF.search(text):
            return text
        try:
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise UserError("half of a surrogate pair stands here alone; it is no character",
                            where=_position(event, self.path), slug="contract-encoding") from None  # fmt: skip

    def _scalar(self, event: Any) -> Any:
        text = self._text(event)
        if event.style is not None:
            return text
        for pattern, read in _CORE_SCHEMA:
            if pattern.fullmatch(text):
                try:
                    return read(text)
                except ValueError:
                    raise UserError(f"the number `{_short(text)}` cannot be read", where=_position(event, self.path),
                                    slug="contract-number") from None  # fmt: skip
        return text


def _short(text: str) -> str:
    return ascii(text[:60])[1:-1] + ("…" if len(text) > 60 else "")


def _integer(text: str) -> int:
    if len(text) > MAX_SCALAR_DIGITS:
        raise ValueError("too many digits")
    return int(text, 0 if text[:2] in ("0x", "0o") else 10)


def _float(text: str) -> float:
    if text.lower().lstrip("+-") in (".inf", ".nan"):
        return float(text.replace(".", "", 1))
    return float(text)


#: YAML 1.2.2, 10.3.2: how a plain scalar is read; what fits nothing is text.
_CORE_SCHEMA: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (re.compile(r"null|Null|NULL|~|"), lambda _: None),
    (re.compile(r"true|True|TRUE"), lambda _: True),
    (re.compile(r"false|False|FALSE"), lambda _: False),
    (re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), _integer),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), _float),
)


def parse_data(text: str, path: str) -> Any:
    """The value of a JSON (by the file's ending) or YAML text, as strict as a contract but as large as it comes.

    Errors: UserError with line and column.
    """
    if not path.endswith(".json"):
        data = _build(text, path, {}, nodes=MAX_DATA_NODES)
        return None if data is _NOTHING else data
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
    import difflib

    known = sorted(names)
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    hint = f"; did you mean `{close[0]}`?" if close else "."
    return f"{hint} Known: {', '.join(known)}"
