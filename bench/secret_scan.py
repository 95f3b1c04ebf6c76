"""`secrets` over 20,000 added files, against the detectors that are installed here, in the same run.

Peers are looked for on the search path and in BACKCHECK_DETECTORS (folders, separated as in a search path): `betterleaks`,
`kingfisher`, `gitleaks`. They search the folder as it lies, offline, with their own rules.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.changetree import FILES, make
from bench.peers import BACKCHECK, load, median, peak_mib, timed

ROUNDS = 5
BAR = 2.0
CONTRACT = "version: 1\nrequirements:\n  - {id: secrets, check: secrets}\n"
PEERS = {
    "betterleaks": ["--no-color", "-l", "error"],
    "kingfisher": ["scan", "--no-validate", "--no-update-check", "--git-history=none", "-q"],
    "gitleaks": ["dir", "--no-banner", "-l", "error"],
}


def peers() -> dict[str, list[str]]:
    """Command lines of the detectors that are here."""
    places = os.pathsep.join([os.environ.get("BACKCHECK_DETECTORS", ""), os.environ.get("PATH", "")])
    found = {name: shutil.which(name, path=places) for name in PEERS}
    return {name: [path, *PEERS[name]] for name, path in found.items() if path}


def main() -> bool:
    """Print the figures; whether the bar is met."""
    commands = peers()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "tree"
        base, total = make(root, CONTRACT)
        ask = [*BACKCHECK, "check", "--no-cache", "--base", base]
        runs: dict[str, list[float]] = {"backcheck": [], **{name: [] for name in commands}}
        for _ in range(ROUNDS + 1):
            seconds, code = timed(ask, root)
            if code != 0:
                raise SystemExit(f"exit code {code}: a clean change must pass")
            runs["backcheck"].append(seconds)
            for name, command in commands.items():
                seconds, code = timed([*command, str(root / "src")], root)
                if code != 0:
                    raise SystemExit(f"{name} ended with {code} on a clean tree; take it out of BACKCHECK_DETECTORS")
                runs[name].append(seconds)
        peaks = {"backcheck": peak_mib(ask, root)}
        peaks |= {name: peak_mib([*command, str(root / "src")], root) for name, command in commands.items()}
    return _print(total, {name: values[1:] for name, values in runs.items()}, peaks)


def _print(total: int, runs: dict[str, list[float]], peaks: dict[str, float]) -> bool:
    print(f"{FILES:,} files added, {total / 1e6:.0f} MB; medians of {ROUNDS}, {load()}")
    for name, values in runs.items():
        what = "backcheck check, secrets" if name == "backcheck" else name
        print(f"  {what:<26} {median(values):.2f} s, {peaks[name]:.0f} MiB")
    print(f"  rules compiled anew        {_cold():.1f} s once for each environment, kept beside backcheck's byte code")
    others = [name for name in runs if name != "backcheck"]
    if not others:
        print("  no other detector is here: name their folders in BACKCHECK_DETECTORS; no ratio")
        return False
    fastest = min(others, key=lambda name: median(runs[name]))
    ratio = median([a / b for a, b in zip(runs["backcheck"], runs[fastest], strict=True)])
    print(f"  ratio to {fastest:<17} {ratio:.2f} (bar: at most {BAR:g})")
    return ratio <= BAR


def _cold() -> float:
    code = (
        "import time, kingfisher_sdk as k\nt = time.perf_counter()\nk.Rules(confidence='medium', cache=False)\n"
        "print(time.perf_counter() - t)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
