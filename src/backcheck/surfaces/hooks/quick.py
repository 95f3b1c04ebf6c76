"""`backcheck hook HARNESS`: what runs before every tool call, so it imports almost nothing until a finish line is near.

Whatever breaks here is an answer, too: where the harness lets a hook block, it blocks.
"""

from __future__ import annotations

import json
import sys

from backcheck.surfaces.hooks.lines import PROGRAMS

HARNESSES = ("claude-code", "codex")
MAX_INPUT = 64 * 1024 * 1024
#: Exit code with which both harnesses take stderr as the reason to block.
BLOCK = 2
#: What may stand for a name, or run a text that is not at hand: such a command is read whole.
_OPEN = (
    "$",
    "`",
    "{",
    "[",
    "?",
    "eval",
    "base64",
    "base32",
    "xxd",
    "openssl",
    "<<",
    "xargs",
    "python",
    "node",
    "perl",
    "ruby",
)
_DEEDS = ("commit", "push", "merge", "publish", "deploy", "release")
_CUT = str.maketrans("", "", "'\"\\\n")


def run(arguments: list[str]) -> int:
    """The exit code of the hook. Errors: none; a fault is a block with its reason on stderr."""
    try:
        if len(arguments) != 1 or arguments[0] not in HARNESSES:
            return _blocked(f"call it as `backcheck hook {'|'.join(HARNESSES)}`")
        raw = sys.stdin.buffer.read(MAX_INPUT + 1)
        if len(raw) > MAX_INPUT:
            return _blocked(f"more than {MAX_INPUT >> 20} MiB of input")
        event = _parse(raw)
        if harmless(event):
            return 0
        from backcheck.surfaces.hooks.door import answer

        return answer(arguments[0], event)
    except BaseException as error:  # noqa: BLE001 - a hook that dies lets everything through
        return _blocked(f"{type(error).__name__}: {error}")


def _parse(raw: bytes) -> dict[str, object]:
    """The event. Errors: ValueError for what is no JSON object in UTF-8, or has a key twice."""
    event = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    if not isinstance(event, dict):
        raise ValueError("the event is no object")
    return event


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in the event")
    return made


def harmless(event: dict[str, object]) -> bool:
    """Whether a tool call is surely no finish line, by the letters of its command alone."""
    if event.get("hook_event_name") != "PreToolUse":
        return False
    given = event.get("tool_input")
    texts = _texts(given)
    if event.get("tool_name") in ("Read", "Glob", "Grep", "LS", "TodoWrite", "WebSearch", "WebFetch"):
        return True
    if event.get("tool_name") in ("Write", "Edit", "MultiEdit", "NotebookEdit"):
        return True
    name = event.get("tool_name")
    # A tool of a server for git or a forge says it in its name alone.
    if isinstance(name, str) and name.startswith("mcp__") and any(word in name.lower() for word in _DEEDS):
        return False
    return not may_cross("\n".join(texts))


def may_cross(text: str) -> bool:
    """Whether a program of a finish line is named, or something stands there that could be its name or run one unseen.

    Quotes and backslashes are looked through; wildcards, braces and variables may stand for a name.
    """
    plain = text.translate(_CUT)
    return any(word in plain for word in PROGRAMS) or any(mark in text for mark in _OPEN)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [" ".join(item for item in value if isinstance(item, str))]
    return []


def _blocked(reason: str) -> int:
    sys.stderr.write(f"backcheck: this could not be checked, so it is held back: {reason[:500]}\n")
    return BLOCK
