"""Check `file-contains`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import pattern_argument, read_text, require_name
from backcheck.evidence.paths import shown
from backcheck.evidence.patterns import PatternTimeout
from backcheck.verdict import Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A file's text matches a pattern.

    A word found is not a thing done: whoever writes the file decides the answer, so a pass is `asserted`. Numbers belong
    to `metric`, formats to `schema`.

    Passes when: the text matches `pattern`, every one of `all`, and at least one of `any` (those that are given).
    Fails when: one of them does not match, or there is no such regular file in the tree.
    Unclear when: the file is larger than 512 MiB or unreadable, or a pattern beyond RE2 runs out of time.
    Cost: reads one file.
    Source: skillgate's gate of the same name; `all` and `any` for content-verify's `patterns`.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "report.txt", "pattern": "finished"}, files={"report.txt": "nothing was done\n"}
    )

    file: str
    pattern: str = ""
    all: list[str] = field(default_factory=list)
    any: list[str] = field(default_factory=list)
    flags: str = ""
    dialect: str = "native"

    def __post_init__(self) -> None:
        require_name("file", self.file)
        if not (self.pattern or self.all or self.any):
            raise ArgumentError("pattern", "a pattern is needed, or `all` or `any`")
        for name, sources in (
            ("pattern", [self.pattern] if self.pattern else []),
            ("all", self.all),
            ("any", self.any),
        ):
            for source in sources:
                pattern_argument(name, source, self.flags, self.dialect)

    def _line_of(self, source: str, data: bytes) -> int:
        """The line of the first match, 0 where there is none."""
        at = pattern_argument("pattern", source, self.flags, self.dialect).search(data)
        return 0 if at is None else data.count(b"\n", 0, at) + 1

    def answer(self, evidence: Evidence) -> Answer:
        """Search the whole text."""
        from backcheck.evidence.limits import MAX_FILE

        text = read_text(evidence, self.file, limit=MAX_FILE)
        if isinstance(text, Answer):
            return text
        data = text.encode("utf-8", "replace")
        required = [*([self.pattern] if self.pattern else []), *self.all]
        try:
            lines = {source: self._line_of(source, data) for source in [*required, *self.any]}
        except PatternTimeout as error:
            return unclear(f"{shown(self.file)} could not be searched: {error}", blame=Blame.CONTRACT,
                           remedy="Write the pattern without nested repetition.")  # fmt: skip
        missing = [source for source in required if not lines[source]]
        if self.any and not any(lines[source] for source in self.any):
            missing.append(" or ".join(self.any))
        path = shown(self.file)
        if missing:
            return failed(f"{path} has no match for /{missing[0]}/", where=(Place(path=path),),
                          remedy="Do what the requirement describes; the text alone proves little.",
                          details={"missing": missing})  # fmt: skip
        found = tuple(Place(path=path, line=line) for line in sorted(set(lines.values())) if line)[:20]
        return passed(f"{path} matches /{(required or self.any)[0]}/", where=found)
