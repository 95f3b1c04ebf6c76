"""How far a keyword pattern is from what it stands for: sentences made by rule, run through it, both errors counted.

True sentences say the same in other words; a pattern that misses one would send finished work back. Untrue ones deny,
plan, excuse, quote or ask; a pattern that matches one would let unfinished work pass. The sentences come from the
contract alone (the pattern's own words and the requirement's description), never from evidence, and no network is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backcheck.contract.model import Contract
from backcheck.contract.patternuse import PatternRunner, PatternUse, has_words, matched_samples, pattern_uses
from backcheck.contract.phrases import TRUE_CHINESE, TRUE_ENGLISH, UNTRUE, fill
from backcheck.contract.samples import Sample
from backcheck.contract.synonyms import completed, is_chinese, rewordings

#: How many of a pattern's own texts are tried, and how many examples a report shows.
MAX_WORDINGS = 2
MAX_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """`k` of `n` sentences went wrong; some of them as examples."""

    k: int = 0
    n: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One pattern's two errors: true sentences `missed`, untrue ones `matched`, these by kind as well.

    `skipped` says why nothing was tried; the counts are then 0 of 0.
    """

    use: PatternUse
    missed: Count = Count()
    matched: Count = Count()
    by_kind: dict[str, Count] = field(default_factory=dict)
    skipped: str = ""


def measure_drift(contract: Contract, runner: PatternRunner) -> tuple[Drift, ...]:
    """One answer for every pattern whose match is wanted, in the order of the contract."""
    return tuple(
        _measure(use, requirement.description, runner)
        for requirement in contract.requirements
        for use in pattern_uses(requirement)
        if use.wanted
    )


def true_sentences(words: str, description: str = "") -> list[str]:
    """Sentences that say what the words say, without the words as they stand."""
    found = [description.strip(), f"Done: {description.strip()}"] if description.strip() else []
    for number, wording in enumerate(rewordings(words)):
        # One sentence a wording: four around the same words would only count one error four times.
        templates = TRUE_CHINESE if is_chinese(wording) else TRUE_ENGLISH
        found.append(fill(templates[number % len(templates)], wording))
    return list(dict.fromkeys(found))


def untrue_sentences(words: str, description: str = "") -> dict[str, list[str]]:
    """Sentences of each kind that hold the words and do not say that it was done."""
    return {
        kind: list(dict.fromkeys(fill(template, words, description.strip()) for template in templates))
        for kind, templates in UNTRUE.items()
    }


def _measure(use: PatternUse, description: str, runner: PatternRunner) -> Drift:
    worded = [sample for sample in matched_samples(use, runner) if has_words(sample)]
    if not worded:
        return Drift(use=use, skipped="it writes out no word of three letters, or no text was found that it matches")
    true: list[str] = []
    untrue: dict[str, list[str]] = {}
    for sample in _apart(worded):
        whole = completed(sample.text)
        words = whole if runner.finds(use, whole) else sample.text
        true += true_sentences(words, description)
        for kind, sentences in untrue_sentences(words, description).items():
            untrue.setdefault(kind, []).extend(sentences)
    slow: list[str] = []
    missed = _count(use, true, runner, False, slow)
    by_kind = {kind: _count(use, sentences, runner, True, slow) for kind, sentences in untrue.items()}
    if slow:
        return Drift(use=use, skipped=f"it ran out of time on “{slow[0][:60]}”")
    matched = Count(
        k=sum(count.k for count in by_kind.values()),
        n=sum(count.n for count in by_kind.values()),
        examples=tuple(count.examples[0] for count in by_kind.values() if count.examples)[:MAX_EXAMPLES],
    )
    return Drift(use=use, missed=missed, matched=matched, by_kind=by_kind)


def _apart(worded: Sequence[Sample]) -> list[Sample]:
    """The first sample and one that starts with another word, if there is one: an alternative, not a spelling."""
    first = worded[0]
    others = [sample for sample in worded[1:] if sample.text.split()[:1] != first.text.split()[:1]] or list(worded[1:])
    return [first, *others[: MAX_WORDINGS - 1]]


def _count(use: PatternUse, sentences: Sequence[str], runner: PatternRunner, wrong: bool, slow: list[str]) -> Count:
    """How many of the distinct sentences got the answer that is wrong for them."""
    bad: list[str] = []
    distinct = list(dict.fromkeys(sentences))
    for sentence in distinct:
        if slow:
            break
        answer = runner.finds(use, sentence)
        if answer is None:
            slow.append(sentence)
        elif answer is wrong:
            bad.append(sentence)
    return Count(k=len(bad), n=len(distinct), examples=tuple(bad[:MAX_EXAMPLES]))
