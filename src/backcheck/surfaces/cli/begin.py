"""`backcheck begin`."""

from __future__ import annotations

from typing import Any

import click

from backcheck.contract.model import Contract
from backcheck.errors import UserError
from backcheck.evidence.git import Repository
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import text_at
from backcheck.surfaces import beginning
from backcheck.surfaces.cli.ledger_view import HELP, directory_option, json_option, print_json
from backcheck.surfaces.locate import Place, find_contract, locate
from backcheck.surfaces.session import disk_tree

SHORT = 12


@click.command("begin", context_settings=HELP)
@directory_option
@json_option
def command(directory: str, as_json: bool) -> None:
    """Settle HEAD as the base of a task, before the work.

    Contract, protected paths, ignore rules, trusted keys and test configuration are then read from this commit. The first
    beginning of a worktree holds until its task has passed.
    """
    place = locate(directory, None)
    try:
        document = _begin(place)
    finally:
        if place.reader is not None:
            place.reader.close()
    if as_json:
        print_json(document)
        return
    contract = document["contract"]
    click.echo(f"begun at {document['commit'][:SHORT]}: {contract['path']} of that commit is what counts")
    for notice in document["notices"]:
        click.echo(f"note: {notice}")


def _begin(place: Place) -> dict[str, Any]:
    repository = place.repository
    if repository is None:
        raise UserError("a base is a commit, and there is no git repository here", where=str(place.start), slug="begin")
    head = repository.commit("HEAD")
    if head is None:
        raise UserError("there is no commit yet; commit the contract first", where=str(place.top), slug="begin")
    _may_begin(repository)
    contract = _contract(str(place.start), head)
    ledger = open_ledger(repository, place.root)
    survey = disk_tree(place, cache=True).survey([])
    named = {"path": contract.path, "digest": contract.digest}
    entry = ledger.append(beginning.KIND, beginning.body(head, named, survey.digest, contract.task))
    return dict(entry.body) | {"record": entry.id, "time": entry.time, "notices": _notices(place, head)}


def _may_begin(repository: Repository) -> None:
    """Errors: UserError where another task began here and has not passed."""
    held = beginning.current(repository)
    if held is not None and not held.finished:
        raise UserError(
            f"a task began here on {held.entry.time[:10]} at {held.commit[:SHORT]} and has no PASS yet; that beginning holds",
            where=text_at(held.entry.body, "contract", "path"), slug="begin",
        )  # fmt: skip


def _contract(start: str, head: str) -> Contract:
    """The contract as HEAD has it. Errors: UserError where HEAD has none."""
    place = locate(start, head)
    try:
        find_contract(place, None)
    finally:
        if place.reader is not None:
            place.reader.close()
    if place.contract is None or place.contract_from != "base":
        where = place.contract.path if place.contract else None
        raise UserError("HEAD does not hold the contract; commit it before the work begins", where=where, slug="begin")
    return place.contract


def _notices(place: Place, head: str) -> list[str]:
    """What a person should know of the tree that the work starts from."""
    from backcheck.evidence.blobs import disk_blobs
    from backcheck.evidence.objects import tree_of

    if place.reader is None:
        return []
    nodes = tree_of(place.reader, head)
    length = len(head)
    now = disk_blobs(str(place.top), list(disk_tree(place, cache=False).paths()), length)
    submodules = {path for path, node in nodes.items() if node.mode == "160000"}
    differing = [p for p in {*nodes, *now} - submodules if now.get(p) != (tuple(nodes[p]) if p in nodes else None)]
    if not differing:
        return []
    return [
        f"{len(differing)} paths already differ from that commit ({min(differing)}, …); they count as the task's work"
    ]
