"""Texts that a pattern is likely to match, made from its tree; whoever uses one runs the pattern on it first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from backcheck.contract import charsets
from backcheck.contract.patterntree import Back, Chars, Choice, Group, Look, Node, Repeat, Sequence

MAX_SAMPLES = 48
MAX_LENGTH = 2000

Groups = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A text. `made` has a `1` for each character that stands for a class, a `0` for one that the pattern writes."""

    text: str = ""
    made: str = ""
    groups: Groups = field(default_factory=dict)

    def times(self, count: int) -> Sample:
        """The sample written `count` times, but not beyond MAX_LENGTH characters."""
        count = max(1, min(count, MAX_LENGTH // max(len(self.text), 1)))
        return replace(self, text=self.text * count, made=self.made * count)

    def written(self) -> str:
        """The text with every character that stands for a class replaced by a NUL."""
        return "".join(c if made == "0" else "\0" for c, made in zip(self.text, self.made, strict=True))


def samples(node: Node) -> list[Sample]:
    """Different texts for a tree, the plainest first, at most MAX_SAMPLES. Each choice is varied by itself."""
    return _all(node, {})


def plain(node: Node, groups: Groups | None = None) -> Sample:
    """The plainest text for a tree: the first alternative, optional parts once but for single characters of a class."""
    groups = groups or {}
    if isinstance(node, Chars):
        character = node.written or charsets.example(node.members)
        return Sample(character, ("0" if node.written else "1") * len(character))
    if isinstance(node, Sequence):
        return _joined(node.parts, {}, groups)
    if isinstance(node, Choice):
        return plain(node.branches[0], groups)
    if isinstance(node, Repeat):
        bare = node.low == 0 and isinstance(node.body, Chars) and not node.body.written
        body = plain(node.body, groups)
        return Sample() if node.high == 0 or (bare and body.text != " ") else body.times(node.low)
    if isinstance(node, Group):
        return _remember(plain(node.body, groups), node)
    if isinstance(node, Look) and node.ahead and not node.negative:
        # A look-ahead asks for a text that the rest must hold; whether it does, the pattern will say.
        return plain(node.body, groups)
    return Sample(*groups.get(node.group, ("", ""))) if isinstance(node, Back) else Sample()


def _all(node: Node, groups: Groups) -> list[Sample]:
    if isinstance(node, Sequence):
        return _sequence(node, groups)
    if isinstance(node, Choice):
        parts = [_all(branch, groups) for branch in node.branches]
        return _distinct([*(part[0] for part in parts), *(sample for part in parts for sample in part[1:])])
    if isinstance(node, Repeat) and node.high != 0:
        found = [option.times(node.low) for option in _all(node.body, groups)]
        if node.low:
            return _distinct(found)
        first = plain(node, groups)
        return _distinct([first, *found[: MAX_SAMPLES - 2], Sample()])
    if isinstance(node, Group):
        return [_remember(sample, node) for sample in _all(node.body, groups)]
    if isinstance(node, Look):
        return _distinct([plain(node, groups), Sample()])
    return [plain(node, groups)]


def _distinct(found: Iterable[Sample]) -> list[Sample]:
    kept: dict[str, Sample] = {}
    for sample in found:
        kept.setdefault(sample.text, sample)
    return list(kept.values())[:MAX_SAMPLES]


def _remember(sample: Sample, group: Group) -> Sample:
    held = (sample.text, sample.made)
    names = {str(group.number): held} | ({group.name: held} if group.name else {})
    return replace(sample, groups={**sample.groups, **names})


def _sequence(node: Sequence, groups: Groups) -> list[Sample]:
    """The plainest of every part, then each part's other texts with the plainest of the rest."""
    found = [_joined(node.parts, {}, groups)]
    known = dict(groups)
    for number, part in enumerate(node.parts):
        options = _all(part, known)
        known |= options[0].groups
        found += [_joined(node.parts, {number: option}, groups) for option in options[1:]]
        if len(found) >= MAX_SAMPLES:
            break
    return _distinct(found)


def _joined(parts: tuple[Node, ...], fixed: Mapping[int, Sample], groups: Groups) -> Sample:
    text, made, known = [], [], dict(groups)
    for number, part in enumerate(parts):
        sample = fixed[number] if number in fixed else plain(part, known)
        text.append(sample.text)
        made.append(sample.made)
        known |= sample.groups
    return Sample("".join(text), "".join(made), known)
