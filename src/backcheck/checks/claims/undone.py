"""The rule of what was not done: a sentence that names the whole subject says so, plainly and about nothing less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from backcheck.checks.claims.asked import Asked
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import first_of, has, pattern, said_by
from backcheck.checks.claims.finding import Refuted, Rule
from backcheck.checks.claims.kinds import another_measure
from backcheck.checks.claims.sentences import Sentence
from backcheck.contract.claims import forbids

_UNSURE = (
    Cue.INSTRUCTION, Cue.QUESTION, Cue.QUOTE, Cue.EXAMPLE, Cue.HEDGE, Cue.CONDITION, Cue.CONTRAST, Cue.REFUSAL,
    Cue.SCOPE,
)  # fmt: skip
_OTHER_TIMES = re.compile(
    r"\b(?:before|until|by hand|manually|in the past|previously|earlier|because)\b|之前|以前|此前|人工|因为"
)
#: "that was not …", "未…的": the denial only describes something else.
_DESCRIBES = re.compile(r"\b(?:that|which|who|whose|any|every|all|those)\b[^,;]*$")
#: "in the client": it may well be done elsewhere.
_RESTRICTED = re.compile(r"\s*(?:in|on|for|by|with|under|at|here|there|as|from|to|via|through)\b")
_ELSEWHERE = (Cue.INSTRUCTION, Cue.CHANGE, Cue.AFTERWARDS, Cue.CONTRAST)


def refute(sentences: Sequence[Sentence], asked: Asked) -> Refuted | None:
    """A refutation where it is certain; none for a claim that forbids something, since its denial may be its proof."""
    if forbids(asked.claim) or first_of_claim(asked):
        return None
    hits = [s for s in sentences if asked.names_all(s.plain) and _says_so(s, asked)]
    if not hits:
        return None
    for sentence in sentences:
        if sentence in hits or sentence.heading:
            continue
        if asked.names_all(sentence.plain) or first_of(sentence, _ELSEWHERE, asked.plain) is not None:
            return None
    return Refuted(rule=Rule.UNDONE, sentence=hits[0], why="says that it was not done")


def first_of_claim(asked: Asked) -> bool:
    """Whether the claim itself denies, in words that `forbids` does not know."""
    return pattern(Cue.UNDONE).search(asked.plain) is not None


def _says_so(sentence: Sentence, asked: Asked) -> bool:
    match = pattern(Cue.UNDONE).search(sentence.plain)
    if match is None:
        return False
    before, behind = sentence.plain[: match.start()], sentence.plain[match.end() :]
    rest = replace(sentence, plain=f"{before} {behind}")
    if (
        first_of(rest, _UNSURE, asked.plain)
        or has(sentence, Cue.DOUBLE_NEGATION)
        or _OTHER_TIMES.search(sentence.plain)
    ):
        return False
    return not (
        _restricted(behind, asked)
        # What follows a semicolon may take it back.
        or sentence.plain.endswith(";")
        or "的" in re.split("[,。;]", behind)[0]
        or _DESCRIBES.search(before)
        or has(sentence, Cue.PLANNED)
        or another_measure(sentence.plain, asked.named, unnamed=True)
    )


def _restricted(behind: str, asked: Asked) -> bool:
    match = _RESTRICTED.match(behind)
    if match is None:
        return False
    words = re.findall(r"[a-z0-9'-]+", re.split("[,.;]", behind[match.end() :])[0])
    return not all(said_by(word, asked.named) or word in {"the", "a", "an"} for word in words)
