"""Ignore rules (`.gitignore`) of the base, applied to the tree on disk; deeper files win, the last match decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Reads the ignore file of a folder (relative to the top, root is ``), or None where the base has none.
RuleReader = Callable[[str], bytes | None]

#: Whether a path below an ignore file is ignored by it; None where it says nothing.
Decider = Callable[[str], bool | None]

MAX_RULES = 1024 * 1024


class IgnoreRules:
    """Rules in force below a folder. Immutable: `enter` makes the rules of a sub-folder."""

    __slots__ = ("levels", "read")

    def __init__(self, read: RuleReader, levels: tuple[tuple[str, Decider], ...] = ()) -> None:
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
        return IgnoreRules(self.read, (*self.levels, (f"{folder}/" if folder else "", _decider(spec))))

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether git would ignore an untracked path, its parents not being ignored."""
        for prefix, decide in reversed(self.levels):
            decision = decide(path[len(prefix) :] + ("/" if folder else ""))
            if decision is not None:
                return bool(decision)
        return False


def _decider(spec: Any) -> Decider:
    """The spec's own matcher where it is there: paths need no normalising, and this is asked of every file."""
    inner = getattr(getattr(spec, "_backend", None), "match_file", None)
    if inner is None:
        return lambda name: spec.check_file(name).include
    return lambda name: inner(name)[0]
