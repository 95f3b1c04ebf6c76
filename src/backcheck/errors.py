"""The only exception a user reads, and the place it points to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place in a text file; line and column count from 1, 0 means "the file as a whole"."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{self.column}" if self.column else f"{self.path}:{self.line}"


class UserError(Exception):
    """Something the caller can mend. `slug` is the heading of its page in docs/messages.md.

    Shown as one line, `backcheck: PLACE: MESSAGE`, with exit code 2.
    """

    def __init__(self, message: str, *, where: Position | str | None = None, slug: str = "usage") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.slug = slug

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.message}"
