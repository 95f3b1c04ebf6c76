"""Runs a contract's patterns on sentences as its checks would run them, with a short clock."""

from __future__ import annotations

import functools

from backcheck.contract.patternuse import PatternUse
from backcheck.evidence.patterns import Pattern, compile_pattern

#: Seconds that one sentence may take; checks give a whole file two seconds.
CLOCK = 0.1


class Runner:
    """The patterns must have been bound by their checks before, so that each of them compiles."""

    def finds(self, use: PatternUse, text: str) -> bool | None:
        """As PatternRunner.finds."""
        pattern = _compiled(use.source, use.flags, use.dialect)
        if pattern.exact is None:
            return pattern.search(text.encode("utf-8", "replace")) is not None
        try:
            return pattern.exact.search(text, timeout=CLOCK) is not None
        except TimeoutError:
            return None

    def is_linear(self, use: PatternUse) -> bool:
        """As PatternRunner.is_linear."""
        return _compiled(use.source, use.flags, use.dialect).exact is None


@functools.lru_cache(maxsize=512)
def _compiled(source: str, flags: str, dialect: str) -> Pattern:
    return compile_pattern(source, flags, dialect=dialect)
