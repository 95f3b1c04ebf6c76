"""Write a case's tree and contract into a folder, and nothing outside it."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cases.case_model import Case, Entry

# One time for every file, so that no answer hangs on the order in which they were written.
_WHEN = 1_700_000_000


def materialise(one: Case, folder: Path) -> None:
    """Write the case below `folder`, which must exist and be empty.

    Raises ValueError for a path that would leave the folder, by `..` or through a link of the case's own.
    """
    links: list[tuple[Path, str]] = []
    for name, entry in one["tree"].items():
        value = {"text": entry} if isinstance(entry, str) else entry
        place = _below(folder, name)
        if "symlink" in value:
            links.append((place, value["symlink"]))
        else:
            _write(place, value)
    if one["contract_path"]:
        _write(_below(folder, one["contract_path"]), {"text": one["contract"]})
    # Last, so that nothing is ever written through a link.
    for place, target in links:
        if not place.parent.resolve().is_relative_to(folder.resolve()):
            msg = f"a link of the case leads {place.name!r} out of its folder"
            raise ValueError(msg)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
    if one["git"] != "none":
        _git(folder, commit=one["git"] == "commit")


def content(entry: Entry) -> bytes:
    """Return the bytes of a regular file's entry."""
    if isinstance(entry, str):
        return entry.encode()
    if "base64" in entry:
        return base64.b64decode(entry["base64"])
    return str(entry["text"]).encode()


def _below(folder: Path, name: str) -> Path:
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts:
        msg = f"a case must stay in its folder: {name!r}"
        raise ValueError(msg)
    return folder / pure


def _write(place: Path, value: dict[str, Any]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if "dir" in value:
        place.mkdir(exist_ok=True)
        return
    if "fifo" in value:
        os.mkfifo(place)
        return
    place.write_bytes(content(value))
    if "mode" in value:
        place.chmod(int(value["mode"], 8))
    when = value.get("mtime", _WHEN)
    os.utime(place, (when, when))


def _git(folder: Path, *, commit: bool) -> None:
    env = os.environ | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    steps = [["init", "-q", "-b", "main"]]
    if commit:
        steps += [["add", "-A"], ["commit", "-q", "-m", "start"]]
    for step in steps:
        subprocess.run(["git", *step], cwd=folder, env=env, check=True, capture_output=True)
