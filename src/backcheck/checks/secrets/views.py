"""The forms in which a text is searched: as it lies there, as a reader sees it, its quoted pieces joined, its archives opened."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from backcheck.checks.secrets.detector import TIMEOUT
from backcheck.evidence.decode import decode, fold
from backcheck.evidence.limits import MAX_TEXT

#: Two quoted pieces of a token, side by side or added to each other.
_JOIN = re.compile(rb"(?<=[\w\-/+=]{4})[\"'`]\s*(?:\+|\.{1,2}|&|\|\||<<|\\)?\s*[rbfuRBFU]?[\"'`](?=[\w\-/+=]{4})")
#: The same for RE2, which has no look-around: a quick first question.
_JOIN_PROBE = r"[\w\-/+=]{4}[\"'`]\s*(?:\+|\.{1,2}|&|\|\||<<|\\)?\s*[rbfuRBFU]?[\"'`][\w\-/+=]{4}"
_ARCHIVES = {
    b"PK\x03\x04": ".zip",
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"7z\xbc\xaf": ".7z",
}
_MARKS = tuple(_ARCHIVES)
_OPENED = frozenset({".zip", ".gz", ".bz2", ".xz", ".tar"})
#: What one archive may unfold to.
MAX_UNFOLDED = 64 * 1024 * 1024
MAX_ENTRIES = 5_000
_DEPTH = 2


class View(NamedTuple):
    """A form of a text; `line` gives the line of the file for an offset into `data`, `how` says what was done."""

    data: bytes
    how: str = ""
    line: Callable[[int], int] | None = None


class Unopened(Exception):
    """An archive that could not be opened whole; the text says why, in words that follow the file's name."""


def views(data: bytes) -> Iterator[View]:
    """The forms of a file's bytes, the plain one first; archives apart."""
    yield View(data)
    if len(data) > MAX_TEXT:
        return
    plain = data
    if not data.isascii() and b"\0" not in data[:8192]:
        text = decode(data)
        folded = fold(text)
        if folded != text:
            plain = folded.encode("utf-8", "replace")
            yield View(plain, "behind invisible or look-alike characters")
    if _probe()(plain):
        joined, line = _joined(plain)
        if joined != plain:
            yield View(joined, "in pieces", line)


def _probe() -> Callable[[bytes], bool]:
    from backcheck.evidence.patterns import compile_pattern

    global _PROBE
    if _PROBE is None:
        _PROBE = compile_pattern(_JOIN_PROBE).may_match
    return _PROBE


_PROBE: Callable[[bytes], bool] | None = None


def _joined(data: bytes) -> tuple[bytes, Callable[[int], int]]:
    """The data without what parts two pieces, and the line of the original for an offset into it."""
    parts: list[bytes] = []
    starts, shifts = [0], [0]
    at = length = dropped = 0
    for match in _JOIN.finditer(data):
        piece = data[at : match.start()]
        parts.append(piece)
        length += len(piece)
        dropped += match[0].count(b"\n")
        starts.append(length)
        shifts.append(dropped)
        at = match.end()
    joined = b"".join([*parts, data[at:]])
    return joined, lambda offset: joined.count(b"\n", 0, offset) + 1 + shifts[bisect_right(starts, offset) - 1]


def suffix_of_archive(data: bytes) -> str:
    """The suffix that names what kind of archive or compressed stream bytes start as; empty for none."""
    if data[257:262] == b"ustar":
        return ".tar"
    return (
        next((suffix for mark, suffix in _ARCHIVES.items() if data.startswith(mark)), "")
        if data.startswith(_MARKS)
        else ""
    )


def unfolded(data: bytes) -> list[tuple[str, bytes]]:
    """Names and contents of an archive, and of archives in it; nothing for what is none. Errors: Unopened."""
    suffix = suffix_of_archive(data)
    if not suffix:
        return []
    from kingfisher_sdk import ScanInput, expand_archives

    if suffix not in _OPENED:
        raise Unopened(f"is an archive ({suffix}) of a kind that is not opened here")
    source = ScanInput(path=f"archive{suffix}", data=data)
    try:
        inside = list(
            expand_archives([source], depth=_DEPTH, max_bytes=MAX_UNFOLDED, max_entries=MAX_ENTRIES, timeout=TIMEOUT)
        )
    except (RuntimeError, ValueError, OSError, TimeoutError) as error:
        raise Unopened(f"is an archive that could not be opened: {error}"[:200]) from None
    found = [
        (item.path.partition("!")[2], item.data)
        for item in inside
        if item.data is not None and item.path != source.path
    ]
    # A compressed tape archive comes out as one stream without a name to tell what it is.
    more = [pair for name, content in found if suffix_of_archive(content) == ".tar" for pair in unfolded(content)]
    return [*found, *more]
