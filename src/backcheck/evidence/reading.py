"""Opening files of the tree: regular files only, never through a link, never waiting, always bounded."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator

from backcheck.evidence.limits import MAX_FILE, WINDOW, size

FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | getattr(os, "O_NOCTTY", 0)


class Unreadable(Exception):
    """A file could not be read whole; the text says why, in words that follow the file's name."""


def kind_of_mode(mode: int) -> str:
    """What a special file is, for people."""
    names = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
        (stat.S_ISLNK, "a link"),
    )
    return next((name for test, name in names if test(mode)), "a special file")


def open_regular(path: str) -> tuple[int, os.stat_result]:
    """A descriptor of a regular file and its state. Errors: Unreadable."""
    try:
        descriptor = os.open(path, FLAGS)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Unreadable("is a link") from None
        if error.errno == errno.ENXIO:
            raise Unreadable("is a socket or a FIFO") from None
        raise Unreadable(f"cannot be opened: {error.strerror}") from None
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        os.close(descriptor)
        raise Unreadable(f"is {kind_of_mode(state.st_mode)}")
    return descriptor, state


def read_whole(path: str, *, limit: int, expected: int = 0) -> bytes:
    """All bytes of a regular file; `expected` is its size by lstat, if known. Errors: Unreadable, also beyond `limit`."""
    try:
        descriptor = os.open(path, FLAGS)
    except OSError:
        descriptor, _ = open_regular(path)
    try:
        # Nothing but a regular file gives the bytes that lstat promised; all else is looked at more closely.
        data = os.read(descriptor, min(expected, limit) + 1)
        return data if expected and len(data) == expected <= limit else _read_on(descriptor, data, limit)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _read_on(descriptor: int, start: bytes, limit: int) -> bytes:
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable(f"is {kind_of_mode(state.st_mode)}")
    if state.st_size > limit:
        raise Unreadable(f"holds {size(state.st_size)}; the limit is {size(limit)}")
    parts, total = [start], len(start)
    # A file that grows, or hides its size as in /proc, is read to its end, within the limit.
    while chunk := os.read(descriptor, 1 << 20):
        parts.append(chunk)
        total += len(chunk)
        if total > limit:
            raise Unreadable(f"holds more than {size(limit)}, the limit")
    return b"".join(parts)


def windows(descriptor: int, state: os.stat_result) -> Iterator[bytes]:
    """A large file's bytes in pieces of WINDOW. Errors: Unreadable beyond MAX_FILE or where reading fails."""
    if state.st_size > MAX_FILE:
        raise Unreadable(f"holds {size(state.st_size)}; the limit is {size(MAX_FILE)}")
    total = 0
    while True:
        try:
            piece = os.read(descriptor, WINDOW)
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror}") from None
        if not piece:
            return
        total += len(piece)
        if total > MAX_FILE:
            raise Unreadable(f"holds more than {size(MAX_FILE)}, the limit")
        yield piece


def link_digest(path: str) -> str:
    """The sha256 of a link's target text."""
    return hashlib.sha256(os.fsencode(os.readlink(path))).hexdigest()
