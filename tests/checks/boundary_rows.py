"""Twelve values that pattern-matched thresholds get wrong, put to every check that compares a number, in every form.

A row is right where the answer is one of those allowed. `refused` means that the contract is refused when it is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backcheck.errors import UserError
from backcheck.testing import ask, tree_of

REFUSED = "refused"
VALUES = ("85", "85.0", "84.99", "8.5", "850", "was 90 now 40", "target 85", "85 %", "0.85", "８５", "84,99", "NaN")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One value put to one check in one form."""

    check: str
    form: str
    value: str
    arguments: Mapping[str, Any]
    tree: Mapping[str, str]
    allowed: tuple[str, ...]

    def answer(self) -> str:
        """The status, or `refused`."""
        try:
            with tree_of(self.tree) as root:
                return ask(self.check, self.arguments, root).status.value
        except UserError:
            return REFUSED


FAIL, UNCLEAR, PASS = ("fail",), ("unclear",), ("pass",)
_BETWEEN = {"within": [85, 100], "unit": "%"}


def _numbers() -> list[Row]:
    """The value in a report: as a bare number where it is one in that format, else as text."""
    plain = {"85": PASS, "85.0": PASS, "84.99": FAIL, "8.5": FAIL, "850": FAIL, "0.85": FAIL}
    words = {"was 90 now 40": FAIL, "target 85": FAIL, "85 %": PASS, "８５": UNCLEAR, "84,99": UNCLEAR}
    text = {**plain, **words, "NaN": FAIL}
    rows = []
    for value in VALUES:
        bare = value if value in plain or value == "NaN" else json.dumps(value, ensure_ascii=False)
        # NaN is no JSON at all; in YAML it is `.nan`, a number that is none.
        forms = [
            ("JSON", "r.json", "c", f'{{"c": {bare}}}', UNCLEAR if value == "NaN" else text[value]),
            ("YAML", "r.yaml", "c", f"c: {'.nan' if value == 'NaN' else bare}", text[value]),
            ("CSV", "r.csv", "c", f'n,c\nx,"{value}"\n', text[value]),
            ("XML", "r.xml", "r/@c", f'<r c="{value}"/>', text[value]),
        ]
        rows += [
            Row(check="numbers", form=f"in {form}", value=value, arguments={"report": name, "at": at, **_BETWEEN},
                tree={name: content}, allowed=allowed)
            for form, name, at, content, allowed in forms
        ]  # fmt: skip
    return rows


def _prose() -> list[Row]:
    """A sentence: what plainly misses fails, everything else is for a person."""
    plainly = {"84.99": "84.99 %", "8.5": "8.5 %", "850": "850 %"}
    rows = []
    for value in VALUES:
        said = f"The coverage is {plainly.get(value, value)}.\n"
        rows.append(Row(check="numbers", form="in prose", value=value, arguments={"report": "r.md", "at": "coverage", **_BETWEEN},
                        tree={"r.md": said}, allowed=FAIL if value in plainly else UNCLEAR))  # fmt: skip
    return rows


def _lcov(covered: int, total: int) -> dict[str, str]:
    rows = "".join(f"DA:{n},{int(n <= covered)}\n" for n in range(1, total + 1))
    return {"r": f"SF:a.py\n{rows}LF:{total}\nLH:{covered}\nend_of_record\n", "a.py": "x\n" * total}


def _floors() -> list[Row]:
    """The value as a contract's floor, as a number where YAML reads one; 84.99 of 100 lines are not enough for 85."""
    numbers: dict[str, Any] = {
        "85": 85,
        "85.0": 85.0,
        "84.99": 84.99,
        "8.5": 8.5,
        "850": 850,
        "0.85": 0.85,
        "NaN": float("nan"),
    }
    allowed = {"85": FAIL, "85.0": FAIL, "84.99": PASS, "8.5": PASS, "85 %": FAIL}
    tree = _lcov(8499, 10000)
    return [
        Row(check="metric", form="as the floor", value=value, arguments={"report": "r", "floor": numbers.get(value, value)}, tree=tree,
            allowed=allowed.get(value, (REFUSED,)))
        for value in VALUES
    ]  # fmt: skip


def _percentages() -> list[Row]:
    """The value as the percentage that a summary declares, beside counts: right only where the counts say the same."""
    counts = {"85": (85, 100), "85.0": (850, 1000), "84.99": (8499, 10000), "8.5": (85, 1000), "850": (850, 100)}
    allowed = {"85": PASS, "85.0": PASS, "84.99": FAIL, "8.5": FAIL}
    rows = []
    for value in VALUES:
        covered, total = counts.get(value, (85, 100))
        shown = value if value in counts or value in ("0.85", "NaN") else json.dumps(value)
        entry = f'{{"total": {total}, "covered": {covered}, "skipped": 0, "pct": {shown}}}'
        shares = ", ".join(f'"{name}": {entry}' for name in ("lines", "statements", "functions", "branches"))
        report = f'{{"total": {{{shares}}}, "a.js": {{{shares}}}}}'
        rows.append(Row(check="metric", form="as a summary's percentage", value=value, arguments={"report": "r", "floor": 85},
                        tree={"r": report, "a.js": "x\n"}, allowed=allowed.get(value, UNCLEAR)))  # fmt: skip
    return rows


def _lint() -> list[Row]:
    """The value as a limit, and as the count that mypy's last line declares over 85 errors."""
    errors = "".join(f"a.py:{n}: error: no  [misc]\n" for n in range(1, 86))
    report = f"{errors}Found 85 errors in 1 file (checked 1 source file)\n"
    limits: dict[str, Any] = {
        "85": 85,
        "85.0": 85.0,
        "84.99": 84.99,
        "8.5": 8.5,
        "850": 850,
        "0.85": 0.85,
        "NaN": float("nan"),
    }
    allowed = {"85": PASS, "850": PASS, "85.0": (*PASS, REFUSED)}
    rows = [
        Row(check="lint-report", form="as the limit", value=value, arguments={"report": "r", "max": {"error": limits.get(value, value)}},
            tree={"r": report, "a.py": "x\n"}, allowed=allowed.get(value, (REFUSED,)))
        for value in VALUES
    ]  # fmt: skip
    for value in VALUES:
        declared = f"{errors}Found {value} errors in 1 file (checked 1 source file)\n"
        rows.append(Row(check="lint-report", form="as the declared count", value=value, arguments={"report": "r", "max": {"error": 85}},
                        tree={"r": declared, "a.py": "x\n"}, allowed=PASS if value == "85" else UNCLEAR))  # fmt: skip
    return rows


def _tests() -> list[Row]:
    """The value as the count of passed tests that a runner printed, and that a JUnit file declares over 85 cases."""
    cases = "".join(f'<testcase classname="t" name="n{n}"/>' for n in range(85))
    rows = []
    for value in VALUES:
        printed = f"{'=' * 20} {value} passed in 1.00s {'=' * 20}\n"
        rows.append(Row(check="tests", form="as printed", value=value, arguments={"report": "r", "min_passed": 85}, tree={"r": printed},
                        allowed=PASS if value in ("85", "850") else (*FAIL, *UNCLEAR)))  # fmt: skip
        suite = f'<testsuite name="s" tests="{value}" failures="0" errors="0" skipped="0">{cases}</testsuite>'
        rows.append(Row(check="tests", form="as a declared total", value=value, arguments={"report": "r.xml", "min_passed": 85},
                        tree={"r.xml": suite}, allowed=PASS if value == "85" else (*FAIL, *UNCLEAR)))  # fmt: skip
    return rows


ROWS = [*_numbers(), *_prose(), *_floors(), *_percentages(), *_lint(), *_tests()]
