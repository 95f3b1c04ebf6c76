"""A copy of a tree in a folder of its own: the raw bytes, modes and links, and nothing that the tree does not hold.

No filter, hook or attribute has a say, and no ignored file comes along: what a command finds there was judged.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.objects import LINK, SUBMODULE, Node
from backcheck.evidence.reading import Unreadable, read_whole

#: Bytes that one copy may hold.
MAX_COPY = 8 * 1024**3
POINTER = b"version https://git-lfs.github.com/spec/v1\n"


class CopyProblem(Exception):
    """The copy could not be made whole, in words."""


@dataclass(slots=True)
class Copied:
    """What was left out or is not what it seems, so that whoever reads a run's result knows: (path, reason)."""

    files: int = 0
    bytes: int = 0
    missing: list[tuple[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def temporary(prefix: str = "backcheck-") -> Iterator[str]:
    """A private folder that is gone afterwards, also where a command took away its own rights to it."""
    folder = tempfile.mkdtemp(prefix=prefix)
    try:
        yield folder
    finally:
        _remove(folder)


def copy_disk(top: str, paths: Iterable[str], into: str) -> Copied:
    """Copy files and links below `top`. Errors: CopyProblem."""
    copied = Copied()
    for path in paths:
        source, target = os.path.join(top, path), _place(into, path)
        try:
            state = os.lstat(source)
            if stat.S_ISLNK(state.st_mode):
                _link(os.readlink(source), target, path, copied)
            elif stat.S_ISREG(state.st_mode):
                data = read_whole(source, limit=MAX_FILE, expected=state.st_size)
                _write(target, data, state.st_mode & 0o100, path, copied)
            else:
                copied.missing.append((path, "is no regular file"))
        except (OSError, Unreadable) as error:
            raise CopyProblem(f"{path} could not be copied: {error}") from None
    return copied


def copy_objects(nodes: Mapping[str, Node], blob: Callable[[str], bytes | None], into: str) -> Copied:
    """Copy a tree that lies in git; `blob` reads an object by its id. Errors: CopyProblem."""
    copied = Copied()
    for path, node in nodes.items():
        target = _place(into, path)
        if node.mode == SUBMODULE:
            os.makedirs(target, exist_ok=True)
            copied.missing.append((path, "is a submodule"))
            continue
        data = blob(node.oid)
        if data is None:
            raise CopyProblem(f"{path} is not in the repository's objects (a partial clone?)")
        try:
            if node.mode == LINK:
                _link(os.fsdecode(data), target, path, copied)
            else:
                _write(target, data, 0o100 if node.mode == "100755" else 0, path, copied)
        except OSError as error:
            raise CopyProblem(f"{path} could not be copied: {error.strerror}") from None
    return copied


def _place(into: str, path: str) -> str:
    """Where a path of the tree goes; its folders are made. A link among them would lead out of the copy."""
    parts = path.split("/")
    if path.startswith("/") or any(part in ("", ".", "..", ".git") for part in parts):
        raise CopyProblem(f"{path} is no path that a copy may hold")
    folder = into
    for part in parts[:-1]:
        folder = os.path.join(folder, part)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        if os.path.islink(folder):
            raise CopyProblem(f"{path} lies behind a link")
    return os.path.join(folder, parts[-1])


def _write(target: str, data: bytes, executable: int, path: str, copied: Copied) -> None:
    copied.files += 1
    copied.bytes += len(data)
    if copied.bytes > MAX_COPY:
        raise CopyProblem(f"the tree holds more than {MAX_COPY >> 30} GiB, the limit of a copy")
    if data.startswith(POINTER):
        copied.missing.append((path, "is a pointer of Git LFS; its content is not here"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(target, flags, 0o755 if executable else 0o644)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def _link(leads: str, target: str, path: str, copied: Copied) -> None:
    copied.files += 1
    os.symlink(leads, target)
    folder = os.path.dirname(path)
    inside = os.path.normpath(os.path.join(folder, leads))
    if os.path.isabs(leads) or inside == ".." or inside.startswith("../"):
        copied.missing.append((path, "is a link out of the tree"))


def _remove(folder: str) -> None:
    try:
        for parent, names, _ in os.walk(folder):
            for name in (".", *names):
                place = os.path.join(parent, name)
                with contextlib.suppress(OSError):
                    if not os.path.islink(place):
                        os.chmod(place, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        # A command nested folders deeper than Python follows.
        subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, check=False)
