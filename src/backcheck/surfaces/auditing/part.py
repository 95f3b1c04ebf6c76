"""One requirement that is yet to be written: its values, each with the reason why it is there."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Value = str | int | float | bool | Sequence[str] | Mapping[str, int]
#: Name → (value, why).
Explained = Mapping[str, tuple[Value, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One requirement; `about` is said above it."""

    id: str
    description: str
    check: str
    about: str
    arguments: Explained = field(default_factory=dict)
    fields: Explained = field(default_factory=dict)


def program(part: Part) -> str:
    """The program that a requirement runs; empty where it runs none, or a line of shell."""
    argv = part.arguments.get("run", ("", ""))[0]
    return argv[0] if isinstance(argv, Sequence) and not isinstance(argv, str) and argv else ""


def here(part: Part) -> bool:
    """Whether the program that a requirement runs is on this machine."""
    name = program(part)
    return not name or shutil.which(name) is not None
