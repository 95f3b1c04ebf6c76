"""No hostile coverage, lint or value report passes, breaks the reading or takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile.bad_measures import CODE, Bad, bad_measures, good

from backcheck.checks.api import Answer
from backcheck.testing import ask, tree_of

REPORTS = dict(bad_measures())
GOOD = dict(good())


def answer_to(bad: Bad) -> Answer:
    with tree_of({**CODE, "r": bad.data}) as root:
        return ask(bad.check, {"report": "r", **bad.arguments}, root)


def test_there_are_enough_of_them() -> None:
    assert len(REPORTS) >= 200


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_reports_that_are_spoiled_are_good(name: str) -> None:
    answer = answer_to(GOOD[name])
    assert answer.status.value == "pass", answer.reason


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_it_does_not_pass(name: str) -> None:
    started = time.monotonic()
    answer = answer_to(REPORTS[name])
    assert answer.status.value in ("fail", "unclear"), answer.reason
    assert answer.reason.isprintable()
    assert answer.blame is not None
    assert time.monotonic() - started < 10


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(GOOD)), st.integers(min_value=0), st.integers(min_value=0, max_value=255))
def test_no_changed_byte_breaks_the_reading(name: str, at: int, byte: int) -> None:
    sound = GOOD[name]
    data = bytearray(sound.data)
    data[at % len(data)] = byte
    assert answer_to(sound._replace(data=bytes(data))).status.value in ("pass", "fail", "unclear")


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(GOOD)), st.binary(max_size=200))
def test_no_bytes_break_the_reading(name: str, data: bytes) -> None:
    assert answer_to(GOOD[name]._replace(data=data)).status.value in ("fail", "unclear")
