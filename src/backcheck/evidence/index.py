"""The index: what the next commit will hold."""

from __future__ import annotations

import os
import re

from backcheck.evidence.git import Repository
from backcheck.evidence.objects import Node, blob_id

_RECORD = re.compile(
    rb"([^\0]+)\0  ctime: \d+:\d+\n  mtime: \d+:\d+\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n"
    rb"  size: \d+\tflags: ([0-9a-f]+)\n"
)
_INTENT = 0x20000000
_EMPTY = {blob_id(b"", length) for length in (40, 64)}


def named_index(repository: Repository) -> str:
    """The index file that the caller's environment names, empty text for the usual one.

    In a hook git names the index that the commit is made of, which for `git commit -a` or `git commit PATH` is not the
    usual one. Nothing else is read from git's own variables; where they speak of another repository, nothing at all.
    """
    named, folder = os.environ.get("GIT_INDEX_FILE", ""), os.environ.get("GIT_DIR", "")
    if not named or (folder and os.path.realpath(folder) != os.path.realpath(repository.git_dir)):
        return ""
    path = os.path.join(repository.top, named)
    usual = os.path.join(repository.git_dir, "index")
    return "" if os.path.realpath(path) == os.path.realpath(usual) else path


def index_of(repository: Repository, file: str = "") -> tuple[dict[str, Node], list[str]]:
    """Every path of the index at stage 0, and the paths that are in conflict; `file` is another index than the usual one.

    `assume-unchanged`, `skip-worktree` and `intent-to-add` bits change nothing here: ids are read, not the disk.
    """
    raw = repository.run("ls-files", "--stage", "-z", "--full-name", ":/", index=file)
    nodes: dict[str, Node] = {}
    conflicts: dict[str, None] = {}
    for record in raw.split(b"\0"):
        if not record:
            continue
        meta, _, path = record.partition(b"\t")
        mode, oid, stage = meta.split()
        name = path.decode("utf-8", "surrogateescape")
        if stage != b"0":
            conflicts[name] = None
        else:
            nodes[name] = Node(mode.decode(), oid.decode())
    return nodes, list(conflicts)


def to_be_committed(repository: Repository, file: str = "") -> tuple[dict[str, Node], list[str]]:
    """As `index_of`, without paths that were only announced (`git add --intent-to-add`): no commit will hold them."""
    nodes, conflicts = index_of(repository, file)
    # An announced path has the empty file's id, and most indexes hold few of these.
    if any(node.oid in _EMPTY for node in nodes.values()):
        raw = repository.run("ls-files", "--debug", "-z", "--full-name", ":/", index=file)
        for path, flags in _RECORD.findall(raw):
            if int(flags, 16) & _INTENT:
                nodes.pop(path.decode("utf-8", "surrogateescape"), None)
    return nodes, conflicts
