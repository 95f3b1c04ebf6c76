"""No hostile test report passes, breaks the reading or takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile.bad_results import GOOD, bad_results

from backcheck.testing import ask, tree_of

REPORTS = dict(bad_results())


def test_there_are_enough_of_them() -> None:
    assert len(REPORTS) >= 200


@pytest.mark.parametrize("name", GOOD)
def test_the_reports_that_are_spoiled_are_good(name: str) -> None:
    with tree_of({"r": GOOD[name]}) as root:
        assert ask("tests", {"report": "r"}, root).status.value == "pass"


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_it_does_not_pass(name: str) -> None:
    started = time.monotonic()
    with tree_of({"r": REPORTS[name]}) as root:
        answer = ask("tests", {"report": "r"}, root)
    assert answer.status.value in ("fail", "unclear"), answer.reason
    assert answer.reason.isprintable()
    assert time.monotonic() - started < 10


@settings(deadline=None)
@given(st.sampled_from(sorted(GOOD)), st.integers(min_value=0), st.integers(min_value=0, max_value=255))
def test_no_changed_byte_breaks_the_reading(name: str, at: int, byte: int) -> None:
    data = bytearray(GOOD[name].encode())
    data[at % len(data)] = byte
    with tree_of({"r": bytes(data)}) as root:
        assert ask("tests", {"report": "r"}, root).status.value in ("pass", "fail", "unclear")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    with tree_of({"r": data}) as root:
        assert ask("tests", {"report": "r"}, root).status.value in ("fail", "unclear")
