"""What a test file holds, whatever its language: tests, their checks, marks and replacements; values only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

#: Longest quotation of code in a finding.
QUOTED = 120
_LITERAL = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<![\w.])\d[\w.]*|\b(?:True|False|None|true|false|null|undefined)\b"""
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CALLED = re.compile(r"([A-Za-z_$][\w$]*)\s*\(")


class Sort(StrEnum):
    """What was done to tests; the name of a weakening in a finding."""

    DELETED = "test deleted"
    AWAY = "test no longer collected"
    SKIPPED = "test skipped"
    EMPTIED = "test emptied"
    REMOVED = "assertion removed"
    WEAKER = "assertion weakened"
    CONSTANT = "assertion made constant"
    GUARDED = "assertion can no longer fail the test"
    EXPECTATION = "expectation changed"
    REWRITTEN = "test rewritten"
    MOCKED = "thing under test replaced"
    CASES = "cases removed"
    FIXTURE = "results altered by a fixture or hook"
    CONFIGURATION = "configuration loosened"
    RUNNER = "runner or CI changed"
    UNREAD = "cannot be compared"


class Weakening(NamedTuple):
    """One thing found; `certain` where no reading of it keeps the tests as strict. `before` and `after` are quoted code."""

    path: str
    line: int
    sort: Sort
    certain: bool
    before: str
    after: str = ""
    note: str = ""


class Kind(StrEnum):
    """What an assertion demands."""

    EQUAL = "equal"
    APPROX = "approx"
    RAISES = "raises"
    CALLED = "called"
    CONTAINS = "contains"
    ORDER = "order"
    UNEQUAL = "unequal"
    TYPE = "type"
    TRUTH = "truth"
    FALSE = "false"
    THERE = "there"
    HELPER = "helper"
    CONSTANT = "constant"


#: How much each kind excludes, for two assertions on the same thing.
STRENGTH: Mapping[Kind, int] = {
    Kind.EQUAL: 9, Kind.APPROX: 8, Kind.RAISES: 7, Kind.CALLED: 6, Kind.HELPER: 6, Kind.CONTAINS: 5, Kind.ORDER: 5,
    Kind.FALSE: 5, Kind.UNEQUAL: 3, Kind.TYPE: 3, Kind.TRUTH: 2, Kind.THERE: 1, Kind.CONSTANT: 0,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One assertion. `subject` and `expected` are in normal form (local names inlined); `slack` is how much a number may be
    off (0: not at all); `guard` are conditions around it, `swallowed` says that its failure is caught."""

    kind: Kind
    subject: str
    expected: str = ""
    slack: float = 0.0
    guard: tuple[str, ...] = ()
    swallowed: bool = False
    line: int = 0
    source: str = ""

    @property
    def key(self) -> tuple[str, str, str, float]:
        """What makes it the same assertion."""
        return self.kind.value, self.subject, self.expected, self.slack

    @property
    def text(self) -> str:
        """Subject and expectation as one text."""
        return f"{self.subject} {self.expected}"


class Mark(NamedTuple):
    """A skip, an expected failure: `certain` where it holds always."""

    text: str
    line: int
    certain: bool


class Mock(NamedTuple):
    """Something replaced while a test runs; `target` as written, dotted."""

    target: str
    line: int
    text: str


@dataclass(slots=True, kw_only=True)
class Unit:
    """A test, or a function of test code that holds checks, fixtures included. `name` is qualified by its classes or suites;
    `body` is the whole in normal form; `cases` are its parametrized cases, `data` the constants in them."""

    path: str
    name: str
    line: int
    is_test: bool = True
    source: str = ""
    body: str = ""
    checks: list[Check] = field(default_factory=list)
    skips: list[Mark] = field(default_factory=list)
    mocks: list[Mock] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)
    calls: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    #: A fixture that every test has without asking.
    autouse: bool = False

    @property
    def last(self) -> str:
        """The name alone."""
        return self.name.rpartition("::")[2]


@dataclass(slots=True, kw_only=True)
class TestFile:
    """One file of tests. `skips` stand for the whole file; `shadows` are names that it defines in place of an import."""

    __test__ = False

    path: str
    units: list[Unit] = field(default_factory=list)
    skips: list[Mark] = field(default_factory=list)
    imports: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()
    #: Mocks that hold for all tests of the file.
    mocks: list[Mock] = field(default_factory=list)

    @property
    def tests(self) -> list[Unit]:
        """Its tests alone."""
        return [unit for unit in self.units if unit.is_test]


def constants_in(text: str) -> frozenset[str]:
    """The literals of a piece of code, quotes made one kind."""
    return frozenset(f"'{m[1:-1]}'" if m[0] in "'\"" else m for m in _LITERAL.findall(text))


def names_in(text: str) -> frozenset[str]:
    """The names in a piece of code; none of those within quotes."""
    return frozenset(_NAME.findall(_LITERAL.sub("#", text)))


def calls_in(text: str) -> frozenset[str]:
    """The last names of what a piece of code calls."""
    return frozenset(_CALLED.findall(_LITERAL.sub("#", text)))


def bones(text: str, *, names: bool = True) -> str:
    """Code with its literals, and where `names` is set its names, taken out."""
    bare = _LITERAL.sub("#", text)
    return _NAME.sub("@", bare) if names else bare


def quoted(text: str) -> str:
    """A piece of code on one line, of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else f"{line[: QUOTED - 1]}…"


def one_of(words: Sequence[str], text: str) -> bool:
    """Whether a text holds one of some words."""
    return any(word in text for word in words)
