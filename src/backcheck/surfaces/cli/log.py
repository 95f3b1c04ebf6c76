"""`backcheck log`."""

from __future__ import annotations

import click

from backcheck.ledger.store import Ledger
from backcheck.surfaces.cli.ledger_view import (
    HELP,
    directory_option,
    entry_document,
    json_option,
    opened,
    print_json,
    say_where,
    summary,
)

SCHEMA = "backcheck.log/1"
DEFAULT = 20
EXIT_BROKEN = 1


@click.command("log", context_settings=HELP)
@directory_option
@click.option(
    "-n", "--number", default=DEFAULT, show_default=True, type=click.IntRange(1), help="How many, newest first."
)
@click.option("--kind", metavar="KIND", help="Only entries of this kind: verdict, decision, …")
@click.option(
    "--verify", is_flag=True, help="Check every entry and every link of the chain; exit 1 where one is broken."
)
@json_option
@click.pass_context
def command(ctx: click.Context, directory: str, number: int, kind: str | None, verify: bool, as_json: bool) -> None:
    """List what the ledger holds, newest first.

    Columns: number, id, time (UTC), kind, and what it says. The chain shows damage and careless edits. Whoever can
    write the file can also write a whole new chain, so keep the id of the last entry elsewhere if that matters.
    """
    with opened(directory) as (place, ledger):
        if verify:
            ctx.exit(_verify(ledger, as_json))
        entries = list(ledger.entries(kind, newest_first=True, limit=number))
        if as_json:
            documents = [entry_document(entry) for entry in entries]
            print_json({"schema": SCHEMA, "ledger": ledger.where, "entries": documents})
            return
        for entry in entries:
            click.echo(f"{entry.seq:>5}  {entry.id}  {entry.time[:19]}Z  {entry.kind:<8}  {summary(entry)}")
        if not entries:
            say_where(place)
            what = f"no entry of kind `{kind}`" if kind else "nothing yet"
            click.echo(f"{what} in {ledger.where}", err=True)


def _verify(ledger: Ledger, as_json: bool) -> int:
    problems = ledger.verify()
    last = None if problems else next(iter(ledger.entries(newest_first=True, limit=1)), None)
    if as_json:
        head = last.hash if last else None
        print_json({"schema": SCHEMA, "ledger": ledger.where, "problems": problems, "head": head})
    elif problems:
        for problem in problems:
            click.echo(problem)
    else:
        head = f"{last.seq} entries, the last is {last.hash}" if last else "no entries yet"
        click.echo(f"the chain is whole: {head}")
    return EXIT_BROKEN if problems else 0
