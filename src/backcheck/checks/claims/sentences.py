"""A prose file as sentences: where each stands, as it was written, and in the form that the word lists are made for.

Lines of one paragraph are joined unless it is plain that they are apart: a sentence torn in two loses the word that
turns it round.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass

from backcheck.checks.words import plain

#: A longer text, in characters, is none that somebody wrote to be read.
MAX_LENGTH = 400_000
#: More sentences than this are not weighed; a person must look.
MAX_SENTENCES = 5_000
#: A longer sentence is none: a table, a log, a text without punctuation.
MAX_SENTENCE = 2_000
#: How much of a sentence a reason quotes, in characters.
SHOWN = 160

_HAN = re.compile("[㐀-䶿一-鿿豈-﫿]")
#: A dot ends a sentence only before white space; an abbreviation and a single letter do not.
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bca)(?<!\bno)(?<!\bapprox)(?<!\b[a-z])\.(?=[\s\"'”’)]*(?:\s|$))"
    r"|[!?;](?=\s|$|[\"'”’)])|[。！？；]",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\n[ \t]*(?:\n|(?=[-*+•#>|$]|\d{1,3}[.)、]\s|```|~~~|[\w /()-]{1,40}\s*[:=：|]\s*[-+~<>≥≤]?\s*\d))"
)
_HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s|={3,}|-{3,}|\*{3,}|```|~~~)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """`text` as written, on one line; `plain` folded, lower case and in simplified characters; `line` from 1."""

    text: str
    plain: str
    line: int
    heading: bool = False
    quoted: bool = False

    @property
    def shown(self) -> str:
        """The sentence as a reason quotes it."""
        cut = self.text if len(self.text) <= SHOWN else f"{self.text[:SHOWN].rstrip()}…"
        return f"“{printable(cut)}”"


def read_sentences(text: str) -> list[Sentence] | None:
    """The sentences of a text, in order; those that show nothing are left out. None where it is more than can be weighed."""
    if len(text) > MAX_LENGTH:
        return None
    cuts = sorted({0, len(text), *_ends(text), *(match.end() for match in _APART.finditer(text))})
    if len(cuts) > 2 * MAX_SENTENCES or any(len(text[a:b].strip()) > MAX_SENTENCE for a, b in itertools.pairwise(cuts)):
        return None
    found = []
    line, counted = 1, 0
    for start, end in itertools.pairwise(cuts):
        raw = text[start:end]
        first = start + len(raw) - len(raw.lstrip())
        line, counted = line + text.count("\n", counted, first), first
        words = " ".join(raw.split())
        folded = normal(words)
        if re.search(r"\w", folded):
            found.append(
                Sentence(
                    text=words,
                    plain=folded,
                    line=line,
                    heading=_HEADING.match(raw.lstrip("\n")) is not None,
                    quoted=words.startswith(">"),
                )
            )
    return found if len(found) <= MAX_SENTENCES else None


def printable(text: str) -> str:
    """A text in which nothing invisible is left that a terminal would obey; letters of all scripts stay."""
    return "".join(c if c.isprintable() else "�" for c in text)


def _ends(text: str) -> list[int]:
    ends = []
    for match in _END.finditer(text):
        end = match.end()
        while end < len(text) and text[end] in "\"'”’)）」』":
            end += 1
        ends.append(end)
    return ends


def normal(text: str) -> str:
    """Look-alikes and full-width signs folded, lower case, traditional characters as simplified ones."""
    folded = plain(text)
    return _simplifier()(folded) if _HAN.search(folded) else folded


@functools.cache
def _simplifier() -> Callable[[str], str]:
    import opencc

    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert
