"""Bytes → text by a stated policy, and the folding that negative gates search as well.

Policy: a byte order mark decides (UTF-8, UTF-16, UTF-32); without one, text in which every second byte is NUL is
UTF-16; all else is UTF-8, with undecodable bytes kept as U+FFFD. Line ends CRLF and CR become LF.
"""

from __future__ import annotations

import codecs
import functools
import unicodedata

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 4096


def encoding_of(data: bytes) -> tuple[str, int]:
    """The encoding by the policy above, and how many bytes of mark stand before the text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    sample = data[:_SAMPLE]
    if len(sample) >= 8 and b"\0" in sample:
        even, odd = sample[0::2], sample[1::2]
        if odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.05 * len(even):
            return "utf-16-le", 0
        if even.count(0) > 0.4 * len(even) and odd.count(0) < 0.05 * len(odd):
            return "utf-16-be", 0
    return "utf-8", 0


def decode(data: bytes) -> str:
    """The text of a file's bytes; never raises."""
    name, skip = encoding_of(data)
    return unify_line_ends(data[skip:].decode(name, "replace"))


def unify_line_ends(text: str) -> str:
    """CRLF, lone CR and Unicode's line and paragraph separators → LF."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u2028", "\n").replace("\u2029", "\n") if "\u2028" in text or "\u2029" in text else text


def to_search_bytes(data: bytes) -> bytes:
    """UTF-8 bytes with LF line ends, ready for a linear search; quick for plain ASCII."""
    if data.isascii() and b"\0" not in data:
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    return decode(data).encode("utf-8", "replace")


def as_javascript_reads(data: bytes) -> bytes:
    """A file taken as UTF-8 whatever it is, with its byte order mark and its line ends, as JavaScript reads it."""
    return data.decode("utf-8", "replace").encode("utf-8")


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing: white space of any kind, NUL, and characters that do not show."""
    if text.isascii():
        return not text.strip("\0 \t\n\v\f\r\x1c\x1d\x1e\x1f")
    return not text.translate(_invisible()).replace("\0", "").strip()


def fold(text: str) -> str:
    """What a reader sees: invisible characters dropped, compatibility forms composed, look-alikes made Latin.

    Line ends stay, so line numbers hold.
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text).translate(_invisible())
    return plain if plain.isascii() else plain.translate(_look_alikes())


@functools.cache
def _invisible() -> dict[int, None]:
    """Format characters, variation selectors and fillers that show nothing."""
    ranges = [
        (0xAD, 0xAD),
        (0x334, 0x338),
        (0x34F, 0x34F),
        (0x61C, 0x61C),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
    ]
    ranges += [(0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F)]
    ranges += [(0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]
    return {code: None for low, high in ranges for code in range(low, high + 1)}


@functools.cache
def _look_alikes() -> dict[int, str]:
    """Characters that look like an ASCII letter or digit, by Unicode's confusables table."""
    from confusable_homoglyphs import confusables

    table: dict[int, str] = {}
    for character, entries in confusables.confusables_data.items():
        if len(character) != 1 or character.isascii() or not character.isalnum():
            continue
        latin = next((e["c"] for e in entries if len(e["c"]) == 1 and e["c"].isascii() and e["c"].isalnum()), None)
        if latin:
            table[ord(character)] = latin
    return table
