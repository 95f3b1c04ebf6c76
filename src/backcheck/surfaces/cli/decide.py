"""`backcheck decide`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from backcheck.errors import UserError
from backcheck.evidence import signing
from backcheck.ledger import decisions
from backcheck.ledger.location import open_ledger
from backcheck.surfaces import deciding
from backcheck.surfaces.cli.keys import unlock
from backcheck.surfaces.cli.ledger_view import (
    HELP,
    VERDICT,
    directory_option,
    find_entry,
    json_option,
    opened,
    print_json,
)
from backcheck.surfaces.cli.show import finding_lines
from backcheck.surfaces.deciding import Subject
from backcheck.surfaces.report.difference import visible

SCHEMA = "backcheck.decided/1"


@click.command("decide", context_settings=HELP)
@click.argument("verdict")
@click.argument("requirement")
@click.argument("status", metavar="pass|fail", type=click.Choice([status.value for status in decisions.ANSWERS]))
@click.option("--reason", required=True, help="What you looked at and what decided it; it is kept and shown.")
@click.option("--key", "key_name", metavar="NAME", help="Which of your keys signs; needed if you have several.")
@click.option("--yes", is_flag=True, help="Do not ask; without a terminal this is needed.")
@click.option("--base", metavar="REV", help="The base, where the verdict was made with --base.")
@click.option("--contract", metavar="FILE", help="The contract, where the verdict was made with one named.")
@directory_option
@json_option
def command(verdict: str, requirement: str, status: str, reason: str, key_name: str | None, yes: bool, base: str | None,
            contract: str | None, directory: str, as_json: bool) -> None:  # fmt: skip
    """Answer one UNCLEAR requirement of a verdict, signed with your key.

    VERDICT is an id or the start of one, a number, or `last`. The answer holds for this contract and this tree alone. A
    failure is final and cannot be decided. Requirement, findings and the change are shown first.
    """
    with opened(directory, base=base) as (_place, ledger):
        where = ledger.where
        entry = find_entry(ledger, verdict, VERDICT)
    subject = deciding.open_subject(entry, requirement, folder=directory, contract=contract, base=base)
    try:
        ledger = open_ledger(subject.session.place.repository, subject.session.place.root)
        if ledger.where != where:
            raise UserError(f"this contract's ledger is {ledger.where}, not {where}", slug="decide-stale")
        name = deciding.choose_key(key_name)
        key = unlock(name)
        decision = deciding.make(subject, status=status, reason=reason, key=key, key_name=name)
        why = deciding.no_effect(decision, subject, decisions.load(ledger))
        for line in _shown(subject, decision, why):
            click.echo(line, err=as_json)
        _confirm(yes, f"Sign `{status}` for {requirement}?")
        signed = deciding.record(ledger, decision, subject, key)
    finally:
        subject.close()
    if as_json:
        counts = {"counts": not why, "why": why}
        print_json({"schema": SCHEMA, "decision": signed.id, "by": decision.by, "effect": counts, "ledger": where})
    else:
        click.echo(f"decision {signed.id} is recorded; `backcheck check` now "
                   + ("answers as before: it has no effect" if why else "counts it while the tree stays as it is"))  # fmt: skip


def _confirm(yes: bool, question: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError("this is no terminal to ask on; --yes says that you looked", slug="decide-terminal")
    click.confirm(question, abort=True, err=True)


def _shown(subject: Subject, decision: decisions.Decision, why: str) -> Iterator[str]:
    """All that a person must have seen: what was asked, what was found, what changed, and what the signature will do."""
    requirement, contract = subject.requirement, subject.session.place.contract
    yield visible(f"requirement  {subject.name}" + ("" if requirement else " (a rule of backcheck's own)"))
    if requirement is not None:
        for line in (requirement.description or "(the contract describes it nowhere)").splitlines():
            yield visible(f"    asked    {line}")
        yield visible(f"    check    {requirement.check} {dict(requirement.arguments)}")
    if contract is not None and contract.task:
        for line in contract.task.splitlines():
            yield visible(f"    task     {line}")
    yield ""
    yield f"findings of verdict {subject.verdict.id} of {subject.verdict.time}, as the ledger has them"
    for finding in subject.findings:
        yield from finding_lines(finding)
    yield ""
    yield from _changes(subject)
    yield ""
    yield visible(f"decision     {decision.status.value} by {decision.by}: {decision.reason}")
    if why:
        yield visible(f"NO EFFECT    {why}")
        yield f"             your key: {decision.key} (fingerprint {signing.fingerprint(decision.key)})"


def _changes(subject: Subject) -> Iterator[str]:
    changes, base = subject.changes, subject.session.place.base
    tree = f"{subject.session.tree.label} {subject.verdict.body['tree']['digest'][:12]}"
    if changes is None or base is None:
        yield f"no base: what changed in the {tree} is not known; look at the whole of it"
    else:
        movable = ", which the agent could have moved" if base.movable else ""
        yield f"changed      {changes.changed:,} paths from {base.commit[:12]} ({base.origin.value}{movable}) to the {tree}"
        yield from changes.lines
        if changes.unshown:
            more = f" and {len(changes.unshown) - 20:,} more" if len(changes.unshown) > 20 else ""
            yield f"NOT SHOWN WHOLE, look yourself: {', '.join(changes.unshown[:20])}{more}"
    for path in subject.beside:
        yield visible(f"also judged, though git ignores it: {path}")
