"""One value out of a JSON, YAML, CSV or XML text, by an address that names exactly one.

JSON and YAML: a JSON Pointer (`/results/0/mean`) or a dotted path (`results.0.mean`). CSV: a column, and the row whose
cells are what a selector says. XML: names from the root (`coverage/@line-rate`, `suites/suite[2]/time`,
`suites/suite[@name="api"]/@tests`). An address that names nothing, or two things, is a problem and no value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from backcheck.contract.nodes import parse_data
from backcheck.errors import UserError
from backcheck.evidence.reports.numerals import decimal_of
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import parse, text_of
from backcheck.evidence.reports.xmlstream import Attributes, walk


class NothingThere(ReportProblem):
    """The report can be read, and holds nothing at the address."""


class NotOne(ReportProblem):
    """The report holds several values at the address."""


#: int, Decimal, str, bool, None, dict or list; in CSV and XML always str.
Value = Any
_YAML_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_STEP = re.compile(
    r"(?P<name>[^\[\]@/]+)(?:\[(?:(?P<index>[1-9][0-9]{0,8})|@(?P<key>[^\[\]=@/]+)=(?P<value>\"[^\"]*\"|'[^']*'))\])?"
)


def json_value(data: bytes, address: str) -> Value:
    """Errors: ReportProblem."""
    value = parse(data)
    for step in steps_of(address):
        value = _below(value, step, address)
    return value


def steps_of(address: str) -> list[str]:
    """The keys of a JSON Pointer or of a dotted path. Errors: ReportProblem."""
    if address.startswith("/"):
        steps = address[1:].split("/")
        if any(re.search(r"~(?![01])", step) for step in steps):
            raise ReportProblem(f"is asked for {quoted(address)}, which is no JSON Pointer")
        return [step.replace("~1", "/").replace("~0", "~") for step in steps]
    return address.split(".")


def _index(step: str, length: int) -> int | None:
    """A position in a list: `0`, `12`; no sign, no leading zero."""
    if not (step.isascii() and step.isdigit()) or len(step) > 9 or (step[0] == "0" and step != "0"):
        return None
    return int(step) if int(step) < length else None


def _below(value: Value, step: str, address: str) -> Value:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and (at := _index(step, len(value))) is not None:
        return value[at]
    raise NothingThere(f"holds nothing at {quoted(address)}")


def yaml_value(data: bytes, address: str) -> Value:
    """Numbers as they are written, not as a float would keep them. Errors: ReportProblem."""
    text = text_of(data)
    try:
        parse_data(text, "report.yaml")
    except UserError as error:
        raise ReportProblem(f"cannot be read: {error.message}") from None
    from ruamel.yaml import YAML

    node: Any = YAML(typ="safe", pure=True).compose(text)
    for step in steps_of(address):
        node = _node_below(node, step, address)
    return _scalar(node)


def _node_below(node: Any, step: str, address: str) -> Any:
    children: Any = node.value if node is not None else None
    if type(node).__name__ == "MappingNode":
        for key, child in children:
            if key.value == step:
                return child
    elif type(node).__name__ == "SequenceNode" and (at := _index(step, len(children))) is not None:
        return children[at]
    raise NothingThere(f"holds nothing at {quoted(address)}")


def _scalar(node: Any) -> Value:
    """A node's value; a plain scalar that YAML 1.2 takes for a number is a Decimal."""
    if type(node).__name__ != "ScalarNode":
        return [] if type(node).__name__ == "SequenceNode" else {}
    text: str = node.value
    if node.style is not None:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    return decimal_of(text) if _YAML_NUMBER.fullmatch(text) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Where a value of a table stands."""

    column: str
    row: Mapping[str, str]
    delimiter: str = ","


def csv_value(data: bytes, cell: Cell) -> str:
    """The text of one cell. Errors: ReportProblem."""
    try:
        rows = list(csv.reader(io.StringIO(text_of(data)), delimiter=cell.delimiter, strict=True))
    except csv.Error as error:
        raise ReportProblem(f"is no table: {error}") from None
    rows = [row for row in rows if row]
    if not rows:
        raise ReportProblem("holds no row")
    head = [name.strip() for name in rows[0]]
    for name in (cell.column, *cell.row):
        if head.count(name) != 1:
            raise ReportProblem(f"has {'no column' if name not in head else 'two columns'} {quoted(name)}")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(head):
            raise ReportProblem(f"has {len(row)} cells in row {number}, and {len(head)} columns")
    places = {head.index(name): value for name, value in cell.row.items()}
    hits = [row for row in rows[1:] if all(row[at].strip() == value for at, value in places.items())]
    if not hits:
        raise NothingThere("has no row that is asked for")
    if len(hits) > 1:
        raise NotOne(f"has {len(hits)} rows that are asked for; exactly one is needed")
    return hits[0][head.index(cell.column)].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An element by name, and by its number among those of the name or by one attribute."""

    name: str
    index: int = 0
    key: str = ""
    value: str = ""


def xml_steps(address: str) -> tuple[list[Step], str]:
    """The elements of an address and its attribute (empty: the element's text). Errors: ReportProblem."""
    path, at, attribute = address.rpartition("/@")
    steps = []
    rest = path if at else address
    place = 0
    while place <= len(rest):
        found = _STEP.match(rest, place)
        if found is None or (found.end() < len(rest) and rest[found.end()] != "/") or found.end() + 1 == len(rest):
            raise ReportProblem(f"is asked for {quoted(address)}, which is no path of elements")
        steps.append(Step(name=found["name"], index=int(found["index"] or 0), key=found["key"] or "",
                          value=(found["value"] or "  ")[1:-1]))  # fmt: skip
        place = found.end() + 1
    if at and (not attribute or not steps or any(c in attribute for c in "[]@/")):
        raise ReportProblem(f"is asked for {quoted(address)}, which is no path of elements")
    return steps, attribute if at else ""


def xml_value(data: bytes, address: str) -> str:
    """The text of an element or attribute. Errors: ReportProblem."""
    steps, attribute = xml_steps(address)
    finder = _Finder(steps, attribute)
    walk(data, finder.start, finder.end)
    if not finder.found:
        raise NothingThere(f"holds nothing at {quoted(address)}")
    if len(finder.found) > 1:
        raise NotOne(f"holds {len(finder.found)} values at {quoted(address)}; exactly one is needed")
    return finder.found[0].strip()


class _Finder:
    """Follows the steps down the open elements."""

    def __init__(self, steps: list[Step], attribute: str) -> None:
        self.steps, self.attribute = steps, attribute
        self.found: list[str] = []
        self.depth = 0
        #: How many of the open elements, from the root, are the steps'.
        self.matched = 0
        self.seen: list[dict[str, int]] = [{}]

    def start(self, name: str, attributes: Attributes) -> None:
        counts = self.seen[-1]
        counts[name] = counts.get(name, 0) + 1
        if self.matched == self.depth < len(self.steps):
            step = self.steps[self.depth]
            if (
                name == step.name
                and step.index in (0, counts[name])
                and (not step.key or attributes.get(step.key) == step.value)
            ):
                self.matched += 1
                if self.matched == len(self.steps) and self.attribute and self.attribute in attributes:
                    self.found.append(attributes[self.attribute])
        self.depth += 1
        self.seen.append({})

    def end(self, _name: str, text: str) -> None:
        self.seen.pop()
        if self.matched == self.depth:
            if self.matched == len(self.steps) and not self.attribute:
                self.found.append(text)
            self.matched -= 1
        self.depth -= 1


def number_of(value: Value, unit: str) -> Decimal | int:
    """The number that a value is, its unit taken off where it bears the one that is expected. Errors: ReportProblem."""
    if type(value) is int or isinstance(value, Decimal):
        return value
    if not isinstance(value, str):
        kinds = {bool: "a boolean", type(None): "nothing", dict: "an object", list: "a list"}
        raise ReportProblem(f"holds {kinds.get(type(value), 'no number')} where a number belongs")
    text = value.strip()
    return decimal_of(text.removesuffix(unit).rstrip() if unit and text.endswith(unit) else text)
