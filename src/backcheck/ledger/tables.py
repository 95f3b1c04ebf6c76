"""Rows of a ledger file: made into entries, or told apart from what was written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backcheck.ledger import store
from backcheck.ledger.schema import COLUMNS
from backcheck.ledger.store import GENESIS, Entry, LedgerCorrupt, LedgerError

MAX_PROBLEMS = 100
_TYPES = (int, str, str, str, str, str, str)


def entry_of(row: Sequence[Any], where: str) -> Entry:
    """A row (in the order of COLUMNS) as an entry. Errors: LedgerCorrupt where it is not what was written."""
    problem = row_problem(row)
    if problem:
        raise LedgerCorrupt(f"entry {row[0]}: {problem}; `backcheck log --verify` says more", where=where)
    seq, kind, time, _contract, body, previous, digest = row
    return Entry(seq=seq, kind=kind, time=time, body=json.loads(body), previous=previous, hash=digest)


def row_problem(row: Sequence[Any]) -> str:
    """Why a row is not what was written, or empty text."""
    if tuple(type(value) for value in row) != _TYPES:
        return "a column holds another kind of value than was written"
    seq, kind, time, contract, text, previous, digest = row
    problem = store.entry_problem(seq=seq, kind=kind, time=time, body=text, previous=previous, hash=digest)
    if problem:
        return problem
    try:
        body = json.loads(text)
        exact = store.canonical(body) == text
    except (ValueError, RecursionError, LedgerError):
        return "its body is no JSON"
    if not exact or not isinstance(body, Mapping):
        return "its body is not written as backcheck writes it"
    return "" if store.contract_of(body) == contract else "the contract it is filed under is not its body's"


def check_rows(db: sqlite3.Connection) -> list[str]:
    """Problems of all rows, of the links between them and of their numbering; at most MAX_PROBLEMS."""
    problems: list[str] = []
    for problem in _walk(db):
        if len(problems) == MAX_PROBLEMS:
            return [*problems, "and more"]
        problems.append(problem)
    return problems


def _walk(db: sqlite3.Connection) -> Iterator[str]:
    last, before = 0, GENESIS
    for row in db.execute(f"SELECT {COLUMNS} FROM entries ORDER BY seq"):  # noqa: S608 - a constant of this package
        seq, previous, digest = row[0], row[5], row[6]
        if seq != last + 1:
            yield _missing(last + 1, seq - 1)
        problem = row_problem(row)
        if problem:
            yield f"entry {seq}: {problem}"
        if previous != before:
            yield f"entry {seq}: it does not follow from the entry before it"
        last, before = seq, digest
    highest = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").fetchall()
    given = highest[0][0] if len(highest) == 1 and isinstance(highest[0][0], int) else 0
    if given > last:
        yield _missing(last + 1, given)
    elif given < last:
        yield f"the file's own count says {given}, but there are {last} entries"


def _missing(first: int, final: int) -> str:
    if final < first:
        return f"the numbering starts at {final + 1}, below 1"
    return f"entry {first} is missing" if first == final else f"entries {first} to {final} are missing"
