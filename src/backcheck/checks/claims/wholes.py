"""Rules of whole texts: all that a text says is announced, tells what something is about, or praises.

They refute only where every sentence is of such a kind; one that is not explained may hold the proof.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from backcheck.checks.claims.asked import Asked
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import first_of, has, has_in, pattern, said_by, words_of
from backcheck.checks.claims.finding import Refuted, Rule
from backcheck.checks.claims.sentences import Sentence
from backcheck.checks.words import PLACEHOLDER

_UNSURE = (Cue.INSTRUCTION, Cue.QUESTION, Cue.QUOTE, Cue.CONTRAST)
#: What somebody could look up: code, a path, a name of a test, a figure, words in quotes.
_CONCRETE = re.compile(r"`|[a-z0-9]_[a-z0-9]|\w\(|\)\.|://|[\w-]+/[\w-]+|\.[a-z]{1,4}\b|\d|[\"“「]|\$|=|#\d")
_CAMEL = re.compile(r"\b[A-Z]?[a-z]+[A-Z]\w*")
_ABOUT_TEXTS = re.compile(
    r"section|chapter|document|describ|explain|manual|readme|report|guide|page|changelog|overview|summar|文档|说明|手册|章|描述|介绍|指南"
)
_ABOUT_PLANS = re.compile(r"plan|schedul|roadmap|target|goal|backlog|todo|计划|排期|路线图|目标|待办")
#: A text that "describes what every one must do" may say that it is so.
_RULES = re.compile(r"\b(?:that|which|where|how|must|ha(?:s|ve) to|enforced)\b|必须|都要|如何|强制")
#: How many more words than the subject and the praise a praising sentence may hold.
_MAX_WORDS, _MAX_HAN = 3, 10
#: Where all that praises are words that may only describe a fact.
_MAX_WORDS_WEAK, _MAX_HAN_WEAK = 1, 4
#: Words by which a sentence tells how something is done.
_HOW = re.compile(
    r"\b(?:by|via|through|using|uses|calls?|into|before|after|inside|where)\b|先|才|再|之前|之后|由|调用|使用|采用|经过|写入|一旦"
)
_FILLER = frozenset(re.findall(
    r"\w+",
    "a an the of to in on at by for with and or is are be was were has have had been it its this that we i our all very as "
    "what anyone would ask about so more much than",
))  # fmt: skip
_WHY = {
    Rule.PLANNED: "announces it and does not say that it was done",
    Rule.MENTION: "tells what a text is about or what is usual, not what was done",
    Rule.VAGUE: "praises and names nothing that could be looked at",
}


def refute(sentences: Sequence[Sentence], asked: Asked) -> Refuted | None:
    """A refutation by the first sentence that speaks of the subject, where all sentences are of these kinds."""
    kinds: dict[int, Rule] = {}
    for at, sentence in enumerate(sentences):
        if sentence.heading and not re.search(r"\d", sentence.plain):
            continue
        rule = _kind(sentence, asked)
        rest = sentence if rule is not Rule.PLANNED else replace(sentence, plain=_without_plan(sentence))
        if rule is None or first_of(rest, _UNSURE, asked.plain) is not None:
            return None
        kinds[at] = rule
    speaking = [at for at in kinds if asked.names_some(sentences[at].plain)]
    if not speaking:
        return None
    first = speaking[0]
    return Refuted(rule=kinds[first], sentence=sentences[first], why=_WHY[kinds[first]])


def _kind(sentence: Sentence, asked: Asked) -> Rule | None:
    if _is_planned(sentence, asked):
        return Rule.PLANNED
    if _is_concrete(sentence, asked):
        return None
    if _is_mention(sentence, asked):
        return Rule.MENTION
    return Rule.VAGUE if _is_vague(sentence, asked) else None


def _is_planned(sentence: Sentence, asked: Asked) -> bool:
    if not has(sentence, Cue.PLANNED, asked.plain) or _ABOUT_PLANS.search(asked.plain):
        return False
    rest = _without_plan(sentence)
    return not (
        has_in(rest, Cue.DONE) or has_in(rest, Cue.CHANGE) or has_in(rest, Cue.RECURRING)
        or _denied(rest, asked) or re.search(r"^\W*(?:not|不|没)|不再|no longer", sentence.plain)
    )  # fmt: skip


def _without_plan(sentence: Sentence) -> str:
    return pattern(Cue.PLANNED).sub(" ", sentence.plain)


def _denied(rest: str, asked: Asked) -> bool:
    return any(not said_by(found, asked.plain) for found in words_of(rest, Cue.NEGATION))


def _is_mention(sentence: Sentence, asked: Asked) -> bool:
    if _ABOUT_TEXTS.search(asked.plain) or not has(sentence, Cue.MENTION, asked.plain):
        return False
    rest = pattern(Cue.MENTION).sub(" ", sentence.plain)
    return not (has_in(rest, Cue.DONE) or _denied(rest, asked) or _RULES.search(rest))


def _is_vague(sentence: Sentence, asked: Asked) -> bool:
    strong = has(sentence, Cue.PRAISE, asked.plain)
    weak = {found for found in words_of(sentence.plain, Cue.WEAK_PRAISE) if not said_by(found, asked.plain)}
    if not strong and len(weak) < 2:
        return False
    rest = pattern(Cue.WEAK_PRAISE).sub(" ", pattern(Cue.PRAISE).sub(" ", sentence.plain))
    if any(not said_by(found, asked.plain) for found in _HOW.findall(rest)):
        return False
    for cue in (Cue.HEDGE, Cue.CONDITION, Cue.PLANNED, Cue.CHANGE):
        if has(sentence, cue, asked.plain):
            return False
    if _denied(rest, asked):
        return False
    left = asked.without_names(rest)
    words = [word for word in re.findall(r"[a-z][a-z'-]+", left) if word not in _FILLER]
    most, most_han = (_MAX_WORDS, _MAX_HAN) if strong else (_MAX_WORDS_WEAK, _MAX_HAN_WEAK)
    return len(words) <= most and len(re.findall("[\u4e00-\u9fff]", left)) <= most_han


def _is_concrete(sentence: Sentence, asked: Asked) -> bool:
    """Whether a sentence holds something to look up that the claim does not hold as well."""
    named = asked.named
    if any(match[0].lower() not in named for match in _CAMEL.finditer(sentence.text)):
        return True
    rest = sentence.plain
    for token in sorted(set(re.findall(r"[a-z]*\d[\w.%-]*", named)), key=len, reverse=True):
        rest = rest.replace(token, " ")
    return _CONCRETE.search(rest) is not None or PLACEHOLDER.search(rest) is not None
