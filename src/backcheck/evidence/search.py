"""Searching one file's content for patterns that must not be there, by line, folded, in windows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from backcheck.evidence.decode import as_javascript_reads, encoding_of, fold, to_search_bytes
from backcheck.evidence.globs import Globs
from backcheck.evidence.limits import MAX_PLACES, OVERLAP
from backcheck.evidence.patterns import Pattern


class Search(NamedTuple):
    """One pattern over the files of some globs. `key` names it for the cache; `ignored` looks into ignored files too."""

    key: str
    globs: Globs
    pattern: Pattern
    ignored: bool = False


class Hit(NamedTuple):
    """A line (from 1) that matches; `hidden` where only its folded form does."""

    line: int
    hidden: bool = False


def is_plain(data: bytes) -> bool:
    """Whether bytes are searched as they are: ASCII, no NUL, LF line ends."""
    return data.isascii() and b"\r" not in data and b"\0" not in data


def search_text(pattern: Pattern, data: bytes, *, first_line: int = 1) -> list[Hit]:
    """Lines of a file's bytes that match, raw or folded; at most MAX_PLACES. Errors: PatternTimeout."""
    plain = to_search_bytes(data)
    shift = first_line - 1
    lines = pattern.matching_lines(plain, limit=MAX_PLACES)
    if pattern.sees_cr and not is_plain(data) and (raw := as_javascript_reads(data)) != plain:
        lines = sorted({*lines, *pattern.matching_lines(raw, limit=MAX_PLACES)})[:MAX_PLACES]
    hits = [Hit(line + shift) for line in lines]
    if plain.isascii() or len(hits) >= MAX_PLACES:
        return hits
    text = plain.decode("utf-8", "replace")
    folded = fold(text)
    if folded == text:
        return hits
    known = set(lines)
    more = pattern.matching_lines(folded.encode("utf-8", "replace"), limit=MAX_PLACES)
    return sorted([*hits, *(Hit(n + shift, hidden=True) for n in more if n not in known)], key=lambda h: h.line)


def search_windows(patterns: list[Pattern], pieces: Iterable[bytes]) -> list[list[Hit]]:
    """As `search_text`, over a file that comes in pieces; a match is lost only if it is longer than OVERLAP."""
    found: list[list[Hit]] = [[] for _ in patterns]
    for text, first_line in _line_windows(pieces):
        for hits, pattern in zip(found, patterns, strict=True):
            if len(hits) < MAX_PLACES:
                seen = {hit.line for hit in hits}
                hits += [hit for hit in search_text(pattern, text, first_line=first_line) if hit.line not in seen]
    return [hits[:MAX_PLACES] for hits in found]


def _line_windows(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Pieces cut at line ends (or overlapping where a line is too long), with the number of their first line."""
    rest = b""
    line = 1
    for text in _as_utf8(pieces):
        text = rest + text
        cut = text.rfind(b"\n") + 1
        if cut:
            yield text[:cut], line
            line += text.count(b"\n", 0, cut)
            rest = text[cut:]
        else:
            yield text, line
            rest = text[-OVERLAP:]
        if len(rest) > 4 * OVERLAP:
            yield rest, line
            rest = rest[-OVERLAP:]
    if rest:
        yield rest, line


def _as_utf8(pieces: Iterable[bytes]) -> Iterator[bytes]:
    import codecs

    decoder = None
    for number, piece in enumerate(pieces):
        if number == 0:
            name, skip = encoding_of(piece)
            # The mark of UTF-8 stays: `search_text` looks at the text with and without it.
            if name != "utf-8":
                piece = piece[skip:]
                decoder = codecs.getincrementaldecoder(name)("replace")
        yield decoder.decode(piece).encode("utf-8", "replace") if decoder else piece
