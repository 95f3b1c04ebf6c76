"""An event of a harness → the verdict at its door → what the harness is told, in its own dialect."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any, NamedTuple

from backcheck.errors import UserError
from backcheck.surfaces.hooks import dialects
from backcheck.surfaces.hooks.dialects import Reply
from backcheck.surfaces.hooks.finishline import Crossing, crossings
from backcheck.surfaces.hooks.loop import Loop

#: A hook that the harness ends by its own timeout lets everything through, so ours comes first.
SECONDS = 540
#: Characters of findings that go back to the agent.
MAX_TOLD = 8000
STOPS = ("Stop", "SubagentStop", "TaskCompleted")
#: Tools that run shell commands, and the fields of their input that hold one.
_COMMAND_FIELDS = ("command", "cmd", "script", "code", "input")
#: Words of other tools' names that cross a line by themselves (an MCP server for git or a forge).
_TOOL_WORDS = {
    "commit": "commit",
    "push": "push",
    "merge": "push",
    "publish": "push",
    "deploy": "push",
    "release": "push",
}
_TOOL_ONLY_READS = ("list", "get", "search", "read", "show", "view", "diff", "log", "status", "find", "describe")


class Judgement(NamedTuple):
    """A verdict, or why there is none: `problem` where it could not be made, `none` where no contract asks for one."""

    verdict: str
    told: str
    failing: tuple[str, ...] = ()
    problem: bool = False


def answer(harness: str, event: Mapping[str, Any]) -> int:
    """Print what the harness reads; the exit code. Errors: whatever breaks; the caller makes a block of it."""
    signal.signal(signal.SIGALRM, _too_late)
    signal.alarm(SECONDS)
    name = event.get("hook_event_name")
    folder = event.get("cwd")
    if not isinstance(name, str) or not isinstance(folder, str | None):
        raise ValueError("the event has no `hook_event_name`, or its `cwd` is no text")
    folder = folder or os.getcwd()
    if name == "PreToolUse":
        reply = _tool(event, folder)
    elif name in STOPS:
        reply = _stop(name, event, folder)
    else:
        return 0
    return _print(dialects.spell(harness, name, reply))


def _too_late(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"it took longer than {SECONDS} s")


def _print(spoken: tuple[Mapping[str, Any] | None, str, int]) -> int:
    document, error, code = spoken
    if document is not None:
        sys.stdout.write(json.dumps(document, ensure_ascii=False))
        sys.stdout.flush()
    if error:
        sys.stderr.write(error)
    return code


def _tool(event: Mapping[str, Any], folder: str) -> Reply:
    """A call that crosses finish lines is judged at the strictest of their doors."""
    crossed = crossed_by(event)
    if not crossed:
        return Reply()
    door = "push" if any(crossing.door == "push" for crossing in crossed) else "commit"
    held: Reply = Reply()
    for place in dict.fromkeys(os.path.normpath(os.path.join(folder, c.folder)) for c in crossed):
        judged = judge_at(place if os.path.isdir(place) else folder, door)
        held = _worse(held, _at_line(judged, door, crossed[0].words, asks=_asks(event)))
    return held


def _asks(event: Mapping[str, Any]) -> bool:
    """Whether a person is there who can be asked."""
    return event.get("permission_mode") in (None, "default", "acceptEdits", "plan")


def crossed_by(event: Mapping[str, Any]) -> list[Crossing]:
    """The finish lines of a tool call: of its shell command, or of a tool whose very name is one."""
    given = event.get("tool_input")
    found: list[Crossing] = []
    for field in _COMMAND_FIELDS:
        value = given.get(field) if isinstance(given, Mapping) else given if field == "command" else None
        if isinstance(value, Sequence) and not isinstance(value, str):
            import shlex

            value = shlex.join(str(word) for word in value)
        if isinstance(value, str):
            found += crossings(value)
    name = event.get("tool_name")
    if isinstance(name, str) and name.startswith("mcp__"):
        words = name.lower().rpartition("__")[2].replace("-", "_").split("_")
        doors = [door for word, door in _TOOL_WORDS.items() if word in words]
        if doors and not any(word in words for word in _TOOL_ONLY_READS):
            found.append(Crossing(door=doors[-1], words=name))
    return found


def _at_line(judged: Judgement, door: str, words: str, *, asks: bool) -> Reply:
    if judged.verdict in ("", "PASS"):
        return Reply()
    start = f"`{words}` is a finish line"
    if judged.problem:
        return Reply(decision="deny", reason=f"{start}, and no verdict could be made: {judged.told}")
    if judged.verdict == "REJECT":
        return Reply(decision="deny", reason=f"{start}, and the work is not done:\n{judged.told}")
    if door == "commit":
        return Reply(notice=f"NOT VERIFIED, a person must look:\n{judged.told}")
    decision = "ask" if asks else "deny"
    return Reply(
        decision=decision, reason=f"{start}, and whether the work is done a person must decide:\n{judged.told}"
    )


def _worse(one: Reply, other: Reply) -> Reply:
    order = ["", "ask", "deny"]
    return other if order.index(other.decision) > order.index(one.decision) or not one.notice else one


def _stop(name: str, event: Mapping[str, Any], folder: str) -> Reply:
    """The end of a turn, of a sub-agent, or a task said to be completed."""
    if any(isinstance(t, Mapping) and t.get("type") == "shell" for t in event.get("background_tasks") or ()):
        return Reply(notice="NOT VERIFIED yet: a background command is still running")
    loop = Loop(folder, str(event.get("session_id") or ""), again=event.get("stop_hook_active") is True)
    judged = judge_at(folder, "stop")
    if judged.verdict in ("", "PASS"):
        return Reply()
    if judged.verdict == "UNCLEAR" and not judged.problem:
        return Reply(notice=f"NOT VERIFIED, a person must look:\n{judged.told}")
    number = loop.count(judged.failing)
    if number > loop.limit(name):
        return Reply(notice=f"NOT VERIFIED: sent back {number - 1} times, and still not done:\n{judged.told}")
    reason = f"This is not done yet (sent back {number} of {loop.limit(name)} times):\n{judged.told}"
    return Reply(decision="block", reason=reason)


def judge_at(folder: str, door: str) -> Judgement:
    """The verdict at a door; no verdict where no contract is there."""
    from backcheck.surfaces.asking import Question
    from backcheck.surfaces.judge import judge
    from backcheck.surfaces.report.text import render
    from backcheck.surfaces.report.view import withhold
    from backcheck.surfaces.session import open_session

    try:
        session = open_session(folder=folder)
    except UserError as error:
        if error.slug in ("no-contract", "no-folder"):
            return Judgement("", "")
        return Judgement("UNCLEAR", str(error), problem=True)
    try:
        document = judge(session, Question(door=door))
    except UserError as error:
        return Judgement("UNCLEAR", str(error), problem=True)
    finally:
        session.close()
    told = render(withhold(document), quiet=True).strip()
    failing = tuple(f["requirement"] for f in document["findings"] if f["status"] != "pass")
    return Judgement(document["verdict"], told if len(told) <= MAX_TOLD else f"{told[:MAX_TOLD]}…", failing)
