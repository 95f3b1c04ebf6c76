"""Bytes kept by their sha256 below one folder: what a run printed, the reports it wrote, the files it ran on."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import zlib
from pathlib import Path

from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.records import Stored

#: Bytes of one thing that are kept; of more only digest and count are.
MAX_KEPT = 64 * 1024 * 1024
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class VaultError(Exception):
    """Bytes could not be kept or read, in words that follow their name."""


class Vault:
    """A folder of files named by the sha256 of what they hold, compressed; written once, flushed before they count."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes, path: str = "") -> Stored:
        """Keep bytes; when this returns they outlive the process and a power cut. Errors: VaultError."""
        digest = hashlib.sha256(data).hexdigest()
        stored = Stored(sha256=digest, bytes=len(data), kept=len(data) <= MAX_KEPT, path=path)
        if stored.kept and not self._holds(digest):
            try:
                self._write(digest, zlib.compress(data, 1))
            except OSError as error:
                raise VaultError(f"cannot be kept: {error.strerror or error}") from None
        return stored

    def get(self, digest: str) -> bytes:
        """The bytes with this sha256. Errors: VaultError where they are gone, too many, or others than were kept."""
        try:
            packed = read_whole(str(self._path(digest)), limit=MAX_KEPT + (1 << 20))
            unpack = zlib.decompressobj()
            data = unpack.decompress(packed, MAX_KEPT + 1)
        except (Unreadable, zlib.error) as error:
            raise VaultError(f"cannot be read from the store: {error}") from None
        if len(data) > MAX_KEPT or hashlib.sha256(data).hexdigest() != digest:
            raise VaultError("in the store is not what was recorded")
        return data

    def _holds(self, digest: str) -> bool:
        with contextlib.suppress(VaultError):
            self.get(digest)
            return True
        return False

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest[2:]

    def _write(self, digest: str, packed: bytes) -> None:
        path = self._path(digest)
        for folder in (self.folder, path.parent):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                _flush(folder.parent)
            if folder.is_symlink() or not folder.is_dir():
                raise OSError(f"{folder} is no folder")
        beside = path.with_name(f".{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(beside, _FLAGS, 0o600), "wb") as file:
                file.write(packed)
                file.flush()
                os.fsync(file.fileno())
            # In the place of a damaged one, too: a name only ever stands for one content.
            beside.replace(path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                beside.unlink()
        _flush(path.parent)


def _flush(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
