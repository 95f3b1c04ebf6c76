"""Where the ledger of a folder lies: in the git directory, so that no tree holds it; else beside the contract."""

from __future__ import annotations

from pathlib import Path

from backcheck.evidence.git import Repository
from backcheck.ledger.sqlite import SqliteLedger
from backcheck.ledger.store import Ledger

FOLDER = "backcheck"
LOOSE_FOLDER = ".backcheck"
NAME = "ledger.db"


def ledger_path(repository: Repository | None, root: Path | str) -> Path:
    """`<git directory>/backcheck/ledger.db`, each linked worktree with its own; outside a repository `<root>/.backcheck/…`."""
    if repository is not None:
        return repository.git_dir / FOLDER / NAME
    return Path(root) / LOOSE_FOLDER / NAME


def open_ledger(repository: Repository | None, root: Path | str) -> Ledger:
    """The ledger of a folder. Nothing is read or made before the first question or entry."""
    return SqliteLedger(ledger_path(repository, root))
