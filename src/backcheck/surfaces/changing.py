"""What changes in the tree on disk while it is judged: files are compared by their states, which cannot be set back."""

from __future__ import annotations

from collections.abc import Sequence

from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree

States = dict[str, tuple[int, int, int, int]]


class Changes:
    """Files of a tree as they were when this was made, to be compared with what they are later. None: nothing is compared."""

    __slots__ = ("before", "tree")

    def __init__(self, tree: DiskTree | None) -> None:
        self.tree = tree
        self.before = _states(tree)

    def since(self) -> tuple[list[str], list[str]]:
        """Paths from the top that were there and are another or gone, and paths that are new; the comparison starts anew."""
        before, self.before = self.before, _states(self.tree)
        changed = sorted(path for path, state in before.items() if self.before.get(path) != state)
        return changed, sorted(path for path in self.before if path not in before)


def _states(tree: DiskTree | None) -> States:
    if tree is None:
        return {}
    try:
        return tree.states()
    except TooLarge:
        # The pass that reads the tree meets the same limit, and says so in a finding that blocks.
        return {}


def listed(paths: Sequence[str]) -> str:
    """The first paths as a person may read them."""
    from backcheck.evidence.paths import shown

    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(shown(path) for path in paths[:3]) + more
