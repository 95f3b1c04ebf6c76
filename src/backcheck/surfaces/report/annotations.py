"""GitHub workflow commands: an annotation for each answer that did not pass, on its line in the change.

A step shows ten errors and ten warnings; where there are more, the tenth says how many are not shown.
"""

from __future__ import annotations

import secrets

from backcheck.surfaces.report.view import Item, Level, View

#: Of each kind in one step.
LIMIT = 10
#: A message beyond this is cut.
MAX_MESSAGE = 1000


def render(view: View) -> str:
    """Lines for stdout; errors first. Nothing for a PASS without warnings."""
    lines = []
    for level in (Level.ERROR, Level.WARNING):
        items = [item for item in view.items if item.level is level]
        shown = items if len(items) <= LIMIT else items[: LIMIT - 1]
        lines += [_command(item, level) for item in shown]
        if len(items) > len(shown):
            rest = f"{len(items) - len(shown)} more of {len(items)} are not shown here; the job summary has them"
            lines.append(f"::{level.value} title={_property(f'backcheck: {view.verdict}')}::{_data(rest)}")
    return "".join(f"{line}\n" for line in lines)


def fence(text: str) -> str:
    """Text that may hold anybody's words, so that the runner takes none of it for a command."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text}{'' if text.endswith(chr(10)) else chr(10)}::{token}::\n"


def _command(item: Item, level: Level) -> str:
    first = item.places[0] if item.places else None
    properties = {}
    if first is not None:
        properties["file"] = first.path
        if first.line:
            properties["line"] = str(first.line)
    properties["title"] = f"backcheck: {item.name} ({item.status})"
    more = len(item.places) - 1
    message = item.reason + (f" (and {more} more places)" if more > 0 else "")
    message += f" — {item.remedy}" if item.remedy else ""
    if len(message) > MAX_MESSAGE:
        message = f"{message[: MAX_MESSAGE - 1]}…"
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level.value} {said}::{_data(message)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
