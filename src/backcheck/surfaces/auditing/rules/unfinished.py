"""Code that ships and says of itself that it is not there yet; evidence that is named and not there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON, read_code
from backcheck.checks.code.marks import UNFINISHED
from backcheck.checks.code.model import Stub, Unparsed
from backcheck.checks.words import plain
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project

#: Instruction files that agents read.
INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules", "CONVENTIONS.md",
                ".claude/CLAUDE.md", ".windsurfrules")  # fmt: skip
#: Lines of a function that are read for what it says.
_LONGEST_STUB = 12
#: What an abstract method says as well: only an exception by name, or by these words and no more.
_NO_WORDS = re.compile(
    r"raise notimplementederror(?:\(\))?|nothing (?:yet )?to be done|notimplemented(?:error)?|"
    r"throw (?:new )?\w*error\s*\(\s*['\"`](?:method )?(?:is )?not implemented[.!]?['\"`]\s*\)",
    re.IGNORECASE,
)
#: "No-op, only … for now" says that doing nothing is the work.
_NO_OP = re.compile(r"\bno-?op\b")
_THROWN = re.compile(r"\bthrow\s[^;\n]*")
#: A word of these in any line says that only stubs are meant to be found.
_HINT = re.compile(r"implement|todo|fixme|stub|placeholder|for now|待实现|未实现", re.IGNORECASE)
_QUOTED = re.compile(r"`([\w.@-]+(?:/[\w.@-]+)+\.(?:json|xml|log|txt|md|html|csv|lcov|info|out|sarif|tap))`")
_EVIDENCE = re.compile(r"evidence|proof|report|result|coverage|verified|passed|log\b|证据|报告", re.IGNORECASE)
_TO_COME = re.compile(
    r"\b(?:write|create|generate|produce|output|save|emit|store|put|add|will|should|must|e\.g\.|example|if|when|optional)",
    re.IGNORECASE,
)


def stub_ships(project: Project) -> Iterator[Corner]:
    """A function in code that ships does no work and says, inside it, that it is unfinished.

    A method that only raises `NotImplementedError` may be a subclass's to write, so it must say more than that. Protocols,
    abstract methods and refusals with a reason are no stubs. Worth a look: a comment may be older than the code.
    """
    for path, text in project.sources(PYTHON | ECMASCRIPT):
        if not _HINT.search(text):
            continue
        try:
            code = read_code(path, text)
        except Unparsed as error:
            project.problems.append(f"{path}: it {error}")
            continue
        lines = text.split("\n")
        for function in code.functions if code else ():
            if function.stub is Stub.UNFINISHED and _says_so(lines, function.line):
                yield Corner(
                    rule="stub-ships", certainty=Certainty.LOOK, path=path, line=function.line, closes="placeholder",
                    says=f"`{function.name}` {function.stub.value}, and it ships",
                )  # fmt: skip


def _says_so(lines: list[str], line: int) -> bool:
    """Whether a function without work says that it is unfinished, by more than the name of an exception."""
    first = lines[line - 1]
    indent = len(first) - len(first.lstrip())
    body = [first]
    for below in lines[line : line + _LONGEST_STUB]:
        if (
            below.strip()
            and len(below) - len(below.lstrip()) <= indent
            and not below.lstrip().startswith((")", "}", "]"))
        ):
            break
        body.append(below)
    decorated = line > 1 and lines[line - 2].lstrip().startswith("@")
    module_level = indent == 0 and not decorated and first.startswith(("def ", "async def ", "function ", "export "))
    # What a member throws may be what it is there to say to whoever leaves it out in a class of his own.
    text = "\n".join(body) if module_level else _THROWN.sub(" ", "\n".join(body))
    said = _NO_WORDS.sub(" ", plain(text))
    last = next((line for line in reversed(body) if line.strip()), "")
    bare = re.search(r"raise NotImplementedError(?:\(\))?\s*(?:#.*)?$", last)
    unfinished = UNFINISHED.search(said) is not None and not _NO_OP.search(said)
    return unfinished or (module_level and bare is not None)


def named_evidence_missing(project: Project) -> Iterator[Corner]:
    """An instruction file for agents points to a file of evidence that is not in the tree.

    Asked in repositories only. A line that says the file is yet to be written is left out.
    """
    if not project.git:
        return
    for path in INSTRUCTIONS:
        for number, line in enumerate((project.text(path) or "").split("\n"), start=1):
            if not _EVIDENCE.search(line) or _TO_COME.search(line):
                continue
            for found in _QUOTED.finditer(line):
                named = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
                if not project.has(named) and not project.has(posixpath.normpath(found[1])):
                    yield Corner(
                        rule="named-evidence-missing", certainty=Certainty.LOOK, path=path, line=number,
                        closes="not-empty", says=f"`{found[1]}` is named as evidence, and there is no such file",
                    )  # fmt: skip
