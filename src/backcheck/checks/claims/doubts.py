"""Why a text that is not refuted is no proof either: the words that a person has to weigh."""

from __future__ import annotations

from collections.abc import Sequence

from backcheck.checks.claims.asked import Asked
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import first_of, has
from backcheck.checks.claims.finding import Doubt
from backcheck.checks.claims.kinds import another_measure
from backcheck.checks.claims.sentences import Sentence

#: In the order in which a person should hear of them; what addresses the judge comes first, wherever it stands.
_WEIGHED: tuple[tuple[Cue, str], ...] = (
    (Cue.QUESTION, "question"), (Cue.QUOTE, "quote"), (Cue.EXAMPLE, "example"), (Cue.DOUBLE_NEGATION, "double-negation"),
    (Cue.NEGATION, "negation"), (Cue.HEDGE, "hedge"), (Cue.PLANNED, "planned"), (Cue.CONDITION, "condition"),
    (Cue.PAST, "superseded"), (Cue.SCOPE, "scope"), (Cue.CONTRAST, "contrast"),
)  # fmt: skip
_CUES = tuple(cue for cue, _ in _WEIGHED)


def doubts_of(sentences: Sequence[Sentence], asked: Asked) -> list[Doubt]:
    """All doubts, the gravest first; the last resort is that prose says it and proves nothing."""
    found = [
        Doubt(flag="instruction", why=Cue.INSTRUCTION.value, sentence=sentence)
        for sentence in sentences
        if has(sentence, Cue.INSTRUCTION, asked.plain)
    ]
    speaking = [sentence for sentence in sentences if asked.names_some(sentence.plain)]
    whole = [sentence for sentence in speaking if asked.names_all(sentence.plain)]
    if not speaking:
        return [*found, Doubt(flag="other-naming", why="does not use the words of the claim; it may use others, or be about "
                                                       "something else")]  # fmt: skip
    if not whole:
        found.append(Doubt(flag="wrong-subject", why="names only a part of what was asked", sentence=speaking[0]))
    found += _cues(whole, asked)
    plain = [sentence for sentence in whole if first_of(sentence, _CUES, asked.plain) is None]
    if plain:
        found.append(Doubt(flag="says-it", why="says it, and prose is no proof", sentence=plain[0]))
    return [*found, *_cues([sentence for sentence in speaking if sentence not in whole], asked)]


def _cues(sentences: Sequence[Sentence], asked: Asked) -> list[Doubt]:
    found = [
        Doubt(flag=flag, why=cue.value, sentence=s)
        for cue, flag in _WEIGHED
        for s in sentences
        if has(s, cue, asked.plain)
    ]
    for sentence in sentences:
        other = another_measure(sentence.plain, asked.named)
        if other:
            found.append(
                Doubt(flag="wrong-subject", why=f"speaks of “{other}”, which is not what was asked", sentence=sentence)
            )
    return found
