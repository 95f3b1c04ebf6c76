"""What belongs to the tree though an ignore rule names it: paths of the index, and those that the base has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backcheck.evidence.objects import TREE, Node
from backcheck.evidence.paths import folders_of


class Tracked:
    """`index` gives every path of the index; `base` what the base has at a path, so that what is taken out of the index
    does not vanish. Both are asked only where something is ignored."""

    def __init__(self, index: Callable[[], Iterable[str]], base: Callable[[str], Node | None] | None = None) -> None:
        self._read = index
        self._base = base
        self._index: frozenset[str] | None = None
        self._folders: frozenset[str] | None = None

    def holds(self, path: str) -> bool:
        """Whether a file or link is tracked. Errors: GitError."""
        if path in self._paths():
            return True
        node = self._base(path) if self._base is not None else None
        return node is not None and node.mode != TREE

    def below(self, folder: str) -> bool:
        """Whether a folder may hold tracked files. Errors: GitError."""
        if self._folders is None:
            self._folders = folders_of(self._paths())
        return folder in self._folders or (self._base is not None and self._base(folder) is not None)

    def _paths(self) -> frozenset[str]:
        if self._index is None:
            self._index = frozenset(self._read())
        return self._index
