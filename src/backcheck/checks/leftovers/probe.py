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
    r"to-?do|fix-?me|tbd|wip\b|hack\b|xxx|not_?implemented|not[ _-](?:yet[ _-])?(?:implemented|done|supported)|"
    r"un-?implemented|implement (?:me|this)|"
    r"lorem ipsum|<\s*(?:your|insert|replace|put|enter|add|my)[-_ ]|[\"'`=:]\s*(?:your|insert|put|enter|"
    r"replace)[-_ ]?\w|change[-_ ]?me|replace[-_ ]?me|"
    r"fill[-_ ]?me|\?\?\?|tba\b|coming soon|work in progress|under construction|to be (?:written|done|added|"
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


@cache
def _patterns(kind: str) -> tuple[Pattern, ...]:
    lists = [without_looks(p.pattern) for p in (UNFINISHED, MISSING, FOR_NOW, MADE_UP, MADE_UP_RETURN, OTHER_LANGUAGES)]
    return (compile_pattern("|".join([_WORDS, *lists]), "i"), *map(compile_pattern, _SHAPES.get(kind, ())))


def may_hold(path: str, text: str) -> bool:
    """Whether a file can hold a leftover."""
    suffix = suffix_of(path)
    patterns = _patterns("python" if suffix in PYTHON else "ecmascript" if suffix in ECMASCRIPT else "")
    data = text.encode("utf-8", "replace")
    if any(pattern.may_match(data) for pattern in patterns):
        return True
    # Indentation by other white space, and letters that only look like others.
    return not text.isascii() and any(pattern.may_match(plain(text).encode("utf-8", "replace")) for pattern in patterns)
