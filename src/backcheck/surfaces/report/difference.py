"""What changed between the base and the tree, as a person is shown it before he signs: read from raw bytes, bounded.

Nothing of git's own diff is used, so no attribute, filter or text conversion can hide a line; control and direction
characters are shown as escapes, so no file can write over what the terminal shows.
"""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from backcheck.checks.api import Evidence
from backcheck.evidence.git import GitError
from backcheck.evidence.objects import Node, blob_id
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import DiskTree

MAX_LINES = 2000
#: Characters of a line of a file, and of a text that somebody wrote for a reader.
MAX_WIDTH = 400
MAX_TEXT = 8000
MAX_FILE_BYTES = 512 * 1024
#: Comparing line by line grows with the product of both sides.
MAX_COMPARED_LINES = 2000
MAX_SECONDS = 20.0
LINK, SUBMODULE = "120000", "160000"

#: (mode, blob id), or None where the path is not there.
Side = tuple[str, str] | None


@dataclass(slots=True, kw_only=True)
class Difference:
    """`lines` to show; `changed` counts changed paths; `unshown` names those of which not every line is in `lines`."""

    lines: list[str] = field(default_factory=list)
    changed: int = 0
    unshown: list[str] = field(default_factory=list)


def difference(evidence: Evidence, *, max_lines: int = MAX_LINES) -> Difference | None:
    """Compare base and tree path by path; None where there is no base. Errors: GitError where the base cannot be read."""
    base = evidence.base_nodes()
    if base is None:
        return None
    return _Comparison(evidence, base, max_lines).run()


def visible(text: str, width: int = MAX_TEXT) -> str:
    """A line as a terminal may show it: everything but tabs and printable characters escaped, and not endless."""
    cut = text[:width]
    more = f"… ({len(text) - width:,} more characters)" if len(text) > width else ""
    return "\t".join(shown(part) for part in cut.split("\t")) + more


class _Comparison:
    """One comparison, with the room and the time that are left."""

    def __init__(self, evidence: Evidence, base: Mapping[str, Node], max_lines: int) -> None:
        self.evidence = evidence
        self.base = base
        self.final = evidence.final_nodes()
        self.room = max_lines
        self.deadline = time.monotonic() + MAX_SECONDS
        self.result = Difference()

    def run(self) -> Difference:
        modules = tuple(f"{path}/" for path, node in self.base.items() if node.mode == SUBMODULE)
        inside = 0
        for path in sorted({*self.base, *self.final}):
            node = self.base.get(path)
            old: Side = (node.mode, node.oid) if node else None
            new: Side = self.final.get(path)
            if modules and path.startswith(modules):
                inside += 1
            elif old != new and not (old and old[0] == SUBMODULE and new is None and self._on_disk()):
                self._path(path, old, new)
        if inside:
            self.result.lines.append(f"{inside:,} files lie in submodules; they are not compared with a base")
        return self.result

    def _on_disk(self) -> bool:
        return isinstance(self.evidence.tree, DiskTree)

    def _path(self, path: str, old: Side, new: Side) -> None:
        self.result.changed += 1
        name = visible(path)
        head = f"{_word(old, new)} {name}" + (
            f" (mode {old[0]} → {new[0]})" if old and new and old[0] != new[0] else ""
        )
        body, whole = self._body(path, old, new)
        if len(body) > self.room:
            body, whole = body[: self.room], False
        self.room -= len(body)
        self.result.lines += [head, *body]
        if not whole:
            self.result.unshown.append(name)

    def _body(self, path: str, old: Side, new: Side) -> tuple[list[str], bool]:
        """Lines below a path's heading, and whether they are all there is to see."""
        if old and new and old[1] == new[1]:
            return [], True
        if SUBMODULE in (old[0] if old else "", new[0] if new else ""):
            return [f"  submodule {old[1] if old else 'none'} → {new[1] if new else 'none'}"], False
        if time.monotonic() > self.deadline or self.room <= 0:
            return [], False
        try:
            before = self._old(old) if old else b""
            after = self._new(path, new) if new else b""
        except (Unreadable, GitError) as error:
            return [f"  it cannot be shown: {visible(str(error))}"], False
        if max(len(before), len(after)) > MAX_FILE_BYTES:
            return [f"  too large to show: {len(before):,} → {len(after):,} bytes"], False
        if b"\0" in before or b"\0" in after:
            return [f"  binary: {len(before):,} → {len(after):,} bytes"], False
        return _compare(before, after)

    def _old(self, side: tuple[str, str]) -> bytes:
        data = self.evidence.base_blob(side[1])
        if data is None:
            raise Unreadable("the base's bytes are not in the repository (a partial clone?)")
        return data

    def _new(self, path: str, side: tuple[str, str]) -> bytes:
        if side[1].startswith("unread:"):
            raise Unreadable(side[1].removeprefix("unread:"))
        tree = self.evidence.tree
        if side[0] == LINK and isinstance(tree, DiskTree):
            data = _target(os.path.join(tree.top, path))
        else:
            data = self.evidence.raw(path)
        if blob_id(data, len(side[1])) != side[1]:
            raise Unreadable("it changed while it was being read")
        return data


def _target(path: str) -> bytes:
    try:
        return os.fsencode(os.readlink(path))
    except OSError as error:
        raise Unreadable(f"the link cannot be read: {error.strerror}") from None


def _word(old: Side, new: Side) -> str:
    return "changed" if old and new else "added" if new else "removed"


def _compare(before: bytes, after: bytes) -> tuple[list[str], bool]:
    old, new = _lines(before), _lines(after)
    if old and new and max(len(old), len(new)) > MAX_COMPARED_LINES:
        return [f"  too long to compare line by line: {len(old):,} → {len(new):,} lines"], False
    lines = list(difflib.unified_diff(old, new, n=3, lineterm=""))[2:]
    return [f"  {visible(line, MAX_WIDTH)}" for line in lines], all(len(line) <= MAX_WIDTH for line in lines)


def _lines(data: bytes) -> list[str]:
    """Only a line feed ends a line: other separators could hide one line inside another."""
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n") if text else []
    if lines and lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]}  (no line end)"] if lines else []
