"""How the test runner is set up: what it takes for green, what it leaves out, and what bends its answers."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project, line_of
from backcheck.surfaces.auditing.settings import package, pytest_setting, scripts, table, words

_JS_CONFIG = r"(?:^|/)(?:jest|vitest|vite|mocha|ava|playwright)\.config\.[cm]?[jt]s$|(?:^|/)\.mocharc\.[cm]?js(?:on)?$"
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml")
_LOOSE = re.compile(
    r"""(?:^|[\s"'\[,])(pytest-rerunfailures|flaky|pytest-retry|pytest-flakefinder)(?=$|[\s"',<>=~!;\[\]])"""
)
_COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")


def no_tests_pass(project: Project) -> Iterator[Corner]:
    """The runner answers with success where it found no test (`--passWithNoTests`, `--suppress-no-test-exit-code`)."""
    for name, script in scripts(project).items():
        for flag in ("--passWithNoTests", "--pass-with-no-tests"):
            if flag in script.value:
                yield _no_tests(script.path, script.line, f"the script `{name}` has `{flag}`")
    if table(package(project), "jest").get("passWithNoTests") is True:
        path = "package.json"
        yield _no_tests(path, line_of(project.text(path) or "", "passWithNoTests"), "jest has `passWithNoTests: true`")
    for path in project.matching(_JS_CONFIG):
        text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), project.text(path) or "")
        if found := re.search(r"\bpassWithNoTests['\"]?\s*:\s*true\b", text):
            yield _no_tests(path, text.count("\n", 0, found.start()) + 1, "the runner has `passWithNoTests: true`")
    addopts = pytest_setting(project, "addopts")
    if addopts and "--suppress-no-test-exit-code" in addopts.value:
        yield _no_tests(addopts.path, addopts.line, "pytest has `--suppress-no-test-exit-code`")


def _no_tests(path: str, line: int, says: str) -> Corner:
    return Corner(rule="no-tests-pass", certainty=Certainty.PLAIN, path=path, line=line, closes="tests",
                  says=f"{says}: a run without a single test is green")  # fmt: skip


def tests_left_out(project: Project) -> Iterator[Corner]:
    """pytest's configuration leaves tests out of every run (`--ignore`, `--deselect`, `-k "not …"`)."""
    addopts = pytest_setting(project, "addopts")
    options = words(addopts.value) if addopts else []
    for number, word in enumerate(options):
        name, _, value = word.partition("=")
        following = value or (options[number + 1] if number + 1 < len(options) else "")
        gone = name in {"--ignore", "--deselect", "--ignore-glob"}
        if addopts and (gone or (name == "-k" and following.startswith("not "))):
            path = following.split("::")[0]
            if name == "--ignore" and not any(project.is_test(p) for p in project.paths if p.startswith(path)):
                continue
            yield Corner(
                rule="tests-left-out", certainty=Certainty.LOOK, path=addopts.path, line=addopts.line, closes="tests",
                says=f"every run of pytest leaves tests out: `{name} {following}`",
            )  # fmt: skip


def testpaths_match_nothing(project: Project) -> Iterator[Corner]:
    """pytest's `testpaths` name a folder that is not there.

    pytest warns of it and collects from the current folder instead, so a run may be green over other tests. Asked in
    repositories only: an archive may leave tests out.
    """
    setting = pytest_setting(project, "testpaths")
    if setting is None or not project.git:
        return
    for path in words(setting.value):
        if not re.search(r"[*?\[]", path) and not project.has_below(path):
            yield Corner(
                rule="testpaths-match-nothing", certainty=Certainty.PLAIN, path=setting.path, line=setting.line,
                closes="tests", says=f"`testpaths` names `{path}`, and there is no such file or folder",
            )  # fmt: skip


def reruns_hide_failures(project: Project) -> Iterator[Corner]:
    """The runner repeats a failed test until it passes, for all tests."""
    addopts = pytest_setting(project, "addopts")
    if addopts and re.search(r"(?:^|\s)--(?:reruns|retries|force-flaky)\b", addopts.value):
        yield Corner(
            rule="reruns-hide-failures", certainty=Certainty.LOOK, path=addopts.path, line=addopts.line, closes="tests",
            says="pytest repeats failed tests in every run; a test that fails at times is counted as passed",
        )  # fmt: skip
    for name, script in scripts(project).items():
        if re.search(r"\bmocha\b.*--retries[= ][1-9]", script.value):
            yield Corner(
                rule="reruns-hide-failures", certainty=Certainty.LOOK, path=script.path, line=script.line, closes="tests",
                says=f"the script `{name}` repeats failed tests (`--retries`)",
            )  # fmt: skip


def loose_outcome_plugin(project: Project) -> Iterator[Corner]:
    """A plugin that can turn a failed test into a passed one is required without a fixed version, and no lock fixes it."""
    if project.first(*LOCKS):
        return
    files = project.matching(r"(?:^|/)(?:[\w-]*requirements[\w-]*\.(?:txt|in)|pyproject\.toml|tox\.ini|setup\.cfg)$")
    for path in files:
        for number, line in enumerate((project.text(path) or "").split("\n"), start=1):
            found = _LOOSE.search(line.split("#")[0])
            if found and "==" not in line:
                yield Corner(
                    rule="loose-outcome-plugin", certainty=Certainty.LOOK, path=path, line=number, closes="tests",
                    says=f"`{found[1]}` can turn a failed test into a passed one, and its version is not fixed",
                )  # fmt: skip


def outcome_rewritten(project: Project) -> Iterator[Corner]:
    """A conftest sets the outcome of a test, or the exit code of the run, by itself.

    It assigns to `outcome`, `passed`, `failed` or `exitstatus`, or leaves the process with code 0.
    """
    for path in project.matching(r"(?:^|/)conftest\.py$"):
        text = project.text(path)
        for node in ast.walk(tree) if text and (tree := parsed(text)) else ():
            said = _rewrites(node)
            if said:
                yield Corner(
                    rule="outcome-rewritten", certainty=Certainty.PLAIN, path=path, line=getattr(node, "lineno", 0),
                    closes="tests", says=f"{said}, so a report may say passed where a test did not",
                )  # fmt: skip


def parsed(text: str) -> ast.Module | None:
    """A Python file's tree; None where it does not parse here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _rewrites(node: ast.AST) -> str:
    if isinstance(node, ast.Assign):
        targets = [t for t in node.targets if isinstance(t, ast.Attribute)]
        good = isinstance(node.value, ast.Constant) and node.value.value in {"passed", 0, True}
        for target in targets:
            if good and target.attr == "outcome" and node.value.value == "passed":  # type: ignore[attr-defined]
                return "the outcome of a test is set to `passed`"
            if good and target.attr == "exitstatus":
                return "the exit code of the run is set to 0"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_exit":
        code = node.args[0] if node.args else None
        if isinstance(code, ast.Constant) and code.value == 0:
            return "the run is left with code 0 (`os._exit`)"
    return ""
