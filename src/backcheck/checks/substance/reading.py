"""The substance of any file, and what a change did to it."""

from __future__ import annotations

import hashlib
from enum import StrEnum

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON, suffix_of
from backcheck.checks.code.model import Unparsed
from backcheck.checks.leftovers.notebook import cells_of
from backcheck.checks.substance import ecmascript, plain, python
from backcheck.checks.substance.model import Substance
from backcheck.evidence.decode import decode, encoding_of, fold, is_blank

_SAMPLE = 8192


class Nature(StrEnum):
    """What a change of one file is."""

    REAL = "a real change"
    FORM = "form only"
    #: It was added and holds nothing but stubs, comments or white space.
    HOLLOW = "nothing but stubs, comments or white space"
    RENAME = "renamed"
    MODE = "another mode only"


def substance_of(path: str, data: bytes) -> Substance:
    """The substance of a file's bytes; bytes that are no text are compared as they are."""
    if b"\0" in data[:_SAMPLE] and encoding_of(data)[0] == "utf-8":
        return Substance(whole=hashlib.sha256(data).hexdigest())
    text = decode(data)
    suffix = suffix_of(path)
    try:
        if suffix in PYTHON:
            return python.substance(text)
        if suffix in ECMASCRIPT:
            return ecmascript.substance(text, suffix)
        if suffix == ".ipynb" and (cells := cells_of(text)) is not None:
            code = python.substance(cells.code)
            return Substance(
                whole=f"{code.whole}\n{' '.join(cells.prose.split())}", definitions=code.definitions, parsed=True
            )
    except Unparsed:
        pass
    return plain.substance(path, text)


def nature_of(path: str, before: bytes | None, after: bytes) -> Nature:
    """What was done to one file; `before` is None for a new one."""
    new = substance_of(path, after)
    if before is None:
        return Nature.HOLLOW if is_blank(fold(new.whole)) else Nature.REAL
    old = substance_of(path, before)
    # A file that parses now and did not before (or the other way) is compared as text.
    if old.parsed is not new.parsed:
        old, new = plain.substance(path, decode(before)), plain.substance(path, decode(after))
    return Nature.FORM if _seen(old.whole) == _seen(new.whole) else Nature.REAL


def _seen(text: str) -> str:
    """Letters that do not show are form as well."""
    return text if text.isascii() else "".join(c for c in text if not is_blank(c) or c.isspace())
