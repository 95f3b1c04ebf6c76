"""One folder of the tree: its files hashed, searched, and summed up in a row that can be remembered."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from backcheck.evidence.lfs import ELSEWHERE, POINTER_START, pointer
from backcheck.evidence.limits import SURVEY_SECONDS, WINDOW
from backcheck.evidence.paths import join
from backcheck.evidence.patterns import PatternTimeout
from backcheck.evidence.reading import FLAGS, Unreadable, kind_of_mode, link_digest, open_regular, read_whole, windows
from backcheck.evidence.search import Hit, Search, search_text, search_windows
from backcheck.evidence.walk import Folder, files_through

#: A file changed this shortly (ns) before the pass could change again within one tick of the clock: not remembered.
RACY = 2_000_000_000

#: Inode numbers are kept in 63 bits.
_INODE = (1 << 63) - 1

#: One folder's row: path, fingerprint, digest, files, bytes, unhashed, tallies, whether it can be remembered, and the
#: states of files that were changed shortly before the pass or in it, each after its number among the folder's names.
Row = list[Any]
#: What lstat says of a file: mode, size, mtime and ctime in ns, inode; zeros where it is not there.
State = tuple[int, int, int, int, int]
_GONE: State = (0, 0, 0, 0, 0)
#: The states of a folder's names, one after the other, and the numbers that each has.
States: TypeAlias = "array[int]"
_STATE = len(_GONE)
_KIND, _REGULAR = 0o170000, stat.S_IFREG


class Pass(NamedTuple):
    """What a pass needs to know. `prefix` is where the contract's root lies below `top`; `known` are remembered rows."""

    top: str
    prefix: str
    searches: Sequence[Search]
    tracked: Callable[[str], bool]
    known: dict[str, Row]
    salt: bytes
    started_ns: int
    deadline: float


def folder_digest(entries: Iterable[tuple[str, str, str]]) -> str:
    """The digest of one folder's own files from (mode, sha256, name); empty text where there is none."""
    lines = sorted(entries, key=itemgetter(2))
    if not lines:
        return ""
    text = "".join([f"{mode} {sha} {name}\0" for mode, sha, name in lines])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def folder_row(plan: Pass, folder: Folder) -> Row:
    """The row of a folder: the remembered one where nothing in it changed, else made by reading."""
    base = os.path.join(plan.top, folder.path, "") if folder.path else os.path.join(plan.top, "")
    known = plan.known.get(folder.path)
    if known is not None and known[1] == _fingerprint(plan, folder, _states(base, [*folder.names, *folder.odd])):
        return [*known[:7], "known", []]
    reader = _FolderReader(plan, folder, base)
    row, states = reader.read()
    recently = plan.started_ns - RACY
    mtimes, ctimes = states[2::_STATE], states[3::_STATE]
    newest = max(max(mtimes, default=0), max(ctimes, default=0))
    quiet = newest < recently and not row[3] and not folder.odd and not folder.nested
    recent = []
    if newest >= recently:
        recent = [[n, *states[n * _STATE : n * _STATE + 4]] for n, ctime in enumerate(ctimes) if ctime >= recently]
    return [folder.path, _fingerprint(plan, folder, states), *row, "new" if quiet else "", recent]


def _states(base: str, names: list[str]) -> States:
    """The states of a folder's names; looked up from the folder itself, which spares the way from the root each time."""
    states: list[int] = []
    look, here = os.stat, _descriptor(base)
    try:
        for name in names:
            try:
                s = look(name, dir_fd=here, follow_symlinks=False) if here is not None else os.lstat(base + name)
            except OSError:
                states += _GONE
            else:
                states += (s.st_mode, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino & _INODE)
    finally:
        if here is not None:
            os.close(here)
    return array("q", states)


def _descriptor(folder: str) -> int | None:
    """An open folder; None where it cannot be opened."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None


def _state(path: str) -> State:
    try:
        s = os.lstat(path)
    except OSError:
        return _GONE
    return (s.st_mode, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino & _INODE)


def _fingerprint(plan: Pass, folder: Folder, states: States) -> str:
    seal = hashlib.blake2b(plan.salt, digest_size=16)
    names = "\0".join([*folder.names, *folder.odd])
    seal.update(repr((folder.path, folder.ignored, folder.nested, folder.problem, names)).encode())
    seal.update(states)
    return seal.hexdigest()


class _FolderReader:
    """Reads the files of one folder."""

    def __init__(self, plan: Pass, folder: Folder, base: str) -> None:
        self.plan = plan
        self.folder = folder
        self.base = base
        self.prefix = join(folder.path, "") if folder.path else ""
        self.root = self._below_root(folder.path)
        self.below = f"{self.root}/" if self.root else ""
        self.searches = list(enumerate(plan.searches))
        self.by_ending = all(search.globs.by_ending for search in plan.searches)
        self.endings: dict[tuple[bool, str], list[int]] = {}
        self.entries: list[tuple[str, str, str]] = []
        self.unhashed: list[tuple[str, str]] = []
        self.counts = [0] * len(plan.searches)
        self.hits: list[list[Any]] = [[] for _ in plan.searches]
        self.problems: list[list[Any]] = [[] for _ in plan.searches]
        self.files = self.size = 0

    def read(self) -> tuple[list[Any], States]:
        """(digest, files, bytes, unhashed, tallies) and the states of all names."""
        if self.folder.problem:
            self._note_folder_problem()
        states: list[int] = []
        self._regulars(states)
        for name in self.folder.odd:
            states += self._odd(name)
        tallies = [[n, h, p] for n, h, p in zip(self.counts, self.hits, self.problems, strict=True)]
        return [folder_digest(self.entries), self.files, self.size, self.unhashed, tallies], array("q", states)

    def _note_folder_problem(self) -> None:
        self.unhashed.append((self.folder.path, f"cannot be listed: {self.folder.problem}"))
        if self.root is not None:
            for problems in self.problems:
                problems.append((self.root or ".", f"cannot be listed: {self.folder.problem}"))

    def _below_root(self, path: str) -> str | None:
        """A path as the contract counts it, None for one outside its root."""
        prefix = self.plan.prefix
        if not prefix or path == prefix:
            return path if not prefix else ""
        return path[len(prefix) + 1 :] if path.startswith(f"{prefix}/") else None

    def _place(self, name: str) -> tuple[bool, list[int]]:
        """Whether a file is part of the tree, and which searches want it."""
        in_tree = True
        if self.folder.rules is not None or self.folder.ignored:
            path = self.prefix + name
            rules = self.folder.rules
            outside = self.folder.ignored or (rules is not None and rules.ignores(path, folder=False))
            in_tree = not outside or self.plan.tracked(path)
        if self.root is None:
            return in_tree, []
        if not self.by_ending:
            return in_tree, self._wanting(name, in_tree)
        key = (in_tree, name.partition(".")[2])
        if key not in self.endings:
            self.endings[key] = self._wanting(name, in_tree)
        return in_tree, self.endings[key]

    def _wanting(self, name: str, in_tree: bool) -> list[int]:
        relative = self.below + name
        return [i for i, s in self.searches if relative in s.globs and (in_tree or s.ignored)]

    def _regulars(self, states: list[int]) -> None:
        """The regular files: the whole of a common one in few steps, all else with care."""
        here = _descriptor(self.base)
        start = "" if here is not None else self.base
        sha256, deadline, clock = hashlib.sha256, self.plan.deadline, time.monotonic
        enter = self.entries.append
        files = size = 0
        try:
            for name in self.folder.names:
                in_tree, wanted = self._place(name)
                if not in_tree and not wanted:
                    states += _state(self.base + name)
                    continue
                for index in wanted:
                    self.counts[index] += 1
                data = None
                try:
                    descriptor = os.open(start + name, FLAGS, dir_fd=here)
                    try:
                        s = os.fstat(descriptor)
                        mode, length = s.st_mode, s.st_size
                        if mode & _KIND == _REGULAR and length <= WINDOW:
                            data = os.read(descriptor, length + 1)
                    finally:
                        os.close(descriptor)
                except OSError:
                    data = None
                if data is None or len(data) != length or clock() > deadline:
                    states += self._with_care(name, self.base + name, in_tree, wanted)
                    continue
                states += (mode, length, s.st_mtime_ns, s.st_ctime_ns, s.st_ino & _INODE)
                if in_tree:
                    files += 1
                    size += length
                    enter(("100755" if mode & 0o100 else "100644", sha256(data).hexdigest(), name))
                if wanted:
                    self._search(name, data, wanted)
        finally:
            if here is not None:
                os.close(here)
        self.files += files
        self.size += size

    def _enter(self, name: str, state: State, digest: str) -> None:
        self.files += 1
        self.size += state[1]
        self.entries.append(("100755" if state[0] & 0o100 else "100644", digest, name))

    def _search(self, name: str, data: bytes, wanted: list[int]) -> None:
        if data.startswith(POINTER_START) and pointer(data) is not None:
            self._problem(wanted, name, ELSEWHERE)
            return
        searched_as_it_is = data.isascii() and b"\0" not in data
        for index in wanted:
            pattern = self.plan.searches[index].pattern
            if searched_as_it_is and (pattern.lacks(data) or (b"\r" not in data and not pattern.probe(data))):
                continue
            try:
                self._hit(index, name, search_text(pattern, data))
            except PatternTimeout as error:
                self._problem([index], name, f"could not be searched: {error}")

    def _hit(self, index: int, name: str, hits: list[Hit]) -> None:
        relative = f"{self.root}/{name}" if self.root else name
        self.hits[index] += [(relative, hit.line, hit.hidden) for hit in hits]

    def _problem(self, wanted: list[int], name: str, reason: str) -> None:
        relative = f"{self.root}/{name}" if self.root else name
        for index in wanted:
            self.problems[index].append((relative, reason))

    def _with_care(self, name: str, path: str, in_tree: bool, wanted: list[int], real: str = "") -> State:
        """A file that is large, changing, or no longer what it was."""
        state = _state(path)
        try:
            if time.monotonic() > self.plan.deadline:
                raise Unreadable(f"was not reached within {SURVEY_SECONDS:g} s")
            digest, found = self._content(real or path, [self.plan.searches[i].pattern for i in wanted])
        except (Unreadable, PatternTimeout) as error:
            reason = f"could not be searched: {error}" if isinstance(error, PatternTimeout) else str(error)
            digest, found = f"unread:{state[1]}", []
            if in_tree:
                self.unhashed.append((self.prefix + name, reason))
            self._problem(wanted, name, reason)
        if found is None:
            self._problem(wanted, name, ELSEWHERE)
        if in_tree:
            self._enter(name, state, digest)
        for index, hits in zip(wanted, found or (), strict=False):
            self._hit(index, name, hits)
        return state

    @staticmethod
    def _content(path: str, patterns: list[Any]) -> tuple[str, list[list[Hit]] | None]:
        """A file's sha256 and what was found, None where it is a Git LFS pointer."""
        descriptor, state = open_regular(path)
        try:
            if state.st_size <= WINDOW:
                data = read_whole(path, limit=WINDOW)
                found = None if pointer(data) else [search_text(pattern, data) for pattern in patterns]
                return hashlib.sha256(data).hexdigest(), found
            whole = hashlib.sha256()

            def hashed() -> Iterable[bytes]:
                for piece in windows(descriptor, state):
                    whole.update(piece)
                    yield piece

            hits = search_windows(patterns, hashed())
            return whole.hexdigest(), hits
        finally:
            os.close(descriptor)

    def _odd(self, name: str) -> State:
        """A link or a special file: never opened as it is."""
        in_tree, wanted = self._place(name)
        path = self.base + name
        state = _state(path)
        if stat.S_ISLNK(state[0]):
            self._link(name, path, wanted, in_tree)
            return state
        kind = kind_of_mode(state[0]) if state[0] else "not there any more"
        if in_tree:
            self.unhashed.append((self.prefix + name, f"is {kind}"))
        self._unsearched(wanted, name, f"is {kind}")
        return state

    def _unsearched(self, wanted: list[int], name: str, reason: str) -> None:
        """A file that searches wanted and cannot have."""
        for index in wanted:
            self.counts[index] += 1
        self._problem(wanted, name, reason)

    def _link(self, name: str, path: str, wanted: list[int], in_tree: bool) -> None:
        if in_tree:
            self.entries.append(("120000", link_digest(path), name))
            self.files += 1
        target, top = os.path.realpath(path), os.path.realpath(self.plan.top)
        inside = target == top or target.startswith(os.path.join(top, ""))
        if os.path.isdir(target):
            self._folder_link(name, target if inside else "")
        elif not inside and (os.path.lexists(target) or os.path.exists(path)):
            self._unsearched(wanted, name, "is a link out of the tree")
        elif os.path.isfile(target):
            # Searched under its own name as well: the file it leads to may lie outside every glob.
            for index in wanted:
                self.counts[index] += 1
            self._with_care(name, path, False, wanted, real=target)
        elif os.path.lexists(target) and not os.path.islink(target):
            self._unsearched(wanted, name, "is a link to a special file")

    def _folder_link(self, name: str, target: str) -> None:
        """A link to a folder: a glob can name files through it. Out of the tree (no target) nothing is read."""
        if self.root is None:
            return
        relative = f"{self.root}/{name}" if self.root else name
        asked = [i for i, s in enumerate(self.plan.searches) if s.globs.may_hold(relative)]
        if not target:
            self._unsearched(asked, name, "is a link to a folder out of the tree")
            return
        if not asked:
            return
        for below, real in files_through(target, os.path.realpath(self.plan.top)):
            wanted = [i for i in asked if f"{relative}/{below}" in self.plan.searches[i].globs]
            for index in wanted:
                self.counts[index] += 1
            if wanted:
                self._with_care(f"{name}/{below}", real, False, wanted, real=real)
