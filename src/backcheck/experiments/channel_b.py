"""Every channel of the two published experiments, replayed from its recorded facts, and what they come to.

Nothing is copied from the recorded verdicts: each verdict is made anew from files, votes or answers by the
rule of its channel, then compared with the record. `figures` counts down to the single vote, file and
requirement, so that no recorded verdict, vote, file or answer can change without a figure changing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backcheck.experiments.scoring import Rate, Score, score, score_requirements
from backcheck.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from backcheck.experiments.published import Channels, Contracted, Published, Votes

#: Share of equal votes from which the published tool's last layer decides; below it nobody has decided.
AGREEMENT = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """`scores` by arm, `replayed` verdicts equal to the record, listed `files` by present, missing, empty."""

    scores: Mapping[str, Score]
    replayed: Rate
    files: Mapping[str, Rate]


def by_files(work: Channels) -> Outcome:
    """Channel B: PASS where every listed file exists and has content."""
    return _accept(bool(work.present) and not work.missing and not work.empty)


def by_answers(answers: Sequence[bool]) -> Outcome:
    """C1 and C2: PASS where every requirement was found met; no requirement at all is no pass."""
    return _accept(bool(answers) and all(answers))


def by_majority(votes: Votes) -> Outcome:
    """Channels A and C0: PASS where more than half of the votes pass."""
    return _accept(2 * votes.passed > votes.of)


def by_agreement(votes: Votes) -> Outcome:
    """The published tool's rule for model votes: the majority where enough of them agree, else UNCLEAR."""
    if max(votes.passed, votes.of - votes.passed) / votes.of < AGREEMENT:
        return Outcome.UNCLEAR
    return by_majority(votes)


def by_either(work: Channels) -> Outcome:
    """Channel A or B objects."""
    return _accept(by_majority(work.votes) is Outcome.PASS and by_files(work) is Outcome.PASS)


def single_votes(compliant: bool, votes: Votes) -> Iterator[tuple[bool, Outcome]]:
    """One pair a vote."""
    for place in range(votes.of):
        yield compliant, _accept(place < votes.passed)


def differences(published: Published) -> tuple[str, ...]:
    """Every recorded verdict that the replay does not give: `SC01 B: recorded PASS, replayed REJECT`."""
    return tuple(
        f"{label} {arm}: recorded {recorded}, replayed {replayed}"
        for label, arm, recorded, replayed in _compared(published)
        if recorded is not replayed
    )


def figures(published: Published, met: Mapping[str, Sequence[bool]]) -> Figures:
    """All scores of both experiments. `met` holds, by label, whether each requirement really was met.

    ValueError where `met` does not fit the recorded requirements of a piece of work.
    """
    first, second = published.channels, published.contracted
    compared = tuple(_compared(published))
    files = {
        "present": sum(len(work.present) for work in first),
        "missing": sum(len(work.missing) for work in first),
        "empty": sum(len(work.empty) for work in first),
    }
    scores = {
        "A": score((work.compliant, by_majority(work.votes)) for work in first),
        "A votes": score(pair for work in first for pair in single_votes(work.compliant, work.votes)),
        "A by agreement": score((work.compliant, by_agreement(work.votes)) for work in first),
        "B": score((work.compliant, by_files(work)) for work in first),
        "A or B": score((work.compliant, by_either(work)) for work in first),
        "C0": score((work.compliant, by_majority(work.votes)) for work in second),
        "C0 votes": score(pair for work in second for pair in single_votes(work.compliant, work.votes)),
        "C1": score((work.compliant, by_answers(work.c1)) for work in second),
        "C1 items": score_requirements(pair for work in second for pair in _items(work, work.c1, met)),
        "C2": score((work.compliant, by_answers(work.c2)) for work in second),
        "C2 items": score_requirements(pair for work in second for pair in _items(work, work.c2, met)),
    }
    return Figures(
        scores=scores,
        replayed=Rate(k=sum(recorded is replayed for _, _, recorded, replayed in compared), n=len(compared)),
        files={state: Rate(k=count, n=sum(files.values())) for state, count in files.items()},
    )


def _accept(accepted: bool) -> Outcome:
    return Outcome.PASS if accepted else Outcome.REJECT


def _compared(published: Published) -> Iterator[tuple[str, str, Outcome, Outcome]]:
    """Label, arm, recorded and replayed verdict, for every recorded verdict."""
    for work in published.channels:
        yield work.label, "A", work.recorded_a, by_majority(work.votes)
        yield work.label, "B", work.recorded_b, by_files(work)
    for case in published.contracted:
        yield case.label, "C0", case.recorded_c0, by_majority(case.votes)
        yield case.label, "C1", case.recorded_c1, by_answers(case.c1)
        yield case.label, "C2", case.recorded_c2, by_answers(case.c2)


def _items(work: Contracted, answers: Sequence[bool], met: Mapping[str, Sequence[bool]]) -> Iterator[tuple[bool, bool]]:
    """(really met, found met) for each requirement of one piece of work."""
    truth = met.get(work.label, ())
    if len(truth) != len(answers):
        raise ValueError(f"{work.label}: {len(answers)} requirements recorded, {len(truth)} labelled")
    return zip(truth, answers, strict=True)
