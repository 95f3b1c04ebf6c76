"""A user's regular expression as a tree: enough of its structure to lint it and to write sentences that it matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from backcheck.contract.charsets import CharSet


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set. `written` is the character where the pattern writes it out, else empty."""

    members: CharSet
    written: str = ""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other; none: the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`body` from `low` to `high` times; `high` is None without a bound."""

    body: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """A capturing group, by its number and perhaps a name."""

    body: Node
    number: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """Look-around."""

    body: Node
    ahead: bool
    negative: bool


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place of no width: `^`, `$`, `\\b`, `\\A` and the like."""

    kind: str


@dataclass(frozen=True, slots=True)
class Back:
    """A reference to what a group matched, by number or name."""

    group: str


Node: TypeAlias = Chars | Sequence | Choice | Repeat | Group | Look | Anchor | Back


def walk(node: Node) -> list[Node]:
    """The node and everything below it, from the outside in."""
    found = [node]
    for child in children(node):
        found += walk(child)
    return found


def children(node: Node) -> tuple[Node, ...]:
    """What stands directly below a node."""
    if isinstance(node, Sequence):
        return node.parts
    if isinstance(node, Choice):
        return node.branches
    if isinstance(node, Repeat | Group | Look):
        return (node.body,)
    return ()
