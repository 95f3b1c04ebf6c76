"""Check `file-lacks`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import pattern_argument, read_text, require_name
from backcheck.evidence.decode import fold, is_blank
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.paths import shown
from backcheck.evidence.patterns import PatternTimeout
from backcheck.verdict import Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A file is there, says something, and matches none of some patterns.

    Passes when: the file holds text and no pattern matches it, neither as it stands nor with invisible characters
        dropped and look-alike letters made Latin.
    Fails when: a pattern matches, or the file is missing, blank or no regular file of the tree.
    Unclear when: the file is larger than 512 MiB or unreadable, or a pattern beyond RE2 runs out of time.
    Cost: reads one file.
    Source: content-verify's requirements of type `negative`.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "log.txt", "patterns": ["ERROR"]}, files={"log.txt": "one line\nERROR: no disk\n"}
    )

    file: str
    patterns: list[str]
    flags: str = ""
    dialect: str = "native"

    def __post_init__(self) -> None:
        require_name("file", self.file)
        if not self.patterns:
            raise ArgumentError("patterns", "the list is empty; nothing would be checked")
        for source in self.patterns:
            pattern_argument("patterns", source, self.flags, self.dialect)

    def answer(self, evidence: Evidence) -> Answer:
        """Search the text, raw and folded."""
        text = read_text(evidence, self.file, limit=MAX_FILE)
        if isinstance(text, Answer):
            return text
        path = shown(self.file)
        if is_blank(text):
            return failed(f"{path} holds nothing, so it proves nothing", where=(Place(path=path),),
                          remedy="Write the file that the requirement is about.")  # fmt: skip
        forms = [text, fold(text)] if not text.isascii() else [text]
        for source in self.patterns:
            pattern = pattern_argument("patterns", source, self.flags, self.dialect)
            for number, form in enumerate(forms):
                data = form.encode("utf-8", "replace")
                try:
                    at = pattern.search(data)
                except PatternTimeout as error:
                    return unclear(f"{path} could not be searched: {error}", blame=Blame.CONTRACT)
                if at is not None:
                    note = "behind invisible or look-alike characters" if number else ""
                    place = Place(path=path, line=data.count(b"\n", 0, at) + 1, note=note)
                    return failed(f"{path}:{place.line} matches /{source}/, which must not be there", where=(place,),
                                  remedy="Remove the cause, not the words.")  # fmt: skip
        return passed(f"{path} matches none of {len(self.patterns)} patterns")
