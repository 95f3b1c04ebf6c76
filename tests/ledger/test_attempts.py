from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.ledger.reviewers import CONTRACT, PATH, Reviewer

from backcheck.ledger import attempts, decisions
from backcheck.ledger.attempts import REQUIREMENT, Attempts
from backcheck.ledger.sqlite import SqliteLedger
from backcheck.ledger.store import Entry
from backcheck.verdict import Finding, Outcome, Severity, Status, decide

BASE = "b" * 40


@pytest.fixture
def ledger(tmp_path: Path) -> SqliteLedger:
    return SqliteLedger(tmp_path / "backcheck" / "ledger.db")


@pytest.fixture
def ana() -> Reviewer:
    return Reviewer("ana")


def judged(ledger: SqliteLedger, tree: str, outcome: str = "REJECT", **other: Any) -> Entry:
    body = {
        "verdict": outcome,
        "contract": {"digest": CONTRACT, "path": PATH},
        "tree": {"digest": tree},
        "evidence": {"digest": tree},
        "base": {"commit": BASE},
    }
    return ledger.append("verdict", body | other)


def counted(ledger: SqliteLedger, base: str | None = BASE, limit: int = 5, **options: Any) -> Attempts:
    return attempts.count(ledger, CONTRACT, base, limit, contract_path=PATH, **options)


def test_without_a_ledger_it_is_the_first_attempt(ledger):
    assert counted(ledger) == Attempts(number=1, rejected=0, limit=5)
    assert not ledger.path.exists()


def test_each_rejected_tree_is_one_attempt(ledger):
    for tree in ("t1", "t2", "t3"):
        judged(ledger, tree)
    assert str(counted(ledger)) == "attempt 4, 3 rejected"


def test_the_same_tree_with_the_same_evidence_is_counted_once(ledger):
    for _ in range(3):
        judged(ledger, "t1")
    assert counted(ledger).rejected == 1
    judged(ledger, "t1", evidence={"digest": "more"})
    assert counted(ledger).rejected == 2


def test_judging_a_rejected_tree_again_is_no_new_attempt(ledger):
    judged(ledger, "t1")
    judged(ledger, "t2")
    assert counted(ledger, current=("t2", "t2")).number == 2
    assert counted(ledger, current=("t3", "t3")).number == 3
    assert counted(ledger, current=("t2", "other")).number == 3


@pytest.mark.parametrize(
    "other",
    [
        {"verdict": "PASS"},
        {"verdict": "UNCLEAR"},
        {"verdict": ["REJECT"]},
        {"contract": {"digest": "d" * 64, "path": PATH}},
        {"contract": {"digest": CONTRACT, "path": "lib/" + PATH}},
        {"base": {"commit": "d" * 40}},
        {"base": None},
        {"base": "rubbish"},
        {"contract": None},
    ],
)
def test_what_is_no_rejection_of_this_contract_on_this_base(ledger, other):
    judged(ledger, "t1", **other)
    assert counted(ledger).rejected == 0
    judged(ledger, "t1")
    assert counted(ledger).rejected == 1


def test_counting_is_bounded(ledger, monkeypatch):
    for number in range(6):
        judged(ledger, f"t{number}")
    monkeypatch.setattr(attempts, "MAX_PAST", 3)
    assert counted(ledger, limit=1) == Attempts(number=5, rejected=4, limit=1)
    assert counted(ledger, limit=2).rejected == 5
    monkeypatch.setattr(attempts, "MAX_READ", 2)
    assert counted(ledger, limit=1).rejected == 2


@pytest.mark.parametrize("flood", [{"base": {"commit": "d" * 40}}, {"contract": {"digest": CONTRACT, "path": "x"}}])
def test_a_flood_of_other_rejections_hides_none(ledger, monkeypatch, flood, ana):
    judged(ledger, "t1")
    for _ in range(4):
        judged(ledger, "t9", **flood)
    monkeypatch.setattr(attempts, "MAX_READ", 5)
    assert counted(ledger, limit=2) == Attempts(number=2, rejected=1, limit=2)
    last = judged(ledger, "t9", **flood)
    found = counted(ledger, limit=2)
    assert (found.exhausted, found.complete) == (True, False)
    told = attempts.finding(found)
    assert told is not None
    assert "among the newest 5 of this contract, and there are more" in told.reason
    # A person who looked starts the count anew.
    ledger.append(decisions.KIND, ana.envelope(requirement=REQUIREMENT, verdict=last.id))
    assert not counted(ledger, limit=2, trusted_keys=[ana.public]).exhausted


def test_a_passing_verdict_in_between_ends_no_count(ledger):
    judged(ledger, "t1")
    judged(ledger, "t2", "PASS")
    judged(ledger, "t3")
    assert counted(ledger).rejected == 2


def test_without_a_base_those_without_a_base_are_counted(ledger):
    judged(ledger, "t1")
    judged(ledger, "t2", base=None)
    assert (counted(ledger, None).rejected, counted(ledger).rejected) == (1, 1)


def test_only_verdicts_are_counted(ledger):
    ledger.append("note", {**judged(ledger, "t1").body, "tree": {"digest": "t2"}})
    assert counted(ledger).rejected == 1


@pytest.mark.parametrize(("rejected", "exhausted"), [(0, False), (1, False), (2, True), (3, True)])
def test_the_attempt_past_the_limit_is_one_too_many(ledger, rejected, exhausted):
    for number in range(rejected):
        judged(ledger, f"t{number}")
    found = counted(ledger, limit=2)
    assert found.exhausted is exhausted
    assert (attempts.finding(found) is None) is (not exhausted)


def test_the_finding_holds_a_pass_back_and_leaves_a_rejection():
    over = attempts.finding(Attempts(number=6, rejected=5, limit=5))
    assert over is not None
    assert (over.requirement, over.status, over.severity) == (REQUIREMENT, Status.UNCLEAR, Severity.BLOCK)
    assert "attempt 6, 5 rejected" in over.reason
    for status, outcome in ((Status.PASS, Outcome.UNCLEAR), (Status.FAIL, Outcome.REJECT)):
        work = Finding(requirement="a", check="c", status=status, reason="r")
        assert decide(["a"], [work, over], blocking=["a"]).outcome is outcome


# A person looked


def looked(ledger: SqliteLedger, signer: Reviewer, entry: str, **fields: Any) -> None:
    ordinary = {"requirement": REQUIREMENT, "verdict": entry, "tree": "t3"}
    ledger.append("decision", signer.envelope(**(ordinary | fields)))


def three(ledger: SqliteLedger) -> list[Entry]:
    return [judged(ledger, tree) for tree in ("t1", "t2", "t3")]


def test_a_persons_pass_forgives_what_he_looked_at_and_all_before(ledger, ana):
    entries = three(ledger)
    looked(ledger, ana, entries[1].id)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 1
    looked(ledger, ana, entries[2].id)
    assert counted(ledger, trusted_keys=[ana.public]) == Attempts(number=1, rejected=0, limit=5)


def test_the_newest_verdict_that_somebody_looked_at_counts_in_whatever_order(ledger, ana):
    entries = three(ledger)
    looked(ledger, ana, entries[1].id)
    looked(ledger, ana, entries[0].id)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 1


def test_what_is_rejected_later_counts_again_and_the_same_word_forgives_nothing_more(ledger, ana):
    entries = three(ledger)
    looked(ledger, ana, entries[2].id)
    judged(ledger, "t4")
    (envelope,) = [entry.body for entry in ledger.entries("decision")]
    ledger.append("decision", envelope)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.FAIL},
        {"requirement": "attempts"},
        {"contract": "d" * 64},
        {"path": "lib/" + PATH},
        {"verdict": "0" * 12},
        {"verdict": ""},
    ],
)
def test_a_decision_that_forgives_nothing(ledger, ana, fields):
    looked(ledger, ana, three(ledger)[2].id, **fields)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 3


def test_a_word_over_another_contracts_verdict_forgives_nothing(ledger, ana):
    three(ledger)
    looked(ledger, ana, judged(ledger, "t4", contract={"digest": "d" * 64, "path": PATH}).id)
    looked(ledger, ana, ledger.append("note", {"contract": {"digest": CONTRACT}}).id)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 3


def test_a_persons_pass_over_an_unclear_verdict_forgives_what_came_before(ledger, ana):
    three(ledger)
    looked(ledger, ana, judged(ledger, "t4", "UNCLEAR").id)
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 0


def test_the_beginning_of_an_id_forgives_nothing(ledger, ana):
    looked(ledger, ana, three(ledger)[2].id[:11])
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 3


def test_nobody_forgives_who_is_not_trusted(ledger, ana):
    looked(ledger, ana, three(ledger)[2].id)
    assert counted(ledger).rejected == counted(ledger, trusted_keys=[Reviewer().public]).rejected == 3


def test_a_forged_word_forgives_nothing(ledger, ana):
    entry = three(ledger)[2]
    envelope = ana.envelope(requirement=REQUIREMENT, verdict=entry.id, status=Status.FAIL)
    ledger.append("decision", envelope | {"signatures": ana.envelope()["signatures"]})
    assert counted(ledger, trusted_keys=[ana.public]).rejected == 3


def test_decisions_that_were_read_before_are_used(ledger, ana):
    looked(ledger, ana, three(ledger)[2].id)
    recorded = decisions.load(ledger)
    assert counted(ledger, trusted_keys=[ana.public], recorded=recorded).rejected == 0
    assert counted(ledger, trusted_keys=[ana.public], recorded=()).rejected == 3
