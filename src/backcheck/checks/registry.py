"""Names → gates. A gate's file name is its name; it is imported only when a contract names it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backcheck.contract.model import Plugin, Requirement
from backcheck.contract.nodes import nearest
from backcheck.errors import Position, UserError

PACKAGE = "backcheck.checks.gates"
ENTRY_POINTS = "backcheck.gates"


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


def load_plugins(plugins: Iterable[Plugin], where: Position) -> dict[str, type[Any]]:
    """Gates of the distributions that the contract admits, by name. Errors: UserError; nothing is skipped in silence."""
    found: dict[str, type[Any]] = {}
    for plugin in plugins:
        for name, gate in _gates_of(plugin, where).items():
            if name in found or name in names():
                raise UserError(f"`{plugin.distribution}` brings a check `{name}` that is already there", where=where,
                                slug="plugin")  # fmt: skip
            found[name] = gate
    return found


def _gates_of(plugin: Plugin, where: Position) -> dict[str, type[Any]]:
    from importlib import metadata

    try:
        distribution = metadata.distribution(plugin.distribution)
    except metadata.PackageNotFoundError:
        raise UserError(f"the plugin `{plugin.distribution}` is not installed beside backcheck", where=where,
                        slug="plugin") from None  # fmt: skip
    if distribution.version != plugin.version:
        raise UserError(f"the contract admits `{plugin.distribution}` {plugin.version}; {distribution.version} is installed",
                        where=where, slug="plugin")  # fmt: skip
    entries = [entry for entry in distribution.entry_points if entry.group == ENTRY_POINTS]
    if not entries:
        raise UserError(f"the plugin `{plugin.distribution}` brings no check", where=where, slug="plugin")
    try:
        return {entry.name: entry.load() for entry in entries}
    except Exception as error:
        raise UserError(f"the plugin `{plugin.distribution}` cannot be loaded: {error}", where=where,
                        slug="plugin") from error  # fmt: skip
