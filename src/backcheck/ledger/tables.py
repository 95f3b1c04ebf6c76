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
_TYPES = (int, str, str, str, str, str, str, str)


def entry_of(row: Sequence[Any], where: str) -> Entry:
    """A row (in the order of COLUMNS) as an entry. Errors: LedgerCorrupt where it is not what was written."""
    problem, body = _read(row)
    if problem:
        raise LedgerCorrupt(f"entry {row[0]}: {problem}; `backcheck log --verify` says more", where=where)
    seq, kind, time, _contract, _outcome, _text, previous, digest = row
    return Entry(seq=seq, kind=kind, time=time, body=body, previous=previous, hash=digest)


def row_problem(row: Sequence[Any]) -> str:
    """Why a row is not what was written, or empty text; also how its body is written is looked at."""
    problem, body = _read(row)
    if problem:
        return problem
    try:
        exact = store.canonical(body) == row[5]
    except LedgerError:
        exact = False
    return "" if exact else "its body is not written as backcheck writes it"


def _read(row: Sequence[Any]) -> tuple[str, Mapping[str, Any]]:
    """What is wrong with a row, and its body."""
    if tuple(type(value) for value in row) != _TYPES:
        return "a column holds another kind of value than was written", {}
    seq, kind, time, contract, outcome, text, previous, digest = row
    problem = store.entry_problem(seq=seq, kind=kind, time=time, body=text, previous=previous, hash=digest)
    if problem:
        return problem, {}
    try:
        body = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return "its body is no JSON", {}
    if not isinstance(body, Mapping):
        return "its body is no mapping", {}
    filed = (store.contract_of(body), store.outcome_of(body)) == (contract, outcome)
    return "" if filed else "what it is filed under is not what its body says", body


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


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
        seq, previous, digest = row[0], row[6], row[7]
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
