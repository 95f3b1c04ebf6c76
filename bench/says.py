"""`says` on labelled prose: what it refutes, what it leaves to a person, and that it accepts nothing.

    BACKCHECK_DATA=folder python bench/says.py [--items]

BACKCHECK_DATA names the folder that holds judge-set.jsonl; without it nothing runs and the script says so. The rules were
written while looking at the items of the split `dev` alone; every other split is printed apart and was not tuned on.
Exit code 1 where a bar is missed, 2 where the data are not there.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from backcheck.experiments.scoring import Rate
from backcheck.testing import ask
from backcheck.verdict import Status

DATA = "judge-set.jsonl"
TUNED = "dev"
PROVEN = "proven"
#: The rules that give a right reason for each class of item; for the others a person judges the reason by reading.
REASONS: dict[str, tuple[str, ...]] = {
    "numeric_not_met": ("number",), "numeric_boundary": ("number",), "superseded": ("number",), "stale": ("stale",),
    "planned": ("planned",), "mention": ("mention",), "vague": ("vague",), "negated": ("undone",),
    "wrong_subject": ("undone",), "test_not_run": ("undone",), "def_not_called": ("undone",),
}  # fmt: skip
#: Most proven items that may be failed, and least share of the others that must be, for the right reason.
MAX_FAILED, MIN_REFUTED = 2, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One item with the answer it got; `why` is the rule or the first flag."""

    id: str
    split: str
    cls: str
    label: str
    language: str
    status: Status
    why: str
    reason: str

    @property
    def right_reason(self) -> bool:
        """Whether a refutation is for what the item's class says is wrong with it."""
        return self.status is Status.FAIL and self.label != PROVEN and self.why in REASONS.get(self.cls, ())


def judge(path: Path) -> list[Judged]:
    """Every item through the gate: its requirement as the claim, its key words as the subject, its day as `as_of`."""
    found = []
    with tempfile.TemporaryDirectory(prefix="backcheck-says-") as folder:
        root = Path(folder)
        for line in path.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            (root / "evidence.md").write_text(item["evidence"], encoding="utf-8")
            arguments = {
                "file": "evidence.md",
                "claim": item["requirement"],
                "subject": item["keywords"],
                "as_of": item["as_of"],
            }
            answer = ask("says", arguments, root)
            flags = answer.details.get("flags")
            why = flags[0] if isinstance(flags, list) else str(answer.details.get("rule", ""))
            found.append(
                Judged(id=item["id"], split=item["split"], cls=item["cls"], label=item["label"],
                       language=item["lang"], status=answer.status, why=why, reason=answer.reason)
            )  # fmt: skip
    return found


def rate(items: Sequence[Judged], wanted: Iterable[bool]) -> str:
    return Rate(k=sum(wanted), n=len(items)).text()


def print_split(name: str, items: Sequence[Judged]) -> None:
    good = [item for item in items if item.label == PROVEN]
    bad = [item for item in items if item.label != PROVEN]
    print(f"\n{name}: {len(items)} items, {len(good)} proven, {len(bad)} not proven or contradicted\n")
    print(f"{'class':<18}{'items':>6}{'pass':>6}{'fail':>6}{'right reason':>14}{'unclear':>9}   unclear, by first flag")
    for label, among in ((PROVEN, good), ("not proven", bad)):
        for cls in sorted({item.cls for item in among}):
            row = [item for item in among if item.cls == cls]
            status = Counter(item.status for item in row)
            flags = Counter(item.why for item in row if item.status is Status.UNCLEAR)
            shown = ", ".join(f"{flag} {count}" for flag, count in sorted(flags.items()))
            right = sum(item.right_reason for item in row) if label != PROVEN else "-"
            title = cls if label != PROVEN else f"{cls} (proven)"
            print(f"{title:<18}{len(row):>6}{status[Status.PASS]:>6}{status[Status.FAIL]:>6}{right:>14}"
                  f"{status[Status.UNCLEAR]:>9}   {shown}")  # fmt: skip
    print()
    rows: list[tuple[str, Sequence[Judged], list[bool]]] = [
        ("not proven, passed", bad, [item.status is Status.PASS for item in bad]),
        ("not proven, failed", bad, [item.status is Status.FAIL for item in bad]),
        ("  for the right reason", bad, [item.right_reason for item in bad]),
        ("  English", *_part(bad, "en")),
        ("  Chinese", *_part(bad, "zh")),
        ("proven, passed", good, [item.status is Status.PASS for item in good]),
        ("proven, failed", good, [item.status is Status.FAIL for item in good]),
        ("left to a person", items, [item.status is Status.UNCLEAR for item in items]),
    ]
    for title, group, wanted in rows:
        print(f"{title:<26}{rate(group, wanted)}")


def _part(items: Sequence[Judged], language: str) -> tuple[list[Judged], list[bool]]:
    part = [item for item in items if item.language == language]
    return part, [item.right_reason for item in part]


def missed_bars(items: Sequence[Judged]) -> list[str]:
    """The bars that are missed, over all splits; the share only over the split that the rules were written on."""
    passes = sum(item.status is Status.PASS for item in items)
    failed = sum(item.status is Status.FAIL for item in items if item.label == PROVEN)
    tuned = [item for item in items if item.split == TUNED and item.label != PROVEN]
    right = sum(item.right_reason for item in tuned)
    missed = []
    if passes:
        missed.append(f"{passes} items passed; none may")
    if failed > MAX_FAILED:
        missed.append(f"{failed} proven items failed; {MAX_FAILED} may")
    if right < MIN_REFUTED * len(tuned) or not tuned:
        missed.append(f"{right} of {len(tuned)} items of {TUNED} failed for the right reason; half must")
    return missed


def main(arguments: Sequence[str]) -> int:
    named = os.environ.get("BACKCHECK_DATA")
    if not named:
        print("BACKCHECK_DATA is not set: the labelled prose is not here, and nothing was measured")
        return 0
    path = Path(named) / DATA
    if not path.is_file():
        print(f"BACKCHECK_DATA does not lead to {DATA}", file=sys.stderr)
        return 2
    items = judge(path)
    print("Every rate stands with its 95 % Wilson interval in per cent. `says` never passes, by its making.")
    for name in sorted({item.split for item in items}, key=lambda split: (split != TUNED, split)):
        note = "the rules were written looking at these" if name == TUNED else "held out: not looked at for the rules"
        print_split(f"{name} ({note})", [item for item in items if item.split == name])
    if "--items" in arguments:
        print()
        for item in items:
            if item.split == TUNED:
                print(f"{item.id:<8}{item.cls:<17}{item.label:<13}{item.status:<9}{item.why:<16}{item.reason}")
    missed = missed_bars(items)
    for bar in missed:
        print(f"MISSED {bar}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
