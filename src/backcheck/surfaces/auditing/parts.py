"""Requirements made from what a project is: what `init` writes with every line explained, and what closes a corner.

A part names the check that fits best of those that this installation has: `command` stands in where `tests` is not there.
"""

from __future__ import annotations

import importlib.util
import re

from backcheck.checks.registry import names
from backcheck.surfaces.auditing import ground
from backcheck.surfaces.auditing.part import Part, here, program
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.suites import lint, metric, suites

#: Globs of one list.
_MOST = 30


def parts_of(project: Project) -> list[Part]:
    """Every requirement that fits the project, cheapest first."""
    found = [scope(project), judged_by(project), leftovers(), secrets() if _detector() else None]
    running = [part for part in (lint(project), *suites(project), metric(project)) if part and here(part)]
    return [*(part for part in found if part is not None), *running, person()]


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
    if check == "metric":
        return metric(project)
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


def left_out(project: Project) -> list[str]:
    """What would have been written, were it not for something that is missing on this machine; in words."""
    notes = []
    for part in (lint(project), *suites(project)):
        if part and not here(part):
            notes.append(f"{part.id}: {part.arguments['run'][1]}, but {program(part)} is not on the path here")
    if "secrets" in names() and not _detector():
        notes.append("secrets: its detector is not installed (pip install backcheck[secrets])")
    if ground.coverage_tools(project) and metric(project) is None:
        notes.append("coverage: it is set up, but it cannot be measured in a clean copy here (see `metric`)")
    return notes


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
