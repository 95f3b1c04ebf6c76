"""Check `says`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.bounds import Number, bound
from backcheck.checks.canary import Canary
from backcheck.checks.claims.asked import Asked, Bound, Days, name_pattern, terms_of
from backcheck.checks.claims.finding import Doubt, Refuted
from backcheck.checks.claims.reading import bound_of, claim_part, days_of
from backcheck.checks.claims.sentences import normal
from backcheck.checks.claims.units import unit_of
from backcheck.checks.claims.weigh import weigh
from backcheck.checks.files import require_name
from backcheck.checks.prose import read_shown
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.numerals import written
from backcheck.verdict import Blame, Channel, Place, Provenance

_REMEDY = "Do the work, and let a tool's own report or a run show it; another wording of this file settles nothing."
_ASK = "Let a person look, or ask by a check that reads what a tool reports."
_BOUNDS = {"at_least": (True, False), "above": (True, True), "at_most": (False, False), "below": (False, True)}
#: How many doubts a reason names.
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A text that somebody wrote is plainly no proof of a claim, or a person has to read it.

    Prose is never accepted: words can be made to say anything, and every rule that let prose pass was broken by one word.
    It can only be refuted, and only where that is certain. English and Chinese (simplified and traditional), also mixed.

    `claim` is the sentence to be shown. `subject` names what a text must speak of: each entry a name or a list of names
    of which one must stand in the sentence (Latin ones from the start of a word, so `invalidat` will do); without it, the
    claim's own words count. A bound (`at_least`, `above`, `at_most`, `below`, with `unit`) and days (`not_before`,
    `not_after`) are read from the claim where they are not given; an age in the claim counts from `as_of`.

    Passes when: never.
    Fails when: a number of now, for the whole subject, misses the bound, and no other number stands against it; every day
        that the text names is too early or too late; a sentence says of the whole subject that it was not done; or all that
        the text says is announced, only tells what a text is about or what is usual, or praises without anything to look
        at; or the file is missing or holds nothing.
    Unclear when: all else, with its flag: it gives orders to whoever judges, denies, denies twice, is not sure, asks, quotes
        (the task, an example), speaks of a condition, of an earlier state, of a part, of another measure, in other words,
        or in numbers that do not agree; or it says it, which is no proof. Texts of more than 400,000
        characters or 5,000 sentences, and files that are no text, larger than 16 MiB or unreadable, are unclear as well.
    Cost: reads one file; some milliseconds a page, some seconds for the longest text.
    Source: own; what rules can and cannot say about prose was measured on labelled texts (`bench/says.py`).
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "report.md", "claim": "Line coverage is at least 85 %", "subject": ["coverage"]},
        files={"report.md": "The change is in place.\n\nLine coverage: 72.3 %\n"},
    )

    file: str
    claim: str
    subject: list[str | list[str]] = field(default_factory=list)
    at_least: Number | None = None
    above: Number | None = None
    at_most: Number | None = None
    below: Number | None = None
    unit: str = ""
    not_before: str = ""
    not_after: str = ""
    as_of: str = ""

    def __post_init__(self) -> None:
        require_name("file", self.file)
        if not re.search(r"\w", self.claim):
            raise ArgumentError("claim", "it says nothing; nothing would be checked")
        for group in self._groups():
            if not group or not all(re.search(r"\w", name) for name in group):
                raise ArgumentError("subject", "a name is empty")
        if not self.subject and not terms_of(self.claim):
            raise ArgumentError("claim", "it has no word to search for; name the subject by `subject`")
        self._bound()
        days = self._days()
        if days and days.first and days.last and days.first > days.last:
            raise ArgumentError("not_before", "it lies after `not_after`")

    def _groups(self) -> list[list[str]]:
        return [[entry] if isinstance(entry, str) else entry for entry in self.subject]

    def _bound(self) -> Bound | None:
        given = {name: getattr(self, name) for name in _BOUNDS if getattr(self, name) is not None}
        if len(given) > 1:
            raise ArgumentError(
                next(reversed(given)), "one bound is enough; ask for a second one by a second requirement"
            )
        if not given:
            if self.unit:
                raise ArgumentError("unit", "there is no bound that it could belong to")
            return bound_of(self.claim)
        name, number = next(iter(given.items()))
        floor, strict = _BOUNDS[name]
        value, unit = bound(name, number), unit_of(normal(self.unit))
        return Bound(floor=floor, strict=strict, value=value * unit.scale, unit=unit,
                     shown=claim_part(floor, strict, written(value), self.unit))  # fmt: skip

    def _days(self) -> Days | None:
        first, last, anchor = (_day(name, getattr(self, name)) for name in ("not_before", "not_after", "as_of"))
        if first or last:
            return Days(first=first, last=last)
        return days_of(self.claim, anchor)

    def _asked(self) -> Asked:
        groups = tuple(tuple(name_pattern(name) for name in group) for group in self._groups())
        plain = normal(self.claim)
        named = " ".join([plain, *(normal(name) for group in self._groups() for name in group)])
        return Asked(claim=self.claim, plain=plain, named=named, groups=groups, terms=terms_of(self.claim),
                     bound=self._bound(), days=self._days())  # fmt: skip

    def answer(self, evidence: Evidence) -> Answer:
        """Refute the text, or say what a person has to weigh."""
        text = read_shown(evidence, self.file)
        if isinstance(text, Answer):
            return text
        name = shown(self.file)
        said = weigh(text, self._asked())
        if isinstance(said, Refuted):
            sentence = said.sentence
            return failed(f"{name}:{sentence.line} {said.why}: {sentence.shown}", remedy=_REMEDY,
                          where=(Place(path=name, line=sentence.line, note=said.rule.value),),
                          details={"rule": said.rule.value})  # fmt: skip
        return _person(name, said)


def _person(name: str, doubts: list[Doubt]) -> Answer:
    told: dict[str, Doubt] = {}
    for doubt in doubts:
        told.setdefault(doubt.flag, doubt)
    sentences = []
    for doubt in list(told.values())[:_NAMED]:
        where = f"{name}:{doubt.sentence.line}" if doubt.sentence else name
        sentences.append(f"{where} {doubt.why}" + (f": {doubt.sentence.shown}" if doubt.sentence else ""))
    places = dict.fromkeys(
        Place(path=name, line=doubt.sentence.line if doubt.sentence else 0, note=doubt.flag) for doubt in doubts
    )
    return unclear("; ".join(sentences), blame=Blame.AGENT, remedy=_ASK, where=tuple(places)[:MAX_PLACES],
                   details={"flags": list(told)})  # fmt: skip


def _day(field: str, text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentError(field, f"`{text}` is no day as in 2026-11-30") from None
