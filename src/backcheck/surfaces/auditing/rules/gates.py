"""Gates and the contract's linter, asked over the whole tree."""

from __future__ import annotations

from collections.abc import Iterator

from backcheck.checks.api import Evidence
from backcheck.checks.registry import names, own_gate
from backcheck.contract.find import ALL_NAMES, parse_contract
from backcheck.errors import UserError
from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.auditing.model import Certainty, Corner
from backcheck.surfaces.auditing.project import Project
from backcheck.verdict import Place, Status

#: Kinds that lie in many trees on purpose, for tests.
_OFTEN_MEANT = {"private-key", "jwt"}


def secret_in_tree(project: Project) -> Iterator[Corner]:
    """A credential stands in a file of the tree, by the check `secrets` over the whole tree.

    What that check calls doubtful (keys in tests, tokens that are often examples) is worth a look. No value is ever shown.
    """
    if "secrets" not in names():
        project.problems.append("secrets: this installation has no check for them")
        return
    tree = project.tree
    evidence = Evidence(tree=tree, prefix=tree.prefix)
    evidence.raw = lambda path: DiskTree(tree.top).read(path, limit=MAX_FILE)
    evidence.final_nodes = lambda: disk_blobs(tree.top, list(tree.paths()), 40)
    answer = own_gate("secrets")(whole=True).answer(evidence)
    told = answer.status is Status.FAIL or (answer.status is Status.UNCLEAR and answer.where)
    places = answer.where if told else ()
    meant = [place for place in places if _OFTEN_MEANT & set(place.note.split())]
    for place in places:
        if place not in meant:
            certainty = Certainty.PLAIN if answer.status is Status.FAIL else Certainty.LOOK
            yield _secret(place, certainty, f"there seems to be a credential here ({place.note})")
    if meant:
        more = f", and {len(meant) - 1} more of the kind elsewhere" if len(meant) > 1 else ""
        yield _secret(meant[0], Certainty.LOOK, f"a key or token of a kind that tests and documents often hold{more}")
    if not told and answer.status is not Status.PASS:
        project.problems.append(f"secrets: {answer.reason}")


def _secret(place: Place, certainty: Certainty, says: str) -> Corner:
    return Corner(
        rule="secret-in-tree", certainty=certainty, path=place.path, line=place.line, closes="secrets", says=says
    )


def contract_asks_badly(project: Project) -> Iterator[Corner]:
    """The contract in the tree has requirements that prove little, by `backcheck lint-contract`.

    A contract that is wrong is a plain fact: no verdict can come of it.
    """
    from backcheck.contract.lint import lint
    from backcheck.engine import bind_all
    from backcheck.surfaces.cli.pattern_runner import Runner

    path = project.first(*ALL_NAMES)
    text = project.text(path) if path else None
    if path is None or text is None:
        return
    try:
        contract = parse_contract(text.encode("utf-8", "replace"), path)
        bind_all(contract)
    except UserError as error:
        yield Corner(rule="contract-asks-badly", certainty=Certainty.PLAIN, path=path, says=f"it is wrong: {error.message}",
                     line=getattr(error.where, "line", 0), closes="")  # fmt: skip
        return
    for warning in lint(contract, Runner()):
        yield Corner(
            rule="contract-asks-badly", certainty=Certainty.LOOK, path=path, line=warning.position.line,
            closes=warning.route, says=f"{warning.requirement or 'the contract'}: {warning.message} ({warning.rule})",
        )  # fmt: skip
