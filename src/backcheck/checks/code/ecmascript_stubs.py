"""JavaScript and TypeScript: whether a function holds work, only says that it is not implemented, or only declares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backcheck.checks.code.marks import BASE_NAME, FOR_SUBCLASS, NAMED_NOTHING, ON_PURPOSE, REFUSED, UNFINISHED
from backcheck.checks.code.model import Comment, Function, Stub, comments_between
from backcheck.checks.words import plain

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({
    "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
    "arrow_function", "method_definition",
})  # fmt: skip
CLASSES = frozenset({"class_declaration", "class", "abstract_class_declaration"})
#: A function below one of these has its name from there; anywhere else it is a callback or a part of an expression.
NAMED_BY = {"variable_declarator": "name", "pair": "key", "assignment_expression": "left",
            "field_definition": "property", "public_field_definition": "name", "export_statement": ""}  # fmt: skip
_COMMENTS = frozenset({"comment", "html_comment"})
_LITERALS = frozenset({"number", "string", "true", "false", "null", "undefined", "regex", "template_string"})
_HOLDS_LITERALS = frozenset({"array", "object", "parenthesized_expression", "unary_expression", "pair"})
_NOT_IMPLEMENTED = re.compile(r"not_?implemented|unimplemented", re.IGNORECASE)
_EXTENDS = re.compile(r"extends\s+([\w$.]+)")
#: A stub holds at most this many statements, and comments, of which that many are looked at.
_MOST_STATEMENTS, _MOST_CHILDREN = 4, 60
_MOST_SOURCE = 2000


def source_of(node: Node, data: bytes, limit: int = 0) -> str:
    """The text of a node, of at most `limit` bytes where that is not 0."""
    end = min(node.end_byte, node.start_byte + limit) if limit else node.end_byte
    return data[node.start_byte : end].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Owner:
    """The class around a method."""

    name: str
    inherits: bool


@dataclass(frozen=True, slots=True)
class _Idle:
    """A function without work whose comments decide what it is; `stub` is what its statements alone say."""

    name: str
    node: Node
    stub: Stub | None
    owner: Owner | None


class Judge:
    """Looks at functions of one file; counts what only declares and what is left to subclasses."""

    def __init__(self, data: bytes) -> None:
        self.declared = 0
        self.deferred = 0
        self._data = data
        self._functions: list[Function] = []
        self._idle: list[_Idle] = []
        self._bases: set[str] = set()

    def owner(self, node: Node, named: Node | None) -> Owner:
        """The class of a class node; `named` is the declaration or assignment that names it."""
        heritage = next((child for child in node.children if child.type == "class_heritage"), None)
        found = _EXTENDS.search(self._source(heritage)) if heritage is not None else None
        if found:
            self._bases.add(found[1].rpartition(".")[2])
        return Owner(self._name(node, named), found is not None)

    def function(self, node: Node, kind: str, named: Node | None, owner: Owner | None, *, callback: bool) -> None:
        """Take a function down; a callback without work is meant so."""
        body = node.child_by_field_name("body")
        if body is None:
            return
        name = self._name(node, named)
        works, stub = self._body(body)
        if works:
            self._functions.append(Function(name=name or "(anonymous)", line=node.start_point.row + 1))
        elif name and not callback:
            setter = kind == "method_definition" and any(child.type == "set" for child in node.children[:4])
            if stub is not Stub.EMPTY or not (setter or name == "constructor"):
                self._idle.append(_Idle(name, node, stub, owner))

    def finish(self, comments: tuple[Comment, ...]) -> tuple[Function, ...]:
        """All functions in order, when the whole file and its comments are known."""
        for idle in self._idle:
            self._judge(idle, comments)
        return tuple(sorted(self._functions, key=lambda function: function.line))

    def _judge(self, idle: _Idle, comments: tuple[Comment, ...]) -> None:
        owner, stub = idle.owner, idle.stub
        said, doc = self._notes(idle.node, comments)
        about = f"{said}\n{doc}"
        unfinished = UNFINISHED.search(about) is not None
        if stub is Stub.UNFINISHED and not unfinished and REFUSED.search(said):
            stub = None
        elif unfinished:
            stub = Stub.UNFINISHED
        if stub is not None and owner is not None and (
            owner.name in self._bases or BASE_NAME.search(owner.name) or FOR_SUBCLASS.search(about)
        ):  # fmt: skip
            self.deferred += 1
            return
        inherits = owner is not None and owner.inherits
        if stub is Stub.EMPTY and (inherits or NAMED_NOTHING.search(idle.name) or ON_PURPOSE.search(about)):
            stub = None
        self._functions.append(Function(name=idle.name, line=idle.node.start_point.row + 1, stub=stub))

    def _notes(self, node: Node, comments: tuple[Comment, ...]) -> tuple[str, str]:
        """What a function says (comments in it and on its last line, texts thrown or printed), and the comment above."""
        first, last = node.start_point.row + 1, node.end_point.row + 1
        said = [comment.text for comment in comments_between(comments, first, last)]
        doc: list[str] = []
        for comment in reversed(comments_between(comments, max(first - 40, 1), first - 1)):
            if comment.last_line != first - 1 or not comment.alone:
                break
            doc.append(comment.text)
            first = comment.line
        body = node.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            said += [self._source(child) for child in body.named_children if child.type != "return_statement"]
        return plain("\n".join(said)), plain("\n".join(doc))

    def _name(self, node: Node, named: Node | None) -> str:
        own = node.child_by_field_name("name")
        if own is None and named is not None:
            label = NAMED_BY[named.type]
            own = named.child_by_field_name(label) if label else None
            return self._source(own) if own is not None else "default"
        return self._source(own) if own is not None else ""

    def _source(self, node: Node) -> str:
        return source_of(node, self._data, _MOST_SOURCE)

    def _body(self, body: Node) -> tuple[bool, Stub | None]:
        """Whether it works; if not, the stub that its statements alone make it."""
        if body.type != "statement_block":
            return not self._constant(body), None
        if body.named_child_count > _MOST_CHILDREN:
            return True, None
        statements = [child for child in body.named_children if child.type not in _COMMENTS]
        if not statements:
            return False, Stub.EMPTY
        if len(statements) > _MOST_STATEMENTS or not all(self._stands_idle(statement) for statement in statements):
            return True, None
        return False, Stub.UNFINISHED if any(self._refuses(statement) for statement in statements) else None

    def _stands_idle(self, node: Node) -> bool:
        kind = node.type
        if kind == "empty_statement" or self._refuses(node):
            return True
        inner = node.named_children[0] if node.named_child_count else None
        if kind == "return_statement":
            return inner is None or self._constant(inner)
        if kind != "expression_statement" or inner is None:
            return False
        prints = inner.type == "call_expression" and self._source(inner).startswith("console.")
        return prints or inner.type == "string"

    def _refuses(self, node: Node) -> bool:
        """Throws that it is not implemented, or returns a promise rejected with that."""
        source = self._source(node)
        if node.type != "throw_statement" and not (node.type == "return_statement" and "Promise.reject" in source):
            return False
        said = plain(source)
        return bool(_NOT_IMPLEMENTED.search(source) or UNFINISHED.search(said) or FOR_SUBCLASS.search(said))

    def _constant(self, node: Node, depth: int = 0) -> bool:
        kind = node.type
        if kind in _LITERALS:
            return kind != "template_string" or all(c.type != "template_substitution" for c in node.named_children)
        if kind in _HOLDS_LITERALS:
            few = node.named_child_count <= 20 and depth < 5
            return few and all(self._constant(child, depth + 1) for child in node.named_children)
        return kind in {"property_identifier", "comment"} or self._source(node) in {"Promise.resolve()", "undefined"}


def inert(node: Node, data: bytes) -> bool:
    """A statement that only names, imports, exports or defines."""
    kind = node.type
    if kind == "expression_statement":
        inner = node.named_children[0] if node.named_child_count else None
        if inner is None or inner.type in {"identifier", "string", "number"}:
            return True
        if inner.type != "assignment_expression":
            return False
        return _only_names(inner.child_by_field_name("right"), data)
    if kind in {"lexical_declaration", "variable_declaration"}:
        return all(_only_names(child.child_by_field_name("value"), data) for child in node.named_children)
    if kind in {"field_definition", "public_field_definition"}:
        return _only_names(node.child_by_field_name("value"), data)
    return False


def _only_names(node: Node | None, data: bytes, depth: int = 0) -> bool:
    if node is None or node.type in FUNCTIONS or node.type in CLASSES:
        return True
    if node.type in {"identifier", "member_expression"}:
        return True
    if node.type == "call_expression":
        return source_of(node, data, 20).startswith("require(")
    if node.type != "object" or depth > 5:
        return False
    names = {"shorthand_property_identifier", "method_definition", "spread_element", "comment"}
    return all(
        child.type in names
        or (child.type == "pair" and _only_names(child.child_by_field_name("value"), data, depth + 1))
        for child in node.named_children
    )
