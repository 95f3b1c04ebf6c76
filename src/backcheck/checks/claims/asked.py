"""What is asked of a text: its subject, the bound of a number, the days between which something must lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from backcheck.checks.claims.sentences import normal
from backcheck.checks.claims.units import COUNT, Unit

_STOP = frozenset(re.findall(
    r"\w+",
    "a an the of to in on at by for with and or not is are be been was were has have had it its this that these those as "
    "from than when while only never always must should shall will can may all any each every before after least most more "
    "less within last no non",
))  # fmt: skip
_HAN_STOP = re.compile("[的了在是和与或并且于对为被把将之前后时应必须不得所其至少低于超过]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A floor or a ceiling in base units of `unit`; `strict` leaves the bound itself out. `shown` is how people wrote it."""

    floor: bool
    strict: bool
    value: Fraction
    unit: Unit = COUNT
    shown: str = ""

    def holds(self, value: Fraction) -> bool:
        """Whether a value in base units keeps the bound."""
        if value == self.value:
            return not self.strict
        return (value > self.value) == self.floor


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """From which day to which; None leaves a side open."""

    first: date | None = None
    last: date | None = None

    def holds(self, day: date) -> bool:
        """Whether a day lies between them."""
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A claim in its parts. `groups` are the subject's names: one of each group must stand in a sentence that speaks of it."""

    claim: str
    #: The claim in its plain form, and with the subject's names behind it.
    plain: str
    named: str
    groups: tuple[tuple[re.Pattern[str], ...], ...] = ()
    terms: tuple[re.Pattern[str], ...] = ()
    bound: Bound | None = None
    days: Days | None = None

    def names_all(self, plain: str) -> bool:
        """Whether a text names the whole subject; without one, at least three fifths of the claim's own words."""
        if self.groups:
            return all(any(name.search(plain) for name in group) for group in self.groups)
        found = sum(term.search(plain) is not None for term in self.terms)
        return bool(self.terms) and 5 * found >= 3 * len(self.terms)

    def names_some(self, plain: str) -> bool:
        """Whether a text names a part of the subject, or two of the claim's words."""
        if self.groups:
            return any(name.search(plain) for group in self.groups for name in group)
        return sum(term.search(plain) is not None for term in self.terms) >= min(2, len(self.terms))

    @property
    def names(self) -> tuple[re.Pattern[str], ...]:
        """All names of the subject, or the claim's own words where it has none."""
        return tuple(name for group in self.groups for name in group) or self.terms

    def without_names(self, plain: str) -> str:
        """A text without the subject's names, stems with the rest of their word, and without the claim's own words."""
        for name in (*(name for group in self.groups for name in group), *self.terms):
            plain = re.sub(rf"(?:{name.pattern})[a-z]*", " ", plain)
        return plain


def name_pattern(name: str) -> re.Pattern[str]:
    """A name of the subject: Latin letters from the start of a word (so that a stem will do), all else anywhere."""
    words = re.escape(normal(name.strip())).replace(r"\ ", r"\s+")
    return re.compile(rf"(?<![a-z0-9]){words}" if re.match(r"[a-z0-9]", words) else words)


def terms_of(claim: str) -> tuple[re.Pattern[str], ...]:
    """A claim's own words: stems of its longer English ones and pairs of Chinese characters."""
    plain = normal(claim)
    english = [word for word in re.findall(r"[a-z][a-z0-9]+", plain) if word not in _STOP and len(word) > 2]
    stems = dict.fromkeys(word[: max(4, len(word) - 3)] for word in english)
    pairs = dict.fromkeys(
        run[at : at + 2]
        for part in re.findall("[㐀-䶿一-鿿]+", plain)
        for run in _HAN_STOP.split(part)
        for at in range(len(run) - 1)
    )
    return tuple(name_pattern(word) for word in (*stems, *pairs))
