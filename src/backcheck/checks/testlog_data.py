"""Reports that are data: how many tests a JUnit XML file or a JSON report says there were."""

from __future__ import annotations

import json
import re
from typing import Any

_ATTRIBUTE = re.compile(r"\stests\s*=\s*[\"'](\d{1,9})[\"']")
_MOST_TAG = 4096


def tests_in_junit(text: str) -> int | None:
    """The tests that the suites of a JUnit XML report count; None where it is none."""
    counts: list[int] = []
    at = -1
    while (at := text.find("<testsuite", at + 1)) >= 0:
        end = text.find(">", at, at + _MOST_TAG)
        found = _ATTRIBUTE.search(text, at, end) if end >= 0 else None
        if found:
            counts.append(int(found[1]))
    return max(counts) if counts else None


def load_json(text: str) -> Any | None:
    """A JSON text's value; None where it is no JSON or is nested too deeply."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def tests_in_json(report: Any) -> int | None:
    """The tests that a report of Jest, Vitest, Mocha, Playwright or pytest-json-report counts; None for other data."""
    if not isinstance(report, dict):
        return None
    for path in (("numTotalTests",), ("stats", "tests"), ("summary", "collected"), ("summary", "total")):
        value: Any = report
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    stats = report.get("stats")
    if isinstance(stats, dict) and {"expected", "unexpected", "flaky"} <= set(stats):
        ran = [stats[key] for key in ("expected", "unexpected", "flaky")]
        return sum(ran) if all(isinstance(number, int) for number in ran) else None
    return None
