"""The folders of a tree on disk and the names in them, without following a link and without reading a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from backcheck.evidence.ignore import IgnoreRules
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable, read_whole

MAX_ENTRIES = 5_000_000
MAX_DEPTH = 200
#: Files that one link to a folder adds to a search.
MAX_THROUGH = 100_000
GIT = ".git"
MAX_GITFILE = 4096
#: Never part of a search among ignored files: other people's code, by the thousand.
SKIPPED_WHEN_IGNORED = "node_modules"


class TooLarge(Exception):
    """The tree has more entries or levels than the reader takes; the text names the limit."""


@dataclass(slots=True)
class Folder:
    """One folder: `names` are its regular files, `odd` its links and special files; `rules` say which are ignored.

    `ignored` is set inside a folder that is ignored as a whole; such folders are visited only on demand. `nested` is set
    in and below a repository in the tree: what belongs to it, its own base says.
    """

    path: str
    names: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    rules: IgnoreRules | None = None
    ignored: bool = False
    nested: bool = False
    problem: str = ""


def walk(
    top: str,
    rules: IgnoreRules | None,
    *,
    tracked_below: Callable[[str], bool],
    visit_ignored: bool,
    skip: frozenset[str] = frozenset(),
) -> Iterator[Folder]:
    """Folders from `top` down, in name order. `tracked_below(path)` tells whether an ignored folder holds tracked files;
    `skip` are files that are no part of the tree.

    Errors: TooLarge.
    """
    stack: list[tuple[str, IgnoreRules | None, bool, bool]] = [("", rules, False, False)]
    seen = 0
    while stack:
        path, inherited, ignored, nested = stack.pop()
        folder, below = _list(top, path, inherited, ignored)
        folder.nested |= nested
        if skip:
            folder.names[:] = [name for name in folder.names if join(path, name) not in skip]
            folder.odd[:] = [name for name in folder.odd if join(path, name) not in skip]
        seen += len(folder.names) + len(folder.odd) + len(below)
        if seen > MAX_ENTRIES:
            raise TooLarge(f"more than {MAX_ENTRIES:,} files and folders")
        if path.count("/") > MAX_DEPTH:
            raise TooLarge(f"folders nested deeper than {MAX_DEPTH}")
        yield folder
        for name in sorted(below, reverse=True):
            child = join(path, name)
            hidden = ignored or (folder.rules is not None and folder.rules.ignores(child, folder=True))
            if not hidden or tracked_below(child):
                stack.append((child, folder.rules, hidden, folder.nested))
            elif visit_ignored and name != SKIPPED_WHEN_IGNORED:
                stack.append((child, folder.rules, True, folder.nested))


def _list(top: str, path: str, rules: IgnoreRules | None, ignored: bool) -> tuple[Folder, list[str]]:
    names: list[str] = []
    below: list[str] = []
    folder = Folder(path=path, names=names, rules=rules, ignored=ignored)
    try:
        with os.scandir(os.path.join(top, path) if path else top) as entries:
            for entry in entries:
                name = entry.name
                if name == GIT and (not path or is_repository(entry.path)):
                    folder.nested = bool(path)
                elif entry.is_file(follow_symlinks=False):
                    names.append(name)
                elif entry.is_dir(follow_symlinks=False):
                    below.append(name)
                else:
                    folder.odd.append(name)
    except OSError as error:
        folder.problem = error.strerror or "cannot be listed"
    names.sort()
    folder.odd.sort()
    if rules is not None and not ignored:
        folder.rules = rules.enter(path, has_file=not path or ".gitignore" in names)
    return folder, below


def is_repository(path: str) -> bool:
    """Whether what is called `.git` really is a repository, or names one: any other folder of that name is like others."""
    if os.path.isdir(path):
        return all(os.path.lexists(os.path.join(path, part)) for part in ("HEAD", "objects", "refs"))
    try:
        return read_whole(path, limit=MAX_GITFILE).startswith(b"gitdir:")
    except Unreadable:
        return False


def files_through(folder: str, top: str) -> Iterator[tuple[str, str]]:
    """(path below `folder`, real path) of regular files reached through a link to a folder, also through further links.

    Each real folder is visited once, nothing outside `top` is, and at most MAX_THROUGH files are given.
    """
    seen = {folder}
    stack = [("", folder)]
    given = 0
    while stack:
        prefix, real = stack.pop()
        try:
            with os.scandir(real) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            target = os.path.realpath(entry.path)
            if (entry.name == GIT and is_repository(entry.path)) or not target.startswith(os.path.join(top, "")):
                continue
            if os.path.isdir(target):
                if target not in seen:
                    seen.add(target)
                    stack.append((join(prefix, entry.name), target))
            elif os.path.isfile(target):
                given += 1
                if given > MAX_THROUGH:
                    return
                yield join(prefix, entry.name), target
