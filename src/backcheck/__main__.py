"""`python -m backcheck` and the `backcheck` script."""

from __future__ import annotations

import atexit
import gc
import os
import sys

NO_VERDICT = 4


def run() -> None:
    """Leave with the command's exit code."""
    forget_paths_of_others()
    # Collecting while modules load costs a tenth of a short run and frees nothing.
    gc.disable()
    if sys.argv[1:2] == ["hook"]:
        _hook()
    try:
        from backcheck.surfaces.cli.main import leave
        from backcheck.surfaces.cli.main import run as run_cli
    except Exception as error:  # noqa: BLE001 - Python would end with 1 here, which is REJECT
        sys.stderr.write(f"backcheck: no verdict; it cannot be loaded: {type(error).__name__}: {error}\n")
        sys.exit(NO_VERDICT)
    gc.enable()
    code = run_cli()
    # Taking modules apart costs another tenth; where nobody asked to be told of the end, the process just ends.
    if getattr(atexit, "_ncallbacks", lambda: 1)() == 0:
        os._exit(leave(code))
    sys.exit(code)


def _hook() -> None:
    """A hook runs before every tool call of an agent: nothing of the command line is loaded for it."""
    try:
        from backcheck.surfaces.hooks.quick import run as run_hook
    except Exception as error:  # noqa: BLE001 - what cannot be checked is held back
        sys.stderr.write(f"backcheck: the hook cannot be loaded: {type(error).__name__}: {error}\n")
        os._exit(2)
    code = run_hook(sys.argv[2:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def forget_paths_of_others() -> None:
    """Import from backcheck's own environment alone: not from the current folder, nor from PYTHONPATH.

    Both may lie in the tree under judgement: `python -m` puts the one before everything else, a shell set up for that
    tree the other. What Python itself read before this line only `python -I` prevents.
    """
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    others = {""}
    named = [] if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "").split(os.pathsep)
    try:
        others |= {os.getcwd(), *(os.path.abspath(name) for name in named if name)}
    except OSError:
        # The current folder is gone; a relative name leads nowhere either.
        others |= {name for name in named if os.path.isabs(name)}
    sys.path[:] = [entry for entry in sys.path if entry == own or entry not in others]


if __name__ == "__main__":
    run()
