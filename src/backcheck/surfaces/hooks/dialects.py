"""What each harness reads from a hook, event by event: one key too many voids an answer, and then everything passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: document for stdout or None, text for stderr, exit code.
Spoken = tuple[Mapping[str, Any] | None, str, int]
BLOCK = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is meant: `decision` is empty (let it go), `deny`, `ask` or `block`; `notice` is for the person at the screen."""

    decision: str = ""
    reason: str = ""
    notice: str = ""


def spell(harness: str, event: str, reply: Reply) -> Spoken:
    """A reply in a harness's words."""
    if event == "TaskCompleted" and reply.decision:
        # Only the exit code blocks here.
        return None, reply.reason + "\n", BLOCK
    if event == "PreToolUse":
        return _tool(harness, reply)
    return _stop(reply)


def _tool(harness: str, reply: Reply) -> Spoken:
    if not reply.decision:
        # Codex takes a message beside nothing else; Claude Code shows it to the person.
        return ({"systemMessage": reply.notice}, "", 0) if reply.notice else (None, "", 0)
    # Codex has no `ask`: an answer with one is void, and the tool would run.
    decision = "deny" if harness == "codex" else reply.decision
    own = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reply.reason}
    return {"hookSpecificOutput": own}, "", 0


def _stop(reply: Reply) -> Spoken:
    if reply.decision:
        return {"decision": "block", "reason": reply.reason}, "", 0
    return ({"systemMessage": reply.notice}, "", 0) if reply.notice else (None, "", 0)
