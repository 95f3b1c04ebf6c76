"""The change as a whole: what each path's change is, renames known again, names looked for in what is new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from backcheck.checks.api import Evidence
from backcheck.checks.changes import Change
from backcheck.checks.substance.lookup import Kind, defined_in, kind_of_name, stands_in
from backcheck.checks.substance.model import Substance
from backcheck.checks.substance.reading import Nature, nature_of, substance_of
from backcheck.checks.touched import bytes_before, bytes_of
from backcheck.evidence.decode import decode
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.reading import Unreadable


@dataclass(slots=True, kw_only=True)
class Work:
    """What became of each changed path; `problems` are (path, reason)."""

    natures: dict[str, Nature] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)

    def real(self) -> list[str]:
        """Paths with a real change, in order."""
        return [path for path, nature in self.natures.items() if nature is Nature.REAL]


def work_in(evidence: Evidence, paths: Mapping[str, Change], *, renames: bool) -> Work:
    """Judge every changed path; `renames` counts a file's new name as work. Errors: GitError."""
    work = Work()
    for path, change in paths.items():
        if change is Change.REMOVED:
            work.natures[path] = Nature.REAL
        elif change is Change.MODE:
            work.natures[path] = Nature.MODE
        else:
            try:
                after = bytes_of(evidence, path, limit=MAX_TEXT)
            except Unreadable as error:
                # Too large to be compared: that it differs is known.
                work.problems += [] if "the limit" in str(error) else [(path, str(error))]
                work.natures[path] = Nature.REAL if "the limit" in str(error) else Nature.FORM
                continue
            work.natures[path] = nature_of(path, bytes_before(evidence, path), after)
    if not renames:
        _mark_renames(evidence, paths, work)
    return work


def _mark_renames(evidence: Evidence, paths: Mapping[str, Change], work: Work) -> None:
    """A file that went and one of the same substance that came are one file under a new name."""
    gone: dict[str, list[str]] = defaultdict(list)
    for path, change in paths.items():
        if change is Change.REMOVED and (before := bytes_before(evidence, path)) is not None:
            gone[substance_of(path, before).whole].append(path)
    if not gone:
        return
    for path, change in paths.items():
        if change is not Change.ADDED or work.natures.get(path) is not Nature.REAL:
            continue
        try:
            whole = substance_of(path, bytes_of(evidence, path, limit=MAX_TEXT)).whole
        except Unreadable:
            continue
        if gone.get(whole):
            work.natures[gone[whole].pop()] = Nature.RENAME
            work.natures[path] = Nature.RENAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What became of one name: where it stands new or changed, or why it does not count."""

    name: str
    place: tuple[str, int] | None = None
    why: str = ""


def look_up(evidence: Evidence, name: str, paths: Mapping[str, Change], work: Work) -> Lookup:
    """Look for a name in what is new. Errors: GitError."""
    kind = kind_of_name(name)
    if kind is Kind.PATH:
        return _path(evidence, name, work)
    old: dict[str, list[str]] = defaultdict(list)
    seen: list[tuple[str, int, str, bool]] = []
    for path, text, substance, before in _texts(evidence, paths, work):
        for line, what, stub in _places(path, text, substance, name, kind):
            seen.append((path, line, what, stub))
        if before is not None:
            earlier = decode(before)
            for _line, what, _stub in _places(path, earlier, substance_of(path, before), name, kind):
                old[what].append(path)
    if not seen:
        return Lookup(name=name, why="is neither new nor changed: no changed file defines it")
    works = [item for item in seen if not item[3]]
    if not works:
        return Lookup(name=name, place=seen[0][:2], why="is there, but does no work")
    for path, line, what, _stub in works:
        if old.get(what):
            old[what].pop()
        else:
            return Lookup(name=name, place=(path, line))
    return Lookup(name=name, place=works[0][:2], why="is as it was in the base")


def _path(evidence: Evidence, name: str, work: Work) -> Lookup:
    wanted = name.removeprefix("./").strip("/")
    full = f"{evidence.prefix}/{wanted}" if evidence.prefix else wanted
    final = evidence.final_nodes()
    below = [path for path in final if path == full or path.startswith(f"{full}/")]
    if not below:
        return Lookup(name=name, why="is not there")
    real = [path for path in below if work.natures.get(path) is Nature.REAL]
    if real:
        return Lookup(name=name, place=(real[0], 0))
    nature = next((work.natures[path] for path in below if path in work.natures), None)
    return Lookup(name=name, place=(below[0], 0), why=f"holds {nature.value}" if nature else "is as it was in the base")


def _places(path: str, text: str, substance: Substance, name: str, kind: Kind | None) -> list[tuple[int, str, bool]]:
    """(line, what to compare it by, whether it is a stub)."""
    if kind in {Kind.OPTION, Kind.ROUTE}:
        lines = text.split("\n")
        return [(line, " ".join(lines[line - 1].split()), False) for line in stands_in(path, text, name)]
    return [(int(line), what, stub) for line, (what, stub) in defined_in(path, text, substance, name).items()]


def _texts(
    evidence: Evidence, paths: Mapping[str, Change], work: Work
) -> Iterator[tuple[str, str, Substance, bytes | None]]:
    """Changed texts with their substance, and what was there before; also what was removed, for its definitions."""
    for path, change in paths.items():
        if work.natures.get(path) not in {Nature.REAL, Nature.HOLLOW, Nature.RENAME}:
            continue
        before = bytes_before(evidence, path)
        if change is Change.REMOVED:
            yield path, "", Substance(whole="", parsed=True), before
            continue
        try:
            data = bytes_of(evidence, path, limit=MAX_TEXT)
        except Unreadable:
            continue
        yield path, decode(data), substance_of(path, data), before
