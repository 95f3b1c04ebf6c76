"""What changed between the base and the tree under judgement, path by path, judged by content and not by git's index."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from enum import StrEnum

from backcheck.checks.api import Evidence
from backcheck.evidence.attributes import as_kept
from backcheck.evidence.blobs import SPECIAL, UNREAD
from backcheck.evidence.lfs import pointer
from backcheck.evidence.objects import Node, blob_id
from backcheck.evidence.reading import Unreadable

SUBMODULE, LINK = "160000", "120000"
#: Reads a blob of the base by its id.
Blob = Callable[[str], bytes | None]
_SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".mk", ".envrc", ".awk", ".sed")
_MAKEFILES = {"makefile", "gnumakefile", "dockerfile", "justfile"}


class Change(StrEnum):
    """How a path differs from the base."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MODE = "given another mode"
    #: Every line ends in CRLF now and in LF before: the same to most readers, another program to a shell.
    LINE_ENDS = "given other line ends"
    #: A submodule that could not be compared.
    UNKNOWN = "not compared"
    #: A file that the base has as well, and that could not be read.
    UNREAD = "not read"


def changes(evidence: Evidence, base: Mapping[str, Node]) -> dict[str, Change]:
    """Changed paths from the repository's top. Errors: GitError where the base's blobs cannot be read."""
    final = evidence.final_nodes()
    found: dict[str, Change] = {}
    for path, node in base.items():
        if node.mode == SUBMODULE:
            found |= _submodule(evidence, path, node, final)
        elif path not in final:
            found[path] = Change.REMOVED
        else:
            change = _compare(evidence, node, final[path], path, evidence.base_blob)
            if change is not None:
                found[path] = change
    modules = tuple(f"{path}/" for path, node in base.items() if node.mode == SUBMODULE)
    for path in final:
        if path not in base and not (modules and path.startswith(modules)):
            found[path] = Change.ADDED
    return dict(sorted(found.items()))


def _submodule(evidence: Evidence, path: str, node: Node, final: Mapping[str, tuple[str, str]]) -> dict[str, Change]:
    """In a tree of git objects a submodule is its commit; on disk it is a folder of files, compared with that commit's."""
    if path in final:
        return {} if final[path] == (SUBMODULE, node.oid) else {path: Change.CHANGED}
    if evidence.module is None:
        return {path: Change.REMOVED}
    module = evidence.module(path, node.oid)
    if module is None:
        return {path: Change.REMOVED}
    if isinstance(module, str):
        return {path: Change.UNKNOWN}
    # One that is not checked out has no paths: git leaves an empty folder.
    found: dict[str, Change] = {}
    for name, before in module.nodes.items():
        place = f"{path}/{name}"
        if before.mode == SUBMODULE:
            found |= _submodule(evidence, place, before, final)
        elif place not in final:
            found[place] = Change.REMOVED
        elif (change := _compare(evidence, before, final[place], place, module.blob)) is not None:
            found[place] = change
    inner = tuple(f"{path}/{name}/" for name, before in module.nodes.items() if before.mode == SUBMODULE)
    for place in final:
        known = not place.startswith(f"{path}/") or place[len(path) + 1 :] in module.nodes
        if not known and not (inner and place.startswith(inner)):
            found[place] = Change.ADDED
    return found


def _compare(evidence: Evidence, node: Node, now: tuple[str, str], path: str, blob: Blob) -> Change | None:
    mode, oid = now
    if oid != node.oid or (mode == LINK) != (node.mode == LINK):
        form = (
            Change.CHANGED if LINK in (mode, node.mode) or mode == SPECIAL else _form(evidence, node, oid, path, blob)
        )
        if form is not None:
            return form
    return None if mode == node.mode else Change.MODE


def _form(evidence: Evidence, node: Node, oid: str, path: str, blob: Blob) -> Change | None:
    """None where the file is what the base's LFS pointer names; LINE_ENDS where nothing but all of them differs."""
    original = blob(node.oid)
    if original is None:
        return Change.CHANGED
    try:
        behind = pointer(original)
        if behind and evidence.is_content is not None:
            return None if evidence.is_content(path, behind) else Change.CHANGED
        data = evidence.raw(path)
    except Unreadable:
        return Change.UNREAD if oid.startswith(UNREAD) else Change.CHANGED
    if behind and hashlib.sha256(data).hexdigest() == behind.sha256:
        return None
    attributes = evidence.attributes(path)
    kept = as_kept(data, attributes)
    if kept is None:
        return Change.UNREAD
    if kept != data and (kept == original or kept.replace(b"\r\n", b"\n") == original):
        return None
    if b"\0" in data or b"\0" in original:
        return Change.CHANGED
    # Compared against the id as well, so that nothing but CRLF may differ; and all lines end alike on either side, as git
    # writes them: a file of both kinds is somebody's edit.
    unified = data.replace(b"\r\n", b"\n")
    same = blob_id(unified, len(node.oid)) == node.oid or unified == original.replace(b"\r\n", b"\n")
    if not (same and _uniform(data) and _uniform(original)):
        return Change.CHANGED
    return None if attributes.get("eol") == "crlf" and b"\r" not in original else Change.LINE_ENDS


def _uniform(data: bytes) -> bool:
    pairs = data.count(b"\r\n")
    return pairs in (0, data.count(b"\n"))


def is_program(evidence: Evidence, path: str) -> bool:
    """Whether line ends matter to whoever runs the file: a shell's or make's, by its name, first line or mode."""
    name = path.rpartition("/")[2]
    if (
        name.endswith(_SCRIPTS)
        or name.lower() in _MAKEFILES
        or evidence.final_nodes().get(path, ("", ""))[0] == "100755"
    ):
        return True
    try:
        return evidence.raw(path).startswith(b"#!")
    except Unreadable:
        return True
