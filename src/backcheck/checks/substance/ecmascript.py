"""JavaScript and TypeScript without their form: the leaves of the syntax tree, read by tree-sitter."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from backcheck.checks.code.ecmascript import parse, read
from backcheck.checks.code.ecmascript_stubs import source_of
from backcheck.checks.substance.model import Definition, Substance

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "html_comment"})
_DECLARES = frozenset({
    "lexical_declaration", "variable_declaration", "function_declaration", "generator_function_declaration", "method_definition",
    "export_statement", "field_definition", "public_field_definition", "pair",
})  # fmt: skip
#: Node → the field that holds its name.
_NAMES = {
    **dict.fromkeys(("function_declaration", "generator_function_declaration", "class_declaration"), "name"),
    **dict.fromkeys(("abstract_class_declaration", "method_definition", "variable_declarator"), "name"),
    **dict.fromkeys(("interface_declaration", "type_alias_declaration", "enum_declaration"), "name"),
    **dict.fromkeys(("public_field_definition", "property_signature", "method_signature"), "name"),
    "field_definition": "property", "pair": "key", "assignment_expression": "left",
}  # fmt: skip
_OWNERS = frozenset({"class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration"})
_CLOSING = frozenset({")", "]", "}"})
MAX_DEPTH = 400


def substance(text: str, suffix: str) -> Substance:
    """The substance of a file by the grammar of its suffix. Errors: Unparsed."""
    code = read(text, suffix)
    data = text.encode("utf-8", "replace")
    reader = _Reader(data, {function.line for function in code.functions if function.stub is not None})
    tokens = reader.tokens(parse(data, suffix).root_node)
    return Substance(
        whole=" ".join(_tidy(tokens)),
        definitions={name: tuple(found) for name, found in reader.definitions.items()},
        parsed=True,
    )


def _tidy(tokens: list[str]) -> list[str]:
    """Without semicolons and commas before a closing bracket; every quote is the same."""
    kept: list[str] = []
    for token in tokens:
        if token == ";":
            continue
        if token in _CLOSING and kept and kept[-1] == ",":
            kept.pop()
        kept.append('"' if token == "'" else token)
    return kept


class _Reader:
    def __init__(self, data: bytes, stubs: set[int]) -> None:
        self.data = data
        self.stubs = stubs
        self.definitions: dict[str, list[Definition]] = defaultdict(list)

    def tokens(self, root: Node) -> list[str]:
        """The leaves of a tree in order; what is defined is noted on the way."""
        out: list[str] = []
        # A node, or where the tokens of a definition began: (name, line, start, stub).
        todo: list[tuple[Node | None, str, tuple[str, int, int, bool] | None]] = [(root, "", None)]
        while todo:
            node, owner, ended = todo.pop()
            if node is None:
                if ended is not None:
                    self._define(ended, out)
                continue
            if node.type in _COMMENTS:
                continue
            line = node.start_point.row + 1
            stub = node.type in _DECLARES and line in self.stubs
            if node.type in _NAMES and (name := self._name(node, owner)):
                todo.append((None, "", (name, line, len(out), line in self.stubs)))
                owner = f"{name}." if node.type in _OWNERS else owner
            if stub:
                self._note_stubs(node, owner)
                continue
            if not node.children or node.type in {"string_fragment", "regex"}:
                out.append(source_of(node, self.data))
            else:
                todo += [(child, owner, None) for child in reversed(node.children)]
        return out

    def _note_stubs(self, node: Node, owner: str) -> None:
        """Names that a declaration without work defines; its leaves are left out."""
        todo = [node]
        while todo:
            item = todo.pop()
            line = item.start_point.row + 1
            if item.type in _NAMES and line in self.stubs and (name := self._name(item, owner)):
                self.definitions[name].append(Definition(line=line, substance="", stub=True))
            todo += item.named_children

    def _name(self, node: Node, owner: str) -> str:
        own = node.child_by_field_name(_NAMES[node.type])
        if own is None:
            return ""
        name = source_of(own, self.data, 200).strip("\"'`#")
        if node.type == "assignment_expression":
            name = name.rpartition(".")[2] if "." in name else ""
        return f"{owner}{name}" if name and "\n" not in name else ""

    def _define(self, ended: tuple[str, int, int, bool], out: list[str]) -> None:
        name, line, start, stub = ended
        self.definitions[name].append(Definition(line=line, substance=" ".join(_tidy(out[start:])), stub=stub))
