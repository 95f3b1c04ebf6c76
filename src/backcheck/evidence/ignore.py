"""Ignore rules (`.gitignore`) of the base, applied to the tree on disk; deeper files win, the last match decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Reads the ignore file of a folder (relative to the top, root is ``), or None where the base has none.
RuleReader = Callable[[str], bytes | None]

MAX_RULES = 1024 * 1024


class IgnoreRules:
    """Rules in force below a folder. Immutable: `enter` makes the rules of a sub-folder."""

    __slots__ = ("levels", "read")

    def __init__(self, read: RuleReader, levels: tuple[tuple[str, Any], ...] = ()) -> None:
        self.read = read
        self.levels = levels

    def enter(self, folder: str, *, has_file: bool) -> IgnoreRules:
        """The rules inside `folder`; `has_file` says whether an ignore file is worth asking the base for."""
        raw = self.read(folder) if has_file else None
        if not raw:
            return self
        from pathspec import GitIgnoreSpec

        lines = raw[:MAX_RULES].decode("utf-8", "surrogateescape").splitlines()
        spec = GitIgnoreSpec.from_lines(lines, backend="re2")
        return IgnoreRules(self.read, (*self.levels, (f"{folder}/" if folder else "", spec)))

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether git would ignore an untracked path, its parents not being ignored."""
        for prefix, spec in reversed(self.levels):
            name = path[len(prefix) :] + ("/" if folder else "")
            decision = spec.check_file(name).include
            if decision is not None:
                return bool(decision)
        return False
