"""Hostile test reports through the gate `tests`, counted by answer. Run as `python -m bench.hostile_results`."""

from __future__ import annotations

import time
from collections import Counter

from tests.hostile.bad_results import bad_results

from backcheck.testing import ask, tree_of


def main() -> None:
    """Print the counts."""
    answers: Counter[str] = Counter()
    slowest, faults = 0.0, 0
    for _, data in bad_results():
        started = time.perf_counter()
        try:
            with tree_of({"r": data}) as root:
                answers[ask("tests", {"report": "r"}, root).status.value] += 1
        except Exception as error:  # noqa: BLE001 - a fault is what is counted here
            faults += 1
            print(f"fault: {type(error).__name__}: {error}")
        slowest = max(slowest, time.perf_counter() - started)
    told = ", ".join(f"{word} {count}" for word, count in sorted(answers.items()))
    total = sum(answers.values()) + faults
    print(f"{total} hostile test reports: {told}; pass {answers['pass']}, faults {faults}; slowest {slowest:.2f} s")
    print("bar: at least 200, never a pass, never a crash")


if __name__ == "__main__":
    main()
