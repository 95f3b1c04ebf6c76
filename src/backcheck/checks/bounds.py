"""Numbers of a contract as exact bounds, and the comparison with them."""

from __future__ import annotations

from fractions import Fraction

from backcheck.checks.binding import ArgumentError
from backcheck.evidence.reports.numerals import fraction_of
from backcheck.evidence.reports.problem import ReportProblem

#: How a contract may write a number: 85, 85.5, or as text.
Number = int | float | str


def bound(field: str, value: Number) -> Fraction:
    """The exact value. Errors: ArgumentError where it is no finite number."""
    try:
        return fraction_of(value)
    except ReportProblem as problem:
        raise ArgumentError(field, f"it {problem}") from None


def percentage(field: str, value: Number | None) -> Fraction | None:
    """A bound in percent, 0 to 100; `85`, `85.5`, `"85 %"`. Errors: ArgumentError.

    What lies between 0 and 1 may be a share that was meant as one: it must be written with its sign.
    """
    if value is None:
        return None
    signed = isinstance(value, str) and value.rstrip().endswith("%")
    exact = bound(field, str(value).rstrip().removesuffix("%").rstrip() if signed else value)
    if not 0 <= exact <= 100:
        raise ArgumentError(field, "it is in percent, from 0 to 100")
    if 0 < exact <= 1 and not signed:
        raise ArgumentError(
            field, f'it is in percent; write "{value} %" if less than a hundredth is meant, else 0 to 100'
        )
    return exact
