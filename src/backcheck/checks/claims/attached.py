"""Whether a number belongs to the subject: nothing stands between them but words that only join the two."""

from __future__ import annotations

import re

from backcheck.checks.claims import chinese, english
from backcheck.checks.claims.asked import Asked

_JOINING = re.compile(rf"(?:{english.JOINING})(?![a-z])|{chinese.JOINING}|[\s:=|*_~-]+")
_WORD = re.compile(r"[a-z][a-z0-9'-]*|[^\W_]|\S")


def attached(plain: str, start: int, end: int, asked: Asked) -> bool:
    """Whether the nearest name of the subject, before or behind the number at `start`, is joined to it."""
    spans = [match.span() for name in asked.names for match in re.finditer(rf"(?:{name.pattern})[a-z0-9]*", plain)]
    before = [span[1] for span in spans if span[1] <= start]
    behind = [span[0] for span in spans if span[0] >= end]
    gaps = [*([plain[max(before) : start]] if before else []), *([plain[end : min(behind)]] if behind else [])]
    return any(_joins(gap, asked) for gap in gaps)


def _joins(gap: str, asked: Asked) -> bool:
    rest = _JOINING.sub(" ", gap)
    return all(word in asked.named for word in _WORD.findall(rest))
