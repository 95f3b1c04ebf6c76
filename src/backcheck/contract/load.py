"""The native contract, `.backcheck/contract.yaml`: bytes → values, or one error at its place."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from backcheck.contract.fields import Fields, kind_of
from backcheck.contract.model import DEFAULT_ATTEMPTS, DOORS, Contract, Plugin, Requirement
from backcheck.contract.nodes import Document, parse
from backcheck.errors import Position, UserError
from backcheck.verdict import OWN_PREFIX, Isolation, Provenance, Severity

NAME = ".backcheck/contract.yaml"
VERSION = 1
MAX_REQUIREMENTS = 1000
#: P0 and P1 are defects that block, P2 and P3 ones that are listed.
PRIORITIES = {"P0": Severity.BLOCK, "P1": Severity.BLOCK, "P2": Severity.WARN, "P3": Severity.WARN}

_ID = re.compile(r"(?! )[^\x00-\x1f\x7f]{1,120}(?<! )")
_KEY = re.compile(r"ed25519:[A-Za-z0-9+/]{43}=")
_DURATION = re.compile(r"(\d{1,6})(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, None: 1.0, "m": 60.0, "h": 3600.0}


def load_native(raw: bytes, path: str) -> Contract:
    """Parse a native contract. Errors: UserError with file, line, column, what was expected and the nearest name."""
    document = parse(raw, path)
    fields = Fields(document, "", document.data, "the contract")
    version = fields.raw("version")
    if version is None:
        raise UserError(f"the contract has no `version`; write `version: {VERSION}`", where=fields.where(),
                        slug="contract-missing")  # fmt: skip
    fields.integer("version", VERSION, low=VERSION, high=VERSION)
    subject = fields.choice("subject", "workspace", ("workspace", "conversation"))
    contract = Contract(
        path=path,
        format="native",
        digest=hashlib.sha256(raw).hexdigest(),
        subject=subject,
        task=fields.text("task"),
        prepare=fields.texts("prepare"),
        network=fields.flag("network"),
        trusted_keys=_keys(fields, "trusted_keys"),
        recorder_keys=_keys(fields, "recorder_keys"),
        attempts=fields.integer("attempts", DEFAULT_ATTEMPTS, low=1, high=1000),
        plugins=_plugins(fields),
        requirements=_requirements(fields),
    )
    fields.finish()
    if subject == "conversation":
        raise UserError("`subject: conversation` cannot be checked by this version; it checks `workspace`",
                        where=fields.where("subject"), slug="contract-subject")  # fmt: skip
    return contract


def _keys(fields: Fields, name: str) -> tuple[str, ...]:
    keys = fields.texts(name)
    for index, key in enumerate(keys):
        if not _KEY.fullmatch(key):
            raise UserError("a key is written `ed25519:` and 44 characters of base64; see `backcheck keys`",
                            where=fields.document.at(f"{name}.{index}"), slug="contract-key")  # fmt: skip
    return keys


def _plugins(fields: Fields) -> tuple[Plugin, ...]:
    plugins = []
    for key, item in fields.items("plugins"):
        entry = Fields(fields.document, key, item, "a plugin")
        plugins.append(
            Plugin(
                distribution=entry.text("distribution", required=True),
                version=entry.text("version", required=True),
                position=entry.where(),
            )
        )
        entry.finish()
    return tuple(plugins)


def _requirements(fields: Fields) -> tuple[Requirement, ...]:
    found: list[Requirement] = []
    items = fields.items("requirements", required=True)
    if len(items) > MAX_REQUIREMENTS:
        raise UserError(f"{len(items)} requirements; the limit is {MAX_REQUIREMENTS}", where=fields.where("requirements"),
                        slug="contract-too-large")  # fmt: skip
    for key, item in items:
        requirement = _requirement(fields.document, key, item)
        check_unique(requirement.id, [other.id for other in found], fields.document.at(f"{key}.id"))
        found.append(requirement)
    return tuple(found)


def check_unique(name: str, earlier: list[str], where: Position) -> None:
    """Refuse an id that an earlier requirement has, or one that is reserved or unreadable."""
    if name in earlier:
        raise UserError(f"the id `{name}` is used twice", where=where, slug="contract-duplicate-id")
    if not _ID.fullmatch(name):
        raise UserError("an id is 1 to 120 printable characters on one line", where=where, slug="contract-id")
    if name.startswith(OWN_PREFIX):
        raise UserError(f"ids that start with `{OWN_PREFIX}` are backcheck's own", where=where, slug="contract-id")


def _requirement(document: Document, key: str, item: Any) -> Requirement:
    fields = Fields(document, key, item, "a requirement")
    severity, priority = _severity(fields)
    at = fields.texts("at", one_ok=True) or DOORS
    for door in at:
        if door not in DOORS:
            raise UserError(f"`at` cannot be `{door}`; it takes {', '.join(DOORS)}", where=fields.where("at"),
                            slug="contract-value")  # fmt: skip
    requirement = Requirement(
        id=fields.text("id", required=True),
        check=fields.text("check", required=True),
        description=fields.text("description"),
        arguments=_arguments(fields),
        severity=severity,
        priority=priority,
        provenance=Provenance(fields.choice("provenance", "asserted", [p.value for p in Provenance])),
        isolation=Isolation(fields.choice("isolation", "none", [i.value for i in Isolation])),
        inputs=fields.texts("inputs", one_ok=True),
        at=tuple(at),
        budget=duration(fields, "budget"),
        dimension=fields.text("dimension"),
        hidden=fields.flag("hidden"),
        position=document.at(key),
        positions=positions_below(document, key),
    )
    fields.finish(hint="; arguments of the check stand below `with`")
    return requirement


def positions_below(document: Document, key: str) -> dict[str, Position]:
    """Positions of everything under `key`, keyed from there."""
    prefix = f"{key}."
    return {name[len(prefix) :]: where for name, where in document.positions.items() if name.startswith(prefix)}


def _severity(fields: Fields) -> tuple[Severity, str]:
    word = fields.choice("severity", "block", [*(s.value for s in Severity), *PRIORITIES])
    return (PRIORITIES[word], word) if word in PRIORITIES else (Severity(word), "")


def _arguments(fields: Fields) -> dict[str, Any]:
    value = fields.raw("with", {})
    if not isinstance(value, dict):
        raise UserError(f"`with` must be a mapping of the check's arguments, not {kind_of(value)}",
                        where=fields.where("with"), slug="contract-type")  # fmt: skip
    return value


def duration(fields: Fields, name: str) -> float | None:
    """Seconds from `30`, `30s`, `500ms`, `5m` or `1h`; None where absent."""
    value = fields.raw(name)
    if value is None:
        return None
    match = _DURATION.fullmatch(str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
    seconds = int(match[1]) * _UNITS[match[2]] if match else 0.0
    if seconds <= 0:
        raise UserError(f"`{name}` must be a time above zero like `30s`, `500ms` or `5m`", where=fields.where(name),
                        slug="contract-value")  # fmt: skip
    return seconds
