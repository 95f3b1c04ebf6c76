"""The configuration files of a project as values with places: TOML, INI, JSON, and CI files in YAML."""

from __future__ import annotations

import configparser
import functools
import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from backcheck.surfaces.auditing.project import Project, line_of

#: Nodes of one YAML file that are visited; aliases are followed once.
MAX_NODES = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A value and where it stands."""

    value: Any
    path: str
    line: int


@functools.cache
def toml(project: Project, path: str) -> Mapping[str, Any]:
    """A TOML file's tables; empty (and a problem noted) where it is not TOML."""
    text = project.text(path)
    if text is None:
        return {}
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        project.problems.append(f"{path}: it is no TOML ({error})")
        return {}


@functools.cache
def ini(project: Project, path: str) -> Mapping[str, Mapping[str, str]]:
    """An INI file's sections."""
    text = project.text(path)
    if text is None:
        return {}
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        project.problems.append(f"{path}: it is no INI file ({str(error).splitlines()[0]})")
        return {}
    return {name: {k: v or "" for k, v in parser[name].items()} for name in parser.sections()}


@functools.cache
def package(project: Project) -> Mapping[str, Any]:
    """package.json; empty where there is none, or it is no JSON object."""
    text = project.text("package.json")
    if text is None:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        project.problems.append("package.json: it is no JSON")
        return {}
    return found if isinstance(found, dict) else {}


def scripts(project: Project) -> dict[str, Setting]:
    """package.json's scripts."""
    found = package(project).get("scripts")
    text = project.text("package.json") or ""
    if not isinstance(found, dict):
        return {}
    return {
        name: Setting(value=value, path="package.json", line=line_of(text, f'"{name}"', json.dumps(value)[1:-1]))
        for name, value in found.items()
        if isinstance(value, str)
    }


def table(values: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """A table below a table; empty where it is not there or no table."""
    for key in keys:
        below = values.get(key)
        if not isinstance(below, Mapping):
            return {}
        values = below
    return values


def pytest_setting(project: Project, name: str) -> Setting | None:
    """One of pytest's ini options, from the file that pytest would take; lists are joined by blanks."""
    for path, values in pytest_files(project):
        if name in values:
            value = values[name]
            flat = shlex.join(map(str, value)) if isinstance(value, list) else str(value)
            return Setting(value=flat, path=path, line=line_of(project.text(path) or "", name))
        # The first file with a section of pytest's is the only one that pytest reads.
        return None
    return None


def pytest_files(project: Project) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Files with a section of pytest's, in pytest's order."""
    for path in ("pytest.toml", ".pytest.toml"):
        if project.has(path):
            yield path, table(toml(project, path), "pytest")
    for path in ("pytest.ini", ".pytest.ini"):
        if project.has(path):
            yield path, ini(project, path).get("pytest", {})
    tool = table(toml(project, "pyproject.toml"), "tool", "pytest")
    if tool:
        yield "pyproject.toml", table(tool, "ini_options") or tool
    if "pytest" in ini(project, "tox.ini"):
        yield "tox.ini", ini(project, "tox.ini")["pytest"]
    if "tool:pytest" in ini(project, "setup.cfg"):
        yield "setup.cfg", ini(project, "setup.cfg")["tool:pytest"]


def words(text: str) -> list[str]:
    """A command line's words; by blanks where quotes are open."""
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def yaml_root(project: Project, path: str) -> Any:
    """A YAML file's node tree with positions, None where it is none. Nothing is constructed, so no tag does anything."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    text = project.text(path)
    if text is None:
        return None
    try:
        return YAML(typ="safe", pure=True).compose(text)
    except (YAMLError, ValueError, RecursionError) as error:
        project.problems.append(f"{path}: it is no YAML ({type(error).__name__})")
        return None


def entries(node: Any) -> Iterator[tuple[str, Any]]:
    """The (key, value node) pairs of a mapping node; nothing for other nodes."""
    if getattr(node, "id", "") == "mapping" or type(node).__name__ == "MappingNode":
        for number, (key, value) in enumerate(node.value):
            if number >= MAX_NODES:
                return
            if isinstance(key.value, str):
                yield key.value, value


def items(node: Any) -> list[Any]:
    """The nodes of a sequence node."""
    return list(node.value)[:MAX_NODES] if type(node).__name__ == "SequenceNode" else []


def scalar(node: Any) -> str | None:
    """A scalar node's text."""
    return node.value if type(node).__name__ == "ScalarNode" else None


def entry(node: Any, name: str) -> Any:
    """The value node under a key, or None."""
    return next((value for key, value in entries(node) if key == name), None)


def line(node: Any) -> int:
    """A node's line, from 1."""
    return int(node.start_mark.line) + 1
