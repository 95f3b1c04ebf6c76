from __future__ import annotations

import base64
import json
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.ledger.reviewers import CONTRACT, PATH, TREE, Reviewer

from backcheck.evidence import signing
from backcheck.ledger import decisions
from backcheck.ledger.decisions import Recorded, apply_decisions, read
from backcheck.ledger.sqlite import SqliteLedger
from backcheck.ledger.store import LedgerCorrupt
from backcheck.verdict import Basis, Blame, Channel, Finding, Isolation, Outcome, Provenance, Severity, Status, decide


def noted(finding: Finding) -> list[dict[str, str]]:
    """Which decisions a finding says were not counted, and why."""
    found: Any = finding.details.get("decisions_not_counted", [])
    return list(found)


UNCLEAR = Finding(
    requirement="review",
    check="text",
    status=Status.UNCLEAR,
    reason="prose proves nothing",
    remedy="ask",
    channel=Channel.TEXT,
    provenance=Provenance.OBSERVED,
    isolation=Isolation.PROBE,
    blame=Blame.CONTRACT,
    description="d",
    details={"kept": 1},
)


@pytest.fixture
def ledger(tmp_path: Path) -> SqliteLedger:
    return SqliteLedger(tmp_path / "backcheck" / "ledger.db")


@pytest.fixture
def ana() -> Reviewer:
    return Reviewer("ana")


@pytest.fixture
def ben() -> Reviewer:
    return Reviewer("ben")


def applied(finding: Finding, *recorded: Recorded, trusted: tuple[str, ...], **bound: Any) -> Finding:
    ordinary = {"contract_digest": CONTRACT, "contract_path": PATH, "tree_digest": TREE}
    (found,) = apply_decisions([finding], recorded, trusted_keys=trusted, **(ordinary | bound))
    return found


@pytest.mark.parametrize("status", [Status.UNCLEAR, Status.ERROR])
@pytest.mark.parametrize("answer", [Status.PASS, Status.FAIL])
def test_a_valid_decision_answers_what_was_open(ana, status, answer):
    finding = replace(UNCLEAR, status=status)
    found = applied(finding, ana.recorded("e7", status=answer), trusted=(ana.public,))
    assert (found.status, found.channel, found.basis) == (answer, Channel.HUMAN, Basis.PERSON)
    assert (found.provenance, found.isolation) == (Provenance.ASSERTED, Isolation.NONE)
    assert found.reason == f"decided by ana/{signing.fingerprint(ana.public)}: read the diff"
    assert found.details["original"] == {
        "status": status.value, "reason": "prose proves nothing", "channel": "text", "blame": "contract",
        "provenance": "observed",
    }  # fmt: skip
    assert (found.details["decision"], found.details["kept"]) == ("e7", 1)
    assert (found.blame, found.remedy) == ((None, "") if answer is Status.PASS else (Blame.AGENT, "ask"))
    assert (found.requirement, found.check, found.severity, found.description) == (
        "review",
        "text",
        Severity.BLOCK,
        "d",
    )


@pytest.mark.parametrize("status", [Status.PASS, Status.FAIL, Status.NOT_APPLICABLE])
@pytest.mark.parametrize("answer", [Status.PASS, Status.FAIL])
def test_no_decision_changes_any_other_answer(ana, status, answer):
    finding = replace(UNCLEAR, status=status)
    found = applied(finding, ana.recorded(status=answer), trusted=(ana.public,))
    assert replace(found, details=finding.details) == finding
    (note,) = noted(found)
    assert note["why"] == f"the answer is `{status.value}`, which no decision changes"


@dataclass(frozen=True)
class Never:
    """One way in which a decision must not count: how it is made, and what the finding says of it."""

    name: str
    make: Callable[[Reviewer], Recorded]
    why: str
    bound: dict[str, str] | None = None


def edited(**fields: Any) -> Callable[[Reviewer], Recorded]:
    """A signed decision whose payload somebody changed afterwards."""

    def make(signer: Reviewer) -> Recorded:
        envelope = signer.envelope(status=Status.FAIL)
        body = json.loads(base64.b64decode(envelope["payload"])) | fields
        return read("e1", envelope | {"payload": encoded(body)})

    return make


def encoded(body: dict[str, Any]) -> str:
    return base64.b64encode(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).decode()


def under_another_name(signer: Reviewer) -> Recorded:
    """The agent's own signature, with a trusted key named in the payload."""
    agent = Reviewer("agent")
    body = json.loads(base64.b64decode(agent.envelope()["payload"])) | {"key": signer.public}
    raw = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return read("e1", signing.seal(decisions.PAYLOAD_TYPE, raw, agent.key))


def other_type(signer: Reviewer) -> Recorded:
    raw = base64.b64decode(signer.envelope()["payload"])
    return read("e1", signing.seal("application/vnd.backcheck.record+json", raw, signer.key))


def copied_type(signer: Reviewer) -> Recorded:
    raw = base64.b64decode(signer.envelope()["payload"])
    sealed = signing.seal("application/vnd.backcheck.record+json", raw, signer.key)
    return read("e1", sealed | {"payloadType": decisions.PAYLOAD_TYPE})


NEVER = [
    Never("an untrusted key", lambda _: Reviewer("agent").recorded(), "not among the base contract's trusted keys"),
    Never("an untrusted key of a trusted name", lambda s: Reviewer(s.name).recorded(), "not among the base contract's"),
    Never("another contract", lambda s: s.recorded(contract="d" * 64), "another contract"),
    Never("the same contract of another folder", lambda s: s.recorded(path="lib/" + PATH), "another contract"),
    Never("another tree", lambda s: s.recorded(tree="b" * 64), "the tree has changed since"),
    Never("a tree that could not be read", lambda s: s.recorded(tree=""), "another tree", {"tree_digest": ""}),
    Never("no contract", lambda s: s.recorded(contract=""), "another contract", {"contract_digest": ""}),
    Never("the beginning of a digest", lambda s: s.recorded(tree=TREE[:40]), "the tree has changed since"),
    Never("a fail made a pass", edited(status="pass"), "not signed"),
    Never("another tree written in", edited(status="pass", tree=TREE), "not signed"),
    Never("another requirement written in", edited(requirement="review"), "not signed"),
    Never("signed by the agent in a reviewer's name", under_another_name, "not signed"),
    Never("another type put over the signature", copied_type, "not signed"),
    Never("no signature", lambda s: read("e1", s.envelope() | {"signatures": []}), "no list of 1 to 8 signatures"),
]


@pytest.mark.parametrize("row", NEVER, ids=[row.name for row in NEVER])
def test_ways_in_which_a_decision_does_not_count(ana, row):
    recorded = row.make(ana)
    if row.name == "another requirement written in":
        recorded = edited(requirement="review")(SignsOther(ana))
    found = applied(UNCLEAR, recorded, trusted=(ana.public,), **(row.bound or {}))
    assert replace(found, details=UNCLEAR.details) == UNCLEAR
    (note,) = noted(found)
    assert row.why in note["why"]
    assert note["decision"] == "e1"
    assert note["said"].split()[0] in ("pass", "fail")


class SignsOther(Reviewer):
    """Signs for a requirement of another name."""

    def __init__(self, other: Reviewer) -> None:
        self.name, self.key, self.public = other.name, other.key, other.public

    def envelope(self, **fields: Any) -> dict[str, Any]:
        return super().envelope(**(fields | {"requirement": "other"}))


@pytest.mark.parametrize("name", ["other", "Review", "review ", "backcheck:review", ""])
def test_a_decision_on_another_requirement_has_no_effect(ana, name):
    assert applied(UNCLEAR, ana.recorded(requirement=name), trusted=(ana.public,)) == UNCLEAR


@pytest.mark.parametrize("trusted", [(), ("",), ("ed25519:AAAA",), ("ana",)])
def test_nobody_is_trusted_who_is_not_named(ana, trusted):
    assert applied(UNCLEAR, ana.recorded(), trusted=trusted).status is Status.UNCLEAR


def test_a_key_is_compared_by_its_bytes(ana):
    """Two bits of the last letter stand for nothing, so one key has four texts."""
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    loose = ana.public[:-2] + letters[letters.index(ana.public[-2]) ^ 1] + "="
    assert loose != ana.public
    assert signing.raw_key(loose) == signing.raw_key(ana.public)
    assert applied(UNCLEAR, ana.recorded(), trusted=(loose,)).status is Status.PASS


# What is in the ledger but says nothing


def signed(signer: Reviewer, raw: bytes) -> Recorded:
    return read("e1", signing.seal(decisions.PAYLOAD_TYPE, raw, signer.key))


def payload_with(signer: Reviewer, **fields: Any) -> bytes:
    body = json.loads(base64.b64decode(signer.envelope()["payload"])) | fields
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


UNREADABLE: list[tuple[str, Callable[[Reviewer], bytes]]] = [
    ("no JSON", lambda _: b"{"),
    ("no mapping", lambda _: b"[]"),
    ("nested without end", lambda _: b"[" * 60_000),
    ("a field too many", lambda s: payload_with(s, extra="x")),
    ("a number for a text", lambda s: payload_with(s, verdict=1)),
    ("another schema", lambda s: payload_with(s, schema="backcheck.decision/2")),
    ("unclear as an answer", lambda s: payload_with(s, status="unclear")),
    ("no such answer", lambda s: payload_with(s, status="PASS")),
    ("no reason", lambda s: payload_with(s, reason="")),
    ("a blank reason", lambda s: payload_with(s, reason=" ")),
    ("a reason that writes over the screen", lambda s: payload_with(s, reason="a\x1b[2Jb")),
    ("an endless reason", lambda s: payload_with(s, reason="x" * 2001)),
    ("a name that writes over the screen", lambda s: payload_with(s, name="a\x1b[2J")),
    ("a time of another form", lambda s: payload_with(s, time="2026-01-02")),
    ("a key of another form", lambda s: payload_with(s, key="ed25519:AAAA")),
    ("spaces between", lambda s: json.dumps(json.loads(payload_with(s)), sort_keys=True).encode()),
    ("a key twice", lambda s: payload_with(s)[:-1] + b',"status":"pass"}'),
]


@pytest.mark.parametrize("make", [row[1] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE])
def test_a_payload_that_is_not_written_as_ours_is_no_decision(ana, make):
    recorded = signed(ana, make(ana))
    assert recorded.decision is None
    assert recorded.problem
    assert applied(UNCLEAR, recorded, trusted=(ana.public,)) == UNCLEAR


def test_the_payload_that_the_table_changes_is_a_decision_as_it_is(ana):
    assert signed(ana, payload_with(ana)) == ana.recorded()


def test_a_payload_of_another_type_is_no_decision(ana):
    assert other_type(ana).decision is None


@pytest.mark.parametrize("body", [{}, {"payload": 1}, {"payloadType": decisions.PAYLOAD_TYPE, "payload": "x"}])
def test_any_body_can_be_read(body):
    assert read("e1", body).decision is None


# Which of several


EARLY, LATE = "2026-01-01T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([("ana", "pass", EARLY), ("ana", "fail", LATE)], "fail"),
        ([("ana", "fail", EARLY), ("ana", "pass", LATE)], "pass"),
        ([("ana", "pass", LATE), ("ana", "fail", EARLY)], "pass"),
        ([("ana", "fail", EARLY), ("ana", "pass", EARLY)], "fail"),
        ([("ana", "pass", EARLY), ("ben", "fail", EARLY)], "fail"),
        ([("ana", "pass", LATE), ("ben", "fail", EARLY)], "fail"),
        ([("ana", "fail", EARLY), ("ben", "pass", LATE)], "fail"),
        ([("ana", "fail", EARLY), ("ana", "pass", LATE), ("ben", "pass", EARLY)], "pass"),
        ([("ana", "pass", EARLY), ("ben", "pass", LATE)], "pass"),
    ],
)
def test_the_newest_of_each_key_and_a_fail_before_a_pass(ana, ben, answers, expected):
    who = {"ana": ana, "ben": ben}
    recorded = [
        who[name].recorded(f"e{i}", status=Status(said), time=time) for i, (name, said, time) in enumerate(answers)
    ]
    for order in (recorded, recorded[::-1]):
        found = applied(UNCLEAR, *order, trusted=(ana.public, ben.public))
        assert found.status.value == expected


def test_an_old_decision_entered_again_is_not_the_newest(ana):
    old, new = ana.recorded("e1", status=Status.PASS, time=EARLY), ana.recorded("e2", status=Status.FAIL, time=LATE)
    again = replace(old, entry="e3")
    assert applied(UNCLEAR, old, new, again, trusted=(ana.public,)).status is Status.FAIL


def test_an_untrusted_fail_does_not_stand_against_a_pass(ana, ben):
    recorded = [ana.recorded(time=EARLY), ben.recorded(status=Status.FAIL, time=LATE)]
    found = applied(UNCLEAR, *recorded, trusted=(ana.public,))
    assert found.status is Status.PASS
    assert noted(found)[0]["said"].startswith("fail by ben/")


def test_the_newest_answer_is_the_one_that_is_named(ana, ben):
    recorded = [ana.recorded("e1", time=EARLY, reason="first"), ben.recorded("e2", time=LATE, reason="second")]
    found = applied(UNCLEAR, *recorded, trusted=(ana.public, ben.public))
    assert (found.details["decision"], found.reason.rpartition(": ")[2]) == ("e2", "second")


# The verdict


def test_a_failure_beside_it_stays_final(ana):
    findings = [
        replace(UNCLEAR, status=Status.FAIL),
        UNCLEAR,
        replace(UNCLEAR, requirement="tests", status=Status.FAIL),
    ]
    found = apply_decisions(findings, [ana.recorded(), ana.recorded(requirement="tests")], contract_digest=CONTRACT,
                            contract_path=PATH, tree_digest=TREE, trusted_keys=[ana.public])  # fmt: skip
    assert [f.status for f in found] == [Status.FAIL, Status.PASS, Status.FAIL]
    assert decide(["review", "tests"], found, blocking=["review", "tests"]).outcome is Outcome.REJECT


@given(
    statuses=st.lists(st.sampled_from(Status), min_size=1, max_size=4),
    answers=st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([Status.PASS, Status.FAIL]), st.booleans()), max_size=4
    ),
)
def test_a_decision_never_rescues_a_rejection_and_a_trusted_one_is_needed_for_any_change(statuses, answers):
    ana, agent = KNOWN
    findings = [replace(UNCLEAR, requirement=f"r{i}", status=status) for i, status in enumerate(statuses)]
    recorded = [(ana if ours else agent).recorded(requirement=f"r{i}", status=said) for i, said, ours in answers]
    found = apply_decisions(findings, recorded, contract_digest=CONTRACT, contract_path=PATH, tree_digest=TREE,
                            trusted_keys=[ana.public])  # fmt: skip
    ids = [finding.requirement for finding in findings]
    before, after = (decide(ids, list(some), blocking=ids).outcome for some in (findings, found))
    assert before is not Outcome.REJECT or after is Outcome.REJECT
    trusted = {f"r{i}" for i, _, ours in answers if ours}
    for old, new in zip(findings, found, strict=True):
        if old.status not in decisions.OPEN or old.requirement not in trusted:
            assert replace(new, details=old.details) == old
        else:
            assert (new.status in decisions.ANSWERS, new.channel) == (True, Channel.HUMAN)


KNOWN = (Reviewer("ana"), Reviewer("agent"))


# In the ledger


def test_decisions_come_back_from_the_ledger_oldest_first(ledger, ana):
    first = ledger.append("decision", ana.envelope(time=LATE))
    ledger.append("verdict", {"verdict": "PASS"})
    second = ledger.append("decision", {"payload": "rubbish"})
    loaded = decisions.load(ledger)
    assert [item.entry for item in loaded] == [first.id, second.id]
    assert loaded[0].decision == ana.decision(time=LATE)
    assert loaded[1].decision is None


def test_too_many_decisions_are_an_error_and_none_is_left_out(ledger, ana, monkeypatch):
    monkeypatch.setattr(decisions, "MAX_DECISIONS", 2)
    for _ in range(2):
        ledger.append("decision", ana.envelope())
    assert len(decisions.load(ledger)) == 2
    ledger.append("decision", {})
    with pytest.raises(LedgerCorrupt, match="more than 2"):
        decisions.load(ledger)


def test_the_notes_are_bounded(ana):
    recorded = [ana.recorded(f"e{i}", tree="b" * 64) for i in range(25)]
    found = applied(UNCLEAR, *recorded, trusted=(ana.public,))
    assert [note["decision"] for note in noted(found)] == [f"e{i}" for i in range(5, 25)]
    assert found.details["decisions_not_counted_more"] == 5


def test_nothing_is_signed_that_would_not_be_read(ana, ben):
    with pytest.raises(ValueError, match="another key"):
        decisions.seal(ana.decision(key=ben.public), ana.key)
    for fields in ({"status": Status.UNCLEAR}, {"reason": " "}, {"name": "a b"}, {"time": "now"}):
        with pytest.raises(ValueError, match="the decision"):
            decisions.seal(ana.decision(**fields), ana.key)


@pytest.mark.parametrize(
    ("text", "line"),
    [("  a\n b\tc ", "a b c"), ("a\x1b[31mb", "a [31mb"), ("读了\u3000差异", "读了 差异"), ("x" * 2000, "x" * 2000)],
)
def test_a_reason_is_one_line(text, line):
    assert decisions.clean_reason(text) == line


@pytest.mark.parametrize("text", ["", " \n", "\x1b\u200b", "x" * 2001])
def test_what_is_no_reason(text):
    with pytest.raises(ValueError):
        decisions.clean_reason(text)
