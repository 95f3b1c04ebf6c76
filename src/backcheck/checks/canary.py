"""A known-wrong case of a gate: what `doctor` and the tests use to see that the gate can go red."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Canary(NamedTuple):
    """Arguments as a contract writes them, and a tree (path → text or bytes) on which the gate must fail.

    `base` is the tree before the work, for gates that compare.
    """

    arguments: Mapping[str, Any]
    files: Mapping[str, str | bytes] = MappingProxyType({})
    base: Mapping[str, str | bytes] | None = None
