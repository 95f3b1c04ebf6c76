from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from backcheck.errors import UserError
from backcheck.evidence import signing
from backcheck.ledger import keys
from backcheck.ledger.keys import Listed, LockedKey


def test_a_new_key_can_be_loaded_and_is_the_owners_alone():
    old = os.umask(0)
    try:
        public = keys.new_key("ana")
    finally:
        os.umask(old)
    assert signing.public_text(keys.load_key("ana")) == public
    path = keys.folder() / "ana.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert load_pem_private_key(path.read_bytes(), None)


def test_two_keys_are_two():
    assert keys.new_key("ana") != keys.new_key("ben")


def test_where_keys_lie(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert keys.folder() == tmp_path / "backcheck" / "keys"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert keys.folder() == Path("/somewhere/.config/backcheck/keys")
    # Relative ones would depend on the folder one stands in, which may be the agent's.
    monkeypatch.setenv("XDG_CONFIG_HOME", "here")
    assert keys.folder() == Path("/somewhere/.config/backcheck/keys")


def test_a_passphrase_locks_the_key():
    public = keys.new_key("ana", "öpen")
    assert b"ENCRYPTED" in (keys.folder() / "ana.pem").read_bytes()
    assert signing.public_text(keys.load_key("ana", "öpen")) == public
    with pytest.raises(LockedKey, match="needs its passphrase"):
        keys.load_key("ana")
    with pytest.raises(LockedKey, match="does not open"):
        keys.load_key("ana", "open")


def test_a_key_without_a_passphrase_opens_with_any():
    public = keys.new_key("ana")
    assert signing.public_text(keys.load_key("ana", "unneeded")) == public


def test_a_key_is_never_replaced():
    keys.new_key("ana")
    before = (keys.folder() / "ana.pem").read_bytes()
    with pytest.raises(UserError, match="already"):
        keys.new_key("ana")
    assert (keys.folder() / "ana.pem").read_bytes() == before


def test_a_link_at_the_place_of_a_new_key_is_not_followed(tmp_path):
    keys.new_key("ben")
    (keys.folder() / "ana.pem").symlink_to(tmp_path / "stolen")
    with pytest.raises(UserError, match="already"):
        keys.new_key("ana")
    assert not (tmp_path / "stolen").exists()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "a b", "-a", "ä", "a\n", "a\0", "x" * 65])
def test_names_that_no_key_may_have(name):
    for ask in (keys.new_key, keys.load_key):
        with pytest.raises(UserError, match="cannot name a key"):
            ask(name)
    assert not keys.folder().exists()


def test_a_missing_key_says_how_to_make_one():
    with pytest.raises(UserError, match="keys new ana"):
        keys.load_key("ana")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_key_that_others_can_reach_is_refused(mode):
    keys.new_key("ana")
    (keys.folder() / "ana.pem").chmod(mode)
    with pytest.raises(UserError, match="others can read"):
        keys.load_key("ana")


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o770])
def test_a_folder_that_others_can_reach_is_refused(mode):
    keys.new_key("ana")
    keys.folder().chmod(mode)
    for ask in (lambda: keys.load_key("ana"), lambda: keys.new_key("ben")):
        with pytest.raises(UserError, match="others can reach"):
            ask()


def test_a_key_of_another_user_is_refused(monkeypatch):
    keys.new_key("ana")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(UserError, match="others can reach"):
        keys.load_key("ana")


def put(name: str, data: bytes) -> None:
    keys.new_key("first")
    (keys.folder() / "first.pem").unlink()
    path = keys.folder() / name
    path.write_bytes(data)
    path.chmod(0o600)


EC_KEY = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no private key"),
        (b"\xff\xfe rubbish", "no private key"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no private key"),
        (EC_KEY, "no Ed25519 key"),
        (b"x" * 70_000, "limit"),
    ],
)
def test_a_file_that_is_no_key(data, told):
    put("ana.pem", data)
    with pytest.raises(UserError, match=told):
        keys.load_key("ana")
    (listed,) = keys.list_keys()
    assert listed.name == "ana"
    assert told in listed.problem


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_is_no_file_is_not_opened(kind, tmp_path):
    keys.new_key("real")
    path = keys.folder() / "ana.pem"
    if kind == "link":
        path.symlink_to(keys.folder() / "real.pem")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(UserError):
        keys.load_key("ana")


def test_the_list_tells_open_locked_and_unusable_apart():
    assert keys.list_keys() == []
    public = keys.new_key("ben")
    keys.new_key("ana", "secret")
    keys.new_key("eve")
    (keys.folder() / "eve.pem").chmod(0o644)
    (keys.folder() / "notes.txt").write_text("no key")
    (keys.folder() / "a b.pem").write_text("no name")
    ana, ben, eve = keys.list_keys()
    assert (ana, ben) == (Listed(name="ana", locked=True), Listed(name="ben", public=public))
    assert "others can read" in eve.problem
