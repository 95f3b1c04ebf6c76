"""One pass over the tree on disk: every file hashed once and searched for every pattern while its bytes are at hand.

The tree's digest is sha256 over its folders, each folder's over its own files as `mode name sha256`: the same for the
same bytes whether they lie on disk, in the index or in a revision.
"""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from backcheck.evidence.folder import RACY, Pass, Row, folder_row
from backcheck.evidence.limits import MAX_PLACES, SURVEY_SECONDS
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.search import Hit
from backcheck.evidence.steady import Steady
from backcheck.evidence.walk import Folder


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
    #: What was looked at on disk, to be compared with what a check meets later (evidence/steady.py).
    steady: Steady | None = None


def survey(plan: Pass, folders: Iterable[Folder]) -> tuple[Survey, dict[str, Row]]:
    """Run the pass; returns what it found and the rows worth remembering. Errors: parallel.WorkerDied."""
    result = Survey(tallies=[Tally() for _ in plan.searches])
    remember: dict[str, Row] = {}
    digests = []
    listed = list(folders)
    result.steady = Steady(listed, plan.started_ns - RACY)
    # Many small values are made and none in a circle: collecting them only costs.
    collecting = gc.isenabled()
    gc.disable()
    try:
        rows = fork_map(lambda part: [folder_row(plan, folder) for folder in part], listed)
    finally:
        if collecting:
            gc.enable()
    for row in rows:
        path, _fingerprint, digest, files, size, unhashed, tallies, cacheable, recent = row
        if digest:
            digests.append((path, digest))
        result.files += files
        result.bytes += size
        result.unhashed += [tuple(item) for item in unhashed]
        result.reused += cacheable == "known"
        result.steady.note(path, recent)
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


def plan_deadline() -> float:
    """When a pass that starts now must be over, on the monotonic clock."""
    return time.monotonic() + SURVEY_SECONDS
