"""Where reports go: `FORMAT[=FILE]` of the command line, and what GitHub Actions is given without being asked."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backcheck.contract.nodes import nearest
from backcheck.errors import UserError

if TYPE_CHECKING:  # Most runs write no report, and every run starts by loading this.
    from backcheck.surfaces.report.view import View

#: Format → module of this package with `render(view)`.
FORMATS = {"junit": "junit", "sarif": "sarif", "github": "annotations", "markdown": "markdown", "summary": "markdown"}
#: Keeps GitHub Actions' own two away.
NONE = "none"
STDOUT = "-"
#: GitHub drops a step's whole summary beyond this.
MAX_SUMMARY = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One report: its format, and its file (`-` for stdout). `asked` is false for what the surroundings ask for."""

    format: str
    target: str = STDOUT
    asked: bool = True


def parse(wanted: Sequence[str], environment: Mapping[str, str] | None = None) -> list[Output]:
    """What to write, in order. Errors: UserError for an unknown format, or two reports on stdout."""
    asked = [_one(text) for text in wanted]
    taken = [output for output in asked if output.target == STDOUT and output.format != NONE]
    if len(taken) > 1:
        names = ", ".join(output.format for output in taken)
        raise UserError(f"--report: {names} cannot all go to stdout; give each a file, FORMAT=FILE", slug="report")
    targets = [output.target for output in asked if output.target != STDOUT]
    if len(set(targets)) < len(targets):
        raise UserError("--report: two reports cannot go to the same file", slug="report")
    given = {output.format for output in asked}
    added = [] if NONE in given else [o for o in _surroundings(environment) if o.format not in given]
    return [output for output in asked if output.format != NONE] + added


def _one(text: str) -> Output:
    name, equals, target = text.partition("=")
    if name not in FORMATS and name != NONE:
        raise UserError(f"--report {text}: no format `{name}`{nearest(name, [*FORMATS, NONE])}", slug="report")
    if equals and not target.strip():
        raise UserError(f"--report {text}: a file is missing after `=`", slug="report")
    if name == "summary" and not equals:
        raise UserError("--report summary needs a file: summary=FILE", slug="report")
    return Output(format=name, target=target if equals else STDOUT)


def _surroundings(environment: Mapping[str, str] | None) -> list[Output]:
    values = os.environ if environment is None else environment
    if values.get("GITHUB_ACTIONS") != "true":
        return []
    found = [Output(format="github", asked=False)]
    if values.get("GITHUB_STEP_SUMMARY"):
        found.append(Output(format="summary", target=values["GITHUB_STEP_SUMMARY"], asked=False))
    return found


def render(name: str, document: Mapping[str, Any], *, reveal: bool = False) -> str:
    """A report's text. Errors: UserError where the document is no verdict."""
    from backcheck.surfaces.report.view import view_of

    return _text(name, view_of(document, reveal=reveal), MAX_SUMMARY)


def _text(name: str, view: View, room: int) -> str:
    module: Any = importlib.import_module(f"backcheck.surfaces.report.{FORMATS[name]}")
    text: str = module.render(view, room) if name == "summary" else module.render(view)
    return text


def write(outputs: Sequence[Output], document: Mapping[str, Any], *, reveal: bool = False) -> tuple[str, list[str]]:
    """Write all that go to files; the text for stdout, and notices about reports nobody asked for that failed.

    Errors: UserError where a report that was asked for cannot be written.
    """
    if not outputs:
        return "", []
    from backcheck.surfaces.report.view import view_of

    view = view_of(document, reveal=reveal)
    stdout, notices = "", []
    for output in outputs:
        if output.target == STDOUT:
            stdout += _text(output.format, view, MAX_SUMMARY)
            continue
        try:
            if output.format == "summary":
                _append(output.target, view)
            else:
                _replace(output.target, _text(output.format, view, MAX_SUMMARY))
        except (OSError, ValueError) as error:
            reason = f"the report cannot be written: {getattr(error, 'strerror', None) or error}"
            if output.asked:
                raise UserError(reason, where=output.target, slug="report-unwritable") from None
            notices.append(f"{output.format}: {reason}")
    return stdout, notices


def _append(path: str, view: View) -> None:
    """Beside what other tools wrote into the summary, within what GitHub takes of the whole."""
    try:
        there = os.stat(path).st_size
    except FileNotFoundError:
        there = 0
    room = MAX_SUMMARY - there - 2
    if room < 4096:
        raise ValueError(f"the summary holds {there:,} bytes already")
    with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as handle:
        handle.write(f"{_text('summary', view, room)}\n")


def _replace(path: str, text: str) -> None:
    """The file whole or not at all. A link of this name is replaced, never written through."""
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    if os.path.isdir(path):
        raise IsADirectoryError(21, "it is a folder")
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix=".backcheck-", dir=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as handle:
            handle.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
