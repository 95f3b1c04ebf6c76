"""Whether checks met the very files that a pass over the tree had hashed: what they saw is compared with what it saw.

Only what checks looked at is looked at once more for this. A file's change time cannot be set back, so one that was last
changed well before the pass is the one that was hashed; of those changed later the pass keeps the states in which it
hashed them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence

from backcheck.evidence.parallel import fork_map
from backcheck.evidence.paths import join
from backcheck.evidence.walk import Folder

#: Mode, size, modification and change time (ns) of a path; None: nothing lies there.
State = tuple[int, int, int, int]


class Seen:
    """What checks met on disk, by path from the tree's top: the states of files and the names in folders."""

    __slots__ = ("folders", "read_by_workers", "single", "states", "unsteady", "whole")

    def __init__(self) -> None:
        self.states: dict[str, State | None] = {}
        self.folders: dict[str, tuple[str, ...]] = {}
        self.unsteady: set[str] = set()
        #: Paths that were met one by one, so that their content may have been read since.
        self.single: set[str] = set()
        #: Forked workers read what they liked, and their notes are lost with them.
        self.read_by_workers = False
        #: All paths were listed, so one that is not among them was not there.
        self.whole = False

    def note(self, path: str, state: os.stat_result | None) -> None:
        """A path as it was met; one that was met twice and differed has changed in between."""
        found = None if state is None else state_of(state)
        self.single.add(path)
        if self.states.setdefault(path, found) != found:
            self.unsteady.add(path)

    def note_all(self, states: Mapping[str, State | None]) -> None:
        """Every path of the tree, as it was met."""
        self.unsteady.update(path for path, state in self.states.items() if states.get(path, state) != state)
        self.states = {**states, **self.states}
        self.whole = True

    def look_again(self, top: str) -> None:
        """Look once more at what was read: it was the same all the while, or it is unsteady."""
        states = self.states if self.read_by_workers else {path: self.states[path] for path in self.single}

        def moved(part: Sequence[tuple[str, State | None]]) -> list[list[bytes]]:
            return [[os.fsencode(path)] for path, state in part if _state_now(os.path.join(top, path)) != state]

        self.unsteady.update(os.fsdecode(row[0]) for row in fork_map(moved, list(states.items())))

    def note_names(self, path: str, names: Sequence[str]) -> None:
        """The names of files and links that a folder had."""
        if self.folders.setdefault(path, tuple(names)) != tuple(names):
            self.unsteady.add(path)


def _state_now(path: str) -> State | None:
    try:
        return state_of(os.lstat(path))
    except OSError:
        return None


def state_of(state: os.stat_result) -> State:
    """The part of a file's status that is compared; of a folder only that it is one: all that changes in it changes it."""
    if stat.S_ISDIR(state.st_mode):
        return state.st_mode, 0, 0, 0
    return state.st_mode, state.st_size, state.st_mtime_ns, state.st_ctime_ns


class Steady:
    """What one pass met: the names in each folder, and the states of files changed at `since` (ns) or later."""

    __slots__ = ("listing", "recent", "since")

    def __init__(self, folders: Iterable[Folder], since: int) -> None:
        self.listing: dict[str, Folder | frozenset[str]] = {folder.path: folder for folder in folders}
        self.since = since
        self.recent: dict[str, State] = {}

    def note(self, path: str, recent: Iterable[tuple[int, int, int, int, int]]) -> None:
        """States of a folder's files that were changed lately, as a row of the pass has them."""
        folder = self.listing[path]
        if isinstance(folder, Folder) and recent:
            names = [*folder.names, *folder.odd]
            for number, *state in recent:
                self.recent[join(path, names[number])] = (state[0], state[1], state[2], state[3])

    def holds(self, path: str) -> bool:
        """Whether the pass met a file or link of this path."""
        folder, _, name = path.rpartition("/")
        return name in self._names(folder)

    def _names(self, folder: str) -> frozenset[str]:
        found = self.listing.get(folder, frozenset())
        if isinstance(found, Folder):
            found = self.listing[folder] = frozenset([*found.names, *found.odd])
        return found

    def differing(self, seen: Seen, outside: Callable[[str], bool]) -> list[str]:
        """Paths that checks met in another state than the pass did; `outside` says which are no part of the tree."""
        wrong = set(seen.unsteady)
        wrong.update(path for path, state in seen.states.items() if not self._same(path, state))
        for folder, names in seen.folders.items():
            here = self._names(folder)
            wrong.update(join(folder, name) for name in here.difference(names))
            wrong.update(join(folder, name) for name in names if name not in here)
        if seen.whole:
            wrong.update(self._missing(seen.states))
        return sorted(path for path in wrong if not outside(path))

    def _same(self, path: str, state: State | None) -> bool:
        if state is None or stat.S_ISDIR(state[0]):
            return not self.holds(path)
        return self.holds(path) and (state[3] < self.since or self.recent.get(path) == state)

    def _missing(self, states: Mapping[str, State | None]) -> list[str]:
        return [path for folder in list(self.listing) for name in self._names(folder)
                if (path := join(folder, name)) not in states]  # fmt: skip

    def changed_since(self, before: Mapping[str, State], outside: Callable[[str], bool]) -> list[str]:
        """Paths that the pass met in another state than they had `before` it, shortly."""
        wrong = {path for path, state in self.recent.items() if before.get(path) != state}
        wrong.update(path for path in before if not self.holds(path))
        return sorted(path for path in wrong if not outside(path))
