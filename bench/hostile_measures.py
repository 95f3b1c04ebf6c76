"""Hostile coverage, lint and value reports through their checks, counted by answer. `python -m bench.hostile_measures`."""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.hostile.bad_measures import CODE, bad_measures

from backcheck.testing import ask, tree_of


def main() -> int:
    """Print the counts; 0 where nothing passed and nothing broke."""
    answers: Counter[str] = Counter()
    slowest, faults = 0.0, 0
    for name, bad in bad_measures():
        started = time.perf_counter()
        try:
            with tree_of({**CODE, "r": bad.data}) as root:
                answers[ask(bad.check, {"report": "r", **bad.arguments}, root).status.value] += 1
        except Exception as error:  # noqa: BLE001 - a fault is what is counted here
            faults += 1
            print(f"fault: {name}: {type(error).__name__}: {error}")
        slowest = max(slowest, time.perf_counter() - started)
    told = ", ".join(f"{word} {count}" for word, count in sorted(answers.items()))
    total = sum(answers.values()) + faults
    print(f"{total} hostile reports: {told}; pass {answers['pass']}, faults {faults}; slowest {slowest:.2f} s")
    print("bar: at least 200, never a pass, never a crash")
    return 0 if total >= 200 and not answers["pass"] and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
