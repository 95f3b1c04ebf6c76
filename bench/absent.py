"""`absent` over 20,000 and 100,000 files: first and second run, against skillgate and `git grep`, in the same run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.peers import BACKCHECK, load, median, peak_mib, peer, timed

PATTERN = r"(//|#)\s*(TODO|FIXME)"
CONTRACT = f"gates:\n  - {{id: todos, type: absent, glob: 'src/**/*.{{ts,js}}', pattern: '{PATTERN}'}}\n"
ROUNDS = 3


def make_tree(root: Path, count: int, size: int) -> int:
    """A repository of `count` files of about `size` bytes; the sum of bytes."""
    words = random.Random(1)
    text = " ".join(f"w{words.getrandbits(24):x}" + ("\n" if words.random() < 0.12 else "") for _ in range(400_000))
    total = 0
    for number in range(count):
        folder = root / f"src/p{number // 1000}/m{number // 50 % 20}"
        if number % 50 == 0:
            folder.mkdir(parents=True, exist_ok=True)
        start = words.randrange(len(text) - 3 * size)
        body = text[start : start + int(size * words.uniform(0.3, 1.7))]
        total += len(body)
        (folder / f"f{number}.ts").write_text(body)
    (root / ".skillgate").mkdir()
    (root / ".skillgate/done.yaml").write_text(CONTRACT)
    git = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "tree"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True, env={**os.environ, **git})
    return total


def measure(count: int, size: int) -> bool:
    """Print one size's figures; whether every bar is met."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root, cache = Path(folder) / "tree", Path(folder) / "cache"
        root.mkdir()
        total = make_tree(root, count, size)
        time.sleep(2.5)  # Files younger than the clock's grain are not remembered.
        env = {"XDG_CACHE_HOME": str(cache)}
        other = peer()
        runs: dict[str, list[float]] = {"first": [], "second": [], "grep": [], "skillgate": []}
        for _ in range(ROUNDS + 1):
            subprocess.run(["rm", "-rf", str(cache)], check=True)
            runs["first"].append(_good(timed([*BACKCHECK, "check"], root, env)))
            runs["second"].append(_good(timed([*BACKCHECK, "check"], root, env)))
            runs["grep"].append(timed(["git", "grep", "-cE", PATTERN], root)[0])
            if other:
                runs["skillgate"].append(_good(timed([*other, "check"], root)))
        peaks = [peak_mib([*BACKCHECK, "check", "--no-cache"], root)]
        peaks += [peak_mib([*other, "check"], root)] if other else []
    return _print(count, total, {name: values[1:] for name, values in runs.items()}, peaks)


def _good(run: tuple[float, int]) -> float:
    if run[1] != 0:
        raise SystemExit(f"exit code {run[1]}: a clean tree must pass")
    return run[0]


def _print(count: int, total: int, runs: dict[str, list[float]], peaks: list[float]) -> bool:
    first = median(runs["first"])
    print(f"\n{count:,} files, {total / 1e6:.0f} MB; medians of {ROUNDS}, {load()}")
    print(f"  backcheck, first run   {first:.2f} s, {peaks[0]:.0f} MiB")
    print(f"  backcheck, second run  {median(runs['second']):.2f} s")
    print(f"  git grep               {median(runs['grep']):.2f} s")
    second = median([b / a for a, b in zip(runs["first"], runs["second"], strict=True)])
    grep = median([a / b for a, b in zip(runs["first"], runs["grep"], strict=True)])
    print(f"  ratio second / first   {second:.2f} (bar: at most 0.25, local only)")
    print(f"  ratio first / git grep {grep:.2f}" + (" (bar: at most 3)" if count >= 100_000 else ""))
    met = second <= 0.25 and (grep <= 3 or count < 100_000)
    if not runs["skillgate"]:
        print("  skillgate              not run: BACKCHECK_SKILLGATE names no cli.js (or node is missing)")
        return met
    ratio = median([a / b for a, b in zip(runs["first"], runs["skillgate"], strict=True)])
    print(f"  skillgate              {median(runs['skillgate']):.2f} s, {peaks[1]:.0f} MiB")
    print(f"  ratio first / skillgate {ratio:.2f} (bar: below 1)")
    return met and ratio < 1


if __name__ == "__main__":
    results = [measure(20_000, 1700), measure(100_000, 3950)]
    sys.exit(0 if all(results) else 1)
