"""A shell text as the simple commands in it, read by its syntax tree: what is quoted, piped, substituted or in a here-document.

A word whose value only running would tell is None. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_TEXT = 1024 * 1024
MAX_CALLS = 2000
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_ANSI = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\([$`"\\\n])')

Word = str | None


class TooLong(Exception):
    """The text is longer, or holds more commands, than is read."""


@dataclass(slots=True)
class Call:
    """One simple command: its words, the text of a here-document or here-string that it reads, and what is piped in."""

    words: list[Word]
    #: The words as they are written.
    raw: list[str] = field(default_factory=list)
    stdin: str | None = None
    #: The command whose output it reads, if that is one simple command.
    source: Call | None = None
    #: Whether it is part of a substitution, so that its output becomes somebody's word.
    inner: bool = False


@dataclass(slots=True)
class _Reader:
    variables: dict[str, Word] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)

    def visit(
        self, node: Any, stdin: str | None = None, source: Call | None = None, inner: bool = False
    ) -> Call | None:
        """Collect the calls below a node; the last one is handed back, for it is what a pipe reads."""
        kind = node.type
        if kind == "command":
            return self._command(node, stdin, source, inner)
        if kind == "redirected_statement":
            return self._redirected(node, source, inner)
        if kind == "pipeline":
            for part in node.named_children:
                source = self.visit(part, stdin, source, inner)
                stdin = None
            return source
        if kind in ("variable_assignment", "declaration_command"):
            self._assign(node, inner)
            return None
        if kind in ("comment", "heredoc_body", "heredoc_start", "heredoc_end"):
            return None
        inner = inner or kind in ("command_substitution", "process_substitution")
        last = None
        for child in node.named_children:
            last = self.visit(child, stdin, source, inner) or last
        return last

    def _command(self, node: Any, stdin: str | None, source: Call | None, inner: bool) -> Call:
        words: list[Word] = []
        raw = [child.text.decode("utf-8", "replace") for child in node.named_children]
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child, inner)
            elif child.type in ("herestring_redirect",):
                stdin = self._joined(child)
            elif child.type.endswith("redirect"):
                self.visit(child, inner=inner)
            else:
                words += self._words(child.named_children[0] if child.type == "command_name" else child)
                self._substitutions(child)
        call = Call(words=words, raw=raw, stdin=stdin, source=source, inner=inner)
        self.calls.append(call)
        if len(self.calls) > MAX_CALLS:
            raise TooLong(f"more than {MAX_CALLS} commands")
        return call

    def _redirected(self, node: Any, source: Call | None, inner: bool) -> Call | None:
        stdin = None
        piped = []
        for child in node.named_children:
            if child.type == "heredoc_redirect":
                for part in child.named_children:
                    if part.type == "heredoc_body":
                        stdin = part.text.decode("utf-8", "replace")
                        self._substitutions(part)
                    elif part.type in ("pipeline", "command", "list"):
                        piped.append(part)
            elif child.type == "herestring_redirect":
                stdin = self._joined(child)
        last = None
        for child in node.named_children:
            if not child.type.endswith("_redirect"):
                last = self.visit(child, stdin, source, inner)
            elif child.type == "file_redirect":
                self._substitutions(child)
        for part in piped:
            last = self.visit(part, stdin, last, inner)
        return last

    def _joined(self, node: Any) -> str | None:
        words = [word for child in node.named_children for word in self._words(child)]
        return None if None in words else " ".join(word for word in words if word is not None)

    def _assign(self, node: Any, inner: bool) -> None:
        if node.type == "declaration_command":
            for child in node.named_children:
                if child.type == "variable_assignment":
                    self._assign(child, inner)
            return
        name, *value = node.named_children
        words = self._words(value[0]) if value else [""]
        self.variables[name.text.decode("utf-8", "replace")] = words[0] if len(words) == 1 else None
        if value:
            self._substitutions(value[0])

    def _substitutions(self, node: Any) -> None:
        """Commands inside a word run, whatever becomes of the word."""
        if node.type in ("command_substitution", "process_substitution"):
            self.visit(node, inner=True)
            return
        for child in node.named_children:
            self._substitutions(child)

    def _words(self, node: Any) -> list[Word]:
        """The words that one node becomes: several where braces list them, one otherwise."""
        text = node.text.decode("utf-8", "replace")
        if node.type in ("word", "number"):
            if re.search(r"(?<!\\)\{[^{}]*,[^{}]*\}", text):
                return list(_braces(text))
            return [_ESCAPE.sub(lambda m: "" if m[1] == "\n" else m[1], text)]
        if node.type == "raw_string":
            return [text[1:-1]]
        if node.type == "ansi_c_string":
            return [_ANSI.sub(_ansi, text[2:-1])]
        if node.type in ("string", "translated_string"):
            return [self._string(node)]
        if node.type in ("simple_expansion", "expansion"):
            return self._variable(node)
        if node.type == "concatenation":
            return self._concatenation(node, text)
        if node.type == "command_substitution":
            return [_said(node)]
        return [None]

    def _string(self, node: Any) -> Word:
        parts: list[Word] = []
        start = node.start_byte + 1
        raw = node.text
        for child in node.named_children:
            # White space between parts belongs to no node of its own.
            parts.append(raw[start - node.start_byte : child.start_byte - node.start_byte].decode("utf-8", "replace"))
            if child.type == "string_content":
                parts.append(
                    _QUOTED_ESCAPE.sub(lambda m: "" if m[1] == "\n" else m[1], child.text.decode("utf-8", "replace"))
                )
            else:
                parts += self._words(child)
            start = child.end_byte
        return None if None in parts else "".join(part for part in parts if part is not None)

    def _variable(self, node: Any) -> list[Word]:
        plain = node.named_child_count == 1 and node.named_children[0].type == "variable_name"
        if not plain or len(node.text) > len(node.named_children[0].text) + 3:
            return [None]
        value = self.variables.get(node.named_children[0].text.decode("utf-8", "replace"))
        # Unquoted, a value with white space is several words.
        return list(value.split()) if value else [value]

    def _concatenation(self, node: Any, text: str) -> list[Word]:
        if text.startswith("{") and "," in text and text.endswith("}"):
            return list(_braces(text))
        parts = [word for child in node.children for word in self._words(child)]
        return [None if None in parts else "".join(part for part in parts if part is not None)]


def _said(node: Any) -> Word:
    """What `$(echo …)` or `$(printf …)` of plain words gives; unknown for all else."""
    inner = _Reader()
    if node.named_child_count != 1 or node.named_children[0].type != "command":
        return None
    words = inner.visit(node.named_children[0])
    if words is None or not words.words or words.words[0] not in ("echo", "printf") or None in words.words:
        return None
    said = " ".join(word for word in words.words[1:] if word is not None and word != "-n")
    return None if words.words[0] == "printf" and "%" in said else said


def _braces(text: str) -> Iterator[str]:
    before, _, rest = text.partition("{")
    listed, _, after = rest.partition("}")
    for item in listed.split(","):
        yield _ESCAPE.sub(lambda m: m[1], f"{before}{item}{after}")


def _ansi(match: re.Match[str]) -> str:
    for number, base in ((1, 16), (2, 16), (3, 16), (4, 8)):
        if match[number]:
            value = int(match[number], base)
            return chr(value) if value < 0x110000 else ""
    return _NAMED.get(match[5], match[5])


def calls_of(text: str) -> list[Call]:
    """Every simple command of a text, also those in substitutions, functions, branches and loops. Errors: TooLong."""
    import tree_sitter
    import tree_sitter_bash

    raw = text.encode("utf-8", "replace").replace(b"\0", b"")
    if len(raw) > MAX_TEXT:
        raise TooLong(f"more than {MAX_TEXT >> 20} MiB")
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    reader = _Reader()
    reader.visit(parser.parse(raw).root_node)
    return reader.calls
