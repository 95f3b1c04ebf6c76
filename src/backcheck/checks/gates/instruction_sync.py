"""Check `instruction-sync`."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Annotated, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.evidence.decode import decode
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance

CANONICAL = "AGENTS.md"
#: Tool → where its instructions lie; a name ending in `/*.ext` is every such file of a folder. The first that is there.
TOOLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("AGENTS.md", (CANONICAL,)),
    ("Claude Code", ("CLAUDE.md", ".claude/CLAUDE.md")),
    ("Cursor", (".cursor/rules/*.mdc", ".cursorrules")),
    ("GitHub Copilot", (".github/copilot-instructions.md",)),
    ("Gemini CLI", ("GEMINI.md",)),
    ("Cline", (".clinerules/*.md", ".clinerules")),
    ("Windsurf", (".windsurf/rules/*.md", ".windsurfrules")),
    ("JetBrains Junie", (".junie/guidelines.md",)),
)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---(?:\n|\Z)", re.DOTALL)
#: A line that imports a file: the path alone, or after a word that sends the reader there.
_IMPORT = re.compile(
    r"(?:[-*#>]+\s*)?(?:(?:see|read|follow|use|import|include|请?参?[见阅看])\s*:?\s*)?@(\S+?)\.?", re.IGNORECASE
)
IMPORT_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The instruction files of all agents say the same.

    The canonical file is AGENTS.md, or without one the first tool's in the list of this page. Lines are compared without
    indentation, blank lines and front matter; similarity is 2·LCS/(n+m) over lines.

    Passes when: each tool's text is at least `threshold` similar to the canonical one, or is a link to it, or imports it
        in a file of at most three lines (`@AGENTS.md`).
    Fails when: one differs more.
    Unclear when: there is no instruction file at all, or one cannot be read.
    Cost: reads a few small files.
    Source: skillgate's gate of the same name.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={}, files={"AGENTS.md": "Run the tests.\n", "CLAUDE.md": "Never run anything.\n"}
    )

    threshold: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.95

    def answer(self, evidence: Evidence) -> Answer:
        """Find, compare."""
        found = {tool: files for tool, names in TOOLS if (files := _files_of(evidence, names))}
        if not found:
            return unclear("there is no instruction file of any agent", blame=Blame.CONTRACT,
                           remedy="Remove the requirement, or write AGENTS.md.")  # fmt: skip
        first = next(iter(found))
        canonical = found[first]
        try:
            wanted = _lines(evidence, canonical)
            drifted = [
                (tool, files, likeness)
                for tool, files in list(found.items())[1:]
                if (likeness := self._likeness(evidence, files, canonical, wanted)) < self.threshold
            ]
        except Unreadable as error:
            return unclear(f"an instruction file {error}", blame=Blame.ENVIRONMENT)
        name = ", ".join(shown(path) for path in canonical)
        if not drifted:
            return passed(f"{len(found)} instruction files agree with {name}")
        places = tuple(
            Place(path=shown(files[0]), note=f"{tool}, {likeness:.0%} alike") for tool, files, likeness in drifted
        )
        listed = ", ".join(f"{tool} ({likeness:.0%} alike)" for tool, _, likeness in drifted)
        return failed(f"{len(drifted)} of {len(found)} instruction files differ from {name}: {listed}", where=places,
                      remedy=f"Bring them to the text of {name}, or let them import it.")  # fmt: skip

    def _likeness(self, evidence: Evidence, files: list[str], canonical: list[str], wanted: list[str]) -> float:
        target = evidence.tree.entry(canonical[0]).real
        if len(files) == 1 and len(canonical) == 1:
            if evidence.tree.entry(files[0]).real == target:
                return 1.0
            if _imports(evidence, files[0], canonical[0]):
                return 1.0
        lines = _lines(evidence, files)
        if not lines and not wanted:
            return 1.0
        from rapidfuzz.distance import Indel

        return float(Indel.normalized_similarity(lines, wanted))


def _files_of(evidence: Evidence, names: tuple[str, ...]) -> list[str]:
    for name in names:
        folder, _, last = name.rpartition("/")
        if not last.startswith("*"):
            if evidence.tree.entry(name).kind is Kind.FILE:
                return [name]
        elif evidence.tree.entry(folder).kind is Kind.FOLDER:
            found = [f"{folder}/{item}" for item in evidence.tree.names(folder) if item.endswith(last[1:])]
            files = [path for path in found if evidence.tree.entry(path).kind is Kind.FILE]
            if files:
                return files
    return []


def _text(evidence: Evidence, path: str) -> str:
    try:
        return decode(evidence.tree.read(path, limit=MAX_TEXT))
    except Unreadable as error:
        raise Unreadable(f"cannot be used: {shown(path)} {error}") from None


def _lines(evidence: Evidence, files: list[str]) -> list[str]:
    text = "\n".join(_FRONT_MATTER.sub("", _text(evidence, path)) for path in files)
    return [line.strip() for line in text.split("\n") if line.strip()]


def _imports(evidence: Evidence, path: str, canonical: str) -> bool:
    lines = _lines(evidence, [path])
    if len(lines) > IMPORT_LINES:
        return False
    matches = [match for line in lines if (match := _IMPORT.fullmatch(line))]
    return any(posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1])) == canonical for match in matches)
