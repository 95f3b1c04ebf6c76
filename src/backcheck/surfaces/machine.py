"""What this machine has that backcheck uses, and what is missing."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata

from backcheck.evidence import git


def machine_facts() -> dict[str, str]:
    """Name → version, or in words that it is missing."""
    # Whoever sees it found must not take commands for isolated.
    bubblewrap = "found, not used yet" if shutil.which("bwrap") else "not found, not used yet"
    return {
        "backcheck": metadata.version("backcheck"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "git": git.version().removeprefix("git version "),
        "bubblewrap": f"{bubblewrap}: commands run in the tree itself, with your rights",
        "imports": how_isolated(),
    }


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
