"""Names that a contract demands: what kind of name each is, and where a file defines it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from backcheck.checks.code.languages import DATA, suffix_of
from backcheck.checks.leftovers.comments import notes_of, without_notes
from backcheck.checks.substance.model import Substance

_SUFFIXED = re.compile(
    r"^[\w.\-]+\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|sh|sql|md|rst|txt|json|ya?ml|toml|ini|cfg|"
    r"html?|css|scss|vue|svelte|proto|tf|lock|env|xml|csv|ipynb|dockerfile)$", re.IGNORECASE
)  # fmt: skip
_SYMBOL = re.compile(r"^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$-]*)*(?:\(\))?$|^[^\W\d]\w*(?:\.\w+)*(?:\(\))?$")
_OPTION = re.compile(r"^--?[A-Za-z][\w-]*$")
_ROUTE = re.compile(r"^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(?P<path>/[\w\-./{}<>:*\[\]$]*)$")
#: Words that define what follows them, in many languages.
_DEFINES = (
    r"func|fn|fun|def|defp|defn|defmacro|sub|function|procedure|proc|macro|macro_rules!|class|struct|enum|trait|interface|type|typedef|record|object|module|"
    r"namespace|protocol|extension|const|let|var|val|static|final|define|alias|table|view|index|message|service|rpc|resource|variable|output|package"
)


class Kind(StrEnum):
    """What a name is the name of."""

    PATH = "path"
    OPTION = "option"
    ROUTE = "route"
    SYMBOL = "name"


def kind_of_name(name: str) -> Kind | None:
    """The kind that a name's form gives away; None where it is no name."""
    if _OPTION.match(name):
        return Kind.OPTION
    if _ROUTE.match(name) and not _SUFFIXED.match(name.rpartition("/")[2]):
        return Kind.ROUTE
    if " " not in name and (("/" in name and not name.startswith(("/", "http"))) or _SUFFIXED.match(name)):
        return Kind.PATH
    return Kind.SYMBOL if _SYMBOL.match(name) else None


def plain_name(name: str) -> str:
    """`Class::method()` → `Class.method`; a route without its verb."""
    route = _ROUTE.match(name)
    if route and kind_of_name(name) is Kind.ROUTE:
        return route["path"]
    return re.sub(r"::|#|->", ".", name.removesuffix("()"))


def defined_in(path: str, text: str, substance: Substance, name: str) -> dict[str, tuple[str, bool]]:
    """Where a file defines a symbol: place (`line` as text) → its substance (empty where unknown) and whether it is a stub."""
    wanted = plain_name(name)
    if substance.parsed:
        return {
            str(item.line): (item.substance, item.stub)
            for known, items in substance.definitions.items()
            if known == wanted or known.endswith(f".{wanted}")
            for item in items
        }
    found = {}
    for number, line in enumerate(_bare(path, text).split("\n"), start=1):
        if len(line) < 4000 and _definition(suffix_of(path) in DATA, wanted.rpartition(".")[2]).search(line):
            found[str(number)] = (" ".join(line.split()), False)
    return found


@lru_cache(maxsize=256)
def _bare(path: str, text: str) -> str:
    return without_notes(text, notes_of(path, text))


@lru_cache(maxsize=256)
def _definition(data: bool, name: str) -> re.Pattern[str]:
    word = re.escape(name)
    key = rf"(?:^|[\s{{,\[])[\"']?{word}[\"']?\s*[:=](?!=)"
    if data:
        return re.compile(key)
    return re.compile(
        rf"\b(?:{_DEFINES})\b[\s*&]+(?:\([^)]*\)\s*)?(?:[\w:]+[.:]+)?{word}(?!\w)|"
        rf"^\s*(?:[\w<>*&:,\[\]?]+\s+)+[*&]?(?:[\w]+::)?{word}\s*\([^;]*$|^\s*{word}\s*(?:\(\))?\s*(?:\{{|:|=(?!=)|:=|\(\)\s*\{{)|^[.#]{word}\b[^;]*\{{|{key}"
    )


def stands_in(path: str, text: str, name: str) -> list[int]:
    """Lines on which an option or a route stands in code or data, comments apart."""
    wanted = re.escape(plain_name(name))
    edge = re.compile(
        rf"(?<![\w\-/]){wanted}(?![\w\-/])" if name.startswith("-") else rf"(?<![\w/]){wanted}/?(?![\w\-/{{<:])"
    )
    return [number for number, line in enumerate(_bare(path, text).split("\n"), start=1) if edge.search(line)]
