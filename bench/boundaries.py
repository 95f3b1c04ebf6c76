"""Twelve boundary values in every form that a check compares: printed as a table, with how many are right."""

from __future__ import annotations

import sys

from tests.checks.boundary_rows import ROWS, VALUES


def main() -> int:
    """0 where every answer is right."""
    forms = list(dict.fromkeys((row.check, row.form) for row in ROWS))
    answers = {(row.check, row.form, row.value): (row.answer(), row.allowed) for row in ROWS}
    wide = max(len(f"{check} {form}") for check, form in forms)
    print(" " * wide, *(f"{value:>13}" for value in VALUES))
    right = 0
    for check, form in forms:
        cells = []
        for value in VALUES:
            answer, allowed = answers[check, form, value]
            right += answer in allowed
            cells.append(f"{answer if answer in allowed else answer + '!':>13}")
        print(f"{check} {form}".ljust(wide), *cells)
    print(f"right: {right} of {len(ROWS)} ({len(VALUES)} values in {len(forms)} forms; bar: all)")
    return 0 if right == len(ROWS) else 1


if __name__ == "__main__":
    sys.exit(main())
