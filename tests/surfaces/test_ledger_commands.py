"""`log`, `show`, `queue`, `decide` and `keys` on real repositories, together with `check`."""

from __future__ import annotations

import json
import os
import pty
import select
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backcheck.evidence import signing
from backcheck.evidence.git import discover
from backcheck.ledger import keys
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import Ledger
from backcheck.surfaces import deciding
from backcheck.surfaces.cli import decide as decide_command
from backcheck.surfaces.cli.main import run

#: `review` is unclear as long as there are no documents to search; `clean` can fail.
CONTRACT = """version: 1
task: Write the manual
trusted_keys: [{keys}]
attempts: {attempts}
requirements:
  - id: review
    description: |
      The manual names no secret.
      A person reads it.
    check: absent
    with: {{glob: 'manual/**', pattern: SECRET}}
  - {{id: clean, check: absent, with: {{glob: 'src/**', pattern: TODO}}}}
"""

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line in this process: exit code, stdout, stderr."""

    def called(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return called


class World:
    """A repository with a contract in its base, a change on top of it, and a reviewer."""

    def __init__(self, repo: Any, call: Call) -> None:
        self.repo, self.call, self.root = repo, call, repo.root
        self.public = keys.new_key("ana")

    def begin(self, *trusted: str, attempts: int = 5) -> World:
        names = ", ".join(f"'{key}'" for key in (trusted or (self.public,)))
        self.repo.write(".backcheck/contract.yaml", CONTRACT.format(keys=names, attempts=attempts))
        self.repo.write("src/a.py", "one\ntwo\nthree\n")
        self.repo.commit()
        self.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.repo.write("src/a.py", "one\n2\nthree\n")
        return self

    def check(self, *arguments: str) -> dict[str, Any]:
        code, out, err = self.call("check", "-C", self.root, "--json", *arguments)
        document: dict[str, Any] = json.loads(out)
        assert document["exit_code"] == code, err
        return document

    def decide(
        self, verdict: str = "last", requirement: str = "review", status: str = "pass", *more: str
    ) -> tuple[int, str, str]:
        arguments = more or ("--reason", "read every page", "--yes")
        return self.call("decide", verdict, requirement, status, "-C", self.root, *arguments)

    def json(self, *arguments: object) -> Any:
        code, out, err = self.call(*arguments, "-C", self.root, "--json")
        assert code == 0, err
        return json.loads(out)

    @property
    def ledger(self) -> Ledger:
        return open_ledger(discover(self.root), self.root)

    def decisions(self) -> int:
        return sum(1 for _ in self.ledger.entries("decision"))


@pytest.fixture
def world(repo: Any, call: Call) -> World:
    return World(repo, call)


def found(document: dict[str, Any], requirement: str = "review") -> dict[str, Any]:
    (finding,) = [f for f in document["findings"] if f["requirement"] == requirement]
    return dict(finding)


# The whole way


def test_from_unclear_by_a_decision_to_pass_until_the_tree_changes(world):
    world.begin()
    unclear = world.check()
    assert unclear["verdict"] == "UNCLEAR"
    code, out, _ = world.call("queue", "-C", world.root)
    assert code == 0
    assert unclear["record"] in out
    assert "unclear  review" in out

    code, out, err = world.decide(unclear["record"])
    assert (code, err) == (0, "")
    assert "is recorded" in out
    assert "NO EFFECT" not in out

    passed = world.check()
    assert passed["verdict"] == "PASS"
    finding = found(passed)
    assert (finding["status"], finding["channel"], finding["blame"]) == ("pass", "human", None)
    assert finding["reason"] == f"decided by ana/{signing.fingerprint(world.public)}: read every page"
    assert finding["details"]["original"]["status"] == "unclear"
    assert "review" not in passed["asserted_passes"]
    assert "[a person]" in world.call("check", "-C", world.root)[1]
    assert world.call("queue", "-C", world.root)[1] == "nothing waits for a person\n"

    world.repo.write("src/b.py", "")
    stale = world.check()
    assert stale["verdict"] == "UNCLEAR"
    (note,) = found(stale)["details"]["decisions_not_counted"]
    assert "the tree has changed" in note["why"]
    (world.root / "src/b.py").unlink()
    assert world.check()["verdict"] == "PASS"


def test_a_persons_fail_rejects(world):
    world.begin()
    world.check()
    assert world.decide(status="fail")[0] == 0
    document = world.check()
    assert (document["verdict"], found(document)["blame"]) == ("REJECT", "agent")


def test_a_decision_does_not_rescue_a_failure_beside_it(world):
    world.begin()
    world.repo.write("src/a.py", "TODO\n")
    assert world.check()["verdict"] == "REJECT"
    assert world.decide()[0] == 0
    document = world.check()
    assert (document["verdict"], found(document)["status"]) == ("REJECT", "pass")


def test_the_same_contract_of_another_folder_is_another_one(world):
    world.begin()
    text = (world.root / ".backcheck/contract.yaml").read_text()
    world.repo.write("lib/.backcheck/contract.yaml", text)
    world.repo.write("lib/src/a.py", "")
    world.repo.commit()
    world.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    world.check()
    world.decide()
    assert world.check()["verdict"] == "PASS"
    code, out, _ = world.call("check", "-C", world.root / "lib", "--json")
    (note,) = found(json.loads(out))["details"]["decisions_not_counted"]
    assert (code, note["why"]) == (3, "it was made for another contract")


@pytest.mark.parametrize("tree", ["index", "HEAD"])
def test_the_index_and_a_revision_can_be_decided_on(world, tree):
    world.begin()
    world.repo.git("add", "-A")
    if tree == "HEAD":
        world.repo.commit()
    assert world.check("--tree", tree)["verdict"] == "UNCLEAR"
    # What lies on disk is not what was judged.
    world.repo.write("src/a.py", "something else\n")
    code, out, err = world.decide()
    assert (code, err) == (0, "")
    assert "  +2" in out.splitlines()
    assert "something else" not in out
    assert world.check("--tree", tree)["verdict"] == "PASS"
    assert world.check()["verdict"] == "UNCLEAR"


# What is shown


def test_requirement_findings_and_change_are_shown_before_anything_is_signed(world, monkeypatch):
    world.begin()
    world.repo.write("notes/new.txt", "hello\n")
    record = world.check()["record"]
    seen: list[str] = []
    shown = decide_command._shown

    def noting(*arguments: Any) -> Any:
        seen.append(str(world.decisions()))
        return shown(*arguments)

    monkeypatch.setattr(decide_command, "_shown", noting)
    out = world.decide()[1]
    assert seen == ["0"]
    lines = [line.strip() for line in out.splitlines()]
    for expected in (
        "requirement  review",
        "asked    The manual names no secret.",
        "asked    A person reads it.",
        "task     Write the manual",
        "why     no file matches manual/**: nothing was searched",
        "changed src/a.py",
        "-two",
        "+2",
        "added notes/new.txt",
        "+hello",
    ):
        assert expected in lines, expected
    assert f"findings of verdict {record}" in out
    assert "which the agent could have moved" in out


def test_nothing_that_is_shown_can_write_over_the_screen(world):
    world.begin()
    world.repo.write("src/\x1b[2Ja.py", "x\x1b[8m\u202e\x9b\rhidden\n")
    world.check()
    out = world.decide()[1]
    assert not set(out) & set("\x1b\r\x9b\u202e")
    assert "\\x1b[8m\\u202e\\x9b\\rhidden" in out


def test_attributes_filters_and_index_bits_hide_nothing(world):
    world.begin()
    world.repo.write(".gitattributes", "* binary -diff filter=hide\n")
    world.repo.git("config", "filter.hide.clean", "printf same")
    world.repo.git("config", "diff.external", "true")
    world.repo.git("update-index", "--assume-unchanged", "src/a.py")
    world.check()
    out = world.decide()[1]
    assert "changed src/a.py" in out
    assert "  +2" in out.splitlines()


def test_ignored_files_that_were_judged_are_named_and_bound(world):
    world.begin()
    world.repo.write(".gitignore", "out/\n")
    text = (world.root / ".backcheck/contract.yaml").read_text()
    text += "  - {id: report, check: file-contains, with: {file: out/report.txt, pattern: done}}\n"
    world.repo.write(".backcheck/contract.yaml", text)
    world.repo.commit()
    world.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    world.repo.write("out/report.txt", "done\n")
    world.check()
    code, out, _ = world.decide()
    assert code == 0
    assert "also judged, though git ignores it: out/report.txt" in out
    assert world.check()["verdict"] == "PASS"
    world.repo.write("out/report.txt", "done, differently\n")
    assert world.decide()[0] == 2
    assert world.check()["verdict"] == "UNCLEAR"


# Decisions of no effect


def test_an_untrusted_key_is_told_plainly_and_changes_nothing(world):
    other = keys.new_key("other")
    world.begin(other)
    world.check()
    code, out, _ = world.decide("last", "review", "pass", "--reason", "r", "--yes", "--key", "ana")
    assert code == 0
    assert "NO EFFECT    its key is not among the base contract's trusted keys" in out
    assert world.public in out
    assert "has no effect" in out.splitlines()[-1]
    document = world.check()
    assert document["verdict"] == "UNCLEAR"
    (note,) = found(document)["details"]["decisions_not_counted"]
    assert "trusted keys" in note["why"]
    assert "review" in world.call("queue", "-C", world.root)[1]


def test_keys_that_only_the_trees_contract_names_do_not_count(world):
    world.begin("ed25519:" + "A" * 43 + "=")
    text = (world.root / ".backcheck/contract.yaml").read_text()
    world.repo.write(".backcheck/contract.yaml", text.replace("ed25519:" + "A" * 43 + "=", world.public))
    world.check()
    assert "NO EFFECT" in world.decide()[1]
    assert world.check()["verdict"] == "UNCLEAR"


def test_without_a_base_nobody_is_trusted(world):
    world.begin()
    world.repo.git("update-ref", "-d", "refs/remotes/origin/main")
    world.check()
    out = world.decide()[1]
    assert "NO EFFECT    there is no base" in out
    assert "no base: what changed in the working tree " in out
    assert world.check()["verdict"] == "UNCLEAR"


def test_outside_a_repository_the_ledger_lies_beside_the_contract(tmp_path, call):
    public = keys.new_key("ana")
    (tmp_path / ".backcheck").mkdir()
    (tmp_path / ".backcheck/contract.yaml").write_text(CONTRACT.format(keys=f"'{public}'", attempts=5))
    (tmp_path / "sub").mkdir()
    assert call("check", "-C", tmp_path)[0] == 3
    assert (tmp_path / ".backcheck/ledger.db").is_file()
    code, out, _ = call("decide", "last", "review", "pass", "--reason", "r", "--yes", "-C", tmp_path / "sub")
    assert (code, "NO EFFECT" in out) == (0, True)
    assert call("check", "-C", tmp_path)[0] == 3
    assert call("log", "-C", tmp_path / "sub")[1].count("\n") == 3


def test_a_fail_that_stands_against_it_is_told(world):
    ben = keys.new_key("ben")
    world.begin(world.public, ben)
    world.check()
    assert world.decide("last", "review", "fail", "--reason", "no", "--yes", "--key", "ben")[0] == 0
    out = world.decide("last", "review", "pass", "--reason", "yes", "--yes", "--key", "ana")[1]
    assert f"NO EFFECT    the `fail` by ben/{signing.fingerprint(ben)} stands against it" in out
    assert world.check()["verdict"] == "REJECT"


# Refusals


@pytest.mark.parametrize(
    ("requirement", "told"),
    [
        ("clean", "`pass`: only `unclear` and `error` can be decided; open are: review"),
        ("nothing", "has no answer for `nothing`; open are: review"),
        ("", "has no answer"),
    ],
)
def test_what_cannot_be_decided(world, requirement, told):
    world.begin()
    world.check()
    code, _, err = world.decide("last", requirement)
    assert (code, world.decisions()) == (2, 0)
    assert told in err


def test_a_failure_is_final(world):
    world.begin()
    world.repo.write("src/a.py", "TODO\n")
    world.check()
    code, _, err = world.decide("last", "clean")
    assert (code, world.decisions()) == (2, 0)
    assert "a failure is final" in err


def test_a_requirement_that_was_not_asked_cannot_be_decided(world):
    world.begin()
    assert world.check("--only", "clean")["unanswered"] == ["review"]
    assert world.decide()[0] == 2


@pytest.mark.parametrize("reason", [(), ("--reason", ""), ("--reason", " \n "), ("--reason", "x" * 2001)])
def test_a_reason_must_be_given(world, reason):
    world.begin()
    world.check()
    code, _, err = world.decide("last", "review", "pass", *reason, "--yes")
    assert (code, world.decisions()) == (2, 0)
    assert "reason" in err


def test_without_a_terminal_nobody_is_taken_to_have_looked(world):
    world.begin()
    world.check()
    code, out, err = world.decide("last", "review", "pass", "--reason", "r")
    assert (code, world.decisions()) == (2, 0)
    assert "--yes" in err
    assert "requirement  review" in out


def test_the_tree_must_be_the_verdicts(world):
    world.begin()
    old = world.check()["record"]
    world.repo.write("src/a.py", "other\n")
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert f"the tree has changed since verdict {old}" in err
    world.check()
    assert world.decide(old)[0] == 2
    assert world.decide()[0] == 0


def test_a_tree_that_changes_while_one_looks_is_not_signed(world, monkeypatch):
    world.begin()
    world.check()

    def look_away(*_: object) -> None:
        path = world.root / "src/a.py"
        state, text = path.stat(), path.read_text()
        path.write_text("something else\n")
        path.write_text(text)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))

    monkeypatch.setattr(decide_command, "_confirm", look_away)
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert "changed while you looked" in err


def test_the_contract_must_be_the_verdicts(world):
    world.begin()
    world.check()
    text = (world.root / ".backcheck/contract.yaml").read_text()
    world.repo.write(".backcheck/contract.yaml", text + "# another\n")
    world.repo.commit()
    world.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert "another contract than the one here; check again, or name the base of that verdict with --base" in err


def test_a_base_that_only_the_ledger_names_is_not_believed(world):
    """The agent could name its own commit as the base, and the change would look empty."""
    world.begin()
    document = world.check()
    document["base"]["commit"] = world.repo.commit()
    world.ledger.append("verdict", document)
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert "made against the base" in err


def test_a_base_that_was_given_must_be_given_again(world):
    first = world.begin().repo.git("rev-parse", "HEAD")
    world.repo.commit()
    world.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    world.check("--base", first)
    assert world.decide()[0] == 2
    assert world.decide("last", "review", "pass", "--reason", "r", "--yes", "--base", first)[0] == 0
    assert world.check("--base", first)["verdict"] == "PASS"


def test_a_contract_that_was_named_must_be_named_again(world):
    world.begin()
    other = world.repo.write("other.yaml", CONTRACT.format(keys=f"'{world.public}'", attempts=4))
    world.repo.commit()
    world.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    world.check(str(other))
    assert world.decide()[0] == 2
    assert world.decide("last", "review", "pass", "--reason", "r", "--yes", "--contract", str(other))[0] == 0
    assert world.check(str(other))["verdict"] == "PASS"


@pytest.mark.parametrize("name", ["last", "1", "abcdef"])
def test_a_verdict_that_is_not_there(world, name):
    world.begin()
    code, _, err = world.decide(name)
    assert code == 2
    assert err.startswith("backcheck: ")
    assert err.count("\n") == 1


def test_a_decision_is_no_verdict(world):
    world.begin()
    world.check()
    world.decide()
    code, _, err = world.decide("2")
    assert code == 2
    assert "is a decision, not a verdict" in err


def test_which_key(world):
    world.begin()
    world.check()
    keys.new_key("ben")
    assert "--key: which of ana, ben?" in world.decide()[2]
    (keys.folder() / "ana.pem").unlink()
    (keys.folder() / "ben.pem").unlink()
    assert "keys new NAME" in world.decide()[2]
    keys.new_key("eve", "secret")
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert "needs its passphrase" in err


def test_the_recorders_key_decides_nothing(world):
    """`backcheck run` makes it without a passphrase where the agent works, and a contract may trust it for records."""
    public = keys.new_key(keys.RECORDER)
    world.begin(public)
    world.check()
    asked = ("decide", "last", "review", "pass", "-C", world.root, "--reason", "r", "--yes")
    code, _, err = world.call(*asked, "--key", keys.RECORDER)
    assert (code, world.decisions()) == (2, 0)
    assert "a person decides with a key of his own" in err
    # It is no choice beside a reviewer's own, and alone it is none at all.
    assert world.call(*asked)[0] == 0
    assert world.ledger.get(2).kind == "decision"
    (keys.folder() / "ana.pem").unlink()
    assert "you have no key to sign with" in world.call(*asked)[2]


def test_a_question_to_a_person_is_no_fault_of_the_machine(world):
    asked = "version: 1\nrequirements:\n  - {id: kind, description: d, check: human, with: {question: Is it kind?}}\n"
    world.repo.write(".backcheck/contract.yaml", asked)
    out = world.call("check", "-C", world.root)[1]
    assert "a person must look: Is it kind?" in out
    assert "whose" not in out


def test_a_contract_and_findings_that_cannot_be_signed_are_refused(world):
    world.begin()
    document = world.check()
    document["contract"] = "rubbish"
    world.ledger.append("verdict", document)
    assert world.decide()[0] == 2
    world.ledger.append("verdict", {"findings": "rubbish"})
    assert world.decide()[0] == 2


def test_a_damaged_base_is_a_plain_error(world, monkeypatch):
    from backcheck.evidence.git import GitError

    world.begin()
    world.check()

    def broken(*_: object) -> None:
        raise GitError("the object is damaged")

    monkeypatch.setattr(deciding, "difference", broken)
    code, _, err = world.decide()
    assert (code, world.decisions()) == (2, 0)
    assert "the object is damaged" in err


# On a terminal


def on_terminal(dialogue: list[tuple[str, str]], *arguments: object) -> tuple[int, str]:
    """A real process with a terminal of its own: each text is typed when its question stands there."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "backcheck", *(str(argument) for argument in arguments)],
        stdin=side, stdout=side, stderr=side, start_new_session=True,
    )  # fmt: skip
    os.close(side)
    out, seen, left = "", 0, list(dialogue)
    while select.select([main], [], [], 60)[0]:
        try:
            part = os.read(main, 65536).decode("utf-8", "replace")
        except OSError:
            break
        if not part:
            break
        out += part
        if left and left[0][0] in out[seen:]:
            seen = len(out)
            os.write(main, left.pop(0)[1].encode())
    else:
        process.kill()
    os.close(main)
    return process.wait(), out


@pytest.mark.parametrize(("typed", "code", "count"), [("y\n", 0, 1), ("n\n", 130, 0), ("\n", 130, 0), ("\x04", 130, 0)])
def test_a_terminal_is_asked(world, typed, code, count):
    world.begin()
    world.check()
    question = "Sign `pass` for review?"
    ended, out = on_terminal([(question, typed)], "decide", "last", "review", "pass", "--reason", "r", "-C", world.root)
    assert (ended, world.decisions()) == (code, count), out
    assert out.index("+2") < out.index(question)


def test_a_locked_key_asks_for_its_passphrase(world):
    (keys.folder() / "ana.pem").unlink()
    public = keys.new_key("ana", "secret")
    world.begin(public)
    world.check()
    arguments = ("decide", "last", "review", "pass", "--reason", "r", "--yes", "-C", world.root)
    ended, out = on_terminal([("passphrase of ana", "wrong\n")], *arguments)
    assert (ended, world.decisions()) == (2, 0), out
    ended, out = on_terminal([("passphrase of ana", "secret\n")], *arguments)
    assert (ended, world.decisions()) == (0, 1), out
    assert world.check()["verdict"] == "PASS"


# Attempts


def test_attempts_are_counted_and_end_with_a_person(world):
    world.begin(attempts=2)
    world.repo.write("manual/page.txt", "text\n")
    for number, text in enumerate(("TODO 1", "TODO 2"), start=1):
        world.repo.write("src/a.py", text)
        assert world.check()["attempts"]["number"] == number
    assert world.check()["attempts"]["number"] == 2
    world.repo.write("src/a.py", "TODO 3")
    third = world.check()
    # A failure stays one, so that nobody can fail his way to an answer that some doors let through.
    assert (third["verdict"], found(third, "backcheck:attempts")["status"]) == ("REJECT", "unclear")
    world.repo.write("src/a.py", "good")
    good = world.check()
    assert good["verdict"] == "UNCLEAR"
    assert "attempt 4, 3 rejected" in found(good, "backcheck:attempts")["reason"]
    assert "attempt   4, 3 rejected" in world.call("check", "-C", world.root)[1]

    code, out, err = world.decide("last", "backcheck:attempts")
    assert code == 0, err
    assert "a rule of backcheck's own" in out
    assert world.check()["verdict"] == "PASS"
    world.repo.write("src/a.py", "good, and more")
    again = world.check()
    assert (again["verdict"], again["attempts"]["number"]) == ("PASS", 1)


def test_an_untrusted_word_does_not_end_the_count(world):
    world.begin(keys.new_key("other"), attempts=1)
    world.repo.write("manual/page.txt", "text\n")
    world.repo.write("src/a.py", "TODO")
    world.check()
    world.repo.write("src/a.py", "good")
    assert world.check()["verdict"] == "UNCLEAR"
    world.decide("last", "backcheck:attempts", "pass", "--reason", "r", "--yes", "--key", "ana")
    assert world.check()["verdict"] == "UNCLEAR"


# Reading


def test_log(world):
    assert world.call("log", "-C", world.root)[:2] == (0, "")
    world.begin()
    record = world.check()["record"]
    world.decide()
    code, out, _ = world.call("log", "-C", world.root)
    newest, oldest = out.splitlines()
    assert code == 0
    assert oldest.split()[:2] == ["1", record]
    assert "UNCLEAR 1 unclear, 1 pass" in oldest
    assert oldest.endswith(", attempt 1")
    assert f"review pass by ana/{signing.fingerprint(world.public)}" in newest
    assert world.call("log", "-C", world.root, "-n", "1")[1].splitlines() == [newest]
    assert world.call("log", "-C", world.root, "--kind", "verdict")[1].splitlines() == [oldest]
    document = world.json("log")
    assert [(e["seq"], e["kind"]) for e in document["entries"]] == [(2, "decision"), (1, "verdict")]
    assert document["entries"][1]["body"]["verdict"] == "UNCLEAR"


def test_log_verify(world):
    world.begin()
    assert world.call("log", "-C", world.root, "--verify")[:2] == (0, "the chain is whole: no entries yet\n")
    world.check()
    entry = world.ledger.get(1)
    code, out, _ = world.call("log", "-C", world.root, "--verify")
    assert (code, out) == (0, f"the chain is whole: 1 entries, the last is {entry.hash}\n")
    assert world.json("log", "--verify")["head"] == entry.hash
    db = sqlite3.connect(world.ledger.where)
    (trigger,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'entries_are_not_changed'").fetchone()
    db.execute("DROP TRIGGER entries_are_not_changed")
    db.execute("UPDATE entries SET body = replace(body, 'UNCLEAR', 'PASS')")
    db.execute(trigger)
    db.commit()
    db.close()
    code, out, _ = world.call("log", "-C", world.root, "--verify")
    assert code == 1
    assert "entry 1: it does not hash" in out
    code, out, _ = world.call("log", "-C", world.root, "--verify", "--json")
    assert (code, json.loads(out)["head"]) == (1, None)
    for command in (["log"], ["show"], ["queue"], ["decide", "last", "review", "pass", "--reason", "r", "--yes"]):
        code, out, err = world.call(*command, "-C", world.root)
        assert (code, out) == (2, "")
        assert "was changed after it was written" in err


def test_a_damaged_ledger_is_no_pass(world):
    world.begin()
    world.repo.write("manual/page.txt", "text\n")
    assert world.check()["verdict"] == "PASS"
    Path(world.ledger.where).write_text("x" * 4096)
    document = world.check()
    assert (document["verdict"], found(document, "backcheck:ledger")["status"]) == ("UNCLEAR", "error")
    assert (world.call("log", "-C", world.root)[0], world.call("log", "-C", world.root, "--verify")[0]) == (2, 1)


def test_show(world):
    world.begin()
    document = world.check()
    code, out, _ = world.call("show", document["record"], "-C", world.root)
    assert code == 0
    for text in (document["contract"]["digest"], document["tree"]["digest"], document["base"]["commit"],
                 "verdict   UNCLEAR", "unclear  review  [absent]", "why     no file matches"):  # fmt: skip
        assert text in out, text
    assert world.json("show")["body"]["findings"] == document["findings"]
    world.decide()
    out = world.call("show", "-C", world.root)[1]
    assert "review pass by ana/" in out
    assert "effect    it counts while the tree is the one it was made for" in out
    assert world.json("show", "2")["effect"].startswith("it counts")
    world.repo.write("src/b.py", "")
    world.check()
    assert "not counted: decision " in world.call("show", "-C", world.root)[1]
    code, _, err = world.call("show", "99", "-C", world.root)
    assert (code, "no entry `99`" in err) == (2, True)


def test_show_says_why_a_decision_has_no_effect(world):
    world.begin(keys.new_key("other"))
    world.check()
    world.decide("last", "review", "pass", "--reason", "r", "--yes", "--key", "ana")
    assert "effect    none: its key is not among" in world.call("show", "-C", world.root)[1]
    world.ledger.append("decision", {"payload": "rubbish"})
    out = world.call("show", "-C", world.root)[1]
    assert "unreadable" in out
    assert "effect    none" in out
    assert "unreadable" in world.call("log", "-C", world.root)[1]


def test_any_entry_can_be_shown_and_none_writes_over_the_screen(world):
    world.begin()
    bodies: list[dict[str, Any]] = [
        {"verdict": 1, "findings": [{"requirement": "\x1b[2J", "where": [{"path": "\udc80\x1b", "line": 1}]}, 1]},
        {
            "verdict": "\x1b[2J",
            "contract": {"path": "\x1b", "digest": 3},
            "unanswered": ["\x1b"],
            "attempts": {"number": "x"},
        },
        {},
    ]
    for body in bodies:
        world.ledger.append("verdict", body)
    world.ledger.append("note", {"a": "\x1b[2J"})
    for arguments in (["log"], *(["show", number] for number in "1234"), ["queue"]):
        code, out, _ = world.call(*arguments, "-C", world.root)
        assert code == 0
        assert "\x1b" not in out
        json.dumps(world.json(*arguments))


def test_queue(world):
    world.begin()
    first = world.check()["record"]
    world.repo.write("src/b.py", "")
    second = world.check()["record"]
    document = world.json("queue")
    assert [(item["verdict"], item["superseded"]) for item in document["waiting"]] == [(second, False), (first, True)]
    (one,) = document["waiting"][0]["open"]
    assert (one["requirement"], one["status"]) == ("review", "unclear")
    out = world.call("queue", "-C", world.root)[1]
    assert out.count("another tree was judged since") == 1
    world.decide()
    assert [item["verdict"] for item in world.json("queue")["waiting"]] == [first]


def test_a_contract_that_asks_nothing_waits_and_says_so(world):
    world.repo.write(".backcheck/contract.yaml", "version: 1\nrequirements: []\n")
    world.check()
    assert "nothing can be decided: no blocking requirement was answered" in world.call("queue", "-C", world.root)[1]


def test_a_wrong_contract_keeps_nobody_from_reading(world):
    world.begin()
    world.check()
    world.repo.write(".backcheck/contract.yaml", "version: 9\n")
    world.repo.git("update-ref", "-d", "refs/remotes/origin/main")
    for command in ("log", "show", "queue"):
        code, out, _ = world.call(command, "-C", world.root)
        assert (code, "UNCLEAR" in out or "review" in out) == (0, True)


@pytest.mark.parametrize("git", [True, False])
def test_an_empty_answer_says_what_was_looked_at(tmp_path, call, git):
    """In a folder that has no contract, "nothing waits" would read as good news."""
    if git:
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    code, out, err = call("queue", "-C", tmp_path)
    assert (code, out) == (0, "nothing is known to wait for a person\n")
    assert "note: no contract in " in err
    assert ("no git repository around" in err) is not git
    code, out, err = call("log", "-C", tmp_path)
    assert (code, out, "note: no contract in " in err) == (0, "", True)
    assert "nothing yet in " in err
    assert "no entry of kind `decison`" in call("log", "-C", tmp_path, "--kind", "decison")[2]


def test_a_typo_in_the_contract_is_told_beside_an_empty_queue(tmp_path, call):
    (tmp_path / ".backcheck").mkdir()
    (tmp_path / ".backcheck/contract.yaml").write_text("version: 1\nrequirments: []\n")
    assert "note: .backcheck/contract.yaml:2:1: " in call("queue", "-C", tmp_path)[2]


def test_with_a_contract_an_empty_queue_says_no_more(world):
    world.begin()
    assert world.call("queue", "-C", world.root) == (0, "nothing waits for a person\n", "")


def test_show_says_how_the_base_was_found(world):
    first = world.begin().repo.git("rev-parse", "HEAD")
    world.check()
    assert f"base      {first}, the merge base with origin/main\n" in world.call("show", "-C", world.root)[1]
    world.check("--base", first)
    assert f"base      {first}, given by --base\n" in world.call("show", "-C", world.root)[1]


def test_where_nothing_can_be_decided_it_says_what_to_do(world):
    world.begin()
    world.repo.write("manual/page.txt", "text\n")
    world.check()
    assert "nothing in it is open; `backcheck queue` lists what waits" in world.decide("last", "clean")[2]
    world.repo.write("src/a.py", "TODO\n")
    world.check()
    assert "what failed must be done, and then checked again" in world.decide("last", "clean")[2]
    world.repo.write("src/a.py", "done\n")
    world.check("--only", "clean")
    assert "without --only" in world.decide("last", "review")[2]


def test_decide_as_json(world):
    world.begin()
    world.check()
    code, out, err = world.decide("last", "review", "pass", "--reason", "r", "--yes", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["effect"] == {"counts": True, "why": ""}
    assert document["decision"] == world.ledger.get(2).id
    assert document["ledger"] == str(world.root / ".git/backcheck/ledger.db")
    assert "requirement  review" in err


def test_a_linked_worktree_has_its_own_ledger(world, tmp_path):
    world.begin()
    world.repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert world.call("check", "-C", tmp_path / "linked")[0] == 3
    assert world.call("log", "-C", world.root)[1] == ""
    assert world.call("log", "-C", tmp_path / "linked")[1].count("\n") == 1
    assert (world.root / ".git/worktrees/linked/backcheck/ledger.db").is_file()


# Keys


def test_keys(world):
    world.begin()
    code, out, err = world.call("keys", "new", "ben")
    assert code == 0
    assert out.startswith("ed25519:")
    assert "trusted_keys" in err
    assert "it has no passphrase: whatever runs under this account, the agent too, can sign with it" in err
    assert world.call("keys", "show", "ben") == (0, out, "")
    keys.new_key("eve", "secret")
    (keys.folder() / "mal.pem").write_text("rubbish")
    lines = world.call("keys", "list", "-C", world.root)[1].splitlines()
    assert [line.split()[0] for line in lines] == ["ana", "ben", "eve", "mal"]
    assert lines[0] == f"ana  {world.public}  fingerprint {signing.fingerprint(world.public)}  trusted here"
    assert lines[1].endswith("not trusted here")
    assert lines[2].startswith("eve  locked")
    assert lines[3].startswith("mal  unusable")
    rows = world.json("keys", "list")["keys"]
    assert [(row["name"], row["trusted_here"]) for row in rows] == [
        ("ana", True),
        ("ben", False),
        ("eve", None),
        ("mal", None),
    ]
    shown = json.loads(world.call("keys", "show", "ana", "--json")[1])
    assert (shown["public"], shown["fingerprint"]) == (world.public, signing.fingerprint(world.public))
    made = json.loads(world.call("keys", "new", "joe", "--json")[1])
    assert (made["public"], made["locked"]) == (signing.public_text(keys.load_key("joe")), False)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["keys", "new", "ana"], "already"),
        (["keys", "new", "../x"], "cannot name a key"),
        (["keys", "new", "ben", "--passphrase"], "terminal"),
        (["keys", "show", "nobody"], "no key `nobody`"),
    ],
)
def test_keys_that_cannot_be(world, arguments, told):
    code, out, err = world.call(*arguments)
    assert (code, out) == (2, "")
    assert told in err


def test_a_passphrase_is_asked_twice_and_never_shown(world):
    dialogue = [("assphrase: ", "secret\n"), ("epeat for confirmation: ", "secret\n")]
    ended, out = on_terminal(dialogue, "keys", "new", "eve", "--passphrase")
    assert ended == 0, out
    public = signing.public_text(keys.load_key("eve", "secret"))
    ended, shown = on_terminal([("passphrase of eve", "secret\n")], "keys", "show", "eve")
    assert (ended, public in shown) == (0, True)
    assert "secret" not in out + shown
