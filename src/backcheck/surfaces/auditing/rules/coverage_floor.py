"""Coverage that is measured and asks nothing, or leaves everything out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project, line_of
from backcheck.surfaces.auditing.settings import ini, package, pytest_setting, scripts, table, toml

#: Ordinary lines; an exclusion that matches all of them leaves everything out.
_ORDINARY = ("x = 1", "return value", "if a < b:", "call(x)", "for item in items:")

#: Where projects keep what CI calls.
_FLOOR_PLACES = (".github/", ".gitlab-ci", ".circleci/", "ci/", ".ci/", "scripts/", "script/", "tools/", "bin/", "dev/")


def coverage_asks_nothing(project: Project) -> Iterator[Corner]:
    """A floor of 0 is set for coverage, or coverage is set up and nothing in the tree sets a floor.

    A floor of 0 is a plain fact. No floor is worth a look, in repositories only: another service may hold one. Looked for:
    `fail_under`, `--cov-fail-under`, `--fail-under`, codecov's targets, jest's `coverageThreshold`, nyc's and c8's
    `check-coverage`.
    """
    found = _coverage_config(project)
    if found is not None:
        path, values = found
        floor = str(values.get("report:fail_under", "")).strip()
        if _zero(floor):
            yield Corner(
                rule="coverage-asks-nothing", certainty=Certainty.PLAIN, path=path, closes="metric",
                line=line_of(project.text(path) or "", "fail_under"), says="`fail_under` is 0: any coverage is enough",
            )  # fmt: skip
        elif not floor and project.git and not _floor_elsewhere(project):
            yield Corner(
                rule="coverage-asks-nothing", certainty=Certainty.LOOK, path=path, closes="metric",
                says="coverage is set up, and nothing in this tree sets a floor for it",
            )  # fmt: skip
    addopts = pytest_setting(project, "addopts")
    flag = re.search(r"--cov-fail-under[= ](\S+)", addopts.value) if addopts else None
    if addopts and flag and _zero(flag[1]):
        yield Corner(
            rule="coverage-asks-nothing", certainty=Certainty.PLAIN, path=addopts.path, line=addopts.line,
            closes="metric", says="`--cov-fail-under` is 0: any coverage is enough",
        )  # fmt: skip
    yield from _javascript(project)


def coverage_leaves_all_out(project: Project) -> Iterator[Corner]:
    """What coverage leaves out (`omit`, `exclude_lines`, `exclude_also`) matches every file or every line."""
    found = _coverage_config(project)
    if found is None:
        return
    path, values = found
    text = project.text(path) or ""
    for name in ("report:exclude_lines", "report:exclude_also"):
        for pattern in _listed(values.get(name)):
            if _matches_all(pattern):
                yield Corner(
                    rule="coverage-leaves-all-out", certainty=Certainty.PLAIN, path=path, closes="metric",
                    line=line_of(text, pattern),
                    says=f"`{name.partition(':')[2]}` holds `{pattern}`, which matches ordinary lines of code",
                )  # fmt: skip
    for name in ("run:omit", "report:omit"):
        for pattern in _listed(values.get(name)):
            if pattern in {"*", "**", "**/*", "*.py", "*/*"}:
                yield Corner(
                    rule="coverage-leaves-all-out", certainty=Certainty.PLAIN, path=path, closes="metric",
                    line=line_of(text, pattern), says=f"`omit` holds `{pattern}`, which leaves every file out",
                )  # fmt: skip


def python_floor(project: Project) -> float:
    """The floor that coverage.py's own configuration sets, in percent; 0 where it sets none."""
    found = _coverage_config(project)
    try:
        floor = float(str(found[1].get("report:fail_under", "")).strip()) if found else 0
    except ValueError:
        return 0
    return floor if 0 < floor <= 100 else 0


def _javascript(project: Project) -> Iterator[Corner]:
    for path, values in (
        ("package.json", table(package(project), "nyc")), ("package.json", table(package(project), "c8")),
        *((p, _json(project, p)) for p in (".nycrc", ".nycrc.json", ".c8rc", ".c8rc.json") if project.has(p)),
    ):  # fmt: skip
        if values.get("check-coverage") is False:
            yield Corner(
                rule="coverage-asks-nothing", certainty=Certainty.PLAIN, path=path, closes="metric",
                line=line_of(project.text(path) or "", "check-coverage"),
                says="`check-coverage` is false: any coverage is enough",
            )  # fmt: skip
        if values.get("check-coverage") is True:
            floors = {name: values[name] for name in ("lines", "branches", "functions", "statements") if name in values}
            if floors and all(_zero(str(value)) for value in floors.values()):
                yield Corner(
                    rule="coverage-asks-nothing", certainty=Certainty.PLAIN, path=path, closes="metric",
                    line=line_of(project.text(path) or "", f'"{next(iter(floors))}"'),
                    says="every coverage floor is 0: any coverage is enough",
                )  # fmt: skip
    threshold = table(package(project), "jest", "coverageThreshold", "global")
    if threshold and all(_zero(str(value)) for value in threshold.values()):
        yield Corner(
            rule="coverage-asks-nothing", certainty=Certainty.PLAIN, path="package.json", closes="metric",
            line=line_of(project.text("package.json") or "", "coverageThreshold"),
            says="every value of `coverageThreshold` is 0: any coverage is enough",
        )  # fmt: skip


def _json(project: Project, path: str) -> Mapping[str, Any]:
    try:
        found = json.loads(project.text(path) or "")
    except (ValueError, RecursionError):
        project.problems.append(f"{path}: it is no JSON")
        return {}
    return found if isinstance(found, dict) else {}


def _coverage_config(project: Project) -> tuple[str, dict[str, Any]] | None:
    """The file that coverage.py takes, and its settings by `section:name`."""
    for path, prefix in ((".coveragerc", ""), ("setup.cfg", "coverage:"), ("tox.ini", "coverage:")):
        sections = ini(project, path)
        values = {f"{s.removeprefix(prefix)}:{k}": v for s, keys in sections.items() if s.startswith(prefix)
                  for k, v in keys.items()}  # fmt: skip
        if values:
            return path, values
    tables = table(toml(project, "pyproject.toml"), "tool", "coverage")
    values = {f"{s}:{k}": v for s, keys in tables.items() if isinstance(keys, Mapping) for k, v in keys.items()}
    return ("pyproject.toml", values) if values else None


def _floor_elsewhere(project: Project) -> bool:
    """Whether any configuration in the tree holds a floor by another name."""
    places = [path for path in project.paths if path.startswith(_FLOOR_PLACES)]
    names = ("tox.ini", "noxfile.py", "Makefile", "justfile", "pyproject.toml", "setup.cfg", "codecov.yml", ".codecov.yml",
             ".github/codecov.yml", "codecov.yaml", ".pre-commit-config.yaml", "pytest.ini")  # fmt: skip
    wanted = re.compile(r"fail[-_]under|(?m:^\s*(?:target|threshold)\s*:)")
    texts = (project.text(path) or "" for path in [*places, *(name for name in names if project.has(name))])
    return any(wanted.search(text) for text in texts) or any("fail-under" in s.value for s in scripts(project).values())


def _listed(value: Any) -> list[str]:
    lines = value if isinstance(value, list) else str(value or "").split("\n")
    return [str(one).strip() for one in lines if str(one).strip()]


def _matches_all(pattern: str) -> bool:
    import re2

    try:
        wanted = re2.compile(pattern)
    except re2.error:
        return False
    return all(wanted.search(line) for line in _ORDINARY)


def _zero(text: str) -> bool:
    try:
        return float(text) == 0
    except ValueError:
        return False
