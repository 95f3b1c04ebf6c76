"""Check `absent`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import pattern_argument, require_name
from backcheck.evidence.globs import GlobError, Globs, check_glob
from backcheck.evidence.paths import shown
from backcheck.evidence.search import Search
from backcheck.evidence.survey import Tally
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A pattern stands in no line of the files that some globs name.

    Each line is searched by itself, as it stands and as a reader sees it: without invisible characters and with
    look-alike letters made Latin. UTF-16, byte order marks and CRLF are decoded first.

    Passes when: the globs match at least one file, every such file was read whole, and no line matches.
    Fails when: a line matches; all hits up to twenty are listed, never the text that matched.
    Unclear when: the globs match no file, or a file is unreadable, too large (512 MiB) or a link out of the tree.
    Cost: one pass over the tree, shared by all requirements of this kind; unchanged folders are remembered locally.
    Source: skillgate's gate of the same name.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={"glob": "**/*.py", "pattern": "FORBIDDEN"}, files={"a.py": "x = 1\n# FORBIDDEN\n"}
    )

    glob: str | list[str]
    pattern: str
    flags: str = ""
    ignore: list[str] = field(default_factory=list)
    #: Look into files that git ignores as well.
    ignored: bool = False
    #: `native` (RE2) or `javascript`.
    dialect: str = "native"

    def __post_init__(self) -> None:
        globs = self._globs()
        require_name("glob", *globs)
        for name, items in (("glob", globs), ("ignore", self.ignore)):
            for item in items:
                try:
                    check_glob(item)
                except GlobError as error:
                    raise ArgumentError(name, f"{item!r}: {error}") from None
        if all(glob.startswith("!") for glob in globs):
            raise ArgumentError("glob", "every glob takes files away; nothing would be searched")
        pattern_argument("pattern", self.pattern, self.flags, self.dialect, lines=True)

    def _globs(self) -> list[str]:
        return [self.glob] if isinstance(self.glob, str) else self.glob

    def searches(self) -> list[Search]:
        """What the engine's pass over the tree has to look for."""
        parts = [
            *self._globs(),
            "\1",
            *self.ignore,
            "\1",
            self.pattern,
            self.flags,
            self.dialect,
            str(self.ignored),
        ]
        return [
            Search(
                key=hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest(),
                globs=Globs(self._globs(), self.ignore),
                pattern=pattern_argument("pattern", self.pattern, self.flags, self.dialect, lines=True),
                ignored=self.ignored,
            )
        ]

    def answer(self, evidence: Evidence) -> Answer:
        """Read the tally of the pass."""
        tally = evidence.tally(self.searches()[0])
        if tally.hits:
            return self._hit(tally)
        if tally.problems:
            path, reason = tally.problems[0]
            more = f" (and {len(tally.problems) - 1} more files)" if len(tally.problems) > 1 else ""
            places = tuple(Place(path=shown(p), note=why) for p, why in tally.problems[:20])
            return unclear(f"not everything could be searched: {shown(path)} {reason}{more}", where=places,
                           blame=Blame.ENVIRONMENT, remedy="Make the files readable, or take them out of the glob.")  # fmt: skip
        if not tally.files:
            return unclear(f"no file matches {', '.join(self._globs())}: nothing was searched", blame=Blame.CONTRACT,
                           remedy="Correct the glob, or remove the requirement.")  # fmt: skip
        return passed(f"/{self.pattern}/ in none of {tally.files:,} files", details={"files": tally.files})

    def _hit(self, tally: Tally) -> Answer:
        places = tuple(
            Place(path=shown(path), line=hit.line,
                  note="behind invisible or look-alike characters" if hit.hidden else "")
            for path, hit in tally.hits
        )  # fmt: skip
        count = len(tally.hits) + tally.more
        first = places[0]
        reason = f"/{self.pattern}/ stands in {first.path}:{first.line}" + (
            f" and {count - 1} more" if count > 1 else ""
        )
        return failed(reason, where=places, remedy="Remove what the pattern names from these lines.",
                      details={"files": tally.files, "hits": count})  # fmt: skip
