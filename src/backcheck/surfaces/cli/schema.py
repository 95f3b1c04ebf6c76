"""`backcheck schema`."""

from __future__ import annotations

import json

import click


@click.command("schema", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Print the JSON Schema (draft 2020-12) of contracts, for editors.

    It describes the checks that come with backcheck; those of plugins are let through.

    Exit codes: 0; 2 where the call is wrong.
    """
    from backcheck.checks.registry import names, own_gate
    from backcheck.contract.schema import contract_schema

    schema = contract_schema({name: own_gate(name) for name in names()})
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False).encode("utf-8"))
