"""`backcheck install` and `backcheck uninstall`."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import click

from backcheck.surfaces.cli.ledger_view import HELP, directory_option
from backcheck.surfaces.hooks.installing import HARNESSES, read_settings, text_of, with_ours, without_ours, write
from backcheck.surfaces.hooks.proving import prove_all
from backcheck.surfaces.locate import locate

user_option = click.option("--user", is_flag=True, help="For this user in every project, instead of this project.")


@click.command("install", context_settings=HELP)
@click.argument("harness", type=click.Choice(list(HARNESSES)))
@user_option
@directory_option
@click.pass_context
def command(ctx: click.Context, harness: str, user: bool, directory: str) -> None:
    """Put backcheck's hooks into HARNESS's settings: before a finish line, and at the end of a turn.

    What was there stays; what changes is shown. Each hook is then given an event at which it must block; exit 1 where one
    lets it pass.
    """
    project = _project(directory)
    path = HARNESSES[harness].path(project, user=user)
    before = read_settings(path)
    _change(path, before, with_ours(HARNESSES[harness], before))
    if harness == "codex":
        click.echo("codex runs a new hook only once you have trusted it: `/hooks` there")
    failed = False
    for proof in prove_all(project):
        if proof.path == str(path):
            failed = failed or not proof.blocks
            click.echo(f"{'✓' if proof.blocks else '✗'} {proof.event}: {proof.note or 'it blocks where it must'}")
    ctx.exit(1 if failed else 0)


@click.command("uninstall", context_settings=HELP)
@click.argument("harness", type=click.Choice(list(HARNESSES)))
@user_option
@directory_option
def uninstall(harness: str, user: bool, directory: str) -> None:
    """Take backcheck's hooks out of HARNESS's settings; what others wrote stays."""
    path = HARNESSES[harness].path(_project(directory), user=user)
    before = read_settings(path)
    _change(path, before, without_ours(before))


def _project(directory: str) -> Path:
    place = locate(directory, None)
    if place.reader is not None:
        place.reader.close()
    return place.top


def _change(path: Path, before: dict[str, Any], after: dict[str, Any]) -> None:
    if before == after:
        click.echo(f"{path}: nothing to change")
        return
    old = text_of(before) if before else ""
    new = text_of(after) if after else ""
    shown = difflib.unified_diff(old.splitlines(), new.splitlines(), str(path), str(path), lineterm="")
    click.echo("\n".join(shown))
    write(path, after)
