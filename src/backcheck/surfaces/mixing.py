"""Clean copies in which some paths are another tree's: the base's tests on the new code, the new tests on the base's code."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from backcheck.checks.running import Mix
from backcheck.evidence.cleancopy import Copied, copy_disk, copy_objects
from backcheck.evidence.objects import Node
from backcheck.evidence.observing import Plan
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.session import Session, base_nodes


def mixed(plan: Plan, session: Session, mix: Mix) -> Plan:
    """The plan of a copy of `mix.code` in which `mix.paths` are those of the other tree; what that one lacks is left out."""
    paths = functools.cache(lambda: _paths(session, mix))

    def copy(into: str) -> Copied:
        own, other = paths()
        copied = _copier(session, mix.code)(own, into)
        more = _copier(session, "head" if mix.code == "base" else "base")(other, into)
        return Copied(
            files=copied.files + more.files, bytes=copied.bytes + more.bytes, missing=[*copied.missing, *more.missing]
        )

    def digest() -> str:
        listed = "\0".join([plan.digest(), str(session.place.base), mix.code, *sorted(mix.paths)])
        return hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()

    return replace(plan, copy=copy, paths=lambda: [path for part in paths() for path in part], digest=digest)


def _paths(session: Session, mix: Mix) -> tuple[list[str], list[str]]:
    """Which paths come from the tree of the code, and which from the other."""
    trees: dict[str, Callable[[], list[str]]] = {
        "head": lambda: _head(session),
        "base": lambda: list(base_nodes(session.place) or ()),
    }
    own = [path for path in trees[mix.code]() if path not in mix.paths]
    other = [path for path in trees["head" if mix.code == "base" else "base"]() if path in mix.paths]
    return own, other


def _head(session: Session) -> list[str]:
    tree = session.tree
    return list(tree.paths()) if isinstance(tree, DiskTree) else list(tree.nodes or ())


def _copier(session: Session, tree: str) -> Callable[[list[str], str], Copied]:
    reader, judged = session.place.reader, session.tree
    if tree == "head" and isinstance(judged, DiskTree):
        return lambda paths, into: copy_disk(judged.top, paths, into)
    nodes: Mapping[str, Node] = (judged.nodes if tree == "head" else base_nodes(session.place)) or {}

    def copy(paths: list[str], into: str) -> Copied:
        return copy_objects(
            {path: nodes[path] for path in paths}, lambda oid: reader.blob(oid) if reader else None, into
        )

    return copy
