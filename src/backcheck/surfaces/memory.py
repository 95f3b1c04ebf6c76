"""What the main line asks of the ledger: people's decisions, earlier attempts, and a place for this verdict.

A ledger that cannot be written is told; one that is damaged is an error of the verifier, and no pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backcheck import engine
from backcheck.contract.model import Contract
from backcheck.ledger import attempts, decisions
from backcheck.ledger.attempts import Attempts
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import Ledger, LedgerCorrupt, LedgerError
from backcheck.surfaces.locate import Place
from backcheck.surfaces.trust import trusted_keys
from backcheck.verdict import Blame, Finding, Outcome, Status

REMEDY = (
    "Look at the file, move it away if it is damaged, and check again; its decisions and attempts are lost with it."
)


@dataclass(slots=True, kw_only=True)
class Memory:
    """The ledger as one call sees it; `tree` and `evidence` are digests of what is judged."""

    place: Place
    contract: Contract
    tree: str
    evidence: str
    enabled: bool = True
    ledger: Ledger | None = None
    notices: list[str] = field(default_factory=list)
    own: list[Finding] = field(default_factory=list)
    _recorded: tuple[decisions.Recorded, ...] = ()
    _attempts: Attempts | None = None

    def recall(self, findings: Sequence[Finding]) -> list[Finding]:
        """Findings with people's decisions applied, and a finding where attempts are used up or the store is damaged."""
        if not self.enabled:
            return list(findings)
        try:
            self.ledger = open_ledger(self.place.repository, self.place.root)
            self._recorded = decisions.load(self.ledger)
            decided = self._apply(findings)
            self._count()
        except LedgerCorrupt as error:
            return [
                *findings,
                engine.own_finding("ledger", Status.ERROR, str(error), blame=Blame.ENVIRONMENT, remedy=REMEDY),
            ]
        except LedgerError as error:
            self.notices.append(f"the ledger could not be read: {error}")
            return list(findings)
        return decided + self._apply(self.own)

    def _apply(self, findings: Sequence[Finding]) -> list[Finding]:
        return list(
            decisions.apply_decisions(
                findings,
                self._recorded,
                contract_digest=self.contract.digest,
                contract_path=self.contract.path,
                tree_digest=self.tree,
                trusted_keys=trusted_keys(self.place),
            )
        )

    def _count(self) -> None:
        if self.ledger is None:
            return
        base = self.place.base.commit if self.place.base else None
        self._attempts = attempts.count(
            self.ledger,
            self.contract.digest,
            base,
            self.contract.attempts,
            contract_path=self.contract.path,
            trusted_keys=trusted_keys(self.place),
            recorded=self._recorded,
            current=(self.tree, self.evidence),
        )
        over = attempts.finding(self._attempts)
        if over is not None:
            self.own.append(over)

    def counted(self, outcome: Outcome) -> dict[str, int]:
        """Number of this attempt, rejected ones with this one, and the limit, for the document."""
        known = self._attempts
        number, rejected = (known.number, known.rejected) if known else (1, 0)
        if outcome is Outcome.REJECT:
            rejected = max(rejected, number)
        return {"number": number, "rejected": rejected, "limit": self.contract.attempts}

    def append(self, document: dict[str, Any]) -> None:
        """Keep the verdict and say in the document under which id."""
        document["record"] = None
        if self.ledger is None:
            return
        try:
            document["record"] = self.ledger.append("verdict", document).id
        except LedgerError as error:
            document["notices"].append(f"this verdict was not recorded: {error}")
