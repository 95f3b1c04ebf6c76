"""A cheap first question to every file: can there be a leftover at all? Never "no" where there is one."""

from __future__ import annotations

from functools import cache

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON, suffix_of
from backcheck.checks.code.marks import UNFINISHED
from backcheck.checks.leftovers.words import FOR_NOW, MADE_UP, MADE_UP_RETURN, MISSING, OTHER_LANGUAGES
from backcheck.checks.words import plain
from backcheck.evidence.patterns import Pattern, compile_pattern

#: Markers, refusals and values to be replaced; wider than the expressions that decide.
_WORDS = (
    r"\b(?:to-?dos?|fix-?mes?|tbd|wip|hack|xxx+|tba)\b|not_?implemented|not[ _-](?:yet[ _-])?(?:implemented|done|supported)|"
    r"un-?implemented|implement (?:me|this)|"
    r"lorem ipsum|<\s*(?:your|insert|replace|put|enter|add|my)[-_ ]|[\"'`=:]\s*(?:your|insert|put|enter|"
    r"replace)[-_ ]?\w|change[-_ ]?me|replace[-_ ]?me|"
    r"fill[-_ ]?me|\?\?\?|coming soon|work in progress|under construction|to be (?:written|done|added|"
    r"completed)|敬请期待|待填写"
)
#: Bodies of nothing, and docstrings after which the indentation may end. Each is asked by itself: together they would
#: need more states than the engine keeps.
_HEAD = r"(?:\bdef\b[^\n]*|\n[ \t]*\)[^\n]*):[ \t]*(?:#[^\n]*)?(?:\n[ \t]*(?:#[^\n]*)?)*"
_NOTHING = r"(?:pass|\.\.\.)[ \t]*;?[ \t]*(?:#[^\n]*)?(?:\n|$)"
_DOC = (
    r"[rRuU]?(?:\"\"\"(?:[^\"]|\"[^\"]|\"\"[^\"])*\"\"\"|\'\'\'(?:[^']|'[^']|''[^'])*\'\'\'|\"[^\"\n]*\"|'[^'\n]*')"
    r"[ \t]*;?[ \t]*(?:#[^\n]*)?(?:\n[ \t]*(?:#[^\n]*)?)*"
)
_SHAPES = {
    "python": (
        rf"{_HEAD}{_NOTHING}",
        rf"(?:\"\"\"|\'\'\'|\"|')[ \t]*(?:#[^\n]*)?(?:\n[ \t]*(?:#[^\n]*)?)*{_NOTHING}",
        rf"{_HEAD}{_DOC}(?:\n[ \t]*(?:async\s+def|def|class|@)|\n[^\s#]|$)",
    ),
    "ecmascript": (r"\{\s*(?:(?://[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)\s*)*\}",),
}


def without_looks(source: str) -> str:
    """An expression without its look-ahead and look-behind: it matches no less than before."""
    out, at = [], 0
    while at < len(source):
        if source.startswith(("(?=", "(?!", "(?<=", "(?<!"), at):
            at = _end_of_group(source, at)
            continue
        width = 2 if source[at] == "\\" else 1
        out.append(source[at : at + width])
        at += width
    return "".join(out)


def _end_of_group(source: str, at: int) -> int:
    depth, in_set = 0, False
    while at < len(source):
        c = source[at]
        if c == "\\":
            at += 1
        elif in_set:
            in_set = c != "]"
        elif c == "[":
            in_set = True
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return at


#: How `phrases` begins: the start of a word, which RE2 can say in its own way.
_BEFORE_WORD = "(?<![a-z0-9_])(?=[a-z])"
#: So many of Python's shapes, the first, are of bodies that hold a word for nothing.
_NOTHINGS = 2


@cache
def _patterns(kind: str) -> tuple[Pattern, ...]:
    lists = [
        without_looks(p.pattern.replace(_BEFORE_WORD, r"\b"))
        for p in (UNFINISHED, MISSING, FOR_NOW, MADE_UP, MADE_UP_RETURN, OTHER_LANGUAGES)
    ]
    return (compile_pattern("|".join([_WORDS, *lists]), "i"), *map(compile_pattern, _SHAPES.get(kind, ())))


def may_hold(path: str, text: str) -> bool:
    """Whether a file can hold a leftover."""
    if may_hold_bytes(path, text.encode("utf-8", "replace")):
        return True
    # Indentation by other white space, and letters that only look like others.
    return not text.isascii() and may_hold_bytes(path, plain(text).encode("utf-8", "replace"))


def may_hold_bytes(path: str, data: bytes) -> bool:
    """The same for ASCII with LF line ends as it lies on disk; it spares reading it as text."""
    suffix = suffix_of(path)
    kind = "python" if suffix in PYTHON else "ecmascript" if suffix in ECMASCRIPT else ""
    words, *shapes = _patterns(kind)
    if words.may_match(data):
        return True
    if kind == "python" and b"pass" not in data and b"..." not in data:
        shapes = shapes[_NOTHINGS:]
    return any(shape.may_match(data) for shape in shapes)
