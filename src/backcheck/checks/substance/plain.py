"""Other files without their form: comments by their marks, white space where it means nothing; data by its values."""

from __future__ import annotations

import json
import re
import tomllib

from backcheck.checks.code.languages import MARKUP, suffix_of
from backcheck.checks.leftovers.comments import family_of, pieces_of
from backcheck.checks.substance.model import Substance

#: Families in which white space between signs means nothing.
_FREE = frozenset({"c", "quoted", "php", "terraform", "dash", "semicolon"})
_AROUND_SIGNS = re.compile(r"\s*([^\w\s])\s*")
_SPACES = re.compile(r"\s+")


def substance(path: str, text: str) -> Substance:
    """The substance of a text that no parser here reads as code."""
    suffix = suffix_of(path)
    parsed = _values(suffix, text)
    if parsed is not None:
        return Substance(whole=parsed)
    family = family_of(path)
    if suffix in MARKUP | {".txt", ".text"} or family == "markup":
        return Substance(
            whole=" ".join(part for kind, piece in pieces_of(path, text) if kind != "comment" for part in piece.split())
        )
    if family in _FREE:
        return Substance(whole=_free(path, text))
    bare = "".join(piece if kind != "comment" else "\n" * piece.count("\n") for kind, piece in pieces_of(path, text))
    return Substance(whole="\n".join(line.rstrip() for line in bare.split("\n") if line.strip()))


def _values(suffix: str, text: str) -> str | None:
    """The values of JSON and TOML, None for what is neither or does not parse."""
    try:
        if suffix in {".json", ".ipynb", ".webmanifest", ".geojson"}:
            return json.dumps(json.loads(text))
        if suffix == ".toml":
            return repr(tomllib.loads(text))
    except (ValueError, RecursionError):
        return None
    return None


def _free(path: str, text: str) -> str:
    """Quoted text as it is, white space elsewhere only between words."""
    parts: list[str] = []
    code = ""
    for kind, piece in [*pieces_of(path, text), ("text", "")]:
        if kind == "text":
            parts += [_SPACES.sub(" ", _AROUND_SIGNS.sub(r"\1", code)).strip(), piece]
            code = ""
        else:
            code += piece if kind == "code" else " "
    return "".join(parts)
