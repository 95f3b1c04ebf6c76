"""`backcheck keys`."""

from __future__ import annotations

import sys
from collections.abc import Collection

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from backcheck.errors import UserError
from backcheck.evidence import signing
from backcheck.ledger import keys
from backcheck.surfaces.cli.ledger_view import HELP, directory_option, json_option, opened, print_json
from backcheck.surfaces.trust import trusted_keys

SCHEMA = "backcheck.keys/1"


@click.group("keys", context_settings=HELP)
def command() -> None:
    """Make and list reviewers' keys, whose signatures make decisions count.

    Keep them where the agent cannot read them: another account, another machine, or at least behind a passphrase.
    """


@command.command("new")
@click.argument("name")
@click.option("--passphrase", "locked", is_flag=True, help="Ask for a passphrase that opens the key.")
@json_option
def new(name: str, locked: bool, as_json: bool) -> None:
    """Make the key NAME.

    Prints the line that goes into `trusted_keys` of the contract, on the base branch.
    """
    passphrase = _ask_twice() if locked else ""
    public = keys.new_key(name, passphrase)
    if as_json:
        print_json({"schema": SCHEMA, "name": name, "public": public, "fingerprint": signing.fingerprint(public),
                    "locked": bool(passphrase)})  # fmt: skip
        return
    click.echo(f"made {keys.folder() / name}{keys.SUFFIX}, fingerprint {signing.fingerprint(public)}", err=True)
    if not passphrase:
        click.echo("it has no passphrase: whatever runs under this account, the agent too, can sign with it "
                   "(--passphrase locks it)", err=True)  # fmt: skip
    click.echo("to make its decisions count, add this to `trusted_keys` of the contract in the base:", err=True)
    click.echo(public)


@command.command("list")
@directory_option
@json_option
def list_command(directory: str, as_json: bool) -> None:
    """List your keys, and whether they count here.

    A key counts where the contract of the base names it in `trusted_keys`.
    """
    trusted = _trusted(directory)
    rows = keys.list_keys()
    if as_json:
        documents = [
            {
                "name": row.name,
                "public": row.public or None,
                "fingerprint": signing.fingerprint(row.public) if row.public else None,
                "locked": row.locked,
                "problem": row.problem or None,
                "trusted_here": signing.raw_key(row.public) in trusted if row.public else None,
            }
            for row in rows
        ]
        print_json({"schema": SCHEMA, "folder": str(keys.folder()), "keys": documents})
        return
    for row in rows:
        click.echo(f"{row.name}  {_state(row, trusted)}")
    if not rows:
        click.echo(f"no keys in {keys.folder()}", err=True)


@command.command("show")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print the public part of the key NAME.

    It is the line that `trusted_keys` of a contract takes.
    """
    public = signing.public_text(unlock(name))
    if as_json:
        print_json({"schema": SCHEMA, "name": name, "public": public, "fingerprint": signing.fingerprint(public)})
    else:
        click.echo(public)


def unlock(name: str) -> Ed25519PrivateKey:
    """The private key, asking for its passphrase on a terminal. Errors: UserError."""
    try:
        return keys.load_key(name)
    except keys.LockedKey:
        if not sys.stdin.isatty():
            raise
    return keys.load_key(name, click.prompt(f"passphrase of {name}", hide_input=True, err=True))


def _ask_twice() -> str:
    if not sys.stdin.isatty():
        raise UserError("--passphrase asks on a terminal, and this is none", slug="keys")
    answer: str = click.prompt("passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return answer


def _trusted(directory: str) -> set[bytes]:
    with opened(directory) as (place, _ledger):
        return {signing.raw_key(key) for key in trusted_keys(place)}


def _state(row: keys.Listed, trusted: Collection[bytes]) -> str:
    if row.problem:
        return f"unusable: {row.problem}"
    if row.locked:
        return "locked; `backcheck keys show` asks for its passphrase"
    word = "trusted here" if signing.raw_key(row.public) in trusted else "not trusted here"
    return f"{row.public}  fingerprint {signing.fingerprint(row.public)}  {word}"
