"""`python -m backcheck` and the `backcheck` script."""

from __future__ import annotations

import sys


def run() -> None:
    """Leave with the command's exit code."""
    from backcheck.surfaces.cli.main import run as run_cli

    sys.exit(run_cli())


if __name__ == "__main__":
    run()
