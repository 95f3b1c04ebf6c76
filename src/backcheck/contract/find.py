"""Which file is the contract: names in order of weight, and what happens when two foreign ones stand side by side."""

from __future__ import annotations

from collections.abc import Callable

from backcheck.contract import forge, load, skillgate
from backcheck.contract.model import Contract
from backcheck.errors import UserError

Loader = Callable[[bytes, str], Contract]

#: The native names; the first wins over every foreign file.
NATIVE_NAMES = (load.NAME, ".backcheck/contract.yml")
FOREIGN_NAMES = (*skillgate.NAMES, forge.NAME)
ALL_NAMES = (*NATIVE_NAMES, *FOREIGN_NAMES)


def loader_for(path: str, raw: bytes) -> Loader:
    """The loader by the file's name, or for an odd name by the fields at its top."""
    if path.endswith(NATIVE_NAMES):
        return load.load_native
    if path.endswith(forge.NAME):
        return forge.load_forge
    if path.endswith(skillgate.NAMES):
        return skillgate.load_skillgate
    head = raw[:65536]
    if b"evidence_gates" in head or (b'"files"' in head and b'"task"' in head):
        return forge.load_forge
    if b"requirements" in head:
        return load.load_native
    return skillgate.load_skillgate if b"gates" in head else load.load_native


def choose(exists: Callable[[str], bool]) -> str | None:
    """The contract's name in one folder, or None. Errors: UserError where two foreign tools' files stand together."""
    for name in NATIVE_NAMES:
        if exists(name):
            return name
    gate = next((name for name in skillgate.NAMES if exists(name)), None)
    other = forge.NAME if exists(forge.NAME) else None
    if gate and other:
        raise UserError(f"two contracts, `{gate}` and `{other}`; keep one, or write {load.NAME} (`backcheck convert`)",
                        slug="contract-two")  # fmt: skip
    return gate or other


def parse_contract(raw: bytes, path: str) -> Contract:
    """Bytes → contract, by the dialect of its name or content."""
    return loader_for(path, raw)(raw, path)
