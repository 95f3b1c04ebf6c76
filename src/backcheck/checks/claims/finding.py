"""What a rule says of a text: a refutation that is certain, or a doubt that a person has to settle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from backcheck.checks.claims.sentences import Sentence


class Rule(StrEnum):
    """The rules that may refute."""

    NUMBER = "number"
    STALE = "stale"
    PLANNED = "planned"
    MENTION = "mention"
    VAGUE = "vague"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuted:
    """`why` follows the quoted sentence: "… says 72.3 %, and at least 85 % is asked"."""

    rule: Rule
    sentence: Sentence
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Why a person has to look; `sentence` is None where nothing in the text is the reason."""

    flag: str
    why: str
    sentence: Sentence | None = None
