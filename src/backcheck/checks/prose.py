"""What a text shows: whether it is one, how much of it is signs, and where a word of it stands."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.files import read_text
from backcheck.evidence.paths import shown
from backcheck.verdict import Blame, Place

#: A text of which more than this is no character of any script (NUL, undecodable, unassigned) is no text.
MAX_GARBLED = 0.1
#: Lines, boxes and arrows of tables and diagrams.
_DRAWING = re.compile(r"[-+|=_/\\<>^~*#.:←-⇿─-◿]")
_RUN = re.compile(r"([^\w\s])\1+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Counts of characters: `shown` are neither white space nor invisible; `signs` are punctuation and symbols."""

    shown: int
    signs: int
    garbled: int

    @property
    def share(self) -> float:
        """Signs of what is shown, 0 to 1."""
        return self.signs / self.shown if self.shown else 1.0


def look(text: str) -> Look:
    """Count characters by their kind; linear."""
    shown_count = signs = garbled = 0
    for character, count in Counter(text).items():
        kind = unicodedata.category(character)
        if (
            character == "�"
            or kind in {"Cn", "Cs"}
            or (kind == "Cc" and not character.isspace() and character != "\x1b")
        ):
            garbled += count
        elif kind[0] not in "ZC":
            shown_count += count
            signs += count if kind[0] in "PS" else 0
    return Look(shown=shown_count, signs=signs, garbled=garbled)


def visible(text: str) -> str:
    """The text without characters that show nothing, trimmed."""
    hidden = {ord(c): None for c in set(text) if not c.isspace() and unicodedata.category(c)[0] == "C"}
    return (text.translate(hidden) if hidden else text).strip()


def mostly_signs(text: str) -> bool:
    """Whether more than half of a text is signs, also when repeated signs count once and drawings not at all."""
    if look(text).share <= 0.5:
        return False
    bare = _DRAWING.sub("", _RUN.sub(r"\1", text))
    words = re.findall(r"[^\W_]{2,}", text)
    return len(words) < 3 or look(bare).share > 0.5


def read_shown(evidence: Evidence, path: str) -> str | Answer:
    """The decoded text of a file, or the answer to give where there is none or it shows nothing."""
    text = read_text(evidence, path)
    if isinstance(text, Answer):
        return text
    name = shown(path)
    place = (Place(path=name),)
    seen = look(text)
    if seen.garbled > MAX_GARBLED * (seen.garbled + seen.shown) and seen.shown + seen.garbled - text.count("\0"):
        return unclear(f"{name} is no text in an encoding that is known here", where=place, blame=Blame.ENVIRONMENT,
                       remedy="Save it as UTF-8, or let a person look at it.")  # fmt: skip
    if not seen.shown:
        return failed(f"{name} holds nothing, so it proves nothing", where=place,
                      remedy="Do the work that the requirement describes.")  # fmt: skip
    return text


def line_at(text: str, offset: int) -> int:
    """The number, from 1, of the line at an offset."""
    return text.count("\n", 0, offset) + 1
