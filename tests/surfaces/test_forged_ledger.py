"""The ledger is memory: whatever the agent does to it, no forged entry makes a pass, and none takes a rejection away."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support import Repo

from backcheck.evidence import signing
from backcheck.evidence.git import discover
from backcheck.ledger import attempts, decisions, keys
from backcheck.ledger.decisions import Decision
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import Ledger
from backcheck.surfaces.cli.main import run
from backcheck.verdict import Status

CONTRACT = """version: 1
trusted_keys: ['{key}']
attempts: 2
requirements:
  - {{id: review, description: d, check: human, with: {{question: Is it kind?}}}}
  - {{id: clean, description: d, check: absent, with: {{glob: 'src/**', pattern: TODO}}}}
"""
BAD, OPEN = "TODO\n", "done\n"


class Yard:
    """A repository under a contract that trusts one reviewer, whose key the agent does not have; and the agent's doings."""

    def __init__(self, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        self.repo, self.capsys = repo, capsys
        self.public = keys.new_key("reviewer")
        self.key = keys.load_key("reviewer")
        repo.write(".backcheck/contract.yaml", CONTRACT.format(key=self.public))
        repo.write("src/a.py", OPEN)
        self.base = repo.commit()

    @property
    def ledger(self) -> Ledger:
        return open_ledger(discover(self.repo.root), self.repo.root)

    @property
    def file(self) -> Path:
        return Path(self.ledger.where)

    def check(self, text: str) -> dict[str, Any]:
        self.repo.write("src/a.py", text)
        self.capsys.readouterr()
        code = run(["check", "-C", str(self.repo.root), "--base", self.base, "--json"])
        document: dict[str, Any] = json.loads(self.capsys.readouterr().out)
        assert document["exit_code"] == code
        return document

    def document(self, verdict: str, text: str) -> dict[str, Any]:
        """A verdict document about a text, with everything set to what the forger would like."""
        made = self.check(text)
        made["verdict"], made["exit_code"] = verdict, 0 if verdict == "PASS" else 1
        for finding in made["findings"]:
            finding.update(status="pass" if verdict == "PASS" else "fail", blame=None)
        return made

    def decision(self, text: str, **fields: Any) -> Decision:
        """What the reviewer would sign about a text."""
        judged = self.check(text)
        ordinary = {
            "requirement": "review", "status": Status.PASS, "reason": "fine", "contract": judged["contract"]["digest"],
            "path": judged["contract"]["path"], "tree": judged["tree"]["digest"], "verdict": judged["record"],
            "time": "2026-01-02T03:04:05.000000Z", "key": self.public, "name": "reviewer",
        }  # fmt: skip
        return Decision(**(ordinary | fields))


@pytest.fixture
def yard(repo: Repo, capsys: pytest.CaptureFixture[str]) -> Yard:
    return Yard(repo, capsys)


# What an agent can do who may write the file


def remove(yard: Yard) -> None:
    shutil.rmtree(yard.file.parent)


def damage(yard: Yard) -> None:
    yard.file.write_bytes(b"x" * 5000)


def cut(yard: Yard) -> None:
    yard.file.write_bytes(yard.file.read_bytes()[: yard.file.stat().st_size // 2])


def link(yard: Yard) -> None:
    elsewhere = yard.file.parent.rename(yard.repo.root.parent / "elsewhere")
    yard.file.parent.symlink_to(elsewhere)


def folder(yard: Yard) -> None:
    yard.file.unlink()
    yard.file.mkdir()


def pipe(yard: Yard) -> None:
    yard.file.unlink()
    os.mkfifo(yard.file)


def foreign(yard: Yard) -> None:
    yard.file.unlink()
    with sqlite3.connect(yard.file) as db:
        db.execute("CREATE TABLE entries (a)")


def say_pass(yard: Yard) -> None:
    for text in (BAD, OPEN):
        yard.ledger.append("verdict", yard.document("PASS", text))


def write_anew(yard: Yard) -> None:
    """A new chain, whole and with right hashes, in which everything passed."""
    documents = [yard.document("PASS", text) for text in (BAD, OPEN)]
    remove(yard)
    for document in documents:
        yard.ledger.append("verdict", document)
    assert yard.ledger.verify() == []


def file_elsewhere(yard: Yard) -> None:
    """The columns by which rejections are found say something else; no hash covers them."""
    with sqlite3.connect(yard.file) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE entries SET outcome = ''")
        for _, sql in triggers:
            db.execute(sql)


def sign_with_another_key(yard: Yard) -> None:
    keys.new_key("agent")
    own = keys.load_key("agent")
    for text in (BAD, OPEN):
        for requirement in ("review", "clean", "backcheck:attempts"):
            decision = yard.decision(text, requirement=requirement, key=signing.public_text(own))
            yard.ledger.append(decisions.KIND, decisions.seal(decision, own))


def name_the_trusted_key(yard: Yard) -> None:
    """The payload names the reviewer's key, the signature is another's."""
    keys.new_key("agent")
    for text in (BAD, OPEN):
        payload = decisions._payload(yard.decision(text))
        envelope = signing.seal(decisions.PAYLOAD_TYPE, payload, keys.load_key("agent"))
        yard.ledger.append(decisions.KIND, envelope)
        yard.ledger.append(decisions.KIND, {**envelope, "signatures": []})


def change_what_was_signed(yard: Yard) -> None:
    """A real decision about something else, with another payload put under its signature."""
    real = decisions.seal(yard.decision("another text\n"), yard.key)
    for text in (BAD, OPEN):
        forged = signing.seal(decisions.PAYLOAD_TYPE, decisions._payload(yard.decision(text)), yard.key)
        yard.ledger.append(decisions.KIND, {**forged, "signatures": real["signatures"]})


def replay(yard: Yard) -> None:
    """Real decisions: about another tree, another contract, another folder, another requirement."""
    for fields in ({}, {"contract": "c" * 64}, {"path": "x/.backcheck/contract.yaml"}, {"requirement": "clean"}):
        text = "another text\n" if not fields else OPEN
        yard.ledger.append(decisions.KIND, decisions.seal(yard.decision(text, **fields), yard.key))


def rubbish(yard: Yard) -> None:
    for body in (
        {},
        {"payload": "x"},
        {"verdict": "PASS", "findings": "PASS"},
        {"payload": "e30=", "signatures": [{}]},
    ):
        for kind in ("decision", "verdict"):
            yard.ledger.append(kind, body)


FORGERIES: list[Callable[[Yard], None]] = [
    remove, damage, cut, link, folder, pipe, foreign, say_pass, write_anew, file_elsewhere, sign_with_another_key,
    name_the_trusted_key, change_what_was_signed, replay, rubbish,
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=[forge.__name__ for forge in FORGERIES])
def test_no_forged_entry_makes_a_pass_or_takes_a_rejection_away(yard: Yard, forge: Callable[[Yard], None]) -> None:
    assert (yard.check(BAD)["verdict"], yard.check(OPEN)["verdict"]) == ("REJECT", "UNCLEAR")
    forge(yard)
    rejected, unclear = yard.check(BAD), yard.check(OPEN)
    assert (rejected["verdict"], unclear["verdict"]) == ("REJECT", "UNCLEAR")
    statuses = {finding["requirement"]: finding["status"] for finding in unclear["findings"]}
    assert (statuses["review"], statuses["clean"]) == ("unclear", "pass")
    assert {f["requirement"]: f["status"] for f in rejected["findings"]}["clean"] == "fail"


def test_the_table_would_notice_a_decision_that_counts(yard: Yard) -> None:
    """The control: what the reviewer signed for this very tree does make it pass, and the rejected one no better."""
    yard.check(BAD)
    for text in (BAD, OPEN):
        yard.ledger.append(decisions.KIND, decisions.seal(yard.decision(text), yard.key))
    # A failure is final, even for the reviewer.
    yard.ledger.append(decisions.KIND, decisions.seal(yard.decision(BAD, requirement="clean"), yard.key))
    assert (yard.check(OPEN)["verdict"], yard.check(BAD)["verdict"]) == ("PASS", "REJECT")


@pytest.mark.parametrize("forge", [damage, cut, foreign], ids=lambda forge: forge.__name__)
def test_a_ledger_that_is_none_holds_a_pass_back(yard: Yard, forge: Callable[[Yard], None]) -> None:
    yard.ledger.append(decisions.KIND, decisions.seal(yard.decision(OPEN), yard.key))
    assert yard.check(OPEN)["verdict"] == "PASS"
    forge(yard)
    document = yard.check(OPEN)
    last = document["findings"][-1]
    assert (document["verdict"], last["requirement"], last["status"]) == ("UNCLEAR", "backcheck:ledger", "error")


# The count of attempts


def use_up(yard: Yard) -> dict[str, Any]:
    """Three rejections where two are allowed, then a tree that a person has passed."""
    for number in range(3):
        assert yard.check(f"TODO {number}\n")["verdict"] == "REJECT"
    yard.ledger.append(decisions.KIND, decisions.seal(yard.decision(OPEN), yard.key))
    document = yard.check(OPEN)
    assert document["attempts"]["number"] == 4
    assert document["verdict"] == "UNCLEAR"
    return document


def test_nothing_that_the_agent_can_append_ends_the_count(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    held = use_up(yard)
    keys.new_key("agent")
    own = keys.load_key("agent")
    allowing = {"requirement": "backcheck:attempts", "verdict": held["record"]}
    forged = decisions._payload(yard.decision(OPEN, **allowing))
    flood = {**held, "verdict": "REJECT", "base": {"commit": "0" * 40}}
    monkeypatch.setattr(attempts, "MAX_READ", 5)
    for kind, body in (
        (decisions.KIND, decisions.seal(yard.decision(OPEN, **allowing, key=signing.public_text(own)), own)),
        (decisions.KIND, signing.seal(decisions.PAYLOAD_TYPE, forged, own)),
        # The reviewer's word on another requirement is no word on the attempts.
        (decisions.KIND, decisions.seal(yard.decision(OPEN, verdict=held["record"]), yard.key)),
        ("verdict", {**held, "verdict": "PASS"}),
        *[("verdict", flood)] * 6,
    ):
        yard.ledger.append(kind, body)
        document = yard.check(OPEN)
        assert document["verdict"] == "UNCLEAR"
        assert document["findings"][-1]["requirement"] == "backcheck:attempts"


def test_neither_commits_nor_a_changed_contract_end_the_count(yard: Yard) -> None:
    use_up(yard)
    text = (yard.repo.root / ".backcheck/contract.yaml").read_text()
    yard.repo.write(".backcheck/contract.yaml", text.replace("attempts: 2", "attempts: 99"))
    yard.repo.commit()
    yard.repo.git("checkout", "-q", "-b", "another")
    document = yard.check("done, and more\n")
    assert (document["attempts"]["number"], document["attempts"]["limit"], document["verdict"]) == (4, 2, "UNCLEAR")


def test_the_reviewers_word_ends_it_once(yard: Yard) -> None:
    held = use_up(yard)
    word = decisions.seal(yard.decision(OPEN, requirement="backcheck:attempts", verdict=held["record"]), yard.key)
    yard.ledger.append(decisions.KIND, word)
    assert yard.check(OPEN)["verdict"] == "PASS"
    for number in range(10, 13):
        yard.check(f"TODO {number}\n")
    yard.ledger.append(decisions.KIND, word)
    yard.ledger.append(decisions.KIND, decisions.seal(yard.decision("well\n"), yard.key))
    assert (yard.check("well\n")["attempts"]["number"], yard.check("well\n")["verdict"]) == (4, "UNCLEAR")


@pytest.mark.parametrize("forge", [remove, write_anew, file_elsewhere, folder], ids=lambda forge: forge.__name__)
def test_what_removing_can_do_is_no_more_than_the_reference_says(yard: Yard, forge: Callable[[Yard], None]) -> None:
    """Whoever may write the file can lose the count, and people's answers with it; what then passes would pass anywhere."""
    use_up(yard)
    forge(yard)
    assert yard.check("TODO 7\n")["verdict"] == "REJECT"
    document = yard.check(OPEN)
    assert document["verdict"] in {"UNCLEAR", "PASS"}
    review = next(finding for finding in document["findings"] if finding["requirement"] == "review")
    # It passes only where the reviewer's own signature is still there, whole.
    assert (review["status"] == "pass") == (forge is file_elsewhere)
    reference = (Path(__file__).parents[2] / "docs/reference/ledger.md").read_text(encoding="utf-8")
    assert "the count of attempts" in reference


def test_a_linked_worktree_counts_by_itself(yard: Yard, tmp_path: Path) -> None:
    """It has a ledger of its own; what it passes, it passes by its tree and by people's signatures."""
    use_up(yard)
    yard.repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "HEAD")
    yard.capsys.readouterr()
    assert run(["check", "-C", str(tmp_path / "linked"), "--base", yard.base, "--json"]) == 3
    document = json.loads(yard.capsys.readouterr().out)
    assert document["attempts"]["number"] == 1
    assert [finding["status"] for finding in document["findings"]] == ["unclear", "pass"]
