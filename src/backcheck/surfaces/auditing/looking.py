"""One audit: facts, every rule, what any change could do unseen, and what was not looked at."""

from __future__ import annotations

from dataclasses import replace

from backcheck.contract.find import ALL_NAMES
from backcheck.surfaces.auditing import ground
from backcheck.surfaces.auditing.closing import snippet
from backcheck.surfaces.auditing.model import Audit, Certainty, Corner
from backcheck.surfaces.auditing.project import Project
from backcheck.surfaces.auditing.table import Rule, rules
from backcheck.surfaces.locate import Place, locate
from backcheck.surfaces.session import disk_tree

#: Corners of one rule that are listed; the rest is counted.
MAX_EACH = 100


def audit(folder: str) -> tuple[Audit, Project]:
    """Look at a folder; nothing is executed and nothing written. Errors: UserError where there is no such folder."""
    place = locate(folder, None)
    try:
        project = open_project(place)
        result = Audit(root=str(place.start), facts=ground.facts(project), files=len(project.paths))
        for name, rule in rules():
            _ask(name, rule, project, result)
        result.standing = _standing(project)
        result.not_looked_at = _not_looked_at(project)
        result.corners.sort(key=lambda c: (c.certainty is not Certainty.PLAIN, c.rule, c.path, c.line))
        return result, project
    finally:
        if place.reader is not None:
            place.reader.close()


def open_project(place: Place) -> Project:
    """The project at a place; the audited folder, not the repository, is what paths count from."""
    place.prefix = "" if place.start == place.top else str(place.start.relative_to(place.top))
    return Project(disk_tree(place, cache=False), git=place.repository is not None)


def _ask(name: str, rule: Rule, project: Project, result: Audit) -> None:
    found = list(dict.fromkeys(rule(project)))
    if len(found) > MAX_EACH:
        project.problems.append(f"{name}: {len(found) - MAX_EACH:,} further places of {len(found):,}")
    result.corners += [replace(c, snippet=snippet(c, project)) for c in found[:MAX_EACH]]


def _standing(project: Project) -> list[Corner]:
    """What any change here could do, since no contract says otherwise. No faults of the project's: they cost no exit code."""
    if project.first(*ALL_NAMES):
        return []
    found = []
    for rule, wanted, says, closes in (
        ("tests-unprotected", any(map(project.is_test, project.paths)),
         "a change can weaken the tests that judge it", "diff-scope"),
        ("ci-unprotected", bool(ground.ci_systems(project)), "a change can edit the CI that judges it", "diff-scope"),
        ("suite-not-asked", bool(ground.python_runner(project) or ground.javascript_runner(project)),
         "nothing here says how many tests must have run, or that none was skipped", "tests"),
        ("leftovers-not-asked", any(map(project.is_source, project.paths)),
         "nothing here asks added code for stubs and leftovers", "placeholder"),
    ):  # fmt: skip
        if wanted:
            corner = Corner(rule=rule, certainty=Certainty.LOOK, path=".", says=says, closes=closes)
            found.append(replace(corner, snippet=snippet(corner, project)))
    return found


def _not_looked_at(project: Project) -> list[str]:
    beyond = [name for name in ground.languages(project) if name not in ground.READ]
    systems = [name for name in ground.ci_systems(project) if name not in ground.READ_CI]
    notes = [
        "what happens when the tests run (`--run` runs them)",
        "branch protection and other settings of the server",
    ]
    if not project.git:
        notes.append("files that are absent: this is no git repository, so they may lie elsewhere")
    if beyond:
        notes.append(f"code in {', '.join(beyond)}")
    if systems:
        notes.append(f"the definitions of {', '.join(systems)}")
    return [*notes, *dict.fromkeys(project.problems)]
