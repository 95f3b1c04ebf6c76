"""The rule of numbers: the text gives the number that was asked for, exactly and as it is now, and it misses its bound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from backcheck.checks.claims.asked import Asked, Bound
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import first_of
from backcheck.checks.claims.finding import Doubt, Refuted, Rule
from backcheck.checks.claims.kinds import another_measure
from backcheck.checks.claims.quantities import Quantity, quantities_for, replaces, unread
from backcheck.checks.claims.sentences import Sentence

#: Words by which the sentence's number may be none that was measured, of the whole, and of now.
_UNSURE = (
    Cue.INSTRUCTION, Cue.QUESTION, Cue.QUOTE, Cue.EXAMPLE, Cue.NEGATION, Cue.HEDGE, Cue.CONDITION, Cue.PLANNED,
    Cue.CONTRAST, Cue.SCOPE,
)  # fmt: skip
_OF_NOW = (Cue.PAST, Cue.WAS, Cue.CHANGE)
#: Words anywhere else in the text by which it may take the number back.
_ELSEWHERE = (Cue.INSTRUCTION, Cue.CHANGE, Cue.AFTERWARDS, Cue.PAST, Cue.EXAMPLE)

_AIMED = re.compile(r"(?:target|goal|aim|目标值?)\s*[:=是为]\s*\d[\d.]*\s*%?")


def refute(sentences: Sequence[Sentence], asked: Asked) -> Refuted | Doubt | None:
    """A refutation where it is certain, a doubt where numbers stand against each other, None where no number speaks."""
    bound = asked.bound
    if bound is None:
        return None
    numbers = {at: quantities_for(s.plain, bound, asked) for at, s in enumerate(sentences)}
    every = [(sentences[at], quantity) for at, found in numbers.items() for quantity in found]
    missing = [(s, quantity) for s, quantity in every if _misses(quantity, bound)]
    speaking = [at for at, found in numbers.items() if found and asked.names_all(sentences[at].plain)]
    # Counts may have to be added up.
    added = bound.unit.kind == "count" and len(every) > 1
    if not speaking or not (missing or added):
        return None
    if added or len(missing) < len(every) or any(unread(s.plain, bound.unit) for s in sentences):
        return Doubt(flag="conflict", why="gives numbers that do not agree", sentence=sentences[speaking[0]])
    telling = [at for at in speaking if any(quantity.attached for quantity in numbers[at])]
    if not telling:
        return None
    for at, sentence in enumerate(sentences):
        if at not in telling and first_of(sentence, _ELSEWHERE, asked.plain) is not None:
            return Doubt(
                flag="superseded", why="may be about another number than the one named before", sentence=sentence
            )
    for at in telling:
        sentence = sentences[at]
        cues = _UNSURE if replaces(sentence.plain) else (*_UNSURE, *_OF_NOW)
        measured = replace(sentence, plain=_AIMED.sub(" ", sentence.plain))
        if first_of(measured, cues, asked.plain) or another_measure(sentence.plain, asked.named, unnamed=True):
            return None
    sentence = sentences[telling[0]]
    quantity = [quantity for quantity in numbers[telling[0]] if quantity.attached][-1]
    return Refuted(rule=Rule.NUMBER, sentence=sentence, why=f"gives {quantity.shown}, and {bound.shown} is asked")


def _misses(quantity: Quantity, bound: Bound) -> bool:
    return quantity.sure and bool(quantity.readings) and not any(bound.holds(value) for value in quantity.readings)
