"""What the commands on the ledger share: finding it, naming a verdict, one line for an entry, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from backcheck.errors import UserError
from backcheck.evidence import records
from backcheck.evidence.paths import shown
from backcheck.ledger import decisions
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import Entry, Ledger, text_at
from backcheck.surfaces import beginning
from backcheck.surfaces.locate import Place, find_contract, locate

directory_option = click.option(
    "-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
HELP = {"help_option_names": ["-h", "--help"]}

LAST = "last"
VERDICT = "verdict"


@contextmanager
def opened(directory: str, *, base: str | None = None) -> Iterator[tuple[Place, Ledger]]:
    """The place around a folder and its ledger; a missing or wrong contract does not keep anybody from reading it."""
    place = locate(directory, base)
    try:
        try:
            find_contract(place, None)
        except UserError as error:
            place.notices.append(str(error))
        yield place, open_ledger(place.repository, place.root)
    finally:
        if place.reader is not None:
            place.reader.close()


def say_where(place: Place) -> None:
    """Where no contract is found, an empty answer would read as good news: say on stderr what was looked at."""
    if place.contract is not None:
        return
    for notice in place.notices:
        click.echo(f"note: {shown(notice)}", err=True)
    if place.repository is None:
        click.echo(f"note: there is no git repository around {place.start} either", err=True)


def find_entry(ledger: Ledger, name: str, kind: str | None = None) -> Entry:
    """The entry of this id or seq, or the `last` one (of a kind). Errors: UserError where there is none of that kind."""
    if name == LAST:
        entry = next(iter(ledger.entries(kind, newest_first=True, limit=1)), None)
        if entry is None:
            what = f"the ledger holds no {kind or 'entry'} yet; `backcheck check` makes a verdict"
            raise UserError(what, where=ledger.where, slug="ledger-entry")
        return entry
    entry = ledger.get(name)
    if kind is not None and entry.kind != kind:
        raise UserError(f"entry {entry.id} is a {entry.kind}, not a {kind}", where=ledger.where, slug="ledger-entry")
    return entry


def summary(entry: Entry) -> str:
    """What an entry says, on one line."""
    if entry.kind == VERDICT:
        return _verdict_line(entry.body)
    if entry.kind == decisions.KIND:
        return decision_line(decisions.read(entry.id, entry.body))
    if entry.kind == beginning.KIND:
        return shown(f"base {text_at(entry.body, 'commit')[:12]}, {text_at(entry.body, 'contract', 'path')}")
    if entry.kind == "run":
        return _run_line(entry)
    return ""


def _run_line(entry: Entry) -> str:
    from backcheck.surfaces.cli.records import line_of

    return shown(line_of(records.read(entry.body)))


def decision_line(recorded: decisions.Recorded) -> str:
    """A decision on one line, with what is wrong with it."""
    decision = recorded.decision
    problem = f" ({recorded.problem}: it has no effect)" if recorded.problem else ""
    if decision is None:
        return f"unreadable{problem}"
    said = f"{shown(decision.requirement)} {decision.status.value} by {decision.by}, tree {decision.tree[:12]}"
    return f"{said}: {decision.reason}{problem}"


def _verdict_line(body: Mapping[str, Any]) -> str:
    counts: dict[str, int] = {}
    for finding in mappings(body.get("findings")):
        status = text_at(finding, "status")
        counts[status] = counts.get(status, 0) + 1
    order = ("fail", "error", "unclear", "not-applicable", "pass")
    told = ", ".join(f"{counts[status]} {status}" for status in order if status in counts) or "nothing asked"
    attempts = body.get("attempts")
    number = attempts.get("number") if isinstance(attempts, Mapping) else None
    attempt = f", attempt {number}" if isinstance(number, int) else ""
    outcome, tree = text_at(body, "verdict"), text_at(body, "tree", "digest")
    return shown(f"{outcome:<7} {told}, tree {tree[:12]}{attempt}")


def mappings(value: object) -> list[Mapping[str, Any]]:
    """The mappings of a list, whatever a stored body holds in its place."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def entry_document(entry: Entry) -> dict[str, Any]:
    """An entry as JSON shows it."""
    return {
        "seq": entry.seq,
        "id": entry.id,
        "kind": entry.kind,
        "time": entry.time,
        "body": entry.body,
        "previous": entry.previous,
        "hash": entry.hash,
    }


def print_json(document: object) -> None:
    """A document on stdout; ASCII, for a stored path need not be text."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=True))
