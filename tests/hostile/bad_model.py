"""What a hostile input is: a folder that is laid out, a call, and the exit codes that an honest answer may have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile.runner import LIMIT, Outcome, Runner

WRONG, NOT_PASS, FAILS, UNCLEAR = frozenset({2}), frozenset({1, 3}), frozenset({1}), frozenset({3})
NATIVE, SKILLGATE, FORGE = ".backcheck/contract.yaml", ".skillgate.json", ".forge/content-verify.json"
#: A user error: one line that names a place (a file, with line and column where there is one).
PLACE = re.compile(r"backcheck: [^\n]*?\.(yaml|yml|json)(:\d+(:\d+)?)?: [^\n]+\n")


def nothing(_folder: Path) -> None:
    """The input is only a contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """One hostile input. `exits` never holds 0 or 4; `place` is whether the error must name a file."""

    kind: str
    name: str
    exits: frozenset[int] = WRONG
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    lay: Callable[[Path], object] = nothing
    call: Sequence[str] = ("check", "--json")
    place: bool = True
    limit: float = LIMIT

    @property
    def id(self) -> str:
        """For a test's name."""
        return f"{self.kind}: {self.name}"


def lay_out(bad: Bad, folder: Path) -> None:
    """Write an input's files."""
    for name, content in bad.files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    bad.lay(folder)


def ask(bad: Bad, folder: Path, runner: Runner) -> Outcome:
    """Lay an input out in an empty folder and ask about it from there."""
    lay_out(bad, folder)
    return runner.ask(bad.call, cwd=folder, limit=bad.limit)


def problems(bad: Bad, outcome: Outcome, *, plain: bool = True) -> list[str]:
    """What is wrong with an answer; empty where it is honest. `plain`: the error must be one printable line."""
    found = []
    if outcome.hung:
        found.append(f"no answer within {bad.limit:g} s")
    elif outcome.died:
        found.append("the process died")
    elif outcome.traceback:
        found.append(f"a fault came through: {outcome.told()}")
    elif outcome.code not in bad.exits:
        found.append(f"exit {outcome.code}, not one of {sorted(bad.exits)}: {outcome.told()}")
    if outcome.code == 2 and plain:
        if outcome.err.count("\n") != 1 or not outcome.err.startswith("backcheck: "):
            found.append(f"not one line on stderr: {outcome.err!r}")
        elif bad.place and not PLACE.fullmatch(outcome.err):
            found.append(f"no place in the error: {outcome.err!r}")
        if any(not c.isprintable() for c in outcome.err.rstrip("\n")):
            found.append(f"the error holds control characters: {outcome.err!r}")
        if len(outcome.err) > 4000:
            found.append(f"the error is {len(outcome.err):,} characters long")
    return found
