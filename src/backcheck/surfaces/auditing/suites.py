"""Requirements that run something: the suite, coverage, the linter; each with the strongest provenance that works here.

In a clean copy (`observed`) a report can be written and read; in place a report would be a change of the tree, so what the
runner prints is read.
"""

from __future__ import annotations

import re
import shutil
import subprocess

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON
from backcheck.checks.registry import names
from backcheck.evidence.sandbox import bubblewrap
from backcheck.surfaces.auditing import ground
from backcheck.surfaces.auditing.part import Explained, Part
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.rules.coverage_floor import python_floor
from backcheck.surfaces.auditing.settings import ini, package, scripts, table, toml

_REPORT = "backcheck-tests.xml"
_SUITE = (
    "Runs the whole suite and counts it. It is slow, so it is asked where work leaves the machine, not at every stop."
)
_TEST = re.compile(r"^\s*(?:(?:async )?def test\w*\(|(?:it|test|specify)(?:\.only)?\()", re.MULTILINE)
#: Options by which a runner prints what can be counted.
_PRINTS = {"node:test": ["--test-reporter=tap"], "mocha": ["--reporter=tap"], "ava": ["--tap"], "tape": [], "tap": [], "jest": [],
           "vitest": ["--reporter=json"]}  # fmt: skip
#: A share of today's tests that must pass, so that a run of a part of them is none.
_SHARE = 2
_MODULE_SECONDS = 20.0


def suites(project: Project) -> list[Part]:
    """One requirement for each runner."""
    found = []
    runner = ground.python_runner(project)
    if runner:
        found.append(_python(project, runner))
    if "test" in scripts(project):
        found.append(_javascript(project, "tests-javascript" if found else "tests"))
    return found


def lint(project: Project) -> Part | None:
    """The project's own linter."""
    known = ground.checkers(project)
    if "ruff" in known and "lint-report" in names() and bubblewrap():
        return _ruff()
    if "ruff" in known or "flake8" in known:
        argv = ["ruff", "check", "."] if "ruff" in known else ["flake8"]
        return _command("lint", f"{argv[0]} finds nothing", argv, f"the project is set up for {argv[0]}")
    if "lint" in scripts(project):
        return _command(
            "lint", "The lint script finds nothing", ["npm", "run", "lint"], "package.json has a script of this name"
        )
    return None


def metric(project: Project) -> Part | None:
    """Coverage, where coverage.py is set up and can measure in a clean copy."""
    python = _interpreter()
    fits = "coverage.py" in ground.coverage_tools(project) and "metric" in names() and bubblewrap()
    if not fits or needs_installing(project) or not _has_module(python, "coverage"):
        return None
    report = "backcheck-coverage.json"
    run = f"{python} -m coverage run -m pytest -q && {python} -m coverage json -o {report}"
    floor = python_floor(project)
    arguments: Explained = {
        "run": (run, "measures in a clean copy"),
        "report": (report, "what that run writes, and nothing that lay there before"),
        "timeout": (900, "seconds; longer is a failure"),
        "floor": (
            floor or 80,
            "percent of lines, as the project's own floor" if floor else "percent; choose your own number",
        ),
    }
    fields: Explained = {
        "provenance": ("observed", "backcheck measures it itself; a report that somebody saved does not count"),
        "at": (["push", "server"], "it runs the suite, so it is as slow"),
    }
    if not floor:
        fields = {**fields, "severity": ("warn", "the project names no floor; take this line away once you chose one")}
    return Part(id="coverage", description="Enough of the code is run by the tests", check="metric",
                about="Counts executed lines from coverage.py's report.", arguments=arguments, fields=fields)  # fmt: skip


def needs_installing(project: Project) -> bool:
    """Whether the project names dependencies of its own, which no clean copy holds."""
    python = toml(project, "pyproject.toml")
    named = [table(python, "project").get("dependencies"), table(python, "tool", "poetry", "dependencies"),
             package(project).get("dependencies"), package(project).get("devDependencies"),
             ini(project, "setup.cfg").get("options", {}).get("install_requires")]  # fmt: skip
    return any(named) or any(project.matching(r"^requirements[\w-]*\.txt$"))


def _python(project: Project, runner: str) -> Part:
    argv = [_interpreter(), "-m", runner, *(["-q"] if runner == "pytest" else ["-v"])]
    if runner != "pytest" or "tests" not in names():
        return _command("tests", "The whole suite passes", argv, f"{runner} runs this suite", slow=project)
    clean = _clean(project)
    report: Explained = {}
    if clean:
        argv.append(f"--junitxml={_REPORT}")
        report = {"report": (_REPORT, "what that run writes, and nothing that lay there before")}
    return _tests(project, "tests", argv, "pytest runs this suite", report, _count(project, PYTHON))


def _javascript(project: Project, name: str) -> Part:
    runner = ground.javascript_runner(project)
    why = f"package.json names it ({runner})" if runner else "package.json names it"
    if "tests" not in names() or runner not in _PRINTS:
        return _command(name, "The whole suite passes", ["npm", "test"], why, slow=project)
    options = _PRINTS[runner]
    argv = ["npm", "test", "--silent", *(["--", *options] if options else [])]
    return _tests(project, name, argv, why, {}, _count(project, ECMASCRIPT))


def _tests(project: Project, name: str, argv: list[str], why: str, report: Explained, count: int) -> Part:
    least = max(1, count // _SHARE)
    arguments: Explained = {
        "run": (argv, why),
        **report,
        "min_passed": (least, f"half of the {count} that stand in the sources today; raise it to what passes"),
        "timeout": (900, "seconds; longer is a failure"),
    }
    return Part(id=name, description="The whole suite passes", check="tests", about=_SUITE, arguments=arguments,
                fields=_fields(project))  # fmt: skip


def _command(name: str, description: str, argv: list[str], why: str, slow: Project | None = None) -> Part:
    about = (
        _SUITE
        if slow
        else "Runs the checker that the project is set up for, quick enough for every stop. What it finds today, mend first."
    )
    return Part(
        id=name, description=description, check="command", about=about,
        arguments={"run": (argv, why), "timeout": (900 if slow else 120, "seconds; longer is a failure")},
        fields=_fields(slow) if slow else {},
    )  # fmt: skip


def _ruff() -> Part:
    report = "backcheck-ruff.json"
    argv = ["ruff", "check", ".", "--no-cache", "--output-format=json", f"--output-file={report}"]
    return Part(
        id="lint", description="ruff finds nothing", check="lint-report",
        about="Runs ruff in a clean copy, quick enough for every stop. What it finds today, mend first, or raise `max`.",
        arguments={
            "run": (argv, "the project is set up for ruff"),
            "report": (report, "what that run writes, and nothing that lay there before"),
            "format": ("ruff", "an empty report does not say whose it is"),
            "max": ({"error": 0, "warning": 0}, "how many of each level at most"),
        },
        fields={"provenance": ("observed", "backcheck runs it itself; a report that somebody saved does not count")},
    )  # fmt: skip


def _fields(project: Project) -> Explained:
    strongest = "observed" if _clean(project) else "recorded"
    why = "backcheck runs it itself, in a clean copy, away from the rest of this machine"
    if needs_installing(project):
        why = ("backcheck runs it itself, where the dependencies are installed; with `prepare` at the top (say, [npm, ci] or "
               "[uv, sync, --frozen]) it can be `observed`, in a clean copy")  # fmt: skip
    elif strongest == "recorded":
        why = "backcheck runs it itself; `observed` needs bubblewrap, which does not work here"
    return {"provenance": (strongest, why), "at": (["push", "server"], "without this line it is asked everywhere")}


def _clean(project: Project) -> bool:
    """Whether a clean copy holds all that a run needs."""
    return bool(bubblewrap()) and not needs_installing(project)


def _count(project: Project, suffixes: frozenset[str]) -> int:
    return sum(len(_TEST.findall(text)) for _, text in project.tests(suffixes))


def _interpreter() -> str:
    return "python3" if shutil.which("python3") or not shutil.which("python") else "python"


def _has_module(python: str, name: str) -> bool:
    """Asked of the interpreter itself, away from the tree, so that nothing of it is imported."""
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is None)"
    try:
        done = subprocess.run(
            [python, "-I", "-c", code], cwd="/", capture_output=True, timeout=_MODULE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
