"""The rule of days: every day that the text names lies outside the days that were asked for."""

from __future__ import annotations

from collections.abc import Sequence

from backcheck.checks.claims.asked import Asked, Days
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import first_of
from backcheck.checks.claims.dates import Day, days_in, without_year
from backcheck.checks.claims.finding import Doubt, Refuted, Rule
from backcheck.checks.claims.kinds import another_measure
from backcheck.checks.claims.sentences import Sentence

_UNSURE = (
    Cue.QUESTION, Cue.QUOTE, Cue.EXAMPLE, Cue.HEDGE, Cue.CONDITION, Cue.PLANNED, Cue.CONTRAST,
    Cue.RECURRING, Cue.OTHER_EVENT, Cue.PAST,
)  # fmt: skip
_ELSEWHERE = (Cue.INSTRUCTION, Cue.RELATIVE_DAY, Cue.CHANGE)


def refute(sentences: Sequence[Sentence], asked: Asked) -> Refuted | Doubt | None:
    """A refutation where it is certain, a doubt where days stand against each other, None where no day speaks."""
    days = asked.days
    if days is None:
        return None
    found = {at: days_in(sentence.plain) for at, sentence in enumerate(sentences)}
    telling = [at for at, named in found.items() if named and asked.names_all(sentences[at].plain)]
    outside = [at for at in telling if any(_outside(day, days) for day in found[at])]
    if not outside:
        return None
    if not all(_outside(day, days) for named in found.values() for day in named):
        return Doubt(flag="conflict", why="names days that do not agree", sentence=sentences[outside[0]])
    for sentence in sentences:
        if without_year(sentence.plain) or first_of(sentence, _ELSEWHERE, asked.plain) is not None:
            return Doubt(flag="superseded", why="may speak of another day", sentence=sentence)
    for at in outside:
        if not all(_apart(sentences[at].plain, day, asked) for day in found[at]):
            return None
        if first_of(sentences[at], _UNSURE, asked.plain) or another_measure(
            sentences[at].plain, asked.named, unnamed=True
        ):
            return None
    sentence, day = sentences[outside[0]], found[outside[0]][0]
    return Refuted(rule=Rule.STALE, sentence=sentence,
                   why=f"is of {day.readings[0].isoformat()}, and {_shown(days)} is asked")  # fmt: skip


def _outside(day: Day, days: Days) -> bool:
    return not any(days.holds(reading) for reading in day.readings)


def _apart(plain: str, day: Day, asked: Asked) -> bool:
    """Whether the whole subject is named before the day, or none of it: between two names a day may be of one of them."""
    return asked.names_all(plain[: day.start]) or not any(name.search(plain[: day.start]) for name in asked.names)


def _shown(days: Days) -> str:
    parts = [f"{word} {day.isoformat()}" for word, day in (("not before", days.first), ("not after", days.last)) if day]
    return " and ".join(parts)
