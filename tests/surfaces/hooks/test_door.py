"""Hooks as a harness calls them: a real process, an event on stdin, and the answer in the harness's own dialect."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support import Repo

from backcheck.surfaces.hooks import dialects
from backcheck.surfaces.hooks.dialects import Reply
from backcheck.surfaces.hooks.proving import blocks

PASSES = "  - {id: there, check: file-exists, with: {file: a.txt}}\n"
FAILS = "  - {id: missing, check: file-exists, with: {file: never}}\n"
UNCLEAR = "  - {id: tone, check: human, with: {question: Is the tone right?}}\n"
HIDDEN = "  - {id: secret, check: file-exists, with: {file: kept-for-people}, hidden: true}\n"
COMMITS = {"tool_name": "Bash", "tool_input": {"command": "git commit -m x"}}
PUSHES = {"tool_name": "Bash", "tool_input": {"command": "cd . && git push"}}
HARNESSES = ("claude-code", "codex")


class World(Repo):
    """A repository with a contract; `hook` gives exit code, document and stderr."""

    def contract(self, requirements: str) -> None:
        self.write("a.txt", "a\n")
        self.write(".backcheck/contract.yaml", f"version: 1\nrequirements:\n{requirements}")
        self.commit()

    def hook(self, harness: str, event: str, **more: object) -> tuple[int, dict[str, Any], str]:
        given = {"hook_event_name": event, "cwd": str(self.root), "session_id": "s", **more}
        return self.raw(harness, json.dumps(given).encode())

    def raw(self, harness: str, data: bytes) -> tuple[int, dict[str, Any], str]:
        done = subprocess.run([sys.executable, "-m", "backcheck", "hook", harness], input=data, capture_output=True, timeout=60,
                              check=False)  # fmt: skip
        return done.returncode, json.loads(done.stdout or b"{}"), done.stderr.decode()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "repo")


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize(("contract", "decision"), [(PASSES, None), (FAILS, "deny"), (PASSES + UNCLEAR, None)])
def test_a_commit_is_refused_only_where_it_is_rejected(world, harness, contract, decision):
    world.contract(contract)
    code, said, _ = world.hook(harness, "PreToolUse", **COMMITS)
    assert code == 0
    assert said.get("hookSpecificOutput", {}).get("permissionDecision") == decision
    assert ("NOT VERIFIED" in said.get("systemMessage", "")) is (contract == PASSES + UNCLEAR)


@pytest.mark.parametrize(
    ("harness", "mode", "decision"),
    [("claude-code", "default", "ask"), ("claude-code", "bypassPermissions", "deny"), ("claude-code", "dontAsk", "deny"),
     ("codex", "default", "deny")],
)  # fmt: skip
def test_a_push_that_a_person_must_decide_is_held(world, harness, mode, decision):
    world.contract(PASSES + UNCLEAR)
    _, said, _ = world.hook(harness, "PreToolUse", permission_mode=mode, **PUSHES)
    assert said["hookSpecificOutput"]["permissionDecision"] == decision
    assert "tone" in said["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize(
    "call",
    [{"tool_name": "Bash", "tool_input": {"command": "ls && echo git commit"}}, {"tool_name": "Read", "tool_input": {"file_path": "push"}},
     {"tool_name": "Write", "tool_input": {"file_path": "x.sh", "content": "git push"}}, {"tool_name": "mcp__git__log", "tool_input": {}},
     {"tool_name": "mcp__forge__list_releases", "tool_input": {}}],
)  # fmt: skip
def test_what_crosses_no_line_is_let_through_in_silence(world, call):
    world.contract(FAILS)
    assert world.hook("claude-code", "PreToolUse", **call) == (0, {}, "")


@pytest.mark.parametrize(
    "call",
    [{"tool_name": "mcp__git__git_commit", "tool_input": {"message": "x"}}, {"tool_name": "mcp__forge__merge_pull_request", "tool_input": {}},
     {"tool_name": "shell", "tool_input": {"command": ["git", "push"]}}, {"tool_name": "shell", "tool_input": {"cmd": "git push"}},
     {"tool_name": "exec_command", "tool_input": {"command": ["bash", "-lc", "git commit -m x"]}}],
)  # fmt: skip
def test_other_tools_cross_lines_too(world, call):
    world.contract(FAILS)
    _, said, _ = world.hook("codex", "PreToolUse", **call)
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_the_other_repository_is_judged_where_the_command_goes_there(world, tmp_path):
    world.contract(PASSES)
    other = World(tmp_path / "other")
    other.contract(FAILS)
    _, said, _ = world.hook(
        "claude-code", "PreToolUse", tool_name="Bash", tool_input={"command": f"git -C {other.root} push"}
    )
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("harness", HARNESSES)
def test_an_unfinished_turn_is_sent_back_a_bounded_number_of_times(world, harness):
    world.contract(FAILS)
    answers = [world.hook(harness, "Stop", stop_hook_active=again)[1] for again in (False, True, True, True)]
    assert [answer.get("decision") for answer in answers] == ["block"] * 3 + [None]
    assert "missing" in answers[0]["reason"]
    assert "NOT VERIFIED" in answers[3]["systemMessage"]
    assert world.hook(harness, "Stop", stop_hook_active=False)[1]["decision"] == "block", "a new turn counts anew"


def test_another_session_is_counted_by_itself(world):
    world.contract(FAILS)
    for _ in range(4):
        world.hook("codex", "Stop", stop_hook_active=True)
    assert world.hook("codex", "Stop", stop_hook_active=True, session_id="other")[1]["decision"] == "block"


def test_a_sub_agent_is_sent_back_once(world):
    world.contract(FAILS)
    answers = [world.hook("claude-code", "SubagentStop", stop_hook_active=again)[1] for again in (False, True)]
    assert [answer.get("decision") for answer in answers] == ["block", None]


@pytest.mark.parametrize(("contract", "word"), [(PASSES, ""), (PASSES + UNCLEAR, "NOT VERIFIED")])
def test_a_turn_that_is_done_or_for_a_person_ends(world, contract, word):
    world.contract(contract)
    code, said, _ = world.hook("claude-code", "Stop", stop_hook_active=False)
    assert (code, "decision" in said) == (0, False)
    assert word in said.get("systemMessage", "")


def test_a_task_that_is_said_to_be_done_is_held_by_the_exit_code(world):
    world.contract(FAILS)
    code, said, error = world.hook("claude-code", "TaskCompleted", task_id="1")
    assert (code, said) == (2, {})
    assert "missing" in error


def test_a_test_run_in_the_background_is_waited_for(world):
    world.contract(FAILS)
    _, said, _ = world.hook("claude-code", "Stop", background_tasks=[{"type": "shell", "status": "running"}])
    assert "decision" not in said
    assert "NOT VERIFIED yet" in said["systemMessage"]


def test_hidden_findings_are_not_fed_back(world):
    world.contract(HIDDEN)
    reason = world.hook("claude-code", "Stop")[1]["reason"]
    assert "kept-for-people" not in reason
    assert "secret" in reason


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
def test_without_a_contract_nothing_is_held(world, event):
    assert world.hook("claude-code", event, **PUSHES) == (0, {}, "")


def test_a_broken_contract_holds_a_push_and_ends_a_turn_in_bounds(world):
    world.write(".backcheck/contract.yaml", "version: 1\nrequirements: [{id: a, check: nothing}]\n")
    _, said, _ = world.hook("claude-code", "PreToolUse", **PUSHES)
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
    answers = [world.hook("claude-code", "Stop", stop_hook_active=again)[1] for again in (False, True, True, True)]
    assert [answer.get("decision") for answer in answers] == ["block"] * 3 + [None]


BAD = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"hook_event_name": 3}', b'{"hook_event_name": "Stop", "hook_event_name": "X"}',
       b'{"hook_event_name": "Stop", "cwd": 7}', b'{"tool_name": "Bash"}', b"[" * 100_000,
       b'{"hook_event_name": "PreToolUse", "cwd": "/nowhere", "tool_name": "Bash", "tool_input": {"command": "git push \\ud800"}}']  # fmt: skip


@pytest.mark.parametrize("data", BAD[:-1], ids=range(len(BAD) - 1))
def test_what_cannot_be_read_is_held_back(world, data):
    code, said, error = world.raw("claude-code", data)
    assert (code, said) == (2, {})
    assert error.startswith("backcheck: ")
    assert error.count("\n") == 1


def test_half_a_character_breaks_nothing(world):
    code, _, _ = world.raw("claude-code", BAD[-1])
    assert code in (0, 2)


def test_an_unknown_harness_is_held_back(world):
    assert world.raw("klaus", b"{}")[0] == 2


def test_events_that_are_none_of_ours_pass(world):
    world.contract(FAILS)
    assert world.hook("claude-code", "SessionEnd") == (0, {}, "")


def test_a_harmless_call_imports_almost_nothing(world):
    given = json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls -la"}})
    done = subprocess.run([sys.executable, "-X", "importtime", "-m", "backcheck", "hook", "codex"], input=given, text=True,
                          capture_output=True, timeout=60, check=False)  # fmt: skip
    modules = [line for line in done.stderr.splitlines() if line.startswith("import time:") and "self [us]" not in line]
    assert done.returncode == 0
    assert len(modules) <= 70


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "SubagentStop"])
def test_no_key_stands_in_an_answer_that_the_dialect_does_not_know(harness, event):
    allowed = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"}
    own = {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    for reply in (Reply(), Reply(decision="deny" if event == "PreToolUse" else "block", reason="r"), Reply(notice="n")):
        document, _, code = dialects.spell(harness, event, reply)
        said = dict(document or {})
        assert set(said.pop("hookSpecificOutput", {})) <= own
        assert set(said) <= allowed
        assert blocks(event, json.dumps(document or {}).encode(), b"", code) is bool(reply.decision)
