"""Python: whether a function holds work, only says that it is not implemented, or declares what others implement."""

from __future__ import annotations

import ast

from backcheck.checks.code.marks import BASE_NAME, FOR_SUBCLASS, NAMED_NOTHING, ON_PURPOSE, REFUSED, UNFINISHED
from backcheck.checks.code.model import Comment, Function, Stub, comments_between
from backcheck.checks.words import plain

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_DECLARING = frozenset(
    {"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
#: Under these an empty body is as empty as without them; under others the decorator may do the work.
_DO_NOT_FILL = frozenset({
    "staticmethod", "classmethod", "property", "cached_property", "final", "override", "cache", "lru_cache", "wraps",
    "route", "get", "post", "put", "patch", "delete", "websocket", "command", "task", "tool", "job",
})  # fmt: skip
_DECLARING_BASES = ("Protocol", "ABC", "Interface")
#: How much of a docstring tells whether a function is finished.
_DOC_START = 200
#: A function with no body and a docstring this long is there for its documentation.
_DOC_ONLY = 600


class Judge:
    """Looks at functions of one file; counts what only declares and what is left to subclasses."""

    def __init__(self, tree: ast.Module, comments: tuple[Comment, ...]) -> None:
        self.declared = 0
        self.deferred = 0
        self._comments = comments
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self._bases = {last_name(base) for node in classes for base in node.bases}
        #: Classes that leave work to their subclasses, and classes that do not.
        self._open: dict[ast.ClassDef, bool] = {}

    def function(self, node: FunctionNode, owner: ast.ClassDef | None, *, nested: bool) -> Function | None:
        """The function, or None where it only declares."""
        decorators = {last_name(item) for item in node.decorator_list}
        if decorators & _DECLARING:
            self.declared += 1
            return None
        stub = self._stub(node, owner, free=nested or bool(decorators - _DO_NOT_FILL))
        if stub is not None and owner is not None and _declares(owner):
            self.declared += 1
            return None
        if stub is not None and owner is not None and self._for_subclass(node, owner):
            self.deferred += 1
            return None
        return Function(name=node.name, line=node.lineno, stub=stub)

    def _stub(self, node: FunctionNode, owner: ast.ClassDef | None, *, free: bool) -> Stub | None:
        """`free`: an empty body may be meant, as in a callback or under a decorator that does the work."""
        doc = ast.get_docstring(node, clean=False)
        body = node.body if doc is None else node.body[1:]
        if not all(_idle(statement) for statement in body):
            return None
        said = self._said(node, body)
        about = f"{said}\n{plain(doc[:_DOC_START])}" if doc else said
        unfinished = UNFINISHED.search(about) is not None
        dunder = node.name.startswith("__") and node.name.endswith("__")
        if any(_refuses(statement) for statement in body):
            meant = not unfinished and (dunder or REFUSED.search(said))
            return None if meant else Stub.UNFINISHED
        if unfinished:
            return Stub.UNFINISHED
        if not all(isinstance(statement, ast.Pass) or _constant_alone(statement) for statement in body):
            return None
        inherits = owner is not None and any(last_name(base) != "object" for base in owner.bases)
        free = free or inherits or dunder or len(doc or "") >= _DOC_ONLY
        meant = free or NAMED_NOTHING.search(node.name) or ON_PURPOSE.search(about)
        return None if meant else Stub.EMPTY

    def _said(self, node: FunctionNode, body: list[ast.stmt]) -> str:
        """The comments of a function (also right below its last line) and the texts that it prints or raises."""
        last = node.end_lineno or node.lineno
        notes = [comment.text for comment in comments_between(self._comments, node.lineno, last)]
        for comment in comments_between(self._comments, last + 1, last + 20):
            if comment.line != last + 1 or not comment.alone or comment.column <= node.col_offset:
                break
            notes.append(comment.text)
            last += 1
        for statement in body:
            notes += [] if isinstance(statement, ast.Return) else _texts(statement)
        return plain("\n".join(notes))

    def _for_subclass(self, node: FunctionNode, owner: ast.ClassDef) -> bool:
        if owner not in self._open:
            makers = [item for item in owner.body if isinstance(item, FunctionNode) and item.name == "__init__"]
            docs = [ast.get_docstring(item, clean=False) or "" for item in (owner, *makers)]
            named = owner.name in self._bases or BASE_NAME.search(owner.name) is not None
            self._open[owner] = named or FOR_SUBCLASS.search(plain("\n".join(docs))) is not None
        return self._open[owner] or FOR_SUBCLASS.search(plain("\n".join(_texts(node)))) is not None


def last_name(node: ast.expr) -> str:
    """The last name of `a.b.c`, `a.b[c]` or `a.b()`, or nothing."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _declares(owner: ast.ClassDef) -> bool:
    return any(last_name(base).endswith(_DECLARING_BASES) for base in owner.bases) or any(
        keyword.arg == "metaclass" and last_name(keyword.value).endswith("ABCMeta") for keyword in owner.keywords
    )


def _idle(node: ast.stmt) -> bool:
    """A statement that a stub may hold."""
    if isinstance(node, ast.Return):
        return _constant(node.value)
    prints = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last_name(node.value) == "print"
    return prints or isinstance(node, ast.Pass) or _constant_alone(node) or _refuses(node)


def _constant(node: ast.expr | None) -> bool:
    """A literal, also in lists, tuples, sets and dicts of literals; the depth is bounded by `ast` itself."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return all(_constant(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_constant(item) for item in (*node.keys, *node.values))
    return node is None or isinstance(node, ast.Constant)


def _constant_alone(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _refuses(node: ast.stmt) -> bool:
    """`raise NotImplementedError`, or an exception whose text says as much."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    if last_name(node.exc) in {"NotImplementedError", "NotImplemented"}:
        return True
    return UNFINISHED.search(plain(" ".join(_texts(node)))) is not None


def _texts(node: ast.AST) -> list[str]:
    return [item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)]
