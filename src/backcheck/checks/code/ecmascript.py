"""JavaScript and TypeScript: read by tree-sitter, in linear time; nothing is executed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from backcheck.checks.code.model import (
    MAX_CODE,
    Code,
    Comment,
    Function,
    Stub,
    Unparsed,
    comments_between,
    licence_lines,
)
from backcheck.checks.words import FOR_SUBCLASS, ON_PURPOSE, REFUSED, UNFINISHED, plain
from backcheck.evidence.limits import size

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

#: Seconds for one parse; 5 MB of ordinary code take about two.
PARSE_SECONDS = 30.0
_CHUNK = 1 << 16
_FUNCTIONS = frozenset({
    "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
    "arrow_function", "method_definition",
})  # fmt: skip
_DECLARATIONS = frozenset({"function_signature", "abstract_method_signature", "method_signature"})
_CLASSES = frozenset({"class_declaration", "class", "abstract_class_declaration"})
_COMMENTS = frozenset({"comment", "html_comment"})
_STATEMENTS = frozenset({
    "expression_statement", "lexical_declaration", "variable_declaration", "if_statement", "for_statement",
    "for_in_statement", "while_statement", "do_statement", "switch_statement", "try_statement", "throw_statement",
    "return_statement", "with_statement", "field_definition", "public_field_definition", "enum_declaration",
})  # fmt: skip
_TYPES = frozenset({"interface_declaration", "type_alias_declaration", "ambient_declaration"})
_LITERALS = frozenset({"number", "string", "true", "false", "null", "undefined", "regex", "template_string"})
#: A function here has a name of its own; anywhere else it is a callback or a part of an expression.
_NAMED_BY = {"variable_declarator": "name", "pair": "key", "assignment_expression": "left",
             "field_definition": "property", "public_field_definition": "name", "export_statement": ""}  # fmt: skip
_BASE_NAME = re.compile(r"(?:Base|Abstract|Interface|Mixin)(?![a-z])")
_TO_DO_NOTHING = re.compile(r"(?:^|[._])(?:no_?op|nop|null|dummy|ignore|do_?nothing|empty_?fn|empty)", re.IGNORECASE)
_NOT_IMPLEMENTED = re.compile(r"not_?implemented|unimplemented", re.IGNORECASE)


def read(text: str, suffix: str) -> Code:
    """Parse a file by the grammar of its suffix (`.js`, `.mts`, ...). Errors: Unparsed."""
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_CODE:
        raise Unparsed(f"holds {size(len(data))} of code; the limit for parsing is {size(MAX_CODE)}")
    tree = _parse(data, suffix)
    return _Reader(data, text).code(tree)


def _languages(suffix: str) -> Iterator[Callable[[], Language]]:
    """The grammar of a suffix, then one that reads more (types in a `.js` file)."""
    import tree_sitter
    import tree_sitter_javascript
    import tree_sitter_typescript

    script = tree_sitter_javascript.language
    typed, typed_jsx = tree_sitter_typescript.language_typescript, tree_sitter_typescript.language_tsx
    order = [typed, typed_jsx] if suffix in {".ts", ".mts", ".cts"} else [script, typed_jsx]
    order = [typed_jsx] if suffix == ".tsx" else order
    for grammar in order:
        yield lambda grammar=grammar: tree_sitter.Language(grammar())


def _parse(data: bytes, suffix: str) -> Tree:
    import tree_sitter

    deadline = time.monotonic() + PARSE_SECONDS
    line = 0
    for language in _languages(suffix):
        parser = tree_sitter.Parser(language())
        try:
            tree = parser.parse(
                lambda at, _point: data[at : at + _CHUNK],
                progress_callback=lambda _at, _error: time.monotonic() > deadline,
            )
        except ValueError:
            tree = None
        if tree is None:
            raise Unparsed(f"could not be parsed in {PARSE_SECONDS:g} s")
        if not tree.root_node.has_error:
            return tree
        line = line or _first_error(tree)
    raise Unparsed(f"does not parse as {'TypeScript' if 't' in suffix else 'JavaScript'} (line {line})")


def _first_error(tree: Tree) -> int:
    cursor = tree.walk()
    while cursor.node is not None and not (cursor.node.is_error or cursor.node.is_missing):
        if cursor.node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return 1
    return cursor.node.start_point.row + 1 if cursor.node else 1


@dataclass(slots=True)
class _Owner:
    """The class around a method."""

    name: str
    inherits: bool


@dataclass(slots=True)
class _Frame:
    """One node on the way from the root, and what is known of the place."""

    node: Any
    kind: str
    owner: _Owner | None = None
    in_function: bool = False
    as_argument: bool = False


@dataclass(slots=True)
class _Reader:
    """One walk over the tree; never asks a node for its parent, which would take time for each sibling before it."""

    data: bytes
    text: str
    comments: list[Comment] = field(default_factory=list)
    idle: list[tuple[str, Any, Stub | None, _Owner | None]] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    bases: set[str] = field(default_factory=set)
    declared: int = 0
    deferred: int = 0
    work: int = 0
    outside: int = 0

    def code(self, tree: Tree) -> Code:
        lines = self.data.split(b"\n")
        comment_lines: set[int] = set()
        cursor = tree.walk()
        assert cursor.node is not None
        stack = [_Frame(cursor.node, "program")]
        while True:
            node = cursor.node
            kind = node.type
            frame = self._visit(node, kind, stack, lines, comment_lines)
            if frame is not None and cursor.goto_first_child():
                stack.append(frame)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return self._finish(lines, comment_lines)
                stack.pop()

    def _finish(self, lines: list[bytes], comment_lines: set[int]) -> Code:
        comments = tuple(self.comments)
        for name, node, stub, owner in self.idle:
            self._judge(name, node, stub, owner, comments)
        self.functions.sort(key=lambda function: function.line)
        header = licence_lines(comments)
        return Code(
            functions=tuple(self.functions), declared=self.declared, deferred=self.deferred, comments=comments, docs=(),
            lines=sum(1 for line in lines if line.strip()) - header, comment_lines=len(comment_lines) - header,
            work=self.work, outside=self.outside,
        )  # fmt: skip

    def _visit(
        self, node: Node, kind: str, stack: list[_Frame], lines: list[bytes], comment_lines: set[int]
    ) -> _Frame | None:
        """Note a node; the frame for its children, None where nothing of interest is below."""
        above = stack[-1]
        if kind in _COMMENTS:
            self._comment(node, lines, comment_lines)
            return None
        if kind in _DECLARATIONS or kind in _TYPES:
            self.declared += kind in _DECLARATIONS
            return _Frame(node, kind) if kind in _TYPES else None
        frame = _Frame(node, kind, above.owner, above.in_function, above.as_argument)
        if kind in _FUNCTIONS:
            self._function(node, kind, stack)
            frame.owner, frame.in_function, frame.as_argument = None, True, False
        elif kind in _CLASSES:
            frame.owner, frame.as_argument = self._class(node, stack), False
        elif kind == "arguments":
            frame.as_argument = True
        elif kind in {"statement_block", "assignment_expression", "variable_declarator"}:
            frame.as_argument = False
        if kind in _STATEMENTS and not self._inert(node, kind):
            self.work += 1
            self.outside += 0 if above.in_function else 1
        return frame if node.child_count else None

    def _comment(self, node: Node, lines: list[bytes], comment_lines: set[int]) -> None:
        first, last = node.start_point, node.end_point
        before = lines[first.row][: first.column].strip()
        after = lines[last.row][last.column :].strip()
        alone = not before and (not after or after.startswith((b"//", b"/*")))
        text = self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        self.comments.append(
            Comment(line=first.row + 1, last_line=last.row + 1, column=first.column, text=text, alone=alone)
        )
        rows = set(range(first.row, last.row + 1))
        rows -= {first.row} if before else set()
        rows -= {last.row} if after and not after.startswith((b"//", b"/*")) else set()
        comment_lines |= {row for row in rows if lines[row].strip()}

    def _class(self, node: Node, stack: list[_Frame]) -> _Owner:
        name = node.child_by_field_name("name")
        label = self._source(name) if name else ""
        if not label and stack[-1].kind in _NAMED_BY:
            label = self._name_from(stack[-1])
        heritage = next((child for child in node.children if child.type == "class_heritage"), None)
        source = self._source(heritage) if heritage else ""
        if found := re.search(r"extends\s+([\w$.]+)", source):
            self.bases.add(found[1].rpartition(".")[2])
        return _Owner(label, "extends" in source)

    def _name_from(self, frame: _Frame) -> str:
        label = _NAMED_BY[frame.kind]
        name = frame.node.child_by_field_name(label) if label else None
        return self._source(name) if name else ""

    def _source(self, node: Node) -> str:
        return self.data[node.start_byte : min(node.end_byte, node.start_byte + 2000)].decode("utf-8", "replace")

    def _function(self, node: Node, kind: str, stack: list[_Frame]) -> None:
        above = stack[-1]
        own = node.child_by_field_name("name")
        name = self._source(own) if own else ""
        callback = above.as_argument
        if not name:
            callback = callback or above.kind not in _NAMED_BY
            name = self._name_from(above) if above.kind in _NAMED_BY else ""
        body = node.child_by_field_name("body")
        row = node.start_point.row
        stub = self._idle_body(body) if body is not None else None
        if stub is False:
            self.functions.append(Function(name=name or "(anonymous)", line=row + 1))
        elif not callback:
            setter = kind == "method_definition" and any(child.type == "set" for child in node.children[:3])
            if not (stub is Stub.EMPTY and (name == "constructor" or setter)):
                self.idle.append((name or "(anonymous)", node, stub or None, above.owner))

    def _idle_body(self, body: Node) -> Stub | None | bool:
        """False: it works. A stub by its statements alone, or None where its comments decide."""
        if body.type != "statement_block":
            return None if self._constant(body) else False
        if body.named_child_count > 60:
            return False
        statements = [child for child in body.named_children if child.type not in _COMMENTS]
        if not statements:
            return Stub.EMPTY
        if len(statements) > 4 or not all(self._idle(statement) for statement in statements):
            return False
        return Stub.UNFINISHED if any(self._refuses(statement) for statement in statements) else None

    def _idle(self, node: Node) -> bool:
        kind = node.type
        if kind == "empty_statement" or self._refuses(node):
            return True
        inner = node.named_children[0] if node.named_child_count else None
        if kind == "return_statement":
            return inner is None or self._constant(inner)
        if kind != "expression_statement" or inner is None:
            return False
        return inner.type == "string" or (
            inner.type == "call_expression" and self._source(inner).startswith("console.")
        )

    def _refuses(self, node: Node) -> bool:
        source = self._source(node)
        if node.type == "return_statement" and "Promise.reject" not in source:
            return False
        if node.type not in {"throw_statement", "return_statement"}:
            return False
        return bool(_NOT_IMPLEMENTED.search(source) or UNFINISHED.search(plain(source)))

    def _constant(self, node: Node) -> bool:
        kind = node.type
        if kind in _LITERALS:
            return kind != "template_string" or all(c.type != "template_substitution" for c in node.named_children)
        if kind in {"array", "object", "parenthesized_expression", "unary_expression", "pair"}:
            return node.named_child_count <= 20 and all(self._constant(child) for child in node.named_children)
        return kind in {"property_identifier", "comment"} or self._source(node) in {"Promise.resolve()", "undefined"}

    def _judge(
        self, name: str, node: Node, stub: Stub | None, owner: _Owner | None, comments: tuple[Comment, ...]
    ) -> None:
        notes = self._notes(node, comments)
        if stub is not Stub.UNFINISHED and UNFINISHED.search(notes):
            stub = Stub.UNFINISHED
        elif stub is Stub.UNFINISHED and REFUSED.search(notes) and not UNFINISHED.search(notes):
            stub = None
        if stub is not None and owner is not None and (
            owner.name in self.bases or _BASE_NAME.search(owner.name) or FOR_SUBCLASS.search(notes)
        ):  # fmt: skip
            self.deferred += 1
            return
        if stub is Stub.EMPTY and (
            (owner is not None and owner.inherits) or _TO_DO_NOTHING.search(name) or ON_PURPOSE.search(notes)
        ):
            stub = None
        self.functions.append(Function(name=name, line=node.start_point.row + 1, stub=stub))

    def _notes(self, node: Node, comments: tuple[Comment, ...]) -> str:
        """Comments in a function, on its last line and right above it, and the text of what it throws or prints."""
        first, last = node.start_point.row + 1, node.end_point.row + 1
        inside = comments_between(comments, first, last)
        notes = [comment.text for comment in inside]
        above = comments_between(comments, max(first - 40, 1), first - 1)
        for comment in reversed(above):
            if comment.last_line != first - 1 or not comment.alone:
                break
            notes.append(comment.text)
            first = comment.line
        body = node.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            notes += [self._source(child) for child in body.named_children if child.type != "return_statement"]
        return plain("\n".join(notes))

    def _inert(self, node: Node, kind: str) -> bool:
        """A statement that only names, imports, exports or defines."""
        if kind == "expression_statement":
            inner = node.named_children[0] if node.named_child_count else None
            if inner is None or inner.type in {"identifier", "string", "number"}:
                return True
            if inner.type != "assignment_expression":
                return False
            value = inner.child_by_field_name("right")
            return value is None or self._only_names(value)
        if kind in {"lexical_declaration", "variable_declaration"}:
            values = [child.child_by_field_name("value") for child in node.named_children]
            return all(value is None or self._only_names(value) for value in values)
        if kind in {"field_definition", "public_field_definition"}:
            value = node.child_by_field_name("value")
            return value is None or self._only_names(value)
        return False

    def _only_names(self, node: Node) -> bool:
        kind = node.type
        if kind in _FUNCTIONS or kind in _CLASSES or kind in {"identifier", "member_expression"}:
            return True
        if kind == "call_expression":
            return self._source(node).startswith("require(")
        if kind == "object":
            return all(
                child.type in {"shorthand_property_identifier", "method_definition", "spread_element", "comment"}
                or (
                    child.type == "pair"
                    and (v := child.child_by_field_name("value")) is not None
                    and self._only_names(v)
                )
                for child in node.named_children
            )
        return False
