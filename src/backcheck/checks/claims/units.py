"""Units of measure as prose writes them, by what they measure; a count has none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

_TIME = {
    "ns": "0.000000001", "µs": "0.000001", "μs": "0.000001", "us": "0.000001",
    "ms": "0.001", "msec": "0.001", "millisecond": "0.001", "milliseconds": "0.001", "毫秒": "0.001",
    "s": "1", "sec": "1", "secs": "1", "second": "1", "seconds": "1", "秒钟": "1", "秒": "1",
    "min": "60", "mins": "60", "minute": "60", "minutes": "60", "分钟": "60",
    "h": "3600", "hour": "3600", "hours": "3600", "小时": "3600",
    "day": "86400", "days": "86400", "天": "86400",
}  # fmt: skip
_BYTES = {
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30, "bytes": 1, "byte": 1,
}  # fmt: skip
_SHARE = ("%", "percent", "per cent", "pct", "百分之")
#: Chinese counts stand before one of these.
MEASURES = "个|條|条|项|次|份|篇|名|处|家|种|例|行|组|位|张|台|件|分(?!钟|之)"


@dataclass(frozen=True, slots=True)
class Unit:
    """What is measured (`time`, `bytes`, `share`, `count`) and how many base units one of it is."""

    kind: str
    scale: Fraction = Fraction(1)


COUNT = Unit("count")
UNITS: dict[str, Unit] = {
    **{name: Unit("time", Fraction(scale)) for name, scale in _TIME.items()},
    **{name: Unit("bytes", Fraction(scale)) for name, scale in _BYTES.items()},
    **{name: Unit("share") for name in _SHARE},
}
#: The longest first, as an alternation wants it.
NAMES = tuple(sorted(UNITS, key=len, reverse=True))


def unit_of(name: str) -> Unit:
    """The unit of a name; what is no unit of measure counts things."""
    return UNITS.get(name.strip().lower(), COUNT)
