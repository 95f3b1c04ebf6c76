"""What a valid contract asks badly: every warning has a place, a reason and the check that would settle it better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from backcheck.contract.claims import QUANTITY, ROUTES, Claim, claim_of, forbids
from backcheck.contract.lintwhole import WEAKEST, lint_whole
from backcheck.contract.model import Contract, Requirement
from backcheck.contract.patternlint import holds_number, lint_pattern
from backcheck.contract.patternuse import PatternRunner, PatternUse, matched_samples, pattern_uses
from backcheck.contract.shellread import why_it_cannot_fail
from backcheck.contract.warning import LintWarning

#: Checks that read what somebody wrote about the work.
TEXT_CHECKS = frozenset({"file-contains", "content", "evidence", "file-exists", "not-empty"})

_SAID = {
    Claim.NUMBER: "a number is claimed, but nothing compares it",
    Claim.FORMAT: "a format is claimed, but nothing parses it",
    Claim.RUN: "what a run shows is taken from a text; let backcheck run it and read its report",
    Claim.MEANING: "words found in a text do not show what it means; ask a person",
    Claim.BEHAVIOUR: "a text cannot show what the code does; make it do so in a run (`tests`, `command`), or ask a person",
}


def lint(
    contract: Contract, runner: PatternRunner, *, files: Mapping[str, int] | None = None
) -> tuple[LintWarning, ...]:
    """All warnings, in the order of the file. `files`: requirement id → how many files its globs match in the tree."""
    found = list(lint_whole(contract))
    for requirement in contract.requirements:
        uses = pattern_uses(requirement)
        claim = claim_of(requirement.description)
        for use in uses:
            found += [_routed(warning, claim) for warning in lint_pattern(use, runner)]
        found += _requirement(requirement, uses, runner)
        if (files or {}).get(requirement.id) == 0:
            found.append(_warn(requirement, "glob-matches-nothing", "with.glob",
                               "no file of the tree matches the glob, so nothing is searched"))  # fmt: skip
    found += _claims(contract.requirements)
    return tuple(sorted(found, key=lambda w: (w.position.line, w.position.column, w.rule, w.requirement)))


def _routed(warning: LintWarning, claim: Claim | None) -> LintWarning:
    """A pattern that takes denials is no cure for any claim; the description may say which claim it is."""
    if claim is None or warning.rule not in {"matches-denial", "lookahead-no-cure"}:
        return warning
    return replace(warning, route=ROUTES[claim])


def _warn(requirement: Requirement, rule: str, place: str, message: str, route: str = "") -> LintWarning:
    where = requirement.place(place)
    return LintWarning(rule=rule, requirement=requirement.id, position=where, message=message, route=route)


def _requirement(requirement: Requirement, uses: Sequence[PatternUse], runner: PatternRunner) -> Iterator[LintWarning]:
    if not requirement.description.strip():
        yield _warn(requirement, "no-description", "id", "no description: nobody can tell what the check stands for")
    run = requirement.arguments.get("run")
    if isinstance(run, str) or (isinstance(run, list) and all(isinstance(word, str) for word in run)):
        reason = why_it_cannot_fail(run)
        if reason:
            yield _warn(requirement, "command-cannot-fail", "with.run", f"the command cannot fail: {reason}", "tests")
    yield from _optional_by_any(requirement, uses)
    yield from _polarity(requirement, uses, runner)


def _optional_by_any(requirement: Requirement, uses: Sequence[PatternUse]) -> Iterator[LintWarning]:
    offered = [use for use in uses if use.argument.startswith("any")]
    numbers = [use for use in offered if holds_number(use)]
    if numbers and len(numbers) < len(offered):
        other = next(use for use in offered if use not in numbers)
        yield _warn(requirement, "number-optional", f"with.{numbers[0].argument}",
                    f"the number is optional: /{other.shown}/ alone is enough, as `any` is an OR", "metric")  # fmt: skip


def _polarity(requirement: Requirement, uses: Sequence[PatternUse], runner: PatternRunner) -> Iterator[LintWarning]:
    """The description says one thing and the check asks the other way round."""
    text = requirement.description
    wanted = [use for use in uses if use.wanted]
    if wanted and forbids(text):
        worded = [sample.text for use in wanted for sample in matched_samples(use, runner)]
        if not any(forbids(sample) for sample in worded):
            yield _warn(requirement, "polarity", "check", "the description forbids something, "
                        "but the check wants a match", "file-lacks")  # fmt: skip
    elif uses and not wanted and QUANTITY.search(text) and not forbids(text):
        yield _warn(requirement, "polarity", "check", "the description asks for a quantity, "
                    "but the check forbids a text", "metric")  # fmt: skip


def _claims(requirements: Sequence[Requirement]) -> Iterator[LintWarning]:
    """Claims that only text backs; a description that two requirements share is told once, at the stronger one."""
    told: set[str] = set()
    ordered = sorted(requirements, key=lambda one: one.check in WEAKEST)
    others = {one.description for one in requirements if one.check not in TEXT_CHECKS}
    for requirement in ordered:
        text = requirement.description.strip()
        if requirement.check not in TEXT_CHECKS or not text or text in told or text in others:
            continue
        told.add(text)
        claim = claim_of(text)
        if claim is None or (claim is Claim.NUMBER and any(map(holds_number, pattern_uses(requirement)))):
            continue
        yield _warn(requirement, f"{claim.value}-by-text", "description", _SAID[claim], ROUTES[claim])
