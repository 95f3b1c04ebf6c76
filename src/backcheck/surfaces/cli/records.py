"""`backcheck records`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from backcheck.errors import UserError
from backcheck.evidence import records, signing
from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.records import Read, RunRecord
from backcheck.evidence.signing import SignatureProblem
from backcheck.surfaces.cli.ledger_view import HELP, directory_option, json_option, opened, print_json
from backcheck.surfaces.report.difference import visible
from backcheck.surfaces.running import KIND

MAX_FILE = 256 * 1024 * 1024
EXIT_BAD = 1
SCHEMA = "backcheck.records/1"


@click.group("records", context_settings=HELP)
def command() -> None:
    """List, export and verify records of runs (in-toto Statements in signed DSSE envelopes)."""


@command.command("list")
@directory_option
@click.option("-n", "--number", default=20, show_default=True, type=click.IntRange(1), help="How many, newest first.")
@json_option
def list_command(directory: str, number: int, as_json: bool) -> None:
    """List the records of this worktree, newest first."""
    with opened(directory) as (_place, ledger):
        rows = [(e.id, records.read(e.body)) for e in ledger.entries(KIND, newest_first=True, limit=number)]
    if as_json:
        print_json({"schema": SCHEMA, "records": [_document(name, read) for name, read in rows]})
        return
    for name, read in rows:
        click.echo(visible(f"{name}  {line_of(read)}"))
    if not rows:
        click.echo("no run was recorded here; `backcheck run -- COMMAND …` records one", err=True)


@command.command("export")
@directory_option
def export(directory: str) -> None:
    """Print every envelope of this worktree as JSON Lines, oldest first (*.intoto.jsonl)."""
    with opened(directory) as (_place, ledger):
        for entry in ledger.entries(KIND):
            click.echo(json.dumps(entry.body, sort_keys=True, separators=(",", ":")))


@command.command("verify")
@click.argument("file", required=False)
@click.option(
    "--key", "keys", multiple=True, metavar="ed25519:…", help="A public key that may have signed; repeatable."
)
@directory_option
@json_option
@click.pass_context
def verify(ctx: click.Context, file: str | None, keys: tuple[str, ...], directory: str, as_json: bool) -> None:
    """Verify the envelopes of FILE (JSON Lines; `-` is stdin), or of this worktree.

    Exit 0 where every one holds and is signed by one of the keys, 1 where one is not, or there is none.
    """
    trusted = _trusted(keys)
    rows = [(name, _judged(envelope, trusted)) for name, envelope in _envelopes(file, directory)]
    bad = [name for name, read in rows if read.problem]
    if as_json:
        print_json({"schema": SCHEMA, "records": [_document(name, read) for name, read in rows]})
    else:
        for name, read in rows:
            click.echo(visible(f"{'BAD' if read.problem else 'ok '}  {name}  {line_of(read)}"))
        click.echo(
            f"{len(rows) - len(bad)} of {len(rows)} records hold" + ("" if trusted else "; no --key: any signer counts")
        )
    ctx.exit(EXIT_BAD if bad or not rows else 0)


def _trusted(keys: tuple[str, ...]) -> set[bytes]:
    try:
        return {signing.raw_key(key) for key in keys}
    except SignatureProblem as problem:
        raise UserError(f"--key {problem}", slug="run") from None


def _judged(envelope: object, trusted: set[bytes]) -> Read:
    read = records.read(envelope)
    if read.problem or read.record is None or not trusted or signing.raw_key(read.record.key) in trusted:
        return read
    return Read(record=read.record, problem="is signed by a key that was not given")


def _envelopes(file: str | None, directory: str) -> Iterator[tuple[str, object]]:
    if file is None:
        with opened(directory) as (_place, ledger):
            yield from ((entry.id, entry.body) for entry in ledger.entries(KIND))
        return
    for number, line in enumerate(_bytes(file).splitlines(), start=1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError):
                yield f"line {number}", None


def _bytes(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_FILE)
    try:
        return read_whole(file, limit=MAX_FILE)
    except Unreadable as error:
        raise UserError(f"the records {error}", where=file, slug="run") from None


def line_of(read: Read) -> str:
    """A record on one line, with what is wrong with it."""
    problem = f"  (the record {read.problem})" if read.problem else ""
    if read.record is None:
        return f"unreadable{problem}"
    record = read.record
    return f"{record.started[:19]}Z  {ending(record)}  {' '.join(record.argv)[:200]}  tree {record.after[:12]}{problem}"


def ending(record: RunRecord) -> str:
    """How the command ended, in a few words."""
    if record.stopped:
        return record.stopped
    return f"ended by {record.signal}" if record.signal else f"exit {record.exit_code}"


def _document(name: str, read: Read) -> Mapping[str, Any]:
    import msgspec

    return {"name": name, "problem": read.problem or None, "record": msgspec.to_builtins(read.record)}
