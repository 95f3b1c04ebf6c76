"""What a search for leftovers finds: values only."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Weight(IntEnum):
    """How much a leftover weighs, heaviest last."""

    #: It carries a reason or a reference to an issue, or is no more than a hint: listed, the answer stays a pass.
    NOTED = 1
    #: A person must say whether it may stay.
    OPEN = 2
    #: Work is missing here.
    PLAIN = 3


class Leftover(NamedTuple):
    """One place: its line from 1, how much it weighs, and what stands there, in our words (never the line itself)."""

    line: int
    weight: Weight
    what: str
    #: A function without work, seen from its first line.
    stub: bool = False
