"""`backcheck lint-contract`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

from backcheck.contract.drift import Count, Drift, measure_drift
from backcheck.contract.lint import lint
from backcheck.contract.warning import LintWarning
from backcheck.engine import Bound, bind_all
from backcheck.errors import Position
from backcheck.evidence.git import GitError
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.paths import shown
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.cli.contract_file import open_contract
from backcheck.surfaces.cli.pattern_runner import Runner

SCHEMA = "backcheck.lint/1"
HONEST = "on sentences made by rule from the contract's own words; how often people write so was not measured"


@click.command("lint-contract", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("contract", required=False)
@click.option("-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one.")
@click.option("--drift", is_flag=True, help="Run keyword patterns on made-up sentences and count both errors.")
@click.option("--strict", is_flag=True, help="Exit 1 where there is a warning.")
@click.option("--json", "as_json", is_flag=True, help="Print the warnings as JSON.")
@click.pass_context
def command(ctx: click.Context, contract: str | None, directory: str, drift: bool, strict: bool, as_json: bool) -> None:
    """Warn of requirements that prove little, with the place and the check that would prove more.

    CONTRACT is a file; without it the nearest contract in the tree counts, not the base's. Nothing is judged and nothing
    of the tree is run; no network is used.

    Exit codes: 0, also with warnings; 1 with warnings and --strict; 2 where the contract or the call is wrong.
    """
    opened = open_contract(directory, contract)
    bound = bind_all(opened.contract)
    files, notices = matched_files(bound, opened.tree)
    runner = Runner()
    warnings = lint(opened.contract, runner, files=files)
    drifts = measure_drift(opened.contract, runner) if drift else None
    if as_json:
        document = _document(opened.contract.path, opened.contract.format, warnings, notices, drifts)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False).encode("utf-8", "replace"))
    else:
        for line in _text(warnings, drifts):
            click.echo(shown(line))
        for notice in notices:
            click.echo(f"backcheck: {notice}", err=True)
    ctx.exit(1 if strict and warnings else 0)


def matched_files(bound: Iterable[Bound], tree: DiskTree) -> tuple[dict[str, int], list[str]]:
    """How many files the globs of each `absent` match, by requirement, and what could not be found out."""
    asked = [item for item in bound if item.requirement.check == "absent"]
    if not asked:
        return {}, []
    searches = [search for item in asked for search in item.gate.searches()]  # type: ignore[attr-defined]
    try:
        tallies = tree.survey(searches).tallies
    except (WorkerDied, TooLarge, GitError, OSError) as error:
        return {}, [f"the tree could not be read whole, so no glob was tried: {error}"]
    return {item.requirement.id: tally.files + len(tally.problems)
            for item, tally in zip(asked, tallies, strict=True)}, []  # fmt: skip


def _text(warnings: Sequence[LintWarning], drifts: Sequence[Drift] | None) -> Iterable[str]:
    for one in warnings:
        name = f" `{one.requirement}`:" if one.requirement else ""
        route = f" -> {one.route}" if one.route else ""
        yield f"{one.position}: {one.rule}:{name} {one.message}{route}"
    yield f"{len(warnings)} warning{'' if len(warnings) == 1 else 's'}"
    if drifts is not None:
        yield ""
        yield f"Drift of {len(drifts)} pattern{'' if len(drifts) == 1 else 's'}, {HONEST}:"
        for drift in drifts:
            yield from _drift_lines(drift)


def _drift_lines(drift: Drift) -> Iterable[str]:
    use = drift.use
    yield f"{use.position}: `{use.requirement}` /{use.shown}/"
    if drift.skipped:
        yield f"    not tried: {drift.skipped}"
        return
    kinds = ", ".join(f"{kind} {count.k} of {count.n}" for kind, count in drift.by_kind.items())
    yield f"    true statements missed: {_counted(drift.missed)}"
    yield f"    untrue statements matched: {_counted(drift.matched)}"
    yield f"        {kinds}"


def _counted(count: Count) -> str:
    shown = "; ".join(f"“{' '.join(example.split())}”" for example in count.examples)
    return f"{count.k} of {count.n}" + (f", such as {shown}" if shown else "")


def _document(path: str, dialect: str, warnings: Sequence[LintWarning], notices: Sequence[str],
              drifts: Sequence[Drift] | None) -> dict[str, Any]:  # fmt: skip
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "contract": {"path": path, "format": dialect},
        "warnings": [
            {"rule": one.rule, "requirement": one.requirement, "where": _where(one.position), "message": one.message,
             "route": one.route or None}
            for one in warnings
        ],
        "notices": list(notices),
    }  # fmt: skip
    if drifts is not None:
        document["drift"] = {"basis": HONEST, "patterns": [_drift(drift) for drift in drifts]}
    return document


def _where(position: Position) -> dict[str, Any]:
    return {"path": position.path, "line": position.line, "column": position.column}


def _drift(drift: Drift) -> dict[str, Any]:
    use = drift.use
    return {
        "requirement": use.requirement,
        "argument": use.argument,
        "where": _where(use.position),
        "pattern": use.shown,
        "skipped": drift.skipped or None,
        "missed": _count(drift.missed),
        "matched": _count(drift.matched)
        | {"by_kind": {kind: {"k": count.k, "n": count.n} for kind, count in drift.by_kind.items()}},
    }


def _count(count: Count) -> dict[str, Any]:
    return {"k": count.k, "n": count.n, "examples": list(count.examples)}
