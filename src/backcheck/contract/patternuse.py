"""The patterns of a contract: where each stands, which way round it is asked, and what runs it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from backcheck.contract.model import Requirement
from backcheck.contract.patternreader import TooDeep, parse
from backcheck.contract.patterntree import Node
from backcheck.contract.samples import Sample, samples
from backcheck.errors import Position

#: Check → (argument, whether a match is wanted, whether it is plain words instead of a pattern).
_ARGUMENTS: Mapping[str, tuple[tuple[str, bool, bool], ...]] = {
    "file-contains": (("pattern", True, False), ("all", True, False), ("any", True, False)),
    "content": (("keywords", True, True), ("forbidden", False, True)),
    "file-lacks": (("patterns", False, False),),
    "absent": (("pattern", False, False),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternUse:
    """One pattern of one requirement. `wanted`: a match is good news; `argument` is where it stands below `with`."""

    requirement: str
    argument: str
    source: str
    flags: str
    dialect: str
    wanted: bool
    position: Position
    #: What the contract says, where `source` was made from plain words.
    shown: str

    def tree(self) -> Node | None:
        """Its structure; None where it is nested too deep to be read."""
        return _tree(self.source, self.flags, self.dialect)


class PatternRunner(Protocol):
    """Runs a contract's patterns as its checks would, but on sentences and with a short clock."""

    def finds(self, use: PatternUse, text: str) -> bool | None:
        """Whether the pattern matches somewhere in the text; None where it ran out of time."""
        ...

    def is_linear(self, use: PatternUse) -> bool:
        """Whether the pattern runs in linear time, so that no text can make it slow."""
        ...


@functools.lru_cache(maxsize=512)
def _tree(source: str, flags: str, dialect: str) -> Node | None:
    try:
        return parse(source, flags, dialect)
    except TooDeep:
        return None


def pattern_uses(requirement: Requirement) -> list[PatternUse]:
    """Every pattern of a requirement, in the order of its check's fields; what is no text is left to the check."""
    found = []
    for name, wanted, words in _ARGUMENTS.get(requirement.check, ()):
        value = requirement.arguments.get(name)
        items = [(name, value)] if isinstance(value, str) else _listed(name, value)
        found += [
            _use(requirement, argument, text, wanted, words)
            for argument, text in items
            if isinstance(text, str) and text
        ]
    return found


def _listed(name: str, value: Any) -> list[tuple[str, Any]]:
    return [(f"{name}.{number}", item) for number, item in enumerate(value)] if isinstance(value, list) else []


def _use(requirement: Requirement, argument: str, text: str, wanted: bool, words: bool) -> PatternUse:
    flags, dialect = requirement.arguments.get("flags"), requirement.arguments.get("dialect")
    return PatternUse(
        requirement=requirement.id,
        argument=argument,
        source=re.escape(text) if words else text,
        flags="i" if words else flags if isinstance(flags, str) else "",
        dialect="native" if words else dialect if isinstance(dialect, str) else "native",
        wanted=wanted,
        position=requirement.place(f"with.{argument}"),
        shown=text,
    )


def matched_samples(use: PatternUse, runner: PatternRunner) -> list[Sample]:
    """Texts that the pattern was seen to match, made from the pattern alone, without blanks around; may be empty."""
    tree = use.tree()
    if tree is None:
        return []
    found = []
    for sample in samples(tree):
        start = len(sample.text) - len(sample.text.lstrip())
        text = sample.text.strip()
        bare = Sample(text, sample.made[start : start + len(text)])
        for one in (bare, sample):
            if one.text.strip() and runner.finds(use, one.text):
                found.append(one)
                break
    return found


_WORD = re.compile(r"[^\W\d_]{3,}")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


def has_words(sample: Sample) -> bool:
    """Whether the pattern writes a word out: three letters in a row, or a Chinese character."""
    written = sample.written()
    return bool(_WORD.search(written) or _IDEOGRAPH.search(written))
