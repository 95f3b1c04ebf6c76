"""Functions that hold no work, by the parsers of `checks.code`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from backcheck.checks.code.languages import read_code
from backcheck.checks.code.model import Code, Stub, Unparsed
from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.leftovers.roles import Role
from backcheck.checks.leftovers.words import excused
from backcheck.checks.words import plain

#: A reference may stand on one of this many lines from a stub's first on.
_SPAN = 4


def stubs_in(text: str, code: Code, role: Role) -> Iterator[Leftover]:
    """The stubs of a file, old and new."""
    lines = text.split("\n")
    for function in code.functions:
        if function.stub is None or not _counts(function.name, function.stub, role):
            continue
        near = "\n".join(lines[function.line - 1 : function.line - 1 + _SPAN])
        excuse = any(excused(plain(line)) for line in near.split("\n")) or _template(text, function.name, near)
        weight = Weight.OPEN if excuse else Weight.PLAIN
        yield Leftover(function.line, weight, f"{function.name} {function.stub}", stub=True)


def _template(text: str, name: str, near: str) -> bool:
    """A method that refuses and that its own class calls: most likely for subclasses elsewhere, but nothing says so."""
    if not re.search(r"NotImplemented|not implemented|abstract", near):
        return False
    return re.search(rf"\b(?:self|this|cls)\s*\.\s*{re.escape(name.rpartition('.')[2])}\s*\(", text) is not None


def _counts(name: str, stub: Stub, role: Role) -> bool:
    """In tests helpers may be empty, tests may not; in what imitates, nothing need be whole."""
    if role is Role.TEST:
        return name.rpartition(".")[2].startswith("test")
    return role is not Role.EXAMPLE or stub is Stub.UNFINISHED


def names_of_stubs(path: str, text: str | None) -> Counter[str]:
    """How many stubs of each name a text holds; none where it does not parse."""
    if not text:
        return Counter()
    try:
        code = read_code(path, text)
    except Unparsed:
        return Counter()
    return Counter(function.name for function in code.functions if function.stub is not None) if code else Counter()
