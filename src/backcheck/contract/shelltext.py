"""A shell command's words and operators, read only as far as its exit code needs; what is not plain stays unread."""

from __future__ import annotations

from dataclasses import dataclass

#: Longest first.
_OPERATORS = ("&&", "||", ";;", "|&", ";", "&", "|", "\n", "(", ")")


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its quotes taken off, or an operator. `plain`: nothing in the word is expanded by the shell."""

    text: str
    operator: bool = False
    plain: bool = True


class Unread(ValueError):
    """The text has something that this reader leaves alone (here-documents, open quotes)."""


def tokens(source: str) -> list[Token]:
    """Split a command. Errors: Unread."""
    found: list[Token] = []
    at = 0
    while at < len(source):
        character = source[at]
        if source.startswith("\\\n", at):
            at += 2
        elif character in " \t\r":
            at += 1
        elif character == "#":
            end = source.find("\n", at)
            at = len(source) if end < 0 else end
        elif source.startswith("<<", at):
            raise Unread("a here-document")
        else:
            token, at = _operator(source, at) or _word(source, at)
            found.append(token)
    return found


def _operator(source: str, at: int) -> tuple[Token, int] | None:
    for text in _OPERATORS:
        if source.startswith(text, at):
            return Token(text, operator=True), at + len(text)
    return None


def _word(source: str, at: int) -> tuple[Token, int]:
    text: list[str] = []
    plain = True
    while at < len(source) and source[at] not in " \t\r\n;|()":
        character = source[at]
        if character == "&" and (not text or text[-1] not in "<>") and source[at + 1 : at + 2] != ">":
            break
        if character == "\\":
            text.append(source[at + 1 : at + 2])
            at += 2
        elif character == "'":
            end = source.find("'", at + 1)
            if end < 0:
                raise Unread("an open quote")
            text.append(source[at + 1 : end])
            at = end + 1
        elif character == '"':
            piece, at = _double_quoted(source, at + 1)
            text.append(piece)
            plain = plain and "$" not in piece and "`" not in piece
        elif character in "$`":
            plain = False
            piece, at = _expansion(source, at)
            text.append(piece)
        else:
            text.append(character)
            at += 1
    return Token("".join(text), plain=plain), at


def _double_quoted(source: str, at: int) -> tuple[str, int]:
    start = at
    while at < len(source) and source[at] != '"':
        if source[at] == "\\":
            at += 2
        elif source[at] in "$`":
            _, at = _expansion(source, at)
        else:
            at += 1
    if at >= len(source):
        raise Unread("an open quote")
    return source[start:at], at + 1


def _expansion(source: str, at: int) -> tuple[str, int]:
    """`$(...)`, `${...}`, a back-quoted command or a bare `$`, as one piece."""
    start = at
    if source[at] == "`":
        end = source.find("`", at + 1)
        if end < 0:
            raise Unread("an open back quote")
        return source[start : end + 1], end + 1
    closer = {"(": ")", "{": "}"}.get(source[at + 1 : at + 2])
    if closer is None:
        return "$", at + 1
    opener, depth = source[at + 1], 0
    at += 1
    while at < len(source):
        depth += (source[at] == opener) - (source[at] == closer)
        at += 1
        if depth == 0:
            return source[start:at], at
    raise Unread("an open expansion")
