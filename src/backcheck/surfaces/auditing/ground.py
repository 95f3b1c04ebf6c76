"""What a project is, by its own files: languages, package manager, runner, CI, coverage, checkers, hooks, instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from backcheck.checks.code.languages import PYTHON, suffix_of
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.rules.unfinished import INSTRUCTIONS
from backcheck.surfaces.auditing.settings import ini, package, pytest_files, scripts, table, toml

_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(PYTHON, "Python"), ".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
    ".ts": "TypeScript", ".tsx": "TypeScript", ".mts": "TypeScript", ".cts": "TypeScript", ".go": "Go", ".rs": "Rust",
    ".java": "Java", ".kt": "Kotlin", ".rb": "Ruby", ".php": "PHP", ".c": "C", ".cc": "C++", ".cpp": "C++", ".cs": "C#",
    ".swift": "Swift",
}  # fmt: skip
#: The languages that rules read.
READ = {"Python", "JavaScript", "TypeScript"}
_LOCKS = {
    "uv.lock": "uv", "poetry.lock": "poetry", "pdm.lock": "pdm", "Pipfile.lock": "pipenv", "requirements.txt": "pip",
    "package-lock.json": "npm", "npm-shrinkwrap.json": "npm", "yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm",
    "bun.lockb": "bun", "bun.lock": "bun", "Cargo.lock": "cargo", "go.sum": "go", "Gemfile.lock": "bundler",
}  # fmt: skip
_CI = {".github/workflows/": "GitHub Actions", ".gitlab-ci.y": "GitLab CI", ".circleci/": "CircleCI",
       "azure-pipelines.y": "Azure Pipelines", ".travis.y": "Travis CI", "Jenkinsfile": "Jenkins",
       "bitbucket-pipelines.y": "Bitbucket", ".forgejo/workflows/": "Forgejo Actions"}  # fmt: skip
#: CI definitions that rules read.
READ_CI = {"GitHub Actions", "GitLab CI", "Forgejo Actions"}


def languages(project: Project) -> list[str]:
    """Languages of the code, most files first."""
    counts = Counter(_LANGUAGES[s] for path in project.paths if (s := suffix_of(path)) in _LANGUAGES)
    return [name for name, _ in counts.most_common()]


def ci_systems(project: Project) -> list[str]:
    """CI systems that have a definition in the tree."""
    return [name for start, name in _CI.items() if any(path.startswith(start) for path in project.paths)]


def python_runner(project: Project) -> str:
    """`pytest`, `unittest` or nothing."""
    if any(True for _ in pytest_files(project)) or project.matching(r"(?:^|/)conftest\.py$"):
        return "pytest"
    tests = [text for _, text in project.tests(PYTHON)]
    if any("import pytest" in text for text in tests):
        return "pytest"
    if any("unittest" in text for text in tests):
        return "unittest"
    return "pytest" if tests else ""


def javascript_runner(project: Project) -> str:
    """The runner by package.json's test script, or by what is required for development."""
    script = scripts(project)["test"].value if "test" in scripts(project) else ""
    for name in ("vitest", "jest", "mocha", "ava", "tape", "tap", "jasmine", "uvu"):
        if name in script.replace("/", " ").split() or f"{name} " in f"{script} ":
            return name
    if "node --test" in script or "node:test" in script:
        return "node:test"
    development = table(package(project), "devDependencies")
    return next((name for name in ("vitest", "jest", "mocha", "ava", "tape", "tap") if name in development), "")


def checkers(project: Project) -> list[str]:
    """Linters and type checkers that have a configuration."""
    tool = table(toml(project, "pyproject.toml"), "tool")
    found = {name: name in tool for name in ("ruff", "mypy", "pyright", "basedpyright", "pylint", "black", "ty")}
    found["ruff"] |= project.first("ruff.toml", ".ruff.toml") is not None
    found["mypy"] |= project.first("mypy.ini", ".mypy.ini") is not None or "mypy" in ini(project, "setup.cfg")
    found["flake8"] = project.has(".flake8") or any("flake8" in ini(project, p) for p in ("setup.cfg", "tox.ini"))
    eslint = project.matching(r"^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$")
    found["eslint"] = bool(eslint) or "eslintConfig" in package(project)
    found["tsc"] = project.has("tsconfig.json")
    found["biome"] = project.first("biome.json", "biome.jsonc") is not None
    return [name for name, there in found.items() if there]


def coverage_tools(project: Project) -> list[str]:
    """Coverage tools that have a configuration."""
    found = []
    sections = [*ini(project, "setup.cfg"), *ini(project, "tox.ini")]
    if project.has(".coveragerc") or "coverage" in table(toml(project, "pyproject.toml"), "tool") or any(
        name.startswith("coverage:") for name in sections
    ):  # fmt: skip
        found.append("coverage.py")
    for name, files in (("nyc", (".nycrc", ".nycrc.json")), ("c8", (".c8rc", ".c8rc.json"))):
        if (
            project.first(*files)
            or name in package(project)
            or any(name in s.value.split() for s in scripts(project).values())
        ):
            found.append(name)
    if "jest" in package(project) and "coverageThreshold" in table(package(project), "jest"):
        found.append("jest")
    return found


def facts(project: Project) -> dict[str, str]:
    """What the project is, each in a few words; `none found` where nothing says it."""
    locks = [f"{name} ({tool})" for name, tool in _LOCKS.items() if project.has(name)]
    hooks = [name for name in (".pre-commit-config.yaml", ".husky", ".githooks", "lefthook.yml", ".claude/settings.json")
             if project.has(name) or project.has_below(name)]  # fmt: skip
    runners = [name for name in (python_runner(project), javascript_runner(project)) if name]
    tests = sum(project.is_test(path) for path in project.paths)
    found = {
        "languages": ", ".join(languages(project)[:5]),
        "lock files": ", ".join(locks),
        "tests": ", ".join([_files(tests), *([" and ".join(runners)] if runners else [])]) if tests else "",
        "CI": ", ".join(ci_systems(project)),
        "coverage": ", ".join(coverage_tools(project)),
        "checkers": ", ".join(checkers(project)),
        "hooks": ", ".join(hooks),
        "for agents": ", ".join(name for name in INSTRUCTIONS if project.has(name)),
        "contract": _contract(project),
    }
    return {name: value or "none found" for name, value in found.items()}


def _contract(project: Project) -> str:
    from backcheck.contract.find import ALL_NAMES

    return project.first(*ALL_NAMES) or ""


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"
