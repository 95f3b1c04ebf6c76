"""Plain data → YAML 1.2 text that the contract reader gives back unchanged: no tags, no anchors, no surprises."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: Text that no YAML reader takes for something else; everything else is quoted.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./()-]+)*")
_SPECIAL = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_SHORT = 88


def text(value: str) -> str:
    """One piece of text: plain where that is safe, in single quotes where it can be read so, else escaped."""
    if _PLAIN.fullmatch(value) and value.lower() not in _SPECIAL:
        return value
    if value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character == "\t":
        return "\\t"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def scalar(value: Any) -> str:
    """A value without parts. Errors: TypeError for what YAML's core has no name for."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return text(value)
    raise TypeError(f"no YAML for {type(value).__name__}")


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    written = repr(value)
    # `1e+16` without a point is text to some readers.
    mantissa, e, exponent = written.partition("e")
    return written if "." in mantissa or not e else f"{mantissa}.0e{exponent}"


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text(str(name))}: {flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def field(name: str, value: Any, indent: int) -> list[str]:
    """`name: value` as lines, on one line where it is short."""
    margin = " " * indent
    short = f"{margin}{text(name)}: {flow(value)}"
    if not isinstance(value, Mapping | list | tuple) or not value or (len(short) <= _SHORT and _flat(value)):
        return [short]
    lines = [f"{margin}{text(name)}:"]
    if isinstance(value, Mapping):
        for key, item in value.items():
            lines += field(str(key), item, indent + 2)
        return lines
    return lines + [f"{margin}  - {flow(item)}" for item in value]


def _flat(value: Mapping[str, Any] | Sequence[Any]) -> bool:
    items = value.values() if isinstance(value, Mapping) else value
    return not any(isinstance(item, Mapping | list | tuple) for item in items) or len(value) == 1


def comment(line: str, indent: int = 0) -> list[str]:
    """A comment, wrapped; characters that would end it are shown escaped."""
    import textwrap

    safe = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in line)
    margin = " " * indent + "# "
    return textwrap.wrap(safe, width=100, initial_indent=margin, subsequent_indent=margin + "  ",
                         break_long_words=False, break_on_hyphens=False) or [margin.rstrip()]  # fmt: skip
