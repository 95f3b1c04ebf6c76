"""The lines that a change adds, file by file, for checks that judge only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backcheck.checks.api import Answer, Evidence
from backcheck.checks.changes import Change
from backcheck.checks.newlines import new_lines
from backcheck.checks.touched import bytes_before, bytes_of, touched
from backcheck.evidence.decode import decode, encoding_of
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_TEXT, size
from backcheck.evidence.reading import Unreadable

#: Bytes of all files together that are compared; what is left then is listed apart.
MAX_COMPARED = 256 * 1024 * 1024
_SAMPLE = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedLines:
    """Of one file: `rows` are all its lines, decoded; `numbers` (from 1, rising) those that the base did not have; `whole`
    says that the file itself is new."""

    rows: Sequence[str]
    numbers: Sequence[int]
    whole: bool = False

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Number and text of each added line."""
        return ((number, self.rows[number - 1]) for number in self.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """`files` by path from the repository's top; `apart` are changed paths that were not compared, each with why."""

    files: Mapping[str, AddedLines]
    apart: Mapping[str, str]


def added(evidence: Evidence, globs: Sequence[str] = ()) -> Added | Answer:
    """Added lines of every changed text file that `globs` name (from the contract's root; none: all of them).

    Or the answer to give where there is no base, it cannot be read, or the globs name no file at all. What counts as an
    added line is `newlines.new_lines`; a file with other line ends alone has none, a removed one is left out.
    """
    found = touched(evidence, globs)
    if isinstance(found, Answer):
        return found
    files: dict[str, AddedLines] = {}
    apart: dict[str, str] = {}
    room = MAX_COMPARED
    for path, change in found.paths.items():
        if change in (Change.REMOVED, Change.MODE):
            continue
        try:
            data = bytes_of(evidence, path, limit=min(MAX_TEXT, room))
            before = bytes_before(evidence, path)
        except Unreadable as error:
            full = room < MAX_TEXT and "limit" in str(error)
            apart[path] = f"was not reached: {size(MAX_COMPARED)} were compared" if full else str(error)
            continue
        except GitError as error:
            apart[path] = f"cannot be compared with the base: {error}"
            continue
        room -= len(data)
        if not is_text(data):
            apart[path] = "is no text"
        else:
            files[path] = _compared(before, data)
    return Added(files=files, apart=apart)


def _compared(before: bytes | None, data: bytes) -> AddedLines:
    text = decode(data)
    # Only what is text has lines to compare with.
    old = decode(before) if before is not None and is_text(before) else None
    rows = text.removesuffix("\n").split("\n") if text else []
    return AddedLines(rows=rows, numbers=sorted(new_lines(old, text)), whole=before is None)


def is_text(data: bytes) -> bool:
    """Whether bytes are text, as git tells it: by NUL near their start, if they are not UTF-16 or UTF-32."""
    return b"\0" not in data[:_SAMPLE] or encoding_of(data)[0] != "utf-8"
