"""Secrets masked and control characters escaped in what a command printed, before anybody is shown it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

MASK = "[masked]"
#: A value shorter than this is too common to mask wherever it stands.
MIN_VALUE = 8
_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY|AUTH", re.IGNORECASE)

#: Shapes of well-known credentials; the second group of an assignment is what is masked.
_SHAPES = (
    re.compile(r"\bgh[pousr]_[A-Za-z0-9]{3,255}"),
    re.compile(r"\bgithub_pat_[A-Za-z0-9_]{20,255}"),
    re.compile(r"\bglpat-[A-Za-z0-9_-]{16,255}"),
    re.compile(r"\bsk[-_](?:live|test|ant|proj)?[-_]?[A-Za-z0-9_-]{16,255}"),
    re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    re.compile(r"\bnpm_[A-Za-z0-9]{30,255}"),
    re.compile(r"\bpypi-[A-Za-z0-9_-]{16,512}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}"),
    re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"),
)
_ASSIGNMENT = re.compile(
    r"(?i)\b([\w-]{0,40}(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|authorization)[\w-]{0,20}"
    r"[\"']?\s{0,3}[=:]\s{0,3}(?:bearer\s|basic\s)?[\"']?)([^\s\"',;]{4,4096})"
)
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,200}:)([^\s/@]{1,500})(@)", re.IGNORECASE)
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def mask(text: str, environment: Mapping[str, str] | None = None) -> str:
    """The text with credentials replaced: known shapes, assignments, and values of secret-looking variables."""
    values = os.environ if environment is None else environment
    for name, value in values.items():
        if len(value) >= MIN_VALUE and _SECRET_NAME.search(name):
            text = text.replace(value, MASK)
    for shape in _SHAPES:
        text = shape.sub(MASK, text)
    text = _ASSIGNMENT.sub(lambda match: match[1] + MASK, text)
    return _URL_PASSWORD.sub(lambda match: match[1] + MASK + match[3], text)


def printable(text: str) -> str:
    """Terminal sequences dropped, other control characters escaped; tabs and line ends stay."""
    text = _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
