"""Days as prose writes them; every reading of an ambiguous one, and days that lack their year."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_NAMES = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    "|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_MONTH = rf"(?P<name>{_NAMES})\.?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?<!\d){_YEAR}[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?!\d)",
        rf"(?<!\d){_YEAR}\s*年\s*(?P<month>[01]?\d)\s*月\s*(?P<day>[0-3]?\d)\s*[日号]",
        rf"\b{_MONTH}\s+{_DAY},?\s+{_YEAR}\b",
        rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b",
        rf"(?<!\d)(?P<day>[0-3]?\d)[./](?P<month>[01]?\d)[./]{_YEAR}(?!\d)",
        # A month alone stands for its last day, the latest that it can mean.
        rf"(?<!\d){_YEAR}\s*年\s*(?P<month>[01]?\d)\s*月",
        rf"\b{_MONTH}\s+{_YEAR}\b",
        rf"(?<![\d-])(?<!no\. )(?<!#){_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\d-])",
    )
)
_NO_YEAR = re.compile(
    rf"\b(?:{_NAMES})\.?\s+[0-3]?\d(?:st|nd|rd|th)?\b|\b[0-3]?\d(?:st|nd|rd|th)?\s+(?:{_NAMES})\b"
    rf"|\b(?:in|since|by|of|early|mid|late|end of|last) (?:{_NAMES})\b(?!\.?\s+\d)"
    r"|[01]?\d\s*月\s*[0-3]?\d\s*[日号]|[01]?\d月份?|(?<![\d.-])[01]?\d/[0-3]?\d(?![\d/])"
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day in a text: all that it can mean, and where it stands."""

    readings: tuple[date, ...]
    start: int
    end: int


def days_in(plain: str) -> list[Day]:
    """The days of a text that have a year, in order."""
    found: list[Day] = []
    for form in _FORMS:
        for match in form.finditer(plain):
            clash = any(match.start() < day.end and day.start < match.end() for day in found)
            if not clash and (meant := _readings(match)):
                found.append(Day(meant, match.start(), match.end()))
    return sorted(found, key=lambda day: day.start)


def without_year(plain: str) -> bool:
    """Whether a text names a day, or a month, without its year."""
    rest = list(plain)
    for day in days_in(plain):
        rest[day.start : day.end] = " " * (day.end - day.start)
    return _NO_YEAR.search("".join(rest)) is not None


def _readings(match: re.Match[str]) -> tuple[date, ...]:
    parts = match.groupdict()
    year = int(parts["year"])
    month = int(parts["month"]) if parts.get("month") else _MONTHS[str(parts["name"])[:3]]
    if not parts.get("day"):
        return tuple(filter(None, [_made(year, month, calendar.monthrange(year, month)[1] if 1 <= month <= 12 else 0)]))
    day = int(parts["day"])
    # 03/04/2026 is March in one country and April in another; the year last is the sign of it.
    swapped = [_made(year, day, month)] if match.start("day") < match.start("year") and parts.get("month") else []
    return tuple(dict.fromkeys(value for value in (_made(year, month, day), *swapped) if value))


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
