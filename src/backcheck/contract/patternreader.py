"""A pattern's source → its tree.

It reads what RE2 and JavaScript have in common and tells them apart where they differ. The pattern has been compiled
before, so what this reader does not know is taken literally.
"""

from __future__ import annotations

import re

from backcheck.contract import charsets
from backcheck.contract.charsets import ALPHABET, CharSet
from backcheck.contract.patterntree import Anchor, Back, Chars, Choice, Group, Look, Node, Repeat, Sequence

MAX_DEPTH = 60

_COUNTS = re.compile(r"\{(\d*)(,?)(\d*)\}")
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_NAMED = re.compile(r"\(\?P?<([^>=!][^>]*)>")
_OPENERS = {"(?:": None, "(?>": None, "(?=": (True, False), "(?!": (True, True), "(?<=": (False, False),
            "(?<!": (False, True)}  # fmt: skip
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}


class TooDeep(ValueError):
    """Groups stand deeper in each other than MAX_DEPTH."""


def parse(source: str, flags: str = "", dialect: str = "native") -> Node:
    """Read a pattern with its flags (`i` and `s` matter). Errors: TooDeep."""
    return _Reader(source, set(flags), dialect == "javascript").choice()


class _Reader:
    """One pass from left to right."""

    def __init__(self, source: str, flags: set[str], javascript: bool) -> None:
        self.source, self.flags, self.javascript = source, flags, javascript
        self.at = self.groups = self.depth = 0

    def choice(self) -> Node:
        branches = [self._sequence()]
        while self._eat("|") or (not self.depth and self._eat(")")):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            part = self._atom()
            if part is not None:
                parts.append(self._quantified(part))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _eat(self, text: str) -> bool:
        if not self.source.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def _until(self, closer: str) -> str:
        """What stands before the closer, or all the rest; both are taken."""
        text, _, _ = self.source[self.at :].partition(closer)
        self.at += len(text) + len(closer)
        return text

    def _next(self) -> str:
        character = self.source[self.at : self.at + 1]
        self.at += 1
        return character

    def _chars(self, character: str) -> Chars:
        return Chars(self._cased(frozenset((character,))), character)

    def _cased(self, members: CharSet) -> CharSet:
        return charsets.both_cases(members) if "i" in self.flags else members

    def _atom(self) -> Node | None:
        """One atom; None for what only changes flags or comments."""
        if self.source[self.at] == "(":
            return self._group()
        if self.source[self.at] == "[":
            return self._class()
        character = self._next()
        if character == "\\":
            return self._escape()
        if character == ".":
            return Chars(ALPHABET if "s" in self.flags else ALPHABET - {"\n"})
        return Anchor(character) if character in "^$" else self._chars(character)

    def _quantified(self, node: Node) -> Node:
        """`node` with the quantifiers that follow it."""
        while self.at < len(self.source):
            bounds = self._bounds()
            if bounds is None:
                return node
            self._eat("?") or self._eat("+")
            node = Repeat(node, *bounds)
        return node

    def _bounds(self) -> tuple[int, int | None] | None:
        for mark, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._eat(mark):
                return bounds
        match = _COUNTS.match(self.source, self.at)
        if not match or not match[1]:
            return None
        self.at = match.end()
        low = int(match[1][:6])
        return low, (int(match[3][:6]) if match[3] else None) if match[2] else low

    def _group(self) -> Node | None:
        if self._eat("(?#"):
            self._until(")")
            return None
        if self._eat("(?P="):
            return Back(self._until(")"))
        kept = set(self.flags)
        flags = _FLAGS.match(self.source, self.at)
        if flags and (flags[1] or flags[2]):
            self.at = flags.end()
            self.flags = (self.flags | set(flags[1])) - set(flags[2] or "")
            return None if flags[3] == ")" else self._rest_of_group(kept)
        for opener in sorted(_OPENERS, key=len, reverse=True):
            if self._eat(opener):
                look = _OPENERS[opener]
                body = self._rest_of_group(kept)
                return Look(body, *look) if look else body
        self.groups += 1
        number, named = self.groups, _NAMED.match(self.source, self.at)
        self.at = named.end() if named else self.at + 1
        return Group(self._rest_of_group(kept), number, named[1] if named else "")

    def _rest_of_group(self, flags: set[str]) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeep(f"groups nested deeper than {MAX_DEPTH}")
        body = self.choice()
        self.depth -= 1
        self._eat(")")
        self.flags = flags
        return body

    def _escape(self) -> Node:
        """What follows a backslash outside a class."""
        c = self.source[self.at : self.at + 1]
        if c in set("bBAzZG"):
            self.at += 1
            return Anchor(f"\\{c}")
        if c == "Q" and not self.javascript:
            end = self.source.find("\\E", self.at)
            text = self.source[self.at + 1 : end if end >= 0 else None]
            self.at = end + 2 if end >= 0 else len(self.source)
            return Sequence(tuple(self._chars(one) for one in text))
        if c in set("123456789"):
            digits = re.compile(r"\d+").match(self.source, self.at)
            self.at = digits.end() if digits else self.at + 1
            return Back(digits[0] if digits else c)
        if c == "k" and (match := re.compile(r"k<([^>]*)>").match(self.source, self.at)):
            self.at = match.end()
            return Back(match[1])
        return self._escaped_chars()

    def _escaped_chars(self) -> Chars:
        """A character or a set behind a backslash, in or outside a class."""
        c = self._next()
        if c and c in "dDwWsS":
            return Chars(charsets.shorthand(c))
        if c in ("p", "P"):
            match = re.compile(r"\{\^?([^}]*)\}|(\w)").match(self.source, self.at)
            self.at = match.end() if match else self.at
            name = (match[1] or match[2] or "") if match else ""
            return Chars(charsets.unicode_property(name, negated=c == "P"))
        match = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4})").match(self.source, self.at)
        if c == "x":
            match = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})").match(self.source, self.at)
        if c in ("x", "u") and match:
            self.at = match.end()
            code = int(match[1] or match[2], 16)
            return self._chars(chr(code) if code < 0x110000 else "\ufffd")
        return self._chars("\0" if c == "0" else _CONTROLS.get(c, c))

    def _class(self) -> Node:
        self.at += 1
        negated = self._eat("^")
        members: CharSet = frozenset()
        count, first = 0, True
        while self.at < len(self.source):
            if self.source[self.at] == "]" and (self.javascript or not first):
                break
            first = False
            members |= self._class_item()
            count += 1
        self.at += 1
        members = self._cased(members)
        if negated:
            return Chars(ALPHABET - members)
        return Chars(members, next(iter(members)) if len(members) == 1 and count == 1 else "")

    def _class_item(self) -> CharSet:
        match = re.compile(r"\[:(\^?\w+):\]").match(self.source, self.at)
        if match and not self.javascript:
            self.at = match.end()
            return charsets.posix(match[1])
        low = self._class_char()
        if not (self.source.startswith("-", self.at) and self.source[self.at + 1 : self.at + 2] not in ("]", "")):
            return low.members
        if not low.written:
            return low.members
        self.at += 1
        high = self._class_char()
        return charsets.span(low.written, high.written) if high.written else low.members | high.members | {"-"}

    def _class_char(self) -> Chars:
        c = self._next()
        if c != "\\":
            return Chars(frozenset((c,)), c)
        if self.source.startswith("b", self.at):
            self.at += 1
            return Chars(frozenset("\b"), "\b")
        kept, self.flags = self.flags, set()
        found = self._escaped_chars()
        self.flags = kept
        return found
