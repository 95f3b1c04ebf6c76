"""Lay a case out and ask a tool about it, in a process that can be ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .compare import Outcome, our_outcome, peer_outcome
from .materialise import materialise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .cases.case_model import Case

PEER_LIMIT = 8.0  # seconds; what is slower counts as a hang
OUR_LIMIT = 40.0
# Root without its capabilities is stopped by a file's mode like everybody else.
_WITHOUT_POWERS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")


class Ran(NamedTuple):
    """One finished process; `code` is None where it was ended for being slow."""

    code: int | None
    stdout: str
    stderr: str


def can_be_asked(one: Case) -> bool:
    """Return whether this user can be stopped by a file's mode, where the case is about that."""
    return not one["unprivileged"] or os.geteuid() != 0 or shutil.which(_WITHOUT_POWERS[0]) is not None


def apart(folder: Path) -> dict[str, str]:
    """Return an environment in which a tool keeps what it remembers beside the case, not with the user."""
    names = ("CACHE", "STATE", "DATA", "CONFIG")
    return {f"XDG_{name}_HOME": str(folder.parent / name.lower()) for name in names}


def run(argv: list[str], folder: Path, limit: float, *, unprivileged: bool) -> Ran:
    """Run a tool with files, not pipes, behind its outputs, and end its whole group at the limit."""
    if unprivileged and os.geteuid() == 0:
        argv = [*_WITHOUT_POWERS, *argv]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=os.environ | apart(folder),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        return Ran(code, texts[0], texts[1])


@contextlib.contextmanager
def laid_out(one: Case) -> Iterator[Path]:
    """Yield a fresh folder that holds the case."""
    with tempfile.TemporaryDirectory(prefix="differential-") as name:
        folder = Path(name) / "repo"
        folder.mkdir()
        materialise(one, folder)
        yield folder


def ask_peer(cli: str, one: Case) -> Outcome:
    """Return what the peer, run through node, says about the case."""
    with laid_out(one) as folder:
        ran = run(["node", cli, "check", "--json"], folder, PEER_LIMIT, unprivileged=one["unprivileged"])
    if ran.code is None:
        return peer_outcome("hang", None)
    try:
        gates = [result["ok"] for result in json.loads(ran.stdout)["results"]]
    except ValueError:
        gates = None
    return peer_outcome(ran.code, gates)


def ask_ours(one: Case) -> Outcome:
    """Return what backcheck says about the case, from a process of its own."""
    with laid_out(one) as folder:
        argv = [sys.executable, "-m", "backcheck", "check", "--json", "-C", str(folder)]
        ran = run(argv, folder, OUR_LIMIT, unprivileged=one["unprivileged"])
    if ran.code is None:
        return Outcome(answer="HANG", text=f"no answer after {OUR_LIMIT:.0f} s")
    return our_outcome(ran.code, ran.stdout, ran.stderr)
