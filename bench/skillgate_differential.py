"""Run backcheck and skillgate 0.5.0 over the same contracts and folders, and print where they differ.

Live where BACKCHECK_SKILLGATE names that tool's cli.js and node is there; otherwise against what was recorded
of it. `--record CLI` writes the recording: exit codes and one truth a gate, none of its texts.
Exit 1 if we are laxer anywhere that is not listed in differences.toml, hang, or break.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.conformance.accepted import DIFFERENCES, load_accepted
from tests.conformance.ask import ask_ours, ask_peer, can_be_asked
from tests.conformance.cases.case_model import Case, fingerprint
from tests.conformance.compare import RECORDED, Comparison, Outcome, compare, load_recorded
from tests.conformance.generate import generate

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 2
_FATAL = ("laxer", "ours hangs", "ours breaks")


def in_threads(ask: Callable[[Case], Outcome], cases: list[Case]) -> dict[str, Outcome]:
    """Ask about every case, two at a time."""
    with ThreadPoolExecutor(THREADS) as pool:
        return dict(zip((c["id"] for c in cases), pool.map(ask, cases), strict=True))


def record(cli: str, cases: list[Case], target: Path) -> None:
    """Write what the peer answers, as facts."""
    answers = in_threads(lambda one: ask_peer(cli, one), cases)
    exits = {"PASS": 0, "REJECT": 1, "REFUSED": 2, "HANG": "hang"}
    rows = []
    for one in cases:
        outcome = answers[one["id"]]
        gates = None if outcome.gates is None else list(outcome.gates)
        code = exits.get(outcome.answer, -1)
        rows.append(json.dumps({"id": one["id"], "case": fingerprint(one), "exit": code, "gates": gates}))
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} cases recorded: {dict(Counter(a.answer for a in answers.values()))}")


def peer_answers(cases: list[Case]) -> dict[str, Outcome]:
    """Return the peer's answers, live or recorded, and say which."""
    cli = os.environ.get("BACKCHECK_SKILLGATE", "")
    if cli and shutil.which("node") and Path(cli).is_file():
        print(f"peer: skillgate, run live through node ({len(cases)} cases)")
        return in_threads(lambda one: ask_peer(cli, one), cases)
    print("peer: NOT run. BACKCHECK_SKILLGATE names no cli.js, or node is missing: using what was recorded")
    recorded = load_recorded()
    stale = [one["id"] for one in cases if recorded.get(one["id"], ("",))[0] != fingerprint(one)]
    if stale:
        sys.exit(f"the recording does not belong to these cases, record again: {stale[:5]}")
    return {one["id"]: recorded[one["id"]][1] for one in cases}


def report(results: list[Comparison], *, every: bool) -> bool:
    """Print the counts and the differences; return whether all is well."""
    for kind, count in Counter(r.kind for r in results).most_common():
        print(f"{count:5}  {kind}")
    gates = [pair for r in results for pair in zip(r.peer.gates or (), r.ours.gates or (), strict=False)]
    print(f"{len(gates):5}  gates compared, {sum(p == o for p, o in gates)} the same")
    print(f"       {sum(o and not p for p, o in gates)} laxer, {sum(p and not o for p, o in gates)} stricter")
    groups: dict[str, list[Comparison]] = defaultdict(list)
    for result in results:
        if result.kind != "same" or result.problem:
            groups[result.key].append(result)
    for key, members in sorted(groups.items()):
        wrong = [r for r in members if r.problem]
        print(f"\n{key}: {len(members)}, of them not accepted: {len(wrong)}")
        for r in members if every else wrong:
            print(f"  {r.case}: {r.kind}: peer {r.peer.answer}, ours {r.ours.answer}")
            if r.problem:
                print(f"    {r.problem[:300]}\n    ours said: {r.ours.text[:300]}".rstrip())
    unlisted = [r for r in results if r.problem]
    fatal = [r for r in unlisted if r.kind in _FATAL or "laxer" in r.problem]
    print(f"\n{len(unlisted)} differences are not as {DIFFERENCES.name} has them", end="")
    print(f"; {len(fatal)} of them are laxer or break")
    return not fatal


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", metavar="CLI", help="the peer's cli.js; writes the recording")
    parser.add_argument("--only", default="*", help="case ids, as a shell pattern")
    parser.add_argument("--all", action="store_true", help="print accepted differences one by one, too")
    options = parser.parse_args()
    cases = [one for one in generate() if fnmatch.fnmatch(one["id"], options.only)]
    left_out = [one["id"] for one in cases if not can_be_asked(one)]
    if left_out:
        print(f"left out, because root may read everything and setpriv is missing: {', '.join(left_out)}")
    if options.record:
        if options.only != "*" or left_out:
            parser.error("a recording is of all cases")
        record(options.record, cases, RECORDED)
        return 0
    cases = [one for one in cases if can_be_asked(one)]
    accepted = load_accepted()
    peer = peer_answers(cases)
    ours = in_threads(ask_ours, cases)
    results = [compare(c["id"], c["edge"], peer[c["id"]], ours[c["id"]], accepted.get(c["id"])) for c in cases]
    return 0 if report(results, every=options.all) else 1


if __name__ == "__main__":
    sys.exit(main())
