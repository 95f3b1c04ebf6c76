"""The lines around a place, as a report shows them: a few, cut, with line numbers, and safe for a terminal."""

from __future__ import annotations

from collections.abc import Callable

from backcheck.evidence.decode import decode
from backcheck.evidence.masking import mask
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Workspace

#: (path, line) → lines to print below a place; none where there is nothing to show.
Excerpts = Callable[[str, int], list[str]]

AROUND = 1
MAX_WIDTH = 120
MAX_BYTES = 2 * 1024 * 1024
#: Excerpts of one report, over all answers.
MAX_EXCERPTS = 20


def excerpts_of(tree: Workspace) -> Excerpts:
    """Excerpts from the tree that was judged; a file that cannot be read, or is no text, has none."""
    texts: dict[str, list[str]] = {}
    given = 0

    def lines_at(path: str, line: int) -> list[str]:
        nonlocal given
        if line < 1 or given >= MAX_EXCERPTS:
            return []
        if path not in texts:
            texts[path] = _lines(tree, path)
        found = around(texts[path], line)
        given += bool(found)
        return found

    return lines_at


def around(lines: list[str], line: int) -> list[str]:
    """The line, marked, with its neighbours; nothing where the file has no such line, or it is blank."""
    if line > len(lines) or not lines[line - 1].strip():
        return []
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    width = len(str(last))
    return [f"{'>' if n == line else ' '} {n:>{width}} | {_cut(lines[n - 1])}".rstrip() for n in range(first, last + 1)]


def _lines(tree: Workspace, path: str) -> list[str]:
    try:
        data = tree.read(path, limit=MAX_BYTES)
    except Unreadable:
        return []
    return [] if b"\0" in data[:8192] else decode(data).split("\n")


def _cut(line: str) -> str:
    safe = shown(mask(line[: 4 * MAX_WIDTH]).expandtabs(4)[: MAX_WIDTH + 1])
    return safe if len(safe) <= MAX_WIDTH else f"{safe[: MAX_WIDTH - 1]}…"
