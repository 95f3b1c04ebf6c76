"""People with keys, for tests of decisions."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from backcheck.evidence import signing
from backcheck.ledger import decisions
from backcheck.ledger.decisions import Decision, Recorded
from backcheck.verdict import Status

CONTRACT, PATH, TREE = "c" * 64, ".backcheck/contract.yaml", "a" * 64


class Reviewer:
    """Somebody with a key, who signs decisions; every field can be set otherwise."""

    def __init__(self, name: str = "ana") -> None:
        self.name = name
        self.key = Ed25519PrivateKey.generate()
        self.public = signing.public_text(self.key)

    def decision(self, **fields: Any) -> Decision:
        ordinary = {
            "requirement": "review",
            "status": Status.PASS,
            "reason": "read the diff",
            "contract": CONTRACT,
            "path": PATH,
            "tree": TREE,
            "verdict": "0123456789ab",
            "time": "2026-01-02T03:04:05.000000Z",
            "key": self.public,
            "name": self.name,
        }
        return Decision(**(ordinary | fields))

    def envelope(self, **fields: Any) -> dict[str, Any]:
        return decisions.seal(self.decision(**fields), self.key)

    def recorded(self, entry: str = "e1", **fields: Any) -> Recorded:
        return decisions.read(entry, self.envelope(**fields))
