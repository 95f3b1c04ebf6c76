"""What the measurements share: a peer where BACKCHECK_SKILLGATE names its cli.js, and timing of whole processes."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

BACKCHECK = [sys.executable, "-m", "backcheck"]


def peer() -> list[str] | None:
    """The command line of skillgate, or None where it is not here."""
    script = os.environ.get("BACKCHECK_SKILLGATE")
    node = shutil.which("node")
    return [node, script] if script and node and Path(script).is_file() else None


def timed(command: Sequence[str], folder: Path, env: dict[str, str] | None = None) -> tuple[float, int]:
    """Wall seconds and exit code of one run, output thrown away."""
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        env={**os.environ, **(env or {})},
    )  # fmt: skip
    return time.perf_counter() - started, done.returncode


def median(runs: Sequence[float]) -> float:
    """The middle run."""
    return statistics.median(runs)


def peak_mib(command: Sequence[str], folder: Path) -> float:
    """Peak resident memory of the largest process of one run, in MiB."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=folder, capture_output=True, text=True, check=True
    )
    scale = 1024 if sys.platform == "linux" else 1024 * 1024
    return int(done.stdout) / scale


def load() -> str:
    """How busy the machine is, for the reader of a figure."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}"
