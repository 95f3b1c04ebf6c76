"""One warning of the linter."""

from __future__ import annotations

from dataclasses import dataclass

from backcheck.errors import Position

#: Every rule; each has its paragraph in docs/how-to/write-a-contract.md.
RULES = frozenset({
    "all-warn", "behaviour-by-text", "catastrophic-pattern", "command-cannot-fail", "command-unprotected", "format-by-pattern",
    "format-by-text", "glob-matches-nothing", "lookahead-no-cure", "matches-denial", "meaning-by-text",
    "no-description", "no-requirement", "no-trusted-keys", "number-by-pattern", "number-by-text", "number-optional",
    "pattern-unread", "polarity", "polarity-trap", "prose-only", "run-by-text", "same-question", "weakest-kind",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LintWarning:
    """What a contract's author should look at. `requirement` is empty where it is about the whole contract.

    `rule` is one of RULES, `route` the check that could settle the question better; empty where none is meant.
    """

    rule: str
    requirement: str
    position: Position
    message: str
    route: str = ""

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"no rule {self.rule}")
