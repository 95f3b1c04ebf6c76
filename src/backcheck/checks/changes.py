"""What changed between the base and the tree under judgement, path by path, judged by content and not by git's index."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from enum import StrEnum

from backcheck.checks.api import Evidence
from backcheck.evidence.objects import Node, blob_id
from backcheck.evidence.reading import Unreadable

SUBMODULE, LINK = "160000", "120000"
_LFS = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")
_LFS_MAX = 1024


class Change(StrEnum):
    """How a path differs from the base."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MODE = "given another mode"


def changes(evidence: Evidence, base: Mapping[str, Node]) -> dict[str, Change]:
    """Changed paths from the repository's top. Errors: GitError where the base's blobs cannot be read."""
    final = evidence.final_nodes()
    found: dict[str, Change] = {}
    for path, node in base.items():
        if node.mode == SUBMODULE:
            _submodule(path, node, final, found)
        elif path not in final:
            found[path] = Change.REMOVED
        else:
            change = _compare(evidence, node, *final[path], path)
            if change is not None:
                found[path] = change
    modules = tuple(f"{path}/" for path, node in base.items() if node.mode == SUBMODULE)
    for path in final:
        if path not in base and not (modules and path.startswith(modules)):
            found[path] = Change.ADDED
    return dict(sorted(found.items()))


def _submodule(path: str, node: Node, final: Mapping[str, tuple[str, str]], found: dict[str, Change]) -> None:
    """On disk a submodule is a folder; its commit is compared only where the tree is of git objects."""
    if path in final and final[path] != (SUBMODULE, node.oid):
        found[path] = Change.CHANGED


def _compare(evidence: Evidence, node: Node, mode: str, oid: str, path: str) -> Change | None:
    if oid != node.oid or (mode == LINK) != (node.mode == LINK):
        if mode == LINK or node.mode == LINK or not _same_but_form(evidence, node, path):
            return Change.CHANGED
        oid = node.oid
    return None if mode == node.mode else Change.MODE


def _same_but_form(evidence: Evidence, node: Node, path: str) -> bool:
    """Whether the file is the base's with other line ends, or what the base's LFS pointer names."""
    original = evidence.base_blob(node.oid)
    if original is None:
        return False
    try:
        data = evidence.raw(path)
    except Unreadable:
        return False
    pointer = _LFS.match(original) if len(original) <= _LFS_MAX else None
    if pointer and hashlib.sha256(data).hexdigest().encode() == pointer[1]:
        return True
    if b"\0" in data or b"\0" in original:
        return False
    # Compared against the id as well, so that nothing but CRLF may differ.
    unified = data.replace(b"\r\n", b"\n")
    return blob_id(unified, len(node.oid)) == node.oid or unified == original.replace(b"\r\n", b"\n")
