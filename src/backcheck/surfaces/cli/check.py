"""`backcheck check`."""

from __future__ import annotations

from typing import Any

import click

from backcheck.contract.model import DOORS
from backcheck.surfaces.asking import Question
from backcheck.surfaces.cli.progress import Progress
from backcheck.surfaces.cli.reporting import emit, paint, refuse_two, report_option, reveal_option
from backcheck.surfaces.judge import judge
from backcheck.surfaces.report.excerpt import excerpts_of
from backcheck.surfaces.report.outputs import parse
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
@click.option("--require-base", is_flag=True, help="UNCLEAR unless the contract comes from a base given by --base.")
@click.option("--no-cache", is_flag=True, help="Read every file anew.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the verdict and what did not pass.")
@report_option
@reveal_option
@click.pass_context
def command(ctx: click.Context, contract: str | None, directory: str, base: str | None, tree: str, only: tuple[str, ...],
            door: str | None, require_base: bool, no_cache: bool, as_json: bool, quiet: bool, reports: tuple[str, ...],
            reveal: bool) -> None:  # fmt: skip
    """Judge the tree against its contract: PASS, REJECT or UNCLEAR.

    CONTRACT is a file; without it the nearest .backcheck/contract.yaml (or a skillgate or content-verify file) counts,
    as the base has it.
    """
    outputs = parse(reports)
    refuse_two(outputs, as_json)
    session = open_session(
        folder=directory, contract=contract, base=base, tree=tree, cache=cache_allowed(door, not no_cache)
    )
    try:
        question = Question(only=only, door=door, require_base=require_base, cache=not no_cache)
        with Progress(silent=quiet or as_json) as progress:
            document = judge(session, question, progress.tell)
        told = document if reveal else _withheld(document)
        text = None if as_json else render(told, paint, quiet=quiet, excerpts=excerpts_of(session.tree))
    finally:
        session.close()
    if as_json:
        print_json(told)
    emit(outputs, document, text, reveal=reveal)
    ctx.exit(document["exit_code"])


def _withheld(document: dict[str, Any]) -> dict[str, Any]:
    """Without hidden answers' reasons; what does it is loaded only where there is one."""
    if not any(finding.get("hidden") for finding in document["findings"]):
        return document
    from backcheck.surfaces.report.view import withhold

    return withhold(document)


def print_json(document: object) -> None:
    """The whole document on stdout; a slow reader gets all of it."""
    import msgspec

    raw = msgspec.json.format(msgspec.json.encode(document), indent=2)
    click.echo(raw + b"\n", nl=False)
