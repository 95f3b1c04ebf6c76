"""`backcheck init`."""

from __future__ import annotations

import difflib
import os

import click

from backcheck.contract.find import ALL_NAMES, FOREIGN_NAMES
from backcheck.contract.load import NAME
from backcheck.errors import UserError
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import DiskTree, Kind
from backcheck.surfaces.auditing.looking import open_project
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.writing import contract_text
from backcheck.surfaces.locate import locate


@click.command("init", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", default=".")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the contract and write nothing.")
def command(path: str, to_stdout: bool) -> None:
    """Write .backcheck/contract.yaml, made from what is there, with every line explained.

    PATH is a folder. Nothing of it is executed. A contract that is there already is never overwritten: the difference is
    shown, and the exit code is 2.

    Exit codes: 0; 2 where a contract is there already, it cannot be written, or the call is wrong.
    """
    place = locate(path, None)
    try:
        project = open_project(place)
        text = contract_text(project)
    finally:
        if place.reader is not None:
            place.reader.close()
    if to_stdout:
        click.echo(text.encode("utf-8"), nl=False)
        return
    _refuse(project, text)
    _write(project.tree.root, text)
    click.echo(f"written: {NAME}")
    click.echo("Read it, write your task into it, commit it, then: backcheck check")


def _refuse(project: Project, text: str) -> None:
    """Errors: UserError where a contract is there; for a native one its difference from `text` is printed first."""
    there = next((name for name in ALL_NAMES if project.tree.entry(name).kind is not Kind.MISSING), None)
    if there is None:
        return
    where = os.path.join(project.tree.root, there)
    if there in FOREIGN_NAMES:
        raise UserError(
            "there is a contract of another tool; `backcheck convert` takes it over", where=where, slug="init-exists"
        )
    for line in difflib.unified_diff(
        _lines(project.tree, there), text.split("\n"), there, "what init would write", lineterm=""
    ):
        click.echo(shown(line))
    raise UserError("there is a contract already; it is not overwritten", where=where, slug="init-exists")


def _lines(tree: DiskTree, name: str) -> list[str]:
    try:
        return tree.read(name, limit=1024 * 1024).decode("utf-8", "replace").split("\n")
    except Unreadable as error:
        return [f"(it {error})"]


def _write(root: str, text: str) -> None:
    """A new file in a folder of the tree itself: a link that leads out of it is not followed."""
    path = os.path.join(root, NAME)
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        if os.path.realpath(folder) != os.path.join(os.path.realpath(root), os.path.dirname(NAME)):
            raise UserError("it is a link to another place", where=folder, slug="init-unwritable")
        with open(path, "x", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
    except OSError as error:
        raise UserError(f"it cannot be written: {error.strerror}", where=path, slug="init-unwritable") from None
