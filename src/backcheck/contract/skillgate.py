"""`.skillgate/done.yaml` and its other places, read as they are: gates → requirements of the same meaning."""

from __future__ import annotations

import hashlib
from typing import Any

from backcheck.contract.fields import Fields, kind_of
from backcheck.contract.load import MAX_REQUIREMENTS, check_unique, positions_below
from backcheck.contract.model import Contract, Requirement
from backcheck.contract.nodes import Document, nearest, parse
from backcheck.errors import Position, UserError

#: Where that tool looks, in its order; the first that exists wins.
NAMES = (
    ".skillgate/done.yaml",
    ".skillgate/done.yml",
    ".skillgate.yaml",
    ".skillgate.yml",
    ".skillgate.json",
)

#: Gate type → its fields. The check has the same name and, but for `timeout`, the same argument names.
FIELDS: dict[str, tuple[str, ...]] = {
    "file-exists": ("file",),
    "file-contains": ("file", "pattern", "flags"),
    "absent": ("glob", "pattern", "flags", "ignore"),
    "command": ("run", "timeout"),
    "evidence": ("file",),
    "not-empty": ("path", "min"),
    "instruction-sync": ("threshold",),
}
DEFAULT_TIMEOUT_MS = 30_000
_COMMON = ("id", "type", "description")


def load_skillgate(raw: bytes, path: str) -> Contract:
    """Parse a skillgate contract. Errors: UserError at its place; unknown fields are errors here, not ignored."""
    document = parse(raw, path)
    fields = Fields(document, "", document.data, "the contract")
    version = fields.integer("version", 1, low=0, high=1)
    fields.texts("finishLine")
    fields.text("$schema")
    fields.text("name")
    fields.text("description")
    if not isinstance(fields.raw("gates"), list):
        found = kind_of(fields.data.get("gates"))
        raise UserError(f"`gates` must be a list, not {found}", where=fields.where("gates"), slug="contract-type")
    items = fields.items("gates")
    if len(items) > MAX_REQUIREMENTS:
        raise UserError(f"{len(items)} gates; the limit is {MAX_REQUIREMENTS}", where=fields.where("gates"),
                        slug="contract-too-large")  # fmt: skip
    requirements: list[Requirement] = []
    for number, (key, item) in enumerate(items, start=1):
        requirement = _gate(document, key, item, number)
        check_unique(requirement.id, [other.id for other in requirements], document.at(f"{key}.id"))
        requirements.append(requirement)
    fields.finish()
    digest = hashlib.sha256(raw).hexdigest()
    return Contract(path=path, format="skillgate", digest=digest, requirements=tuple(requirements), version=version)


def _gate(document: Document, key: str, item: Any, number: int) -> Requirement:
    fields = Fields(document, key, item, "a gate")
    kind = fields.text("type", required=True)
    if kind not in FIELDS:
        raise UserError(f"no gate type `{kind}`{nearest(kind, FIELDS)}", where=fields.where("type"),
                        slug="contract-unknown-check")  # fmt: skip
    name = fields.text("id") or f"gate-{number}"
    description = fields.text("description")
    arguments = {field: fields.data[field] for field in FIELDS[kind] if fields.data.get(field) is not None}
    fields.finish(known=(*_COMMON, *FIELDS[kind]))
    return Requirement(
        id=name,
        check=kind,
        description=description,
        arguments=_translate(kind, arguments, fields),
        position=document.at(key),
        positions=_argument_positions(document, key),
        stricter=STRICTER[kind],
    )


def _argument_positions(document: Document, key: str) -> dict[str, Position]:
    """The checks look for `with.NAME`; in this dialect arguments stand beside the id."""
    below = positions_below(document, key)
    return below | {f"with.{name}": where for name, where in below.items()}


def _translate(kind: str, arguments: dict[str, Any], fields: Fields) -> dict[str, Any]:
    if kind in {"file-contains", "absent"}:
        arguments["dialect"] = "javascript"
    if kind == "absent":
        arguments["ignored"] = True
        arguments["ignore"] = [*_DEFAULT_IGNORE, *_ignore_list(arguments.get("ignore"), fields)]
    if kind == "not-empty" and "min" in arguments:
        arguments["min"] = fields.integer("min", 1, low=1, high=1_000_000)
    if kind == "command":
        fields.text("run", required=True)
        fields.text("run", required=True)
        milliseconds = fields.integer("timeout", DEFAULT_TIMEOUT_MS, low=1, high=86_400_000)
        arguments["timeout"] = milliseconds / 1000
    return arguments


_DEFAULT_IGNORE = ("**/node_modules/**", "**/.git/**", "dist/**")


def _ignore_list(value: Any, fields: Fields) -> list[str]:
    if value is None:
        return []
    return list(fields.texts("ignore", one_ok=True))


#: What this tool answers more strictly than the other, by gate type; `convert` prints it.
STRICTER: dict[str, tuple[str, ...]] = {
    "file-exists": (
        "a folder, a FIFO, a device, a link out of the root, an absolute path or one with `..` is no file: it fails",
        "an empty list or an empty name is a wrong contract",
    ),
    "file-contains": (
        "the text is decoded (UTF-16, BOM, CRLF) before it is searched",
        "a missing or empty pattern is a wrong contract",
    ),
    "absent": (
        "a glob that matches no file is unclear: nothing was searched",
        "a file that cannot be read whole is unclear, not skipped",
        "invisible and look-alike characters do not hide a match",
    ),
    "command": (
        "the environment is an allow-list, not everything that the caller has",
        "`timeout: 0` is a wrong contract; nothing that the command starts outlives it",
    ),
    "evidence": (
        "white space, NUL bytes or a byte order mark alone prove nothing: it fails",
        "a folder, a device or a link out of the root is no evidence: it fails",
    ),
    "not-empty": ("`min` below 1 is a wrong contract", "a link out of the root fails"),
    "instruction-sync": (
        "a link or an import counts only if it leads to the canonical file itself",
        "a threshold outside 0 to 1 is a wrong contract",
    ),
}
