"""A contract as values: requirements, policy, and where in the file each of them stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backcheck.errors import Position
from backcheck.verdict import Isolation, Provenance, Severity

#: The doors at which a requirement can be asked, cheapest first.
DOORS = ("stop", "commit", "push", "server")

DEFAULT_ATTEMPTS = 5
NOWHERE = Position(path="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One thing that must hold: a check's name and arguments, and how much its answer weighs.

    `positions` maps a dotted field (`check`, `with.pattern`) to its place; `stricter` says in one sentence where
    this answers more strictly than the foreign tool it was written for.
    """

    id: str
    check: str
    description: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    severity: Severity = Severity.BLOCK
    priority: str = ""
    provenance: Provenance = Provenance.ASSERTED
    isolation: Isolation = Isolation.NONE
    inputs: tuple[str, ...] = ()
    at: tuple[str, ...] = DOORS
    budget: float | None = None
    dimension: str = ""
    hidden: bool = False
    position: Position = NOWHERE
    positions: Mapping[str, Position] = field(default_factory=dict)
    stricter: tuple[str, ...] = ()

    def place(self, name: str) -> Position:
        """Where `name` (or the nearest enclosing field) stands in the contract."""
        while name:
            if name in self.positions:
                return self.positions[name]
            name = name.rpartition(".")[0]
        return self.position


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A distribution whose gates the contract admits, by exact version, and where the contract says so."""

    distribution: str
    version: str
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What "done" means for one task. `digest` is the sha256 of the file's bytes, `format` its dialect.

    `root` is the folder its paths count from, relative to the folder in which it was looked for.
    """

    path: str
    format: str
    digest: str
    requirements: tuple[Requirement, ...]
    version: int = 1
    subject: str = "workspace"
    task: str = ""
    prepare: tuple[str, ...] = ()
    network: bool = False
    trusted_keys: tuple[str, ...] = ()
    recorder_keys: tuple[str, ...] = ()
    attempts: int = DEFAULT_ATTEMPTS
    plugins: tuple[Plugin, ...] = ()
    notes: tuple[str, ...] = ()
