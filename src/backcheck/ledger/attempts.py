"""How often one contract was refused since its base, and when a person has to look."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from backcheck.errors import UserError
from backcheck.ledger import decisions
from backcheck.ledger.decisions import Recorded
from backcheck.ledger.store import Entry, Ledger, LedgerError, contract_of, text_at
from backcheck.verdict import OWN_PREFIX, Blame, Channel, Finding, Outcome, Status

#: Counting goes on so far past the limit, and reads so many rejections at most: beyond, only a person helps.
MAX_PAST = 100
MAX_READ = 5000
#: The requirement under which a person says that the work may go on.
REQUIREMENT = f"{OWN_PREFIX}attempts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """`number` of the attempt at hand (from 1), how many different ones were `rejected`, the contract's `limit`.

    `complete` is False where the ledger holds more rejections than are read; then no number is believed.
    """

    number: int
    rejected: int
    limit: int
    complete: bool = True

    @property
    def exhausted(self) -> bool:
        """Whether this attempt is past the limit."""
        return self.number > self.limit or not self.complete

    def __str__(self) -> str:
        return f"attempt {self.number}, {self.rejected} rejected"


def count(
    ledger: Ledger,
    contract_digest: str,
    base_commit: str | None,
    limit: int,
    *,
    contract_path: str,
    trusted_keys: Collection[str] = (),
    recorded: Sequence[Recorded] | None = None,
    current: tuple[str, str] | None = None,
) -> Attempts:
    """Count the rejected verdicts of a contract on a base.

    The same tree with the same evidence is one attempt however often it is judged: `current` is (tree digest, evidence
    digest) of the one at hand, so that judging it again is not a new one. A person's `pass` on `backcheck:attempts` by
    one of `trusted_keys` forgives the verdict that he looked at and everything before it; it cannot be used twice,
    for it names that verdict. More than MAX_PAST past the limit are not counted, and where MAX_READ rejections do not
    settle it the limit counts as passed: a flood of entries about something else must not hide the earlier ones.
    Errors: LedgerError.
    """
    known = decisions.load(ledger) if recorded is None else recorded
    forgiven = _forgiven(known, contract_digest, contract_path, trusted_keys)
    rejected: set[tuple[str, str]] = set()
    refusals = ledger.entries(
        "verdict", _seen(ledger, forgiven, contract_digest), newest_first=True, limit=MAX_READ + 1,
        contract=contract_digest, outcome=Outcome.REJECT,
    )  # fmt: skip
    complete = True
    for read, entry in enumerate(refusals):
        if len(rejected) >= limit + MAX_PAST:
            break
        if read == MAX_READ:
            complete = False
            break
        if _is_here(entry, contract_path, base_commit):
            rejected.add((text_at(entry.body, "tree", "digest"), text_at(entry.body, "evidence", "digest")))
    number = len(rejected) + (current is None or current not in rejected)
    return Attempts(number=number, rejected=len(rejected), limit=limit, complete=complete)


def finding(attempts: Attempts) -> Finding | None:
    """The blocking finding past the limit, else None.

    It is `unclear`, so it holds a pass back and leaves a rejection one: an agent cannot fail its way to an UNCLEAR,
    which some doors let through.
    """
    if not attempts.exhausted:
        return None
    unread = "" if attempts.complete else f" among the newest {MAX_READ:,} of this contract, and there are more"
    return Finding(
        requirement=REQUIREMENT,
        check="attempts",
        status=Status.UNCLEAR,
        reason=f"{attempts}{unread}; the contract's limit is {attempts.limit}",
        remedy=f"A person looks and decides: `backcheck decide last {REQUIREMENT} pass --reason …`.",
        channel=Channel.FILESYSTEM,
        blame=Blame.AGENT,
        description="A person looks when work was refused too often",
        details={"number": attempts.number, "rejected": attempts.rejected, "limit": attempts.limit},
    )


def _forgiven(
    known: Sequence[Recorded], contract_digest: str, contract_path: str, trusted_keys: Collection[str]
) -> list[str]:
    found = []
    for item in known:
        decision = item.decision
        if decision is None or decision.requirement != REQUIREMENT or decision.status is not Status.PASS:
            continue
        # It was made for the tree of that verdict; what it allows is the trees after it.
        why = decisions.why_not(item, contract_digest=contract_digest, contract_path=contract_path,
                                tree_digest=decision.tree, trusted_keys=trusted_keys)  # fmt: skip
        if not why:
            found.append(decision.verdict)
    return found


def _seen(ledger: Ledger, forgiven: list[str], contract_digest: str) -> int:
    """The seq of the newest verdict of this contract that a person looked at and let go on, or 0."""
    newest = 0
    for name in forgiven:
        try:
            entry = ledger.get(name)
        except LedgerError:
            raise
        except UserError:
            continue  # It was made over another ledger.
        if entry.id == name and entry.kind == "verdict" and contract_of(entry.body) == contract_digest:
            newest = max(newest, entry.seq)
    return newest


def _is_here(entry: Entry, contract_path: str, base_commit: str | None) -> bool:
    same_base = text_at(entry.body, "base", "commit") == (base_commit or "")
    return same_base and text_at(entry.body, "contract", "path") == contract_path
