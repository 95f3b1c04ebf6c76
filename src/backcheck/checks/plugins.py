"""Gates of other distributions: only those that a contract admits by name and version, and none that is skipped.

They run as part of backcheck, with its rights: whoever admits a distribution trusts its code as much as backcheck's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from backcheck.checks.registry import names
from backcheck.contract.model import Plugin
from backcheck.errors import UserError
from backcheck.verdict import Channel, Provenance

ENTRY_POINTS = "backcheck.gates"


def load_plugins(plugins: Iterable[Plugin]) -> dict[str, type[Any]]:
    """Gates of the distributions that the contract admits, by name. Errors: UserError; nothing is skipped in silence."""
    found: dict[str, type[Any]] = {}
    for plugin in plugins:
        for name, gate in _gates_of(plugin):
            if name in found or name in names():
                raise _error(f"`{plugin.distribution}` brings a check `{name}` that is already there", plugin)
            found[name] = gate
    return found


def _gates_of(plugin: Plugin) -> Iterator[tuple[str, type[Any]]]:
    from importlib import metadata

    try:
        distribution = metadata.distribution(plugin.distribution)
    except (metadata.PackageNotFoundError, ValueError):
        raise _error(f"the plugin `{plugin.distribution}` is not installed beside backcheck", plugin) from None
    if distribution.version != plugin.version:
        raise _error(
            f"the contract admits `{plugin.distribution}` {plugin.version}; {distribution.version} is installed", plugin
        )
    entries = [entry for entry in distribution.entry_points if entry.group == ENTRY_POINTS]
    if not entries:
        raise _error(f"the plugin `{plugin.distribution}` brings no check", plugin)
    for entry in entries:
        try:
            gate = entry.load()
        # An import may end the process as well, with an exit code that would read as a verdict.
        except (Exception, SystemExit) as error:
            what = f"{type(error).__name__}: {error}"
            raise _error(f"the plugin `{plugin.distribution}` cannot be loaded: {what}", plugin) from error
        problem = why_no_gate(gate)
        if problem:
            raise _error(f"the check `{entry.name}` of `{plugin.distribution}` {problem}", plugin)
        yield entry.name, gate


def why_no_gate(gate: object) -> str:
    """What keeps a thing from being a gate (see `checks.api.Check`), or empty text."""
    if not isinstance(gate, type) or not dataclasses.is_dataclass(gate):
        return "is no dataclass"
    if not callable(getattr(gate, "answer", None)):
        return "has no method `answer`"
    if not isinstance(getattr(gate, "channel", None), Channel):
        return "does not say its `channel`"
    if not isinstance(getattr(gate, "provenance", None), Provenance):
        return "does not say its `provenance`"
    return ""


def _error(message: str, plugin: Plugin) -> UserError:
    return UserError(message, where=plugin.position, slug="plugin")
