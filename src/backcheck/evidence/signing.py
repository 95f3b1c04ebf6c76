"""Ed25519 signatures in DSSE envelopes: the type of a payload is signed together with its bytes.

Source: the DSSE specification, version 1 (pre-authentication encoding, JSON envelope).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # A check without decisions must not wait for the import of a whole library of ciphers.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

#: What a signer may call his key.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
KEY_PREFIX = "ed25519:"
RAW_KEY = 32
MAX_SIGNATURES = 8
MAX_PAYLOAD = 64 * 1024


class SignatureProblem(Exception):
    """Why a signature, an envelope or the text of a key does not count, in words that follow its name."""


def public_text(key: Ed25519PrivateKey) -> str:
    """The public half as a contract's `trusted_keys` carries it: `ed25519:` and base64 of its 32 bytes."""
    return KEY_PREFIX + base64.b64encode(key.public_key().public_bytes_raw()).decode("ascii")


def raw_key(text: str) -> bytes:
    """The 32 bytes of a public key's text. Errors: SignatureProblem."""
    try:
        raw = base64.b64decode(text.removeprefix(KEY_PREFIX), validate=True) if text.startswith(KEY_PREFIX) else b""
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != RAW_KEY:
        raise SignatureProblem(f"is no key of the form `{KEY_PREFIX}` and base64 of {RAW_KEY} bytes")
    return raw


def fingerprint(text: str) -> str:
    """What people compare: the first 16 hex digits of sha256 over the key's bytes. Errors: SignatureProblem."""
    return hashlib.sha256(raw_key(text)).hexdigest()[:16]


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: type and payload, each with its length in bytes before it."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def seal(payload_type: str, payload: bytes, key: Ed25519PrivateKey) -> dict[str, Any]:
    """An envelope with one signature, as plain JSON values."""
    signature = key.sign(pae(payload_type, payload))
    return {
        "payload": base64.b64encode(payload).decode("ascii"),
        "payloadType": payload_type,
        "signatures": [
            {"keyid": fingerprint(public_text(key)), "sig": base64.b64encode(signature).decode("ascii")},
        ],
    }


def payload_of(envelope: object, payload_type: str, limit: int = MAX_PAYLOAD) -> bytes:
    """The payload of an envelope, at most `limit` bytes, not yet believed. Errors: SignatureProblem."""
    if not isinstance(envelope, Mapping):
        raise SignatureProblem("is no envelope")
    if envelope.get("payloadType") != payload_type:
        raise SignatureProblem(f"is not of the type {payload_type}")
    return _decoded(envelope.get("payload"), limit)


def check(envelope: object, payload_type: str, key: str, limit: int = MAX_PAYLOAD) -> bytes:
    """The payload of an envelope that `key` (its text) signed.

    The signature's `keyid` is a hint that nobody signed, so every signature is tried. Errors: SignatureProblem.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    payload = payload_of(envelope, payload_type, limit)
    public = Ed25519PublicKey.from_public_bytes(raw_key(key))
    signatures = envelope.get("signatures") if isinstance(envelope, Mapping) else None
    if not isinstance(signatures, list) or not 0 < len(signatures) <= MAX_SIGNATURES:
        raise SignatureProblem(f"carries no list of 1 to {MAX_SIGNATURES} signatures")
    signed = pae(payload_type, payload)
    for item in signatures:
        try:
            public.verify(_decoded(item.get("sig") if isinstance(item, Mapping) else None, 64), signed)
        except (InvalidSignature, SignatureProblem):
            continue
        return payload
    raise SignatureProblem("is not signed by the key that it names")


def _decoded(text: object, limit: int) -> bytes:
    """Base64 (the standard or the URL alphabet, as the specification allows). Errors: SignatureProblem."""
    if not isinstance(text, str) or len(text) > 2 * limit + 8:
        raise SignatureProblem("is a broken envelope")
    try:
        return base64.b64decode(text.translate({ord("-"): "+", ord("_"): "/"}), validate=True)
    except (binascii.Error, ValueError):
        raise SignatureProblem("is a broken envelope") from None
