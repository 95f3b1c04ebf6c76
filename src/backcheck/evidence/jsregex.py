"""JavaScript's regular expressions, rewritten for RE2 (linear time) and, where RE2 cannot, for `regex` (timed).

Source of the meaning: ECMA-262, RegExp (Pattern), with Annex B. The pattern is first compiled by `regress`, an
ECMAScript engine, so what is rewritten here is known to be valid. Line ends are LF (see decode.py).
"""

from __future__ import annotations

import re
from typing import NamedTuple

FLAGS = frozenset("dgimsuvy")
_MAX = 0x10FFFF
_SPACES = [
    (9, 13),
    (32, 32),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
]
_SPACES += [(0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)]
_DIGITS = [(48, 57)]
_WORD = [(48, 57), (65, 90), (95, 95), (97, 122)]
_CLASSES = {"d": _DIGITS, "s": _SPACES, "w": _WORD}
_CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11}
_QUANTIFIER = re.compile(r"\{(\d+)(,(\d*))?\}")
_NAMED = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_RE2_REPEAT = 1000

CATEGORIES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "Letter_Number": "Nl",
    "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
    "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
    "Other": "C", "Control": "Cc", "Format": "Cf", "Private_Use": "Co",
}  # fmt: skip

Ranges = list[tuple[int, int]]


class JsSyntaxError(ValueError):
    """The pattern or its flags are not JavaScript's."""


class Rewritten(NamedTuple):
    """`fast` is RE2 syntax; `exact` is `regex` syntax where `fast` matches more than the pattern does, else None."""

    fast: str
    exact: str | None


def rewrite(pattern: str, flags: str, *, lines: bool) -> Rewritten:
    """Rewrite a pattern. `lines`: the text is one line or is searched line by line, so `^` and `$` mean line ends.

    Errors: JsSyntaxError with the reason.
    """
    _validate(pattern, flags)
    fast = _Writer(pattern, flags, lines=lines, exact=False)
    text = fast.write()
    if not fast.relaxed:
        return Rewritten(text, None)
    return Rewritten(text, _Writer(pattern, flags, lines=lines, exact=True).write())


def _validate(pattern: str, flags: str) -> None:
    import regress

    unknown = sorted(set(flags) - FLAGS)
    if unknown:
        raise JsSyntaxError(f"no flag `{unknown[0]}`; JavaScript has {', '.join(sorted(FLAGS))}")
    if len(set(flags)) != len(flags):
        raise JsSyntaxError("a flag stands twice")
    if {"u", "v"} <= set(flags):
        raise JsSyntaxError("the flags u and v exclude each other")
    if "v" in flags and re.search(r"&&|--|\[[^\]]*\[", pattern):
        raise JsSyntaxError("set operations of the v flag are not supported")
    try:
        regress.Regex(pattern, "".join(f for f in flags if f in "imsuv"))
    except Exception as error:  # noqa: BLE001 - the binding's own error class has no stable name
        raise JsSyntaxError(f"invalid pattern: {error}") from None


class _Writer:
    """One pass over a valid pattern, left to right."""

    def __init__(self, pattern: str, flags: str, *, lines: bool, exact: bool) -> None:
        self.pattern = pattern
        self.flags = flags
        self.lines = lines
        self.exact = exact
        #: Whether something was written that matches more than the pattern does.
        self.relaxed = False
        self.at = 0
        self.out: list[str] = []
        self.closers: list[str] = []

    def write(self) -> str:
        while self.at < len(self.pattern):
            self._step()
        body = "".join(self.out)
        head = "(?i)" if "i" in self.flags else ""
        return f"{head}\\A(?:{body})" if "y" in self.flags else f"{head}{body}"

    @property
    def _unicode(self) -> bool:
        return "u" in self.flags or "v" in self.flags

    def _step(self) -> None:
        c = self.pattern[self.at]
        if c == "\\":
            self._escape()
        elif c == "[":
            self._class()
        elif c == "(":
            self._group()
        elif c == ")":
            self.at += 1
            self.out.append(self.closers.pop() if self.closers else ")")
        elif c in "*+?|":
            self.at += 1
            self.out.append(c)
        elif c == "{":
            self._brace()
        else:
            self.at += 1
            self.out.append(self._simple(c))

    def _simple(self, c: str) -> str:
        if c == "^":
            return "(?m:^)" if self.lines or "m" in self.flags else r"\A"
        if c == "$":
            if self.lines or "m" in self.flags:
                return "(?m:$)"
            return r"\Z" if self.exact else r"\z"
        if c == ".":
            return "(?s:.)" if "s" in self.flags else self._set([(10, 10), (13, 13), (0x2028, 0x2029)], negated=True)
        return self._char(ord(c))

    def _brace(self) -> None:
        match = _QUANTIFIER.match(self.pattern, self.at)
        if not match:
            self.at += 1
            self.out.append(self._char(ord("{")))
            return
        self.at = match.end()
        low, high = int(match[1]), int(match[3]) if match[3] else None
        if not self.exact and max(low, high or 0) > _RE2_REPEAT:
            self.relaxed = True
            self.out.append(f"{{{min(low, _RE2_REPEAT)},}}")
            return
        self.out.append(match[0])

    def _group(self) -> None:
        rest = self.pattern[self.at : self.at + 4]
        named = _NAMED.match(self.pattern, self.at)
        if rest.startswith(("(?=", "(?!", "(?<=", "(?<!")):
            opener = rest[:4] if rest.startswith("(?<") else rest[:3]
            self._look(opener)
        elif named:
            self.at = named.end()
            self.out.append(f"(?P<{named[1].replace('$', '_S_')}>")
            self.closers.append(")")
        elif rest.startswith("(?:"):
            self.at += 3
            self.out.append("(?:")
            self.closers.append(")")
        elif rest.startswith("(?"):
            raise JsSyntaxError(f"the group `{rest}` is not supported")
        else:
            self.at += 1
            self.out.append("(")
            self.closers.append(")")

    def _look(self, opener: str) -> None:
        if self.exact:
            self.at += len(opener)
            self.out.append(opener)
            self.closers.append(")")
            return
        # RE2 has no look-around: leave it out, which matches more, and let the exact engine decide.
        self.relaxed = True
        self.at = self._end_of_group(self.at)
        self.out.append("(?:)")
        if self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            match = _QUANTIFIER.match(self.pattern, self.at)
            self.at = match.end() if match else self.at + (self.pattern[self.at] != "{")

    def _end_of_group(self, start: int) -> int:
        depth, at, in_class = 0, start, False
        while at < len(self.pattern):
            c = self.pattern[at]
            if c == "\\":
                at += 1
            elif in_class:
                in_class = c != "]"
            elif c == "[":
                in_class = True
            elif c == "(":
                depth += 1
            elif c == ")":
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        return at

    def _escape(self) -> None:
        c = self.pattern[self.at + 1] if self.at + 1 < len(self.pattern) else ""
        if c in "dswDSW" and c:
            self.at += 2
            self.out.append(self._set(_CLASSES[c.lower()], negated=c.isupper()))
        elif c in ("b", "B"):
            self.at += 2
            self.out.append(_boundary(c) if self.exact else f"\\{c}")
        elif c in ("p", "P") and self._unicode:
            text = self._property()
            self.out.append(text if text.startswith("\\p") or text.startswith("\\P") else f"[{text}]")
        elif self._backreference(c):
            return
        else:
            code, self.at = self._escaped_code(self.at)
            self.out.append(self._char(code))

    def _property(self) -> str:
        """`\\p{Script=Greek}` and its like in the words of RE2. Errors: JsSyntaxError for properties that it has not."""
        end = self.pattern.find("}", self.at)
        sign, body = self.pattern[self.at + 1], self.pattern[self.at + 3 : end]
        self.at = end + 1
        kind, _, value = body.rpartition("=")
        if kind in ("Script", "sc", "Script_Extensions", "scx"):
            return f"\\{sign}{{{value}}}"
        if kind in ("", "General_Category", "gc"):
            name = CATEGORIES.get(value, value)
            if name in ("ASCII", "Any"):
                low, high = (0, 127) if name == "ASCII" else (0, _MAX)
                if sign == "P" and name == "Any":
                    raise JsSyntaxError("`\\P{Any}` matches nothing")
                return (
                    f"{self._char(low)}-{self._char(high)}" if sign == "p" else f"{self._char(128)}-{self._char(_MAX)}"
                )
            if len(name) <= 2:
                return f"\\{sign}{{{name}}}"
        raise JsSyntaxError(f"the property `{body}` is not supported")

    def _backreference(self, c: str) -> bool:
        named = re.compile(r"\\k<([^>]+)>").match(self.pattern, self.at)
        numbered = re.compile(r"\\([1-9]\d*)").match(self.pattern, self.at)
        if c == "k" and named and (self._unicode or "(?<" in re.sub(r"\(\?<[=!]", "", self.pattern)):
            name = named[1].replace("$", "_S_")
            target, end = f"(?({name})(?P={name}))", named.end()
        elif numbered and int(numbered[1]) <= self._group_count():
            # A group that took no part matches nothing, which is the empty text.
            target, end = f"(?({numbered[1]})\\{numbered[1]})", numbered.end()
        else:
            return False
        self.at = end
        if self.exact:
            self.out.append(target)
        else:
            self.relaxed = True
            self.out.append("(?s:.*)")
        return True

    def _group_count(self) -> int:
        plain = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", self.pattern)
        return len(re.findall(r"\((?!\?)|\(\?<(?![=!])", plain))

    def _escaped_code(self, at: int) -> tuple[int, int]:
        """The code point of the escape at `at`, and where the text goes on."""
        for expression, base in (
            (r"\\x([0-9A-Fa-f]{2})", 16),
            (r"\\u([0-9A-Fa-f]{4})", 16),
            (r"\\([0-3]?[0-7]{1,2})", 8),
        ):
            match = re.compile(expression).match(self.pattern, at)
            if match:
                code = int(match[1], base)
                pair = re.compile(r"\\u(d[c-f][0-9a-f]{2})", re.I).match(self.pattern, match.end())
                if 0xD800 <= code < 0xDC00 and pair:
                    return 0x10000 + ((code - 0xD800) << 10) + int(pair[1], 16) - 0xDC00, pair.end()
                return code, match.end()
        wide = re.compile(r"\\u\{([0-9A-Fa-f]+)\}").match(self.pattern, at) if self._unicode else None
        if wide:
            return int(wide[1], 16), wide.end()
        control = re.compile(r"\\c([A-Za-z])").match(self.pattern, at)
        if control:
            return ord(control[1]) % 32, control.end()
        c = self.pattern[at + 1] if at + 1 < len(self.pattern) else "\\"
        if c == "c":
            return ord("\\"), at + 1
        return _CONTROLS.get(c, ord(c)), at + 2

    def _class(self) -> None:
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        ranges: Ranges = []
        properties: list[str] = []
        while self.at < len(self.pattern) and self.pattern[self.at] != "]":
            low, whole = self._class_atom(properties)
            if (
                self.pattern.startswith("-", self.at)
                and self.pattern[self.at + 1 : self.at + 2] not in ("]", "")
                and not whole
            ):
                self.at += 1
                high, other = self._class_atom(properties)
                ranges += [(low[0][0], high[0][0])] if not other else [*low, (45, 45), *high]
            else:
                ranges += low
        self.at += 1
        self.out.append(self._set(ranges, negated=negated, properties=properties))

    def _class_atom(self, properties: list[str]) -> tuple[Ranges, bool]:
        """One member of a class as ranges, and whether it is a set rather than a character."""
        c = self.pattern[self.at]
        if c != "\\":
            self.at += 1
            return [(ord(c), ord(c))], False
        nxt = self.pattern[self.at + 1 : self.at + 2]
        if nxt and nxt in "dswDSW":
            self.at += 2
            ranges = _CLASSES[nxt.lower()]
            return (_complement(ranges) if nxt.isupper() else ranges), True
        if nxt in ("p", "P") and self._unicode:
            properties.append(self._property())
            return [], True
        if nxt == "b":
            self.at += 2
            return [(8, 8)], False
        code, self.at = self._escaped_code(self.at)
        return [(code, code)], False

    def _set(self, ranges: Ranges, *, negated: bool = False, properties: list[str] | None = None) -> str:
        if not ranges and not properties:
            return "(?s:.)" if negated else self._set([(0, _MAX)], negated=True)
        body = "".join(self._char(a) if a == b else f"{self._char(a)}-{self._char(b)}" for a, b in ranges)
        return f"[{'^' if negated else ''}{body}{''.join(properties or [])}]"

    def _char(self, code: int) -> str:
        if code < 128 and (chr(code).isalnum() or chr(code) == "_"):
            return chr(code)
        if 0xD800 <= code < 0xE000:
            code = 0xFFFD  # half a pair never stands in UTF-8 text
        return f"\\U{code:08x}" if self.exact else f"\\x{{{code:x}}}"


def _complement(ranges: Ranges) -> Ranges:
    result, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            result.append((start, low - 1))
        start = high + 1
    return [*result, (start, _MAX)]


def _boundary(kind: str) -> str:
    word = "[0-9A-Z_a-z]"
    if kind == "b":
        return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
    return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
