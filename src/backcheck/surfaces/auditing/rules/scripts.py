"""The project's own commands: package.json scripts, Makefile, tox, git hooks, an agent's hooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from backcheck.contract.shellread import why_it_cannot_fail
from backcheck.surfaces.auditing.commands import judges, lost
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project, line_of
from backcheck.surfaces.auditing.settings import ini, scripts

_JUDGING_NAME = re.compile(r"^(?:test|tests|lint|check|typecheck|type-check|types|coverage|ci|verify)(?:[:\-_].*)?$")
_RECIPE = re.compile(r"^\t([@\-+\s]*)(.*)$")


def script_cannot_fail(project: Project) -> Iterator[Corner]:
    """A script of package.json named for a check ends with 0 whatever happens."""
    for name, script in scripts(project).items():
        if not _JUDGING_NAME.match(name) or not script.value.strip():
            continue
        why = why_it_cannot_fail(script.value)
        if why and (judges(script.value) or name in {"test", "lint", "check", "typecheck", "ci", "verify"}):
            yield Corner(
                rule="script-cannot-fail", certainty=Certainty.PLAIN, path=script.path, line=script.line, closes="tests",
                says=f"the script `{name}` cannot fail: {why}",
            )  # fmt: skip


def make_failure_lost(project: Project) -> Iterator[Corner]:
    """A Makefile's recipe runs a check with `-` before it or with its failure taken away."""
    for path in project.matching(r"(?:^|/)(?:GNUm|M|m)akefile$"):
        for number, text in enumerate((project.text(path) or "").split("\n"), start=1):
            recipe = _RECIPE.match(text)
            if not recipe or not judges(recipe[2]):
                continue
            why = next((why for _, _, why in lost(recipe[2], stops=False)), "")
            if "-" in recipe[1]:
                why = "`-` before a command makes make go on whatever it answers"
            if why:
                yield Corner(
                    rule="make-failure-lost", certainty=Certainty.PLAIN, path=path, line=number, closes="tests",
                    says=f"the failure of `{recipe[2].strip()[:100]}` is lost: {why}",
                )  # fmt: skip


def tox_failure_ignored(project: Project) -> Iterator[Corner]:
    """tox is told to ignore how a command or an environment ends (`ignore_outcome`, `-` before the command)."""
    text = project.text("tox.ini") or ""
    for section, values in ini(project, "tox.ini").items():
        commands = values.get("commands", "")
        if values.get("ignore_outcome", "").strip().lower() == "true" and judges(commands):
            yield Corner(
                rule="tox-failure-ignored", certainty=Certainty.PLAIN, path="tox.ini", closes="tests",
                line=line_of(text, "ignore_outcome"), says=f"`ignore_outcome` lets [{section}] be green where it fails",
            )  # fmt: skip
        for command in (one.strip() for one in commands.split("\n")):
            if re.match(r"-\s*[a-z{]", command) and judges(command.lstrip("- ")):
                yield Corner(
                    rule="tox-failure-ignored", certainty=Certainty.PLAIN, path="tox.ini", line=line_of(text, command),
                    closes="tests", says=f"`-` before `{command.lstrip('- ')[:100]}` makes tox ignore its failure",
                )  # fmt: skip


def hook_failure_lost(project: Project) -> Iterator[Corner]:
    """A git hook that is kept in the tree runs a check whose failure is lost."""
    for path in project.matching(r"^(?:\.husky|\.githooks|githooks)/[^/_.][^/]*$"):
        script = project.text(path) or ""
        # husky starts its hooks so that they end at the first failure.
        stops = path.startswith(".husky/") or " -e" in script.split("\n")[0]
        for number, command, why in lost(script, stops=stops):
            yield Corner(
                rule="hook-failure-lost", certainty=Certainty.PLAIN, path=path, line=number + 1, closes="tests",
                says=f"the failure of `{command[:100]}` is lost: {why}",
            )  # fmt: skip


def agent_hooks_disabled(project: Project) -> Iterator[Corner]:
    """An agent's settings in the tree turn all of its hooks off."""
    for path in (".claude/settings.json", ".claude/settings.local.json"):
        text = project.text(path)
        try:
            values = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            project.problems.append(f"{path}: it is no JSON")
            continue
        if isinstance(values, dict) and values.get("disableAllHooks") is True:
            yield Corner(
                rule="agent-hooks-disabled", certainty=Certainty.PLAIN, path=path, closes="diff-scope",
                line=line_of(text or "", "disableAllHooks"), says="`disableAllHooks` turns every hook of the agent off",
            )  # fmt: skip
