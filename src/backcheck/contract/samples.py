"""Texts that a pattern is likely to match, made from its tree; whoever uses one runs the pattern on it first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from backcheck.contract import charsets
from backcheck.contract.patterntree import Anchor, Back, Chars, Choice, Group, Look, Node, Repeat, Sequence

MAX_SAMPLES = 48
MAX_COPIES = 64


@dataclass(frozen=True, slots=True)
class Sample:
    """A text. `made` has a `1` for each character that stands for a class, a `0` for one that the pattern writes out."""

    text: str = ""
    made: str = ""
    groups: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __add__(self, other: Sample) -> Sample:
        return Sample(self.text + other.text, self.made + other.made, {**self.groups, **other.groups})

    def times(self, count: int) -> Sample:
        """The sample written `count` times."""
        return replace(self, text=self.text * count, made=self.made * count)

    def written(self) -> str:
        """The text with every character that stands for a class replaced by a NUL."""
        return "".join(c if made == "0" else "\0" for c, made in zip(self.text, self.made, strict=True))


def samples(node: Node) -> list[Sample]:
    """Different texts for a tree, the plainest first, at most MAX_SAMPLES. Each choice is varied by itself."""
    return _distinct(_samples(node, {}))


def _distinct(found: Iterable[Sample]) -> list[Sample]:
    return list({sample.text: sample for sample in reversed(list(found)[:MAX_SAMPLES])}.values())[::-1]


def _samples(node: Node, groups: Mapping[str, tuple[str, str]]) -> list[Sample]:
    if isinstance(node, Chars):
        character = node.written or charsets.example(node.members)
        return [Sample(character, ("0" if node.written else "1") * len(character))]
    if isinstance(node, Sequence):
        return _sequence(node, groups)
    if isinstance(node, Choice):
        parts = [_samples(branch, groups) for branch in node.branches]
        firsts = [part[0] for part in parts]
        return _distinct([*firsts, *(sample for part in parts for sample in part[1:])])
    if isinstance(node, Repeat):
        return _repeat(node, groups)
    if isinstance(node, Group):
        found = _samples(node.body, groups)
        return [_remember(sample, node) for sample in found]
    if isinstance(node, Look):
        # A look-ahead asks for a text that the rest must hold; whether it does, the pattern will say.
        inside = _samples(node.body, groups) if node.ahead and not node.negative else []
        return _distinct([*inside, Sample()])
    if isinstance(node, Back):
        text, made = groups.get(node.group, ("", ""))
        return [Sample(text, made)]
    assert isinstance(node, Anchor)  # noqa: S101 - the last kind of node
    return [Sample()]


def _remember(sample: Sample, group: Group) -> Sample:
    held = (sample.text, sample.made)
    names = {str(group.number): held} | ({group.name: held} if group.name else {})
    return replace(sample, groups={**sample.groups, **names})


def _sequence(node: Sequence, groups: Mapping[str, tuple[str, str]]) -> list[Sample]:
    """The plainest of every part, then each part's other texts with the plainest of the rest."""
    plain = _joined(node.parts, {}, groups)
    found = [plain]
    known = dict(groups)
    for number, part in enumerate(node.parts):
        options = _samples(part, known)
        known |= options[0].groups
        for option in options[1:]:
            if len(found) >= MAX_SAMPLES:
                return _distinct(found)
            found.append(_joined(node.parts, {number: option}, groups))
    return _distinct(found)


def _joined(parts: tuple[Node, ...], fixed: Mapping[int, Sample], groups: Mapping[str, tuple[str, str]]) -> Sample:
    whole = Sample(groups=dict(groups))
    for number, part in enumerate(parts):
        whole = whole + (fixed[number] if number in fixed else _samples(part, whole.groups)[0])
    return whole


def _repeat(node: Repeat, groups: Mapping[str, tuple[str, str]]) -> list[Sample]:
    options = _samples(node.body, groups)
    if node.high == 0:
        return [Sample()]
    found = [option.times(min(max(node.low, 1), MAX_COPIES)) for option in options]
    return _distinct([*found, Sample()]) if node.low == 0 else _distinct(found)
