from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.verdict import Finding, Outcome, Severity, Status, decide

RANK = {Outcome.REJECT: 0, Outcome.UNCLEAR: 1, Outcome.PASS: 2}
#: Better to worse; unclear, error and not-applicable weigh the same under a task contract.
WORSE = [Status.PASS, Status.NOT_APPLICABLE, Status.ERROR, Status.UNCLEAR, Status.FAIL]


def finding(name: str, status: Status, severity: Severity = Severity.BLOCK) -> Finding:
    return Finding(requirement=name, check="c", status=status, reason="r", severity=severity)


def outcome(findings: list[Finding], required: list[str] | None = None, blocking: list[str] | None = None) -> Outcome:
    names = required if required is not None else [f.requirement for f in findings]
    return decide(names, findings, blocking=names if blocking is None else blocking).outcome


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], Outcome.UNCLEAR),
        ([Status.PASS], Outcome.PASS),
        ([Status.PASS, Status.PASS], Outcome.PASS),
        ([Status.PASS, Status.FAIL], Outcome.REJECT),
        ([Status.PASS, Status.UNCLEAR], Outcome.UNCLEAR),
        ([Status.PASS, Status.ERROR], Outcome.UNCLEAR),
        ([Status.PASS, Status.NOT_APPLICABLE], Outcome.UNCLEAR),
        ([Status.UNCLEAR, Status.FAIL], Outcome.REJECT),
        ([Status.ERROR, Status.FAIL], Outcome.REJECT),
        ([Status.NOT_APPLICABLE], Outcome.UNCLEAR),
    ],
)
def test_table(statuses: list[Status], expected: Outcome) -> None:
    assert outcome([finding(f"r{i}", s) for i, s in enumerate(statuses)]) is expected


def test_nothing_proves_nothing() -> None:
    assert outcome([]) is Outcome.UNCLEAR
    assert outcome([finding("w", Status.PASS, Severity.WARN)], blocking=[]) is Outcome.UNCLEAR


def test_an_own_pass_is_no_answer_of_the_contract() -> None:
    assert outcome([finding("backcheck:tree", Status.PASS)], required=[], blocking=[]) is Outcome.UNCLEAR


def test_an_unanswered_blocker_keeps_from_passing_and_is_listed() -> None:
    verdict = decide(["a", "b"], [finding("a", Status.PASS)], blocking=["a", "b"])
    assert verdict.outcome is Outcome.UNCLEAR
    assert verdict.unanswered == ("b",)


def test_an_unanswered_warning_is_listed_only() -> None:
    verdict = decide(["a", "b"], [finding("a", Status.PASS)], blocking=["a"])
    assert (verdict.outcome, verdict.unanswered) == (Outcome.PASS, ("b",))


def test_a_failed_warning_does_not_block() -> None:
    findings = [finding("a", Status.PASS), finding("w", Status.FAIL, Severity.WARN)]
    assert outcome(findings, blocking=["a"]) is Outcome.PASS


findings_strategy = st.lists(
    st.builds(
        finding, st.sampled_from(["a", "b", "c", "backcheck:x"]), st.sampled_from(Status), st.sampled_from(Severity)
    ),
    max_size=8,
)
names_strategy = st.lists(st.sampled_from(["a", "b", "c", "d"]), unique=True)


@given(findings_strategy, names_strategy, st.data())
def test_no_answer_made_worse_makes_a_verdict_better(
    findings: list[Finding], names: list[str], data: st.DataObject
) -> None:
    if not findings:
        return
    index = data.draw(st.integers(0, len(findings) - 1))
    old = findings[index]
    worse = data.draw(st.sampled_from(WORSE[WORSE.index(old.status) :]))
    changed = [*findings[:index], finding(old.requirement, worse, old.severity), *findings[index + 1 :]]
    assert RANK[outcome(changed, names)] <= RANK[outcome(findings, names)]


@given(findings_strategy, names_strategy)
def test_a_finding_more_that_is_no_pass_never_helps(findings: list[Finding], names: list[str]) -> None:
    for status in (Status.FAIL, Status.UNCLEAR, Status.ERROR):
        more = [*findings, finding("backcheck:more", status)]
        assert RANK[outcome(more, names)] <= RANK[outcome(findings, names)]


@given(findings_strategy, names_strategy)
def test_dropping_an_answer_never_makes_a_rejection_pass_by_itself(findings: list[Finding], names: list[str]) -> None:
    for index, dropped in enumerate(findings):
        rest = findings[:index] + findings[index + 1 :]
        if dropped.status is Status.PASS:
            assert RANK[outcome(rest, names)] <= RANK[outcome(findings, names)]


@given(st.lists(st.builds(finding, st.sampled_from("abc"), st.sampled_from(Status)), max_size=4), names_strategy)
def test_order_never_matters(findings: list[Finding], names: list[str]) -> None:
    expected = outcome(findings, names)
    for permuted in itertools.permutations(findings):
        assert outcome(list(permuted), names) is expected
    assert outcome(findings, names[::-1]) is expected
