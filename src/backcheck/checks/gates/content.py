"""Check `content`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import require_name
from backcheck.checks.prose import line_at, look, read_shown, visible
from backcheck.evidence.decode import fold
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.verdict import Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A file has its declared length, some of its keywords and none of its forbidden words.

    Words are searched as substrings in any case, so they work in Chinese too; `cat` is also found in `concatenate`. A
    length counts characters, not bytes, without white space around the text and without invisible characters; Chinese
    says the same in about a third of the characters that English takes, so set `min_length` by the language.

    Passes when: all criteria that are given hold: at least `min_length` characters, at least a third (rounded up) of the
        `keywords`, none of `forbidden`.
    Fails when: a forbidden word stands in the text, also behind invisible or look-alike characters; the text is shorter
        than `min_length`; the file is missing or holds nothing.
    Unclear when: only keywords are missing, since other words may say the same; the length is mostly white space; the file
        is no text, larger than 16 MiB or unreadable.
    Cost: reads one file; one search a word.
    Source: content-verify's per-file contracts (`minLen`, `keywords`, `noKeywords`); there one failure alone did not block.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "review.md", "forbidden": ["lgtm"]}, files={"review.md": "Everything is fine. LGTM.\n"}
    )

    file: str
    min_length: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] = 0
    keywords: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        require_name("file", self.file)
        if not (self.min_length or self.keywords or self.forbidden):
            raise ArgumentError(
                "file", "one of `min_length`, `keywords` and `forbidden` is needed; nothing would be checked"
            )
        for name, words in (("keywords", self.keywords), ("forbidden", self.forbidden)):
            if not all(visible(word) for word in words):
                raise ArgumentError(name, "a word is empty")

    def answer(self, evidence: Evidence) -> Answer:
        """Weigh the three criteria together."""
        text = read_shown(evidence, self.file)
        if isinstance(text, Answer):
            return text
        name = shown(self.file)
        plain = text.casefold()
        folded = "" if text.isascii() else fold(text).casefold()
        places, failures = self._forbidden(name, plain, folded)
        length = len(visible(text))
        if length < self.min_length:
            failures.append(f"holds {length:,} characters of at least {self.min_length:,}")
        missing = [
            word for word in self.keywords if word.casefold() not in plain and fold(word).casefold() not in folded
        ]
        found, needed = len(self.keywords) - len(missing), -(-len(self.keywords) // 3)
        few = f"holds {found} of {len(self.keywords)} keywords, and {needed} are asked" if found < needed else ""
        details = {"length": length, "missing": missing[:MAX_PLACES]}
        if failures:
            reason = f"{name} " + "; ".join([*failures, *([few] if few else [])])
            return failed(reason, where=places or (Place(path=name),), details=details,
                          remedy="Do what the requirement describes; words added for the check prove nothing.")  # fmt: skip
        if few:
            return unclear(f"{name} {few}; other words may say the same", blame=Blame.AGENT, where=(Place(path=name),),
                           remedy=f"Let a person look. Not found: {', '.join(missing[:5])}.", details=details)  # fmt: skip
        if 2 * look(text).shown < self.min_length:
            return unclear(f"{name} has its length by white space", blame=Blame.AGENT, where=(Place(path=name),),
                           remedy="Write the work itself into the file.", details=details)  # fmt: skip
        return passed(f"{name} meets its declared content", where=(Place(path=name),), details=details)

    def _forbidden(self, name: str, plain: str, folded: str) -> tuple[tuple[Place, ...], list[str]]:
        places: dict[tuple[int, str], Place] = {}
        said: list[str] = []
        for word in self.forbidden:
            hits = [(line, "") for line in _lines(plain, word.casefold())]
            if not hits and folded:
                hidden = "behind invisible or look-alike characters"
                hits = [(line, hidden) for line in _lines(folded, fold(word).casefold())]
            if hits:
                said.append(f"holds `{word}` on line {hits[0][0]}")
            for line, note in hits:
                places.setdefault((line, word), Place(path=name, line=line, note=note or f"`{word}`"))
        more = [f"and {len(said) - 5} more forbidden words"] if len(said) > 5 else []
        return tuple(places[key] for key in sorted(places))[:MAX_PLACES], said[:5] + more


def _lines(text: str, word: str) -> list[int]:
    """The lines on which a word stands, at most MAX_PLACES."""
    lines: list[int] = []
    at = text.find(word)
    while at >= 0 and len(lines) < MAX_PLACES:
        lines.append(line_at(text, at))
        end = text.find("\n", at + len(word))
        at = text.find(word, end) if end >= 0 else -1
    return lines
