from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backcheck.errors import UserError
from backcheck.evidence.git import Repository
from backcheck.ledger import schema, sqlite, store
from backcheck.ledger.location import ledger_path, open_ledger
from backcheck.ledger.sqlite import SqliteLedger
from backcheck.ledger.store import GENESIS, Entry, LedgerCorrupt, LedgerError

COLUMNS = ("kind", "time", "contract", "outcome", "body", "previous", "hash")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
BODIES = st.dictionaries(st.text(max_size=8), JSON, max_size=4)


@pytest.fixture
def ledger(tmp_path: Path) -> SqliteLedger:
    return SqliteLedger(tmp_path / "backcheck" / "ledger.db")


def fresh(folder: Path) -> SqliteLedger:
    return SqliteLedger(folder / "backcheck" / "ledger.db")


@cache
def four_entries() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        ledger = fresh(Path(folder))
        for number in range(4):
            ledger.append(
                "verdict", {"n": number, "verdict": "PASS", "contract": {"digest": "cd"}, "text": "über \udc80"}
            )
        return ledger.path.read_bytes()


def filled(folder: Path) -> SqliteLedger:
    ledger = fresh(folder)
    ledger.path.parent.mkdir()
    ledger.path.write_bytes(four_entries())
    return ledger


def change(ledger: SqliteLedger, statement: str, values: tuple[Any, ...] = ()) -> None:
    """What somebody does who has the file: the guards are taken away and put back as they were."""
    guards = [text for text in schema.STATEMENTS if "TRIGGER" in text]
    db = sqlite3.connect(ledger.path, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    for name in ("entries_are_not_changed", "entries_are_not_removed"):
        db.execute(f"DROP TRIGGER {name}")
    db.execute(statement, values)
    for text in guards:
        db.execute(text)
    db.close()


# What is written comes back


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["verdict", "decision", "note"]), BODIES), min_size=1, max_size=4))
def test_what_is_appended_is_read_back_in_one_chain(tmp_path_factory, pairs):
    ledger = fresh(tmp_path_factory.mktemp("store"))
    written = [ledger.append(kind, body) for kind, body in pairs]
    read = list(ledger.entries())
    assert read == written
    assert [(entry.kind, entry.body) for entry in read] == pairs
    assert [entry.seq for entry in read] == list(range(1, len(pairs) + 1))
    assert [entry.previous for entry in read] == [GENESIS, *(entry.hash for entry in read[:-1])]
    assert list(ledger.entries(newest_first=True)) == read[::-1]
    assert ledger.verify() == []


def test_the_hash_is_over_the_entry_before_and_the_canonical_record(ledger):
    import hashlib

    first = ledger.append("verdict", {"b": 1, "a": "é"})
    second = ledger.append("note", {})
    record = '{"body":{"a":"\\u00e9","b":1},"kind":"verdict","seq":1,"time":"' + first.time + '"}'
    assert first.hash == hashlib.sha256(("0" * 64 + record).encode()).hexdigest()
    record = '{"body":{},"kind":"note","seq":2,"time":"' + second.time + '"}'
    assert second.hash == hashlib.sha256((first.hash + record).encode()).hexdigest()
    assert (first.id, len(first.id)) == (first.hash[:12], 12)


def test_entries_are_picked_by_kind_place_number_and_contract(ledger):
    for number in range(6):
        body = {"contract": {"digest": "x" if number < 4 else "y"}, "verdict": "PASS" if number in (1, 2) else "REJECT"}
        ledger.append("verdict" if number % 2 else "note", body)
    assert [e.seq for e in ledger.entries("verdict")] == [2, 4, 6]
    assert [e.seq for e in ledger.entries(after=3)] == [4, 5, 6]
    assert [e.seq for e in ledger.entries(after=3, newest_first=True, limit=2)] == [6, 5]
    assert [e.seq for e in ledger.entries(limit=0)] == []
    assert [e.seq for e in ledger.entries("verdict", contract="x")] == [2, 4]
    assert [e.seq for e in ledger.entries(contract="nobody's")] == []
    assert [e.seq for e in ledger.entries("verdict", contract="x", outcome="PASS")] == [2]
    assert [e.seq for e in ledger.entries(outcome="REJECT", newest_first=True, after=1)] == [6, 5, 4]


def test_an_entry_is_found_by_number_or_by_the_start_of_its_id(ledger):
    entries = [ledger.append("note", {"n": number}) for number in range(3)]
    assert ledger.get(2) == ledger.get("2") == ledger.get(entries[1].id) == ledger.get(entries[1].hash) == entries[1]
    assert ledger.get(f" {entries[2].id[:8].upper()} ") == entries[2]
    beyond = entries[0].id + ("0" if entries[0].hash[12] != "0" else "1")
    for name in (4, "0", "abc", "zzzz", "", "%", beyond, "-1", "1 OR 1=1"):
        with pytest.raises(UserError, match="no entry"):
            ledger.get(name)


def test_a_start_that_fits_several_ids_is_refused(ledger, monkeypatch):
    hashes = iter(["ab" * 32, "ab" * 31 + "cc"])
    monkeypatch.setattr(store, "chain_hash", lambda *_, **__: next(hashes))
    monkeypatch.setattr(store, "entry_problem", lambda **_: "")
    ledger.append("note", {})
    ledger.append("note", {})
    with pytest.raises(UserError, match="several entries"):
        ledger.get("abab")


def test_a_short_number_is_a_seq_before_it_is_an_id(ledger, monkeypatch):
    hashes = iter(["1234" + "0" * 60, "f" * 64])
    monkeypatch.setattr(store, "chain_hash", lambda *_, **__: next(hashes))
    monkeypatch.setattr(store, "entry_problem", lambda **_: "")
    ledger.append("note", {})
    assert ledger.get("1234").seq == 1
    change(ledger, "UPDATE sqlite_sequence SET seq = 1233")
    ledger.append("note", {})
    assert ledger.get("1234").seq == 1234
    assert ledger.get("12340").seq == 1


# What cannot be written


@pytest.mark.parametrize("body", [{"x": float("nan")}, {"x": {1, 2}}, {"x": b"y"}, {1: 2, "a": 3}])
def test_what_json_cannot_hold_is_refused_before_anything_is_made(ledger, body):
    with pytest.raises(LedgerError, match="JSON"):
        ledger.append("note", body)
    assert not ledger.path.parent.exists()


def test_depth_and_size_are_bounded(ledger, monkeypatch):
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LedgerError, match="JSON"):
        ledger.append("note", {"x": deep})
    while deep:  # Taken apart by hand: the interpreter would do it by recursion.
        deep = deep.pop()
    monkeypatch.setattr(store, "MAX_BODY", 100)
    with pytest.raises(LedgerError, match="limit"):
        ledger.append("note", {"x": "y" * 100})


@pytest.mark.parametrize("kind", ["", "Verdict", "a b", 'x"', "-a", "a" * 33])
def test_a_kind_is_a_short_word(ledger, kind):
    with pytest.raises(LedgerError, match="no kind of entry"):
        ledger.append(kind, {})
    assert not ledger.path.parent.exists()


# Damage and forgery


def test_every_byte_of_every_row_is_guarded(tmp_path):
    ledger = filled(tmp_path)
    whole = ledger.path.read_bytes()
    db = sqlite3.connect(ledger.path)
    rows = db.execute(f"SELECT seq, {', '.join(COLUMNS)} FROM entries").fetchall()
    db.close()
    changed = 0
    for row in rows[1:3]:
        for column, value in zip(COLUMNS, row[1:], strict=True):
            raw = value.encode()
            for place in range(len(raw)):
                other = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
                change(ledger, f"UPDATE entries SET {column} = CAST(? AS TEXT) WHERE seq = ?", (other, row[0]))
                problems = ledger.verify()
                assert any(f"entry {row[0]}" in text for text in problems), (column, place, problems)
                ledger.path.write_bytes(whole)
                changed += 1
    assert changed > 400
    assert ledger.verify() == []


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_file_with_any_other_byte_is_told_or_says_the_same(tmp_path_factory, data):
    ledger = filled(tmp_path_factory.mktemp("flip"))
    before = list(ledger.entries())
    raw = bytearray(ledger.path.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    ledger.path.write_bytes(bytes(raw))
    if not ledger.verify():
        assert list(ledger.entries()) == before


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    seq=st.integers(1, 4),
    column=st.sampled_from(COLUMNS),
    value=st.text() | st.integers(-(2**63), 2**63 - 1) | st.none() | st.binary(),
)
def test_another_value_of_any_type_is_found_and_never_handed_out(tmp_path_factory, seq, column, value):
    ledger = filled(tmp_path_factory.mktemp("value"))
    before = {entry.seq: entry for entry in ledger.entries()}
    try:
        change(ledger, f"UPDATE entries SET {column} = ? WHERE seq = ?", (value, seq))
    except (sqlite3.IntegrityError, UnicodeEncodeError):
        return  # Not even SQLite takes it.
    db = sqlite3.connect(ledger.path)
    (stored,) = db.execute(f"SELECT {column} FROM entries WHERE seq = ?", (seq,)).fetchone()
    db.close()
    if stored == getattr(before[seq], column, {"contract": "cd", "outcome": "PASS"}.get(column)):
        return
    assert ledger.verify()
    with pytest.raises(LedgerCorrupt):
        ledger.get(seq)
    with pytest.raises(LedgerCorrupt):
        list(ledger.entries())


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM entries WHERE seq = 2", "entry 2 is missing"),
        ("DELETE FROM entries WHERE seq IN (2, 3)", "entries 2 to 3 are missing"),
        ("DELETE FROM entries WHERE seq = 1", "entry 1 is missing"),
        ("DELETE FROM entries WHERE seq > 2", "entries 3 to 4 are missing"),
        ("DELETE FROM entries", "entries 1 to 4 are missing"),
        ("UPDATE entries SET seq = 9 WHERE seq = 4", "entries 4 to 8 are missing"),
        ("UPDATE entries SET seq = -1 WHERE seq = 1", "below 1"),
        ("UPDATE sqlite_sequence SET seq = 2", "own count says 2"),
        ("DELETE FROM sqlite_sequence", "own count says 0"),
        ("UPDATE entries SET body = (SELECT body FROM entries WHERE seq = 1) WHERE seq = 2", "entry 2"),
        ("UPDATE entries SET contract = 'other' WHERE seq = 3", "entry 3: what it is filed under"),
        ("UPDATE entries SET outcome = 'REJECT' WHERE seq = 3", "entry 3: what it is filed under"),
    ],
)
def test_removed_moved_and_swapped_entries_are_found(tmp_path, statement, told):
    ledger = filled(tmp_path)
    change(ledger, statement)
    assert told in " / ".join(ledger.verify())


def test_an_entry_cut_off_the_end_stays_a_gap_when_others_follow(tmp_path):
    ledger = filled(tmp_path)
    change(ledger, "DELETE FROM entries WHERE seq = 4")
    assert ledger.append("note", {}).seq == 5
    assert ledger.verify() == ["entry 4 is missing"]


def test_a_rewritten_entry_breaks_the_link_of_the_next(tmp_path):
    ledger = filled(tmp_path)
    old = ledger.get(2)
    body = store.canonical({"contract": {"digest": "cd"}, "verdict": "PASS", "forged": True})
    digest = store.chain_hash(old.previous, seq=2, kind="verdict", time=old.time, body=body)
    change(ledger, "UPDATE entries SET body = ?, hash = ? WHERE seq = 2", (body, digest))
    assert ledger.verify() == ["entry 3: it does not follow from the entry before it"]


def test_an_entry_can_be_neither_changed_nor_removed_by_accident(tmp_path):
    ledger = filled(tmp_path)
    db = sqlite3.connect(ledger.path)
    for statement in ("UPDATE entries SET kind = 'x'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(statement)
    db.close()
    assert ledger.verify() == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"contract": {"digest": "cd"},"verdict":"PASS"}', "not written as backcheck writes it"),
        ('{"contract":{"digest":"cd"},"verdict":"PASS","a":"%s"}' % ("x" * 300), "not written as backcheck writes it"),
        ('{"verdict":NaN}', "no JSON"),
        ('{"verdict":', "no JSON"),
        ("[" * 1_100, "no JSON"),
        ("[]", "no mapping"),
        ("{}", "filed under"),
    ],
)
def test_a_body_that_is_not_ours_is_found_whatever_its_hash(tmp_path, monkeypatch, body, told):
    ledger = filled(tmp_path)
    old = ledger.get(4)
    digest = store.chain_hash(old.previous, seq=4, kind="verdict", time=old.time, body=body)
    change(ledger, "UPDATE entries SET body = ?, hash = ? WHERE seq = 4", (body, digest))
    monkeypatch.setattr(store, "MAX_BODY", 300)
    (problem,) = ledger.verify()
    assert problem.startswith("entry 4: ")
    assert told in problem


@pytest.mark.parametrize(("kind", "time"), [('a","b":"', "2026-01-02T03:04:05.000000Z"), ("note", '","x":"')])
def test_a_kind_or_time_that_could_blur_the_record_is_found(tmp_path, kind, time):
    """Else two different entries could be one text, and so have one hash."""
    ledger = filled(tmp_path)
    old = ledger.get(4)
    body = store.canonical(old.body)
    digest = store.chain_hash(old.previous, seq=4, kind=kind, time=time, body=body)
    change(ledger, "UPDATE entries SET kind = ?, time = ?, hash = ? WHERE seq = 4", (kind, time, digest))
    assert ledger.verify() == ["entry 4: its kind or time is none that was ever written"]


# Files that are not ours


def other_program(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA application_id=1")
    db.execute("CREATE TABLE entries (seq, kind, time, contract, outcome, body, previous, hash)")
    db.commit()
    db.close()


def no_mark(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE cookies (a)")
    db.commit()
    db.close()


def newer(path: Path) -> None:
    SqliteLedger(path).append("note", {})
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    db.close()


def extra_trigger(path: Path) -> None:
    SqliteLedger(path).append("note", {})
    db = sqlite3.connect(path)
    db.execute("CREATE TRIGGER quiet AFTER INSERT ON entries BEGIN SELECT 1; END")
    db.close()


def a_view(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA application_id={schema.APPLICATION_ID}")
    db.execute(f"PRAGMA user_version={schema.VERSION}")
    db.execute(
        "CREATE VIEW entries AS SELECT 1 seq, 'note' kind, '' time, '' contract, '' outcome, '{}' body, '' previous, '' hash"
    )
    db.close()


def text(path: Path) -> None:
    path.write_text("not a database at all, but longer than the hundred bytes of a header" * 9)


def half(path: Path) -> None:
    ledger = SqliteLedger(path)
    for _ in range(40):
        ledger.append("note", {"x": "y" * 900})
    os.truncate(path, path.stat().st_size // 2)


def no_text(path: Path) -> None:
    """A name in the schema that is no UTF-8, in a statement that is none: SQLite's own message is no text then."""
    SqliteLedger(path).append("note", {})
    raw = path.read_bytes().replace(b"entries_by_kind", b"entries_by_\xff\xfe\xfd\xfc")
    path.write_bytes(raw.replace(b"CREATE INDEX", b"CREATE IN\xff\xffX"))


FOREIGN = (
    (no_text, "bytes that are no text"),
    (other_program, "another program"),
    (no_mark, "another program"),
    (newer, "a newer backcheck"),
    (extra_trigger, "tables are not the ones"),
    (a_view, "tables are not the ones"),
    (text, "not a database"),
    (half, "malformed"),
)


@pytest.mark.parametrize(("make", "told"), FOREIGN)
def test_a_damaged_or_foreign_file_is_told_and_not_written_to(ledger, make, told):
    ledger.path.parent.mkdir()
    make(ledger.path)
    before = ledger.path.read_bytes()
    with pytest.raises(LedgerCorrupt, match=told):
        list(ledger.entries())
    with pytest.raises(LedgerCorrupt, match=told):
        ledger.append("note", {})
    assert told in ledger.verify()[0]
    assert ledger.path.read_bytes() == before


def test_an_empty_file_becomes_a_ledger(ledger):
    """What is left where a process was killed before its first entry."""
    ledger.path.parent.mkdir()
    ledger.path.touch()
    assert list(ledger.entries()) == ledger.verify() == []
    assert ledger.append("note", {}).seq == 1


# Where it lies


def test_nothing_is_made_before_the_first_entry(ledger):
    assert list(ledger.entries()) == ledger.verify() == []
    with pytest.raises(UserError, match="no entry"):
        ledger.get("1")
    assert not ledger.path.parent.exists()


def test_only_the_owner_can_read_it(ledger):
    old = os.umask(0)
    try:
        ledger.append("note", {})
        reader = ledger.entries()
        next(reader)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in ledger.path.parent.iterdir()}
        reader.close()
    finally:
        os.umask(old)
    assert set(modes) >= {"ledger.db", "ledger.db-wal"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(ledger.path.parent.stat().st_mode) == 0o700


def test_the_log_is_written_ahead_and_flushed(ledger):
    ledger.append("note", {})
    db = sqlite3.connect(ledger.path)
    sqlite._prepare(db)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    db.close()


def test_its_place(tmp_path):
    repository = Repository(top=tmp_path, git_dir=tmp_path / "git", common_dir=tmp_path / "common")
    assert ledger_path(repository, "elsewhere") == tmp_path / "git" / "backcheck" / "ledger.db"
    assert ledger_path(None, str(tmp_path)) == tmp_path / ".backcheck" / "ledger.db"
    assert open_ledger(None, tmp_path).where == str(tmp_path / ".backcheck" / "ledger.db")


PLANTED = ("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal")


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("kind", ["link", "dangling", "hard", "fifo", "folder"])
def test_nothing_planted_at_its_names_is_followed(ledger, tmp_path, name, kind):
    victim = tmp_path / "victim"
    victim.write_bytes(b"")
    if name != "ledger.db":
        ledger.append("note", {})
    ledger.path.parent.mkdir(exist_ok=True)
    planted = ledger.path.parent / name
    if kind == "link":
        planted.symlink_to(victim)
    elif kind == "dangling":
        planted.symlink_to(tmp_path / "made")
    elif kind == "hard":
        os.link(victim, planted)
    elif kind == "fifo":
        os.mkfifo(planted)
    else:
        planted.mkdir()
    with pytest.raises(LedgerError):
        ledger.append("note", {})
    with pytest.raises(LedgerError):
        list(ledger.entries())
    assert ledger.verify()
    assert victim.read_bytes() == b""
    assert not (tmp_path / "made").exists()


def test_a_folder_that_is_a_link_is_not_followed(ledger, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    ledger.path.parent.symlink_to(tmp_path / "elsewhere")
    for ask in (lambda: ledger.append("note", {}), lambda: list(ledger.entries())):
        with pytest.raises(LedgerError, match="not followed"):
            ask()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_exchanged_while_it_is_opened_is_noticed(ledger, tmp_path, monkeypatch):
    ledger.append("note", {})
    other = fresh(tmp_path / "other")
    other.path.parent.parent.mkdir()
    other.append("note", {"planted": True})
    connect: Any = sqlite3.connect

    def exchange(*args: Any, **kwargs: Any) -> Any:
        if other.path.exists():
            os.replace(other.path, ledger.path)
        return connect(*args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", exchange)
    with pytest.raises(LedgerError, match="exchanged"):
        list(ledger.entries())


def test_a_place_that_cannot_be_written_is_a_plain_error(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "missing" / "backcheck" / "ledger.db", tmp_path / "file" / "backcheck" / "ledger.db"):
        with pytest.raises(LedgerError) as told:
            SqliteLedger(path).append("note", {})
        assert not isinstance(told.value, LedgerCorrupt)
        assert str(path) in str(told.value)


def test_a_full_disk_loses_the_entry_and_nothing_else(ledger, monkeypatch):
    ledger.append("note", {})
    prepare = sqlite._prepare

    def full(db: sqlite3.Connection) -> None:
        prepare(db)
        db.execute("PRAGMA max_page_count=1")

    monkeypatch.setattr(sqlite, "_prepare", full)
    with pytest.raises(LedgerError, match="full") as told:
        ledger.append("note", {"x": "y" * 500_000})
    assert not isinstance(told.value, LedgerCorrupt)
    monkeypatch.undo()
    assert (len(list(ledger.entries())), ledger.verify()) == (1, [])


def test_a_writer_that_never_ends_is_waited_for_so_long_only(ledger, monkeypatch):
    ledger.append("note", {})
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    db = sqlite3.connect(ledger.path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="locked") as told:
        ledger.append("note", {})
    assert not isinstance(told.value, LedgerCorrupt)
    assert [entry.seq for entry in ledger.entries()] == [1]
    db.close()


# Processes

WRITER = """
import sys
import tempfile
from functools import cache
from pathlib import Path
from backcheck.ledger.sqlite import SqliteLedger
ledger = SqliteLedger(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    entry = ledger.append("note", {"who": sys.argv[2], "n": number, "pad": "x" * 3000})
    print(entry.seq, entry.hash, flush=True)
"""


def writer(path: Path, who: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), who, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_processes_that_make_and_write_one_ledger_at_once_lose_nothing(ledger):
    ledger.path.parent.parent.mkdir(exist_ok=True)
    processes = [writer(ledger.path, who, 15) for who in "abc"]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        go(process)
    told = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    entries = list(ledger.entries())
    assert {(entry.body["who"], entry.body["n"]) for entry in entries} == {(who, n) for who in "abc" for n in range(15)}
    acknowledged = {int(seq): digest for words in told for seq, digest in zip(words[::2], words[1::2], strict=True)}
    assert acknowledged == {entry.seq: entry.hash for entry in entries}
    assert ledger.verify() == []


def test_a_killed_writer_leaves_every_acknowledged_entry(ledger):
    acknowledged: dict[int, str] = {}
    for round_ in range(6):
        process = writer(ledger.path, f"round {round_}", 10_000)
        assert process.stdout is not None
        process.stdout.readline()
        go(process)
        for _ in range(3 + round_):
            seq, digest = process.stdout.readline().split()
            acknowledged[int(seq)] = digest
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        acknowledged |= {
            int(seq): digest for seq, digest in zip(rest[::2], rest[1::2], strict=False) if len(digest) == 64
        }
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.close()
        kept = {entry.seq: entry.hash for entry in ledger.entries()}
        assert acknowledged.items() <= kept.items()
        assert ledger.verify() == []
    assert isinstance(ledger.append("note", {}), Entry)
