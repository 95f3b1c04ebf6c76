"""The contract as it stands in the tree, for commands whose subject is the contract itself and not the work."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from backcheck.contract.model import Contract
from backcheck.contract.nodes import MAX_BYTES
from backcheck.errors import UserError
from backcheck.evidence.ignore import IgnoreRules
from backcheck.evidence.index import index_of
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.tracked import Tracked
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.locate import Place, find_contract, locate


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFile:
    """A contract, its bytes, and the tree around it."""

    contract: Contract
    raw: bytes
    tree: DiskTree


def open_contract(folder: str, given: str | None) -> ContractFile:
    """Read the contract that lies in the tree now, also where the base has another one. Errors: UserError."""
    place = locate(folder, None)
    # What the author is writing is the subject; the base's copy is what `check` obeys.
    place.base = None
    try:
        find_contract(place, given)
        contract = place.contract
        if contract is None:
            raise UserError("no contract", slug="no-contract")
        return ContractFile(contract=contract, raw=_bytes(place, contract, given), tree=_tree(place))
    finally:
        if place.reader is not None:
            place.reader.close()


def _bytes(place: Place, contract: Contract, given: str | None) -> bytes:
    outside = Path(given) if given is not None and place.contract_from == "given" else None
    tree = DiskTree(str(outside.parent.resolve())) if outside else DiskTree(str(place.top))
    try:
        raw = tree.read(outside.name if outside else contract.path, limit=MAX_BYTES)
    except Unreadable as error:
        raise UserError(f"the contract {error}", where=contract.path, slug="contract-unreadable") from None
    if hashlib.sha256(raw).hexdigest() != contract.digest:
        raise UserError("the contract changed while it was read", where=contract.path, slug="contract-unreadable")
    return raw


def _tree(place: Place) -> DiskTree:
    """The working tree with its own ignore rules."""
    top = DiskTree(str(place.top))
    repository = place.repository
    if repository is None:
        return DiskTree(str(place.top), place.prefix)

    def read(folder: str) -> bytes | None:
        try:
            return top.read(join(folder, ".gitignore"), limit=MAX_BYTES)
        except Unreadable:
            return None

    tracked = Tracked(lambda: index_of(repository)[0])
    return DiskTree(str(place.top), place.prefix, rules=IgnoreRules(read), tracked=tracked)
