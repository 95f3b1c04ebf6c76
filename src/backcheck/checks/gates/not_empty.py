"""Check `not-empty`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.checks.files import require_name
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A folder has at least so many entries.

    Entries are counted, not read: `touch a b c` satisfies `min: 3`. Ask what the files hold with another check.

    Passes when: `path` is a folder of the tree with at least `min` entries (files, folders, links).
    Fails when: it has fewer, is missing, is a file, or leads out of the tree.
    Unclear when: the folder cannot be listed.
    Cost: lists one folder.
    Source: skillgate's gate of the same name.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(arguments={"path": "reports", "min": 2}, files={"reports/one.txt": "1"})

    path: str
    min: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1

    def __post_init__(self) -> None:
        require_name("path", self.path)

    def answer(self, evidence: Evidence) -> Answer:
        """Count the names."""
        entry = evidence.tree.entry(self.path)
        path = shown(self.path)
        place = (Place(path=path),)
        remedy = "Put what the requirement describes into the folder."
        if entry.kind is not Kind.FOLDER:
            note = "is a file, not a folder" if entry.kind is Kind.FILE else entry.note
            return failed(f"{path} {note}", where=place, remedy=remedy)
        try:
            count = len(evidence.tree.names(self.path))
        except Unreadable as error:
            return unclear(f"{path} {error}", blame=Blame.ENVIRONMENT, where=place)
        if count < self.min:
            return failed(f"{path} has {count} entries; at least {self.min} are asked", where=place, remedy=remedy)
        return passed(f"{path} has {count} entries", where=place)
