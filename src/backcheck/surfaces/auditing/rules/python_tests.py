"""Python tests that prove nothing: skipped without a reason, empty, hidden by another of the same name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from backcheck.checks.code.languages import PYTHON
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.rules.runner import parsed

_NAMED = re.compile(
    r"unimplemented|not_?implemented|known|to_?do|xfail|disabled|unsupported|expected_?fail", re.IGNORECASE
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def skipped_without_reason(project: Project) -> Iterator[Corner]:
    """A test is always skipped, or expected to fail, and nothing says why.

    `skip` and `xfail` of pytest, `skip` and `expectedFailure` of unittest. A reason, a docstring, or a comment on the line
    or right above or below it, is enough, and so is a class named for it; conditions (`skipif`) are the test's own business.
    """
    for path, text, tree in _trees(project):
        lines = text.split("\n")
        for node in _unnamed(tree):
            for decorator in node.decorator_list:
                word = _unexplained(decorator)
                if word and not _commented(lines, decorator.lineno, node.lineno) and not ast.get_docstring(node):
                    what = "is expected to fail" if word != "skip" else "is skipped"
                    yield Corner(
                        rule="skipped-without-reason", certainty=Certainty.PLAIN, path=path, line=decorator.lineno,
                        closes="tests", says=f"`{node.name}` {what}, and no reason is given",
                    )  # fmt: skip


def empty_test(project: Project) -> Iterator[Corner]:
    """A test holds nothing, or only assertions of constants (`assert True`): it cannot fail.

    A comment in it that says why is enough to be left out.
    """
    for path, text, tree in _trees(project):
        lines = text.split("\n")
        for test in _tests(tree):
            empty = not test.decorator_list and all(map(_proves_nothing, test.body))
            if empty and not any("#" in line for line in lines[test.lineno - 1 : test.end_lineno]):
                yield Corner(
                    rule="empty-test", certainty=Certainty.PLAIN, path=path, line=test.lineno, closes="tests",
                    says=f"`{test.name}` cannot fail: there is nothing in it but constants",
                )  # fmt: skip


def no_assertion(project: Project) -> Iterator[Corner]:
    """A test keeps a result that nothing looks at, or most tests of a file look at no result at all.

    Worth a look. A single test that only calls something may be meant so: it fails where that raises. Left out are tests with
    a docstring or a comment, that take a fixture, use `with`, `raise`, `try` or a decorator, or that call anything named for
    checking, anything that checks in the same file, or anything of the suite's own modules; and benchmarks.
    """
    for path, text, tree in _trees(project):
        if re.search(r"(?:^|/)bench", path):
            continue
        lines, helpers = text.split("\n"), _helpers(tree)
        tests = list(_tests(tree))
        silent = [
            test
            for test in tests
            if not test.decorator_list and not _explained(test, lines) and _only_calls(test, helpers)
        ]
        for test in silent:
            if (name := _kept(test)) is not None:
                yield _unlooked(path, test.lineno, f"`{test.name}` keeps `{name}`, and nothing looks at it")
        if silent and 2 * len(silent) > len(tests):
            yield _unlooked(
                path, silent[0].lineno, f"{len(silent)} of the {len(tests)} tests of this file look at no result"
            )


def _unlooked(path: str, line: int, says: str) -> Corner:
    return Corner(rule="no-assertion", certainty=Certainty.LOOK, path=path, line=line, closes="tests", says=says)


def _explained(test: _Function, lines: list[str]) -> bool:
    return bool(ast.get_docstring(test)) or any("#" in line for line in lines[test.lineno - 1 : test.end_lineno])


def _kept(test: _Function) -> str | None:
    """A name that is given a value and never read; one that starts with `_` is meant to be unread."""
    names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    kept = [node.id for node in names if isinstance(node.ctx, ast.Store) and node.id not in read and node.id[0] != "_"]
    return kept[0] if kept else None


def same_test_name(project: Project) -> Iterator[Corner]:
    """Two tests of one scope have the same name: only the last one ever runs."""
    for path, _, tree in _trees(project):
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        scopes: list[list[ast.stmt]] = [tree.body, *(node.body for node in classes)]
        for body in scopes:
            seen: dict[str, int] = {}
            for node in body:
                if isinstance(node, _Function) and node.name.startswith("test"):
                    if node.name in seen and not node.decorator_list:
                        yield Corner(
                            rule="same-test-name", certainty=Certainty.PLAIN, path=path, line=seen[node.name],
                            closes="tests",
                            says=f"`{node.name}` never runs: line {node.lineno} defines another one of that name",
                        )  # fmt: skip
                    seen[node.name] = node.lineno


def _trees(project: Project) -> Iterator[tuple[str, str, ast.Module]]:
    for path, text in project.tests(PYTHON):
        tree = parsed(text)
        if tree is not None:
            yield path, text, tree


def _tests(tree: ast.Module) -> Iterator[_Function]:
    """Functions that pytest or unittest would collect."""
    for node in tree.body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or _is_case(node)):
            yield from (n for n in node.body if isinstance(n, _Function) and n.name.startswith("test"))


def _is_case(node: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Attribute | ast.Name) and "Test" in ast.unparse(base) for base in node.bases)


def _unnamed(tree: ast.Module) -> Iterator[_Function | ast.ClassDef]:
    """Functions and classes, but for those in a class whose name says that they do not hold."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, _Function | ast.ClassDef):
            if isinstance(node, ast.ClassDef) and _NAMED.search(node.name):
                continue
            yield node
        todo += ast.iter_child_nodes(node)


def _unexplained(decorator: ast.expr) -> str:
    """`skip`, `xfail` or `expectedFailure` where a decorator is one without a reason."""
    call = decorator if isinstance(decorator, ast.Call) else None
    target = call.func if call else decorator
    name = ast.unparse(target)
    word = name.rpartition(".")[2]
    marks = {"pytest.mark.skip", "mark.skip", "unittest.skip", "pytest.mark.xfail", "mark.xfail",
             "unittest.expectedFailure", "expectedFailure"}  # fmt: skip
    if name not in marks:
        return ""
    if call is None:
        return word
    given = [a for a in call.args if not (isinstance(a, ast.Constant) and not a.value)]
    keywords = {k.arg for k in call.keywords if not (isinstance(k.value, ast.Constant) and not k.value.value)}
    # `xfail(condition)`, `raises=` and `**options` say something as well.
    return "" if given or keywords & {"reason", "raises", "condition", None} else word


def _commented(lines: list[str], first: int, last: int) -> bool:
    """Whether a comment stands on the lines of the decorator, right above, or right below the function's first line."""
    around = lines[max(0, first - 2) : last + 1]
    return any("#" in line for line in around)


def _proves_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Assert):
        return _constant(node.test)
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            return value.func.attr in {"assertTrue", "assertEqual", "assertFalse"} and all(map(_constant, value.args))
        return isinstance(value, ast.Constant)
    return False


def _constant(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare):
        return all(isinstance(part, ast.Constant) for part in (node.left, *node.comparators))
    return isinstance(node, ast.Constant) and node.value not in (False, 0, None, "")


#: Parts of names of things that look at results, raise, or expect calls.
_CHECKING = ("assert", "check", "expect", "verify", "raise", "warn", "fail", "valid", "compare", "match", "should",
             "ensure", "must", "test", "diff", "golden", "snapshot", "approv", "run", "regress")  # fmt: skip
#: Statements that can look at a result, or hold something that does.
_LOOKS = (ast.With, ast.AsyncWith, ast.Assert, ast.Raise, ast.Try, ast.Yield, ast.FunctionDef, ast.ClassDef, ast.Lambda)
_SMOKE = ("smoke", "no_error", "not_raise", "crash", "import", "no_exception", "noop", "coverage", "validate", "repr")


def _helpers(tree: ast.Module) -> set[str]:
    """Names that may check by themselves: functions of the file that assert, and what comes from the suite's own modules."""
    found = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             and (node.level or "test" in (node.module or "")) for alias in node.names}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, _Function) and not node.name.startswith("test"):
            found |= (
                {node.name} if any(isinstance(n, ast.Assert | ast.Raise | ast.With) for n in ast.walk(node)) else set()
            )
    return found


def _only_calls(test: _Function, helpers: set[str]) -> bool:
    """Statements are calls and assignments of calls only, and nothing called checks, or is named for it."""
    arguments = [a.arg for a in (*test.args.args, *test.args.kwonlyargs) if a.arg not in {"self", "cls"}]
    if arguments or any(word in test.name.lower() for word in _SMOKE):
        return False
    calls = [ast.unparse(node.func) for node in ast.walk(test) if isinstance(node, ast.Call)]
    looks = any(isinstance(node, _LOOKS) for node in ast.walk(test) if node is not test)
    named = any(part in name.lower() for name in calls for part in _CHECKING)
    return bool(calls) and not looks and not named and not any(name.rpartition(".")[2] in helpers for name in calls)
