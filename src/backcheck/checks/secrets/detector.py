"""The library that knows what secrets look like (Kingfisher, in this process): loaded, tried on a known one, asked offline.

Its `Scanner` neither verifies nor sends anything, and without a policy it obeys no comment in the text that asks it to
look away. Compiling its rules takes seconds, so the compiled form is kept beside this module's own byte code: whoever
can write there can change backcheck itself.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from typing import Any, NamedTuple

#: Seconds for one text.
TIMEOUT = 20.0
_CACHE = os.path.join(os.path.dirname(__file__), "__pycache__", "secret-rules")


class DetectorError(Exception):
    """The detector cannot be used, or broke; the text says why, in words for a person."""


class Missing(DetectorError):
    """The detector is not installed."""


class Secret(NamedTuple):
    """One hit: lines from 1, the rule's short name, how sure the detector is (`high`, `medium`, `low`) and, to compare it
    with others inside this process only, a digest of the value. The value itself is not kept."""

    line: int
    last_line: int
    rule: str
    confidence: str
    digest: str
    start: int
    end: int


class Detector:
    """A loaded detector. Errors of `find`: DetectorError."""

    __slots__ = ("_scanner",)

    def __init__(self, scanner: Any) -> None:
        self._scanner = scanner

    def find(self, data: bytes) -> list[Secret]:
        """Every secret in some bytes of text in UTF-8 or UTF-16, binary data between; in order."""
        try:
            found = self._scanner.scan(data, timeout=TIMEOUT)
        except TimeoutError:
            raise DetectorError(f"could not be searched in {TIMEOUT:g} s") from None
        except BaseException as error:
            # A panic of the library is no Exception.
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            raise DetectorError(f"broke the detector ({type(error).__name__})") from None
        return sorted({_secret(item) for item in found if item.visible})


def _secret(item: Any) -> Secret:
    place = item.location
    return Secret(
        line=int(place["line"]), last_line=int(place["end_line"]), rule=str(item.rule_id).rpartition(".")[2].rpartition("/")[2],
        confidence=str(item.confidence), digest=hashlib.sha256(item.secret.encode("utf-8", "replace")).hexdigest(),
        start=int(place["start_offset"]), end=int(place["end_offset"]),
    )  # fmt: skip


def load() -> Detector:
    """A detector that has just found a known secret. Errors: Missing, DetectorError."""
    try:
        import kingfisher_sdk  # noqa: F401
    except ImportError:
        raise Missing("the detector of secrets is not installed") from None
    try:
        detector = Detector(_scanner())
    except (RuntimeError, ValueError, OSError, TypeError) as error:
        raise DetectorError(f"the detector of secrets cannot be started: {error}") from None
    for name, text in known_secrets().items():
        if not any(name in secret.rule for secret in detector.find(text)):
            raise DetectorError(f"the detector of secrets does not find a known one ({name}); its rules may be damaged")
    return detector


@cache
def _scanner() -> Any:
    """Made once in a process: it holds compiled rules and no results."""
    import kingfisher_sdk

    return kingfisher_sdk.Scanner(kingfisher_sdk.Rules(confidence="medium", cache_dir=_CACHE))


def known_secrets() -> dict[str, bytes]:
    """Texts in which a sound detector finds a secret, by a part of the rule's name. Put together here: none is real."""
    letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    key = "\n".join(hashlib.sha512(bytes([n])).hexdigest()[:64] for n in range(8))
    return {
        "github-pat": f'token = "{"gh" + "p_"}{letters}"\n'.encode(),
        "private-key": f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{key}\n-----END RSA {'PRIVATE'} KEY-----\n".encode(),
    }
