"""What a sentence names in backticks: files, calls, names; and which of them the tree does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from backcheck.checks.substance.lookup import Kind, kind_of_name, plain_name
from backcheck.checks.words import plain

_TICKED = re.compile(r"(?<!`)(`{1,2})(?!`)\s*([^`\n]{1,160}?)\s*\1(?!`)")
_SENTENCE = re.compile(r"[^.!?。！？;；\n]*(?:[.!?](?=\w)[^.!?。！？;；\n]*)*")
#: Sentences on what is gone, was not done or is not here.
_AWAY = re.compile(
    r"(?<![a-z])(?:remov\w+|delet\w+|drop(?:s|ped|ping)?|renam\w+|replac\w+|no longer|instead of|got rid|get rid|"
    r"deprecat\w+|retir\w+|uninstall\w*|"
    r"without|not|never|n't|none|no|neither|nor|from|like|such as|e\.g\.|for example|"
    r"would|could|might|if|plan\w*|later|next|should)(?![a-z])|"
    r"删除|删掉|移除|去掉|重命名|改名|替换|代替|不再|没有|未|不|例如|比如|计划|以后"
)
_STRUCTURED = re.compile(r"_|[a-z][A-Z]|[.:]|\(\)$|^--")


class Named(NamedTuple):
    """A name in a text: its line, its kind, and whether the sentence plainly says that it is there."""

    name: str
    line: int
    kind: Kind
    plainly: bool


def names_in(text: str) -> list[Named]:
    """Names in backticks, each once; commands, plain words and values are none."""
    found: dict[str, Named] = {}
    fenced = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced:
            continue
        for match in _TICKED.finditer(line):
            name = match[2]
            kind = kind_of_name(name)
            if kind is None or (kind is Kind.SYMBOL and not _STRUCTURED.search(name)):
                continue
            sure = kind is Kind.PATH or name.endswith("()")
            found.setdefault(name, Named(name, number, kind, sure and not _away(line, match)))
    return list(found.values())


def _away(line: str, match: re.Match[str]) -> bool:
    """Whether the sentence around a name says that it is not there, or does not say that it is."""
    start = max((line.rfind(mark, 0, match.start()) for mark in (". ", "! ", "? ", "。", "；", "; ")), default=-1)
    ends = [at for mark in (". ", "! ", "? ", "。", "；", "; ") if (at := line.find(mark, match.end())) >= 0]
    sentence = line[start + 1 : min(ends, default=len(line))]
    return _AWAY.search(plain(_TICKED.sub(" ", sentence))) is not None


def missing_paths(names: Iterable[Named], paths: Iterable[str]) -> list[Named]:
    """Paths that are the end of no path of the tree; a folder may be named, and `*` stands for anything."""
    known = [f"/{path}" for path in paths]
    ends = {known_path[at:] for known_path in known for at in _slashes(known_path)}
    folders = {end[:at] for end in ends for at in _slashes(end) if at}
    return [item for item in names if not _there(item.name, ends, folders)]


def _slashes(path: str) -> list[int]:
    return [at for at, c in enumerate(path) if c == "/"]


def _there(name: str, ends: set[str], folders: set[str]) -> bool:
    wanted = "/" + name.removeprefix("./").strip("/").partition(":")[0].partition("#")[0]
    if any(c in wanted for c in "*{<$["):
        return True
    return wanted in ends or wanted in folders


def words_of(item: Named) -> bytes:
    """What must stand in a file for a name to be there: its last part."""
    last = plain_name(item.name).rpartition(".")[2] if item.kind is Kind.SYMBOL else plain_name(item.name)
    return last.encode("utf-8", "replace")
