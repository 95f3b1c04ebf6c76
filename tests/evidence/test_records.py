from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]

from backcheck.evidence import records, signing
from backcheck.evidence.records import RunRecord, Stored
from backcheck.evidence.vault import Vault, VaultError

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = signing.public_text(KEY)
ZERO = "0" * 64

RECORD = RunRecord(
    name="tests", argv=["pytest", "-q"], folder="", environment=ZERO, executable="/usr/bin/pytest",
    started="2026-12-01T10:00:00+00:00", ended="2026-12-01T10:00:04+00:00", seconds=4.0, exit_code=0, signal="",
    stopped="", output=Stored(sha256=ZERO, bytes=3), commit="", before=ZERO, after=ZERO,
    manifest=Stored(sha256=ZERO, bytes=0), key=PUBLIC, recorder="backcheck 0",
)  # fmt: skip


def forged(change: Any) -> dict[str, Any]:
    """An envelope whose Statement was changed and signed again by the same key: only its own words can betray it."""
    document = json.loads(records.statement(RECORD))
    change(document)
    return signing.seal(records.PAYLOAD_TYPE, json.dumps(document).encode(), KEY)


def test_a_record_comes_back_as_it_was():
    assert records.read(records.seal(RECORD, KEY)) == records.Read(record=RECORD)


def test_another_implementation_verifies_the_envelope_and_finds_a_statement():
    sealed = records.seal(RECORD, KEY)
    signatures = {s["keyid"]: s for s in sealed["signatures"]}
    envelope = Envelope.from_dict({**sealed, "signatures": list(signatures.values())})
    key = SSlibKey(signing.fingerprint(PUBLIC), "ed25519", "ed25519", {"public": signing.raw_key(PUBLIC).hex()})
    assert envelope.verify([key], 1)
    document = json.loads(envelope.payload)
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert document["subject"][0]["digest"]["sha256"] == RECORD.after


CASES = {
    "another tree outside": (lambda d: d["subject"][0]["digest"].update(sha256="1" * 64), "another tree"),
    "a further field": (lambda d: d["predicate"].update(verdict="PASS"), "fields"),
    "a missing field": (lambda d: d["predicate"].pop("exit_code"), "fields"),
    "a code in words": (lambda d: d["predicate"].update(exit_code="0"), "wrong field"),
    "no command": (lambda d: d["predicate"].update(argv=[]), "wrong field"),
    "negative bytes": (lambda d: d["predicate"]["output"].update(bytes=-1), "wrong field"),
    "seconds that are no number": (lambda d: d["predicate"].update(seconds=float("nan")), "no JSON"),
    "another predicate": (lambda d: d.update(predicateType="https://slsa.dev/provenance/v1"), "another kind"),
    "another statement": (lambda d: d.update(_type="https://in-toto.io/Statement/v0.1"), "another kind"),
    "the clock was set back": (lambda d: d["predicate"].update(ended="2026-12-01T09:00:00+00:00"), "set back"),
    "the clock was set forward": (lambda d: d["predicate"].update(ended="2026-12-01T11:00:00+00:00"), "was set"),
    "a time that is none": (lambda d: d["predicate"].update(started="yesterday"), "a time"),
    "times with and without a zone": (lambda d: d["predicate"].update(started="2026-12-01T10:00:00"), "a time"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_can_not_have_been_seen_is_no_record(name):
    change, word = CASES[name]
    assert word in records.read(forged(change)).problem


def test_a_key_that_stands_twice_is_refused():
    text = records.statement(RECORD).decode().replace('"exit_code":0', '"exit_code":1,"exit_code":0')
    assert "no JSON" in records.read(signing.seal(records.PAYLOAD_TYPE, text.encode(), KEY)).problem


@given(st.integers(min_value=0), st.integers(min_value=1, max_value=255))
def test_no_byte_of_the_payload_can_be_changed(position, difference):
    envelope = records.seal(RECORD, KEY)
    payload = bytearray(base64.b64decode(envelope["payload"]))
    payload[position % len(payload)] ^= difference
    assert records.read({**envelope, "payload": base64.b64encode(payload).decode()}).problem


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_anything_else_is_told_and_never_raises(value):
    assert records.read(value).problem


def test_another_signer_than_the_named_key_is_refused():
    other = Ed25519PrivateKey.generate()
    with pytest.raises(ValueError, match="another key"):
        records.seal(RECORD, other)
    envelope = signing.seal(records.PAYLOAD_TYPE, records.statement(RECORD), other)
    assert "not signed" in records.read(envelope).problem


@pytest.mark.parametrize(
    "changed", [{"exit_code": 1}, {"signal": "SIGKILL"}, {"stopped": "it took longer"}, {"exit_code": None}]
)
def test_only_an_end_with_zero_is_a_good_end(changed):
    assert RECORD.ended_well
    assert not replace(RECORD, **changed).ended_well


@given(st.binary(max_size=5000))
def test_the_store_gives_back_what_it_keeps(tmp_path_factory, data):
    vault = Vault(tmp_path_factory.mktemp("kept"))
    assert vault.get(vault.put(data).sha256) == data


def test_a_changed_or_missing_content_is_told_and_mended_by_keeping_it_again(tmp_path):
    vault = Vault(tmp_path / "kept")
    stored = vault.put(b"42 passed")
    (file,) = [path for path in vault.folder.rglob("*") if path.is_file()]
    file.write_bytes(b"rubbish")
    with pytest.raises(VaultError):
        vault.get(stored.sha256)
    vault.put(b"42 passed")
    assert vault.get(stored.sha256) == b"42 passed"
    other = vault.put(b"43 passed")
    (tmp_path / "kept" / other.sha256[:2] / other.sha256[2:]).replace(file)
    with pytest.raises(VaultError, match="not what was recorded"):
        vault.get(stored.sha256)
