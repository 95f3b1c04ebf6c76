"""Which recorded run counts for a requirement: command, folder, environment, signer and tree must be the ones asked for."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from backcheck.checks.running import NotRun, Ran, RunAsked
from backcheck.contract.model import Requirement
from backcheck.evidence import signing
from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.commands import allowed_environment
from backcheck.evidence.globs import Globs
from backcheck.evidence.masking import mask
from backcheck.evidence.paths import join
from backcheck.evidence.recording import ID_LENGTH, environment_digest, files_of, result_of
from backcheck.evidence.records import RunRecord, read
from backcheck.evidence.vault import Vault, VaultError
from backcheck.evidence.workspace import DiskTree
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import LedgerError
from backcheck.surfaces.session import Session
from backcheck.surfaces.trust import record_keys
from backcheck.verdict import Blame, Provenance

#: Newest records that are looked at.
MAX_LOOKED = 200


def counted(session: Session, requirement: Requirement, asked: RunAsked) -> Ran | None:
    """The newest record that counts, as a run; None where there is none, and the command is then run now.

    Errors: NotRun where runs of the same tree ended differently: repeating until it is green proves nothing.
    """
    place = session.place
    trusted = {signing.raw_key(key) for key in record_keys(place)}
    if not trusted or not isinstance(session.tree, DiskTree):
        return None
    ledger = open_ledger(place.repository, place.root)
    vault = Vault(Path(ledger.where).parent / "kept")
    wanted = _Wanted(session, requirement, asked)
    counting: list[tuple[str, RunRecord]] = []
    try:
        for entry in ledger.entries("run", newest_first=True, limit=MAX_LOOKED):
            found = read(entry.body)
            record = found.record
            if found.problem or record is None or signing.raw_key(record.key) not in trusted:
                continue
            if wanted.same_call(record) and not wanted.changed_since(record, vault):
                counting.append((entry.id, record))
    except LedgerError as error:
        session.notices.append(f"records of runs could not be read: {error.message}")
        return None
    if not counting:
        return None
    entry_id, newest = counting[0]
    failed = next((name for name, record in counting if not record.ended_well), "")
    if failed and newest.ended_well:
        raise NotRun(f"it failed ({failed}) and passed ({entry_id}) on the same tree", Blame.AGENT,
                     "Find out why it is not the same each time.")  # fmt: skip
    try:
        reports = {wanted.below(item.path): vault.get(item.sha256) for item in newest.reports if item.kept}
    except VaultError:
        return None
    return Ran(
        result=result_of(newest), reports=reports, provenance=Provenance.RECORDED,
        said=f"recorded {newest.started[:19]}Z ({entry_id}) on this very tree", replayed=True,
    )  # fmt: skip


class _Wanted:
    """What a record must fit; the tree's files are listed once, and only where a record's signer and call fit."""

    def __init__(self, session: Session, requirement: Requirement, asked: RunAsked) -> None:
        self.session, self.requirement, self.asked = session, requirement, asked
        environment = allowed_environment(asked.variables)
        folder = session.place.root
        self.environment = environment_digest(asked.argv, folder, environment, asked.variables)
        self.argv = [mask(word) for word in asked.argv]
        self.prefix = session.place.prefix

    def below(self, path: str) -> str:
        """A path from the tree's top as the contract names it."""
        return path.removeprefix(f"{self.prefix}/") if self.prefix else path

    def same_call(self, record: RunRecord) -> bool:
        """Whether command, folder and environment are the contract's, and the commit it ran on is one of this repository."""
        repository = self.session.place.repository
        if (record.argv, record.folder, record.environment) != (self.argv, self.prefix, self.environment):
            return False
        if {join(self.prefix, path) for path in self.asked.reports} - {item.path for item in record.reports}:
            return False
        return not record.commit or (repository is not None and repository.commit(record.commit) is not None)

    def changed_since(self, record: RunRecord, vault: Vault) -> list[str]:
        """Paths that the answer depends on and that the run itself changed, or that are others now than they were then."""
        try:
            then = files_of(vault.get(record.manifest.sha256))
        except (VaultError, ValueError):
            return ["the list of files that it ran on"]
        reports = {item.path for item in record.reports}
        now = self.files
        differing = [path for path in {*then, *now} if then.get(path) != now.get(path)]
        return self._inputs({*differing, *record.changed} - reports)

    @functools.cached_property
    def files(self) -> Mapping[str, tuple[str, str]]:
        """(mode, id) of every file of the tree now."""
        tree = self.session.tree
        return disk_blobs(tree.top, list(tree.paths()), ID_LENGTH) if isinstance(tree, DiskTree) else {}

    def _inputs(self, paths: Iterable[str]) -> list[str]:
        if not self.requirement.inputs:
            return sorted(paths)
        globs = Globs(tuple(join(self.prefix, glob) for glob in self.requirement.inputs))
        return sorted(path for path in paths if path in globs)
