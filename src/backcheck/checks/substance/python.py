"""Python without its form: read by `ast`, nothing is executed."""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict

from backcheck.checks.code.model import Unparsed
from backcheck.checks.code.python import read
from backcheck.checks.code.python_stubs import FunctionNode
from backcheck.checks.substance.model import Definition, Substance


def substance(text: str) -> Substance:
    """The substance of Python code. Errors: Unparsed."""
    stubs = {function.line for function in read(text).functions if function.stub is not None}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        definitions: dict[str, list[Definition]] = defaultdict(list)
        _strip(tree, stubs, "", definitions)
        # The order of imports is form.
        imports = sorted(ast.dump(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
        rest = [ast.dump(node) for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unparsed(f"cannot be compared as Python ({type(error).__name__})") from None
    whole = "\n".join([*imports, *rest])
    return Substance(whole=whole, definitions={name: tuple(found) for name, found in definitions.items()}, parsed=True)


def _strip(node: ast.AST, stubs: set[int], prefix: str, definitions: dict[str, list[Definition]]) -> None:
    """Take form and stubs out of a tree, from its leaves up, and note what it defines."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            setattr(node, name, [item for item in block if _keep(item, stubs, prefix, definitions)])


def _keep(item: ast.AST, stubs: set[int], prefix: str, definitions: dict[str, list[Definition]]) -> bool:
    if isinstance(item, ast.Pass) or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)):
        return False
    named = isinstance(item, FunctionNode | ast.ClassDef)
    had_body = bool(getattr(item, "body", None)) if isinstance(item, ast.ClassDef) else False
    own = f"{prefix}{getattr(item, 'name', '')}" if named else prefix.rstrip(".")
    below = f"{own}." if named else prefix
    stub = isinstance(item, FunctionNode) and item.lineno in stubs
    only_stubs = isinstance(item, ast.ClassDef) and _only_stubs(item, stubs)
    _strip(item, stubs, below, definitions)
    if named:
        definitions[own].append(
            Definition(line=getattr(item, "lineno", 1), substance=ast.dump(item), stub=stub or only_stubs)
        )
    for target in _targets(item):
        definitions[f"{prefix}{target}"].append(Definition(line=getattr(item, "lineno", 1), substance=ast.dump(item)))
    return not (stub or (only_stubs and had_body))


def _only_stubs(node: ast.ClassDef, stubs: set[int]) -> bool:
    functions = [item for item in node.body if isinstance(item, FunctionNode)]
    others = [item for item in node.body if not isinstance(item, FunctionNode | ast.Pass | ast.Expr)]
    return bool(functions) and not others and all(item.lineno in stubs for item in functions)


def _targets(item: ast.AST) -> list[str]:
    """Names that an assignment binds, also as attributes of `self`."""
    targets: list[ast.expr] = []
    if isinstance(item, ast.Assign):
        targets = item.targets
    elif isinstance(item, ast.AnnAssign | ast.AugAssign):
        targets = [item.target]
    flat = [
        part for target in targets for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
    ]
    return [
        part.id if isinstance(part, ast.Name) else part.attr
        for part in flat
        if isinstance(part, ast.Name | ast.Attribute)
    ]
