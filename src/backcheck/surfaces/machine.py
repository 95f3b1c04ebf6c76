"""What this machine has that backcheck uses, and what is missing."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata

from backcheck.evidence import git, sandbox


def machine_facts() -> dict[str, str]:
    """Name → version, or in words that it is missing."""
    return {
        "backcheck": metadata.version("backcheck"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "git": git.version().removeprefix("git version "),
        "bubblewrap": _isolation(),
        "imports": how_isolated(),
    }


def _isolation() -> str:
    """Whether observed runs are isolated; whoever sees bubblewrap found must not take other commands for isolated."""
    others = "all other commands run in the tree itself, with your rights"
    if sandbox.bubblewrap():
        return f"usable: it isolates observed runs; {others}"
    state = "found, but it cannot isolate here" if shutil.which("bwrap") else "not found"
    return f"{state}: observed runs have a clean copy and no isolation; {others}"


def how_isolated() -> str:
    """Whether Python could have read something of another place before backcheck started, in words."""
    if sys.flags.isolated:
        return "isolated (`python -I`)"
    if os.environ.get("PYTHONPATH") and not sys.flags.ignore_environment:
        return "PYTHONPATH is set, and Python reads it at its start: unset it, or use `python -I -m backcheck`"
    if "-m" in sys.orig_argv:
        return (
            "`python -m` looks into the current folder first: use the `backcheck` command or `python -I -m backcheck`"
        )
    return "from its own environment"
