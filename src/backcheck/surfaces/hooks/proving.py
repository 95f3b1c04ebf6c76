"""A dry run of the protocol: each installed hook is given an event at which it must block, in a repository made for it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from backcheck.errors import UserError
from backcheck.evidence.git import environment
from backcheck.surfaces.hooks.installing import HARNESSES, ours_in, read_settings

SECONDS = 60
#: A contract that nothing meets.
CONTRACT = "version: 1\nrequirements:\n  - {id: proof, check: file-exists, with: {file: never-there}}\n"
_EVENTS: Mapping[str, Mapping[str, object]] = {
    "PreToolUse": {"tool_name": "Bash", "tool_use_id": "proof", "tool_input": {"command": "git push"}},
    "Stop": {"stop_hook_active": False, "last_assistant_message": "done"},
    "SubagentStop": {"stop_hook_active": False, "agent_id": "proof", "agent_type": "proof"},
    "TaskCompleted": {"task_id": "proof", "task_subject": "proof"},
}


class Proof(NamedTuple):
    """One installed hook, and what it did when it had to block."""

    harness: str
    event: str
    path: str
    blocks: bool
    note: str = ""


def prove_all(project: Path) -> Iterator[Proof]:
    """Every hook of ours in a project's and the user's settings. Errors: none; what cannot be read is told."""
    for harness in HARNESSES.values():
        for user in (False, True):
            path = harness.path(project, user=user)
            try:
                found = list(ours_in(read_settings(path)))
            except UserError as error:
                yield Proof(harness.name, "", str(path), False, str(error))
                continue
            for event, call in found:
                note = prove(call, event)
                yield Proof(harness.name, event, str(path), not note, note)
            missing = [event for event in harness.events if found and event not in {name for name, _ in found}]
            for event in missing:
                yield Proof(harness.name, event, str(path), False, "it is not installed for this event")


def prove(call: list[str], event: str) -> str:
    """Why a hook does not block where it must, or empty text."""
    if event not in _EVENTS:
        return "it is installed for an event that it does not answer"
    with tempfile.TemporaryDirectory(prefix="backcheck-proof-") as folder:
        (Path(folder) / ".backcheck").mkdir()
        (Path(folder) / ".backcheck/contract.yaml").write_text(CONTRACT, encoding="utf-8")
        subprocess.run(["git", "init", "-q", folder], env=environment(), capture_output=True, check=False)
        given = {
            "session_id": "proof",
            "cwd": folder,
            "hook_event_name": event,
            "transcript_path": None,
            **_EVENTS[event],
        }
        try:
            done = subprocess.run(call, input=json.dumps(given).encode(), capture_output=True, timeout=SECONDS, check=False,
                                  cwd=folder, env={**os.environ, "CLAUDE_PROJECT_DIR": folder})  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"it cannot be run: {error}"
    return (
        ""
        if blocks(event, done.stdout, done.stderr, done.returncode)
        else f"it let the event pass (exit {done.returncode})"
    )


def blocks(event: str, stdout: bytes, stderr: bytes, code: int) -> bool:
    """Whether an answer holds the event back, as both harnesses read it."""
    if code == 2:
        return bool(stderr.strip())
    try:
        said = json.loads(stdout or b"{}")
    except ValueError:
        return False
    if event == "PreToolUse":
        own = said.get("hookSpecificOutput", {})
        return own.get("permissionDecision") == "deny" and bool(own.get("permissionDecisionReason"))
    return said.get("decision") == "block" and bool(said.get("reason"))
