"""What readers of reports raise: the file is not the report it should be, said in words that follow its name."""

from __future__ import annotations


class ReportProblem(ValueError):
    """A report cannot be read whole: truncated, another dialect, a value that is none. Never the same as "no findings"."""


def quoted(value: object) -> str:
    """A value as a reason shows it: short, ASCII, on one line."""
    text = value if isinstance(value, str) else str(value)
    return f"`{ascii(text[:60])[1:-1]}{'…' if len(text) > 60 else ''}`"
