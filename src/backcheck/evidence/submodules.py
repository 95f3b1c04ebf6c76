"""What a submodule of the base holds, read from its own repository with the same care as the rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from backcheck.errors import UserError
from backcheck.evidence.attributes import FILE as ATTRIBUTES
from backcheck.evidence.git import GitError, Repository, discover
from backcheck.evidence.objects import SUBMODULE, TREE, Node, ObjectReader, tree_of
from backcheck.evidence.paths import folders_of, join

RULES = ".gitignore"
_FOLDER = Node(TREE, "")


@dataclass(slots=True)
class Module:
    """A submodule's tree at the commit that the base names: its paths, its folders, and its files of rules by path."""

    nodes: Mapping[str, Node]
    rules: Mapping[str, bytes] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    #: A blob of it by its id. Errors: GitError.
    blob: Callable[[str], bytes | None] = lambda _oid: None

    def reach(self, path: str) -> tuple[Node | None, str]:
        """As ObjectReader.reach, from the submodule's own top."""
        if not path or path in self.folders:
            return _FOLDER, ""
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            node = self.nodes.get("/".join(parts[:count]))
            if node is not None and (node.mode == SUBMODULE or count == len(parts)):
                return node, "/".join(parts[count:])
        return None, ""


#: A submodule that is not checked out.
EMPTY = Module(nodes={})


class Modules:
    """The submodules on disk below `top`, each read once."""

    def __init__(self, top: str) -> None:
        self.top = top
        self._kept: dict[tuple[str, str], Module | str | None] = {}

    def at(self, path: str, commit: str) -> Module | str | None:
        """The submodule at a path: its tree at `commit`, EMPTY where it is not checked out, None where nothing is in its
        place, or why it cannot be told."""
        key = (path, commit)
        if key not in self._kept:
            self._kept[key] = self._read(Path(self.top, path), commit)
        return self._kept[key]

    def _read(self, folder: Path, commit: str) -> Module | str | None:
        if not os.path.lexists(folder):
            return None
        try:
            if not os.listdir(folder):
                return EMPTY
            repository = discover(folder)
        except (UserError, OSError) as error:
            return f"its repository cannot be read: {error}"
        if repository is None or repository.top != folder:
            return "it has files and no repository of its own"
        try:
            with ObjectReader(repository) as reader:
                nodes = tree_of(reader, commit)
                ruling = [path for path in nodes if path.rpartition("/")[2] in (RULES, ATTRIBUTES)]
                rules = {path: reader.blob(nodes[path].oid) or b"" for path in ruling}
        except GitError as error:
            return f"the commit that the base names is not in its repository: {error}"
        return Module(nodes=nodes, rules=rules, folders=folders_of(nodes), blob=partial(_blob, repository))


def _blob(repository: Repository, oid: str) -> bytes | None:
    with ObjectReader(repository) as reader:
        return reader.blob(oid)


class BaseTree:
    """The base's tree, looked up path by path from the repository's top, and on through its submodules on disk."""

    def __init__(self, reader: ObjectReader, commit: str, modules: Modules) -> None:
        self.reader = reader
        self.commit = commit
        self.modules = modules

    def node(self, path: str) -> Node | None:
        """What the base has at a path; a folder is a Node as well. Errors: GitError."""
        return self._reach(path)[1]

    def rules(self, folder: str, name: str = RULES) -> bytes | None:
        """The ignore file of a folder, or another file of rules in it. Errors: GitError."""
        module, node, rest = self._reach(folder)
        if node is not None and node.mode == SUBMODULE:
            # The folder is the submodule itself.
            module, rest = self.modules.at(folder, node.oid), ""
        if module is None:
            return self.reader.blob(f"{self.commit}:{join(folder, name)}")
        return module.rules.get(join(rest, name)) if isinstance(module, Module) else None

    def _reach(self, path: str) -> tuple[Module | str | None, Node | None, str]:
        """The submodule that a path lies in (None: in none, text: one that cannot be read), its node, its path there."""
        node, rest = self.reader.reach(self.commit, path)
        module: Module | str | None = None
        inside = path
        while rest and node is not None:
            module = self.modules.at(path[: -len(rest) - 1], node.oid) or ""
            if not isinstance(module, Module):
                return module, None, ""
            inside = rest
            node, rest = module.reach(rest)
        return module, node, inside
