"""What a change touched, for gates that look into it: paths in scope, their bytes, and where the base is missing, the answer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.changes import LINK, SUBMODULE, Change, changes
from backcheck.evidence.git import GitError
from backcheck.evidence.globs import GlobError, Globs, check_glob
from backcheck.evidence.lfs import ELSEWHERE, pointer
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.workspace import DiskTree
from backcheck.verdict import Blame

#: backcheck's own folder: writing there is no work on the task.
OWN_FOLDER = ".backcheck/"


class Touched(NamedTuple):
    """`paths` in scope (from the repository's top) and how they changed; `all` counts every changed path, `beside` those
    in scope that are links or submodules and hold no text."""

    paths: dict[str, Change]
    all: int
    beside: int


def check_globs(field: str, globs: Sequence[str]) -> None:
    """Refuse globs that cannot be read or that only take away. Errors: ArgumentError."""
    for glob in globs:
        try:
            check_glob(glob.removeprefix("!").removeprefix("/"))
        except GlobError as error:
            raise ArgumentError(field, f"{glob!r}: {error}") from None
    if globs and all(glob.startswith("!") for glob in globs):
        raise ArgumentError(field, "every glob takes files away; nothing would be checked")


def scope_of(globs: Sequence[str], prefix: str) -> Globs:
    """Globs over paths from the repository's top: they count from the contract's root, those with `/` from the top."""

    def placed(glob: str) -> str:
        body = glob.removeprefix("!")
        taken = glob[: len(glob) - len(body)]
        return taken + (body[1:] if body.startswith("/") else f"{prefix}/{body}" if prefix else body)

    return Globs([placed(glob) for glob in globs])


def touched(evidence: Evidence, globs: Sequence[str], ignore: Sequence[str] = ()) -> Touched | Answer:
    """What differs from the base, or the answer where that cannot be told or the globs name nothing at all."""
    try:
        base = evidence.base_nodes()
        if base is None or evidence.base is None:
            return unclear("there is no base to compare with", blame=Blame.ENVIRONMENT,
                           remedy="Give one with `--base COMMIT`, or work on a branch whose upstream is fetched.")  # fmt: skip
        found = changes(evidence, base)
    except GitError as error:
        return unclear(f"the base cannot be read: {error}", blame=Blame.ENVIRONMENT)
    own = f"{evidence.prefix}/{OWN_FOLDER}" if evidence.prefix else OWN_FOLDER
    form = {Change.LINE_ENDS, Change.UNKNOWN}
    work = {path: change for path, change in found.items() if not path.startswith(own) and change not in form}
    scope = scope_of(globs, evidence.prefix) if globs else None
    away = scope_of(ignore, evidence.prefix) if ignore else None
    final = evidence.final_nodes()
    paths, beside = {}, 0
    for path, change in work.items():
        if (scope is not None and path not in scope) or (away is not None and path in away):
            continue
        # A path that neither tree lists lies in a submodule.
        mode = final[path][0] if path in final else base[path].mode if path in base else SUBMODULE
        if mode in {LINK, SUBMODULE}:
            beside += 1
        else:
            paths[path] = change
    if not paths and scope is not None and not any(path in scope for path in (*final, *base)):
        return unclear(f"no file matches {', '.join(globs)}: nothing was looked at", blame=Blame.CONTRACT,
                       remedy="Correct the glob, or remove the requirement.")  # fmt: skip
    return Touched(paths, len(work), beside)


def bytes_of(evidence: Evidence, path: str, *, limit: int = MAX_FILE) -> bytes:
    """A file of the tree under judgement, by its path from the repository's top. Errors: Unreadable, also for a Git LFS
    pointer whose content is not here: nobody could say what it adds."""
    if isinstance(evidence.tree, DiskTree):
        evidence.tree.note(path)
        data = read_whole(os.path.join(evidence.tree.top, path), limit=limit)
    else:
        data = evidence.raw(path)
    if (behind := pointer(data)) is not None:
        data = getattr(evidence.tree, "lfs", lambda _pointer: None)(behind) or b""
        if len(data) != behind.size:
            raise Unreadable(ELSEWHERE)
    if len(data) > limit:
        raise Unreadable(f"holds {len(data):,} bytes; the limit is {limit:,}")
    return data


def bytes_before(evidence: Evidence, path: str) -> bytes | None:
    """The same file in the base, None where there was none. Errors: GitError."""
    node = (evidence.base_nodes() or {}).get(path)
    if node is None or node.mode in {LINK, SUBMODULE}:
        return None
    return evidence.base_blob(node.oid)


def forks(evidence: Evidence) -> bool:
    """Whether files may be read in forked workers: a tree of git objects has one reader, which cannot be shared."""
    if not isinstance(evidence.tree, DiskTree):
        return False
    evidence.tree.seen.read_by_workers = True
    return True
