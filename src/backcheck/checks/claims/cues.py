"""Which cues a sentence holds, in either language; a sentence of two languages is searched by both lists."""

from __future__ import annotations

import functools
import re

from backcheck.checks.claims.chinese import CHINESE
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.english import ENGLISH
from backcheck.checks.claims.sentences import Sentence

#: Words inside quotation marks: three words or six Chinese characters are somebody's sentence, fewer are a name.
_QUOTED = re.compile(
    r"[\"“「『]\s*(?:[^\"“”「」『』\s]+\s+){2,}[^\"“”「」『』]*[\"”」』]|[\"“「『][^\"“”「」『』\sa-z]{6,}[\"”」』]"
)
_ASKED = re.compile(r"\?\s*[\"'”’)]*$")
_STRUCK = re.compile(r"~~.+~~|<(?:s|del|strike)>")
_NEGATING = re.compile(r"not|no|never|none|without|cannot|[a-z]{1,8}n't|不|没有?|未|无|非|否|勿")


@functools.cache
def pattern(cue: Cue) -> re.Pattern[str]:
    """One expression for the words of both languages; it matches nothing for a cue without words."""
    english, chinese = _alternatives(ENGLISH.get(cue, "")), _alternatives(CHINESE.get(cue, ""))
    parts = [rf"(?<![a-z0-9_'])(?:{english})(?![a-z0-9_])"] if english else []
    return re.compile("|".join([*parts, *([chinese] if chinese else [])]) or r"(?!)")


def has(sentence: Sentence, cue: Cue, claim: str = "") -> bool:
    """Whether a sentence holds a cue; a word that the claim itself uses is none, unless it denies."""
    plain = sentence.plain
    found = [m for m in words_of(plain, cue) if not said_by(m, claim) or _NEGATING.fullmatch(m)]
    return bool(found) or (
        (cue is Cue.QUESTION and _ASKED.search(plain) is not None)
        or (cue is Cue.QUOTE and (sentence.quoted or _QUOTED.search(plain) is not None))
        or (cue is Cue.PAST and _STRUCK.search(plain) is not None)
        or (cue is Cue.DOUBLE_NEGATION and len(words_of(plain, Cue.NEGATION)) >= 2)
    )


def said_by(words: str, claim: str) -> bool:
    """Whether a claim itself uses these words; Latin ones as whole words."""
    if not words.isascii():
        return words in claim
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", claim) is not None


def words_of(plain: str, cue: Cue) -> list[str]:
    """The words of a cue that a text in its plain form holds, in order."""
    return [match[0] for match in pattern(cue).finditer(plain)]


def has_in(plain: str, cue: Cue) -> bool:
    """Whether a text in its plain form holds a cue's words."""
    return pattern(cue).search(plain) is not None


def first_of(sentence: Sentence, cues: tuple[Cue, ...], claim: str = "") -> Cue | None:
    """The first of these cues that a sentence holds."""
    return next((cue for cue in cues if has(sentence, cue, claim)), None)


def _alternatives(words: str) -> str:
    return "|".join(part.strip() for part in words.split(";") if part.strip())
