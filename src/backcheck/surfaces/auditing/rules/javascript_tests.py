"""JavaScript and TypeScript tests that do not run, or cannot fail. Read by tree-sitter; nothing is executed."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from backcheck.checks.code.languages import ECMASCRIPT, suffix_of
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.settings import package

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = ("it", "test", "describe", "suite", "context", "specify", "tape")
_ONLY = {*(f"{name}.only" for name in _NAMES), "fit", "fdescribe", "ftest"}
_SKIP = {*(f"{name}.skip" for name in _NAMES), "xit", "xdescribe", "xtest"}
_RUNS = {"it", "test", "specify"}
_FUNCTIONS = {"arrow_function", "function_expression", "function", "generator_function"}
RUNNERS = {"tape", "ava", "mocha", "jest", "vitest", "tap", "jasmine", "uvu", "qunit", "playwright"}
#: A file beyond this many bytes is not parsed here.
_MAX_FILE = 512 * 1024


class _Call(NamedTuple):
    """One call of a test function: its name, line, and its node."""

    name: str
    line: int
    node: Node
    data: bytes


def only_one_runs(project: Project) -> Iterator[Corner]:
    """`it.only`, `describe.only`, `fit`: the other tests of the file, or of the run, are left out in silence."""
    for path, call in _calls(project):
        if call.name in _ONLY:
            yield Corner(
                rule="only-one-runs", certainty=Certainty.PLAIN, path=path, line=call.line, closes="tests",
                says=f"`{call.name}` keeps every other test of this file from running",
            )  # fmt: skip


def skipped_in_javascript(project: Project) -> Iterator[Corner]:
    """`it.skip`, `xit`, `{skip: true}`: a test is always skipped, with no reason on its line or right above."""
    for path, call in _calls(project):
        skipped = call.name in _SKIP or (call.name in {*_RUNS, "describe", "suite"} and _option(call))
        if skipped and not _commented(call):
            yield Corner(
                rule="skipped-in-javascript", certainty=Certainty.PLAIN, path=path, line=call.line, closes="tests",
                says=f"`{call.name}` skips {_title(call)}, and no reason is given",
            )  # fmt: skip


def empty_in_javascript(project: Project) -> Iterator[Corner]:
    """A test's function is empty: it cannot fail."""
    for path, call in _calls(project):
        if call.name in _RUNS and _empty(call):
            yield Corner(
                rule="empty-in-javascript", certainty=Certainty.PLAIN, path=path, line=call.line, closes="tests",
                says=f"{_title(call)} cannot fail: there is nothing in it",
            )  # fmt: skip


def _calls(project: Project) -> Iterator[tuple[str, _Call]]:
    if package(project).get("name") in RUNNERS:
        note = "which tests are skipped or run alone: this project is a test runner, and its tests are about that"
        project.problems += [] if note in project.problems else [note]
        return
    for path, text in project.tests(ECMASCRIPT):
        if len(text) <= _MAX_FILE and any(name in text for name in ("it", "test", "describe", "suite")):
            for call in _read(project, path):
                yield path, call


@functools.cache
def _read(project: Project, path: str) -> list[_Call]:
    """The calls of a file; three rules ask for the same."""
    return list(_parse(path, project.text(path) or ""))


def _parse(path: str, text: str) -> Iterator[_Call]:
    import tree_sitter
    import tree_sitter_javascript
    import tree_sitter_typescript

    suffix = suffix_of(path)
    typescript = tree_sitter_typescript
    grammar = (typescript.language_typescript() if suffix in {".ts", ".mts", ".cts"} else typescript.language_tsx()
               if suffix == ".tsx" else tree_sitter_javascript.language())  # fmt: skip
    data = text.encode("utf-8", "replace")
    cursor = tree_sitter.Parser(tree_sitter.Language(grammar)).parse(data).walk()
    while (node := cursor.node) is not None:
        if node.type == "call_expression":
            target = node.child_by_field_name("function")
            if target is not None and target.type in {"identifier", "member_expression"}:
                name = data[target.start_byte : target.end_byte].decode("utf-8", "replace")
                if name in _ONLY or name in _SKIP or name in _NAMES:
                    yield _Call(name, node.start_point.row + 1, node, data)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _arguments(call: _Call) -> list[Node]:
    below = call.node.child_by_field_name("arguments")
    return [child for child in below.named_children if child.type != "comment"] if below is not None else []


def _title(call: _Call) -> str:
    given = _arguments(call)
    if given and given[0].type in {"string", "template_string"}:
        title = call.data[given[0].start_byte : given[0].end_byte].decode("utf-8", "replace")[1:-1][:80]
        return f"`{title}`" if title.strip() else "a test without a name"
    return "a test"


def _option(call: _Call) -> bool:
    """Whether an object among the arguments holds `skip: true`."""
    for given in _arguments(call):
        if given.type != "object":
            continue
        for pair in given.named_children:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            true = key is not None and value is not None and value.type == "true"
            if key is not None and true and call.data[key.start_byte : key.end_byte].strip(b"'\"") == b"skip":
                return True
    return False


def _commented(call: _Call) -> bool:
    lines = call.data.decode("utf-8", "replace").split("\n")
    around = lines[max(0, call.line - 2) : call.line]
    return any(mark in line for line in around for mark in ("//", "/*", "*/"))


def _empty(call: _Call) -> bool:
    functions = [given for given in _arguments(call) if given.type in _FUNCTIONS]
    if len(functions) != 1:
        return False
    body = functions[0].child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return False
    return not body.named_children
