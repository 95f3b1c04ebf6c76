"""CI definitions whose steps cannot turn red."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backcheck.surfaces.auditing.commands import judges, lost
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.settings import entries, entry, items, line, scalar, yaml_root

_WORKFLOWS = r"^\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$"
_GITLAB = r"^\.gitlab-ci\.ya?ml$"


def ci_failure_lost(project: Project) -> Iterator[Corner]:
    """A CI step runs tests, types or style, and its failure is lost.

    `|| true`, `; exit 0`, a pipeline whose last command is `tee` under a shell without `pipefail`, `set +e` with no look at
    the code. Steps that upload, install or clean up may fail as they like; they judge nothing.
    """
    for path in project.matching(_WORKFLOWS):
        for step, defaults in _steps(yaml_root(project, path)):
            run = entry(step, "run")
            script = scalar(run)
            if script is None:
                continue
            shell = scalar(entry(step, "shell")) or defaults
            for number, command, why in lost(script, stops=shell != "sh {0}", pipefail=shell == "bash"):
                yield _lost(path, _line(run, number), command, why)
    for path in project.matching(_GITLAB):
        for _, job in entries(yaml_root(project, path)):
            for node in items(entry(job, "script")):
                for number, command, why in lost(scalar(node) or ""):
                    yield _lost(path, _line(node, number), command, why)


def ci_failure_allowed(project: Project) -> Iterator[Corner]:
    """A CI step or job that judges the work may fail without the run failing (`continue-on-error`, `allow_failure`).

    Only where the value is the plain word `true`: an expression may single out one experimental row of a matrix.
    """
    for path in project.matching(_WORKFLOWS):
        root = yaml_root(project, path)
        for _, job in entries(entry(root, "jobs")):
            steps = items(entry(job, "steps"))
            if any(map(_judging, steps)):
                yield from _allowed(path, job, "continue-on-error", "job")
            for step in filter(_judging, steps):
                yield from _allowed(path, step, "continue-on-error", "step")
    for path in project.matching(_GITLAB):
        for _, job in entries(yaml_root(project, path)):
            if any(judges(scalar(node) or "") for node in items(entry(job, "script"))):
                yield from _allowed(path, job, "allow_failure", "job")


def _steps(root: Any) -> Iterator[tuple[Any, str]]:
    """Every step of a workflow, with the shell that its job or workflow sets for all."""
    default = _shell(root)
    for _, job in entries(entry(root, "jobs")):
        for step in items(entry(job, "steps")):
            yield step, _shell(job) or default


def _shell(node: Any) -> str:
    return scalar(entry(entry(entry(node, "defaults"), "run"), "shell")) or ""


def _judging(step: Any) -> bool:
    return any(judges(text) for text in (scalar(entry(step, "run")) or "").split("\n"))


def _allowed(path: str, node: Any, key: str, what: str) -> Iterator[Corner]:
    value = entry(node, key)
    if (scalar(value) or "").lower() == "true":
        yield Corner(
            rule="ci-failure-allowed", certainty=Certainty.PLAIN, path=path, line=line(value), closes="tests",
            says=f"this {what} runs checks, and `{key}: true` lets the run be green where they fail",
        )  # fmt: skip


def _line(node: Any, number: int) -> int:
    """A line within a scalar: block scalars start on the line below their indicator."""
    return line(node) + number + (1 if node.style in {"|", ">"} else 0)


def _lost(path: str, at: int, command: str, why: str) -> Corner:
    return Corner(rule="ci-failure-lost", certainty=Certainty.PLAIN, path=path, line=at, closes="tests",
                  says=f"the failure of `{_short(command)}` is lost: {why}")  # fmt: skip


def _short(command: str) -> str:
    return command if len(command) <= 100 else f"{command[:99]}…"
