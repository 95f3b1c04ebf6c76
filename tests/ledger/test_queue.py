from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.ledger.reviewers import CONTRACT, PATH, TREE, Reviewer

from backcheck.ledger import queue
from backcheck.ledger.queue import OpenRequirement, Queue, open_requirements
from backcheck.ledger.sqlite import SqliteLedger
from backcheck.ledger.store import Entry
from backcheck.verdict import Status


@pytest.fixture
def ledger(tmp_path: Path) -> SqliteLedger:
    return SqliteLedger(tmp_path / "backcheck" / "ledger.db")


@pytest.fixture
def ana() -> Reviewer:
    return Reviewer("ana")


def finding(requirement: str, status: str = "unclear", severity: str = "block") -> dict[str, str]:
    return {"requirement": requirement, "status": status, "severity": severity, "reason": f"why {requirement}"}


def judged(ledger: SqliteLedger, outcome: str = "UNCLEAR", tree: str = TREE, **other: Any) -> Entry:
    body = {
        "verdict": outcome,
        "contract": {"digest": CONTRACT, "path": PATH},
        "tree": {"digest": tree},
        "findings": [finding("review")],
        "unanswered": [],
    }
    return ledger.append("verdict", body | other)


def waiting(ledger: SqliteLedger, *trusted: str) -> Queue:
    return queue.waiting(ledger, lambda _: trusted)


def test_an_empty_ledger_has_no_queue(ledger):
    assert waiting(ledger) == Queue(waiting=(), complete=True)
    assert not ledger.path.exists()


def test_an_unclear_verdict_waits_with_what_is_open(ledger):
    entry = judged(ledger)
    (item,) = waiting(ledger).waiting
    assert (item.entry, item.contract, item.path, item.tree, item.superseded) == (entry, CONTRACT, PATH, TREE, False)
    assert item.open == (OpenRequirement(requirement="review", status="unclear", reason="why review"),)
    assert item.decidable


@pytest.mark.parametrize("outcome", ["PASS", "REJECT"])
def test_the_newest_verdict_of_a_contract_and_tree_counts(ledger, outcome):
    judged(ledger, outcome)
    newest = judged(ledger)
    assert [item.entry for item in waiting(ledger).waiting] == [newest]
    judged(ledger, outcome)
    assert waiting(ledger).waiting == ()


def test_each_contract_each_folder_and_each_tree_waits_for_itself(ledger):
    first = judged(ledger)
    other = judged(ledger, contract={"digest": "d" * 64, "path": PATH})
    folder = judged(ledger, contract={"digest": CONTRACT, "path": "lib/" + PATH})
    tree = judged(ledger, tree="e" * 64)
    judged(ledger, "PASS", contract={"digest": "f" * 64, "path": PATH})
    found = [(item.entry, item.superseded) for item in waiting(ledger).waiting]
    assert found == [(tree, False), (folder, False), (other, False), (first, True)]


def test_a_decision_that_counts_takes_a_requirement_off(ledger, ana):
    judged(ledger, findings=[finding("review"), finding("style", "error")])
    ledger.append("decision", ana.envelope())
    (item,) = waiting(ledger, ana.public).waiting
    assert [one.requirement for one in item.open] == ["style"]
    ledger.append("decision", ana.envelope(requirement="style", status=Status.FAIL))
    assert waiting(ledger, ana.public).waiting == ()


@pytest.mark.parametrize(
    "fields", [{"tree": "e" * 64}, {"contract": "d" * 64}, {"path": "lib/" + PATH}, {"requirement": "other"}]
)
def test_a_decision_on_something_else_takes_nothing_off(ledger, ana, fields):
    judged(ledger)
    ledger.append("decision", ana.envelope(**fields))
    assert len(waiting(ledger, ana.public).waiting) == 1


def test_a_decision_by_an_untrusted_key_or_a_forged_one_takes_nothing_off(ledger, ana):
    judged(ledger)
    ledger.append("decision", ana.envelope())
    ledger.append("decision", Reviewer("agent").envelope())
    ledger.append("decision", ana.envelope() | {"signatures": Reviewer("agent").envelope()["signatures"]})
    assert len(waiting(ledger).waiting) == 1
    assert len(waiting(ledger, Reviewer("other").public).waiting) == 1


def test_trust_is_asked_for_each_verdict(ledger, ana):
    first = judged(ledger)
    judged(ledger, tree="e" * 64)
    ledger.append("decision", ana.envelope())
    ledger.append("decision", ana.envelope(tree="e" * 64))
    found = queue.waiting(ledger, lambda entry: [ana.public] if entry == first else [])
    assert [item.tree for item in found.waiting] == ["e" * 64]


def test_what_nobody_asked_waits_whatever_is_decided(ledger, ana):
    judged(ledger, unanswered=["tests"])
    ledger.append("decision", ana.envelope())
    ledger.append("decision", ana.envelope(requirement="tests"))
    (item,) = waiting(ledger, ana.public).waiting
    assert item.open == (OpenRequirement(requirement="tests", status="unanswered", reason="nobody asked it"),)
    assert not item.decidable


def test_a_contract_that_asks_nothing_waits_and_cannot_be_decided(ledger):
    judged(ledger, findings=[])
    (item,) = waiting(ledger).waiting
    assert (item.open, item.decidable) == ((), False)


def test_only_what_blocks_and_is_open_is_listed():
    body = {
        "findings": [
            finding("a", "pass"),
            finding("b", "fail"),
            finding("c", "not-applicable"),
            finding("d", "unclear", "warn"),
            finding("e", "error"),
            finding("e", "unclear"),
            finding("backcheck:attempts"),
        ]
    }
    found = [(one.requirement, one.status) for one in open_requirements(body)]
    assert found == [("e", "error"), ("backcheck:attempts", "unclear")]


@pytest.mark.parametrize("body", [{}, {"findings": "x", "unanswered": "y"}, {"findings": [1, {}], "unanswered": [1]}])
def test_any_body_can_be_read(ledger, body):
    assert open_requirements(body) == ()
    ledger.append("verdict", body | {"verdict": "UNCLEAR"})
    assert len(waiting(ledger).waiting) == 1


def test_a_long_ledger_says_that_it_was_not_read_to_its_end(ledger, monkeypatch):
    monkeypatch.setattr(queue, "MAX_VERDICTS", 2)
    trees = [judged(ledger, tree=f"t{i}") for i in range(2)]
    assert waiting(ledger).complete
    trees.append(judged(ledger, tree="t2"))
    found = waiting(ledger)
    assert ([item.entry for item in found.waiting], found.complete) == ([trees[2], trees[1]], False)
