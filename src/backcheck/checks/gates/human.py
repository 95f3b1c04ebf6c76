"""Check `human`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.verdict import Blame, Channel, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A question that only a person can answer.

    For what no file, run or parser settles: meaning, taste, risk. The answer is a signed decision (`backcheck decide`),
    bound to the contract and the tree.

    Passes when: a trusted reviewer has decided `pass` for this contract and this tree.
    Fails when: a trusted reviewer has decided `fail`.
    Unclear when: nobody has decided, or the tree has changed since.
    Cost: a person's time.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.HUMAN
    provenance: ClassVar[Provenance] = Provenance.ASSERTED

    question: str

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise ArgumentError("question", "the question is empty")

    def answer(self, evidence: Evidence) -> Answer:  # noqa: ARG002 - the seam is the same for all gates
        """Ask; the engine applies decisions to what is unclear."""
        return unclear(
            f"a person must look: {self.question.strip()}",
            blame=Blame.ENVIRONMENT,
            remedy="A reviewer answers with `backcheck decide`.",
        )
