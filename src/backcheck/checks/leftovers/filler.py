"""Text that stands where content should: Latin filler, and values that a reader is asked to replace."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.leftovers.roles import Role

_LATIN = re.compile(
    r"\blorem ipsum\b(?!\s*(?:generator|text generator|provider|faker|words|filler|plugin|snippet|placeholder))",
    re.IGNORECASE,
)
_ABOUT_LATIN = re.compile(r"lorem|faker|filler|dummy.?text|placeholder.?text", re.IGNORECASE)
_SPOT = (
    r"<\s*(?:your|insert|replace|put|enter|add|my)[-_ ][\w -]{1,40}>|"
    r"(?:your|insert)[-_][\w-]{0,40}?(?:key|token|secret|password|passwd|id|url|name|domain|email|host|user|"
    r"value|account|project|region|bucket)(?:[-_](?:here|goes[-_]here))?|"
    r"(?:your|insert|replace|put)[-_ ][\w -]{0,40}[-_ ](?:here|me)|replace[-_ ]?me|change[-_ ]?me(?:[-_]\w+)?|"
    r"fill[-_ ]?me[-_ ]?in|"
    r"(?:todo|fixme|tbd|xxx+)"
)
#: A whole quoted value, or the whole of what follows `=` or `:` in a settings file.
_QUOTED = re.compile(rf"(?P<q>[\"'`])(?:{_SPOT})(?P=q)", re.IGNORECASE)
_SETTING = re.compile(rf"^\s*(?:export\s+|-\s+)?[\w.\-]+\s*[=:]\s*(?:{_SPOT})\s*(?:#.*)?$", re.IGNORECASE)
#: Lines that look for such a value, describe one, or name a state or a column of that name.
_ABOUT = re.compile(
    r"[=!]==?\s*[\"'`]|\bin\s*[(\[{]|\bnot in\b|\bcase\b|placeholder|example|sample|startswith|endswith|includes|"
    r"contains|match|regex|"
    r"help\s*=|\bassert|expect\(|raise|throw|usage|default_values|forbidden|invalid|insecure|status|state|column|"
    r"label|title|name\s*[=:]|"
    r"kind|type|tag|keyword|marker|category|route|path|href|class|\bid\s*[=:]|t\(",
    re.IGNORECASE,
)
_MARK_WORD = re.compile(r"^[\"'`]?\s*(?:todo|fixme|tbd|xxx+)\s*[\"'`]?$", re.IGNORECASE)


def filler_in(path: str, text: str, role: Role) -> Iterator[Leftover]:
    """Leftovers of this kind; none in tests, examples and templates, where such values belong."""
    if role in {Role.TEST, Role.EXAMPLE} or _ABOUT_LATIN.search(path):
        return
    values = role in {Role.WORK, Role.DATA}
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > 20_000:
            line = line[:20_000]
        if _LATIN.search(line) and not re.search(r"(?:def|function|class|import|from|faker|fake)\b", line):
            named = re.search(r"\blorem\w*\s*[:=]", line, re.IGNORECASE)
            yield Leftover(number, Weight.OPEN if named else Weight.PLAIN, "`lorem ipsum`")
        elif values and (found := _value(line, role)) is not None:
            yield Leftover(number, found, "a value to be replaced by the reader")


def _value(line: str, role: Role) -> Weight | None:
    match = _QUOTED.search(line)
    setting = _SETTING.match(line) if role is Role.DATA else None
    if (match is None and setting is None) or _ABOUT.search(line):
        return None
    if match is not None and _MARK_WORD.match(match[0]):
        # `"todo"` is a word of every to-do list; given back or stored as a value it may stand for one.
        return Weight.OPEN if re.search(r"\breturn\b|=\s*[\"'`]", line) and match[0].strip("\"'`").isupper() else None
    return Weight.PLAIN
