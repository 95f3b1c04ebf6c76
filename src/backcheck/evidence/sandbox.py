"""Where an observed run happens: behind bubblewrap where it works, else in the open, which is said.

Behind it a command sees the system read-only, the copy of the tree and a private temporary folder and home to write to, no
network unless allowed, no other process, and only the variables that it is given.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Where the copy lies inside: the same for every run, since environments remember where they were made.
INSIDE = "/tmp/backcheck/tree"  # noqa: S108 - a place inside the sandbox's own temporary folder
HOME = "/tmp/backcheck/home"  # noqa: S108
_PROBE_SECONDS = 10
#: Folders that hold what people keep private; each is empty inside, but for what PATH needs of it.
_PRIVATE = ("/home", "/root", "/Users", "/var/tmp", "/run/user", "/run/secrets", "/mnt", "/media")  # noqa: S108


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One run's surroundings: `copy` is the tree's copy on disk; `readable` are further folders it may read, each as
    (where it lies, where it is seen)."""

    copy: str
    network: bool = False
    readable: Sequence[tuple[str, str]] = ()
    hidden: Sequence[str] = ()


@functools.cache
def bubblewrap() -> str:
    """The program that isolates, or empty text where it is missing or may not make namespaces here."""
    program = shutil.which("bwrap") or ""
    if not program:
        return ""
    call = [program, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "--", "/bin/sh", "-c", "exit 0"]
    try:
        done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return program if done.returncode == 0 else ""


def inside(
    box: Box, argv: Sequence[str], folder: str, environment: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The call that runs `argv` isolated in `folder` of the copy, and the variables of the call.

    Only where bubblewrap() is not empty.
    """
    needed = [place for place in _needed(environment, argv[0]) if not _uncovers(place, box.hidden)]
    call = [bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"]
    if box.network:
        call.append("--share-net")
    call += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]  # noqa: S108
    for private in dict.fromkeys([*_PRIVATE, *box.hidden]):
        if os.path.isdir(private):
            call += ["--tmpfs", private]
    for place in needed:
        call += ["--ro-bind", place, place]
    call += ["--dir", HOME, "--bind", box.copy, INSIDE]
    for source, seen in box.readable:
        call += ["--ro-bind", source, seen]
    variables = dict(environment) | {"HOME": HOME, "TMPDIR": "/tmp", "PWD": os.path.join(INSIDE, folder)}  # noqa: S108
    call += ["--chdir", os.path.join(INSIDE, folder), "--", *argv]
    return call, variables


def _needed(environment: Mapping[str, str], program: str) -> list[str]:
    """Folders below hidden ones that the program, those of PATH and the virtual environment live in, outermost only."""
    names = [entry for entry in environment.get("PATH", "").split(os.pathsep) if os.path.isabs(entry)]
    names += [environment[name] for name in ("VIRTUAL_ENV", "PYENV_ROOT", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "JAVA_HOME")
              if os.path.isabs(environment.get(name, ""))]  # fmt: skip
    if os.path.isabs(program):
        names.append(os.path.dirname(program))
    found: set[str] = set()
    for name in names:
        # A program's libraries lie beside its folder (…/bin and …/lib); a virtual environment's are those of its home.
        root = os.path.dirname(name) if os.path.basename(name) in ("bin", "shims") else name
        for place in (root, os.path.realpath(root), *_home_of(root)):
            if os.path.isdir(place) and place.startswith(tuple(f"{private}/" for private in (*_PRIVATE, "/tmp"))):  # noqa: S108
                found.add(place)
    return [place for place in sorted(found) if not any(place.startswith(f"{other}/") for other in found)]


def _uncovers(place: str, hidden: Sequence[str]) -> bool:
    """Whether showing a folder would show one that must not be seen."""
    return any(os.path.join(folder, "").startswith(os.path.join(place, "")) for folder in map(os.path.realpath, hidden))


def _home_of(environment: str) -> list[str]:
    """Where the interpreter of a Python virtual environment was installed."""
    try:
        with open(os.path.join(environment, "pyvenv.cfg"), encoding="utf-8") as file:
            said = dict(line.split(" = ", 1) for line in file.read(65536).splitlines() if " = " in line)
    except (OSError, ValueError):
        return []
    home = os.path.dirname(said.get("home", "").strip())
    return [home, os.path.realpath(home)] if os.path.isabs(home) else []
