"""What a hook costs on a harmless command: time against a bare `python -I -c ''` and skillgate's check, and modules imported.

Run as `python -m bench.hook`; BACKCHECK_SKILLGATE names skillgate's cli.js, where it was built.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 25
EVENT = json.dumps(
    {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls -la src"}, "cwd": "."}
)
SPEC = "gates:\n  - type: file-exists\n    path: a.txt\n"


def seconds(command: list[str], folder: str, given: str = "") -> float:
    """One run."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, input=given.encode(), capture_output=True, check=False)
    return time.perf_counter() - started


def main() -> None:
    """Print ratios of medians, measured turn by turn."""
    program = str(Path(sys.executable).parent / "backcheck")
    peer, node = os.environ.get("BACKCHECK_SKILLGATE"), shutil.which("node")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_text("a")
        Path(folder, ".skillgate").mkdir()
        Path(folder, ".skillgate/done.yaml").write_text(SPEC)
        ours, bare, theirs = [], [], []
        for _ in range(ROUNDS):
            ours.append(seconds([program, "hook", "claude-code"], folder, EVENT))
            bare.append(seconds([sys.executable, "-I", "-c", ""], folder))
            if peer and node:
                theirs.append(seconds([node, peer, "check"], folder))
        done = subprocess.run([sys.executable, "-X", "importtime", program, "hook", "claude-code"], input=EVENT.encode(),
                              capture_output=True, check=False, cwd=folder)  # fmt: skip
        modules = sum(line.startswith(b"import time:") for line in done.stderr.splitlines()) - 1
    a, b = statistics.median(ours), statistics.median(bare)
    print(f"backcheck hook on a harmless command: {a * 1000:.0f} ms; python -I -c '': {b * 1000:.0f} ms")
    print(f"  ratio {a / b:.2f} (bar: at most 2.5); {modules} modules (bar: at most 70)")
    if theirs:
        c = statistics.median(theirs)
        print(f"  skillgate check: {c * 1000:.0f} ms; ratio {a / c:.2f} (bar: at most 0.25)")
    else:
        print("  skillgate: BACKCHECK_SKILLGATE or node is not there; not compared")


if __name__ == "__main__":
    main()
