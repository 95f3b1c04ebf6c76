"""A tree that lies in git: the index or a revision, its blobs read by id and never checked out."""

from __future__ import annotations

import hashlib
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

from backcheck.evidence.folder import folder_digest
from backcheck.evidence.git import GitError
from backcheck.evidence.lfs import ELSEWHERE, Pointer, pointer
from backcheck.evidence.limits import MAX_FILE, MAX_PLACES, SURVEY_SECONDS, size
from backcheck.evidence.objects import LINK, SUBMODULE, Node, ObjectReader
from backcheck.evidence.paths import PathProblem, clean, join
from backcheck.evidence.patterns import PatternTimeout
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.search import Search, search_text
from backcheck.evidence.survey import Survey, Tally, plan_deadline, tree_digest
from backcheck.evidence.workspace import Entry, Kind, bad_path

MAX_LINKS = 40
#: Files that all links to folders together may add under other names.
MAX_ALIASES = 200_000


#: Searches, each with the tally that it fills.
Jobs = list[tuple[Search, Tally]]


class ObjectTree:
    """A Workspace over git objects. `conflicts` are paths that the index holds in conflict: unreadable; `lfs` gives the
    content that a Git LFS pointer stands for, where it is here."""

    def __init__(
        self,
        reader: ObjectReader,
        nodes: Mapping[str, Node],
        prefix: str,
        *,
        label: str,
        root: str,
        conflicts: Sequence[str] = (),
        lfs: Callable[[Pointer], bytes | None] = lambda _pointer: None,
    ) -> None:
        self.reader = reader
        self.nodes: Mapping[str, Node] = nodes
        self.prefix = prefix
        self.label = label
        self.root = root
        self.lfs = lfs
        self.conflicts = frozenset(conflicts)
        self.folders: dict[str, set[str]] = {"": set()}
        for path in nodes:
            child = path
            while child:
                parent, _, name = child.rpartition("/")
                known = parent in self.folders
                self.folders.setdefault(parent, set()).add(name)
                if known:
                    break
                child = parent

    def entry(self, path: str) -> Entry:
        """As Workspace.entry."""
        try:
            relative = clean(path)
        except PathProblem as problem:
            return bad_path(path, problem)
        full = join(self.prefix, relative) if relative else self.prefix
        try:
            found = self._resolve(full)
        except Unreadable as error:
            return Entry(path, Kind.SPECIAL, note=f"leads over a link that {error}")
        if found is None:
            return Entry(path, Kind.OUTSIDE, note="is a link out of the tree")
        if found in self.folders:
            return Entry(path, Kind.FOLDER, note="is a folder", real=found)
        node = self.nodes.get(found)
        if found in self.conflicts:
            return Entry(path, Kind.SPECIAL, note="is in conflict in the index")
        if node is None:
            note = "is a link that leads nowhere" if full in self.nodes else "is not there"
            return Entry(path, Kind.MISSING, note=f"{note} in the {self.label}")
        if node.mode == SUBMODULE:
            return Entry(path, Kind.SPECIAL, note="is a submodule", real=found)
        return Entry(path, Kind.FILE, 1, real=found)

    def _resolve(self, full: str) -> str | None:
        """Follow links inside the tree, name by name; None where one leads out or in circles. Errors: Unreadable."""
        pending = full.split("/")[::-1]
        done: list[str] = []
        links = 0
        while pending:
            name = pending.pop()
            if name == ".." and not done:
                return None
            if name == "..":
                done.pop()
            elif name not in ("", "."):
                done.append(name)
            node = self.nodes.get("/".join(done))
            if node is None or node.mode != LINK:
                continue
            links += 1
            target = self._blob(node).decode("utf-8", "surrogateescape")
            if links > MAX_LINKS or target.startswith("/"):
                return None
            done.pop()
            pending += target.split("/")[::-1]
        return "/".join(done)

    def _blob(self, node: Node, limit: int = MAX_FILE) -> bytes:
        try:
            data = self.reader.blob(node.oid, limit=limit)
        except GitError as error:
            raise Unreadable(f"cannot be read from git: {error}") from None
        if data is None:
            raise Unreadable("is not in the repository's objects (a partial clone?)")
        return data

    def read(self, path: str, *, limit: int) -> bytes:
        """As Workspace.read."""
        entry = self.entry(path)
        if entry.kind is not Kind.FILE:
            raise Unreadable(entry.note)
        return self.content(self.nodes[entry.real], limit)

    def content(self, node: Node, limit: int = MAX_FILE) -> bytes:
        """The bytes that a checkout would have: a pointer's content. Errors: Unreadable."""
        return self._content(self._blob(node, limit), limit)

    def _content(self, data: bytes, limit: int) -> bytes:
        if (wanted := pointer(data)) is None:
            return data
        if wanted.size > limit:
            raise Unreadable(f"holds {size(wanted.size)}; the limit is {size(limit)}")
        data = self.lfs(wanted) or b""
        if len(data) != wanted.size:
            raise Unreadable(ELSEWHERE)
        return data

    def names(self, path: str) -> list[str]:
        """As Workspace.names."""
        entry = self.entry(path)
        if entry.kind is not Kind.FOLDER:
            raise Unreadable(entry.note or "is a file")
        return sorted(self.folders[entry.real])

    def survey(self, searches: Sequence[Search]) -> Survey:
        """As Workspace.survey; reads every blob once, in one process."""
        result = Survey(tallies=[Tally() for _ in searches])
        jobs = list(zip(searches, result.tallies, strict=True))
        deadline = plan_deadline()
        by_folder: dict[str, list[tuple[str, str, str]]] = {}
        for path in self.conflicts:
            result.unhashed.append((path, "is in conflict in the index"))
            self._problem(path, "is in conflict in the index", self._wanting(path, jobs))
        for path, node in self.nodes.items():
            folder, _, name = path.rpartition("/")
            entry = (node.mode, self._file(path, node, jobs, result, deadline), name)
            by_folder.setdefault(folder, []).append(entry)
        if jobs:
            self._links(jobs, deadline)
        result.digest = tree_digest((path, folder_digest(entries)) for path, entries in by_folder.items())
        return result

    def _file(self, path: str, node: Node, jobs: Jobs, result: Survey, deadline: float) -> str:
        if node.mode == SUBMODULE:
            below = self._relative(path)
            hit = [job for job in jobs if below is not None and job[0].globs.may_hold(below)]
            self._problem(path, "is a submodule: what it holds is not in this repository", hit)
            return node.oid
        result.files += 1
        wanting = self._wanting(path, jobs)
        try:
            data = self._in_time(node, deadline)
        except Unreadable as error:
            result.unhashed.append((path, str(error)))
            self._problem(path, str(error), wanting)
            return f"unread:{node.oid}"
        behind = pointer(data) if node.mode != LINK else None
        result.bytes += behind.size if behind else len(data)
        if wanting and node.mode != LINK:
            try:
                self._search(path, self._content(data, MAX_FILE), wanting)
            except Unreadable as error:
                self._problem(path, str(error), wanting)
        # A pointer names the very digest of its content.
        return behind.sha256 if behind else hashlib.sha256(data).hexdigest()

    def _in_time(self, node: Node, deadline: float) -> bytes:
        if time.monotonic() > deadline:
            raise Unreadable(f"was not reached within {SURVEY_SECONDS:g} s")
        return self._blob(node)

    def _relative(self, path: str) -> str | None:
        if not self.prefix:
            return path
        return path[len(self.prefix) + 1 :] if path.startswith(f"{self.prefix}/") else None

    def _wanting(self, path: str, jobs: Jobs) -> Jobs:
        relative = self._relative(path)
        return [job for job in jobs if relative is not None and relative in job[0].globs]

    def _search(self, path: str, data: bytes, wanting: Jobs) -> None:
        relative = self._relative(path) or path
        for search, tally in wanting:
            tally.files += 1
            if len(tally.hits) >= MAX_PLACES:
                tally.more += 1
                continue
            try:
                tally.hits += [(relative, hit) for hit in search_text(search.pattern, data)]
            except PatternTimeout as error:
                tally.problems.append((relative, f"could not be searched: {error}"))

    def _problem(self, path: str, reason: str, wanting: Jobs) -> None:
        relative = self._relative(path) or path
        for _search, tally in wanting:
            tally.files += 1
            tally.problems.append((relative, reason))

    def _links(self, jobs: Jobs, deadline: float) -> None:
        """Search what links lead to under the links' own names: a checkout offers it there."""
        ordered = sorted(self.nodes)
        count = 0
        for link in [path for path in ordered if self.nodes[path].mode == LINK]:
            try:
                for path, real in self._aliases(link, link, ordered, frozenset()):
                    count += 1
                    if count > MAX_ALIASES:
                        raise Unreadable(f"is one of the links that lead to more than {MAX_ALIASES:,} files")
                    wanting = [job for job in self._wanting(path, jobs) if job not in self._wanting(real, jobs)]
                    if wanting:
                        self._search(path, self._content(self._in_time(self.nodes[real], deadline), MAX_FILE), wanting)
            except Unreadable as error:
                relative = self._relative(link)
                hit = [job for job in jobs if relative is not None and job[0].globs.may_hold(relative)]
                self._problem(link, str(error), hit)

    def _aliases(self, path: str, link: str, ordered: list[str], seen: frozenset[str]) -> Iterator[tuple[str, str]]:
        """(name under the link, real name) of every file that a link leads to. Errors: Unreadable."""
        target = self._resolve(link)
        if target is None:
            raise Unreadable("is a link out of the tree, or in a circle")
        if target in self.nodes and self.nodes[target].mode != SUBMODULE:
            yield path, target
        if target not in self.folders or target in seen:
            return
        below = f"{target}/" if target else ""
        for index in range(bisect_left(ordered, below), len(ordered)):
            real = ordered[index]
            if not real.startswith(below):
                return
            name = f"{path}/{real[len(below) :]}"
            if self.nodes[real].mode == LINK:
                yield from self._aliases(name, real, ordered, seen | {target})
            elif self.nodes[real].mode != SUBMODULE:
                yield name, real
