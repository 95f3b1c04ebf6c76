"""`backcheck begin`: the commit that a task starts from, settled once in the ledger before the work.

The first beginning of a worktree holds until its task has passed; only then another one starts the next task. The
ledger lies where the agent can write, so a base that was begun is told as one that could have been moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from backcheck.errors import UserError
from backcheck.evidence.git import Repository
from backcheck.ledger.location import ledger_path
from backcheck.ledger.store import Entry, LedgerCorrupt, LedgerError, text_at

KIND = "begin"
SCHEMA = "backcheck.begin/1"
VERDICT = "verdict"


class Begun(NamedTuple):
    """A task's beginning: the entry, the commit, and whether the task has passed since."""

    entry: Entry
    commit: str
    finished: bool


def current(repository: Repository) -> Begun | None:
    """The beginning that holds in this worktree. Errors: LedgerError."""
    path = ledger_path(repository, repository.top)
    if not path.exists():
        return None
    from backcheck.ledger.sqlite import SqliteLedger

    held: Begun | None = None
    ledger = SqliteLedger(path)
    for entry in ledger.entries(KIND):
        if held is None or passed_since(ledger, held):
            held = Begun(entry, text_at(entry.body, "commit"), False)
    return held._replace(finished=passed_since(ledger, held)) if held else None


def passed_since(ledger: Any, begun: Begun) -> bool:
    """Whether a verdict on this base was PASS after it was settled."""
    return any(
        text_at(entry.body, "base", "commit") == begun.commit
        for entry in ledger.entries(VERDICT, begun.entry.seq, outcome="PASS")
    )


def begun_commit(repository: Repository) -> str | None:
    """The commit of the beginning that holds, or None. Errors: UserError where the ledger cannot tell.

    A damaged ledger tells of none here: the verdict over it cannot be a pass, which its own finding says.
    """
    try:
        begun = current(repository)
    except LedgerCorrupt:
        return None
    except LedgerError as error:
        raise UserError(
            f"whether a task began here cannot be read: {error.message}; give --base", where=error.where, slug="begin"
        ) from None
    return begun.commit if begun else None


def body(commit: str, contract: Mapping[str, str], tree: str, task: str) -> dict[str, Any]:
    """What is written down."""
    return {"schema": SCHEMA, "commit": commit, "contract": dict(contract), "tree": tree, "task": task}
