"""What recording costs: `backcheck run -- true` on 5,000 files, beside in-toto-run and a floor that does the same steps bare.

Run as `python -m bench.run_cost`; BACKCHECK_IN_TOTO names an in-toto-run, where one is installed.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES, ROUNDS = 5000, 7
FLOOR = """
import hashlib, os, subprocess, sys
def tree():
    found = {}
    for parent, folders, names in os.walk("."):
        folders[:] = [f for f in folders if f != ".git"]
        for name in names:
            path = os.path.join(parent, name)
            found[path] = hashlib.sha256(open(path, "rb").read()).hexdigest()
    return found
before = tree(); subprocess.run(["true"]); after = tree()
open(".git/floor", "w").write(repr(sorted(after.items())))
"""


def seconds(command: list[str], folder: str) -> float:
    """One run; a failing one is no figure."""
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, capture_output=True, check=False, env={**os.environ, "XDG_CONFIG_HOME": f"{folder}/.git/c"}
    )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr.decode()[-300:]}")
    return time.perf_counter() - started


def main() -> None:
    """Print ratios of medians, measured turn by turn."""
    program, peer = str(Path(sys.executable).parent / "backcheck"), os.environ.get("BACKCHECK_IN_TOTO")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for number in range(FILES):
            path = Path(folder, f"src/p{number // 100}/f{number}.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {hashlib.sha256(str(number).encode()).hexdigest()}\n" * 20)
        ours, floor, theirs = [], [], []
        seconds([program, "run", "--", "true"], folder)
        key = Path(folder, ".git/key.pem")
        if peer:
            _key(key)
        for _ in range(ROUNDS):
            ours.append(seconds([program, "run", "--", "true"], folder))
            floor.append(seconds([sys.executable, "-I", "-c", FLOOR], folder))
            if peer:
                call = [
                    peer,
                    "-n",
                    "step",
                    "--signing-key",
                    str(key),
                    "-m",
                    "src",
                    "-p",
                    "src",
                    "-d",
                    ".git",
                    "--",
                    "true",
                ]
                theirs.append(seconds(call, folder))
    a, b = statistics.median(ours), statistics.median(floor)
    print(
        f"backcheck run -- true, {FILES:,} files: {a:.2f} s; bare floor {b:.2f} s, ratio {a / b:.2f} (bar: at most 1.5)"
    )
    if theirs:
        c = statistics.median(theirs)
        print(f"  in-toto-run with materials and products: {c:.2f} s, ratio {a / c:.2f} (bar: at most 1)")
    else:
        print("  in-toto-run: BACKCHECK_IN_TOTO is not set; not compared")


def _key(path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


if __name__ == "__main__":
    main()
