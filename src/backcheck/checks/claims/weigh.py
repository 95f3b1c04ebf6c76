"""A text and what is asked of it → a refutation that is certain, or the doubts. There is no third answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backcheck.checks.claims import numbers, stale, undone, wholes
from backcheck.checks.claims.asked import Asked
from backcheck.checks.claims.doubts import doubts_of
from backcheck.checks.claims.finding import Doubt, Refuted
from backcheck.checks.claims.sentences import Sentence, read_sentences

#: Numbers and days first: they are the plainest reasons.
RULES: tuple[Callable[[Sequence[Sentence], Asked], Refuted | Doubt | None], ...] = (
    numbers.refute, stale.refute, undone.refute, wholes.refute,
)  # fmt: skip


def weigh(text: str, asked: Asked) -> Refuted | list[Doubt]:
    """The first certain refutation, else every doubt (never empty)."""
    sentences = read_sentences(text)
    if sentences is None:
        return [Doubt(flag="too-long", why="is longer than prose that can be weighed here")]
    doubts: list[Doubt] = []
    for rule in RULES:
        answer = rule(sentences, asked)
        if isinstance(answer, Refuted):
            return answer
        if answer is not None:
            doubts.append(answer)
    return [*doubts, *doubts_of(sentences, asked)]
