"""`backcheck doctor`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from backcheck import engine
from backcheck.checks.api import Evidence
from backcheck.checks.registry import own_gate
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.cli.check import print_json
from backcheck.surfaces.machine import machine_facts
from backcheck.surfaces.session import open_session
from backcheck.testing import ask, evidence_of, tree_of
from backcheck.verdict import Channel, Status


@click.command("doctor", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("contract", required=False)
@click.option("-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.pass_context
def command(ctx: click.Context, contract: str | None, directory: str, as_json: bool) -> None:
    """Show that each check of the contract can go red, and what this machine has.

    Each check is given its known-wrong case, which must fail; then each requirement is asked about an empty folder, where
    it must not pass. Exit code 1 where one of them does.
    """
    session = open_session(folder=directory, contract=contract)
    try:
        found = session.place.contract
        bound = engine.bind_all(found) if found else []
    finally:
        session.close()
    rows = [examine(item) for item in bound]
    facts = machine_facts()
    if as_json:
        print_json({"schema": "backcheck.doctor/1", "checks": rows, "machine": facts})
    else:
        click.echo("\n".join([*map(_line, rows), "", *(f"{name:<12}{value}" for name, value in facts.items())]))
    ctx.exit(1 if any(not row["ok"] for row in rows) else 0)


def examine(item: engine.Bound) -> dict[str, Any]:
    """Whether a requirement's check can go red, and what it says of an empty folder."""
    requirement = item.requirement
    canary, said = _canary(requirement.check)
    empty = _on_nothing(item)
    ok = canary in {"red", "a person's"} and empty is not Status.PASS
    note = said
    if empty is Status.PASS:
        note = "it passes in an empty folder: it looks at nothing that the work could change"
    return {"requirement": requirement.id, "check": requirement.check, "ok": ok, "canary": canary,
            "empty_folder": empty.value, "note": note}  # fmt: skip


def _canary(check: str) -> tuple[str, str]:
    gate = own_gate(check)
    if gate.channel is Channel.HUMAN:
        return "a person's", "a person answers; nothing to try"
    canary = gate.canary
    with tree_of(dict(canary.files)) as root:
        answer = ask(gate, canary.arguments, root, base=canary.base)
    return ("red" if answer.status is Status.FAIL else answer.status.value), answer.reason


def _on_nothing(item: engine.Bound) -> Status:
    with tempfile.TemporaryDirectory(prefix="backcheck-doctor-") as folder:
        evidence: Evidence = evidence_of(Path(folder))
        evidence.tree = DiskTree(folder)
        return engine.ask(item, evidence).status


def _line(row: dict[str, Any]) -> str:
    mark = "✓" if row["ok"] else "✗"
    return (
        f"{mark} {row['requirement']}  [{row['check']}] canary: {row['canary']}, empty folder: {row['empty_folder']}"
        + (f"\n    {row['note']}" if not row["ok"] else "")
    )
