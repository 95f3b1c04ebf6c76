"""Signs that a file restates, promises or stubs out its task instead of holding the work."""

from __future__ import annotations

from dataclasses import dataclass

from backcheck.checks.code.model import Code, Function, Stub
from backcheck.checks.prose import line_at
from backcheck.checks.words import META, PROMISE, count_words, opening, plain
from backcheck.evidence.limits import MAX_PLACES
from backcheck.verdict import Place

#: A text of fewer lines that are not blank is too short to be judged by its words.
LEAST_LINES = 3
_CODE_LINES = 5
_MOST_PROMISES = 0.06
#: In a text of fewer lines, fewer announcing words than this are no sign; nor is one note in code.
_MANY_PROMISES = 3
_NOTES = frozenset({"todo", "tbd", "待实现", "待實現", "待办", "待辦", "待完成", "待补充", "待補充"})
_MOST_COMMENTS = 0.65
_MOST_META = 3
#: More phrases than _MOST_META are a sign only where they are also more than this share of the comments' words.
_META_SHARE = 0.01
#: A file whose functions are all empty may still work where it has that many statements outside them.
_WORK_OUTSIDE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One sign, in words that follow the file's name, and the places that show it."""

    reason: str
    places: tuple[Place, ...]


def text_signs(name: str, text: str, code: Code | None, lines: int) -> list[Sign]:
    """Signs in any text: an opening phrase, announcing words. `lines` are not blank; in code only prose is searched."""
    return [*_opening(name, text), *_promises(name, text, code, lines)]


def code_signs(name: str, code: Code, lines: int) -> list[Sign]:
    """Signs in code: comments that take its place, and functions that do no work."""
    return [*_comments(name, code, lines), *_stubs(name, code)]


def _opening(name: str, text: str) -> list[Sign]:
    at = opening(text)
    if at is None:
        return []
    line = line_at(text, at)
    place = Place(path=name, line=line, note="opening phrase")
    return [Sign(reason=f"opens like a chat (line {line})", places=(place,))]


def _promises(name: str, text: str, code: Code | None, lines: int) -> list[Sign]:
    said = plain(text)
    parts = [(1, said)]
    if code is not None:
        prose = sorted([*code.comments, *code.docs], key=lambda part: part.line)
        parts = [(part.line, plain(part.text)) for part in prose]
    # A note in a function without work is told of with the function; it is not counted twice.
    counted = code is None or not any(function.stub for function in code.functions)
    places: list[Place] = []
    count = 0
    for first, part in parts:
        for match in PROMISE.finditer(part):
            if not counted and match[0] in _NOTES:
                continue
            count += 1
            if len(places) < MAX_PLACES:
                line = first + part.count("\n", 0, match.start())
                places.append(Place(path=name, line=line, note=f"`{match[0]}`"))
    share = count / max(count_words(said), 1)
    least = _MANY_PROMISES if lines < LEAST_LINES else 1 if code is None else 2
    if share <= _MOST_PROMISES or count < least:
        return []
    return [Sign(reason=f"promises more than it holds ({share:.0%} announcing words)", places=tuple(places))]


def _comments(name: str, code: Code, lines: int) -> list[Sign]:
    if lines <= _CODE_LINES:
        return []
    signs = []
    if code.lines > _CODE_LINES and code.comment_lines > _MOST_COMMENTS * code.lines:
        reason = f"is {code.comment_lines / code.lines:.0%} comments"
        first = next((comment.line for comment in code.comments if comment.alone), 1)
        signs.append(Sign(reason=reason, places=(Place(path=name, line=first, note="comments"),)))
    found = []
    for comment in code.comments:
        said = plain(comment.text)
        for match in META.finditer(said):
            line = comment.line + said.count("\n", 0, match.start())
            found.append(Place(path=name, line=line, note=f"`{match[0]}`"))
    words = count_words(plain("\n".join(comment.text for comment in code.comments))) if len(found) > _MOST_META else 0
    if len(found) > _MOST_META and len(found) > _META_SHARE * words:
        reason = f"tells in {len(found)} comments what code would do"
        signs.append(Sign(reason=reason, places=tuple(found[:MAX_PLACES])))
    return signs


def _idle(code: Code) -> tuple[list[Function], list[Function]]:
    """Functions that do no work, and those of them that are marked as not implemented."""
    idle = [function for function in code.functions if function.stub is not None]
    return idle, [function for function in idle if function.stub is Stub.UNFINISHED]


def _stubs(name: str, code: Code) -> list[Sign]:
    idle, unfinished = _idle(code)
    total = len(code.functions)
    many = 0 < len(idle) == total or (len(idle) >= 2 and 3 * len(idle) >= total)
    marked = len(unfinished) >= 2 and 5 * len(unfinished) >= total
    if not many and not marked:
        return []
    return [Sign(reason=f"has {len(idle)} of {total} functions that do no work", places=_places(name, idle))]


def hollow_sign(name: str, code: Code) -> Sign | None:
    """The sign that is enough by itself: most of the file is not implemented."""
    idle, unfinished = _idle(code)
    total = len(code.functions)
    if len(unfinished) >= 3 and 2 * len(unfinished) >= total:
        reason = f"has {len(unfinished)} of {total} functions marked as not implemented ({_names(unfinished)})"
        return Sign(reason=reason, places=_places(name, unfinished))
    if 0 < len(idle) == total and code.outside < _WORK_OUTSIDE:
        reason = f"has {total} function{'s' if total > 1 else ''}, and none does any work ({_names(idle)})"
        return Sign(reason=reason, places=_places(name, idle))
    return None


def _names(functions: list[Function]) -> str:
    names = ", ".join(f"{function.name}:{function.line}" for function in functions[:3])
    return names + (", ..." if len(functions) > 3 else "")


def _places(name: str, functions: list[Function]) -> tuple[Place, ...]:
    return tuple(
        Place(path=name, line=function.line, note=f"{function.name} {function.stub}")
        for function in functions[:MAX_PLACES]
    )
