"""The ledger in one SQLite file: write-ahead log, every commit flushed, one writer at a time, never through a link."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from backcheck.errors import UserError
from backcheck.ledger import store
from backcheck.ledger.schema import APPLICATION_ID, COLUMNS, STATEMENTS, VERSION, expected, present
from backcheck.ledger.store import GENESIS, Entry, LedgerCorrupt, LedgerError
from backcheck.ledger.tables import check_rows, entry_of

BUSY_SECONDS = 10.0
#: What SQLite may put beside the file.
COMPANIONS = ("-wal", "-shm", "-journal")

_ROW = f"SELECT {COLUMNS} FROM entries"  # noqa: S608 - a constant of this package
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR,
            sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_SCHEMA)  # fmt: skip
_SEQ = re.compile(r"[0-9]{1,9}")
_PREFIX = re.compile(r"[0-9a-f]{4,64}")


class SqliteLedger:
    """A ledger at `path`. Each call opens the file anew, so nothing is held between calls, across forks or at exit."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def where(self) -> str:
        """As Ledger.where."""
        return str(self.path)

    def append(self, kind: str, body: Mapping[str, Any]) -> Entry:
        """As Ledger.append."""
        text = store.canonical(body)
        store.check_kind(kind)
        self._create()
        with self._errors(), self._connection() as db:
            # Looked at first: another program's file must not even get another journal.
            _is_ours(db, self.where)
            _prepare(db)
            db.execute("BEGIN IMMEDIATE")
            try:
                if not _is_ours(db, self.where):
                    for statement in STATEMENTS:
                        db.execute(statement)
                row = _next_row(db, kind, text, body)
                db.execute(f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        return entry_of(row, self.where)

    def entries(
        self,
        kind: str | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
        *,
        contract: str | None = None,
        outcome: str | None = None,
    ) -> Iterator[Entry]:
        """As Ledger.entries; every entry is checked against its hash before it is handed out."""
        where, values = ["seq > ?"], [after]
        wanted = {"kind": kind, "contract": contract, "outcome": outcome}
        for column, value in wanted.items():
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)  # type: ignore[arg-type]
        order = "DESC" if newest_first else "ASC"
        query = f"{_ROW} WHERE {' AND '.join(where)} ORDER BY seq {order} LIMIT ?"
        with self._errors(), self._reading() as db:
            if db is not None:
                for row in db.execute(query, (*values, -1 if limit is None else limit)):
                    yield entry_of(row, self.where)

    def get(self, name: str | int) -> Entry:
        """As Ledger.get. An id takes at least four digits; a short decimal number is tried as a seq first."""
        text = str(name).strip().lower()
        rows: list[Any] = []
        with self._errors(), self._reading() as db:
            if db is not None and _SEQ.fullmatch(text):
                rows = db.execute(f"{_ROW} WHERE seq = ?", (int(text),)).fetchall()
            if db is not None and not rows and _PREFIX.fullmatch(text):
                rows = db.execute(f"{_ROW} WHERE hash >= ? AND hash < ? LIMIT 2", (text, f"{text}g")).fetchall()
        if not rows:
            raise UserError(f"the ledger has no entry `{name}`; `backcheck log` lists them", where=self.where,
                            slug="ledger-entry")  # fmt: skip
        if len(rows) > 1:
            raise UserError(f"several entries have an id that starts with `{name}`; give more of it",
                            where=self.where, slug="ledger-entry")  # fmt: skip
        return entry_of(rows[0], self.where)

    def verify(self) -> list[str]:
        """As Ledger.verify: the file, then every row, its hash, its link to the row before, and gaps, also at the end."""
        problems: list[str] = []
        try:
            with self._errors(), self._reading() as db:
                if db is not None:
                    problems += [
                        f"the file: {text}" for (text,) in db.execute("PRAGMA integrity_check(10)") if text != "ok"
                    ]
                    problems += check_rows(db)
        except LedgerError as error:
            problems.append(error.message)
        return problems

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """SQLite's errors as ours."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _DAMAGED:
                raise LedgerCorrupt(f"the ledger cannot be read: {error}", where=self.where) from None
            raise LedgerError(f"the ledger cannot be used: {error}", where=self.where) from None
        except UnicodeDecodeError:
            raise LedgerCorrupt(
                "the ledger cannot be read: it holds bytes that are no text", where=self.where
            ) from None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """A connection that cannot write, or None where there is no ledger yet."""
        if not self._present():
            yield None
            return
        with self._connection() as db:
            db.execute("PRAGMA query_only=ON")
            yield db if _is_ours(db, self.where) else None

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        before = self._identity()
        db = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
        )
        try:
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * store.MAX_BODY)
            # Whatever a planted file declares in its schema must not run anything of ours.
            db.execute("PRAGMA trusted_schema=OFF")
            db.execute("PRAGMA schema_version")
            if self._identity() != before:
                raise LedgerError("the ledger's file was exchanged while it was being opened", where=self.where)
            yield db
        finally:
            db.close()

    def _identity(self) -> tuple[int, int]:
        state = os.lstat(self.path) if self._present() else None
        return (state.st_dev, state.st_ino) if state else (0, 0)

    def _present(self) -> bool:
        """Whether the file is there. Errors: LedgerError where it, its folder or a companion is not what we would make."""
        try:
            folder = os.lstat(self.path.parent)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise LedgerError(f"the ledger cannot be reached: {error.strerror}", where=self.where) from None
        if not stat.S_ISDIR(folder.st_mode):
            raise LedgerError(
                "the ledger's folder is a link or a file; it is not followed", where=str(self.path.parent)
            )
        found = [self._lstat(f"{self.path}{suffix}") for suffix in ("", *COMPANIONS)]
        return found[0]

    @staticmethod
    def _lstat(name: str) -> bool:
        try:
            state = os.lstat(name)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise LedgerError(f"the ledger cannot be reached: {error.strerror}", where=name) from None
        if not stat.S_ISREG(state.st_mode):
            raise LedgerError("this is no regular file; it is neither followed nor used", where=name)
        if state.st_nlink > 1:
            raise LedgerError("this file has a second name elsewhere (a hard link); it is not used", where=name)
        return True

    def _create(self) -> None:
        """Make folder and file for the owner alone, where they are not there yet."""
        if self._present():
            return
        folder = self.path.parent
        try:
            with suppress(FileExistsError):
                os.mkdir(folder, 0o700)
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                os.close(os.open(self.path.name, flags, 0o600, dir_fd=handle))
                os.fsync(handle)
            except FileExistsError:
                pass  # Another process was quicker; it is the same ledger.
            finally:
                os.close(handle)
        except OSError as error:
            raise LedgerError(f"the ledger cannot be made: {error.strerror}", where=self.where) from None


def _is_ours(db: sqlite3.Connection, where: str) -> bool:
    """False for a file that is still empty. Errors: LedgerCorrupt where the file is not of our making."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    tables = present(db)
    if application == 0 and version == 0 and not tables:
        return False
    if application != APPLICATION_ID:
        raise LedgerCorrupt("this is a database of another program", where=where)
    if version > VERSION:
        raise LedgerCorrupt(f"this ledger was written by a newer backcheck (format {version}; this one reads {VERSION})",
                            where=where)  # fmt: skip
    if version != VERSION or tables != expected():
        raise LedgerCorrupt("the ledger's tables are not the ones that backcheck makes", where=where)
    return True


def _prepare(db: sqlite3.Connection) -> None:
    """Write-ahead log and full flushing. Two processes that make the same file meet here: one of them waits."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            # A file system without shared memory keeps the rollback journal, which is as durable.
            db.execute("PRAGMA journal_mode=WAL").fetchone()
            break
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    db.execute("PRAGMA synchronous=FULL")


def _next_row(db: sqlite3.Connection, kind: str, text: str, body: Mapping[str, Any]) -> tuple[Any, ...]:
    last = db.execute("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
    highest = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").fetchone()
    # A number once given is never given again: an entry that was cut off the end leaves a gap.
    seq = max(last[0] if last else 0, highest[0] if highest else 0) + 1
    previous, when = last[1] if last else GENESIS, store.now()
    digest = store.chain_hash(previous, seq=seq, kind=kind, time=when, body=text)
    return seq, kind, when, store.contract_of(body), store.outcome_of(body), text, previous, digest
