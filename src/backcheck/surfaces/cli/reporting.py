"""What `check` and `show` share to report: the option, and how text and reports share stdout."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from backcheck.errors import UserError
from backcheck.surfaces.report.outputs import FORMATS, NONE, STDOUT, Output, write

report_option = click.option(
    "--report", "reports", multiple=True, metavar="FORMAT[=FILE]",
    help=f"Also report as {', '.join(FORMATS)}, to FILE or to stdout; may be repeated. On GitHub Actions annotations and "
    f"job summary are written without being asked; `{NONE}` keeps them away.",
)  # fmt: skip
reveal_option = click.option("--reveal", is_flag=True, help="Show hidden answers too; they are meant for people.")


def refuse_two(outputs: Sequence[Output], as_json: bool) -> None:
    """JSON and a report cannot share stdout. Errors: UserError."""
    taken = [output.format for output in outputs if output.asked and output.target == STDOUT]
    if as_json and taken:
        raise UserError(f"--json and --report {taken[0]} both go to stdout; give the report a file", slug="report")


def emit(outputs: Sequence[Output], document: Mapping[str, Any], text: str | None, *, reveal: bool = False) -> None:
    """Write reports, then print the text with GitHub's commands below it, or the one report that asked for stdout.

    `text` is None where stdout belongs to JSON. Errors: UserError where a report cannot be written; the text is out by then.
    """
    wanted = [output for output in outputs if text is not None or output.target != STDOUT]
    alone = [output for output in wanted if output.target == STDOUT and output.format != "github"]
    commands = any(output.target == STDOUT and output.format == "github" for output in wanted)
    if text is not None and not alone:
        click.echo(_fenced(text) if commands else text, nl=False)
    printed, notices = write(wanted, document, reveal=reveal)
    click.echo(printed.encode("utf-8", "backslashreplace"), nl=False)
    for notice in notices:
        click.echo(f"backcheck: {notice}", err=True)


def paint(text: str, colour: str) -> str:
    """Colour only where the reader wants it; click takes it out where stdout is no terminal."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return click.style(text, fg=colour, bold=True)


def _fenced(text: str) -> str:
    from backcheck.surfaces.report.annotations import fence

    return fence(text)
