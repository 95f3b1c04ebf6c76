"""Check `file-exists`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed
from backcheck.checks.canary import Canary
from backcheck.checks.files import require_name
from backcheck.evidence.paths import shown
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Every named file is a regular file of the tree.

    Existence says nothing about what a file holds; it is the weakest of all checks.

    Passes when: each `file` (one path or a list) is a regular file below the root, also through a link inside the tree.
    Fails when: one is missing, is a folder, FIFO, socket or device, or leads out of the tree.
    Unclear when: never.
    Cost: one look-up a file.
    Source: skillgate's gate of the same name.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(arguments={"file": "absent.txt"})

    file: str | list[str]

    def __post_init__(self) -> None:
        require_name("file", *self._files())

    def _files(self) -> list[str]:
        return [self.file] if isinstance(self.file, str) else self.file

    def answer(self, evidence: Evidence) -> Answer:
        """Look each file up."""
        entries = [evidence.tree.entry(path) for path in self._files()]
        wrong = [entry for entry in entries if entry.kind is not Kind.FILE]
        if not wrong:
            return passed(f"there: {', '.join(shown(entry.path) for entry in entries)}")
        reason = "; ".join(f"{shown(entry.path)} {entry.note}" for entry in wrong[:5])
        more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        places = tuple(Place(path=shown(entry.path)) for entry in wrong[:20])
        return failed(
            reason + more, where=places, remedy="Do the work that leaves these files, as regular files inside the tree."
        )
