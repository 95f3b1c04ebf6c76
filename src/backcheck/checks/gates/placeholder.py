"""Check `placeholder`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.checks.leftovers.changed import Fresh, fresh_leftovers
from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.touched import check_globs, touched
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance

_REMEDY = "Do what these lines leave open."


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Nothing that the change added stands where work should stand.

    Only lines that the base does not have are judged, and lines moved within the change are not new. Looked for are
    markers (`TODO`, `FIXME`, `XXX`, `HACK`, `TBD`) that a comment starts with or that stand in capitals; what code says of
    itself in comments (not implemented, for now hard-coded, your code here, mock data; also Chinese, Japanese, Korean,
    Russian, Spanish, Portuguese, French, German, Italian, Polish); functions of Python, JavaScript and TypeScript that do
    no work and did some in the base or were not there; exceptions, macros and calls that refuse as not implemented in
    fifteen languages; filler text, and values to be replaced by the reader.

    Abstract methods, protocols, overloads, typing stubs, callbacks and no-ops that say so are no stubs; tests may hold
    empty helpers, but no empty tests; examples and templates may hold values to be replaced. Markers inside quoted text,
    names and sentences on markers are none. Notebooks are read cell by cell.

    Passes when: no added line leaves work open. A marker with a reference to an issue, or with a reason that lies outside
        the change, is listed in the pass, as is one in vendored or generated files, test data and translations.
    Fails when: one does.
    Unclear when: a stub refers to an issue; one branch refuses without a word; nothing differs from the base; no file
        matches; a file is unreadable or larger than 16 MiB; or there is no base.
    Cost: reads each changed file once; only those with a suspicious word or an empty body are parsed. Nothing is run.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={},
        base={"a.py": "x = 1\n"},
        files={"a.py": "x = 1\n\n\ndef save(x):\n    # TODO: write it\n    pass\n"},
    )

    #: Globs of the files that are judged; all where none is given. They count from the contract's root.
    paths: list[str] = field(default_factory=list)
    #: Globs of files that are left out.
    ignore: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_globs("paths", self.paths)
        check_globs("ignore", self.ignore)

    def answer(self, evidence: Evidence) -> Answer:
        """Search what was added."""
        change = touched(evidence, self.paths, self.ignore)
        if isinstance(change, Answer):
            return change
        if not change.all:
            return unclear("nothing differs from the base: there is nothing to search", blame=Blame.AGENT,
                           remedy="Do the work first.")  # fmt: skip
        try:
            fresh = fresh_leftovers(evidence, change.paths)
        except (GitError, WorkerDied) as error:
            return unclear(f"not everything could be searched: {error}", blame=Blame.ENVIRONMENT)
        return self._weigh(fresh)

    def _weigh(self, fresh: Fresh) -> Answer:
        by_weight = {weight: [item for item in fresh.found if item[1].weight is weight] for weight in Weight}
        noted = by_weight[Weight.NOTED]
        details = {"searched": fresh.searched, "not_text": fresh.skipped,
                   "noted": [f"{shown(path)}:{item.line} {item.what}" for path, item in noted[:MAX_PLACES]]}  # fmt: skip
        plain, open_ones = by_weight[Weight.PLAIN], by_weight[Weight.OPEN]
        if plain:
            return failed(f"{_counted(plain)} added: {_first(plain)}", where=_places([*plain, *open_ones]), remedy=_REMEDY,
                          details=details)  # fmt: skip
        if fresh.problems:
            path, reason = fresh.problems[0]
            places = tuple(Place(path=shown(p), note=why) for p, why in fresh.problems[:MAX_PLACES])
            return unclear(f"not everything could be searched: {shown(path)} {reason}", where=places, details=details,
                           blame=Blame.ENVIRONMENT, remedy="Make the files readable, or take them out by `ignore`.")  # fmt: skip
        if open_ones:
            told = f"{_counted(open_ones)} added that may be meant: {_first(open_ones)}"
            return unclear(told, where=_places(open_ones), blame=Blame.AGENT, details=details,
                           remedy="Finish it, or let a person say that it may stay.")  # fmt: skip
        extra = f"; {len(noted)} noted with a reason, a reference or beside the work: {_first(noted)}" if noted else ""
        return passed(f"nothing left open in what was added ({fresh.searched:,} files searched){extra}",
                      where=_places(noted), details=details)  # fmt: skip


def _counted(found: list[tuple[str, Leftover]]) -> str:
    return f"{len(found)} leftover{'s' if len(found) > 1 else ''}"


def _first(found: list[tuple[str, Leftover]]) -> str:
    told = "; ".join(f"{shown(path)}:{item.line} {item.what}" for path, item in found[:3])
    return told + ("; ..." if len(found) > 3 else "")


def _places(found: list[tuple[str, Leftover]]) -> tuple[Place, ...]:
    return tuple(Place(path=shown(path), line=item.line, note=item.what) for path, item in found[:MAX_PLACES])
