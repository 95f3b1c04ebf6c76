"""No hostile input passes, hangs or brings a fault through: every input of the two batteries, counted by kind.

Run from the repository's root: `python -m bench.hostile`. Wrong contracts, calls and trees (tests/hostile), the same
contracts bent at random (`--mutations`, for each dialect and each way of bending; the same ones every time), and bent
repositories whose dirty place is judged (tests/evidence). Exit 1 where one of the last three numbers is not 0.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tests.evidence.hostile_repos import PLACES, Yard
from tests.evidence.hostile_traps import TRAPS
from tests.hostile import bad_arguments, bad_contracts, bad_places, mutations
from tests.hostile.bad_model import ask
from tests.hostile.runner import Outcome, Runner

SLOWEST = 8


@dataclass
class Tally:
    """What came back, by kind of input."""

    codes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    slowest: list[tuple[float, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    passes: list[str] = field(default_factory=list)
    programs: int = 0
    peak_kib: int = 0

    def add(self, kind: str, name: str, outcome: Outcome) -> None:
        """Count one answer."""
        label = f"{kind}: {name}"
        self.codes[kind][str(outcome.code) if outcome.code is not None else "none"] += 1
        self.slowest = sorted([*self.slowest, (outcome.seconds, label)], reverse=True)[:SLOWEST]
        self.peak_kib = max(self.peak_kib, outcome.peak_kib)
        if outcome.hung or outcome.died:
            self.hangs.append(label)
        elif outcome.traceback:
            self.faults.append(label)
        elif outcome.code == 0:
            self.passes.append(label)


def fixed(runner: Runner, folder: Path, tally: Tally) -> None:
    """The inputs written out one by one."""
    for number, bad in enumerate([*bad_contracts.fixed(), *bad_arguments.arguments(), *bad_places.places()]):
        tree = folder / str(number) / "tree"
        tree.mkdir(parents=True)
        tally.add(bad.kind.split(" of ")[0].split(" in ")[0], bad.name, ask(bad, tree, runner))
        bad_places.clear(tree.parent)


def bent(runner: Runner, folder: Path, tally: Tally, count: int) -> None:
    """Valid contracts bent at random, asked about an empty tree, on which none may pass."""
    (folder / "empty").mkdir()
    ways: dict[str, Callable[[str], st.SearchStrategy[Any]]] = {
        "edited": mutations.edited,
        "flipped": mutations.flipped,
        "revalued": lambda text: mutations.revalued(YAML(typ="safe", pure=True).load(text)),
    }
    for name, text in mutations.VALID.items():
        target = folder / "given" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        for way, strategy in ways.items():
            for number, made in enumerate(samples(strategy(text), count)):
                raw = made if isinstance(made, bytes | str) else json.dumps(made)
                target.write_bytes(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw)
                argv = ["check", str(target), "--json", "-C", str(folder / "empty")]
                tally.add(f"{way} at random", f"{name} {number}", runner.ask(argv))


def samples(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """The first examples of a strategy, the same ones every time."""
    found: list[Any] = []

    @settings(max_examples=count, database=None, derandomize=True, deadline=None)
    @given(strategy)
    def collect(made: Any) -> None:
        found.append(made)

    collect()
    return found


def repositories(runner: Runner, folder: Path, tally: Tally) -> None:
    """Every trap, with the work dirty in one place at a time; the dirty place is judged."""
    for trap in TRAPS:
        if trap.root_only:
            continue
        yard = Yard(folder / "repositories" / trap.name)
        trap.build(yard)
        env = trap.environment(yard)
        yard.marker.unlink(missing_ok=True)
        for place in PLACES:
            yard.dirty(place, trap)
            argv = ["check", "--json", "--tree", place, "--base", yard.base]
            tally.add("bent repository", f"{trap.name} {place}", runner.ask(argv, cwd=yard.root, env=env))
            yard.clean(place, trap)
        tally.programs += yard.marker.exists()


def table(tally: Tally) -> Iterator[str]:
    """Kinds × exit codes."""
    codes = sorted({code for row in tally.codes.values() for code in row})
    width = max(map(len, tally.codes))
    yield f"{'kind':<{width}}" + "".join(f"{f'exit {code}':>9}" for code in codes) + f"{'all':>9}"
    for kind, row in sorted(tally.codes.items()):
        yield f"{kind:<{width}}" + "".join(f"{row[code] or '':>9}" for code in codes) + f"{row.total():>9}"
    whole = sum(tally.codes.values(), Counter[str]())
    yield f"{'all':<{width}}" + "".join(f"{whole[code]:>9}" for code in codes) + f"{whole.total():>9}"


def main() -> int:
    """Run all of it and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=100, help="how many of each way and dialect (default 100)")
    options = parser.parse_args()
    tally, started = Tally(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="backcheck-hostile-") as name, Runner(Path(name)) as runner:
        fixed(runner, Path(name), tally)
        bent(runner, Path(name), tally, options.mutations)
        repositories(runner, Path(name), tally)
    print("\n".join(table(tally)))
    print("\nslowest")
    print("\n".join(f"  {seconds:6.2f} s  {ascii(label)[1:-1]}" for seconds, label in tally.slowest))
    print(f"\n{time.monotonic() - started:.0f} s in all; most memory of the process {tally.peak_kib / 1024:.0f} MiB")
    for title, found in (("faults", tally.faults), ("hangs and crashes", tally.hangs), ("PASS", tally.passes)):
        print(f"{title}: {len(found)}" + "".join(f"\n  {ascii(label)[1:-1]}" for label in found[:20]))
    print(f"programs of a repository that ran: {tally.programs}")
    return 1 if tally.faults or tally.hangs or tally.passes or tally.programs else 0


if __name__ == "__main__":
    sys.exit(main())
