"""Reviewers' keys: one private Ed25519 key a file, in the user's configuration folder, readable by nobody else."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from backcheck.errors import UserError
from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.signing import NAME, public_text

SUFFIX = ".pem"
#: The key that `backcheck run` makes and signs records with. It lies where the agent works, so it decides nothing.
RECORDER = "recorder"
MAX_KEY_FILE = 64 * 1024


class LockedKey(UserError):
    """The key is protected by a passphrase, and none or a wrong one was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A key as a list shows it; `public` is empty where only the passphrase opens it, `problem` says why it is unusable."""

    name: str
    public: str = ""
    locked: bool = False
    problem: str = ""


def folder() -> Path:
    """`$XDG_CONFIG_HOME/backcheck/keys`, or `~/.config/backcheck/keys`; a relative XDG_CONFIG_HOME does not count."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    base = configured if os.path.isabs(configured) else os.path.join(os.path.expanduser("~"), ".config")
    return Path(base) / "backcheck" / "keys"


def new_key(name: str, passphrase: str = "") -> str:
    """Make a key and return its public text. Errors: UserError for a bad name, a key that is there, a folder others can use."""
    path = _path(name)
    key = Ed25519PrivateKey.generate()
    lock: KeySerializationEncryption = NoEncryption()
    if passphrase:
        lock = BestAvailableEncryption(passphrase.encode("utf-8"))
    data = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _check_folder(path.parent)
        _write(path, data)
    except FileExistsError:
        raise UserError(
            f"there is a key `{name}` already; it is never replaced", where=str(path), slug="keys"
        ) from None
    except OSError as error:
        raise UserError(f"the key cannot be written: {error.strerror}", where=str(path), slug="keys") from None
    return public_text(key)


def load_key(name: str, passphrase: str = "") -> Ed25519PrivateKey:
    """The private key. Errors: UserError where it is missing, damaged or open to others; LockedKey for the passphrase."""
    path = _path(name)
    if not os.path.lexists(path):
        raise UserError(
            f"there is no key `{name}`; `backcheck keys new {name}` makes one", where=str(path), slug="keys"
        )
    _check_folder(path.parent)
    _check_private(path)
    try:
        data = read_whole(str(path), limit=MAX_KEY_FILE)
    except Unreadable as problem:
        raise UserError(f"the key {problem}", where=str(path), slug="keys") from None
    return _parse(data, passphrase, path)


def list_keys() -> list[Listed]:
    """The keys of this user, by name; one that cannot be used is listed with the reason."""
    try:
        names = sorted(path.name.removesuffix(SUFFIX) for path in folder().iterdir() if path.name.endswith(SUFFIX))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise UserError(f"the keys cannot be listed: {error.strerror}", where=str(folder()), slug="keys") from None
    return [_listed(name) for name in names if NAME.fullmatch(name)]


def _listed(name: str) -> Listed:
    try:
        return Listed(name=name, public=public_text(load_key(name)))
    except LockedKey:
        return Listed(name=name, locked=True)
    except UserError as error:
        return Listed(name=name, problem=error.message)


def _path(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} cannot name a key: letters, digits, `.`, `_` and `-`, up to 64", slug="keys")
    return folder() / f"{name}{SUFFIX}"


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _check_folder(path: Path) -> None:
    state = os.stat(path)
    if not stat.S_ISDIR(state.st_mode):
        raise UserError("the folder of the keys is no folder", where=str(path), slug="keys")
    if state.st_mode & 0o077 or state.st_uid != os.geteuid():
        raise UserError("others can reach the folder of the keys; `chmod 700` it", where=str(path), slug="keys-open")


def _check_private(path: Path) -> None:
    state = os.lstat(path)
    if stat.S_ISREG(state.st_mode) and (state.st_mode & 0o077 or state.st_uid != os.geteuid()):
        raise UserError("others can read this key, so it proves nothing; make a new one", where=str(path),
                        slug="keys-open")  # fmt: skip


def _parse(data: bytes, passphrase: str, path: Path) -> Ed25519PrivateKey:
    locked = b"ENCRYPTED" in data[:100]
    if locked and not passphrase:
        raise LockedKey("the key needs its passphrase", where=str(path), slug="keys-locked")
    try:
        key = load_pem_private_key(data, passphrase.encode("utf-8") if locked else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if locked:
            raise LockedKey("the passphrase does not open the key", where=str(path), slug="keys-locked") from None
        raise UserError("this is no private key in PEM form", where=str(path), slug="keys") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError("this is no Ed25519 key", where=str(path), slug="keys")
    return key
