"""From a call to the evidence: the tree under judgement with its base, ready for the engine."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from backcheck.checks.api import Evidence
from backcheck.errors import UserError
from backcheck.evidence import attributes
from backcheck.evidence.attributes import Attributes
from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.git import GitError
from backcheck.evidence.ignore import IgnoreRules
from backcheck.evidence.index import index_of, named_index, to_be_committed
from backcheck.evidence.lfs import matches, stored
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.objects import Node, ObjectReader, tree_of
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.submodules import BaseTree, Modules
from backcheck.evidence.tracked import Tracked
from backcheck.evidence.workspace import DiskTree, Workspace
from backcheck.ledger.location import ledger_path
from backcheck.surfaces.locate import Place, find_contract, locate

if TYPE_CHECKING:
    from datetime import datetime

    from backcheck.evidence.objecttree import ObjectTree

WORKTREE, INDEX = "worktree", "index"


@dataclass(slots=True, kw_only=True)
class Session:
    """One call's world. `notices` are things a reader must know that are no findings."""

    place: Place
    tree: Workspace
    evidence: Evidence
    notices: list[str] = field(default_factory=list)

    def close(self) -> None:
        """End the git process."""
        if self.place.reader is not None:
            self.place.reader.close()


def cache_allowed(door: str | None, wanted: bool) -> bool:
    """No cache counts on a server or in CI."""
    return wanted and door != "server" and not os.environ.get("CI") and not os.environ.get("BACKCHECK_NO_CACHE")


def open_session(
    *, folder: str, contract: str | None = None, base: str | None = None, tree: str = WORKTREE, cache: bool = True
) -> Session:
    """Find everything that a check needs. Errors: UserError."""
    place = locate(folder, base)
    try:
        objects = None if tree == WORKTREE else _object_tree(place, tree)
    except GitError as error:
        raise UserError(f"--tree {tree}: git cannot read this repository: {error}", slug="git-unreadable") from None
    find_contract(place, contract, (lambda path: _raw_object(objects, path)) if objects else None)
    workspace: Workspace
    if objects is not None:
        objects.prefix, objects.root = place.prefix, place.root
        workspace = objects
    else:
        workspace = disk_tree(place, cache)
    return Session(place=place, tree=workspace, evidence=_evidence(place, workspace), notices=place.notices)


def _raw_object(tree: ObjectTree | None, path: str) -> bytes | None:
    if tree is None or path not in tree.nodes:
        return None
    try:
        return tree.read(path, limit=MAX_FILE)
    except Unreadable as error:
        raise UserError(f"the contract {error}", where=path, slug="contract-unreadable") from None


def _object_tree(place: Place, name: str) -> ObjectTree:
    repository, reader = place.repository, place.reader
    if repository is None or reader is None:
        raise UserError(f"--tree {name}: there is no git repository here", slug="tree-unknown")
    from backcheck.evidence.objecttree import ObjectTree

    root, lfs = str(place.top), stored(repository.common_dir)
    if name == INDEX:
        file = named_index(repository)
        if file:
            place.notices.append(f"the index is {file}, as GIT_INDEX_FILE says")
        nodes, conflicts = to_be_committed(repository, file)
        return ObjectTree(reader, nodes, "", label="index", root=root, conflicts=conflicts, lfs=lfs)
    commit = repository.commit(name)
    if place.base is None and commit is not None:
        place.notices.append("no base: ignore rules are those of HEAD, which the work may have changed")
    if commit is None:
        raise UserError(f"--tree {name}: it is neither `worktree`, `index` nor a commit here", slug="tree-unknown")
    return ObjectTree(reader, tree_of(reader, commit), "", label=f"revision {commit[:12]}", root=root, lfs=lfs)


def disk_tree(place: Place, cache: bool) -> DiskTree:
    """The working tree at a place, with the base's ignore rules."""
    base = _base_tree(place)
    rules, salt = _ignore_rules(place, base)
    tracked = None
    if place.repository is not None:
        repository = place.repository
        # What the base tracks counts as well: taken out of the index, a file in an ignored folder would vanish.
        tracked = Tracked(lambda: index_of(repository)[0], base.node if base and place.base else None)
    # Outside a repository the ledger lies beside the contract; it is memory, no part of what is judged.
    skip = frozenset[str]()
    if place.repository is None:
        own = os.path.relpath(ledger_path(None, place.root), place.top)
        skip = frozenset(f"{own}{suffix}" for suffix in ("", "-wal", "-shm", "-journal"))
    return DiskTree(str(place.top), place.prefix, rules=rules, tracked=tracked, cache=cache, salt=salt, skip=skip)


def base_nodes(place: Place) -> Mapping[str, Node] | None:
    """Every path of the base from the repository's top, read once; None where there is no base. Errors: GitError."""
    if place.nodes is None and place.reader is not None and place.base is not None:
        place.nodes = tree_of(place.reader, place.base.commit)
    return place.nodes


def _base_tree(place: Place) -> BaseTree | None:
    """The base's tree; without a base that of HEAD, None without a commit."""
    if place.reader is None:
        return None
    commit = place.base.commit if place.base else place.reader.commit_id("HEAD")
    return BaseTree(place.reader, commit, Modules(str(place.top))) if commit else None


def _ignore_rules(place: Place, base: BaseTree | None) -> tuple[IgnoreRules | None, bytes]:
    """Rules of the base; without one those of HEAD, without a commit those on disk, and then a notice says so."""
    repository = place.repository
    if repository is None:
        return None, b""
    if base is None:
        place.notices.append("no commit yet: ignore rules are read from the working tree")
        top = str(place.top)
        return IgnoreRules(lambda folder: _disk_ignore(top, folder)), b"disk"
    # The index decides which ignored files are tracked all the same.
    try:
        state = os.stat(repository.git_dir / "index")
        mark = f"{state.st_size} {state.st_mtime_ns} {state.st_ino}"
    except OSError:
        mark = "none"
    return IgnoreRules(base.rules), f"{base.commit} {mark}".encode()


def _disk_ignore(top: str, folder: str) -> bytes | None:
    try:
        return DiskTree(top).read(join(folder, ".gitignore"), limit=1024 * 1024)
    except Unreadable:
        return None


def _evidence(place: Place, tree: Workspace) -> Evidence:
    reader, base = place.reader, place.base

    @functools.cache
    def final_nodes() -> Mapping[str, tuple[str, str]]:
        if tree.nodes is not None:
            return {path: (node.mode, node.oid) for path, node in tree.nodes.items()}
        if isinstance(tree, DiskTree):
            nodes = base_nodes(place) or {}
            length = len(next(iter(nodes.values())).oid) if nodes else 40
            return disk_blobs(tree.top, list(tree.paths()), length, tree.seen)
        return {}

    evidence = Evidence(
        tree=tree, base=base, base_nodes=lambda: base_nodes(place), final_nodes=final_nodes, prefix=place.prefix
    )
    evidence.raw = lambda path: _raw(place, tree, path)
    if isinstance(reader, ObjectReader):
        evidence.base_blob = reader.blob
    evidence.base_time = lambda: _committed(place)
    if isinstance(tree, DiskTree):
        evidence.command_folder = tree.root
        evidence.is_content = lambda path, wanted: matches(os.path.join(tree.top, path), wanted)
        evidence.module = Modules(tree.top).at
        rules = _base_tree(place)
        if rules is not None:
            evidence.attributes = Attributes(lambda folder: rules.rules(folder, attributes.FILE)).of
    return evidence


def _committed(place: Place) -> datetime | None:
    """When the base's commit was made, as it says itself."""
    from datetime import UTC, datetime

    if place.reader is None or place.base is None:
        return None
    data = place.reader.object(place.base.commit, b"commit") or b""
    for line in data.partition(b"\n\n")[0].split(b"\n"):
        words = line.split()
        if line.startswith(b"committer ") and len(words) > 2 and words[-2].isdigit() and len(words[-2]) < 12:
            return datetime.fromtimestamp(int(words[-2]), UTC)
    return None


def _raw(place: Place, tree: Workspace, path: str) -> bytes:
    if isinstance(tree, DiskTree):
        whole = DiskTree(tree.top)
        whole.seen = tree.seen
        return whole.read(path, limit=MAX_FILE)
    if tree.nodes is not None and path in tree.nodes and place.reader is not None:
        return place.reader.blob(tree.nodes[path].oid) or b""
    raise Unreadable("is not there")
