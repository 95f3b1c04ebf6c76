"""What an audit says: corners that could be cut, facts about the project, and what was not looked at. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Certainty(StrEnum):
    """`PLAIN`: the file says so, word for word. `LOOK`: it may well be meant; a person decides."""

    PLAIN = "plain"
    LOOK = "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """One corner: what is so, where, and the requirement (YAML of one list item) that closes it.

    `path` counts from the audited folder, `line` from 1 (0: the file as a whole). `closes` names the check.
    """

    rule: str
    certainty: Certainty
    path: str
    line: int = 0
    says: str
    closes: str = ""
    snippet: str = ""


@dataclass(slots=True, kw_only=True)
class Audit:
    """All that one audit found. `facts` say what the project is, `standing` what any change here could do unseen."""

    root: str
    facts: Mapping[str, str] = field(default_factory=dict)
    corners: list[Corner] = field(default_factory=list)
    standing: list[Corner] = field(default_factory=list)
    not_looked_at: list[str] = field(default_factory=list)
    files: int = 0

    @property
    def plain(self) -> int:
        """How many plain facts were found; they decide the exit code."""
        return sum(corner.certainty is Certainty.PLAIN for corner in self.corners)
