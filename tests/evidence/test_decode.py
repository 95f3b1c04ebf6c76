from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.evidence.decode import decode, fold, to_search_bytes
from backcheck.evidence.patterns import compile_pattern
from backcheck.evidence.search import Hit, search_text, search_windows

TODO = compile_pattern("TODO", lines=True)


@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8"])
def test_encodings(name: str) -> None:
    assert decode("plain TODO text\r\nsecond\rthird".encode(name)) == "plain TODO text\nsecond\nthird"


def test_invalid_bytes_stay_searchable() -> None:
    assert decode(b"\xff\xfeTODO"[2:]) == "TODO"
    assert "TODO" in decode(b"caf\xe9 TODO")


@given(st.binary(max_size=300))
def test_any_bytes_decode(data: bytes) -> None:
    decode(data)
    to_search_bytes(data)


@given(st.text(max_size=100))
def test_folding_keeps_lines(text: str) -> None:
    plain = text.replace("\u2028", "").replace("\u2029", "").replace("\x85", "")
    assert fold(plain).count("\n") == plain.count("\n")


HIDDEN = [
    "T\u200bODO",
    "TO\u00adDO",
    "Т\u041eD\u041e",
    "ＴＯＤＯ",
    "T\u2060O\ufe0fDO",
    "\u202eTODO",
    "𝐓𝐎𝐃𝐎",
    "T\u034fODO",
    "T\u0336O\u0336D\u0336O",
    "ΤΟDΟ",
]


@pytest.mark.parametrize("word", HIDDEN)
def test_what_a_reader_sees_is_searched(word: str) -> None:
    assert [hit.line for hit in search_text(TODO, f"a\n// {word}\n".encode())] == [2]


def test_other_scripts_are_left_alone() -> None:
    text = "这里没有待办事项\nздесь ничего нет\nτίποτα\n"
    assert search_text(TODO, text.encode()) == []


def test_hidden_hits_are_marked_and_plain_ones_are_not() -> None:
    assert search_text(TODO, "TODO é\nT\u200bODO\n".encode()) == [Hit(1), Hit(2, hidden=True)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_windows_find_what_the_whole_finds(encoding: str, size: int) -> None:
    text = "".join(f"line {n} é {'TODO' if n in (3, 40, 99) else ''}\n" for n in range(1, 100)) + "last TODO"
    data = text.encode(encoding)
    pieces = [data[at : at + max(size, 4)] for at in range(0, len(data), max(size, 4))]
    assert [hit.line for hit in search_windows([TODO], pieces)[0]] == [3, 40, 99, 100]


def test_a_line_longer_than_a_window_is_searched() -> None:
    data = b"x" * 700_000 + b"TODO" + b"y" * 700_000
    pieces = [data[at : at + 100_003] for at in range(0, len(data), 100_003)]
    assert [hit.line for hit in search_windows([TODO], pieces)[0]] == [1]


def test_a_mark_alone_is_nothing() -> None:
    assert decode(codecs.BOM_UTF8) == ""
