"""The 19 published pieces of work under our own contracts, with evidence in the formats that tools write; no model.

    python bench/own_contracts.py

One contract a task, written from what was asked; the evidence is made by one rule for all (`records.py`). Beside ours stand
what 19 peers answered on the same pieces of work (measured in November 2026, each in the strictest configuration that
fits): `A` accepted, `r` refused or left open. Exit code 1 where a bar is missed or a check gave no verdict.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from backcheck.experiments.fixtures.own import write_own
from backcheck.experiments.fixtures.scenarios import Scenario, load_scenarios
from backcheck.experiments.scoring import Rate, score
from backcheck.verdict import EXIT_CODES, Outcome

TIMEOUT = 120
#: Compliant pieces of work of which every requirement is structured must pass; at least so many are.
MIN_PASSED = 3
LETTERS = {Outcome.PASS: "P", Outcome.REJECT: "r", Outcome.UNCLEAR: "u"}
#: A peer's answers, first the twelve of phase 1, then the seven of phase 2, in the order of `order`.
PEERS: Mapping[str, tuple[str, str]] = {
    "skillgate": ("ArrArAArAArr", "rArArAr"), "doneproof": ("ArAArAArAArr", "rAAArAA"),
    "attested": ("ArrArAArAArr", "rArArAr"), "datumline": ("ArrArAArAArr", "rAAArAr"),
    "evidence_guard": ("ArrArAArAArr", "rAAArAA"), "evidence_gate": ("ArAArArrAArr", "rAAArAA"),
    "dunnit_native": ("ArAArAArAArr", "rAAArAA"), "dunnit": ("ArrArAArAArr", "rArArAr"),
    "countercheck": ("ArrArAArAArr", "rArArAr"), "barline": ("ArrArAArAArr", "rArArAr"),
    "agentharness": ("ArrArAArAArr", "rArArAr"), "aet": ("ArrArAArAArr", "rArArAr"),
    "agentvow": ("rrrArrrrrArr", "rrrrrrr"), "agentvow_zh": ("rrrrrrrrrrrr", "rrrrrrr"),
    "polygraph": ("ArArAAArArrA", "ArrArAr"), "polygraph_zh": ("ArAAAAAAAAAA", "AAAAAAA"),
    "custos": ("AAAArAArAAAA", "rAAAAAA"), "adversary": ("rrrrrrrrrrrr", "rrrrrrr"),
    "claimcheck": ("ArArAAAAAAAr", "AAArAAr"),
}  # fmt: skip

LIMIT = """\
All evidence here is written by somebody, so a report that is forged in full would be believed: a contract that must not
be deceived so asks for `provenance: observed` or `recorded`, which these pieces of work have no code for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """A verdict, and why it is no pass: each finding that is none, worst first."""

    outcome: Outcome
    reasons: tuple[str, ...]
    passed: int
    asked: int


def name_of(scenario: Scenario) -> str:
    return f"{scenario.phase}/{scenario.label}"


def order() -> list[Scenario]:
    """Phase 1 by label, then phase 2 as the peers' table has it."""
    second = {scenario.label: scenario for scenario in load_scenarios(2)}
    return [*load_scenarios(1), *(second[x] for x in ("SC05", "SC10a", "SC10b", "SC10c", "SC11", "SC13", "SC14"))]


def check(folder: Path) -> Ours:
    """Ask the command line about one workspace; RuntimeError where it gives no verdict."""
    command = [sys.executable, "-m", "backcheck", "check", "--json", "-C", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if run.returncode not in EXIT_CODES.values():
        raise RuntimeError(f"{folder.name}: exit {run.returncode}: {run.stderr.strip()}")
    report = json.loads(run.stdout)
    worst = {"fail": 0, "error": 1, "unclear": 2, "not-applicable": 3}
    bad = sorted((f for f in report["findings"] if f["status"] != "pass"), key=lambda f: worst[f["status"]])
    return Ours(
        outcome=Outcome(report["verdict"]),
        reasons=tuple(f"{f['requirement']} {f['status']}: {f['reason']}" for f in bad),
        passed=len(report["findings"]) - len(bad),
        asked=len(report["findings"]),
    )


def run_all(scenarios: Sequence[Scenario]) -> dict[str, Ours]:
    with tempfile.TemporaryDirectory(prefix="backcheck-own-") as root:
        folders = [Path(root) / name_of(scenario).replace("/", "-") for scenario in scenarios]
        for scenario, folder in zip(scenarios, folders, strict=True):
            write_own(scenario, folder)
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            return dict(zip(map(name_of, scenarios), pool.map(check, folders), strict=True))


def print_ours(scenarios: Sequence[Scenario], ours: Mapping[str, Ours]) -> None:
    print("1. Under our own contracts; a verdict that is no PASS stands with its reasons\n")
    for scenario in scenarios:
        one = ours[name_of(scenario)]
        truth = "done" if scenario.compliant else "not done"
        print(f"{name_of(scenario):<9}{truth:<10}{one.outcome:<9}{one.passed} of {one.asked} requirements pass"
              f"   ({scenario.shows})")  # fmt: skip
        for reason in one.reasons:
            print(f"{'':<19}- {reason[:230]}{'…' if len(reason) > 230 else ''}")


def print_peers(scenarios: Sequence[Scenario], ours: Mapping[str, Ours]) -> None:
    print(
        "\n2. Beside the peers (A accepted, r refused or left open; ours: P pass, r reject, u unclear; * really done)\n"
    )
    heads = [f"{scenario.label.removeprefix('SC')}{'*' if scenario.compliant else ''}" for scenario in scenarios]
    print(f"{'':<16}" + "".join(f"{head:<5}" for head in heads) + "not done, kept back   done, accepted")
    letters = "".join(LETTERS[ours[name_of(scenario)].outcome] for scenario in scenarios)
    for peer, row in {**{peer: "".join(parts) for peer, parts in PEERS.items()}, "backcheck": letters}.items():
        cells = list(zip(scenarios, row, strict=True))
        kept = [cell not in "AP" for scenario, cell in cells if not scenario.compliant]
        accepted = [cell in "AP" for scenario, cell in cells if scenario.compliant]
        print(f"{peer:<16}" + "".join(f"{cell:<5}" for cell in row)
              + f"{sum(kept)} of {len(kept)}{'':<14}{sum(accepted)} of {len(accepted)}")  # fmt: skip


def print_rates(scenarios: Sequence[Scenario], ours: Mapping[str, Ours]) -> None:
    counted = score((scenario.compliant, ours[name_of(scenario)].outcome) for scenario in scenarios)
    print("\n3. Rates, with their 95 % Wilson interval in per cent\n")
    rows = {
        "not done, passed": counted.false_accepts, "not done, rejected": counted.detection,
        "not done, left to a person": Rate(k=counted.bad_abstained, n=counted.bad),
        "done, passed": Rate(k=counted.good_accepted, n=counted.good), "done, rejected": counted.false_rejects,
        "done, left to a person": Rate(k=counted.good_abstained, n=counted.good),
    }  # fmt: skip
    for title, rate in rows.items():
        print(f"{title:<28}{rate.text()}")
    print(f"\n{LIMIT}")


def missed_bars(scenarios: Sequence[Scenario], ours: Mapping[str, Ours]) -> list[str]:
    outcomes = [(scenario, ours[name_of(scenario)].outcome) for scenario in scenarios]
    missed = [f"{name_of(s)} is not done, and passed" for s, o in outcomes if not s.compliant and o is Outcome.PASS]
    missed += [f"{name_of(s)} is done, and was rejected" for s, o in outcomes if s.compliant and o is Outcome.REJECT]
    passed = sum(o is Outcome.PASS for s, o in outcomes if s.compliant)
    if passed < MIN_PASSED:
        missed.append(f"{passed} pieces of finished work passed; at least {MIN_PASSED} must")
    return missed


def main() -> int:
    scenarios = order()
    try:
        ours = run_all(scenarios)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"a check gave no verdict: {error}", file=sys.stderr)
        return 1
    print_ours(scenarios, ours)
    print_peers(scenarios, ours)
    print_rates(scenarios, ours)
    missed = missed_bars(scenarios, ours)
    for bar in missed:
        print(f"MISSED {bar}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
