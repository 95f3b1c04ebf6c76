"""`backcheck convert`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from backcheck.contract.convert import Converted, convert
from backcheck.contract.model import Contract
from backcheck.engine import bind_all
from backcheck.errors import UserError
from backcheck.surfaces.cli.contract_file import open_contract

SCHEMA = "backcheck.convert/1"


@click.command("convert", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("contract", required=False)
@click.option("-C", "--directory", default=".", metavar="DIR", help="Start in this folder instead of the current one.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write a new file, from the current folder; never over an old one."
)
@click.option("--json", "as_json", is_flag=True, help="Print text and differences as JSON.")
def command(contract: str | None, directory: str, output: str | None, as_json: bool) -> None:
    """Turn a foreign contract into a native one of the same meaning.

    CONTRACT is a file of skillgate or content-verify; without it the nearest contract in the tree counts. The native
    contract goes to stdout (or to FILE), and the list of answers that are stricter here to stderr.

    Exit codes: 0; 2 where the contract or the call is wrong, the contract is native, or FILE is there already.
    """
    opened = open_contract(directory, contract)
    converted = convert(opened.contract, opened.raw)
    bind_all(opened.contract)
    if output is not None:
        _write(Path(output), converted.text)
    if as_json:
        click.echo(json.dumps(_document(opened.contract, converted, output), indent=2).encode("utf-8"))
        return
    if output is None:
        click.echo(converted.text.encode("utf-8"), nl=False)
    for line in _told(opened.contract, converted, output):
        click.echo(line.encode("utf-8", "replace"), err=True)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
    except FileExistsError:
        raise UserError(
            "there is such a file already; it is not overwritten", where=str(path), slug="convert-output"
        ) from None
    except OSError as error:
        raise UserError(f"it cannot be written: {error.strerror}", where=str(path), slug="convert-output") from None


def _told(contract: Contract, converted: Converted, output: str | None) -> Iterator[str]:
    if output is not None:
        yield f"written: {output}"
    if converted.stricter:
        yield f"Stricter than {contract.format}:"
    for one in converted.stricter:
        yield f"  {one.requirement} ({one.check}): {one.note}"
    if converted.left_out:
        yield "Left out:"
    for name, reason in converted.left_out:
        yield f"  {name}: {reason}"


def _document(contract: Contract, converted: Converted, output: str | None) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "from": {"path": contract.path, "format": contract.format},
        "written": output,
        "text": converted.text,
        "stricter": [{"requirement": s.requirement, "check": s.check, "note": s.note} for s in converted.stricter],
        "left_out": [{"field": name, "reason": reason} for name, reason in converted.left_out],
    }
