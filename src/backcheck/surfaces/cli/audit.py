"""`backcheck audit`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from backcheck.evidence.paths import shown
from backcheck.surfaces.auditing.looking import audit
from backcheck.surfaces.auditing.model import Audit, Certainty, Corner
from backcheck.surfaces.auditing.running import Ran, run_tests
from backcheck.surfaces.auditing.table import names, page
from backcheck.surfaces.cli.check import print_json
from backcheck.surfaces.cli.reporting import paint
from backcheck.verdict import EXIT_CODES, Outcome

SCHEMA = "backcheck.audit/1"
HEADS = {Certainty.PLAIN: "Plain facts", Certainty.LOOK: "Worth a look"}
MARKS = {Certainty.PLAIN: ("✗", "red"), Certainty.LOOK: ("?", "yellow")}


@click.command("audit", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", default=".")
@click.option(
    "--run", "execute", is_flag=True, help="Run the project's own test command in a temporary copy (not sandboxed)."
)
@click.option("--rules", "list_rules", is_flag=True, help="Say what each rule looks for, and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, path: str, execute: bool, list_rules: bool, as_json: bool) -> None:
    """Say which corners could be cut in a project now, and which checks would close them.

    PATH is a folder; no contract is needed. Nothing is executed and nothing is written, unless --run is given.

    Exit codes: 0 looked, and no plain fact was found; 1 plain facts were found (or with --run the tests did not hold);
    2 wrong call; 3 nothing could be looked at.
    """
    if list_rules:
        for name in names():
            click.echo(f"{name}\n{_indent(page(name))}\n")
        return
    result, project = audit(path)
    if not project.paths:
        click.echo(f"backcheck: {shown(result.root)}: there is no file to look at", err=True)
        ctx.exit(EXIT_CODES[Outcome.UNCLEAR])
    ran: list[Ran] = []
    if execute:
        ran = run_tests(project)
        result.not_looked_at = [note for note in result.not_looked_at if "--run" not in note]
        if not ran:
            result.not_looked_at.insert(0, "a run of the tests: no configuration here names a test command")
    if as_json:
        print_json(_document(result, ran if execute else None))
    else:
        click.echo("\n".join([*_lines(result), *_runs(ran)]))
    ctx.exit(1 if result.plain or any(one.held is False for one in ran) else 0)


def _runs(ran: list[Ran]) -> Iterator[str]:
    for one in ran:
        yield f"\nRun in a temporary copy, not sandboxed: `{shown(' '.join(one.command))}`, as {one.named_by} say"
        word = {True: "the tests held", False: "the tests did not hold", None: "nothing can be said"}[one.held]
        yield f"  {word}: {shown(one.says)}"
        yield from (f"    | {line}" for line in one.output.split("\n") if line)


def _lines(result: Audit) -> Iterator[str]:
    yield f"audit of {shown(result.root)}: {result.files:,} file{'' if result.files == 1 else 's'}"
    for name, value in result.facts.items():
        yield f"  {name:<12}{shown(value)}"
    for certainty, head in HEADS.items():
        found = [corner for corner in result.corners if corner.certainty is certainty]
        if found:
            yield f"\n{head}: {len(found)}"
        for corner in found:
            yield from _corner(corner)
    if not result.corners:
        yield "\nNo corner was found by these rules; that proves nothing about others."
    if result.standing:
        yield "\nOpen to any change, as no contract says otherwise"
        for corner in result.standing:
            yield f"  - {corner.says}"
    closing = list(dict.fromkeys(c.snippet for c in (*result.corners, *result.standing) if c.snippet))
    if closing:
        yield "\nRequirements that close these corners (`backcheck init` writes a whole contract)"
        for snippet in closing:
            yield _indent(snippet)
    yield "\nNot looked at"
    for note in result.not_looked_at:
        yield f"  - {shown(note)}"


def _corner(corner: Corner) -> Iterator[str]:
    mark, colour = MARKS[corner.certainty]
    place = f"{shown(corner.path)}:{corner.line}" if corner.line else shown(corner.path)
    closes = f" → {corner.closes}" if corner.closes else ""
    yield f"  {paint(mark, colour)} {place}  {shown(corner.says)}  [{corner.rule}{closes}]"


def _indent(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))


def _document(result: Audit, ran: list[Ran] | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "root": result.root,
        "files": result.files,
        "facts": dict(result.facts),
        "plain": result.plain,
        "corners": [_corner_document(corner) for corner in result.corners],
        "standing": [_corner_document(corner) for corner in result.standing],
        "not_looked_at": result.not_looked_at,
    }
    if ran is not None:
        document["runs"] = [
            {"command": list(one.command), "named_by": one.named_by, "held": one.held, "says": one.says,
             "counts": one.counts, "output": one.output}
            for one in ran
        ]  # fmt: skip
    return document


def _corner_document(corner: Corner) -> dict[str, Any]:
    return {"rule": corner.rule, "certainty": corner.certainty.value, "path": corner.path, "line": corner.line,
            "says": corner.says, "closes": corner.closes, "requirement": corner.snippet}  # fmt: skip
