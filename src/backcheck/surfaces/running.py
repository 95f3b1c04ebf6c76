"""`backcheck run`: from a call to a signed record in the ledger, and back from the ledger to records that count."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from backcheck.contract.model import Requirement
from backcheck.contract.nodes import nearest
from backcheck.errors import UserError
from backcheck.evidence import records, signing
from backcheck.evidence.commands import Limits, Sink, allowed_environment
from backcheck.evidence.recording import Asked, argv_of, record_run
from backcheck.evidence.records import Read, RunRecord, Stored
from backcheck.evidence.vault import Vault, VaultError
from backcheck.ledger import keys
from backcheck.ledger.location import ledger_path, open_ledger
from backcheck.ledger.store import Entry, Ledger
from backcheck.surfaces.locate import Place, find_contract, locate
from backcheck.surfaces.session import disk_tree

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KIND = "run"
DEFAULT_KEY = keys.RECORDER
DEFAULT_SECONDS = 3600.0
#: Newest records in which a list of the same files is looked for.
RECENT = 20


class Wanted(NamedTuple):
    """What the caller asks for; without `command` the contract's own for the requirement `name` is run."""

    name: str = ""
    command: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    seconds: float = DEFAULT_SECONDS
    key: str = DEFAULT_KEY


class Ran(NamedTuple):
    """A record, the id of its entry, and what its reader must know."""

    record: RunRecord
    entry: str
    notices: tuple[str, ...]


def vault_of(place: Place) -> Vault:
    """Where what runs printed and wrote is kept: beside the ledger."""
    return Vault(ledger_path(place.repository, place.root).parent / "kept")


def run_and_record(directory: str, wanted: Wanted, sink: Sink) -> Ran:
    """Run, sign, append. Errors: UserError before anything runs, or where nothing could be recorded."""
    place = locate(directory, None)
    try:
        asked, notices = _asked(place, wanted)
        ledger = open_ledger(place.repository, place.root)
        next(ledger.entries(limit=1), None)
        # An empty entry would be none; the folder for both is made before the command may take an hour.
        _ready(Path(ledger.where).parent)
        key = recorder_key(wanted.key)
        commit = place.repository.commit("HEAD") if place.repository else None
        vault = vault_of(place)
        known = functools.partial(_kept_manifest, ledger, vault)
        record = record_run(disk_tree(place, cache=True), asked, vault, commit or "", sink, known)
        record = replace(record, key=signing.public_text(key))
        entry = ledger.append(KIND, records.seal(record, key))
    finally:
        if place.reader is not None:
            place.reader.close()
    return Ran(record=record, entry=entry.id, notices=(*notices, *_notices(record)))


def _kept_manifest(ledger: Ledger, vault: Vault, digest: str) -> Stored | None:
    """The list of files of a tree that a run was recorded on before; its digest stands for every byte of it."""
    for entry in ledger.entries(KIND, newest_first=True, limit=RECENT):
        found = records.read(entry.body)
        if digest and not found.problem and found.record is not None and found.record.after == digest:
            try:
                vault.get(found.record.manifest.sha256)
            except VaultError:
                return None
            return found.record.manifest
    return None


def _ready(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UserError(f"nothing can be recorded here: {error.strerror}", where=str(folder), slug="run") from None


def _asked(place: Place, wanted: Wanted) -> tuple[Asked, list[str]]:
    """The call as it will be made. Errors: UserError where the contract has no such requirement or no command for it."""
    requirement = _requirement(place, wanted)
    below = os.path.relpath(place.start, place.top)
    folder, reports = "" if below == "." else below, wanted.reports
    notices: list[str] = []
    argv, seconds = list(wanted.command), wanted.seconds
    names: Sequence[str] = ()
    if requirement is not None:
        own = contract_run(requirement)
        argv = argv or own.argv
        if own.argv and argv != own.argv:
            notices.append(f"this is not the contract's command for `{wanted.name}`; the record does not count for it")
        folder, names, reports = place.prefix, own.variables, (*reports, *own.reports)
        seconds = own.seconds or seconds
    if not argv:
        raise UserError(
            "no command: `backcheck run -- COMMAND …`, or `--as ID` of a requirement that has one", slug="run"
        )
    asked = Asked(
        name=wanted.name, argv=argv, folder=folder, environment=allowed_environment(names), variables=names,
        limits=Limits(seconds=seconds), reports=tuple(dict.fromkeys(reports)),
    )  # fmt: skip
    return asked, notices


class ContractRun(NamedTuple):
    """How a requirement wants its command to be run."""

    argv: list[str]
    variables: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    seconds: float = 0.0


def contract_run(requirement: Requirement) -> ContractRun:
    """The command of a requirement whose check runs one; no argv where it runs none."""
    with_ = requirement.arguments
    run, report = with_.get("run"), with_.get("report")
    names = with_.get("env") or ()
    return ContractRun(
        argv=argv_of(run) if isinstance(run, str | list) else [],
        variables=tuple(str(name) for name in names),
        reports=(report,) if isinstance(report, str) else (),
        seconds=float(with_.get("timeout") or 0),
    )


def _requirement(place: Place, wanted: Wanted) -> Requirement | None:
    if not wanted.name:
        return None
    try:
        find_contract(place, None)
    except UserError:
        if wanted.command:
            return None
        raise
    found = {item.id: item for item in place.contract.requirements} if place.contract else {}
    if wanted.name not in found and not wanted.command:
        raise UserError(
            f"--as {wanted.name}: the contract has no such requirement{nearest(wanted.name, found)}", slug="run"
        )
    return found.get(wanted.name)


def recorder_key(name: str) -> Ed25519PrivateKey:
    """The key of this name; the default one is made where it is missing. Errors: UserError."""
    if name == DEFAULT_KEY and not (keys.folder() / f"{name}{keys.SUFFIX}").exists():
        keys.new_key(name)
    return keys.load_key(name)


def _notices(record: RunRecord) -> Iterator[str]:
    if record.changed:
        more = f" and {len(record.changed) - 1} more" if len(record.changed) > 1 else ""
        yield f"the run changed or made {record.changed[0]}{more}; what it changed it does not prove"
    if not record.output.kept:
        yield "it printed more than is kept; the record holds the beginning and the end"


def read_runs(entries: Iterator[Entry]) -> Iterator[tuple[Entry, Read]]:
    """The records of a ledger with what is wrong with each."""
    for entry in entries:
        yield entry, records.read(entry.body)
