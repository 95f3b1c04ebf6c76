"""Python: read by `ast` and `tokenize` of the interpreter that runs backcheck; nothing is executed or imported."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

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

#: `ast` needs up to 2 KB for each sign, so their number is bounded too; 100,000 ordinary lines hold some 540,000.
MAX_SIGNS = 750_000
_SIGN = re.compile(r"[^\w \t]")
_DECLARING = frozenset(
    {"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
_PLAIN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "final", "override", "cache"}
)
_DECLARING_BASES = ("Protocol", "ABC", "Interface")
_BASE_NAME = re.compile(r"(?:Base|Abstract|Interface|Mixin|Protocol|ABC)(?![a-z])")
_TO_DO_NOTHING = re.compile(r"^_*(?:no_?op|nop|null|dummy|ignore|do_nothing|pass_?)", re.IGNORECASE)
#: How much of a docstring tells whether a function is finished.
_DOC_START = 200
#: A function with no body and a docstring this long is there for its documentation.
_DOC_ONLY = 1000
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
        self._docs: list[Comment] = []
        self._declared = 0
        self._deferred = 0
        self._work = 0
        self._outside = 0
        self._bases: frozenset[str] = frozenset()
        #: Classes that leave work to their subclasses, and classes that do not.
        self._open: dict[ast.ClassDef, bool] = {}

    def code(self, tree: ast.Module, lines: int) -> Code:
        """Walk from the top, without recursion."""
        self._bases = frozenset(
            name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in map(_name, node.bases)
        )
        todo: list[tuple[ast.AST, ast.ClassDef | None, bool]] = [(tree, None, False)]
        while todo:
            node, owner, inside = todo.pop()
            if isinstance(node, _FunctionNode):
                self._function(node, owner, nested=inside)
                owner, inside = None, True
            elif isinstance(node, ast.ClassDef):
                owner = node
            elif isinstance(node, ast.stmt) and not _inert(node):
                self._work += 1
                self._outside += 0 if inside else 1
            self._doc(node)
            todo += [(child, owner, inside) for child in reversed([*_statements(node)])]
        self._functions.sort(key=lambda function: function.line)
        header = licence_lines(self._comments)
        return Code(
            functions=tuple(self._functions), declared=self._declared, deferred=self._deferred,
            comments=self._comments, docs=tuple(self._docs), lines=lines - header,
            comment_lines=sum(1 for comment in self._comments if comment.alone) - header,
            work=self._work, outside=self._outside,
        )  # fmt: skip

    def _doc(self, node: ast.AST) -> None:
        if isinstance(node, ast.Module | ast.ClassDef | _FunctionNode) and (
            text := ast.get_docstring(node, clean=False)
        ):
            first = node.body[0]
            self._docs.append(Comment(line=first.lineno, last_line=first.end_lineno or first.lineno,
                                      column=first.col_offset, text=text, alone=True))  # fmt: skip

    def _function(self, node: _FunctionNode, owner: ast.ClassDef | None, *, nested: bool) -> None:
        decorators = {_name(item) for item in node.decorator_list}
        if decorators & _DECLARING:
            self._declared += 1
            return
        stub = self._stub(node, owner, free=nested or bool(decorators - _PLAIN_DECORATORS))
        if stub is not None and owner is not None:
            if _declares(owner):
                self._declared += 1
                return
            if self._for_subclass(node, owner):
                self._deferred += 1
                return
        self._functions.append(Function(name=node.name, line=node.lineno, stub=stub))

    def _stub(self, node: _FunctionNode, owner: ast.ClassDef | None, *, free: bool) -> Stub | None:
        """`free`: an empty body may be meant, as in a callback or under a decorator that does the work."""
        doc = ast.get_docstring(node, clean=False)
        body = node.body if doc is None else node.body[1:]
        if not all(_idle(statement) for statement in body):
            return None
        notes = self._notes(node)
        dunder = node.name.startswith("__") and node.name.endswith("__")
        unfinished = UNFINISHED.search(notes) is not None
        if any(_refuses(statement) for statement in body):
            meant = not unfinished and (dunder or REFUSED.search(notes))
            return None if meant else Stub.UNFINISHED
        if unfinished:
            return Stub.UNFINISHED
        if not all(isinstance(statement, ast.Pass) or _is_constant(statement) for statement in body):
            return None
        inherits = owner is not None and any(_name(base) != "object" for base in owner.bases)
        free = free or len(doc or "") >= _DOC_ONLY
        meant = free or dunder or inherits or _TO_DO_NOTHING.search(node.name) or ON_PURPOSE.search(notes)
        return None if meant else Stub.EMPTY

    def _notes(self, node: _FunctionNode) -> str:
        """The start of the docstring, the comments (also right below) and the texts printed or raised."""
        last = node.end_lineno or node.lineno
        notes = [comment.text for comment in comments_between(self._comments, node.lineno, last)]
        for comment in comments_between(self._comments, last + 1, last + 20):
            if comment.line != last + 1 or not comment.alone or comment.column <= node.col_offset:
                break
            notes.append(comment.text)
            last += 1
        texts = [statement for statement in node.body if not isinstance(statement, ast.Return)]
        return plain("\n".join([*notes, *(text[:_DOC_START] for part in texts for text in _texts(part))]))

    def _for_subclass(self, node: _FunctionNode, owner: ast.ClassDef) -> bool:
        if owner not in self._open:
            makers = [item for item in owner.body if isinstance(item, _FunctionNode) and item.name == "__init__"]
            docs = [ast.get_docstring(item, clean=False) or "" for item in (owner, *makers)]
            named = owner.name in self._bases or _BASE_NAME.search(owner.name) is not None
            self._open[owner] = named or FOR_SUBCLASS.search(plain("\n".join(docs))) is not None
        return self._open[owner] or FOR_SUBCLASS.search(plain("\n".join(_texts(node)))) is not None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right below a node, through `except` and `case`; none that only type checkers or `__main__` see."""
    if isinstance(node, ast.If) and _name(node.test) in {"TYPE_CHECKING", "MYPY"}:
        yield from node.orelse
        return
    if isinstance(node, ast.If) and _inert(node):
        return
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


def _is_constant(node: ast.stmt) -> bool:
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
        isinstance(node, ast.Pass) or _is_constant(node) or _prints(node) or _refuses(node)
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
