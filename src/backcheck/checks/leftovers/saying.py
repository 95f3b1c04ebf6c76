"""What one comment says, line by line: a leftover, an excused one, or nothing of the kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.leftovers.roles import Role
from backcheck.checks.leftovers.words import (
    ABOUT_MARKS,
    FOR_NOW,
    IN_PLACE_OF_WORK,
    MADE_UP,
    MARKER,
    MISSING,
    OTHER_LANGUAGES,
    UPPER,
    excused,
)  # fmt: skip
from backcheck.checks.words import plain
from backcheck.evidence.decode import fold

#: Before "not implemented": the sentence is about something else, or about what happens then.
_ABOUT_OTHERS = re.compile(
    r"(?:^|\W)(?:if|when|where|whether|that|which|who|raises?|throws?|returns?|status|error|501|unless|because|"
    r"why|check\w*|handle\w*|"
    r"methods?|features?|case|cases|classes|attributes?|those|others?|some|browsers?|platforms?|backends?|"
    r"drivers?|plugins?|subclass\w*|abstract|(?:do|does|did) not|don't|doesn't)(?:\W|$)|"
    r"如果|当|是否|抛出|返回"
)
_BY_OTHERS = re.compile(r"^\W*(?:by|upstream|in|on|for|error|exception|yet by|则|错误|异常)(?:\W|$)")
_WORD = re.compile(r"[^\W_]+")
#: Words before the phrase, and words of a whole line.
_FEW, _SHORT = 2, 9
_UPPER_MARK = re.compile(r"^[\W_]*(?:TODO|FIXME|HACK|XXX|TBD|WIP)\b")


def leftovers_in(text: str, first: int, role: Role) -> Iterator[Leftover]:
    """Leftovers of a comment that starts on line `first`; the text is as written, with its marks."""
    for number, line in enumerate(text.split("\n"), start=first):
        found = _line(line, role)
        if found is not None:
            what, weight = found
            if weight is not Weight.NOTED and excused(plain(line)):
                weight = Weight.NOTED
            yield Leftover(number, weight, what)


def _line(line: str, role: Role) -> tuple[str, Weight] | None:
    said = plain(line)
    mark = _mark(line, said)
    if mark:
        return f"`{mark}`", Weight.PLAIN
    for match in MISSING.finditer(said):
        if _about_itself(said, match) and not _of_others(said, match):
            return f"`{match[0].strip()[:40]}`", Weight.PLAIN
    lowered = line.lower()
    other = (
        None
        if lowered.isascii() and said == lowered and not _may_be_latin(lowered)
        else OTHER_LANGUAGES.search(lowered)
    )
    if other:
        return f"`{other[0].strip()}`", Weight.PLAIN
    if role not in {Role.TEST, Role.EXAMPLE} and (made_up := MADE_UP.search(said)):
        return f"`{made_up[0].strip(' */#-')[:40]}`", Weight.PLAIN
    now = FOR_NOW.search(said)
    if now:
        return f"`{now[0]}`", Weight.PLAIN if IN_PLACE_OF_WORK.search(said) and role is not Role.TEST else Weight.NOTED
    return None


def _mark(line: str, said: str) -> str:
    first = MARKER.search(said)
    # `TODOs:` and a lower-case `hack` or `xxx` are words; a lower-case `todo` that starts a comment is a mark.
    if (
        first
        and not first["many"]
        and (first["mark"] in {"todo", "to-do", "fixme", "fix-me"} or _UPPER_MARK.search(fold(line)))
    ):
        return first["mark"].upper()
    upper = UPPER.search(fold(line))
    if upper and not ABOUT_MARKS.search(said[max(0, upper.start() - 40) : upper.start()]):
        return upper["mark"]
    return ""


def _about_itself(said: str, match: re.Match[str]) -> bool:
    """A short line, or one that begins with the phrase: long sentences with it are mostly about something else."""
    before = len(_WORD.findall(said[: match.start()]))
    return before <= _FEW or before + len(_WORD.findall(said[match.start() :])) <= _SHORT


def _of_others(said: str, match: re.Match[str]) -> bool:
    before, after = said[: match.start()], said[match.end() :]
    if not re.search(r"implement|supported|handled|实现|實現", match[0]):
        return False
    return bool(_ABOUT_OTHERS.search(before) or _BY_OTHERS.search(after))


def _may_be_latin(lowered: str) -> bool:
    """Languages whose letters are all ASCII in these phrases."""
    return any(
        word in lowered
        for word in ("implement", "platzhalter", "nicht", "por ", "da fare", "do z", "zaimpl", "vorerst")
    )
