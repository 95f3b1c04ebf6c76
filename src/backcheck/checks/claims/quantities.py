"""The numbers of a sentence that a bound could be about: each with all it can mean, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from backcheck.checks.claims.asked import Asked, Bound
from backcheck.checks.claims.attached import attached
from backcheck.checks.claims.cue import Cue
from backcheck.checks.claims.cues import has_in, said_by, words_of
from backcheck.checks.claims.dates import days_in
from backcheck.checks.claims.numerals import FIGURE, HAN, WORD, WORDS, han_number, readings
from backcheck.checks.claims.reading import COMPARISON
from backcheck.checks.claims.units import MEASURES, NAMES, UNITS, Unit

_UNIT = "|".join(re.escape(name) for name in NAMES if name != "百分之")
_SHARE_OF = re.compile(rf"百分之\s*(?P<figure>{FIGURE}|{HAN})")
_MEASURED = re.compile(rf"(?P<figure>{FIGURE})\s*(?P<unit>(?:{_UNIT})(?![a-z]))")
_COUNTED = re.compile(rf"(?P<figure>{FIGURE}|{WORD}|{HAN}(?=\s*(?:{MEASURES})))\s*(?:{MEASURES})?")
#: A sentence with more numbers is a table; none of them is sure.
MAX_NUMBERS = 30
#: Up to here a counted thing may stand behind its number, or before it.
_NEAR_BEHIND, _NEAR_BEFORE = 24, 20
#: A figure that another one stands in front of is one of a series; a sign of change makes it a difference.
_FROM_TO = re.compile(
    r"(?:fell|falls|dropped|drops|declined|decreased|went|rose|rises|increased|grew|improved|changed|moved|slipped|sank|down|up)"
    r"[^.;]{0,40}?\bfrom\s+(?P<old>[^,;.]{1,16}?)\s+to\s+(?=[\d-])"
    r"|(?:从|由)\s*(?P<old_zh>[^,;。]{1,12}?)\s*(?:下|提|上|增|减|回)?[降升落跌长至到加少高]{1,3}[至到为]?\s*(?=[\d百])"
    r"|\bwas\s+(?P<was>[^,;.]{1,12}?)\s*,?\s*(?:is\s+)?now\s+(?=\d)|(?P<arrow>[\d.,]{1,8}\s*%?)\s*(?:->|→|=>)\s*(?=\d)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """All that a number can mean, in base units. `sure` is false where it may be no exact value of what was asked."""

    readings: tuple[Fraction, ...]
    shown: str
    start: int
    end: int
    sure: bool = True
    #: Whether it stands beside a name of the subject.
    attached: bool = False


def quantities_for(plain: str, bound: Bound, asked: Asked) -> list[Quantity]:
    """The numbers of a sentence in the bound's kind of unit, without a named aim and without what was replaced.

    A percentage or a time belongs by its unit; a bare count only where a name of the subject stands near it.
    """
    replaced = [match for match in _FROM_TO.finditer(plain)]
    old = [span for match in replaced for name, span in ((n, match.span(n)) for n in match.groupdict()) if span[0] >= 0]
    now = plain
    for start, end in old:
        now = now[:start] + " " * (end - start) + now[end:]
    found = []
    every = list(_found(plain, bound.unit, asked))
    if len(every) > MAX_NUMBERS:
        return [replace(quantity, sure=False) for quantity in every[:MAX_NUMBERS]]
    for quantity in every:
        if any(start <= quantity.start < end for start, end in old) or _is_aim(plain, quantity, bound):
            continue
        sure = quantity.sure and _exact(plain, quantity, asked, changed=bool(old))
        found.append(replace(quantity, sure=sure, attached=attached(now, quantity.start, quantity.end, asked)))
    return found


def replaces(plain: str) -> bool:
    """Whether a sentence gives a number before and after: what it was is no doubt of what it is."""
    return _FROM_TO.search(plain) is not None


def unread(plain: str, unit: Unit) -> bool:
    """Whether a sentence holds figures beside its unit that have no reading: `90/100`, `85–90 %`."""
    ends = "%|percent" if unit.kind == "share" else "|".join(
        re.escape(name) for name, known in UNITS.items() if known.kind == unit.kind
    )  # fmt: skip
    joined = r"\d\s*(?:/|–|—|~|-|to|至|到|of|out of)\s*\d"
    return re.search(rf"{joined}[\d.,]*\s*(?:{ends or '$^'})" if unit.kind != "count" else joined, plain) is not None


def _found(plain: str, unit: Unit, asked: Asked) -> Iterator[Quantity]:
    if unit.kind == "count":
        yield from _counts(plain, asked)
        return
    for match in (*_MEASURED.finditer(plain), *(_SHARE_OF.finditer(plain) if unit.kind == "share" else ())):
        own = UNITS["%"] if "unit" not in match.groupdict() else UNITS[match["unit"]]
        if own.kind != unit.kind:
            continue
        values = tuple(value * own.scale for value in _values(match["figure"]))
        yield Quantity(readings=values, shown=match[0].strip(), start=match.start(), end=match.end(), sure=bool(values))


def _counts(plain: str, asked: Asked) -> Iterator[Quantity]:
    days = days_in(plain)
    every = [m for m in _COUNTED.finditer(plain) if not any(d.start < m.end() and m.start() < d.end for d in days)]
    for match in every:
        behind = plain[match.end() : match.end() + _NEAR_BEHIND]
        if re.match(rf"\s*(?:{_UNIT})(?![a-z])", behind):
            continue
        counted = re.match(r"\s*([a-z]+|[\u4e00-\u9fff])", behind)
        near = f"{plain[max(0, match.start() - _NEAR_BEFORE) : match.start()]} {behind}"
        if asked.names_some(near):
            values = _values(match["figure"])
            yield Quantity(
                readings=values,
                shown=match[0].strip(),
                start=match.start(),
                end=match.end(),
                # Two counts may have to be added up.
                sure=bool(values) and len(every) == 1 and (counted is None or _is_named(counted[1], asked)),
            )


def _values(figure: str) -> tuple[Fraction, ...]:
    if figure[-1].isascii() and figure[-1].isdigit():
        return readings(figure)
    value = WORDS.get(figure, han_number(figure) if figure not in WORDS else None)
    return () if value is None else (Fraction(value),)


def _is_aim(plain: str, quantity: Quantity, bound: Bound) -> bool:
    """Whether a number is the bound itself, named as such: "below the wanted 85 %"."""
    before, behind = plain[max(0, quantity.start - 28) : quantity.start], plain[quantity.end : quantity.end + 12]
    near = re.split(r"[,;(]", before)[-1] + " " + re.split(r"[,;)]", behind)[0]
    return bound.value in quantity.readings and has_in(near, Cue.AIM)


def _exact(plain: str, quantity: Quantity, asked: Asked, *, changed: bool) -> bool:
    """Whether nothing beside a number makes it a limit, a guess, a difference or a count of what is missing."""
    before = re.split(r"[,;。(]", plain[max(0, quantity.start - 24) : quantity.start])[-1]
    behind = re.split(r"[,;。)(]|\.(?=\s|$)", plain[quantity.end : quantity.end + 32])[0]
    near = f"{before} {behind}"
    return not (
        COMPARISON.search(near)
        or re.search(r"[~≈]\s*$|^\s*\+", before[-3:] + behind[:2])
        # A sign makes it a difference.
        or plain[quantity.start] in "+-"
        or _of_else(behind, asked)
        or (not changed and _of_else(before, asked))
        or has_in(near, Cue.AIM)
        or re.match(r"\s*(?:以上|以下|以内|左右|上下|or (?:more|less|better)|\+)", behind)
    )


def _of_else(near: str, asked: Asked) -> bool:
    """Whether words say that a number counts what is missing or what was added."""
    return any(not said_by(word, asked.plain) for cue in (Cue.INVERSE, Cue.ADDED) for word in words_of(near, cue))


def _is_named(word: str, asked: Asked) -> bool:
    """Whether what a number counts is of the claim: "3 sources", not "1 open comment"."""
    return said_by(word, asked.named) or any(name.match(word) for name in asked.names)
