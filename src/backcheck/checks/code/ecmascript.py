"""JavaScript and TypeScript: read by tree-sitter, in linear time; nothing is executed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from backcheck.checks.code.apart import apart
from backcheck.checks.code.ecmascript_stubs import CLASSES, FUNCTIONS, NAMED_BY, Judge, Owner, inert, source_of
from backcheck.checks.code.model import Code, Comment, Unparsed, check_size, licence_lines

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

#: Seconds of a processor for one parse; 5 MB of ordinary code take about two.
PARSE_SECONDS = 15.0
#: Code beyond this (bytes) is read in a process of its own; less takes at most 100 MB and two seconds, however hostile.
APART = 64 * 1024
#: The parser needs up to 300 bytes for each sign; 5 MB of ordinary code hold 0.9 million, minified twice that.
MAX_SIGNS = 2_500_000
_CHUNK = 1 << 16
_DECLARATIONS = frozenset({"function_signature", "abstract_method_signature", "method_signature"})
_TYPES = frozenset({"interface_declaration", "type_alias_declaration", "ambient_declaration"})
_COMMENTS = frozenset({"comment", "html_comment"})
_STATEMENTS = frozenset({
    "expression_statement", "lexical_declaration", "variable_declaration", "if_statement", "for_statement",
    "for_in_statement", "while_statement", "do_statement", "switch_statement", "try_statement", "throw_statement",
    "return_statement", "with_statement", "field_definition", "public_field_definition", "enum_declaration",
})  # fmt: skip


def read(text: str, suffix: str) -> Code:
    """Parse a file by the grammar of its suffix (`.js`, `.mts`, ...). Errors: Unparsed."""
    check_size(text, MAX_SIGNS)
    data = text.encode("utf-8", "replace")
    if len(data) <= APART:
        return _Walk(data).code(parse(data, suffix))
    return apart(lambda: _Walk(data).code(parse(data, suffix)), Code)


def _languages(suffix: str) -> Iterator[Language]:
    """The grammar of a suffix, then one that reads more (types in a `.js` file)."""
    import tree_sitter
    import tree_sitter_javascript
    import tree_sitter_typescript

    typed_jsx = tree_sitter_typescript.language_tsx
    if suffix in {".ts", ".mts", ".cts"}:
        yield tree_sitter.Language(tree_sitter_typescript.language_typescript())
    elif suffix != ".tsx":
        yield tree_sitter.Language(tree_sitter_javascript.language())
    yield tree_sitter.Language(typed_jsx())


def parse(data: bytes, suffix: str) -> Tree:
    """The tree of a file by the grammar of its suffix. Errors: Unparsed."""
    import tree_sitter

    # Of this process alone, so that a machine that is busy gives no other answer.
    deadline = time.process_time() + PARSE_SECONDS
    line = 0
    for language in _languages(suffix):
        parser = tree_sitter.Parser(language)
        try:
            tree = parser.parse(
                lambda at, _point: data[at : at + _CHUNK],
                progress_callback=lambda _at, _error: time.process_time() > deadline,
            )
        except ValueError:  # ended by the callback
            raise Unparsed(f"could not be parsed in {PARSE_SECONDS:g} s of a processor") from None
        if not tree.root_node.has_error:
            return tree
        line = line or _first_error(tree)
    raise Unparsed(f"does not parse as {'TypeScript' if 't' in suffix else 'JavaScript'} (line {line})")


def _first_error(tree: Tree) -> int:
    cursor = tree.walk()
    while (node := cursor.node) is not None:
        if node.is_error or node.is_missing:
            return node.start_point.row + 1
        if node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return 1
    return 1


@dataclass(slots=True)
class Frame:
    """One node on the way from the root, and what is known of the place."""

    node: Any
    kind: str
    owner: Owner | None = None
    in_function: bool = False
    #: Inside the arguments of a call, so that a function here is a callback.
    as_argument: bool = False


@dataclass(slots=True)
class _Walk:
    """One walk over the tree; never asks a node for its parent, which would take time for each sibling before it."""

    data: bytes
    comments: list[Comment] = field(default_factory=list)
    comment_lines: set[int] = field(default_factory=set)
    lines: list[bytes] = field(default_factory=list)
    work: int = 0
    outside: int = 0
    imports: int = 0

    def code(self, tree: Tree) -> Code:
        """Visit every node."""
        self.lines = self.data.split(b"\n")
        judge = Judge(self.data)
        cursor = tree.walk()
        stack = [Frame(cursor.node, "program")]
        while (node := cursor.node) is not None:
            frame = self._visit(node, node.type, stack, judge)
            if frame is not None and cursor.goto_first_child():
                stack.append(frame)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return self._finish(judge)
                stack.pop()
        return self._finish(judge)

    def _finish(self, judge: Judge) -> Code:
        comments = tuple(self.comments)
        functions = judge.finish(comments)
        header = licence_lines(comments)
        return Code(
            functions=functions, declared=judge.declared, deferred=judge.deferred, comments=comments, docs=(),
            lines=sum(1 for line in self.lines if line.strip()) - header,
            comment_lines=len(self.comment_lines) - header,
            work=self.work, outside=self.outside, imports=self.imports,
        )  # fmt: skip

    def _visit(self, node: Node, kind: str, stack: list[Frame], judge: Judge) -> Frame | None:
        """Note a node; the frame for its children, None where nothing of interest is below."""
        above = stack[-1]
        if kind in _COMMENTS:
            self._comment(node)
            return None
        if kind in _DECLARATIONS or kind in _TYPES:
            judge.declared += 1
            return Frame(node, kind) if kind in _TYPES and node.child_count else None
        frame = Frame(node, kind, above.owner, above.in_function, above.as_argument)
        if kind in FUNCTIONS:
            named = above.node if above.kind in NAMED_BY else None
            judge.function(node, kind, named, above.owner, callback=above.as_argument)
            frame.owner, frame.in_function, frame.as_argument = None, True, False
        elif kind in CLASSES:
            frame.owner, frame.as_argument = judge.owner(node, above.node if above.kind in NAMED_BY else None), False
        elif kind == "arguments":
            frame.as_argument = True
        elif kind in {"assignment_expression", "variable_declarator"}:
            frame.as_argument = False
        elif kind in {"import_statement", "export_statement"}:
            self.imports += 1
        elif kind in _STATEMENTS and not inert(node, self.data):
            self.work += 1
            self.outside += 0 if above.in_function else 1
        return frame if node.child_count else None

    def _comment(self, node: Node) -> None:
        first, last = node.start_point, node.end_point
        before = self.lines[first.row][: first.column].strip()
        after = self.lines[last.row][last.column :].strip()
        followed = bool(after) and not after.startswith((b"//", b"/*"))
        self.comments.append(Comment(
            line=first.row + 1, last_line=last.row + 1, column=first.column,
            text=source_of(node, self.data), alone=not before and not followed,
        ))  # fmt: skip
        rows = range(first.row + (1 if before else 0), last.row + (0 if followed else 1))
        self.comment_lines.update(row for row in rows if self.lines[row].strip())
