"""What this machine has that backcheck uses, and what is missing."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import metadata

from backcheck.evidence import git


def machine_facts() -> dict[str, str]:
    """Name → version, or in words that it is missing."""
    bubblewrap = shutil.which("bwrap")
    return {
        "backcheck": metadata.version("backcheck"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "git": git.version(),
        "bubblewrap": bubblewrap or "not installed: commands run without isolation",
        "isolated": "yes"
        if sys.flags.isolated
        else "no (start with `python -I -m backcheck` where the tree is not trusted)",
    }
