"""What the main line asks of the ledger: people's decisions, earlier attempts, and a place for this verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backcheck import engine
from backcheck.contract.model import Contract
from backcheck.surfaces.session import Session
from backcheck.verdict import Blame, Finding, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Attempts so far, this one included."""

    number: int = 1
    rejected: int = 0
    limit: int = 0
    exhausted: bool = False
    cleared: bool = False

    def document(self) -> dict[str, int]:
        """For the verdict document."""
        return {"number": self.number, "rejected": self.rejected, "limit": self.limit}


@dataclass(slots=True, kw_only=True)
class Memory:
    """The ledger as one call sees it."""

    session: Session
    contract: Contract
    digest: str
    ledger: Any = None
    decisions: Sequence[Any] = ()
    notices: list[str] = field(default_factory=list)
    broken: str = ""

    @classmethod
    def open(cls, session: Session, contract: Contract, digest: str, *, enabled: bool) -> Memory:
        """Open the ledger; one that cannot be read is told, and is an error of the verifier."""
        return cls(session=session, contract=contract, digest=digest)

    def apply(self, findings: Sequence[Finding]) -> list[Finding]:
        """Findings with people's decisions applied."""
        return list(findings)

    def count(self, *, rejected: bool) -> Count:
        """Attempts with this verdict."""
        return Count(rejected=int(rejected), limit=self.contract.attempts)

    def exhausted_finding(self, attempts: Count) -> Finding:
        """The finding that keeps a worn-down gate from passing."""
        return engine.own_finding(
            "attempts", Status.UNCLEAR, f"{attempts.rejected} attempts were rejected; the limit is {attempts.limit}",
            blame=Blame.AGENT, remedy="A reviewer looks and answers with `backcheck decide last backcheck:attempts pass`.",
        )  # fmt: skip

    def append(self, document: dict[str, Any]) -> None:
        """Keep the verdict; says in the document where."""
