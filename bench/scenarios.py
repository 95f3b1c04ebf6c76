"""The 19 published pieces of work: recorded verdicts, their replay, and our gates on our own wording of them.

    BACKCHECK_DATA=folder python bench/scenarios.py

BACKCHECK_DATA names the folder that holds published-votes.json; without it the published part does not run
and says so. Exit code 1 where the replay differs from the record or one of our gates gave no verdict, 2 where
BACKCHECK_DATA leads nowhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backcheck.experiments import channel_b, published
from backcheck.experiments.fixtures.build import write_content, write_presence
from backcheck.experiments.fixtures.scenarios import Scenario, load_scenarios, requirement_ids
from backcheck.experiments.scoring import Rate, Score, score, score_requirements
from backcheck.verdict import EXIT_CODES, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

TIMEOUT = 120
ANSWERS = {"pass": True, "fail": False}
LETTERS = {True: "T", False: "F", None: "?"}
TRUTH = {True: "done", False: "not done"}
ABSENT = "-"
FIRST, NARROW, WIDE, COLUMNS = 20, 18, 25, 4
RATES: dict[str, Callable[[Score], Rate]] = {
    "right": lambda counted: counted.accuracy,
    "not done, rejected": lambda counted: counted.detection,
    "not done, accepted": lambda counted: counted.false_accepts,
    "done, rejected": lambda counted: counted.false_rejects,
    "left to a person": lambda counted: counted.abstained,
}
LABELS: dict[str, Callable[[Scenario], tuple[bool, ...]]] = {
    "as labelled": lambda scenario: scenario.met,
    "corrected": lambda scenario: scenario.really_met,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """What `backcheck check` said: the verdict, and by requirement True, False or None for no answer."""

    outcome: Outcome
    answers: Mapping[str, bool | None]


def check(folder: Path) -> Ours:
    """Ask the command line about one workspace; RuntimeError where it gives no verdict."""
    command = [sys.executable, "-m", "backcheck", "check", "--json", "-C", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if run.returncode not in EXIT_CODES.values():
        raise RuntimeError(f"{folder.name}: exit {run.returncode}: {run.stderr.strip()}")
    report = json.loads(run.stdout)
    outcome = Outcome(report["verdict"])
    if EXIT_CODES[outcome] != run.returncode:
        raise RuntimeError(f"{folder.name}: verdict {outcome} with exit {run.returncode}")
    answers = {item["requirement"]: ANSWERS.get(item["status"]) for item in report["findings"]}
    return Ours(outcome=outcome, answers=answers)


def run_ours(scenarios: Sequence[Scenario], write: Callable[[Scenario, Path], None], root: Path) -> dict[str, Ours]:
    """Write every scenario below `root` and check it; by label."""
    folders = {scenario.label: root / scenario.label for scenario in scenarios}
    for scenario in scenarios:
        write(scenario, folders[scenario.label])
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return dict(zip(folders, pool.map(check, folders.values()), strict=True))


def cells(answers: Iterable[bool | None]) -> str:
    return "".join(LETTERS[answer] for answer in answers)


def own_answers(scenario: Scenario, ours: Ours) -> tuple[bool | None, ...]:
    return tuple(ours.answers.get(name) for name in requirement_ids(scenario.contract))


def line(width: int, *columns: object) -> None:
    first, *others = (str(column) for column in columns)
    print((f"{first:<{FIRST}}" + "".join(f"{column:<{width}}" for column in others)).rstrip())


def sums(scores: Mapping[str, Score]) -> None:
    """One column an arm, one line a rate, at most four arms beside each other."""
    names = list(scores)
    for start in range(0, len(names), COLUMNS):
        chunk = names[start : start + COLUMNS]
        print()
        line(WIDE, "", *chunk)
        for title, rate in RATES.items():
            line(WIDE, title, *(rate(scores[name]).text() for name in chunk))


def print_presence(scenarios: Sequence[Scenario], ours: Mapping[str, Ours], record: published.Published | None) -> None:
    print("\n1. Does the evidence exist? (channel B; ours: one `evidence` gate a required file)\n")
    recorded = {work.label: work for work in record.channels} if record else {}
    line(NARROW, "", "truth", "published B", "replayed B", "ours")
    for scenario in scenarios:
        work = recorded.get(scenario.label)
        line(
            NARROW,
            scenario.label,
            TRUTH[scenario.compliant],
            work.recorded_b if work else ABSENT,
            channel_b.by_files(work) if work else ABSENT,
            ours[scenario.label].outcome,
        )
    arms = {}
    if record:
        arms["published B"] = score((work.compliant, work.recorded_b) for work in record.channels)
        arms["replayed B"] = score((work.compliant, channel_b.by_files(work)) for work in record.channels)
    arms["ours"] = score((scenario.compliant, ours[scenario.label].outcome) for scenario in scenarios)
    sums(arms)


def print_content(
    scenarios: Sequence[Scenario],
    ours: Mapping[str, Ours],
    files_only: Mapping[str, Ours],
    record: published.Published | None,
) -> None:
    print("\n2. Does each requirement's pattern match? (C1; ours: one `file-contains` gate a requirement)")
    print("   T met, F not met, ? no answer; files only: our `evidence` gates on these folders\n")
    recorded = {work.label: work for work in record.contracted} if record else {}
    line(NARROW, "", "truth", "published C1", "replayed C1", "ours", "ours, files only")
    for scenario in scenarios:
        work, own = recorded.get(scenario.label), ours[scenario.label]
        line(
            NARROW,
            scenario.label,
            TRUTH[scenario.compliant],
            work.recorded_c1 if work else ABSENT,
            f"{channel_b.by_answers(work.c1)} {cells(work.c1)}" if work else ABSENT,
            f"{own.outcome} {cells(own_answers(scenario, own))}",
            files_only[scenario.label].outcome,
        )
    arms = {}
    if record:
        arms["published C1"] = score((work.compliant, work.recorded_c1) for work in record.contracted)
        arms["replayed C1"] = score((work.compliant, channel_b.by_answers(work.c1)) for work in record.contracted)
    arms["ours"] = score((scenario.compliant, ours[scenario.label].outcome) for scenario in scenarios)
    arms["ours, files only"] = score((item.compliant, files_only[item.label].outcome) for item in scenarios)
    sums(arms)


def print_items(scenarios: Sequence[Scenario], ours: Mapping[str, Ours], record: published.Published | None) -> None:
    print("\n3. Requirement by requirement, with the source's labels and with its two doubtful ones put right")
    arms = {}
    for name, labels in LABELS.items():
        if record:
            met = {scenario.label: labels(scenario) for scenario in scenarios}
            arms[f"C1, {name}"] = channel_b.figures(record, met).scores["C1 items"]
        arms[f"ours, {name}"] = score_requirements(
            pair
            for scenario in scenarios
            for pair in zip(labels(scenario), own_answers(scenario, ours[scenario.label]), strict=True)
        )
    sums(arms)


def print_record(record: published.Published, scenarios: Sequence[Scenario]) -> int:
    """Every arm of the record; 1 where a recorded verdict was not reproduced."""
    print("\n4. Every arm of the record, replayed (A, C0: a model's majority, A with agreement of 80 % or a person;")
    print("   B: files exist; C1: a pattern a requirement; C2: a model call a requirement; items: by requirement)")
    result = channel_b.figures(record, {scenario.label: scenario.met for scenario in scenarios})
    sums(result.scores)
    print(f"\nrecorded verdicts reproduced: {result.replayed.k} of {result.replayed.n}")
    different = channel_b.differences(record)
    for difference in different:
        print(f"DIFFERENT {difference}")
    return 1 if different else 0


def read_record() -> published.Published | None:
    """The published votes, or None without BACKCHECK_DATA; OSError or ValueError where it is no good."""
    folder = os.environ.get("BACKCHECK_DATA")
    if not folder:
        print("BACKCHECK_DATA is not set: the published part did not run; only our own fixtures follow.")
        return None
    record = published.load(Path(folder) / "published-votes.json")
    print(f"Published record: {record.model}, {record.date}; figures only.")
    return record


def main() -> int:
    try:
        record = read_record()
    except (OSError, ValueError) as error:
        print(f"BACKCHECK_DATA does not lead to published votes: {error}", file=sys.stderr)
        return 2
    first, second = load_scenarios(1), load_scenarios(2)
    with tempfile.TemporaryDirectory(prefix="backcheck-scenarios-") as folder:
        root = Path(folder)
        try:
            presence = run_ours(first, write_presence, root / "presence1")
            files_only = run_ours(second, write_presence, root / "presence2")
            content = run_ours(second, write_content, root / "content")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"one of our gates gave no verdict: {error}", file=sys.stderr)
            return 1
    print("Every rate stands with its 95 % Wilson interval in per cent.")
    print_presence(first, presence, record)
    print_content(second, content, files_only, record)
    print_items(second, content, record)
    return print_record(record, second) if record else 0


if __name__ == "__main__":
    sys.exit(main())
