"""What a parser says of one file of code: its functions, its comments and whether it does anything; values only."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum

from backcheck.checks.code.marks import LICENCE
from backcheck.evidence.limits import size

#: Code beyond this is not parsed (bytes of UTF-8); at this size a parse takes seconds and hundreds of megabytes.
MAX_CODE = 8 * 1024 * 1024
#: Nor is code of more signs than this (all but letters, digits and blanks): a parser keeps a node for most of them.
_SIGN = re.compile(r"[^\w \t]")
#: A licence starts within this many lines.
_TOP = 30


class Unparsed(Exception):
    """The file could not be parsed; the text says why, in words that follow the file's name."""


class Stub(StrEnum):
    """Why a function holds no work."""

    UNFINISHED = "is marked as not implemented"
    EMPTY = "has an empty body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function or method; `line` counts from 1."""

    name: str
    line: int
    stub: Stub | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment with its marks; `alone` where nothing but comments stands on its lines."""

    line: int
    last_line: int
    column: int
    text: str
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One parsed file.

    `functions` leaves out what only declares (overloads, abstract methods, interfaces: counted by `declared`), what a
    base class leaves to its subclasses (`deferred`) and callbacks that do nothing on purpose. `work` counts statements
    that do something, wherever they stand; `outside` those of them that stand in no function; `imports` (and
    re-exports) are apart. `lines` are not blank and `comment_lines` hold comments only; a licence at the top is in
    neither. `docs` are docstrings.
    """

    functions: tuple[Function, ...]
    declared: int
    deferred: int
    comments: tuple[Comment, ...]
    docs: tuple[Comment, ...]
    lines: int
    comment_lines: int
    work: int
    outside: int
    imports: int


def check_size(text: str, most_signs: int) -> None:
    """Refuse code whose parse would take too much time or memory. Errors: Unparsed."""
    length = len(text.encode("utf-8", "replace"))
    if length > MAX_CODE:
        raise Unparsed(f"holds {size(length)} of code; the limit for parsing is {size(MAX_CODE)}")
    if len(text) > most_signs and (signs := sum(1 for _ in _SIGN.finditer(text))) > most_signs:
        raise Unparsed(f"holds {signs:,} signs of code; the limit for parsing is {most_signs:,}")


def comments_between(comments: tuple[Comment, ...], first: int, last: int) -> tuple[Comment, ...]:
    """The comments that start on lines `first` to `last`; `comments` are in order."""
    low = bisect_left(comments, first, key=lambda comment: comment.line)
    high = bisect_left(comments, last + 1, key=lambda comment: comment.line)
    return comments[low:high]


def licence_lines(comments: tuple[Comment, ...]) -> int:
    """How many lines near the top hold nothing but a licence."""
    blocks: list[list[Comment]] = []
    for comment in comments:
        if comment.line > _TOP and not (blocks and comment.line == blocks[-1][-1].last_line + 1):
            break
        if comment.alone:
            if blocks and comment.line == blocks[-1][-1].last_line + 1:
                blocks[-1].append(comment)
            else:
                blocks.append([comment])
    return sum(
        sum(1 for comment in block for line in comment.text.split("\n") if line.strip())
        for block in blocks
        if any(LICENCE.search(comment.text.lower()) for comment in block)
    )
