"""One pass over the tree on disk: every file hashed once and searched for every pattern while its bytes are at hand.

The tree's digest is sha256 over its folders, each folder's over its own files as `mode name sha256`: the same for the
same bytes whether they lie on disk, in the index or in a revision.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from backcheck.evidence.limits import MAX_PLACES, SURVEY_SECONDS, WINDOW
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.paths import join
from backcheck.evidence.patterns import PatternTimeout
from backcheck.evidence.reading import Unreadable, link_digest, open_regular, read_whole, windows
from backcheck.evidence.search import Hit, Search, search_text, search_windows
from backcheck.evidence.walk import Folder

#: A file changed this shortly (ns) before the pass could change again within one tick of the clock: not remembered.
RACY = 2_000_000_000


@dataclass(slots=True)
class Tally:
    """What one search found: files it looked at, hits as (path, Hit), files it could not read as (path, reason)."""

    files: int = 0
    hits: list[tuple[str, Hit]] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    more: int = 0


@dataclass(slots=True)
class Survey:
    """The result of a pass. `digest` is of the tree; `unhashed` are files too large or unreadable, bound by size only."""

    digest: str = ""
    files: int = 0
    bytes: int = 0
    tallies: list[Tally] = field(default_factory=list)
    unhashed: list[tuple[str, str]] = field(default_factory=list)
    reused: int = 0


#: One folder's row: path, fingerprint, digest, files, bytes, unhashed, tallies, cacheable.
Row = list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a pass needs to know. `prefix` is where the contract's root lies below `top`; `known` are remembered rows."""

    top: str
    prefix: str
    searches: Sequence[Search]
    tracked: Callable[[str], bool]
    known: dict[str, Row]
    salt: bytes
    started_ns: int
    deadline: float


def survey(plan: Pass, folders: Iterable[Folder]) -> tuple[Survey, dict[str, Row]]:
    """Run the pass; returns what it found and the rows worth remembering. Errors: parallel.WorkerDied."""
    result = Survey(tallies=[Tally() for _ in plan.searches])
    remember: dict[str, Row] = {}
    digests = []
    for row in fork_map(lambda part: [_folder_row(plan, folder) for folder in part], list(folders)):
        path, _fingerprint, digest, files, size, unhashed, tallies, cacheable = row
        if digest:
            digests.append((path, digest))
        result.files += files
        result.bytes += size
        result.unhashed += [tuple(item) for item in unhashed]
        result.reused += cacheable == "known"
        if cacheable:
            remember[path] = row
        for tally, part in zip(result.tallies, tallies, strict=True):
            _merge(tally, part)
    result.digest = tree_digest(digests)
    return result, remember


def _merge(tally: Tally, part: list[Any]) -> None:
    files, hits, problems = part
    tally.files += files
    tally.problems += [tuple(item) for item in problems][: MAX_PLACES - len(tally.problems)]
    room = max(0, MAX_PLACES - len(tally.hits))
    tally.hits += [(path, Hit(line, hidden)) for path, line, hidden in hits[:room]]
    tally.more += len(hits[room:])


def tree_digest(folders: Iterable[tuple[str, str]]) -> str:
    """The digest of a tree from (folder path, folder digest) pairs, in any order."""
    whole = hashlib.sha256(b"backcheck tree 1\n")
    for path, digest in sorted(folders):
        whole.update(f"{digest} {path}\0".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def folder_digest(entries: Iterable[tuple[str, str, str]]) -> str:
    """The digest of one folder's own files from (mode, sha256, name); empty text where there is none."""
    lines = sorted(entries, key=lambda entry: entry[2])
    if not lines:
        return ""
    text = "".join(f"{mode} {sha} {name}\0" for mode, sha, name in lines)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _states(base: str, names: list[str]) -> list[tuple[str, int, int, int, int, int]]:
    states = []
    for name in names:
        try:
            s = os.lstat(base + name)
        except OSError:
            states.append((name, 0, 0, 0, 0, 0))
        else:
            states.append((name, s.st_mode, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino))
    return states


def _folder_row(plan: Pass, folder: Folder) -> Row:
    base = os.path.join(plan.top, folder.path, "") if folder.path else os.path.join(plan.top, "")
    states = _states(base, folder.names)
    seal = hashlib.blake2b(plan.salt, digest_size=16)
    seal.update(marshal.dumps((folder.path.encode("utf-8", "surrogateescape"), folder.ignored, folder.problem)))
    seal.update(marshal.dumps(states))
    fingerprint = seal.hexdigest()
    known = plan.known.get(folder.path)
    if known is not None and known[1] == fingerprint:
        return [*known[:7], "known"]
    newest = max((max(s[3], s[4]) for s in states), default=0)
    row = _FolderReader(plan, folder, base).read(states)
    quiet = newest < plan.started_ns - RACY and not row[3]
    return [folder.path, fingerprint, *row[:5], "new" if quiet else ""]


class _FolderReader:
    """Reads the files of one folder."""

    def __init__(self, plan: Pass, folder: Folder, base: str) -> None:
        self.plan = plan
        self.folder = folder
        self.base = base
        self.prefix = join(folder.path, "") if folder.path else ""
        self.entries: list[tuple[str, str, str]] = []
        self.unhashed: list[tuple[str, str]] = []
        self.tallies: list[tuple[int, list[Any], list[Any]]] = []
        self.counts = [0] * len(plan.searches)
        self.hits: list[list[Any]] = [[] for _ in plan.searches]
        self.problems: list[list[Any]] = [[] for _ in plan.searches]
        self.files = self.size = 0

    def read(self, states: list[tuple[str, int, int, int, int, int]]) -> list[Any]:
        """digest, files, bytes, unhashed, tallies."""
        if self.folder.problem:
            self._note_folder_problem()
        for name, mode, size, *_rest in states:
            self._file(name, mode, size)
        tallies = [[n, h, p] for n, h, p in zip(self.counts, self.hits, self.problems, strict=True)]
        return [folder_digest(self.entries), self.files, self.size, self.unhashed, tallies]

    def _note_folder_problem(self) -> None:
        path = self._below_root(self.folder.path)
        self.unhashed.append((self.folder.path, f"cannot be listed: {self.folder.problem}"))
        for problems in self.problems:
            if path is not None:
                problems.append((path or ".", f"cannot be listed: {self.folder.problem}"))

    def _below_root(self, path: str) -> str | None:
        prefix = self.plan.prefix
        if not prefix:
            return path
        if path == prefix:
            return ""
        return path[len(prefix) + 1 :] if path.startswith(f"{prefix}/") else None

    def _file(self, name: str, mode: int, size: int) -> None:
        path = self.prefix + name
        rules = self.folder.rules
        outside = self.folder.ignored or (rules is not None and rules.ignores(path, folder=False))
        in_tree = not outside or self.plan.tracked(path)
        wanted = self._wanted(path, in_tree)
        if not in_tree and not wanted:
            return
        if stat.S_ISLNK(mode):
            self._link(name, path, wanted, in_tree)
        elif stat.S_ISREG(mode):
            self._regular(name, path, mode, size, wanted, in_tree)
        elif in_tree:
            self.unhashed.append((path, "is no regular file"))

    def _wanted(self, path: str, in_tree: bool) -> list[int]:
        if not self.plan.searches:
            return []
        relative = self._below_root(path)
        if relative is None:
            return []
        found = [i for i, s in enumerate(self.plan.searches) if (in_tree or s.ignored) and relative in s.globs]
        for index in found:
            self.counts[index] += 1
        return found

    def _link(self, name: str, path: str, wanted: list[int], in_tree: bool) -> None:
        if in_tree:
            self.entries.append(("120000", link_digest(self.base + name), name))
            self.files += 1
        target = os.path.realpath(self.base + name)
        top = os.path.realpath(self.plan.top)
        if target != top and not target.startswith(os.path.join(top, "")):
            if os.path.lexists(target):
                self._problem(wanted, path, "is a link out of the tree")
            return
        # A link inside the tree leads to a file that is searched where it lies, or to a folder that is walked there.
        if os.path.isfile(target) and wanted:
            self._regular(name, path, os.stat(target).st_mode, os.stat(target).st_size, wanted, False, real=target)

    def _regular(
        self, name: str, path: str, mode: int, size: int, wanted: list[int], in_tree: bool, real: str = ""
    ) -> None:
        try:
            if time.monotonic() > self.plan.deadline:
                raise Unreadable(f"was not reached within {SURVEY_SECONDS:g} s")
            digest, found = self._content(real or self.base + name, size, wanted)
        except Unreadable as error:
            digest, found = f"unread:{size}", []
            if in_tree:
                self.unhashed.append((path, str(error)))
            self._problem(wanted, path, str(error))
        if in_tree:
            self.files += 1
            self.size += size
            self.entries.append(("100755" if mode & 0o100 else "100644", digest, name))
        relative = self._below_root(path) or path
        for index, hits in zip(wanted, found, strict=False):
            self.hits[index] += [(relative, hit.line, hit.hidden) for hit in hits]

    def _problem(self, wanted: list[int], path: str, reason: str) -> None:
        relative = self._below_root(path) or path
        for index in wanted:
            self.problems[index].append((relative, reason))

    def _content(self, path: str, size: int, wanted: list[int]) -> tuple[str, list[list[Hit]]]:
        patterns = [self.plan.searches[i].pattern for i in wanted]
        try:
            if size <= WINDOW:
                data = read_whole(path, limit=WINDOW, expected=size)
                return hashlib.sha256(data).hexdigest(), [search_text(pattern, data) for pattern in patterns]
            return self._large(path, patterns)
        except PatternTimeout as error:
            raise Unreadable(f"could not be searched: {error}") from None

    @staticmethod
    def _large(path: str, patterns: list[Any]) -> tuple[str, list[list[Hit]]]:
        descriptor, state = open_regular(path)
        whole = hashlib.sha256()

        def hashed() -> Iterable[bytes]:
            for piece in windows(descriptor, state):
                whole.update(piece)
                yield piece

        try:
            found = search_windows(patterns, hashed())
        finally:
            os.close(descriptor)
        return whole.hexdigest(), found


def plan_deadline() -> float:
    """When a pass that starts now must be over, on the monotonic clock."""
    return time.monotonic() + SURVEY_SECONDS
