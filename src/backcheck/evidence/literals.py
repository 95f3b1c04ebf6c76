"""Words of which a pattern's every match must hold one: a cheap first question before the pattern itself is asked.

Only a plain part of the syntax is read; at the first thing beyond it the answer is "none known", so a word is never
claimed that a match could do without.
"""

from __future__ import annotations

import re

#: Fewer letters than this stand in too many files to spare anything.
MIN_LENGTH = 3
#: Of more words one is found in most files.
MAX_WORDS = 8

_PLAIN = re.compile(r"[A-Za-z0-9_ /#:=@,;\"'<>~%&!-]")
_SET = re.compile(r"\[\^?[A-Za-z0-9_ /#:=@,;\"'<>.*+?()|-]+\]|\\[sSdDwW]|\.")
_EDGE = re.compile(r"\\[bB]|\^|\$")
_ESCAPED = re.compile(r"\\([./\-_#:+*?()\[\]{}|^$])")
_REPEAT = re.compile(r"([*+?]|\{(\d+)(?:,\d*)?\})\??")

Words = frozenset[str]


def required_words(source: str, flags: str = "") -> Words:
    """The words, one of which stands in every match; empty where none is known."""
    if set(flags) - set("gms"):
        return frozenset()
    try:
        reader = _Reader(source)
        words = reader.choice()
    except _BeyondError:
        return frozenset()
    if reader.at != len(source) or words is None:
        return frozenset()
    usable = len(words) <= MAX_WORDS and min(map(len, words)) >= MIN_LENGTH
    return words if usable else frozenset()


class _BeyondError(Exception):
    """The pattern holds something that this reader does not know."""


class _Reader:
    """One pass from left to right; every method answers with words, or None where a match can do without any."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def choice(self) -> Words | None:
        """Alternatives: one word of each."""
        branches = [self._sequence()]
        while self.source.startswith("|", self.at):
            self.at += 1
            branches.append(self._sequence())
        found: set[str] = set()
        for branch in branches:
            if branch is None:
                return None
            found |= branch
        return frozenset(found)

    def _sequence(self) -> Words | None:
        best: Words | None = None
        run = ""
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            character, words = self._atom()
            least = self._repeat()
            if character and least is None:
                run += character
                continue
            # What is repeated ends the run; at least one of it belongs to the run if it must be there.
            best = _better(best, run + (character if least else ""))
            run = ""
            if words is not None and least != 0:
                best = _better(best, words)
        return _better(best, run)

    def _atom(self) -> tuple[str, Words | None]:
        """A literal character, or the words of a group; neither for a set or an edge."""
        for pattern in (_PLAIN, _ESCAPED):
            match = pattern.match(self.source, self.at)
            if match:
                self.at = match.end()
                return match[match.lastindex or 0], None
        for pattern in (_SET, _EDGE):
            match = pattern.match(self.source, self.at)
            if match:
                self.at = match.end()
                return "", None
        if not self.source.startswith("(", self.at):
            raise _BeyondError
        self.at += 3 if self.source.startswith("(?:", self.at) else 1
        if self.source.startswith("?", self.at):
            raise _BeyondError
        words = self.choice()
        if not self.source.startswith(")", self.at):
            raise _BeyondError
        self.at += 1
        return "", words

    def _repeat(self) -> int | None:
        """How often the atom before must stand at least, None where it stands just once."""
        match = _REPEAT.match(self.source, self.at)
        if not match:
            return None
        self.at = match.end()
        if _REPEAT.match(self.source, self.at):
            raise _BeyondError
        return int(match[2]) if match[2] else int(match[1] == "+")


def _better(best: Words | None, other: Words | str) -> Words | None:
    """The set that spares more: longer words, then fewer."""
    words = frozenset({other}) if isinstance(other, str) else other
    if not words or not min(map(len, words)):
        return best
    if best is None:
        return words
    return max(best, words, key=lambda w: (min(map(len, w)), -len(w)))
