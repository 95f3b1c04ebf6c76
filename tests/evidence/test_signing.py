from __future__ import annotations

import base64
import subprocess
import sys
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey  # type: ignore[attr-defined]

from backcheck.evidence import signing
from backcheck.evidence.signing import SignatureProblem

TYPE = "application/vnd.backcheck.decision+json"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = signing.public_text(KEY)


def oracle_key(public: str) -> SSlibKey:
    return SSlibKey(signing.fingerprint(public), "ed25519", "ed25519", {"public": signing.raw_key(public).hex()})


@given(st.text(max_size=40), st.binary(max_size=200))
def test_the_signed_bytes_are_the_specifications(kind, payload):
    assert signing.pae(kind, payload) == Envelope(payload, kind, {}).pae()


def test_the_specifications_own_example():
    assert signing.pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


@given(st.binary(max_size=200))
def test_another_implementation_verifies_what_we_sign(payload):
    envelope = Envelope.from_dict(signing.seal(TYPE, payload, KEY))
    assert envelope.payload == payload
    assert envelope.verify([oracle_key(PUBLIC)], 1)
    envelope.payload += b"!"
    with pytest.raises(VerificationError):
        envelope.verify([oracle_key(PUBLIC)], 1)


@given(st.binary(max_size=200))
def test_we_verify_what_another_implementation_signs(payload):
    signer = CryptoSigner.generate_ed25519()
    public = signing.KEY_PREFIX + base64.b64encode(bytes.fromhex(signer.public_key.keyval["public"])).decode()
    envelope = Envelope(payload, TYPE, {})
    envelope.sign(signer)
    assert signing.check(envelope.to_dict(), TYPE, public) == payload
    with pytest.raises(SignatureProblem, match="not signed"):
        signing.check(envelope.to_dict(), TYPE, PUBLIC)


def test_any_of_several_signatures_will_do_whatever_their_key_ids_say():
    good = signing.seal(TYPE, b"x", KEY)
    other = signing.seal(TYPE, b"x", Ed25519PrivateKey.generate())
    signatures = [{"keyid": "nobody", "sig": item["sig"]} for item in (*other["signatures"], *good["signatures"])]
    assert signing.check(good | {"signatures": signatures}, TYPE, PUBLIC) == b"x"


def test_both_base64_alphabets_are_read():
    payload = b"\xfb\xff\xbf"
    envelope = signing.seal(TYPE, payload, KEY)
    url = envelope | {"payload": base64.urlsafe_b64encode(payload).decode()}
    assert url["payload"] != envelope["payload"]
    assert signing.check(url, TYPE, PUBLIC) == payload


SIGNATURE = signing.seal(TYPE, b"x", KEY)["signatures"][0]
BROKEN: list[tuple[str, Any, str]] = [
    ("no envelope", [], "no envelope"),
    ("another type", signing.seal("text/plain", b"x", KEY), "not of the type"),
    ("a type put over it", signing.seal("text/plain", b"x", KEY) | {"payloadType": TYPE}, "not signed"),
    ("another payload", signing.seal(TYPE, b"x", KEY) | {"payload": "eQ=="}, "not signed"),
    ("no payload", {"payloadType": TYPE, "signatures": [SIGNATURE]}, "broken"),
    ("no base64", signing.seal(TYPE, b"x", KEY) | {"payload": "ä"}, "broken"),
    ("no signatures", signing.seal(TYPE, b"x", KEY) | {"signatures": []}, "no list"),
    ("signatures of another kind", signing.seal(TYPE, b"x", KEY) | {"signatures": {"sig": "eA=="}}, "no list"),
    ("too many signatures", signing.seal(TYPE, b"x", KEY) | {"signatures": [SIGNATURE] * 9}, "no list"),
    ("a signature of another kind", signing.seal(TYPE, b"x", KEY) | {"signatures": ["eA=="]}, "not signed"),
    ("a short signature", signing.seal(TYPE, b"x", KEY) | {"signatures": [{"sig": "eA=="}]}, "not signed"),
    ("an endless payload", signing.seal(TYPE, b"x" * 200_000, KEY), "broken"),
]


@pytest.mark.parametrize(("envelope", "told"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_envelope_says_what_is_wrong(envelope, told):
    with pytest.raises(SignatureProblem, match=told):
        signing.check(envelope, TYPE, PUBLIC)


def test_a_changed_bit_of_the_signature_is_noticed():
    envelope = signing.seal(TYPE, b"x", KEY)
    raw = bytearray(base64.b64decode(envelope["signatures"][0]["sig"]))
    for place in range(len(raw)):
        raw[place] ^= 1
        envelope["signatures"][0]["sig"] = base64.b64encode(raw).decode()
        with pytest.raises(SignatureProblem, match="not signed"):
            signing.check(envelope, TYPE, PUBLIC)
        raw[place] ^= 1


@pytest.mark.parametrize(
    "text", ["", "ed25519:", PUBLIC[:-4], PUBLIC + "AAAA", PUBLIC[8:], "rsa:" + PUBLIC[8:], "ed25519:ä"]
)
def test_what_is_no_public_key(text):
    with pytest.raises(SignatureProblem, match="is no key"):
        signing.raw_key(text)


def test_a_public_key_is_written_as_contracts_carry_it():
    from backcheck.contract.load import load_native

    text = f"version: 1\ntrusted_keys: ['{PUBLIC}']\nrequirements: []\n"
    assert load_native(text.encode(), "c").trusted_keys == (PUBLIC,)
    assert len(signing.raw_key(PUBLIC)) == 32


def test_nothing_of_the_library_is_loaded_before_a_signature_is_there():
    code = (
        "import sys\nfrom backcheck.ledger import attempts, decisions, location, queue\n"
        "print(any(name.partition('.')[0] == 'cryptography' for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
