"""Code that refuses its own work: exceptions, macros and calls that say "not implemented"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from backcheck.checks.code.languages import suffix_of
from backcheck.checks.code.marks import BASE_NAME, FOR_SUBCLASS, REFUSED, UNFINISHED
from backcheck.checks.code.python_stubs import FunctionNode, last_name
from backcheck.checks.leftovers.model import Leftover, Weight
from backcheck.checks.words import plain

_UNDONE = (
    r"(?:not[ _-]?(?:yet[ _-]?)?implemented|un-?implemented|not[ _-]?(?:yet[ _-]?)?(?:done|supported yet)|to-?do\b|"
    r"implement (?:me|this)|未实现|待实现|尚未实现)"
)
_DECLARING = frozenset(
    {"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
_DECLARING_BASES = ("Protocol", "ABC", "Interface")

#: Without one of these no code of a parsed language refuses.
MAY_REFUSE = re.compile(rf"notimplemented|(?:raise|throw|reject)[^\n]*(?:\n[^\n]*){{0,4}}?{_UNDONE}", re.IGNORECASE)
#: By suffix: what refuses for good in that language, whatever it says.
_ALWAYS = {
    ".rs": r"\b(?:todo|unimplemented)!\s*[(\[{]",
    ".kt": r"(?<![\w.])TODO\s*\(|\bNotImplementedError\s*\(", ".kts": r"(?<![\w.])TODO\s*\(",
    ".cs": r"\bnew\s+(?:System\.)?NotImplementedException\b", ".vb": r"\bNew\s+NotImplementedException\b",
    ".scala": r"(?:=|\{|=>)\s*\?\?\?(?![?\w])",
    ".dart": r"\bUnimplementedError\s*\(", ".rb": r"\braise\s*\(?\s*NotImplementedError\b",
    ".java": r"\bnew\s+NotImplementedException\b", ".zig": r"@panic\(\"(?i:todo)",
    ".nim": r"\braise newException\(\s*(?:NotImplementedError|Defect)\b.{0,20}(?i:not impl|todo)",
}  # fmt: skip
_SAYING = re.compile(
    rf"(?:\bthrow\b|\braise\b|\bpanic!?\s*\(|\b(?:fatal|assertion|precondition)\w*\s*\(|\berrors?\.New\s*\(|"
    rf"\bError\s*\(|Exception\s*\(|\breject\s*\(|"
    rf"\bdie\b|\bcroak\b|\berror\s*[(\"]|\babort\s*\(|\bassert\s*[(!]|\bFAIL\b|\bstop\s*\(|\blogic_error\s*\(|"
    rf"\braise_application_error\b|"
    rf"\bRAISE\b|\becho\b|\bprintf?\w*!?\s*[(\"]|\bputs\b|\bconsole\.\w+\s*\(|"
    rf"\bexit\b)[^\n]{{0,160}}?(?<![\w-]){_UNDONE}",
    re.IGNORECASE,
)
#: Printing that something is not implemented is a stub only where nothing else is done: a hint.
_ONLY_SAID = re.compile(r"^\s*(?:echo|printf?\w*!?\s*[(\"]|puts|console\.|fmt\.Print)", re.IGNORECASE)
#: The refusal is a caught case, a status, or a word about another's.
_HANDLED = re.compile(
    r"\b(?:catch|except|rescue|instanceof|isinstance|expect\w*|assert\w*(?:Raises|Throws)\w*|toThrow\w*|501)\b",
    re.IGNORECASE,
)
_BASES = re.compile(
    r"\babstract\b|\binterface\b|\bprotocol\b|class\s+\w*(?:Base|Abstract|Interface|Mixin)\w*", re.IGNORECASE
)


def in_lines(path: str, code: str) -> Iterator[Leftover]:
    """Refusals in code whose comments were taken out, for languages without a syntax reader of ours and JavaScript."""
    suffix = suffix_of(path)
    always = re.compile(_ALWAYS[suffix]) if suffix in _ALWAYS else None
    for number, line in enumerate(code.split("\n"), start=1):
        if len(line) > 4000 or _HANDLED.search(line):
            continue
        found = always.search(line) if always else None
        if found is None and (found := _SAYING.search(line)) is None:
            continue
        said = plain(line)
        if FOR_SUBCLASS.search(said):
            continue
        weight = Weight.OPEN if _ONLY_SAID.match(line) or (suffix == ".rb" and _BASES.search(code)) else Weight.PLAIN
        if suffix == ".rb" and BASE_NAME.search(code):
            continue
        yield Leftover(number, weight, "says that it is not implemented")


def in_python(text: str) -> Iterator[Leftover]:
    """`raise NotImplementedError` and its like in Python functions that do other things as well.

    Functions that do nothing else are stubs, and told of as such. Errors: SyntaxError, ValueError, RecursionError.
    """
    tree = ast.parse(text)
    bases = {last_name(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases}
    todo: list[tuple[ast.AST, ast.ClassDef | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, ast.ClassDef):
            owner = node
        elif isinstance(node, FunctionNode):
            if not _declares(node, owner, bases):
                yield from _of_function(node)
            owner = None
        todo += [
            (child, owner)
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
        ]


def _declares(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None, bases: set[str]) -> bool:
    if {last_name(item) for item in node.decorator_list} & _DECLARING:
        return True
    if owner is None:
        return False
    if (
        owner.name in bases
        or BASE_NAME.search(owner.name)
        or any(last_name(base).endswith(_DECLARING_BASES) for base in owner.bases)
    ):
        return True
    docs = "\n".join(filter(None, (ast.get_docstring(owner, clean=False), ast.get_docstring(node, clean=False))))
    return bool(FOR_SUBCLASS.search(plain(docs)))


def _of_function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Leftover]:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    if len(body) == 1 and isinstance(body[0], ast.Raise):
        return
    # Behind branches that give something back, the last refusal is for the cases that are left.
    gives = any(
        (isinstance(node, ast.Return) and node.value is not None) or isinstance(node, ast.Yield | ast.YieldFrom)
        for node in ast.walk(function)
    )
    direct = set() if gives else set(map(id, body))
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            found = _refusal(node.exc, always=id(node) in direct)
            if found is not None:
                yield Leftover(node.lineno, found, f"{function.name} refuses as not implemented")
            continue
        todo += [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
        ]


def _refusal(raised: ast.expr, *, always: bool) -> Weight | None:
    name = last_name(raised)
    texts = [item.value for item in ast.walk(raised) if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    said = plain(" ".join(texts))
    undone = UNFINISHED.search(said) is not None
    if FOR_SUBCLASS.search(said) or (REFUSED.search(said) and not undone):
        return None
    if name not in {"NotImplementedError", "NotImplemented"}:
        return Weight.PLAIN if undone and re.search(_UNDONE, said) else None
    if always or undone:
        return Weight.PLAIN
    # In one branch only: with the case named it is a limit that is told, bare it may be work that is missing.
    return Weight.NOTED if said.strip() or (isinstance(raised, ast.Call) and raised.args) else Weight.OPEN
