"""`backcheck queue`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import click

from backcheck.ledger.queue import MAX_VERDICTS, Queue, Waiting, waiting
from backcheck.ledger.store import Entry, text_at
from backcheck.surfaces.cli.ledger_view import HELP, directory_option, json_option, opened, print_json, say_where
from backcheck.surfaces.locate import Place
from backcheck.surfaces.report.difference import visible
from backcheck.surfaces.trust import trusted_keys

SCHEMA = "backcheck.queue/1"


@click.command("queue", context_settings=HELP)
@directory_option
@json_option
def command(directory: str, as_json: bool) -> None:
    """List what waits for a person: UNCLEAR verdicts with a requirement that nobody decided.

    For each contract and tree only the newest verdict counts. A decision takes a requirement off the list only if the
    base's contract trusts its key.
    """
    with opened(directory) as (place, ledger):
        queue = waiting(ledger, _keys(place))
        if as_json:
            print_json(_document(queue, ledger.where))
            return
        for item in queue.waiting:
            for line in _lines(item):
                click.echo(line)
        if not queue.waiting:
            say_where(place)
            click.echo("nothing waits for a person" if place.contract else "nothing is known to wait for a person")
        if not queue.complete:
            click.echo(f"only the newest {MAX_VERDICTS:,} verdicts were looked at", err=True)


def _keys(place: Place) -> Callable[[Entry], Collection[str]]:
    """Keys count for verdicts of the contract that the base has now; no other contract's word is taken."""
    contract, keys = place.contract, trusted_keys(place)

    def of(entry: Entry) -> Collection[str]:
        return keys if contract and text_at(entry.body, "contract", "digest") == contract.digest else ()

    return of


def _lines(item: Waiting) -> Iterator[str]:
    entry = item.entry
    since = "  (another tree was judged since)" if item.superseded else ""
    yield visible(f"{entry.id}  {entry.time[:19]}Z  {item.path}  tree {item.tree[:12]}{since}")
    for one in item.open:
        yield visible(f"    {one.status}  {one.requirement}: {one.reason}")
    if not item.open:
        yield visible(f"    nothing can be decided: {text_at(entry.body, 'why') or 'no requirement was asked'}")


def _document(queue: Queue, where: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "ledger": where,
        "complete": queue.complete,
        "waiting": [
            {
                "verdict": item.entry.id,
                "time": item.entry.time,
                "contract": {"path": item.path, "digest": item.contract},
                "tree": {"digest": item.tree},
                "superseded": item.superseded,
                "why": text_at(item.entry.body, "why"),
                "open": [
                    {"requirement": one.requirement, "status": one.status, "reason": one.reason} for one in item.open
                ],
            }
            for item in queue.waiting
        ],
    }
