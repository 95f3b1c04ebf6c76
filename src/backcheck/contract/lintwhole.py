"""Warnings about a contract as a whole: what its requirements prove together."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Sequence

from backcheck.contract.model import DOORS, Contract, Requirement
from backcheck.contract.warning import LintWarning
from backcheck.errors import Position
from backcheck.verdict import Provenance, Severity

#: What shows that something is there, and not what it is.
WEAKEST = frozenset({"file-exists", "evidence", "not-empty"})
#: What reads a text that the agent may have written.
_READS_TEXT = WEAKEST | {"file-contains", "file-lacks", "content", "shape", "restatement"}
_PROSE = frozenset({"", ".txt", ".md", ".rst", ".adoc", ".log", ".out", ".html", ".json", ".xml", ".csv"})


def lint_whole(contract: Contract) -> Iterator[LintWarning]:
    """Every warning about the whole."""
    requirements = contract.requirements
    if not requirements:
        yield _whole(contract, "no-requirement", "no requirement: the verdict will be UNCLEAR whatever was done")
        return
    if all(one.severity is Severity.WARN for one in requirements):
        yield _whole(contract, "all-warn", "every requirement only warns: the verdict will never be PASS or REJECT")
    yield from _strength(contract)
    yield from _same_question(requirements)
    yield from _keys(contract)
    yield from _unprotected(requirements)


def _whole(contract: Contract, rule: str, message: str, route: str = "") -> LintWarning:
    where = Position(path=contract.path, line=1, column=1)
    return LintWarning(rule=rule, requirement="", position=where, message=message, route=route)


def _strength(contract: Contract) -> Iterator[LintWarning]:
    """What a PASS rests on: the requirements that block, or all where none does."""
    blocking = [one for one in contract.requirements if one.severity is Severity.BLOCK]
    deciding = [one for one in blocking or contract.requirements if one.provenance is Provenance.ASSERTED]
    if len(deciding) < len(blocking or contract.requirements):
        return
    if all(one.check in WEAKEST for one in deciding):
        kinds = ", ".join(sorted({one.check for one in deciding}))
        yield _whole(contract, "weakest-kind", f"every requirement that decides is of the weakest kind ({kinds}): "
                     "any file of that name would pass", "tests")  # fmt: skip
    elif all(_reads_prose(one) for one in deciding):
        yield _whole(contract, "prose-only", "a PASS would rest only on texts that the agent can write; "
                     "ask at least one question of a run (`tests`, `command`) or of a person", "tests")  # fmt: skip


def _reads_prose(requirement: Requirement) -> bool:
    if requirement.check not in _READS_TEXT:
        return False
    files = requirement.arguments.get("file")
    names = files if isinstance(files, list) else [files] if isinstance(files, str) else []
    return all(posixpath.splitext(str(name))[1].lower() in _PROSE for name in names)


def _same_question(requirements: Sequence[Requirement]) -> Iterator[LintWarning]:
    first: dict[str, Requirement] = {}
    for one in requirements:
        question = f"{one.check} {json.dumps(one.arguments, sort_keys=True, default=str)}"
        earlier = first.setdefault(question, one)
        if earlier is not one:
            yield LintWarning(rule="same-question", requirement=one.id, position=one.position,
                              message=f"it asks the same as `{earlier.id}`; one answer would count twice")  # fmt: skip


def _unprotected(requirements: Sequence[Requirement]) -> Iterator[LintWarning]:
    """Told once: what a command runs is code of the tree, and a new file can make that code do anything."""
    scopes = [one for one in requirements if _limits_files(one)]
    for one in requirements:
        doors, decides = set(one.at or DOORS), one.severity is Severity.BLOCK
        if decides and one.arguments.get("run") and not any(doors <= set(scope.at or DOORS) for scope in scopes):
            yield LintWarning(rule="command-unprotected", requirement=one.id, position=one.place("check"),
                              message="it runs code of the tree, and nothing that blocks at the same door says which files may "
                              "be added or changed; give a `diff-scope` its `allowed`", route="diff-scope")  # fmt: skip
            return


def _limits_files(requirement: Requirement) -> bool:
    """Whether it is a blocking `diff-scope` that lets only some files change."""
    allowed = requirement.arguments.get("allowed")
    if requirement.check != "diff-scope" or requirement.severity is not Severity.BLOCK or not isinstance(allowed, list):
        return False
    return bool(allowed) and not {"*", "**", "**/*"} & set(map(str, allowed))


def _keys(contract: Contract) -> Iterator[LintWarning]:
    if contract.trusted_keys:
        return
    # Records count by a recorder's key too; a person's answer does not.
    asked = next((one for one in contract.requirements if one.check == "human"), None)
    recorded = next((one for one in contract.requirements if one.provenance is Provenance.RECORDED), None)
    if asked is not None:
        yield LintWarning(rule="no-trusted-keys", requirement=asked.id, position=asked.place("check"),
                          message="a person is asked, but no `trusted_keys` says whose answer counts")  # fmt: skip
    elif recorded is not None and not contract.recorder_keys:
        yield LintWarning(rule="no-trusted-keys", requirement=recorded.id, position=recorded.place("provenance"),
                          message="a record is demanded, but neither `recorder_keys` nor `trusted_keys` says "
                          "whose records count")  # fmt: skip
