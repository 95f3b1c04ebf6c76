"""Which lines of a text are new against another: for files in which something was found; others need no comparison."""

from __future__ import annotations

#: Comparing takes (lines x lines / 64) steps; beyond this many pairs, lines are compared as a set.
MOST_PAIRS = 4_000_000_000


def new_lines(before: str | None, after: str) -> set[int]:
    """Numbers (from 1) of the lines of `after` that a shortest edit of `before` puts in; all where there was nothing."""
    lines = after.split("\n")
    if not before:
        return set(range(1, len(lines) + 1))
    old = before.split("\n")
    first = _common(old, lines)
    last = _common(old[first:][::-1], lines[first:][::-1])
    middle_old, middle = old[first : len(old) - last], lines[first : len(lines) - last]
    if not middle_old or not middle:
        return set(range(first + 1, first + len(middle) + 1))
    if len(middle_old) * len(middle) > MOST_PAIRS:
        known = set(middle_old)
        return {first + number for number, line in enumerate(middle, start=1) if line not in known}
    from rapidfuzz.distance import Indel

    numbers: dict[str, int] = {}
    left = [numbers.setdefault(line, len(numbers)) for line in middle_old]
    right = [numbers.setdefault(line, len(numbers)) for line in middle]
    return {first + item.dest_pos + 1 for item in Indel.editops(left, right) if item.tag == "insert"}


def _common(left: list[str], right: list[str]) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
