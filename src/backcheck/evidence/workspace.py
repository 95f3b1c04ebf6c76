"""The one reader that every check uses: a tree on disk, in the index or of a revision, asked by relative path."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from backcheck.evidence import walk as walking
from backcheck.evidence.cache import SurveyCache
from backcheck.evidence.folder import Pass
from backcheck.evidence.ignore import IgnoreRules
from backcheck.evidence.objects import Node
from backcheck.evidence.paths import PathProblem, clean, join
from backcheck.evidence.reading import Unreadable, kind_of_mode, read_whole
from backcheck.evidence.search import Search
from backcheck.evidence.steady import Seen, state_of
from backcheck.evidence.survey import Survey, plan_deadline, survey
from backcheck.evidence.tracked import Tracked


class Kind(StrEnum):
    """What a path of the tree is."""

    FILE = "file"
    FOLDER = "folder"
    MISSING = "missing"
    OUTSIDE = "outside"
    SPECIAL = "special"


class Entry(NamedTuple):
    """One path: its kind, its size in bytes (files), and why it is no file, in words that follow its name."""

    path: str
    kind: Kind
    size: int = 0
    note: str = ""
    #: The path that really holds it, after links inside the tree.
    real: str = ""


class Workspace(Protocol):
    """A tree. Paths are relative to the contract's root, POSIX; nothing outside the tree is ever read."""

    label: str
    #: The folder on disk that paths count from, where there is one.
    root: str

    @property
    def nodes(self) -> Mapping[str, Node] | None:
        """Modes and git ids by path from the top, where the tree lies in git; else None."""
        ...

    def entry(self, path: str) -> Entry:
        """What a path is. Never raises for a bad path: that is an entry too."""
        ...

    def read(self, path: str, *, limit: int) -> bytes:
        """A file's bytes. Errors: Unreadable, with words that follow the file's name."""
        ...

    def names(self, path: str) -> list[str]:
        """The names in a folder, sorted. Errors: Unreadable."""
        ...

    def survey(self, searches: Sequence[Search]) -> Survey:
        """Hash the whole tree and search it in the same pass. Errors: WorkerDied, TooLarge, GitError."""
        ...


def bad_path(path: str, problem: PathProblem) -> Entry:
    """The entry of a path that cannot name anything in the tree."""
    return Entry(path, Kind.OUTSIDE, note=f"is no path of the tree: {problem}")


class DiskTree:
    """The working tree: what lies on disk now."""

    label = "working tree"
    nodes: Mapping[str, Node] | None = None

    def __init__(
        self,
        top: str,
        prefix: str = "",
        *,
        rules: IgnoreRules | None = None,
        tracked: Tracked | None = None,
        cache: bool = False,
        salt: bytes = b"",
        skip: frozenset[str] = frozenset(),
    ) -> None:
        self.top = os.path.realpath(top)
        self.prefix = prefix
        self.root = os.path.join(self.top, prefix) if prefix else self.top
        self._rules = rules
        self._tracked = tracked
        self._cache = cache
        self._salt = salt
        self._skip = skip
        #: sha256 of files that were read though git ignores them: they count to what was judged.
        self.beside: dict[str, str] = {}
        #: What was met while checks asked.
        self.seen = Seen()

    def entry(self, path: str) -> Entry:
        """As Workspace.entry; links are followed inside the tree only."""
        try:
            relative = clean(path)
        except PathProblem as problem:
            return bad_path(path, problem)
        full = os.path.join(self.root, relative) if relative else self.root
        real = os.path.realpath(full)
        self._note_way(join(self.prefix, relative) if relative else self.prefix, real)
        if real != self.top and not real.startswith(os.path.join(self.top, "")):
            return Entry(path, Kind.OUTSIDE, note="is a link out of the tree")
        try:
            state = os.lstat(real)
        except OSError as error:
            note = "is a link that leads nowhere" if os.path.lexists(full) else "is not there"
            if isinstance(error, PermissionError):
                note = "cannot be looked at: permission denied"
            return Entry(path, Kind.MISSING, note=note)
        if stat.S_ISREG(state.st_mode):
            return Entry(path, Kind.FILE, state.st_size, real=real)
        if stat.S_ISDIR(state.st_mode):
            return Entry(path, Kind.FOLDER, note="is a folder", real=real)
        if stat.S_ISLNK(state.st_mode):
            return Entry(path, Kind.MISSING, note="is a link that leads to itself")
        return Entry(path, Kind.SPECIAL, note=f"is {kind_of_mode(state.st_mode)}", real=real)

    def read(self, path: str, *, limit: int) -> bytes:
        """As Workspace.read."""
        entry = self.entry(path)
        if entry.kind is not Kind.FILE:
            raise Unreadable(entry.note)
        data = read_whole(entry.real, limit=limit)
        inside = os.path.relpath(entry.real, self.top)
        self.note(inside)
        if self.outside(inside):
            self.beside[inside] = hashlib.sha256(data).hexdigest()
        return data

    def _note_way(self, path: str, real: str) -> None:
        """Keep what lies at a path: the links that lead on, and where they end."""
        if real in (self.top, os.path.join(self.top, path)):
            self.note(path)
            return
        parts = path.split("/")
        for way in ("/".join(parts[: number + 1]) for number in range(len(parts))):
            if os.path.islink(os.path.join(self.top, way)):
                self.note(way)
        if real.startswith(os.path.join(self.top, "")):
            self.note(os.path.relpath(real, self.top))

    def note(self, path: str) -> None:
        """Keep how a path from the top is met, which is about to be read or was."""
        try:
            self.seen.note(path, os.lstat(os.path.join(self.top, path)))
        except OSError:
            self.seen.note(path, None)

    def outside(self, path: str) -> bool:
        """Whether a path from the top is no part of the tree: ignored and not tracked, of git's own, or to be skipped."""
        rules, folder = self._rules, ""
        parts = path.split("/")
        if path in self._skip or parts[0] == walking.GIT:
            return True
        if walking.GIT in parts and walking.is_repository(
            os.path.join(self.top, *parts[: parts.index(walking.GIT) + 1])
        ):
            return True
        for number, name in enumerate(parts):
            if rules is None:
                return False
            rules = rules.enter(folder, has_file=os.path.lexists(os.path.join(self.top, folder, ".gitignore")))
            child = join(folder, name)
            if rules.ignores(child, folder=number < len(parts) - 1):
                return not self._is_tracked(path)
            folder = child
        return False

    def names(self, path: str) -> list[str]:
        """As Workspace.names."""
        entry = self.entry(path)
        if entry.kind is not Kind.FOLDER:
            raise Unreadable(entry.note or "is a file")
        try:
            with os.scandir(entry.real) as found:
                entries = sorted(found, key=lambda item: item.name)
            files = [item.name for item in entries if not item.is_dir(follow_symlinks=False)]
        except OSError as error:
            raise Unreadable(f"cannot be listed: {error.strerror}") from None
        self.seen.note_names("" if entry.real == self.top else os.path.relpath(entry.real, self.top), files)
        return [item.name for item in entries]

    def survey(self, searches: Sequence[Search]) -> Survey:
        """As Workspace.survey."""
        import time

        ignored = any(search.ignored for search in searches)
        identity = "\0".join([self.prefix, *(search.key for search in searches)])
        cache = SurveyCache(self.top, identity, enabled=self._cache)
        plan = Pass(
            top=self.top, prefix=self.prefix, searches=searches, tracked=self._is_tracked, known=cache.load(),
            salt=self._salt, started_ns=time.time_ns(), deadline=plan_deadline(),
        )  # fmt: skip
        folders = self._walk(visit_ignored=ignored)
        result, rows = survey(plan, folders)
        if result.reused != len(rows) or len(rows) != len(plan.known):
            cache.save(rows)
        return result

    def states(self) -> dict[str, tuple[int, int, int, int]]:
        """Mode, size, mtime and ctime (ns) of every file of the tree: what a command that ran may have changed."""
        found: dict[str, tuple[int, int, int, int]] = {}
        for path in self.paths():
            try:
                s = os.lstat(os.path.join(self.top, path))
            except OSError:
                continue
            found[path] = state_of(s)
        return found

    def paths(self) -> Iterator[str]:
        """Every file and link of the tree, from the top. Errors: TooLarge."""
        for folder in self._walk(visit_ignored=False):
            for name in (*folder.names, *folder.odd):
                path = join(folder.path, name)
                outside = folder.ignored or (folder.rules is not None and folder.rules.ignores(path, folder=False))
                if not outside or self._is_tracked(path):
                    yield path

    def _walk(self, *, visit_ignored: bool) -> Iterator[walking.Folder]:
        return walking.walk(
            self.top, self._rules, tracked_below=self._tracked_below, visit_ignored=visit_ignored, skip=self._skip
        )

    def _is_tracked(self, path: str) -> bool:
        return self._tracked is not None and self._tracked.holds(path)

    def _tracked_below(self, folder: str) -> bool:
        return self._tracked is not None and self._tracked.below(folder)
