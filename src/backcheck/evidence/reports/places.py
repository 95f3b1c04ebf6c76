"""Paths as reports write them → paths of the tree.

A relative path counts from one of the report's source folders, from the folder of the report or one above it, or from the
root. An absolute path lies below the root, or, where the report was made elsewhere (in a container, in a clean copy, by an
import path as Go writes them), below one other folder that stands for the root: the one with which most paths are files of
the tree, the same for all of them. Where some paths are found as they stand, the others are other projects' files. A path
that could be two files of the tree is none.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

#: Paths by which the folder that stands for the root is found.
_SAMPLE = 60
_MAX_PARTS = 60


def located(
    paths: Iterable[str],
    is_file: Callable[[str], bool],
    *,
    roots: Sequence[str] = (),
    sources: Sequence[str] = (),
    folder: str = "",
) -> dict[str, str]:
    """Report path → tree path, without those that are no file of the tree. `folder` is where the report lies."""
    wanted = dict.fromkeys(path for path in paths if path)
    starts = _starts(sources, roots, folder)
    found: dict[str, str] = {}
    open_paths = []
    for path in wanted:
        hits = _hits(_plain(path), starts, roots, is_file)
        if len(hits) == 1:
            found[path] = hits[0]
        elif not hits:
            open_paths.append(path)
    return found or _elsewhere([path for path in open_paths if ".." not in _plain(path).split("/")], sources, is_file)


def _plain(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))


def _below(path: str, roots: Sequence[str]) -> str | None:
    """An absolute path as one from the root, where it lies below it."""
    for root in roots:
        if path == root:
            return ""
        if path.startswith(root.rstrip("/") + "/"):
            return path[len(root.rstrip("/")) + 1 :]
    return None


def _absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _starts(sources: Sequence[str], roots: Sequence[str], folder: str) -> list[list[str]]:
    """Folders of the tree that relative paths may count from, in groups: within a group two hits are one too many."""
    named = []
    for source in dict.fromkeys(_plain(source) for source in sources):
        place = _below(source, roots) if _absolute(source) else source
        if place is not None and not place.startswith(".."):
            named.append("" if place == "." else place)
    groups = [named] if named else []
    while folder:
        groups.append([folder])
        folder = posixpath.dirname(folder)
    return [*groups, [""]]


def _hits(path: str, starts: list[list[str]], roots: Sequence[str], is_file: Callable[[str], bool]) -> list[str]:
    if _absolute(path):
        below = _below(path, roots)
        return [below] if below and is_file(below) else []
    for group in starts:
        tried = (posixpath.normpath(posixpath.join(start, path)) for start in group)
        hits = sorted({place for place in tried if not place.startswith("..") and is_file(place)})
        if hits:
            return hits
    return []


def _elsewhere(paths: list[str], sources: Sequence[str], is_file: Callable[[str], bool]) -> dict[str, str]:
    """Paths of a report that was made elsewhere, with the one folder taken off that stands for the root."""
    full: dict[str, list[str]] = {}
    for path in paths:
        plain = _plain(path)
        full[path] = [plain] if _absolute(plain) or not sources else [
            posixpath.normpath(posixpath.join(_plain(source), plain)) for source in sources
        ]  # fmt: skip
    votes: Counter[str] = Counter()
    sample = list(full)[:: max(1, len(full) // _SAMPLE)]
    for path in sample:
        votes.update({head for place in full[path] for head, rest in _splits(place) if is_file(rest)})
    if not votes:
        return {}
    # With as many files for a longer folder, the shorter one keeps more of each path and is the surer.
    root = min(votes, key=lambda head: (-votes[head], len(head)))
    found: dict[str, str] = {}
    for path, places in full.items():
        hits = {place[len(root) + 1 :] for place in places if place.startswith(root + "/")}
        hits = {place for place in hits if is_file(place)}
        if len(hits) == 1:
            found[path] = hits.pop()
    return found


def _splits(path: str) -> list[tuple[str, str]]:
    """Every way to take leading folders off; the last name always stays."""
    parts = path.split("/")
    return [("/".join(parts[:at]), "/".join(parts[at:])) for at in range(1, min(len(parts), _MAX_PARTS))]


def merged(pairs: Mapping[str, str]) -> dict[str, list[str]]:
    """Tree path → the report's names for it."""
    result: dict[str, list[str]] = {}
    for name, place in pairs.items():
        result.setdefault(place, []).append(name)
    return result
