"""Names → gates. A gate's file name is its name; it is imported only when a contract names it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from backcheck.contract.model import Requirement
from backcheck.contract.nodes import nearest
from backcheck.errors import UserError

PACKAGE = "backcheck.checks.gates"


def names() -> list[str]:
    """The names of the gates that come with backcheck, sorted."""
    folder = Path(__file__).parent / "gates"
    return sorted(path.stem.replace("_", "-") for path in folder.glob("*.py") if not path.stem.startswith("_"))


def own_gate(name: str) -> type[Any]:
    """The gate class of this name. Errors: UserError that lists the names."""
    if name not in names():
        raise UserError(f"no check `{name}`{nearest(name, names())}", slug="contract-unknown-check")
    module = importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}")
    gate: type[Any] = module.Gate
    return gate


def gate_for(requirement: Requirement, plugins: dict[str, type[Any]] | None = None) -> type[Any]:
    """The gate class that a requirement names. Errors: UserError at the requirement's place."""
    if plugins and requirement.check in plugins:
        return plugins[requirement.check]
    try:
        return own_gate(requirement.check)
    except UserError as error:
        known = [*names(), *(plugins or ())]
        raise UserError(f"no check `{requirement.check}`{nearest(requirement.check, known)}",
                        where=requirement.place("check"), slug=error.slug) from None  # fmt: skip
