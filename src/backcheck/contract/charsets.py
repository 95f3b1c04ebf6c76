"""Sets of characters of a pattern's classes, over a small alphabet that is enough to tell sets apart."""

from __future__ import annotations

import unicodedata

CharSet = frozenset[str]

DIGITS: CharSet = frozenset("0123456789")
WORD: CharSet = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
SPACE: CharSet = frozenset(" \t\n\r\f\v")
#: Printable ASCII, white space and a few letters of other scripts: what negated classes are cut out of.
ALPHABET: CharSet = frozenset(chr(code) for code in range(32, 127)) | SPACE | frozenset("éЖ中文")

_CLASSES = {"d": DIGITS, "w": WORD, "s": SPACE}
_POSIX = {
    "alpha": frozenset(c for c in WORD if c.isalpha()), "digit": DIGITS, "alnum": WORD - {"_"}, "word": WORD,
    "space": SPACE, "blank": frozenset(" \t"), "upper": frozenset(c for c in WORD if c.isupper()),
    "lower": frozenset(c for c in WORD if c.islower()), "xdigit": frozenset("0123456789abcdefABCDEF"),
    "punct": frozenset(c for c in ALPHABET if c.isascii() and c.isprintable() and not c.isalnum() and c != " "),
}  # fmt: skip
_MAX_RANGE = 400


def shorthand(letter: str) -> CharSet:
    """The set of `\\d`, `\\w`, `\\s` or their negations, by the letter."""
    members = _CLASSES[letter.lower()]
    return ALPHABET - members if letter.isupper() else members


def posix(name: str) -> CharSet:
    """The set of `[:name:]`; the whole alphabet for a name that is not known."""
    members = _POSIX.get(name.removeprefix("^"), ALPHABET)
    return ALPHABET - members if name.startswith("^") else members


def unicode_property(name: str, *, negated: bool) -> CharSet:
    """The set of `\\p{name}`: a general category, the script Han, or the whole alphabet where it is neither."""
    value = name.rpartition("=")[2]
    if value in {"Han", "Hani"}:
        members = frozenset("中文")
    elif len(value) <= 2:
        members = frozenset(c for c in ALPHABET if unicodedata.category(c).startswith(value))
    else:
        members = ALPHABET
    return ALPHABET - members if negated else members


def span(low: str, high: str) -> CharSet:
    """The set of a range; of a very long one its ends and what the alphabet has of it."""
    first, last = ord(low), ord(high)
    if last < first:
        return frozenset()
    if last - first <= _MAX_RANGE:
        return frozenset(chr(code) for code in range(first, last + 1))
    return frozenset((low, high)) | frozenset(c for c in ALPHABET if first <= ord(c) <= last)


def both_cases(members: CharSet) -> CharSet:
    """The set without regard to case."""
    more = {c.swapcase() for c in members if c.isalpha() and len(c.swapcase()) == 1}
    return members | more


def example(members: CharSet) -> str:
    """The member that reads best in a sentence: a space of a wide set, else a letter, a digit, anything."""
    if " " in members and len(members) > 60:
        return " "
    for wanted in (str.islower, str.isalpha):
        found = sorted(c for c in members if c.isascii() and wanted(c)) or sorted(c for c in members if wanted(c))
        if found:
            return found[0]
    if digits := sorted(members & DIGITS):
        return "1" if "1" in digits else digits[0]
    if " " in members:
        return " "
    return min(members, default="")
