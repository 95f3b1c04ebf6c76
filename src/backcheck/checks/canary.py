"""A known-wrong case of a gate: what `doctor` and the tests use to see that the gate can go red."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """Arguments as a contract writes them, and a tree (path → text or bytes) on which the gate must fail.

    `base` is the tree before the work, for gates that compare.
    """

    arguments: Mapping[str, Any]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    base: Mapping[str, str | bytes] | None = None
