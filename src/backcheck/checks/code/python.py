"""Python: read by `ast` and `tokenize` of the interpreter that runs backcheck; nothing is executed or imported."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence

from backcheck.checks.code.model import MAX_CODE, Code, Comment, Function, Stub, Unparsed, comments_between
from backcheck.checks.words import FOR_SUBCLASS, ON_PURPOSE, UNFINISHED, plain
from backcheck.evidence.limits import size

#: `ast` needs up to 2 KB for each sign, so their number is bounded too; 100,000 ordinary lines hold some 540,000.
MAX_SIGNS = 750_000
_SIGN = re.compile(r"[^\w \t]")
_DECLARING = frozenset({"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})
_PLAIN_DECORATORS = frozenset({"staticmethod", "classmethod", "property", "cached_property", "final", "override", "cache"})
_DECLARING_BASES = ("Protocol", "ABC", "Interface")
_BASE_NAME = re.compile(r"^_*(?:Abstract|Base|I[A-Z])|(?:Base|Abstract|Interface|Mixin|Protocol|ABC)\d*$")
_TO_DO_NOTHING = re.compile(r"^_*(?:no_?op|nop|null|dummy|ignore|do_nothing|pass_?)", re.IGNORECASE)
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def read(text: str) -> Code:
    """Parse a file. Errors: Unparsed."""
    tree = _parse(text)
    comments = _comments(text)
    lines = sum(1 for line in text.split("\n") if line.strip())
    return _Reader(comments).code(tree, lines)


def _parse(text: str) -> ast.Module:
    length = len(text.encode("utf-8", "replace"))
    if length > MAX_CODE:
        raise Unparsed(f"holds {size(length)} of code; the limit for parsing is {size(MAX_CODE)}")
    if len(text) > MAX_SIGNS and (signs := sum(1 for _ in _SIGN.finditer(text))) > MAX_SIGNS:
        raise Unparsed(f"holds {signs:,} signs of code; the limit for parsing is {MAX_SIGNS:,}")
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
        raise Unparsed(f"cannot be split into tokens ({error})") from None
    return tuple(found)


class _Reader:
    """One walk over the tree."""

    def __init__(self, comments: tuple[Comment, ...]) -> None:
        self._comments = comments
        self._functions: list[Function] = []
        self._declared = 0
        self._work = 0
        self._outside = 0
        self._bases: frozenset[str] = frozenset()

    def code(self, tree: ast.Module, lines: int) -> Code:
        self._bases = frozenset(
            name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in map(_name, node.bases)
        )
        todo: list[tuple[ast.AST, ast.ClassDef | None, bool]] = [(tree, None, False)]
        while todo:
            node, owner, inside = todo.pop()
            if isinstance(node, _FunctionNode):
                self._function(node, owner)
                owner, inside = None, True
            elif isinstance(node, ast.ClassDef):
                owner = node
            elif isinstance(node, ast.stmt) and not _inert(node):
                self._work += 1
                self._outside += 0 if inside else 1
            if isinstance(node, ast.If) and _name(node.test) in {"TYPE_CHECKING", "MYPY"}:
                children: Sequence[ast.AST] = node.orelse
            else:
                children = [*_statements(node)]
            todo += [(child, owner, inside) for child in reversed(children)]
        self._functions.sort(key=lambda function: function.line)
        return Code(
            functions=tuple(self._functions), declared=self._declared, comments=self._comments, lines=lines,
            comment_lines=sum(1 for comment in self._comments if comment.alone), work=self._work, outside=self._outside,
        )  # fmt: skip

    def _function(self, node: _FunctionNode, owner: ast.ClassDef | None) -> None:
        decorators = {_name(item) for item in node.decorator_list}
        if decorators & _DECLARING:
            self._declared += 1
            return
        stub = self._stub(node, owner, decorators - _PLAIN_DECORATORS)
        if stub is not None and owner is not None and _declares(owner):
            self._declared += 1
            return
        if stub is Stub.UNFINISHED and self._for_subclass(node, owner):
            self._declared += 1
            return
        self._functions.append(Function(name=node.name, line=node.lineno, stub=stub))

    def _stub(self, node: _FunctionNode, owner: ast.ClassDef | None, decorators: set[str]) -> Stub | None:
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if any(not _idle(statement) for statement in body):
            return None
        if any(_refuses(statement) for statement in body):
            return Stub.UNFINISHED
        notes = self._notes(node)
        if UNFINISHED.search(notes):
            return Stub.UNFINISHED
        if any(not isinstance(s, ast.Pass) and not _ellipsis(s) for s in body):
            return None
        dunder = node.name.startswith("__") and node.name.endswith("__")
        inherits = owner is not None and any(_name(base) != "object" for base in owner.bases)
        if dunder or inherits or decorators or _TO_DO_NOTHING.search(node.name) or ON_PURPOSE.search(notes):
            return None
        return Stub.EMPTY

    def _notes(self, node: _FunctionNode) -> str:
        """Docstring, comments and printed texts of a function that does nothing, also comments right below it."""
        last = node.end_lineno or node.lineno
        notes = [comment.text for comment in comments_between(self._comments, node.lineno, last)]
        for comment in comments_between(self._comments, last + 1, last + 20):
            if comment.line != last + 1 or not comment.alone or comment.column <= node.col_offset:
                break
            notes.append(comment.text)
            last += 1
        texts = [statement for statement in node.body if not isinstance(statement, ast.Return)]
        return plain("\n".join([*notes, *(text for statement in texts for text in _texts(statement))]))

    def _for_subclass(self, node: _FunctionNode, owner: ast.ClassDef | None) -> bool:
        if owner is None:
            return False
        if owner.name in self._bases or _BASE_NAME.search(owner.name):
            return True
        return bool(FOR_SUBCLASS.search(self._notes(node) + plain(ast.get_docstring(owner, clean=False) or "")))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right below a node, through `except` and `case`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.excepthandler | ast.match_case):
            yield from child.body


def _name(node: ast.expr) -> str:
    """The last name of `a.b.c`, `a.b[c]` or `a.b()`."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _declares(owner: ast.ClassDef) -> bool:
    return any(_name(base).endswith(_DECLARING_BASES) for base in owner.bases) or any(
        keyword.arg == "metaclass" and _name(keyword.value).endswith("ABCMeta") for keyword in owner.keywords
    )


def _constant(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return all(_constant(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_constant(item) for item in (*node.keys, *node.values))
    return node is None or isinstance(node, ast.Constant)


def _ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _prints(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _name(node.value) == "print"


def _refuses(node: ast.stmt) -> bool:
    """`raise NotImplementedError`, or an exception whose text says as much."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    if _name(node.exc) in {"NotImplementedError", "NotImplemented"}:
        return True
    return bool(UNFINISHED.search(plain(" ".join(_texts(node)))))


def _texts(node: ast.AST) -> list[str]:
    return [item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _idle(node: ast.stmt) -> bool:
    """A statement that a stub may hold."""
    return (
        isinstance(node, ast.Pass) or _ellipsis(node) or _prints(node) or _refuses(node)
        or (isinstance(node, ast.Return) and _constant(node.value))
    )  # fmt: skip


def _inert(node: ast.stmt) -> bool:
    """A statement that does no work by itself: `pass`, a bare name or constant, a bare annotation, a guard, an import."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant | ast.Name)
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Compare) and _name(node.test.left) == "__name__"
    return isinstance(node, ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal)
