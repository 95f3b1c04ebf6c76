"""`backcheck show`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import click

from backcheck.ledger import decisions
from backcheck.ledger.store import Entry, text_at
from backcheck.surfaces.cli.ledger_view import (
    HELP,
    LAST,
    VERDICT,
    decision_line,
    directory_option,
    entry_document,
    find_entry,
    json_option,
    mappings,
    opened,
    print_json,
)
from backcheck.surfaces.cli.reporting import emit, refuse_two, report_option, reveal_option
from backcheck.surfaces.locate import Place
from backcheck.surfaces.report.difference import visible
from backcheck.surfaces.report.outputs import parse
from backcheck.surfaces.report.view import withhold
from backcheck.surfaces.trust import trusted_keys

SCHEMA = "backcheck.entry/1"


@click.command("show", context_settings=HELP)
@click.argument("entry", default=LAST)
@directory_option
@json_option
@report_option
@reveal_option
def command(entry: str, directory: str, as_json: bool, reports: tuple[str, ...], reveal: bool) -> None:
    """Show one entry of the ledger whole.

    ENTRY is an id or the start of one, a number, or `last` (the default). Hidden answers are withheld unless --reveal. With
    --report a verdict is reported as `check` would report it; `last` is then the last verdict.
    """
    with opened(directory) as (place, ledger):
        if reports:
            _report(find_entry(ledger, entry, VERDICT), reports, as_json=as_json, reveal=reveal)
            return
        found = find_entry(ledger, entry)
        if found.kind == VERDICT and not reveal:
            found = replace(found, body=withhold(found.body))
        effect = _effect(found, place) if found.kind == decisions.KIND else None
        if as_json:
            document = {"schema": SCHEMA, **entry_document(found)}
            print_json(document | ({"effect": effect} if effect is not None else {}))
            return
        click.echo(f"entry {found.seq}  {found.id}  {found.kind}  {found.time}")
        for line in _lines(found):
            click.echo(line)
        if effect is not None:
            click.echo(f"effect    {effect}")


def _report(entry: Entry, reports: tuple[str, ...], *, as_json: bool, reveal: bool) -> None:
    # What CI is given without being asked belongs to the run that judged.
    outputs = parse(reports, {})
    refuse_two(outputs, as_json)
    emit(outputs, entry.body, None if as_json else "", reveal=reveal)
    if as_json:
        told = entry if reveal else replace(entry, body=withhold(entry.body))
        print_json({"schema": SCHEMA, **entry_document(told)})


def _effect(entry: Entry, place: Place) -> str:
    """Whether a decision's key and contract are the ones that count here; the tree is the next check's to compare."""
    recorded = decisions.read(entry.id, entry.body)
    decision, contract = recorded.decision, place.contract
    why = decisions.why_not(
        recorded,
        contract_digest=contract.digest if contract else "",
        contract_path=contract.path if contract else "",
        tree_digest=decision.tree if decision else "",
        trusted_keys=trusted_keys(place),
    )
    return f"none: {why}" if why else "it counts while the tree is the one it was made for"


def _lines(entry: Entry) -> Iterator[str]:
    if entry.kind == VERDICT:
        yield from verdict_lines(entry.body)
    elif entry.kind == decisions.KIND:
        yield visible(f"decision  {decision_line(decisions.read(entry.id, entry.body))}")
    else:
        for name, value in entry.body.items():
            yield visible(f"{name}: {value}")


def verdict_lines(body: Mapping[str, Any]) -> Iterator[str]:
    """A stored verdict; the stored text may be anybody's, so it is shown escaped."""
    why = f" ({text_at(body, 'why')})" if text_at(body, "why") else ""
    yield visible(f"verdict   {text_at(body, 'verdict')}{why}")
    yield visible(f"contract  {text_at(body, 'contract', 'path')} {text_at(body, 'contract', 'digest')}")
    yield visible(f"tree      {text_at(body, 'tree', 'kind')} {text_at(body, 'tree', 'digest')}")
    base = text_at(body, "base", "commit")
    yield visible(f"base      {base}, {_base_origin(body)}" if base else "base      none")
    yield visible(f"evidence  {text_at(body, 'evidence', 'digest')}")
    yield visible(f"started   {text_at(body, 'started')}")
    for finding in mappings(body.get("findings")):
        yield from finding_lines(finding)
    unanswered = body.get("unanswered")
    if isinstance(unanswered, list) and unanswered:
        yield visible(f"unanswered: {', '.join(str(name) for name in unanswered)}")


def _base_origin(body: Mapping[str, Any]) -> str:
    """How the base was found, in the words of `check`."""
    origin, name = text_at(body, "base", "origin"), text_at(body, "base", "name").removeprefix("refs/remotes/")
    words = {"given": "given by --base", "begun": f"settled by `{name}`", "merge-base": f"the merge base with {name}"}
    return words.get(origin, origin)


def finding_lines(finding: Mapping[str, Any]) -> Iterator[str]:
    """One stored finding: status and requirement, reason, places, what to do, and the decisions that did not count."""
    warning = ", a warning" if text_at(finding, "severity") == "warn" else ""
    yield visible(
        f"{text_at(finding, 'status')}  {text_at(finding, 'requirement')}  [{text_at(finding, 'check')}]{warning}"
    )
    if text_at(finding, "description"):
        yield visible(f"    asked   {text_at(finding, 'description')}")
    yield visible(f"    why     {text_at(finding, 'reason')}")
    for place in mappings(finding.get("where")):
        note = f"  ({text_at(place, 'note')})" if text_at(place, "note") else ""
        line = f":{place['line']}" if isinstance(place.get("line"), int) else ""
        yield visible(f"    where   {text_at(place, 'path')}{line}{note}")
    if text_at(finding, "remedy"):
        yield visible(f"    do      {text_at(finding, 'remedy')}")
    details = finding.get("details")
    for noted in mappings(details.get("decisions_not_counted") if isinstance(details, Mapping) else None):
        yield visible(
            f"    not counted: decision {text_at(noted, 'decision')} ({text_at(noted, 'said')}): {text_at(noted, 'why')}"
        )
