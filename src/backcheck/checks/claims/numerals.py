"""Numbers as prose writes them, exactly: every reading of an ambiguous one; Chinese numerals and English number words."""

from __future__ import annotations

import re
from fractions import Fraction

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "o": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_SMALL = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
)
WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip

#: A number that no word, version, date, time or longer number goes on from.
FIGURE = r"(?<![a-z0-9_.])(?<![0-9][,:/.–—-])[-+]?\d{1,40}(?:[.,]\d{1,40})*(?![0-9_]|[.,:/–—-]\d|[.,]?\d)"
HAN = r"[零〇一二三四五六七八九十百千两]{1,8}"
WORD = rf"\b(?:{'|'.join(WORDS)})\b"


def readings(figure: str) -> tuple[Fraction, ...]:
    """Every number that a figure can mean: `1,200` is 1200, and by a decimal comma 1.2. Empty for none."""
    sign = -1 if figure.startswith("-") else 1
    bare = figure.lstrip("+-")
    if re.fullmatch(r"\d+", bare):
        return (sign * Fraction(bare),)
    if re.fullmatch(r"\d+\.\d+", bare):
        grouped = re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", bare) is not None
        return (sign * Fraction(bare), *([sign * Fraction(bare.replace(".", ""))] if grouped else []))
    if re.fullmatch(r"\d+,\d+", bare):
        grouped = re.fullmatch(r"[1-9]\d{0,2},\d{3}", bare) is not None
        return (sign * Fraction(bare.replace(",", ".")), *([sign * Fraction(bare.replace(",", ""))] if grouped else []))
    for group, point in ((",", "."), (".", ",")):
        if re.fullmatch(rf"[1-9]\d{{0,2}}(?:\{group}\d{{3}})+(?:\{point}\d+)?", bare):
            return (sign * Fraction(bare.replace(group, "").replace(point, ".")),)
    return ()


def han_number(text: str) -> int | None:
    """The value of a Chinese numeral below ten thousand, None for what is none (`百千`, `三五`)."""
    if len(text) == 1:
        return _POWERS.get(text, _DIGITS.get(text))
    total, digit, last = 0, None, 10_000
    for character in text:
        if character in _POWERS:
            power = _POWERS[character]
            if power >= last:
                return None
            total, last = total + (1 if digit is None else digit) * power, power
            digit = None
        elif character in "零〇o":
            if digit is not None:
                return None
        else:
            if digit is not None:
                return None
            digit = _DIGITS[character]
    return total + (digit or 0)
