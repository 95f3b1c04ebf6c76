"""Shell tokens → commands, pipelines and what joins them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from backcheck.contract.shelltext import Token, Unread


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its words without redirections. Not `sure` where a redirection may itself fail."""

    words: tuple[Token, ...]
    sure: bool


#: Pipelines joined by && and ||, each with the joiner before it; a last `("&", [])` sends the list to the background.
AndOr: TypeAlias = list[tuple[str, list[Command]]]


def lists_of(found: list[Token]) -> list[AndOr]:
    """The lists of commands that follow each other. Errors: Unread for what is no plain sequence."""
    reader = _Reader()
    for token in [*found, Token("\n", operator=True)]:
        reader.take(token)
    if reader.joiner or reader.pipeline:
        raise Unread("an operator that leads nowhere")
    return reader.lists


class _Reader:
    """Takes tokens one by one."""

    def __init__(self) -> None:
        self.lists: list[AndOr] = []
        self.current: AndOr = []
        self.pipeline: list[Command] = []
        self.words: list[Token] = []
        self.joiner = ""

    def take(self, token: Token) -> None:
        if not token.operator:
            self.words.append(token)
            return
        if token.text == "\n" and not self.words:
            if not (self.pipeline or self.joiner):
                self._end_list("")
            return
        if not self.words:
            raise Unread("an operator without a command before it")
        self.pipeline.append(_command(self.words))
        self.words = []
        if token.text == "|":
            return
        self.current.append((self.joiner, self.pipeline))
        self.pipeline = []
        self.joiner = token.text if token.text in {"&&", "||"} else ""
        if not self.joiner:
            self._end_list(token.text)

    def _end_list(self, operator: str) -> None:
        if self.current and operator == "&":
            self.current.append(("&", []))
        self.lists += [self.current] if self.current else []
        self.current = []


def _command(words: list[Token]) -> Command:
    kept: list[Token] = []
    sure, target_next = True, False
    for token in words:
        body = token.text.lstrip("0123456789&")
        if target_next:
            target_next = False
            sure = sure and token.text == "/dev/null"
        elif token.plain and body.startswith((">", "<")):
            target = body.lstrip("<>")
            target_next = not target
            sure = sure and (not target or target == "/dev/null" or target.startswith("&"))
        else:
            kept.append(token)
    while len(kept) > 1 and is_assignment(kept[0]):
        kept = kept[1:]
    return Command(tuple(kept), sure)


def is_assignment(token: Token) -> bool:
    """Whether a word is `NAME=value`."""
    name, equals, _ = token.text.partition("=")
    return bool(equals) and name.isidentifier()
