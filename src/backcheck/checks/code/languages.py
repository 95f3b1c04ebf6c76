"""Which files are code, and which parser reads them; a parser is imported only where such a file is read."""

from __future__ import annotations

import posixpath

from backcheck.checks.code.model import Code

PYTHON = frozenset({".py", ".pyw"})
ECMASCRIPT = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
#: Written for people; a file without a suffix is taken for prose too.
MARKUP = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".html", ".htm", ".tex"})
PROSE = MARKUP | {"", ".txt", ".text", ".log", ".out", ".tap"}
DATA = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".ini", ".cfg", ".conf", ".env",
                  ".properties", ".xml"})  # fmt: skip


def suffix_of(path: str) -> str:
    """The lower-case suffix with its dot; `.d.ts` and its like are one suffix."""
    name = posixpath.basename(path).lower()
    stem, suffix = posixpath.splitext(name)
    return f".d{suffix}" if stem.endswith(".d") and suffix in {".ts", ".mts", ".cts"} else suffix


def has_parser(path: str) -> bool:
    """Whether `read_code` reads files of this name."""
    return suffix_of(path) in PYTHON | ECMASCRIPT


def read_code(path: str, text: str) -> Code | None:
    """The code of a file, None where no parser of ours reads its language. Errors: Unparsed."""
    suffix = suffix_of(path)
    if suffix in PYTHON:
        from backcheck.checks.code import python

        return python.read(text)
    if suffix in ECMASCRIPT:
        from backcheck.checks.code import ecmascript

        return ecmascript.read(text, suffix)
    return None
