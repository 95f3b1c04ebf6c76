"""`audit --run`: the project's own test command, run in a temporary copy, and what really ran.

The copy holds what the tree holds, read by the hardened reader; ignored files (node_modules, built files) are not in it. The
command runs as the caller, within limits, and is not sandboxed.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from backcheck.evidence.cleancopy import CopyProblem, copy_disk, temporary
from backcheck.evidence.commands import Limits, Result, allowed_environment, run_command
from backcheck.evidence.masking import mask, printable
from backcheck.surfaces.auditing import ground
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.settings import scripts

SECONDS = 600.0
SHOWN_LINES = 12
_REPORT = "backcheck-audit-report.xml"
#: A report beyond this is not read.
_MAX_REPORT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One command. `held` is None where nothing can be said; `counts` are from its report, empty where it wrote none."""

    command: tuple[str, ...]
    named_by: str
    says: str
    held: bool | None
    counts: dict[str, int]
    output: str = ""


def run_tests(project: Project) -> list[Ran]:
    """Run what the configuration names: pytest or unittest, and package.json's test script. Never raises for a failure."""
    found = []
    for argv, named_by in _commands(project):
        found.append(_run(project, argv, named_by))
    return found


def _commands(project: Project) -> list[tuple[list[str], str]]:
    own = [os.path.join(project.tree.root, folder, "bin", "python") for folder in (".venv", "venv")]
    python = next(filter(os.path.exists, own), None) or shutil.which("python3") or sys.executable
    found = []
    runner = ground.python_runner(project)
    if runner == "pytest":
        report = [f"--junitxml={_REPORT}", "-o", "junit_family=xunit2"]
        found.append(
            ([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *report], "the suite's own files (pytest)")
        )
    elif runner == "unittest":
        found.append(([python, "-m", "unittest"], "the suite's own files (unittest)"))
    if "test" in scripts(project):
        found.append((["npm", "test", "--silent"], "the script `test` of package.json"))
    return found


def _run(project: Project, argv: list[str], named_by: str) -> Ran:
    tree = project.tree
    start = f"{tree.prefix}/" if tree.prefix else ""
    with temporary("backcheck-audit-") as place:
        copy = os.path.join(place, "tree")
        os.mkdir(copy)
        try:
            copied = copy_disk(tree.root, [p for p in project.paths if not p.startswith(start + ".git/")], copy)
        except CopyProblem as problem:
            return Ran(
                command=tuple(argv), named_by=named_by, says=f"no copy could be made: {problem}", held=None, counts={}
            )
        variables = allowed_environment()
        if os.path.isdir(os.path.join(copy, "src")):
            # What is installed under this name may be another version; the copy's own code is what is asked about.
            variables["PYTHONPATH"] = os.path.join(copy, "src")
        result = run_command(argv, copy, variables, Limits(seconds=SECONDS))
        counts = _counts(os.path.join(copy, _REPORT))
    by = "by its report" if counts else "as it printed for people, which its own code could forge"
    counts = counts or _printed(result)
    left = f"; {len(copied.missing)} files are not in the copy as they are" if copied.missing else ""
    says, held = _told(result, counts, by)
    return Ran(command=tuple(argv), named_by=named_by, says=says + left, held=held, counts=counts,
               output=_last(result))  # fmt: skip


def _told(result: Result, counts: dict[str, int], by: str) -> tuple[str, bool | None]:
    """What the run says, and whether the tests held; an exit code of 0 alone says nothing of what ran."""
    if result.problem:
        return printable(result.problem), None
    if result.stopped or result.signal:
        return f"it was stopped: {result.stopped or result.signal}", None
    counted = ", ".join(f"{count} {name}" for name, count in counts.items())
    said = f"{counted}; {by}" if counted else "it named no count of tests"
    if counts and not counts.get("passed"):
        return f"it ended with {result.code}, and no test passed ({said})", False
    if result.code != 0:
        # Without a report it may have failed before any test: something missing here is not the project's fault.
        return f"it ended with {result.code} ({said})", False if counts else None
    return f"it ended with 0 ({said})", True if counts else None


def _counts(path: str) -> dict[str, int]:
    """Outcomes by the elements of a JUnit file that this run wrote; empty where there is none, or it cannot be read."""
    try:
        if os.path.islink(path) or os.path.getsize(path) > _MAX_REPORT:
            return {}
        with open(path, "rb") as handle:
            data = handle.read(_MAX_REPORT)
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            return {}
        root = ET.fromstring(data)  # noqa: S314 - without a document type there is no entity to expand
    except (OSError, ET.ParseError):
        return {}
    found = dict.fromkeys(("passed", "failed", "errors", "skipped"), 0)
    for case in root.iter("testcase"):
        kinds = {child.tag for child in case}
        word = ("failed" if "failure" in kinds else "errors" if "error" in kinds else "skipped" if "skipped" in kinds
                else "passed")  # fmt: skip
        found[word] += 1
    return found


_TAP = re.compile(r"^(?:#|ℹ) (tests|pass|fail|skipped|todo|cancelled) (\d+)\s*$", re.MULTILINE)


def _printed(result: Result) -> dict[str, int]:
    """The counts that node's own runner prints last, as the run told them; empty for other runners."""
    told = {name: int(count) for name, count in _TAP.findall(result.output)}
    if not {"pass", "fail"} <= set(told):
        return {}
    names = {"pass": "passed", "fail": "failed", "skipped": "skipped", "cancelled": "errors"}
    return {to: told.get(name, 0) for name, to in names.items()}


def _last(result: Result) -> str:
    lines = [line.rstrip() for line in printable(mask(result.output)).split("\n") if line.strip()]
    return "\n".join(line[:200] for line in lines[-SHOWN_LINES:])
