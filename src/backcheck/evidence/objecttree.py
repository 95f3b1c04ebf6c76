"""A tree that lies in git: the index or a revision, its blobs read by id and never checked out."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping, Sequence

from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_FILE, MAX_PLACES
from backcheck.evidence.objects import Node, ObjectReader
from backcheck.evidence.paths import PathProblem, clean, join
from backcheck.evidence.patterns import PatternTimeout
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.search import Search, search_text
from backcheck.evidence.survey import Survey, Tally, folder_digest, tree_digest
from backcheck.evidence.workspace import Entry, Kind, bad_path

MAX_LINKS = 40
LINK, SUBMODULE = "120000", "160000"


class ObjectTree:
    """A Workspace over git objects. `conflicts` are paths that the index holds in conflict: unreadable."""

    def __init__(
        self,
        reader: ObjectReader,
        nodes: Mapping[str, Node],
        prefix: str,
        *,
        label: str,
        root: str,
        conflicts: Sequence[str] = (),
    ) -> None:
        self.reader = reader
        self.nodes: Mapping[str, Node] = nodes
        self.prefix = prefix
        self.label = label
        self.root = root
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
        found = self._resolve(full)
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
        """Follow links inside the tree; None where one leads out or in circles."""
        for _ in range(MAX_LINKS):
            parts = full.split("/") if full else []
            for count in range(1, len(parts) + 1):
                head = "/".join(parts[:count])
                node = self.nodes.get(head)
                if node is not None and node.mode == LINK:
                    target = self._blob(node).decode("utf-8", "surrogateescape")
                    if target.startswith("/"):
                        return None
                    full = posixpath.normpath(posixpath.join(posixpath.dirname(head), target, *parts[count:]))
                    if full.startswith(".."):
                        return None
                    full = "" if full == "." else full
                    break
            else:
                return full
        return None

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
        return self._blob(self.nodes[entry.real], limit)

    def names(self, path: str) -> list[str]:
        """As Workspace.names."""
        entry = self.entry(path)
        if entry.kind is not Kind.FOLDER:
            raise Unreadable(entry.note or "is a file")
        return sorted(self.folders[entry.real])

    def survey(self, searches: Sequence[Search]) -> Survey:
        """As Workspace.survey; reads every blob once, in one process."""
        result = Survey(tallies=[Tally() for _ in searches])
        by_folder: dict[str, list[tuple[str, str, str]]] = {}
        for path in self.conflicts:
            result.unhashed.append((path, "is in conflict in the index"))
            self._problem(result, searches, path, "is in conflict in the index")
        for path, node in self.nodes.items():
            folder, _, name = path.rpartition("/")
            entry = (node.mode, self._file(path, node, searches, result), name)
            by_folder.setdefault(folder, []).append(entry)
        result.digest = tree_digest((path, folder_digest(entries)) for path, entries in by_folder.items())
        return result

    def _file(self, path: str, node: Node, searches: Sequence[Search], result: Survey) -> str:
        if node.mode == SUBMODULE:
            return node.oid
        result.files += 1
        try:
            data = self._blob(node)
        except Unreadable as error:
            result.unhashed.append((path, str(error)))
            self._problem(result, searches, path, str(error))
            return f"unread:{node.oid}"
        result.bytes += len(data)
        if node.mode != LINK:
            self._search(path, data, searches, result)
        return hashlib.sha256(data).hexdigest()

    def _relative(self, path: str) -> str | None:
        if not self.prefix:
            return path
        return path[len(self.prefix) + 1 :] if path.startswith(f"{self.prefix}/") else None

    def _search(self, path: str, data: bytes, searches: Sequence[Search], result: Survey) -> None:
        relative = self._relative(path)
        for search, tally in zip(searches, result.tallies, strict=True):
            if relative is None or relative not in search.globs:
                continue
            tally.files += 1
            if len(tally.hits) >= MAX_PLACES:
                tally.more += 1
                continue
            try:
                tally.hits += [(relative, hit) for hit in search_text(search.pattern, data)]
            except PatternTimeout as error:
                tally.problems.append((relative, f"could not be searched: {error}"))

    def _problem(self, result: Survey, searches: Sequence[Search], path: str, reason: str) -> None:
        relative = self._relative(path)
        for search, tally in zip(searches, result.tallies, strict=True):
            if relative is not None and relative in search.globs:
                tally.files += 1
                tally.problems.append((relative, reason))
