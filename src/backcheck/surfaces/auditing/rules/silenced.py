"""Type checks and linters that are told to say nothing: of a whole file, or of everything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from backcheck.checks.code.languages import ECMASCRIPT, PYTHON, suffix_of
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project, line_of
from backcheck.surfaces.auditing.settings import ini, table, toml

#: A comment silences a file where it stands above all code.
_TOP = 40
_PYTHON = re.compile(
    r"^#\s*(?P<what>type:\s*ignore|mypy:\s*ignore-errors|flake8[:=]\s*noqa|ruff:\s*noqa|pylint:\s*skip-file|"
    r"pyright:\s*ignore|pytype:\s*skip-file)\s*(?:#.*)?$", re.IGNORECASE)  # fmt: skip
_SCRIPT = re.compile(r"^(?:/\*\s*(?P<rules>eslint-disable)\s*(?:--.*)?\*/|//\s*(?P<types>@ts-nocheck)\b.*)\s*$")
_BASELINES = {
    "mypy-baseline.txt": "mypy", ".mypy-baseline.txt": "mypy", "eslint-suppressions.json": "eslint",
    ".basedpyright/baseline.json": "basedpyright", ".secrets.baseline": "detect-secrets", ".betterer.results": "betterer",
    "ruff-baseline.json": "ruff", ".pylint-baseline": "pylint",
}  # fmt: skip


def whole_file_silenced(project: Project) -> Iterator[Corner]:
    """A file that ships switches a whole checker off for itself, whatever the checker would say.

    Directives for single rules, generated files and other people's code are left out.
    """
    for path, text in project.sources():
        if suffix_of(path).startswith(".d."):
            continue
        found = (
            _python(text) if suffix_of(path) in PYTHON else _javascript(text) if suffix_of(path) in ECMASCRIPT else None
        )
        if found:
            line, what = found
            yield Corner(
                rule="whole-file-silenced", certainty=Certainty.PLAIN, path=path, line=line, closes="lint-report",
                says=f"`{what}` switches the checker off for this whole file",
            )  # fmt: skip


def everything_silenced(project: Project) -> Iterator[Corner]:
    """The configuration of a checker leaves everything out: all rules, or all files."""
    path = "pyproject.toml"
    text = project.text(path) or ""
    mypy = table(toml(project, path), "tool", "mypy")
    if mypy.get("ignore_errors") is True:
        yield _all(path, line_of(text, "ignore_errors"), "mypy's `ignore_errors` is on for every module")
    for override in mypy.get("overrides", []) if isinstance(mypy.get("overrides"), list) else []:
        if (
            isinstance(override, Mapping)
            and override.get("ignore_errors") is True
            and override.get("module") in ("*", ["*"])
        ):
            yield _all(path, line_of(text, "ignore_errors"), "mypy's `ignore_errors` is on for the module `*`")
    for name in ("mypy.ini", ".mypy.ini", "setup.cfg"):
        if ini(project, name).get("mypy", {}).get("ignore_errors", "").strip().lower() in {"true", "1", "yes", "on"}:
            yield _all(
                name,
                line_of(project.text(name) or "", "ignore_errors"),
                "mypy's `ignore_errors` is on for every module",
            )
    for name, tables in (("pyproject.toml", table(toml(project, path), "tool", "ruff")),
                         ("ruff.toml", toml(project, "ruff.toml")), (".ruff.toml", toml(project, ".ruff.toml"))):  # fmt: skip
        yield from _ruff(project, name, tables)
    for name in (".flake8", "setup.cfg", "tox.ini"):
        ignored = ini(project, name).get("flake8", {}).get("ignore", "")
        if {"E", "F", "W"} <= {one.strip() for one in re.split(r"[,\s]+", ignored)}:
            yield _all(
                name, line_of(project.text(name) or "", "ignore"), "flake8 ignores E, F and W: nothing is left of it"
            )
    for name in (".eslintignore",):
        for number, line in enumerate((project.text(name) or "").split("\n"), start=1):
            if line.strip() in {"*", "**", "**/*", "/*", "."}:
                yield _all(name, number, f"`{line.strip()}` leaves every file out of eslint")


def accepted_findings(project: Project) -> Iterator[Corner]:
    """A baseline holds findings that a checker no longer tells."""
    for path, tool in _BASELINES.items():
        text = project.text(path)
        count = _count(text) if text else 0
        if count:
            yield Corner(
                rule="accepted-findings", certainty=Certainty.LOOK, path=path, closes="lint-report",
                says=f"{count:,} findings of {tool} are accepted here; whoever adds to this file silences new ones",
            )  # fmt: skip


def _python(text: str) -> tuple[int, str] | None:
    for number, line in enumerate(text.split("\n")[:_TOP], start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            # Further down such a comment is about its own line.
            return None
        if (found := _PYTHON.match(line)) and number <= _TOP:
            return number, found["what"]
    return None


def _javascript(text: str) -> tuple[int, str] | None:
    for number, line in enumerate(text.split("\n")[:_TOP], start=1):
        found = _SCRIPT.match(line.strip())
        if found:
            again = re.search(r"/\*\s*eslint-enable\b", text) if found["rules"] else None
            return None if again else (number, found["rules"] or found["types"])
        stripped = line.strip()
        if stripped and not stripped.startswith(("//", "/*", "*", "#!", "'use strict'", '"use strict"')):
            return None
    return None


def _ruff(project: Project, path: str, tables: Mapping[str, object]) -> Iterator[Corner]:
    text = project.text(path) or ""
    for values in (tables, table(tables, "lint")):
        if values.get("ignore") == ["ALL"] or "ALL" in (values.get("extend-ignore") or []):  # type: ignore[operator]
            yield _all(path, line_of(text, "ALL"), "ruff ignores `ALL` rules")
        if values.get("select") == []:
            yield _all(path, line_of(text, "select"), "ruff selects no rule")
        for glob, rules in table(values, "per-file-ignores").items():
            if glob in {"*", "**", "**/*", "*.py", "**/*.py"} and rules == ["ALL"]:
                yield _all(path, line_of(text, glob, "ALL"), f"ruff ignores `ALL` rules in `{glob}`")


def _all(path: str, line: int, says: str) -> Corner:
    return Corner(rule="everything-silenced", certainty=Certainty.PLAIN, path=path, line=line, closes="lint-report",
                  says=says)  # fmt: skip


def _count(text: str) -> int:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return sum(1 for line in text.split("\n") if line.strip())
    values = found.get("results", found.get("files", found)) if isinstance(found, dict) else found
    if isinstance(values, Mapping):
        return sum(len(v) if isinstance(v, list | dict) else 1 for v in values.values())
    return len(values) if isinstance(values, list) else 0
