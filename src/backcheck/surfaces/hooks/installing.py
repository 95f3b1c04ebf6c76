"""Where a harness keeps its hooks, and how ours are put there and taken away: nothing that was there is lost."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backcheck.errors import UserError
from backcheck.evidence.reading import Unreadable, read_whole

MAX_SETTINGS = 8 * 1024 * 1024
#: The harness ends a hook after this many seconds; ours answers sooner (door.SECONDS).
TIMEOUT = 600
_TOOLS = "^(Bash|PowerShell|shell|exec_command|local_shell|mcp__.*)$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """One harness: its settings file in a project and at home, the events that we answer, and how a handler is written."""

    name: str
    project: str
    home: str
    events: tuple[str, ...]

    def path(self, project: Path, *, user: bool) -> Path:
        """The settings file."""
        return Path.home() / self.home if user else project / self.project

    def group(self, event: str) -> dict[str, Any]:
        """Our entry for an event."""
        program = str(Path(sys.executable).parent / "backcheck")
        if self.name == "claude-code":
            handler: dict[str, Any] = {
                "type": "command",
                "command": program,
                "args": ["hook", self.name],
                "timeout": TIMEOUT,
            }
            if event == "PreToolUse":
                handler["onFailure"] = "block"
        else:
            handler = {"type": "command", "command": f"{shlex.quote(program)} hook {self.name}", "timeout": TIMEOUT}
        return {"matcher": _TOOLS, "hooks": [handler]} if event == "PreToolUse" else {"hooks": [handler]}


HARNESSES = {
    # Personal and not committed: the path of the program is this machine's.
    "claude-code": Harness(name="claude-code", project=".claude/settings.local.json", home=".claude/settings.json",
                           events=("PreToolUse", "Stop", "SubagentStop", "TaskCompleted")),
    "codex": Harness(name="codex", project=".codex/hooks.json", home=".codex/hooks.json",
                     events=("PreToolUse", "Stop", "SubagentStop")),
}  # fmt: skip


def read_settings(path: Path) -> dict[str, Any]:
    """The settings as they are; an empty object where there are none. Errors: UserError; a broken file is never replaced."""
    if not os.path.lexists(path):
        return {}
    try:
        document = json.loads(read_whole(str(path), limit=MAX_SETTINGS).decode("utf-8"))
    except Unreadable as error:
        raise UserError(f"the settings cannot be read: {error}", where=str(path), slug="hooks") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"the settings are no JSON: {error}; mend them first", where=str(path), slug="hooks") from None
    hooks = document.get("hooks", {}) if isinstance(document, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise UserError("the settings have another form than the harness reads", where=str(path), slug="hooks")
    return dict(document)


def with_ours(harness: Harness, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with our entries, anew and once."""
    made = without_ours(settings)
    hooks = dict(made.get("hooks", {}))
    for event in harness.events:
        hooks[event] = [*hooks.get(event, []), harness.group(event)]
    return {**made, "hooks": hooks}


def without_ours(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without our entries; what others wrote stays as it was."""
    if "hooks" not in settings:
        return dict(settings)
    hooks: dict[str, Any] = {}
    for event, groups in settings["hooks"].items():
        kept = [group for group in map(_stripped, groups) if group is not None]
        if kept or not groups:
            hooks[event] = kept
    made = {**settings, "hooks": hooks}
    if not hooks:
        del made["hooks"]
    return made


def _stripped(group: Any) -> Any:
    """A group without our handlers; None where nothing is left of it."""
    handlers = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        return group
    kept = [handler for handler in handlers if not is_ours(handler)]
    return group if len(kept) == len(handlers) else {**group, "hooks": kept} if kept else None


def is_ours(handler: Any) -> bool:
    """Whether a handler calls backcheck's hook."""
    return (
        bool(call_of(handler))
        and "hook" in call_of(handler)[1:]
        and os.path.basename(call_of(handler)[0]) == "backcheck"
    )


def call_of(handler: Any) -> list[str]:
    """A handler's call, word by word."""
    command = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(command, str):
        return []
    arguments = handler.get("args")
    if isinstance(arguments, list):
        return [command, *map(str, arguments)]
    try:
        return shlex.split(command)
    except ValueError:
        return []


def ours_in(settings: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """(event, call) of each handler of ours."""
    for event, groups in settings.get("hooks", {}).items():
        for group in groups:
            for handler in group.get("hooks") or () if isinstance(group, dict) else ():
                if is_ours(handler):
                    yield event, call_of(handler)


def text_of(settings: Mapping[str, Any]) -> str:
    """How settings are written."""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def write(path: Path, settings: Mapping[str, Any]) -> None:
    """Put the file in its place whole, or not at all; one that is empty then is taken away. Errors: UserError."""
    try:
        if not settings:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text_of(settings))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        # Through a link, to the file that is meant.
        os.replace(beside, os.path.realpath(path))
    except OSError as error:
        raise UserError(f"the settings cannot be written: {error.strerror}", where=str(path), slug="hooks") from None
