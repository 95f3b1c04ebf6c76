"""`backcheck explain`."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Any

import click

from backcheck.checks.registry import names, own_gate
from backcheck.errors import UserError
from backcheck.surfaces.cli.check import print_json


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("check", required=False, metavar="[CHECK]")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(check: str | None, as_json: bool) -> None:
    """Show what a check asks, its arguments and when it passes; without a name, list all checks."""
    if check is None:
        pages = [page_of(name) for name in names()]
        if as_json:
            print_json(pages)
        else:
            width = max(len(page["check"]) for page in pages)
            click.echo("\n".join(f"{page['check']:<{width}}  {page['question']}" for page in pages))
        return
    page = page_of(check)
    if as_json:
        print_json(page)
    else:
        click.echo(render_page(page), nl=False)


def page_of(name: str) -> dict[str, Any]:
    """A check's reference page as data. Errors: UserError where there is no such check."""
    gate = own_gate(name)
    text = inspect.getdoc(gate)
    if not text:
        raise UserError(f"the check `{name}` has no page", slug="usage")
    question, _, body = text.partition("\n")
    return {
        "check": name,
        "question": question.strip(),
        "page": body.strip("\n"),
        "arguments": [_argument(field, gate) for field in dataclasses.fields(gate)],
        "provenance": gate.provenance.value,
        "channel": gate.channel.value,
    }


def _argument(field: dataclasses.Field[Any], gate: type[Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(gate)
    default: Any = None
    required = False
    if field.default is not dataclasses.MISSING:
        default = field.default
    elif field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    else:
        required = True
    return {"name": field.name, "type": _type_name(hints[field.name]), "required": required, "default": default}


def _type_name(hint: Any) -> str:
    words = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if hint in words:
        return words[hint]
    arguments = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin is list:
        return f"list of {_type_name(arguments[0])}"
    if origin is dict:
        return "mapping"
    return " or ".join(_type_name(argument) for argument in arguments if argument is not type(None)) or str(hint)


def render_page(page: dict[str, Any]) -> str:
    """A page as text."""
    lines = [f"{page['check']}: {page['question']}", "", page["page"], "", "Arguments:"]
    for argument in page["arguments"]:
        rest = "required" if argument["required"] else _default(argument["default"])
        lines.append(f"    {argument['name']:<14}{argument['type']} ({rest})")
    lines += ["", f"A pass is `{page['provenance']}` at most; it reads: {page['channel']}."]
    return "\n".join(lines) + "\n"


def _default(value: Any) -> str:
    """A default in a YAML writer's words; nothing is a default that needs no telling."""
    if isinstance(value, bool):
        return f"default {str(value).lower()}"
    return "optional" if value in (None, "", [], {}) else f"default {value}"
