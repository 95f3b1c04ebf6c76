"""Warnings about single patterns: what they match that they should not, and what no pattern should be asked."""

from __future__ import annotations

from collections.abc import Iterator

from backcheck.contract import claims, hazards
from backcheck.contract.patterntree import Look, walk
from backcheck.contract.patternuse import PatternRunner, PatternUse, has_words, matched_samples
from backcheck.contract.phrases import DENIALS, HARMLESS, fill
from backcheck.contract.samples import Sample, samples
from backcheck.contract.synonyms import completed
from backcheck.contract.warning import LintWarning


def lint_pattern(use: PatternUse, runner: PatternRunner) -> Iterator[LintWarning]:
    """Every warning about one pattern."""
    if use.tree() is None:
        yield _warn(use, "pattern-unread", "its groups are nested too deep to be looked at; write it plainly")
        return
    found = matched_samples(use, runner)
    yield from _numbers_and_formats(use, found)
    if use.wanted:
        yield from _denied(use, found, runner)
    else:
        yield from _trap(use, found, runner)
    yield from _slow(use, runner)


def holds_number(use: PatternUse) -> bool:
    """Whether the pattern is about a number, outside dates, versions and the like."""
    tree = use.tree()
    if tree is None:
        return False
    return claims.numbers_as_alternatives(tree) or any(claims.number_in(sample) for sample in samples(tree))


def _warn(use: PatternUse, rule: str, message: str, route: str = "") -> LintWarning:
    return LintWarning(rule=rule, requirement=use.requirement, position=use.position, message=message, route=route)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:100]}…”" if len(line) > 100 else f"“{line}”"


def _numbers_and_formats(use: PatternUse, found: list[Sample]) -> Iterator[LintWarning]:
    """A wanted number or format; of what is forbidden only a counted thing (`[1-9]\\d* failed`) is meant."""
    tree = use.tree()
    if tree is None:
        return
    made = samples(tree)
    shape = next(filter(None, map(claims.format_in, made)), "")
    counted = any(claims.QUANTITY.search(sample.text) for sample in made)
    if use.wanted and shape:
        yield _warn(use, "format-by-pattern", f"{shape} is matched by a pattern; a parser reads it exactly", "schema")
    if not (holds_number(use) if use.wanted else counted):
        return
    yield _warn(use, "number-by-pattern", "a number is matched by a pattern, which cannot compare: "
                "it takes 900 for 90, an old value for the new one, or misses a decimal", "metric")  # fmt: skip
    without = next((s for s in found if not any(c.isdigit() for c in s.text)), None)
    if use.wanted and without is not None:
        yield _warn(use, "number-optional", f"the number is optional: {_quoted(without.text)} alone matches", "metric")


def _denied(use: PatternUse, found: list[Sample], runner: PatternRunner) -> Iterator[LintWarning]:
    """Run the pattern on denials of what it looks for."""
    tree = use.tree()
    look = any(isinstance(node, Look) and node.negative for node in walk(tree)) if tree else False
    worded = next((sample for sample in found if has_words(sample)), None)
    got_through: list[str] = []
    if worded is not None:
        whole = completed(worded.text)
        words = whole if runner.finds(use, whole) else worded.text
        denials = [fill(template, words) for template in DENIALS]
        got_through = [denial for denial in denials if runner.finds(use, denial)]
        if got_through and not look:
            yield _warn(use, "matches-denial", f"it matches what denies it, too: {_quoted(got_through[0])} "
                        f"({len(got_through)} of {len(denials)} denials tried)", "human")  # fmt: skip
    if look:
        proof = f"{_quoted(got_through[0])} still matches" if got_through else "another wording gets past it"
        yield _warn(use, "lookahead-no-cure", f"a negative look-around is no cure for denials: {proof}", "human")


def _trap(use: PatternUse, found: list[Sample], runner: PatternRunner) -> Iterator[LintWarning]:
    """A forbidden word that harmless sentences hold: `no` stands in `Node`, `不` in `不低于`."""
    if not any(c.isalpha() for sample in found for c in sample.written()):
        return
    hits = [text for text in HARMLESS if runner.finds(use, text)]
    if hits:
        yield _warn(use, "polarity-trap", f"it forbids harmless text, too: {_quoted(hits[0])} matches; "
                    "polarity is a field (`file-contains` or `file-lacks`), not a word in the text")  # fmt: skip


def _slow(use: PatternUse, runner: PatternRunner) -> Iterator[LintWarning]:
    tree = use.tree()
    if tree is None:
        return
    slow = hazards.try_to_stall(use, runner)
    structure = hazards.nested_repetition(tree)
    if slow is not None:
        yield _warn(use, "catastrophic-pattern", f"{slow.length} characters ({slow.copies} times "
                    f"{_quoted(slow.unit)}) made it run out of time; {structure or 'write it without look-around'}")  # fmt: skip
    elif structure:
        here = "backcheck runs it in linear time, other tools can hang on it"
        yield _warn(use, "catastrophic-pattern",
                    f"{structure}; {here if runner.is_linear(use) else 'no text tried made it slow'}")  # fmt: skip
