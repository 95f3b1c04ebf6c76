"""Text → numbers, exactly and strictly: ASCII digits, a point, an exponent within bounds, and nothing around them.

Python's own constructors also take full-width digits, underscores, white space, NaN and exponents that fill the memory.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from backcheck.evidence.reports.problem import ReportProblem, quoted

#: Digits of a count; no project has a million billion lines.
MAX_COUNT_DIGITS = 15
MAX_DIGITS = 400
MAX_EXPONENT = 400
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([-+]?[0-9]{1,6}))?")


def count_of(text: str) -> int:
    """A count that is written as digits only. Errors: ReportProblem."""
    if not (text.isascii() and text.isdigit()) or (
        len(text) > MAX_COUNT_DIGITS and len(text.lstrip("0")) > MAX_COUNT_DIGITS
    ):
        raise ReportProblem(f"holds {quoted(text)} where a count belongs")
    return int(text)


def is_count(value: object) -> bool:
    """Whether a parsed value is a count: a whole number, no boolean, not negative, of a possible size."""
    return type(value) is int and 0 <= value < 10**MAX_COUNT_DIGITS


def decimal_of(text: str) -> Decimal:
    """The number that a text is, as a whole. Errors: ReportProblem where it is none or is beyond the bounds."""
    found = _NUMBER.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if found is None:
        raise ReportProblem(f"holds {quoted(text)}, which is no number")
    if found[1] and abs(int(found[1])) > MAX_EXPONENT:
        raise ReportProblem(f"holds {quoted(text)}, a number beyond all measure")
    return Decimal(text)


def fraction_of(value: object) -> Fraction:
    """The exact value of a number from a contract or a report: int, float (as it is written), Decimal or text.

    Errors: ReportProblem for what is no finite number, booleans included.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise ReportProblem(f"holds {quoted(value)}, which is no number")
    if isinstance(value, int):
        return Fraction(value)
    # A float's shortest text is what its author wrote; its binary value is not.
    return Fraction(decimal_of(repr(value) if isinstance(value, float) else str(value)))


def written(value: Fraction) -> str:
    """A number for people: exact where a short decimal is, else five places and an ellipsis."""
    if value.denominator == 1:
        return str(value.numerator) if abs(value.numerator) < 10**21 else f"{Decimal(value.numerator):.6E}"
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1 and value.denominator <= 10**9:
        exact = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
        if len(exact) <= 20:
            return exact
    places = 10**5
    scaled = abs(value) * places
    whole, part = divmod(scaled.numerator // scaled.denominator, places)
    return f"{'-' if value < 0 else ''}{whole}.{part:05d}…"
