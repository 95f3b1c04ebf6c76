"""Patterns that can take for ever in an engine that goes back: found by their structure, and by trying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backcheck.contract import charsets
from backcheck.contract.charsets import CharSet
from backcheck.contract.patterntree import Back, Chars, Choice, Group, Look, Node, Repeat, Sequence, walk
from backcheck.contract.patternuse import PatternRunner, PatternUse
from backcheck.contract.samples import plain

MAX_TEXT = 2000
_MAX_PUMPS = 12


@dataclass(frozen=True, slots=True)
class Slow:
    """A text on which a pattern ran out of time: `copies` of `unit` in `length` characters."""

    unit: str
    copies: int
    length: int


def nested_repetition(tree: Node) -> str:
    """What makes the same text match in many ways, in words; empty where the structure shows nothing."""
    for node in walk(tree):
        if isinstance(node, Repeat) and node.high is None:
            starts, _ = _first(node.body)
            if any(starts & tail for tail in _tails(node.body)):
                return "a repetition inside a repetition can split the same text in many ways"
            if _overlapping(node.body):
                return "alternatives inside a repetition can match the same text"
    return ""


def try_to_stall(use: PatternUse, runner: PatternRunner) -> Slow | None:
    """The shortest repeated text found on which the pattern ran out of time, twice in a row; None where there is none."""
    tree = use.tree()
    if tree is None or runner.is_linear(use):
        return None
    whole = plain(tree).text
    for prefix, unit in list(_pumps(tree, ""))[:_MAX_PUMPS]:
        copies = 8
        while len(prefix) + copies * len(unit) <= MAX_TEXT:
            # The ends make the match fail late; with the sample behind them no required letter is missed.
            for end in ("", "!", "!" + whole):
                text = prefix + unit * copies + end
                if runner.finds(use, text) is None and runner.finds(use, text) is None:
                    return Slow(unit, copies, len(text))
            copies *= 2
    return None


def _first(node: Node) -> tuple[CharSet, bool]:
    """The characters that a match can start with, and whether it can be empty."""
    if isinstance(node, Chars):
        return node.members, False
    if isinstance(node, Sequence):
        found: CharSet = frozenset()
        for part in node.parts:
            starts, empty = _first(part)
            found |= starts
            if not empty:
                return found, False
        return found, True
    if isinstance(node, Choice):
        parts = [_first(branch) for branch in node.branches]
        return frozenset().union(*(starts for starts, _ in parts)), any(empty for _, empty in parts)
    if isinstance(node, Repeat):
        starts, empty = _first(node.body)
        return starts, empty or node.low == 0
    if isinstance(node, Group):
        return _first(node.body)
    return (charsets.ALPHABET if isinstance(node, Back) else frozenset()), True


def _tails(node: Node) -> list[CharSet]:
    """For every unbounded repetition that can stand at the end of a match: what it can go on with."""
    if isinstance(node, Repeat):
        inner = _tails(node.body)
        return [*inner, _first(node.body)[0]] if node.high is None else inner
    if isinstance(node, Choice):
        return [tail for branch in node.branches for tail in _tails(branch)]
    if isinstance(node, Group):
        return _tails(node.body)
    if isinstance(node, Sequence):
        found = []
        for part in reversed(node.parts):
            found += _tails(part)
            if not _first(part)[1]:
                break
        return found
    return []


def _overlapping(body: Node) -> bool:
    """Whether two alternatives of fixed width can match the same text, alone or with what comes next."""
    while isinstance(body, Group):
        body = body.body
    if not isinstance(body, Choice):
        return False
    starts, _ = _first(body)
    shapes = [shape for shape in map(_shape, body.branches) if shape]
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            short, long = sorted((one, other), key=len)
            same = all(a & b for a, b in zip(short, long, strict=False))
            if same and (len(short) == len(long) or long[len(short)] & starts):
                return True
    return False


def _shape(node: Node) -> list[CharSet] | None:
    """The characters of a node of fixed width, one set a place; None for others."""
    if isinstance(node, Chars):
        return [node.members]
    if isinstance(node, Group):
        return _shape(node.body)
    if isinstance(node, Sequence):
        parts = [_shape(part) for part in node.parts]
        return None if None in parts else [place for part in parts for place in part or []]
    return None


def _pumps(node: Node, prefix: str) -> Iterator[tuple[str, str]]:
    """Every unbounded repetition as (text that leads to it, text that it can repeat)."""
    if isinstance(node, Sequence):
        for part in node.parts:
            yield from _pumps(part, prefix)
            prefix += plain(part).text
    elif isinstance(node, Choice):
        for branch in node.branches:
            yield from _pumps(branch, prefix)
    elif isinstance(node, Repeat):
        if node.high is None:
            for unit in dict.fromkeys((plain(node.body).text, charsets.example(_first(node.body)[0]))):
                if unit:
                    yield prefix, unit
        yield from _pumps(node.body, prefix)
    elif isinstance(node, Group | Look):
        yield from _pumps(node.body, prefix)
