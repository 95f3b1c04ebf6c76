"""What is left of a file when its form is taken away: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Something that a file defines: the line (from 1), its substance to compare it by, and whether it does no work."""

    line: int
    substance: str
    stub: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Substance:
    """A file without white space, comments, docstrings and stubs.

    `whole` compares files: equal texts differ in form only, and an empty one is of a file without any work.
    `definitions` are by dotted name; empty where the language is not parsed.
    """

    whole: str
    definitions: Mapping[str, tuple[Definition, ...]] = field(default_factory=dict)
    parsed: bool = False
