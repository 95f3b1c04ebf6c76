"""One case of the differential run: a skillgate contract and the folder it is asked about.

The cases were written from what that tool's users write and from its observed behaviour, by somebody who had
not read our gates: a case that fails shows a difference nobody thought of.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Where the peer looks for a contract, in its order.
CONTRACT_PATHS = (
    ".skillgate/done.yaml",
    ".skillgate/done.yml",
    ".skillgate.yaml",
    ".skillgate.yml",
    ".skillgate.json",
)

Gate = dict[str, Any]
Entry = str | dict[str, Any]
Tree = dict[str, Entry]


class Case(TypedDict):
    """A contract and a tree.

    `tree` maps a path below the case's folder to its text, or to one of {"base64": bytes}, {"dir": true},
    {"symlink": target}, {"fifo": true}, {"text": ...}, the last with an optional "mode" (octal digits) and
    "mtime" (seconds). `git` is "none", "init" or "commit" (everything that is not ignored is committed).
    `edge` names the documented edge that the case sits on, "" for an ordinary case. `unprivileged` cases
    mean something only to a user who is not root.
    """

    id: str
    contract: str
    contract_path: str
    tree: Tree
    git: str
    edge: str
    unprivileged: bool


def case(
    name: str,
    contract: str,
    tree: Mapping[str, Entry],
    *,
    path: str = CONTRACT_PATHS[0],
    git: str = "none",
    edge: str = "",
    unprivileged: bool = False,
) -> Case:
    """Return the case with every field filled in."""
    return Case(
        id=name,
        contract=contract,
        contract_path=path,
        tree=dict(tree),
        git=git,
        edge=edge,
        unprivileged=unprivileged,
    )


def fingerprint(one: Case) -> str:
    """Return 16 hex digits over all that the peer sees of a case, to notice a recording that went stale."""
    seen = [one["contract"], one["contract_path"], one["tree"], one["git"], one["unprivileged"]]
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]


def check_unique(cases: Sequence[Case]) -> None:
    """Raise ValueError where two cases share an id or say the same."""
    ids: set[str] = set()
    seen: dict[str, str] = {}
    for one in cases:
        twin = seen.setdefault(fingerprint(one), one["id"])
        if one["id"] in ids or twin != one["id"]:
            msg = f"the case {one['id']} is there twice, also as {twin}"
            raise ValueError(msg)
        ids.add(one["id"])
