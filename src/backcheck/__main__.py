"""`python -m backcheck` and the `backcheck` script."""

from __future__ import annotations

import atexit
import gc
import os
import sys


def run() -> None:
    """Leave with the command's exit code."""
    # `python -m` puts the current folder, which may be the tree under judgement, before everything else.
    sys.path[:] = [entry for entry in sys.path if entry not in ("", os.getcwd())]
    # Collecting while modules load costs a tenth of a short run and frees nothing.
    gc.disable()
    from backcheck.surfaces.cli.main import leave
    from backcheck.surfaces.cli.main import run as run_cli

    gc.enable()
    code = run_cli()
    # Taking modules apart costs another tenth; where nobody asked to be told of the end, the process just ends.
    if getattr(atexit, "_ncallbacks", lambda: 1)() == 0:
        os._exit(leave(code))
    sys.exit(code)


if __name__ == "__main__":
    run()
