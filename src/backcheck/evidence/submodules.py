"""What a submodule of the base holds, read from its own repository with the same care as the rest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from backcheck.errors import UserError
from backcheck.evidence.git import GitError, discover
from backcheck.evidence.ignore import IgnoreRules
from backcheck.evidence.objects import Node, ObjectReader, tree_of
from backcheck.evidence.paths import join


@dataclass(slots=True)
class Module:
    """A submodule's tree at the commit that the base names: its paths, and what its own rules ignore."""

    nodes: Mapping[str, Node]
    ignored: frozenset[str]


def read_module(top: str, path: str, commit: str, present: Mapping[str, object]) -> Module | str:
    """The submodule at `path` below `top` at `commit`, or why it cannot be told; `present` are its paths on disk."""
    folder = Path(top, path)
    try:
        repository = discover(folder)
    except (UserError, OSError) as error:
        return f"its repository cannot be read: {error}"
    if repository is None or repository.top != folder:
        return "it has files and no repository of its own"
    try:
        with ObjectReader(repository) as reader:
            nodes = tree_of(reader, commit)
            rules = IgnoreRules(lambda below: reader.blob(f"{commit}:{join(below, '.gitignore')}"))
            kept = frozenset(name for name in present if name not in nodes and _ignored(rules, name))
    except GitError as error:
        return f"the commit that the base names is not in its repository: {error}"
    return Module(nodes=nodes, ignored=kept)


def _ignored(rules: IgnoreRules, path: str) -> bool:
    folder = ""
    parts = path.split("/")
    for number, name in enumerate(parts):
        rules = rules.enter(folder, has_file=True)
        child = join(folder, name)
        if rules.ignores(child, folder=number < len(parts) - 1):
            return True
        folder = child
    return False


def lies_there(top: str, path: str) -> bool:
    """Whether anything, also an empty folder, stands in the submodule's place."""
    return os.path.lexists(os.path.join(top, path))
