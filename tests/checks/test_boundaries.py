"""The twelve boundary values, put to every check that compares a number."""

from __future__ import annotations

import pytest
from tests.checks.boundary_rows import ROWS, VALUES, Row


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.check} {row.form}: {row.value}" for row in ROWS])
def test_a_boundary_value_is_taken_for_what_it_is(row: Row) -> None:
    assert row.answer() in row.allowed


def test_every_value_is_put_in_every_form() -> None:
    forms = {(row.check, row.form) for row in ROWS}
    assert {(row.check, row.form, row.value) for row in ROWS} == {(*form, value) for form in forms for value in VALUES}
    assert {check for check, _ in forms} == {"numbers", "metric", "lint-report", "tests"}
