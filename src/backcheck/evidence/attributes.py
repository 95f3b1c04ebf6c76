"""The base's `.gitattributes`: in which form git writes a file to disk, where that is another than the one it keeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

#: Reads the attributes file of a folder (relative to the top, root is ``), or None where the base has none.
AttributeReader = Callable[[str], bytes | None]

FILE = ".gitattributes"
#: What git itself means by a name.
_BUILT_IN = {"binary": {"diff": "false", "merge": "false", "text": "false"}}
_MAX = 1024 * 1024
_IDENT = re.compile(rb"\$Id:[^$\n]*\$")
#: Encodings that are undone here, as git names them.
_ENCODINGS = {"utf-16": "utf-16", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "utf-16le-bom": "utf-16",
              "utf-32": "utf-32", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "utf-8": "utf-8"}  # fmt: skip


class Attributes:
    """Attributes by path. A set attribute has the value `true`, an unset one `false`."""

    def __init__(self, read: AttributeReader) -> None:
        self._read = read
        self._rules: dict[str, list[tuple[Any, Mapping[str, str | None]]]] = {}
        self._macros: dict[str, Mapping[str, str | None]] = dict(_BUILT_IN)

    def of(self, path: str) -> dict[str, str]:
        """What holds for a file: of the same name, the deepest file's last line. Errors: as the reader."""
        found: dict[str, str | None] = {}
        folders = [path[:at] for at in range(len(path)) if path[at] == "/"]
        for folder in ("", *folders):
            if folder not in self._rules:
                self._rules[folder] = self._parse(folder)
            name = path[len(folder) + 1 :] if folder else path
            for pattern, attributes in self._rules[folder]:
                if pattern.match_file(name):
                    found.update(attributes)
        return {name: value for name, value in found.items() if value is not None}

    def _parse(self, folder: str) -> list[tuple[Any, Mapping[str, str | None]]]:
        from pathspec import GitIgnoreSpec

        raw = self._read(folder) or b""
        rules: list[tuple[Any, Mapping[str, str | None]]] = []
        for line in raw[:_MAX].decode("utf-8", "surrogateescape").splitlines():
            words = _words(line)
            if not words or words[0].startswith(("#", "!")):
                continue
            attributes = self._attributes(words[1:])
            if words[0].startswith("[attr]"):
                self._macros[words[0].removeprefix("[attr]")] = attributes
            else:
                rules.append((GitIgnoreSpec.from_lines([words[0]]), attributes))
        return rules

    def _attributes(self, words: list[str]) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if name.startswith("-"):
                found[name[1:]] = "false"
            elif name.startswith("!"):
                found[name[1:]] = None
            else:
                found |= self._macros.get(name, {})
                found[name] = value if equals else "true"
        return found


def _words(line: str) -> list[str]:
    """The pattern and the attributes of a line; a pattern may stand in quotes."""
    line = line.strip()
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"', line)
    if quoted is None:
        return line.split()
    return [re.sub(r"\\(.)", r"\1", quoted[1]), *line[quoted.end() :].split()]


def as_kept(data: bytes, attributes: Mapping[str, str]) -> bytes | None:
    """A file's bytes as git keeps them, line ends apart; None where a program of the repository's would have to say."""
    encoding = attributes.get("working-tree-encoding", "utf-8").lower()
    if attributes.get("filter", "false") not in ("false", "lfs") or encoding not in _ENCODINGS:
        return None
    if encoding != "utf-8":
        try:
            data = data.decode(_ENCODINGS[encoding]).encode("utf-8")
        except UnicodeError:
            return data
    return _IDENT.sub(b"$Id$", data) if attributes.get("ident") == "true" else data
