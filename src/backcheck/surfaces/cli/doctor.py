"""`backcheck doctor`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import click

from backcheck import engine
from backcheck.contract.model import Requirement
from backcheck.errors import Position, UserError
from backcheck.surfaces.cli.check import print_json
from backcheck.surfaces.hooks.proving import Proof, prove_all
from backcheck.surfaces.machine import machine_facts
from backcheck.surfaces.session import open_session
from backcheck.testing import evidence_of, make_gate, tree_of
from backcheck.verdict import Channel, Status

PERSON = "a person's"
#: By whether a requirement is in order.
LEGEND = {
    True: "✓ its check fails on a case that is known to be wrong, and an empty folder does not pass",
    False: "✗ one of the two is not so: it may pass whatever the work is",
}


class Canary(NamedTuple):
    """What a check said of its own known-wrong case: `red` where it failed, as it must."""

    said: str
    note: str = ""


@click.command("doctor", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("contract", required=False)
@click.option("-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.pass_context
def command(ctx: click.Context, contract: str | None, directory: str, as_json: bool) -> None:
    """Show that each check of the contract can go red, and what this machine has.

    Each check is given a case that is known to be wrong, which must fail; then each requirement is asked about an empty
    folder, where it must not pass. The contract's commands are run there, not in the tree.

    Each hook that `backcheck install` has put into a harness is given an event at which it must block.

    Exit codes: 0; 1 where a check, a requirement or a hook lets pass what it must not; 2 where there is no contract, or it
    is wrong.
    """
    facts = machine_facts()
    try:
        bound = _bound(directory, contract)
    except UserError:
        if not as_json:
            click.echo("\n".join(_facts(facts)))
        raise
    rows = [examine(item) for item in bound]
    proofs = list(prove_all(Path(directory)))
    if as_json:
        hooks = [proof._asdict() for proof in proofs]
        print_json({"schema": "backcheck.doctor/1", "checks": rows, "hooks": hooks, "machine": facts})
    else:
        click.echo("\n".join([*_shown(rows), "", *map(_hook, proofs), *_facts(facts)]))
    ctx.exit(1 if any(not row["ok"] for row in rows) or not all(proof.blocks for proof in proofs) else 0)


def _hook(proof: Proof) -> str:
    return (
        f"{'✓' if proof.blocks else '✗'} hook {proof.harness} {proof.event}: {proof.note or 'it blocks where it must'}"
    )


def _shown(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return ["the contract has no requirement: there is nothing to try"]
    return [*map(_line, rows), "", *(text for ok, text in LEGEND.items() if any(row["ok"] is ok for row in rows))]


def _bound(directory: str, contract: str | None) -> list[engine.Bound]:
    session = open_session(folder=directory, contract=contract)
    try:
        found = session.place.contract
        return engine.bind_all(found) if found else []
    finally:
        session.close()


def examine(item: engine.Bound) -> dict[str, Any]:
    """Whether a requirement's check can go red, and what it says of an empty folder."""
    requirement = item.requirement
    canary = _canary(requirement.check, type(item.gate))
    empty = _on_nothing(item)
    ok = canary.said in {"red", PERSON} and empty is not Status.PASS
    note = canary.note
    if empty is Status.PASS:
        note = "it passes in an empty folder: it looks at nothing that the work could change"
    return {"requirement": requirement.id, "check": requirement.check, "ok": ok, "canary": canary.said,
            "empty_folder": empty.value, "note": note}  # fmt: skip


def _canary(check: str, gate: type[Any]) -> Canary:
    if gate.channel is Channel.HUMAN:
        return Canary(PERSON, "a person answers; nothing to try")
    canary = getattr(gate, "canary", None)
    if canary is None:
        return Canary("none", "the check brings no case that is known to be wrong")
    requirement = Requirement(
        id="canary", check=check, arguments=canary.arguments, position=Position(path=f"the canary of `{check}`")
    )
    try:
        bound = engine.Bound(requirement=requirement, gate=make_gate(gate, canary.arguments))
    except UserError as error:
        return Canary("error", str(error))
    with tree_of(dict(canary.files)) as root:
        finding = engine.ask(bound, evidence_of(root, base=canary.base))
    return Canary("red" if finding.status is Status.FAIL else finding.status.value, finding.reason)


def _on_nothing(item: engine.Bound) -> Status:
    with tempfile.TemporaryDirectory(prefix="backcheck-doctor-") as folder:
        return engine.ask(item, evidence_of(Path(folder))).status


def _line(row: dict[str, Any]) -> str:
    mark = "✓" if row["ok"] else "✗"
    tried = (
        "a person answers"
        if row["canary"] == PERSON
        else f"known-wrong case: {_WORDS.get(row['canary'], row['canary'])}"
    )
    line = f"{mark} {row['requirement']}  [{row['check']}]  {tried}; empty folder: {row['empty_folder']}"
    return line if row["ok"] else f"{line}\n    {row['note']}"


_WORDS = {"red": "fails", "pass": "passes", "none": "it has none"}


def _facts(facts: dict[str, str]) -> list[str]:
    return [f"{name:<12}{value}" for name, value in facts.items()]
