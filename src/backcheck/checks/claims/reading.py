"""A claim's sentence → the bound and the days that it asks for, where it says them plainly; else none."""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction

from backcheck.checks.claims.asked import Bound, Days
from backcheck.checks.claims.dates import days_in
from backcheck.checks.claims.numerals import FIGURE, HAN, han_number, readings
from backcheck.checks.claims.sentences import normal
from backcheck.checks.claims.units import COUNT, NAMES, UNITS

_FLOOR = (
    r"(?<![a-z])(?:at least|no (?:less|fewer|lower) than|not (?:less|fewer|lower|below|under)(?: than)?|(?:a )?minimum of)"
    r"(?![a-z])|>=|≥|不低于|不少于|不小于|至少|大于等于|大于或等于"
)
_CEILING = (
    r"(?<![a-z])(?:at most|no (?:more|higher|greater|longer) than|not (?:more|higher|greater|longer|above|over|exceed)"
    r"(?: than)?|up to|(?:a )?maximum of)(?![a-z])|<=|≤|不高于|不超过|不大于|至多|最多|小于等于|小于或等于"
)
_ABOVE = r"(?<![a-z])(?:(?:more|greater|higher) than|above|over|exceeds?)(?![a-z])|>(?!=)|高于|超过|大于"
_BELOW = r"(?<![a-z])(?:(?:less|fewer|lower|shorter) than|below|under)(?![a-z])|<(?!=)|低于|少于|小于|短于|不到"
_KINDS = ((_FLOOR, True, False), (_CEILING, False, False), (_ABOVE, True, True), (_BELOW, False, True))
#: A comparison word, wherever it stands: a figure behind one is no exact value.
COMPARISON = re.compile("|".join(words for words, _, _ in _KINDS))
_UNIT = "|".join(re.escape(name) for name in NAMES)
_ASKS = re.compile(
    rf"(?P<words>{COMPARISON.pattern})\s*[\u4e00-\u9fff]{{0,4}}?\s*(?P<share>百分之)?\s*(?P<figure>{FIGURE}|{HAN})\s*"
    rf"(?P<unit>(?:{_UNIT})(?![a-z]))?"
)
_WITHIN = re.compile(
    r"(?:within|in) the (?:last|past) (?P<number>\d{1,4}) (?P<unit>day|week)s?"
    r"|(?:最近|过去|近)\s*(?P<han>\d{1,4})\s*(?P<han_unit>天|日|周)(?:之?内)?|(?P<in>\d{1,4})\s*(?P<in_unit>天|日|周)之?内"
)
_AS_OF = re.compile(r"as of|截至|截止")


def bound_of(claim: str) -> Bound | None:
    """The one bound that a claim sets; None where it sets none, or several."""
    plain = normal(claim)
    found = [match for match in _ASKS.finditer(plain)]
    if len(found) != 1:
        return None
    match = found[0]
    floor, strict = next((floor, strict) for words, floor, strict in _KINDS if re.fullmatch(words, match["words"]))
    values = readings(match["figure"]) if match["figure"][-1].isdigit() else tuple(
        Fraction(n) for n in [han_number(match["figure"])] if n is not None
    )  # fmt: skip
    if len(values) != 1:
        return None
    unit = UNITS["%"] if match["share"] else UNITS.get(match["unit"] or "", COUNT)
    shown = claim_part(floor, strict, match["figure"], "%" if match["share"] else (match["unit"] or ""))
    return Bound(floor=floor, strict=strict, value=values[0] * unit.scale, unit=unit, shown=shown)


def claim_part(floor: bool, strict: bool, figure: str, unit: str) -> str:
    """A bound as a reason names it."""
    words = {(True, False): "at least", (True, True): "above", (False, False): "at most", (False, True): "below"}
    return f"{words[floor, strict]} {figure}{f' {unit}' if unit else ''}"


def days_of(claim: str, as_of: date | None) -> Days | None:
    """The days that a claim speaks of as an age ("within the last 30 days"), counted from `as_of` or its own "as of"."""
    plain = normal(claim)
    match = _WITHIN.search(plain)
    if match is None:
        return None
    number = int(match["number"] or match["han"] or match["in"])
    unit = match["unit"] or match["han_unit"] or match["in_unit"]
    anchor = as_of
    if (at := _AS_OF.search(plain)) is not None:
        own = [day for day in days_in(plain) if day.start >= at.end()]
        if len(own) == 1 and len(own[0].readings) == 1:
            anchor = own[0].readings[0]
    if anchor is None:
        return None
    return Days(first=anchor - timedelta(days=number * (7 if unit in {"week", "周"} else 1)), last=None)
