from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.experiments.scoring import Rate, score, score_requirements
from backcheck.verdict import Outcome

PAIRS = st.lists(st.tuples(st.booleans(), st.sampled_from(Outcome)), max_size=30)


def test_every_cell_of_the_table_has_its_own_count():
    cells = [(good, outcome) for good in (True, False) for outcome in Outcome]
    counted = score(pair for times, pair in enumerate(cells, start=1) for _ in range(times))
    assert (counted.good_accepted, counted.good_rejected, counted.good_abstained) == (1, 2, 3)
    assert (counted.bad_accepted, counted.bad_rejected, counted.bad_abstained) == (4, 5, 6)
    assert counted.accuracy == Rate(k=1 + 5, n=21)
    assert counted.detection == Rate(k=5, n=15)
    assert counted.false_accepts == Rate(k=4, n=15)
    assert counted.false_rejects == Rate(k=2, n=6)
    assert counted.abstained == Rate(k=3 + 6, n=21)


def test_an_abstention_is_neither_right_nor_an_error():
    counted = score([(True, Outcome.UNCLEAR), (False, Outcome.UNCLEAR)])
    assert counted.accuracy == Rate(k=0, n=2)
    assert counted.detection == Rate(k=0, n=1)
    assert counted.false_accepts.k == counted.false_rejects.k == 0
    assert counted.abstained == Rate(k=2, n=2)


def test_a_requirement_without_an_answer_is_an_abstention():
    answers = [(True, True), (True, False), (True, None), (False, True), (False, False), (False, None)]
    counted = score_requirements(answers)
    assert counted.accuracy == Rate(k=2, n=6)
    assert counted.detection == counted.false_accepts == counted.false_rejects == Rate(k=1, n=3)
    assert counted.abstained == Rate(k=2, n=6)


@given(PAIRS)
def test_every_pair_is_counted_once(pairs):
    counted = score(pairs)
    wrong = counted.false_accepts.k + counted.false_rejects.k
    assert counted.accuracy.k + wrong + counted.abstained.k == counted.accuracy.n == len(pairs)
    assert counted.bad == sum(not good for good, _ in pairs)


@given(PAIRS.filter(len), st.data())
def test_one_other_pair_changes_the_score(pairs, data):
    place = data.draw(st.integers(0, len(pairs) - 1))
    other = data.draw(st.tuples(st.booleans(), st.sampled_from(Outcome)).filter(lambda pair: pair != pairs[place]))
    assert score(pairs) != score([*pairs[:place], other, *pairs[place + 1 :]])


@given(PAIRS)
def test_order_changes_nothing(pairs):
    assert score(pairs) == score(reversed(pairs)) == score(Counter(pairs).elements())


@pytest.mark.parametrize("pair", [(1, Outcome.PASS), (True, "PASS"), (None, Outcome.PASS), (True, True)])
def test_what_is_no_pair_is_named_by_its_place(pair):
    with pytest.raises(ValueError, match=r"^pair 2: "):
        score([(True, Outcome.PASS), pair])


@pytest.mark.parametrize(("k", "n"), [(2, 1), (-1, 1), (0, -1)])
def test_counts_that_cannot_be_are_no_rate(k, n):
    with pytest.raises(ValueError, match="is not a rate"):
        Rate(k=k, n=n)


def test_a_rate_over_nothing_is_no_number():
    nothing = score([]).detection
    assert nothing.value is None
    assert nothing.interval() is None
    assert nothing.text() == "0/0 (nothing to count)"


@pytest.mark.parametrize(
    ("k", "n", "text"),
    [
        (9, 12, "9/12 = 75.0 % (47-91)"),
        (6, 9, "6/9 = 66.7 % (35-88)"),
        (7, 9, "7/9 = 77.8 % (45-94)"),
        (8, 9, "8/9 = 88.9 % (57-98)"),
        (1, 5, "1/5 = 20.0 % (4-62)"),
        (4, 5, "4/5 = 80.0 % (38-96)"),
        (5, 5, "5/5 = 100.0 % (57-100)"),
    ],
)
def test_a_rate_is_printed_with_counts_and_interval(k, n, text):
    assert Rate(k=k, n=n).text() == text


def test_intervals_are_the_reference_ones(reference_data):
    oracles = json.loads((reference_data / "oracles.json").read_bytes())["wilson"]
    assert len(oracles) >= 14
    for oracle in oracles:
        assert Rate(k=oracle["k"], n=oracle["n"]).interval() == pytest.approx(tuple(oracle["wilson"]), abs=1e-12)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_rate_and_mirrors_its_complement(counts):
    k, n = counts
    low, high = Rate(k=k, n=n).interval() or (2.0, 2.0)
    assert -1e-12 <= low <= k / n + 1e-12
    assert k / n - 1e-12 <= high <= 1 + 1e-12
    assert Rate(k=n - k, n=n).interval() == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_counting_needs_no_scipy():
    program = (
        "import sys; from backcheck.experiments.scoring import score; from backcheck.verdict import Outcome;"
        "score([(True, Outcome.PASS)]).accuracy; sys.exit('scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
