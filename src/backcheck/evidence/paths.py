"""Paths of a tree: relative, POSIX, below the root, and shown without control characters."""

from __future__ import annotations

from collections.abc import Iterable


class PathProblem(ValueError):
    """Why a path of a contract cannot name anything in the tree."""


MAX_PATH = 4096


def clean(path: str) -> str:
    """`./a//b/` → `a/b`, `.` → ``. Errors: PathProblem for absolute paths, `..`, NUL, backslashes of another system."""
    if "\0" in path:
        raise PathProblem("it holds a NUL character")
    if len(path) > MAX_PATH:
        raise PathProblem(f"it is longer than {MAX_PATH:,} characters")
    if path.startswith(("/", "~")):
        raise PathProblem("it is absolute; paths count from the root of the tree")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise PathProblem("it holds `..`; paths go down from the root")
    return "/".join(parts)


def join(folder: str, name: str) -> str:
    """A path below a folder; the root is the empty text."""
    return f"{folder}/{name}" if folder else name


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """Every folder above one of these paths."""
    found: set[str] = set()
    for path in paths:
        parent = path.rpartition("/")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition("/")[0]
    return frozenset(found)


def shown(path: str) -> str:
    """A path as a report shows it: control and undecodable characters escaped."""
    safe = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in safe)
