"""False alarms of `backcheck audit` on public projects, and what it finds in a spoiled one.

    BACKCHECK_AUDIT_PROJECTS=folder python -m bench.audit

The variable names a folder that holds unpacked projects, one folder each (`NAME-VERSION`), as `pip download --no-binary`
and `npm pack` give them; without it that part does not run, and says so. Every finding is looked up in the table of
readings in docs/explanation/audit-false-alarms.md. Exit code 1 where a finding is read as wrong, has no reading, or a
spoiled way is missed; 2 where the variable leads nowhere.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support import Repo
from tests.surfaces.spoiled import SPOILED, SPOILED_WAYS

from backcheck.surfaces.auditing.looking import audit
from backcheck.surfaces.auditing.model import Certainty, Corner

READINGS = Path(__file__).parent.parent / "docs/explanation/audit-false-alarms.md"
_ROW = re.compile(
    r"^\| (?P<project>\S+) \| `(?P<rule>[a-z-]+)` \| `(?P<place>[^`]+)` \| (?P<reading>right|debatable|wrong) \|"
)


def readings() -> dict[tuple[str, str, str], str]:
    """(project, rule, place) → what a person read there."""
    rows = (_ROW.match(line) for line in READINGS.read_text(encoding="utf-8").split("\n"))
    return {(row["project"], row["rule"], row["place"]): row["reading"] for row in rows if row}


def place_of(corner: Corner) -> str:
    """As the table writes it."""
    return f"{corner.path}:{corner.line}" if corner.line else corner.path


def public(folder: Path) -> bool:
    """Audit every project; whether no finding is wrong or unread."""
    known, counted, silent, seconds = readings(), Counter[str](), 0, 0.0
    projects = sorted(path for path in folder.iterdir() if path.is_dir())
    plain = 0
    for path in projects:
        started = time.perf_counter()
        result, _ = audit(str(path))
        seconds += time.perf_counter() - started
        silent += not result.corners
        for corner in result.corners:
            reading = known.get((path.name, corner.rule, place_of(corner)), "without a reading")
            counted[reading] += 1
            plain += corner.certainty is Certainty.PLAIN
            print(f"{reading:<18} {path.name:<24} {corner.certainty.value:<6} {corner.rule:<24} {place_of(corner)}")
    total = counted.total()
    words = ", ".join(f"{counted[word]} {word}" for word in ("right", "debatable", "wrong", "without a reading"))
    print(
        f"\n{len(projects)} projects in {seconds:.1f} s, {silent} without a finding; {total} findings ({plain} plain): {words}"
    )
    return not counted["wrong"] and not counted["without a reading"]


def spoiled() -> bool:
    """The project of the tests in which corners are cut on purpose; whether all are found and nothing else is."""
    with tempfile.TemporaryDirectory() as name:
        repo = Repo(Path(name))
        for path, text in SPOILED.items():
            repo.write(path, text)
        repo.commit()
        found = {(c.rule, c.path, c.line) for c in audit(name)[0].corners}
    wanted = set(SPOILED_WAYS)
    print(f"spoiled project: {len(wanted & found)} of {len(wanted)} ways found, {len(found - wanted)} other findings")
    return found == wanted


def main() -> int:
    """Exit code."""
    name = os.environ.get("BACKCHECK_AUDIT_PROJECTS")
    good = True
    if name is None:
        print("BACKCHECK_AUDIT_PROJECTS is not set: no public project was audited; only the spoiled one follows.")
    elif not Path(name).is_dir():
        print(f"BACKCHECK_AUDIT_PROJECTS leads to no folder: {name}", file=sys.stderr)
        return 2
    else:
        good = public(Path(name))
    return 0 if spoiled() and good else 1


if __name__ == "__main__":
    raise SystemExit(main())
