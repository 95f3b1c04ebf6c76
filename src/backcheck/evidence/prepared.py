"""What a contract's `prepare` step makes in a clean copy (an environment, mostly), kept for later copies of the same lock.

Keyed by the step, the files that decide what it installs, and the program that runs it. What was kept is laid read-only
over a copy. A step that installs the project itself by copying it is keyed by the whole tree as well: the code that would
be tested must be the code that is judged.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

#: Files that decide what gets installed, in any folder.
DECIDING = (
    "uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "requirements*.txt", "constraints*.txt", "pyproject.toml", "setup.py",
    "setup.cfg", "environment*.yml", ".python-version", "package.json", "package-lock.json", "npm-shrinkwrap.json",
    "yarn.lock", "pnpm-lock.yaml", "bun.lock*", ".npmrc", "go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "Gemfile*",
    "composer.*", "pom.xml", "*.gradle*", "Makefile", "*.sh",
)  # fmt: skip
INDEX = "index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the step made: for each new path of the copy where it lies now."""

    places: Mapping[str, str]


def deciding_files(paths: Iterable[str]) -> list[str]:
    """Those of the tree's paths that decide what a prepare step installs, sorted."""
    return sorted(p for p in paths if any(fnmatchcase(p.rpartition("/")[2], name) for name in DECIDING))


def key_of(prepare: Sequence[str], program: str, files: Mapping[str, bytes], tree: str = "") -> str:
    """The key of a step; `files` are deciding_files with their bytes, `tree` the tree's digest where all of it counts."""
    digest = hashlib.sha256(json.dumps([list(prepare), program, tree], ensure_ascii=True).encode())
    for path in sorted(files):
        digest.update(f"\0{path}\0{hashlib.sha256(files[path]).hexdigest()}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:40]


def load(folder: Path, key: str) -> Kept | None:
    """What was kept under a key, or None."""
    place = folder / key
    try:
        listed = json.loads((place / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Kept(places={path: str(place / "data" / str(number)) for number, path in enumerate(listed)})


def new_paths(copy: str, known: Callable[[str], bool]) -> list[str]:
    """The outermost paths of a copy that the tree does not have; `known(path)` tells which it has."""
    found: list[str] = []
    stack = [""]
    while stack:
        folder = stack.pop()
        for entry in os.scandir(os.path.join(copy, folder)):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not known(path):
                found.append(path)
            elif entry.is_dir(follow_symlinks=False):
                stack.append(path)
    return sorted(found)


def copied_project(copy: str, paths: Iterable[str]) -> bool:
    """Whether an installed distribution is a copy of a local folder (PEP 610), and so of the code under judgement."""
    for path in paths:
        for record in Path(copy, path).rglob("*.dist-info/direct_url.json"):
            try:
                said = json.loads(record.read_text(encoding="utf-8"))
                local = str(said.get("url", "")).startswith("file:")
            except (OSError, ValueError, AttributeError):
                return True
            if local and not (said.get("dir_info") or {}).get("editable"):
                return True
    return False


def keep(folder: Path, key: str, copy: str, paths: Sequence[str]) -> Kept:
    """Move what the step made out of the copy and keep it under a key. Errors: OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    making = Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    try:
        (making / "data").mkdir()
        for number, path in enumerate(paths):
            shutil.move(os.path.join(copy, path), making / "data" / str(number))
        (making / INDEX).write_text(json.dumps(list(paths)), encoding="utf-8")
        try:
            making.rename(folder / key)
        except OSError:
            # Another process was quicker with the same key, or an older one is damaged: the new one takes its place.
            shutil.rmtree(folder / key, ignore_errors=True)
            making.rename(folder / key)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    kept = load(folder, key)
    if kept is None:
        raise OSError("what the prepare step made could not be kept")
    return kept
