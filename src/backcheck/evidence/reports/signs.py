"""Which runners' hands can be seen in a text: what decides on its format, and what of it another runner must have written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from backcheck.evidence.reports.pytestout import is_summary

_ESCAPE = rb"(?:\x1b\[[0-9;]*[A-Za-z])*"
_SIGNS = {
    "go-test-json": re.compile(rb'^\{[^\n]{0,4000}"Action"[ \t]*:[ \t]*"', re.MULTILINE),
    "tap": re.compile(rb"^(?:TAP version \d+|[0-9]{1,15}\.\.[0-9]{1,15})[ \t\r]*(?:#[^\n]*)?$", re.MULTILINE),
    "pytest-output": re.compile(rb"^[^\n]{0,400} in [0-9.]+s\b[^\n]{0,100}$", re.MULTILINE),
    "unittest-output": re.compile(rb"^Ran [0-9]{1,12} tests? in [0-9.]+s[ \t\r]*$", re.MULTILINE),
    "jest-output": re.compile(
        rb"^[ \t]*" + _ESCAPE + rb"Tests:?" + _ESCAPE + rb"[ \t]+[^\n]{0,200}?[0-9][^\n]{0,200}"
        rb"(?:total|\)" + _ESCAPE + rb")[ \t\r]*$",
        re.MULTILINE,
    ),
}  # fmt: skip
#: A point of TAP without a plan is a word that anything may print.
_POINT = re.compile(rb"^(?:not )?ok\b", re.MULTILINE)
#: Closing lines of runners whose output is not read here, where they tell of a failure.
_FAILURES = re.compile(
    rb"^" + _ESCAPE + rb"(?:[ \t]+[1-9][0-9]* failing|test result: FAILED[^\n]{0,80}"
    rb"|\xe2\x84\xb9 fail [1-9][0-9]*|[0-9]+ examples?, [1-9][0-9]* failures?|[0-9]+% tests passed, [1-9][0-9]* tests? failed"
    rb"|FAILURES!|\[ERROR\] Tests run: [^\n]{0,80}|--- FAIL: [^\n]{0,80})",
    re.MULTILINE,
)
_STEP = 1 << 20
_LINE = 8192


@dataclass(slots=True)
class Signs:
    """Formats whose sign stands in a text, whether points of TAP do, and failures that others tell of."""

    formats: set[str] = field(default_factory=set)
    points: bool = False
    failures: list[str] = field(default_factory=list)


def signs_of(pieces: Iterable[bytes]) -> Signs:
    """Look through a text once. Lines longer than some kilobytes are no sign of anything."""
    found, rest = Signs(), b""
    for piece in pieces:
        block, cut, after = (rest + piece).rpartition(b"\n")
        if cut:
            _look(block, found)
        rest = after if len(after) <= _STEP else after[-_LINE:]
    _look(rest, found)
    return found


def _look(block: bytes, found: Signs) -> None:
    for name, sign in _SIGNS.items():
        if name not in found.formats and any(_holds(name, match[0]) for match in sign.finditer(block)):
            found.formats.add(name)
    found.points = found.points or bool(_POINT.search(block))
    if len(found.failures) < 3:
        found.failures += [_words(match[0]) for match in _FAILURES.finditer(block)][:3]


def _holds(name: str, line: bytes) -> bool:
    return name != "pytest-output" or is_summary(line.decode("utf-8", "replace"))


def _words(line: bytes) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.decode("utf-8", "replace")).strip()[:80]
