"""Build one row's tree, ask the real command line about it, and say what is not as expected."""

import ctypes
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from tests.conformance.rows import EXIT_OF, MARK, OUTSIDE, HardLink, Link, Node, Row, Special

LIMIT = 20.0
"""Seconds that a row in a process of its own may take."""
SLOW_LIMIT = 120.0
_CAPABILITIES_TO_READ_ANYTHING = (1, 2)
_DROP_FROM_BOUNDS = 24
_marks = itertools.count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the command line said about a row; `exit_code` is None where it never ended."""

    exit_code: int | None
    stdout: str
    stderr: str
    left: tuple[str, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The JSON verdict, empty where there is none."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def run_row(row: Row, base: Path, *, in_process: bool = True) -> Outcome:
    """Build the row below `base` (an empty folder) and ask; a row that may hang gets a process of its own."""
    mark = f"{os.getpid()}{next(_marks):04d}"
    root = build(row, base, mark)
    folder = root / row.folder
    env = {
        "HOME": str(base),
        **{f"XDG_{kind}_HOME": str(base / kind) for kind in ("CACHE", "STATE", "DATA", "CONFIG")},
    }
    env |= row.env
    args = ["check", *row.args]
    if row.own_process or row.plain_user or not in_process:
        return _own_process(row, args, folder, env, mark)
    return _in_process(args, folder, env, mark)


def build(row: Row, base: Path, mark: str = "0") -> Path:
    """Write the row's tree, contract and the folder outside; returns the tree's root."""
    root, outside = base / "tree", base / "outside"
    root.mkdir()
    outside.mkdir()
    for name, text in {
        "other.txt": "other text\n",
        "hostname": "box\n",
        "a.js": "const a = 'SECRET';\n",
    }.items():
        (outside / name).write_text(text)
    if row.git:
        git = ["git", "-c", "init.defaultBranch=main", "init", "--quiet", str(root)]
        subprocess.run(git, check=True, env=os.environ | {"GIT_CONFIG_GLOBAL": os.devnull})
    if row.contract is not None:
        contract = row.contract.replace(OUTSIDE.encode(), str(outside).encode())
        _write(root, row.at, contract.replace(MARK.encode(), mark.encode()), outside)
    for name, node in row.tree.items():
        _write(root, name, node, outside)
    for name, node in row.tree.items():
        if isinstance(node, Special) and node.mode is not None:
            (root / name).chmod(node.mode)
    return root


def _write(root: Path, name: str, node: Node, outside: Path) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(node, str | bytes):
        path.write_bytes(node.encode() if isinstance(node, str) else node)
    elif isinstance(node, Link):
        path.symlink_to(node.to.replace(OUTSIDE, str(outside)))
    elif isinstance(node, HardLink):
        path.hardlink_to(root / node.to)
    elif node.kind == "folder":
        path.mkdir(exist_ok=True)
    elif node.kind == "pipe":
        os.mkfifo(path)
    else:
        _write_special(path, node)


def _write_special(path: Path, node: Special) -> None:
    with path.open("wb") as file:
        file.write(node.start)
        if node.size is not None:
            file.truncate(node.size)
            file.seek(node.size - len(node.end))
            file.write(node.end)
    if node.age:
        then = time.time() - node.age
        os.utime(path, (then, then))


def _in_process(args: list[str], folder: Path, env: Mapping[str, str], mark: str) -> Outcome:
    from click.testing import CliRunner

    from backcheck.surfaces.cli.main import run

    before = Path.cwd()
    os.chdir(folder)
    try:
        # `run` holds the error boundary; `CliRunner.invoke` would ask the command behind it.
        with CliRunner().isolation(env=env) as streams:
            code = run(args)
            out, err = (stream.getvalue().decode("utf-8", "replace") for stream in streams[:2])
    finally:
        os.chdir(before)
    return Outcome(exit_code=code, stdout=out, stderr=err, left=left_running(mark))


def _own_process(row: Row, args: list[str], folder: Path, env: Mapping[str, str], mark: str) -> Outcome:
    # A session of its own, so that a run that hangs is ended with all it started.
    process = subprocess.Popen(
        [sys.executable, "-m", "backcheck", *args],
        cwd=folder,
        env=os.environ | env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_read_like_anybody if row.plain_user and os.geteuid() == 0 else None,
    )
    try:
        out, err = process.communicate(timeout=SLOW_LIMIT if row.slow else LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Outcome(exit_code=None, stdout=out.decode(), stderr=err.decode(), left=left_running(mark))
    said = [stream.decode("utf-8", "replace") for stream in (out, err)]
    return Outcome(exit_code=process.returncode, stdout=said[0], stderr=said[1], left=left_running(mark))


def _read_like_anybody() -> None:
    """Before exec: root without the right to read what its own mode bits forbid (Linux)."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in _CAPABILITIES_TO_READ_ANYTHING:
        if libc.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "cannot drop a capability")


def left_running(mark: str) -> tuple[str, ...]:
    """Command lines of processes that bear the mark and still live; they are ended here."""
    found = [p for p in psutil.process_iter(["cmdline"]) if any(mark in part for part in p.info["cmdline"] or ())]
    _, alive = psutil.wait_procs(found, timeout=1)
    lines = []
    for process in alive:
        lines.append(" ".join(process.info["cmdline"]))
        process.kill()
    return tuple(lines)


def problems(row: Row, outcome: Outcome) -> list[str]:
    """Everything about the outcome that is not as the row expects; empty where all is."""
    if outcome.exit_code is None:
        return ["no answer in time"]
    found: list[str] = []
    if outcome.exit_code != EXIT_OF[row.ours]:
        found.append(f"exit code {outcome.exit_code}, expected {EXIT_OF[row.ours]} ({row.ours})")
    elif row.ours == "exit 2":
        found += _wrong_call_problems(outcome)
    elif "--json" in row.args:
        found += _verdict_problems(row, outcome.document)
    everything = outcome.stdout + outcome.stderr
    if row.says and row.says not in everything:
        found.append(f"does not say {row.says!r}")
    found += [f"says {text!r}" for text in row.never_says if text in everything]
    if row.no_process_left:
        found += [f"left running: {line}" for line in outcome.left]
    return found


def _wrong_call_problems(outcome: Outcome) -> list[str]:
    found = []
    if outcome.stdout:
        found.append("a wrong contract or call prints a verdict")
    if not outcome.stderr.startswith("backcheck: ") or outcome.stderr.count("\n") != 1:
        found.append(f"stderr is not one line that starts with the tool's name: {outcome.stderr[:200]!r}")
    return found


def _verdict_problems(row: Row, document: dict[str, Any]) -> list[str]:
    found = []
    if document.get("verdict") != row.ours:
        found.append(f"verdict {document.get('verdict')!r}, expected {row.ours!r}")
    if row.ours == row.peer:
        said = {finding["requirement"]: finding["status"] for finding in document.get("findings", [])}
        for gate, status in row.peer_gates.items():
            ours = said.get(gate) if gate else next(iter(said.values()), None)
            if ours != status:
                found.append(f"gate {gate!r} is {ours!r}, expected {status!r}")
    return found
