"""A contract from a project's parts: every requirement and every line says why it is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backcheck.contract.find import parse_contract
from backcheck.contract.load import NAME
from backcheck.engine import bind_all
from backcheck.surfaces.auditing.closing import yaml
from backcheck.surfaces.auditing.part import Part, Value
from backcheck.surfaces.auditing.parts import left_out, parts_of
from backcheck.surfaces.auditing.project import Project

_COMMENT_AT = 44
_HEAD = (
    "# What \"done\" means here. Made by `backcheck init` from what is in the tree; every line is yours to change.",
    "# Commit it before the work starts: the contract of the base is the one that counts, and whoever does the work",
    "# should not edit it. `backcheck explain CHECK` says when a check passes, `backcheck lint-contract` what proves little.",
    "# Doors (`at`): stop, when an agent says that it is done; commit; push; server. A requirement without one is asked at each.",
)  # fmt: skip


def contract_text(project: Project) -> str:
    """The text of a contract that holds for this project. What it says is read back, so that it can never be a wrong one."""
    lines = [
        *_HEAD,
        "",
        _line(0, "version: 1", "the format of this file"),
        _line(0, f"task: {yaml('What the work is about, in one sentence')}", "for people and reports: write your own"),
        "requirements:",
    ]
    for part in parts_of(project):
        lines += ["", *_part(part)]
    missing = left_out(project)
    if missing:
        lines += ["", "# Left out:", *(f"#   {note}" for note in missing)]
    text = "\n".join(lines) + "\n"
    bind_all(parse_contract(text.encode(), NAME))
    return text


def _part(part: Part) -> Iterator[str]:
    yield f"  # {part.about}"
    yield _line(2, f"- id: {part.id}", "named in verdicts, and by `--only`")
    yield _line(4, f"description: {part.description}", "what must hold, for people")
    yield _line(4, f"check: {part.check}", f"`backcheck explain {part.check}`")
    if part.arguments:
        yield _line(4, "with:", "what the check is asked with")
        for name, (value, why) in part.arguments.items():
            yield from _argument(name, value, why)
    for name, (value, why) in part.fields.items():
        yield _line(4, f"{name}: {_plain(value)}", why)


def _argument(name: str, value: Value, why: str) -> Iterator[str]:
    long = isinstance(value, Sequence) and not isinstance(value, str) and len(yaml(value)) > 90
    if not long:
        yield _line(6, f"{name}: {yaml(value)}", why)
        return
    yield _line(6, f"{name}:", why)
    for one in value if isinstance(value, Sequence) else ():
        yield f"        - {yaml(one)}"


def _plain(value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"[{', '.join(value)}]" if isinstance(value, Sequence) else yaml(value)


def _line(indent: int, text: str, why: str) -> str:
    whole = " " * indent + text
    return f"{whole:<{_COMMENT_AT}}  # {why}"
