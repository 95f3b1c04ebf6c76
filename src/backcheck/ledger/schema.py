"""The tables of a ledger file, and how to tell that a file has exactly these."""

from __future__ import annotations

import sqlite3
from functools import cache

#: "bckl", so that a database of another program is never written to.
APPLICATION_ID = 0x62636B6C
VERSION = 1
COLUMNS = "seq, kind, time, contract, outcome, body, previous, hash"

STATEMENTS = (
    """CREATE TABLE entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  time TEXT NOT NULL,
  contract TEXT NOT NULL,
  outcome TEXT NOT NULL,
  body TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE
)""",
    "CREATE INDEX entries_by_kind ON entries (kind, seq)",
    "CREATE INDEX entries_by_contract ON entries (contract, outcome, seq)",
    """CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry of a ledger is never changed'); END""",
    """CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry of a ledger is never removed'); END""",
    f"PRAGMA application_id={APPLICATION_ID}",
    f"PRAGMA user_version={VERSION}",
)

#: What a schema says of itself: (type, name, table, text), in order.
Tables = tuple[tuple[str, str, str, str | None], ...]


def present(db: sqlite3.Connection) -> Tables:
    """The schema of an open file."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name LIMIT 100").fetchall()
    return tuple(tuple(row) for row in rows)


@cache
def expected() -> Tables:
    """The schema that STATEMENTS make, as this SQLite writes it down."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in STATEMENTS:
            db.execute(statement)
        return present(db)
    finally:
        db.close()
