"""`placeholder` over 20,000 added files, against `git grep` for the same words, in the same run."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.changetree import FILES, git, make
from bench.peers import BACKCHECK, load, median, peak_mib, timed

ROUNDS = 5
BAR = 3.0
CONTRACT = "version: 1\nrequirements:\n  - {id: leftovers, check: placeholder}\n"
NOTHING = "version: 1\nrequirements:\n  - {id: there, check: file-exists, with: {file: src/p0/m0/f0.ts}}\n"
MARKERS = r"(//|#|\*)\s*(TODO|FIXME|XXX|HACK)"
#: What the gate looks for, as far as one expression of git's can say it.
WORDS = (
    r"\b(todo|to-do|fixme|xxx|hack|tbd|wip)\b|not[ _-]?(yet[ _-])?implemented|unimplemented|NotImplemented|"
    r"lorem ipsum|for now|temporarily|hard-?coded|"
    r"placeholder|(dummy|mock|fake|stub)(bed|ed)? (value|data|implementation|response|result|code|logic)|"
    r"your[ _-][a-z]+[ _-]here|<your|change-?me|replace-?me|"
    r"(rest|remainder) of (the )?(code|implementation)|in (a|the) (real|actual|production)|(goes|go) here|"
    r"coming soon|to be (implemented|done|written)|"
    r"待实现|待完成|待补充|未实现|占位|暂时|写死|稍后|未実装|미구현|не реализован|pendiente de implementar|"
    r"nicht implementiert|à implémenter"
)


def main() -> bool:
    """Print the figures; whether the bar is met."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "tree"
        base, total = make(root, CONTRACT)
        ask = [*BACKCHECK, "check", "--no-cache", "--base", base]
        runs: dict[str, list[float]] = {"gate": [], "words": [], "markers": [], "nothing": []}
        for _ in range(ROUNDS + 1):
            seconds, code = timed(ask, root)
            if code != 0:
                raise SystemExit(f"exit code {code}: a clean change must pass")
            runs["gate"].append(seconds)
            runs["words"].append(timed(["git", "grep", "-nIiE", WORDS], root)[0])
            runs["markers"].append(timed(["git", "grep", "-nIE", MARKERS], root)[0])
        peaks = [peak_mib(ask, root), peak_mib(["git", "grep", "-nIiE", WORDS], root)]
        (root / ".backcheck/contract.yaml").write_text(NOTHING)
        git(root, "add", "-A")
        for _ in range(ROUNDS + 1):
            runs["nothing"].append(timed([*BACKCHECK, "check", "--no-cache"], root)[0])
    return _print(total, {name: values[1:] for name, values in runs.items()}, peaks)


def _print(total: int, runs: dict[str, list[float]], peaks: list[float]) -> bool:
    ratio = median([a / b for a, b in zip(runs["gate"], runs["words"], strict=True)])
    print(f"{FILES:,} files added, {total / 1e6:.0f} MB; medians of {ROUNDS}, {load()}")
    print(f"  backcheck check, placeholder  {median(runs['gate']):.2f} s, {peaks[0]:.0f} MiB, the whole command")
    print(f"  backcheck check, one file     {median(runs['nothing']):.2f} s (the same without the gate)")
    print(f"  git grep, the same words      {median(runs['words']):.2f} s, {peaks[1]:.0f} MiB")
    print(f"  git grep, four markers        {median(runs['markers']):.2f} s")
    print(f"  ratio to git grep             {ratio:.2f} (bar: at most {BAR:g})")
    own = median([(a - b) / c for a, b, c in zip(runs["gate"], runs["nothing"], runs["markers"], strict=True)])
    print(f"  the gate alone to four markers {own:.2f}")
    return ratio <= BAR


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
