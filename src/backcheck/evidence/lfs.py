"""Git LFS pointers: what git holds in place of a file whose content lies elsewhere."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.reading import Unreadable, open_regular, read_whole

#: Source: the Git LFS specification, version 1; the older names of it are still read.
_POINTER = re.compile(
    rb"version https?://(?:git-lfs\.github\.com/spec/v1|hawser\.github\.com/spec/v1|git-media\.io/v/2)\n"
    rb"(?:ext-\d-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,18})\n"
)
POINTER_START = b"version http"
_LONGEST = 1024
#: A file that a pointer stands for is hashed up to this size.
MAX_CONTENT = 16 * 1024 * 1024 * 1024
_PIECE = 1024 * 1024
ELSEWHERE = "is a Git LFS pointer: its content is not here"


class Pointer(NamedTuple):
    """The sha256 and the size in bytes of the content that a pointer stands for."""

    sha256: str
    size: int


def pointer(data: bytes) -> Pointer | None:
    """What a file's bytes point to; None where they are no pointer."""
    found = _POINTER.fullmatch(data) if len(data) <= _LONGEST and data.startswith(POINTER_START) else None
    return Pointer(found[1].decode(), int(found[2])) if found else None


def matches(path: str, wanted: Pointer) -> bool:
    """Whether a file on disk is a pointer's content. Errors: Unreadable, also beyond MAX_CONTENT."""
    descriptor, state = open_regular(path)
    try:
        if state.st_size != wanted.size:
            return False
        if state.st_size > MAX_CONTENT:
            raise Unreadable(f"holds {state.st_size:,} bytes; the limit is {MAX_CONTENT:,}")
        digest = hashlib.sha256()
        while piece := os.read(descriptor, _PIECE):
            digest.update(piece)
        return digest.hexdigest() == wanted.sha256
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)


def stored(common_dir: Path) -> Callable[[Pointer], bytes | None]:
    """Reads contents that LFS keeps in a repository; bytes that are not what the pointer names are none.

    Errors: Unreadable beyond MAX_FILE.
    """

    def read(wanted: Pointer) -> bytes | None:
        name = wanted.sha256
        path = os.path.join(os.path.realpath(common_dir), "lfs", "objects", name[:2], name[2:4], name)
        if not os.path.lexists(path):
            return None
        data = read_whole(path, limit=MAX_FILE)
        return data if hashlib.sha256(data).hexdigest() == name else None

    return read
