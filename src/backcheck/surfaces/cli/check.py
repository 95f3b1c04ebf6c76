"""`backcheck check`."""

from __future__ import annotations

import sys
import time

import click

from backcheck.contract.model import DOORS
from backcheck.surfaces.judge import Question, judge
from backcheck.surfaces.report.text import render
from backcheck.surfaces.session import INDEX, WORKTREE, cache_allowed, open_session


@click.command("check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("contract", required=False)
@click.option("-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one.")
@click.option("--base", metavar="REV", help="The commit that was there before the work.")
@click.option(
    "--tree", default=WORKTREE, metavar="WHAT", help=f"What is judged: {WORKTREE} (default), {INDEX}, or a commit."
)
@click.option("--only", multiple=True, metavar="ID", help="Ask only this requirement; the others stay unanswered.")
@click.option("--at", "door", type=click.Choice(DOORS), help="Ask only what the contract asks at this door.")
@click.option("--require-base", is_flag=True, help="UNCLEAR unless the contract comes from the base.")
@click.option("--no-cache", is_flag=True, help="Read every file anew.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the verdict and what did not pass.")
@click.pass_context
def command(ctx: click.Context, contract: str | None, directory: str, base: str | None, tree: str, only: tuple[str, ...],
            door: str | None, require_base: bool, no_cache: bool, as_json: bool, quiet: bool) -> None:  # fmt: skip
    """Judge the tree against its contract: PASS, REJECT or UNCLEAR.

    CONTRACT is a file; without it the nearest .backcheck/contract.yaml (or a skillgate or content-verify file) counts,
    as the base has it.
    """
    session = open_session(
        folder=directory, contract=contract, base=base, tree=tree, cache=cache_allowed(door, not no_cache)
    )
    try:
        question = Question(only=only, door=door, require_base=require_base)
        document = judge(session, question, _progress(quiet or as_json))
    finally:
        session.close()
    if as_json:
        print_json(document)
    else:
        click.echo(render(document, _paint, quiet=quiet), nl=False)
    ctx.exit(document["exit_code"])


def _paint(text: str, colour: str) -> str:
    """Colour only on a terminal; click takes it out elsewhere."""
    return click.style(text, fg=colour, bold=True)


def print_json(document: object) -> None:
    """The whole document on stdout; a slow reader gets all of it."""
    import msgspec

    raw = msgspec.json.format(msgspec.json.encode(document), indent=2)
    click.echo(raw + b"\n", nl=False)


def _progress(silent: bool):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """One line on stderr, rewritten, from the second second on, on a terminal only."""
    if silent or not sys.stderr.isatty():
        return None
    started = time.monotonic()

    def tell(number: int, total: int, name: str) -> None:
        if time.monotonic() - started > 1 or number == 1:
            click.echo(f"\r\033[K{number}/{total} {name}", nl=False, err=True)
        if number == total:
            click.echo("\r\033[K", nl=False, err=True)

    return tell
