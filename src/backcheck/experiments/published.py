"""The recorded verdicts and votes of two published experiments, as values.

The first asked a model (channel A) and the file system (channel B) about 12 pieces of work. The second asked
about 7 more, with a contract of five requirements each: the model without it (C0), one regular expression a
requirement (C1), one model call a requirement (C2). The file holds figures only; it is no part of this
project, and the caller gives its path.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from backcheck.verdict import Outcome  # needed at run time: msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """How many of a model's votes on one piece of work were passes."""

    passed: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """One piece of work of the first experiment: the truth, what lay there, the votes, the verdicts."""

    label: str
    compliant: bool
    votes: Votes
    recorded_a: Outcome
    recorded_b: Outcome
    present: tuple[str, ...]
    missing: tuple[str, ...]
    empty: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracted:
    """One piece of work of the second: `c1` and `c2` are the answers, in the order of `requirements`.

    `c2_votes` is the number of model calls behind each answer of C2.
    """

    label: str
    compliant: bool
    votes: Votes
    recorded_c0: Outcome
    recorded_c1: Outcome
    recorded_c2: Outcome
    requirements: tuple[str, ...]
    c1: tuple[bool, ...]
    c2: tuple[bool, ...]
    c2_votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Both experiments; `model` and `date` are those of the runs, for the heading of a report."""

    source: str
    model: str
    date: str
    channels: tuple[Channels, ...]
    contracted: tuple[Contracted, ...]


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the shapes on disk: a field we do not know may change a figure, so it is refused."""


class _Run(_Wire, frozen=True):
    date: str
    model: str
    rounds: int


class _Work1(_Wire, frozen=True):
    id: str
    compliant: bool
    votes: int = msgspec.field(name="A_votes_pass")
    of: int = msgspec.field(name="A_of")
    a: Outcome = msgspec.field(name="A")
    b: Outcome = msgspec.field(name="B")
    present: tuple[str, ...]
    missing: tuple[str, ...]
    empty: tuple[str, ...]


class _Work2(_Wire, frozen=True):
    id: str
    compliant: bool
    votes: int = msgspec.field(name="C0_votes_pass")
    of: int = msgspec.field(name="C0_of")
    c0: Outcome = msgspec.field(name="C0")
    c1: Outcome = msgspec.field(name="C1")
    c2: Outcome = msgspec.field(name="C2")
    c1_req: dict[str, bool] = msgspec.field(name="C1_req")
    c2_req: dict[str, bool] = msgspec.field(name="C2_req")
    c2_votes: int = msgspec.field(name="C2_votes_per_req")


class _Phase1(_Wire, frozen=True):
    run: _Run
    scenarios: tuple[_Work1, ...]


class _Phase2(_Wire, frozen=True):
    run: _Run
    scenarios: tuple[_Work2, ...]


class _File(_Wire, frozen=True):
    source: str
    phase1: _Phase1
    phase2: _Phase2


def parse(data: bytes) -> Published:
    """Decode and check the file's bytes; ValueError says what is wrong, and where (`$.phase1.scenarios`)."""
    try:
        raw = msgspec.json.decode(data, type=_File)
    except msgspec.MsgspecError as error:
        raise ValueError(f"published votes: {error}") from None
    one, two = "$.phase1.scenarios", "$.phase2.scenarios"
    rounds = raw.phase1.run.rounds, raw.phase2.run.rounds
    first = tuple(_channels(item, rounds[0], f"{one}[{n}]") for n, item in enumerate(raw.phase1.scenarios))
    second = tuple(_contracted(item, rounds[1], f"{two}[{n}]") for n, item in enumerate(raw.phase2.scenarios))
    _unique((item.label for item in first), one)
    _unique((item.label for item in second), two)
    return Published(
        source=raw.source,
        model=raw.phase1.run.model,
        date=raw.phase1.run.date,
        channels=first,
        contracted=second,
    )


def load(path: Path) -> Published:
    """Read the file at `path`: OSError where it cannot be read, ValueError where it has another shape."""
    try:
        return parse(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _channels(item: _Work1, rounds: int, place: str) -> Channels:
    listed = (*item.present, *item.missing, *item.empty)
    if not listed:
        raise ValueError(f"{place}: no file is listed, so channel B has nothing to ask")
    _unique(listed, place)
    return Channels(
        label=_label(item.id),
        compliant=item.compliant,
        votes=_votes(item.votes, item.of, rounds, place),
        recorded_a=item.a,
        recorded_b=item.b,
        present=item.present,
        missing=item.missing,
        empty=item.empty,
    )


def _contracted(item: _Work2, rounds: int, place: str) -> Contracted:
    names = tuple(item.c1_req)
    if not names:
        raise ValueError(f"{place}: no requirement is recorded")
    if set(names) != set(item.c2_req):
        raise ValueError(f"{place}: C1_req and C2_req name different requirements")
    if item.c2_votes < 1:
        raise ValueError(f"{place}: {item.c2_votes} votes a requirement cannot be")
    return Contracted(
        label=_label(item.id),
        compliant=item.compliant,
        votes=_votes(item.votes, item.of, rounds, place),
        recorded_c0=item.c0,
        recorded_c1=item.c1,
        recorded_c2=item.c2,
        requirements=names,
        c1=tuple(item.c1_req[name] for name in names),
        c2=tuple(item.c2_req[name] for name in names),
        c2_votes=item.c2_votes,
    )


def _label(name: str) -> str:
    """The short label before the first hyphen; what follows is the source's wording."""
    return name.partition("-")[0]


def _votes(passed: int, of: int, rounds: int, place: str) -> Votes:
    if of < 1 or not 0 <= passed <= of:
        raise ValueError(f"{place}: {passed} of {of} votes cannot be")
    if of != rounds:
        raise ValueError(f"{place}: {of} votes recorded in a run of {rounds} rounds")
    return Votes(passed=passed, of=of)


def _unique(names: Iterable[str], place: str) -> None:
    doubled = sorted(name for name, count in Counter(names).items() if count > 1)
    if doubled:
        raise ValueError(f"{place}: named twice: {', '.join(doubled)}")
