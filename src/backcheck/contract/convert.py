"""A foreign contract → the native one: the same requirements, and a comment for every answer that is stricter here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from backcheck.contract import yamltext
from backcheck.contract.load import NAME, load_native
from backcheck.contract.model import DEFAULT_ATTEMPTS, DOORS, Contract, Requirement
from backcheck.contract.nodes import parse
from backcheck.errors import UserError
from backcheck.verdict import Provenance, Severity

#: Fields of foreign contracts that have no place in a native one, and why: dialect → dotted field → reason.
_LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "skillgate": {
        "finishLine": "where a check is asked is said by `at`, and by the hooks that are installed",
        "name": "a native contract is named by its file",
        "description": "say it in `task`",
    },
    "forge": {
        "model": "a judge is configured outside the contract",
        "layer3": "votes that differ always go to a person",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stricter:
    """One requirement's sentence about an answer that is stricter than the foreign tool's."""

    requirement: str
    check: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """The native contract as text, what is stricter in it, and what was left out (field, reason)."""

    text: str
    stricter: tuple[Stricter, ...]
    left_out: tuple[tuple[str, str], ...]


def convert(contract: Contract, raw: bytes) -> Converted:
    """Write a foreign contract natively. `raw` are its file's bytes.

    Errors: UserError for a native contract, and for one that cannot be written natively without a change of meaning.
    """
    if contract.format == "native":
        raise UserError("this contract is native already; there is nothing to convert", where=contract.path,
                        slug="convert-native")  # fmt: skip
    left_out = tuple(_left_out(contract, raw))
    lines = [*_head(contract, left_out), *_requirements(contract)]
    text = "\n".join(lines) + "\n"
    _compare(contract, text)
    stricter = tuple(Stricter(requirement=one.id, check=one.check, note=note)
                     for one in contract.requirements for note in one.stricter)  # fmt: skip
    return Converted(text=text, stricter=stricter, left_out=left_out)


def _left_out(contract: Contract, raw: bytes) -> Iterator[tuple[str, str]]:
    data = parse(raw, contract.path).data
    for name, reason in _LEFT_OUT.get(contract.format, {}).items():
        if data.get(name) is not None:
            yield name, reason
    for item in (data.get("evidence_gates") or {}).get("requirements") or [] if contract.format == "forge" else []:
        for name in ("strength", "verify_keyspace"):
            if item.get(name) is not None:
                yield f"{item.get('id')}.{name}", "it changed no answer there, beyond a refusal of all-L1 contracts"


def _head(contract: Contract, left_out: tuple[tuple[str, str], ...]) -> Iterator[str]:
    yield from yamltext.comment(f"Converted from {contract.path} by `backcheck convert`; save it as {NAME}.")
    yield from yamltext.comment("Comments that start with `stricter:` say where an answer can be stricter than before.")
    for name, reason in left_out:
        yield from yamltext.comment(f"left out: {name} ({reason})")
    for note in contract.notes:
        yield from yamltext.comment(f"note: {note}")
    yield "version: 1"
    if contract.task:
        yield from yamltext.field("task", contract.task, 0)


def _requirements(contract: Contract) -> Iterator[str]:
    if not contract.requirements:
        yield from yamltext.comment("nothing is asked, so the verdict will be UNCLEAR; the other tool passed this")
        yield "requirements: []"
        return
    yield "requirements:"
    for requirement in contract.requirements:
        for note in requirement.stricter:
            yield from yamltext.comment(f"stricter: {note}", 2)
        yield from _requirement(requirement)


def _requirement(requirement: Requirement) -> Iterator[str]:
    fields: dict[str, Any] = {"id": requirement.id}
    if requirement.description:
        fields["description"] = requirement.description
    fields["check"] = requirement.check
    if requirement.arguments:
        fields["with"] = dict(requirement.arguments)
    if requirement.provenance is not Provenance.ASSERTED:
        fields["provenance"] = requirement.provenance.value
    if requirement.severity is not Severity.BLOCK:
        fields["severity"] = requirement.severity.value
    mark = "- "
    for name, value in fields.items():
        for line in yamltext.field(name, value, 4):
            yield f"  {mark}{line[4:]}"
            mark = "  "


def _compare(contract: Contract, text: str) -> None:
    """Read the text back; whatever does not come back as it was is refused, never written."""
    try:
        made = load_native(text.encode("utf-8"), NAME)
    except (UserError, UnicodeEncodeError) as error:
        raise UserError(f"it cannot be written natively: {error}", where=contract.path, slug="convert-failed") from None
    for before, after in zip(contract.requirements, made.requirements, strict=True):
        if meaning(before) != meaning(after):
            raise UserError(f"`{before.id}` cannot be written natively without a change of meaning",
                            where=before.position, slug="convert-failed")  # fmt: skip
    if made.task != contract.task or made.attempts != DEFAULT_ATTEMPTS:
        raise UserError("`task` cannot be written natively", where=contract.path, slug="convert-failed")


def meaning(requirement: Requirement) -> tuple[object, ...]:
    """What must survive a conversion: everything but places and comments."""
    return (
        requirement.id, requirement.check, requirement.description, repr(dict(requirement.arguments)),
        requirement.severity, requirement.provenance, requirement.inputs, requirement.at or DOORS,
    )  # fmt: skip
