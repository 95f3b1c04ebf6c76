"""Python: read by `ast` and `tokenize` of the interpreter that runs backcheck; nothing is executed or imported."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator

from backcheck.checks.code.model import Code, Comment, Function, Unparsed, check_size, licence_lines
from backcheck.checks.code.python_stubs import FunctionNode, Judge, last_name

#: `ast` needs up to 2 KB for each sign; 100,000 ordinary lines hold some 540,000.
MAX_SIGNS = 750_000


def read(text: str) -> Code:
    """Parse a file. Errors: Unparsed."""
    tree = _parse(text)
    comments = _comments(text)
    lines = sum(1 for line in text.split("\n") if line.strip())
    return _Walk(tree, comments).code(lines)


def _parse(text: str) -> ast.Module:
    check_size(text, MAX_SIGNS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise Unparsed(f"does not parse as Python (line {error.lineno or 1}: {error.msg})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unparsed(f"cannot be parsed as Python ({type(error).__name__})") from None


def _comments(text: str) -> tuple[Comment, ...]:
    if "#" not in text:
        return ()
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                line, column = token.start
                alone = not token.line[:column].strip()
                found.append(Comment(line=line, last_line=line, column=column, text=token.string, alone=alone))
    except (tokenize.TokenError, SyntaxError, ValueError) as error:
        raise Unparsed(f"cannot be split into tokens ({type(error).__name__})") from None
    return tuple(found)


class _Walk:
    """One walk over the tree, without recursion."""

    def __init__(self, tree: ast.Module, comments: tuple[Comment, ...]) -> None:
        self._tree = tree
        self._comments = comments
        self._functions: list[Function] = []
        self._docs: list[Comment] = []
        self._work = self._outside = self._imports = 0

    def code(self, lines: int) -> Code:
        """Visit every statement."""
        judge = Judge(self._tree, self._comments)
        todo: list[tuple[ast.AST, ast.ClassDef | None, bool]] = [(self._tree, None, False)]
        while todo:
            node, owner, inside = todo.pop()
            if isinstance(node, FunctionNode):
                if (function := judge.function(node, owner, nested=inside)) is not None:
                    self._functions.append(function)
                owner, inside = None, True
            elif isinstance(node, ast.ClassDef):
                owner = node
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._imports += 1
            elif isinstance(node, ast.stmt) and not _inert(node):
                self._work += 1
                self._outside += 0 if inside else 1
            self._doc(node)
            todo += [(child, owner, inside) for child in _statements(node)]
        header = licence_lines(self._comments)
        return Code(
            functions=tuple(sorted(self._functions, key=lambda function: function.line)),
            declared=judge.declared, deferred=judge.deferred, comments=self._comments,
            docs=tuple(sorted(self._docs, key=lambda doc: doc.line)), lines=lines - header,
            comment_lines=sum(1 for comment in self._comments if comment.alone) - header,
            work=self._work, outside=self._outside, imports=self._imports,
        )  # fmt: skip

    def _doc(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Module | ast.ClassDef | FunctionNode):
            return
        if (text := ast.get_docstring(node, clean=False)) is not None:
            first = node.body[0]
            last = first.end_lineno or first.lineno
            doc = Comment(line=first.lineno, last_line=last, column=first.col_offset, text=text, alone=True)
            self._docs.append(doc)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right below a node, through `except` and `case`; none that only type checkers or `__main__` see."""
    if isinstance(node, ast.If) and last_name(node.test) in {"TYPE_CHECKING", "MYPY"}:
        yield from node.orelse
        return
    if isinstance(node, ast.If) and _inert(node):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _inert(node: ast.stmt) -> bool:
    """A statement that does no work by itself: `pass`, a bare name or constant, a bare annotation, a guard."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant | ast.Name)
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Compare) and last_name(node.test.left) == "__name__"
    return isinstance(node, ast.Pass | ast.Global | ast.Nonlocal)
