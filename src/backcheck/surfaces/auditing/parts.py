"""Requirements made from what a project is: what `init` writes with every line explained, and what closes a corner.

A part names the check that fits best of those that this installation has: `command` stands in where `tests` is not there.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backcheck.checks.registry import names
from backcheck.evidence.sandbox import bubblewrap
from backcheck.surfaces.auditing import ground
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.settings import ini, package, scripts, table, toml

Value = str | int | float | bool | Sequence[str]


#: Globs of one list.
_MOST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One requirement. `arguments` and `fields` are name → (value, why); `about` is said above it."""

    id: str
    description: str
    check: str
    about: str
    arguments: Mapping[str, tuple[Value, str]] = field(default_factory=dict)
    fields: Mapping[str, tuple[Value, str]] = field(default_factory=dict)


def parts_of(project: Project) -> list[Part]:
    """Every requirement that fits the project, cheapest first."""
    found = [scope(project), judged_by(project), leftovers(), secrets() if _detector() else None,
             *(part for part in (lint(project), *suites(project)) if part and _here(part)), person()]  # fmt: skip
    return [part for part in found if part is not None]


def _here(part: Part) -> bool:
    """Whether the program that a requirement runs is on this machine."""
    argv = part.arguments["run"][0]
    return not isinstance(argv, Sequence) or shutil.which(argv[0]) is not None


def _detector() -> bool:
    return importlib.util.find_spec("kingfisher_sdk") is not None


def part_for(check: str, project: Project) -> Part | None:
    """The requirement that closes a corner which names this check."""
    if check == "tests":
        return next(iter(suites(project)), None)
    if check == "diff-scope":
        return scope(project)
    if check == "lint-report":
        return lint(project)
    return {"placeholder": leftovers, "secrets": secrets}.get(check, lambda: None)()


def scope(project: Project) -> Part:
    """Only the project's own folders change, and nothing of what judges from outside: CI, hooks, the contract."""
    folders = sorted({path.split("/")[0] for path in project.paths if "/" in path and not path.startswith(".")})
    top = [path for path in project.paths if "/" not in path]
    files = sorted({f"*.{path.rpartition('.')[2]}" if "." in path[1:] else _literal(path) for path in top})
    guarded = [*_there(project, ".github/**", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".circleci/**", ".husky/**", ".githooks/**",
                       ".pre-commit-config.yaml", ".claude/**", "AGENTS.md", "CLAUDE.md"), ".backcheck/**"]  # fmt: skip
    allowed = [*(f"{_literal(folder)}/**" for folder in folders[:_MOST]), *files[:_MOST]]
    return Part(
        id="scope", description="Only the project's own files change, and nothing that judges the work", check="diff-scope",
        about="Compares base and tree path by path; what was committed in between changes nothing.",
        arguments={
            "allowed": (allowed, "what is there today; narrow it to what the task is about"),
            "protected": (guarded, "CI, hooks, instructions and this contract; wins over `allowed`"),
        },
    )  # fmt: skip


def _literal(name: str) -> str:
    """A name as a glob that matches nothing else."""
    return re.sub(r"([\\*?\[\]{}!()])", r"\\\1", name)


def judged_by(project: Project) -> Part | None:
    """Tests and the configuration of their runner: a change there is shown."""
    wanted = [*_test_globs(project), *_there(
        project, "pyproject.toml", "package.json", "pytest.ini", "tox.ini", "setup.cfg", "noxfile.py", ".coveragerc",
        "conftest.py", "jest.config.js", "vitest.config.ts", "vitest.config.js", ".mocharc.json", ".nycrc", "Makefile",
    )]  # fmt: skip
    if not wanted:
        return None
    return Part(
        id="tests-unchanged", description="The tests and their configuration are as they were", check="diff-scope",
        about="Honest work adds tests, so a change here is shown and does not block.",
        arguments={"protected": (list(dict.fromkeys(wanted)), "tests, and what configures them")},
        fields={"severity": ("warn", "take this line away where the task is to leave the tests alone")},
    )  # fmt: skip


def leftovers() -> Part | None:
    """No stub in added lines."""
    if "placeholder" not in names():
        return None
    return Part(
        id="leftovers", description="No stub or leftover is added", check="placeholder",
        about="Looks at added lines only; what lay there before is not this change's.",
    )  # fmt: skip


def secrets() -> Part | None:
    """No credential in what the change brings."""
    if "secrets" not in names():
        return None
    return Part(
        id="secrets", description="The change brings no credential", check="secrets",
        about="Looks at what the change brings; a value is never shown.",
    )  # fmt: skip


def lint(project: Project) -> Part | None:
    """The project's own checker, run here."""
    found = _lint_command(project)
    if found is None:
        return None
    argv, why = found
    return Part(
        id="lint", description=f"{'The lint script' if argv[0] == 'npm' else argv[0]} finds nothing", check="command",
        about="Runs the checker that the project is set up for; it is quick enough for every stop.",
        arguments={"run": (argv, why), "timeout": (120, "seconds; longer is a failure")},
    )  # fmt: skip


def left_out(project: Project) -> list[str]:
    """What would have been written, were it not for something that is missing on this machine; in words."""
    notes = []
    found = _lint_command(project)
    if found is not None and not shutil.which(found[0][0]):
        notes.append(f"lint: {found[1]}, but {found[0][0]} is not on the path here")
    if "secrets" in names() and not _detector():
        notes.append("secrets: its detector is not installed (pip install backcheck[secrets])")
    if ground.coverage_tools(project) and "metric" not in names():
        notes.append("coverage: it is set up, and this installation has no check `metric`")
    return notes


def suites(project: Project) -> list[Part]:
    """One requirement for each runner."""
    found = []
    for name, argv, why in _suite_commands(project):
        found.append(Part(
            id=name, description="The whole suite passes", check="command",
            about="Runs the suite. It is slow, so it is asked where work leaves the machine, not at every stop.",
            arguments={"run": (argv, why), "timeout": (900, "seconds; longer is a failure")},
            fields={"provenance": _provenance(project), "at": (["push", "server"], "without this line it is asked everywhere")},
        ))  # fmt: skip
    return found


def _provenance(project: Project) -> tuple[Value, str]:
    """The strongest that works here without a step that installs."""
    if needs_installing(project):
        return "recorded", ("backcheck runs it itself, where the dependencies are installed; with `prepare` at the top "
                            "(say, [npm, ci] or [uv, sync, --frozen]) it can be `observed`, in a clean copy")  # fmt: skip
    if not bubblewrap():
        return "recorded", "backcheck runs it itself; `observed` needs bubblewrap, which is not installed here"
    return "observed", "backcheck runs it itself, in a clean copy, away from the rest of this machine"


def needs_installing(project: Project) -> bool:
    """Whether the project names dependencies of its own, which no clean copy holds."""
    python = toml(project, "pyproject.toml")
    named = [table(python, "project").get("dependencies"), table(python, "tool", "poetry", "dependencies"),
             package(project).get("dependencies"), package(project).get("devDependencies")]  # fmt: skip
    return (
        any(named)
        or any(project.matching(r"^requirements[\w-]*\.txt$"))
        or "install_requires" in ini(project, "setup.cfg").get("options", {})
    )


def person() -> Part:
    """What no check decides."""
    return Part(
        id="asked-for", description="The change does what was asked for", check="human",
        about="No file and no run can say this; a reviewer answers with `backcheck decide`, before the work is merged.",
        arguments={"question": ("Does the change do what the task asks for, all of it and nothing else?", "write your own")},
        fields={"at": (["server"], "asked last, where a person looks anyway")},
    )  # fmt: skip


def _test_globs(project: Project) -> list[str]:
    folders = {path.split("/")[0] for path in project.paths if project.is_test(path) and "/" in path}
    inside = [f"{folder}/**" for folder in sorted(folders) if folder not in {"src", "lib"} and len(folders) < 6
              and all(project.is_test(p) or "test" in p for p in project.paths if p.startswith(f"{folder}/"))]  # fmt: skip
    rest = [p for p in project.paths if project.is_test(p) and not any(p.startswith(g[:-2]) for g in inside)]
    by_name = {"**/test_*.py" for p in rest if p.rsplit("/", 1)[-1].startswith("test_")}
    by_name |= {f"**/*.{part}.*" for p in rest for part in ("test", "spec") if f".{part}." in p}
    return [*inside, *sorted(by_name)]


def _there(project: Project, *globs: str) -> list[str]:
    return [glob for glob in globs if project.has_below(glob.removesuffix("/**"))]


def _lint_command(project: Project) -> tuple[list[str], str] | None:
    known = ground.checkers(project)
    if "ruff" in known:
        return ["ruff", "check", "."], "the project is set up for ruff"
    if "flake8" in known:
        return ["flake8"], "the project is set up for flake8"
    if "lint" in scripts(project):
        return ["npm", "run", "lint"], "package.json has a script of this name"
    return None


def _suite_commands(project: Project) -> list[tuple[str, list[str], str]]:
    found = []
    runner = ground.python_runner(project)
    python = "python3" if shutil.which("python3") else "python"
    if runner == "pytest":
        found.append(("tests", [python, "-m", "pytest", "-q"], "pytest runs this suite"))
    elif runner == "unittest":
        found.append(("tests", [python, "-m", "unittest"], "unittest runs this suite"))
    if "test" in scripts(project):
        name = "tests-javascript" if found else "tests"
        found.append((name, ["npm", "test"], "package.json names it"))
    return found
