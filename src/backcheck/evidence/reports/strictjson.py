"""JSON as reports need it: exact numbers, no key twice, no NaN, strict text, bounded digits."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from backcheck.evidence.decode import encoding_of
from backcheck.evidence.reports.numerals import MAX_DIGITS, decimal_of
from backcheck.evidence.reports.problem import ReportProblem, quoted


def text_of(data: bytes) -> str:
    """Strictly decoded text (a byte order mark decides, else UTF-8). Errors: ReportProblem."""
    name, skip = encoding_of(data)
    try:
        text = data[skip:].decode(name)
    except UnicodeDecodeError:
        raise ReportProblem(f"is no text in {name}") from None
    if not text.strip():
        raise ReportProblem("is empty")
    if "\0" in text:
        raise ReportProblem("holds NUL characters")
    return text


def parse(data: bytes) -> Any:
    """The value of a JSON text; decimals as Decimal. Errors: ReportProblem."""
    return parse_text(text_of(data))


def parse_text(text: str) -> Any:
    """As `parse`, from text."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_float=_decimal, parse_int=_integer,
                          parse_constant=_constant)  # fmt: skip
    except json.JSONDecodeError as error:
        raise ReportProblem(f"is no JSON: {error.msg} at line {error.lineno}") from None
    except RecursionError:
        raise ReportProblem("is nested too deep") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ReportProblem(f"has the key {quoted(twice)} twice in one object")
    return made


def _decimal(text: str) -> Decimal:
    return decimal_of(text)


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ReportProblem(f"holds a number of {len(text):,} digits")
    return int(text)


def _constant(word: str) -> Any:
    raise ReportProblem(f"holds {word}, which is no JSON")


def mapping(value: Any, what: str) -> dict[str, Any]:
    """The value where it is an object. Errors: ReportProblem."""
    if not isinstance(value, dict):
        raise ReportProblem(f"has no object where {what} belongs")
    return value


def listing(value: Any, what: str) -> list[Any]:
    """The value where it is a list. Errors: ReportProblem."""
    if not isinstance(value, list):
        raise ReportProblem(f"has no list where {what} belongs")
    return value


def words(value: Any, what: str) -> str:
    """The value where it is text. Errors: ReportProblem."""
    if not isinstance(value, str):
        raise ReportProblem(f"has no text where {what} belongs")
    return value


def count(value: Any, what: str) -> int:
    """The value where it is a count. Errors: ReportProblem."""
    from backcheck.evidence.reports.numerals import is_count

    if not is_count(value):
        raise ReportProblem(f"holds {quoted(value)} where {what} belongs")
    number: int = value
    return number
