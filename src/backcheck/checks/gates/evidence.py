"""Check `evidence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.checks.files import no_file, require_name
from backcheck.evidence.decode import decode, is_blank
from backcheck.evidence.limits import MAX_FILE, WINDOW, size
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """An evidence file is there and holds something.

    Anybody can write such a file, so a pass is `asserted` and no more; ask for `recorded` or `observed` evidence, or
    read the file's values with a stronger check.

    Passes when: `file` is a regular file of the tree with something other than white space in it.
    Fails when: it is missing, empty, blank (white space, NUL, byte order mark), a folder, FIFO or device, or leads out
        of the tree.
    Unclear when: it is larger than 512 MiB or cannot be read.
    Cost: reads one file.
    Source: skillgate's gate of the same name; content-verify's evidence gate.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(arguments={"file": "result.txt"}, files={"result.txt": " \n\t\n"})

    file: str

    def __post_init__(self) -> None:
        require_name("file", self.file)

    def answer(self, evidence: Evidence) -> Answer:
        """Look for the first character that shows."""
        entry = evidence.tree.entry(self.file)
        path = shown(self.file)
        place = (Place(path=path),)
        if entry.kind is not Kind.FILE:
            return no_file(entry)
        try:
            data = evidence.tree.read(self.file, limit=max(WINDOW, min(entry.size, MAX_FILE)))
        except Unreadable as error:
            return unclear(
                f"{path} {error}",
                blame=Blame.ENVIRONMENT,
                where=place,
                remedy=f"Keep the file below {size(MAX_FILE)} and readable, or let a person look at it.",
            )
        if not data:
            return failed(f"{path} is empty", where=place, remedy="Produce the evidence, then check again.")
        if not _says_something(data):
            return failed(
                f"{path} holds only white space", where=place, remedy="Produce the evidence, then check again."
            )
        return passed(f"{path} is there, {size(len(data))}, written by somebody", where=place)


def _says_something(data: bytes) -> bool:
    return any(not is_blank(decode(data[at : at + WINDOW])) for at in range(0, len(data), WINDOW))
