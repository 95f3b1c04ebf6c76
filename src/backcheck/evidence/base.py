"""What a change is judged against: the commit that was there before the work, and how we know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from backcheck.errors import UserError
from backcheck.evidence.git import GitError, Repository

#: Where the upstream's default branch is looked for, in this order.
UPSTREAMS = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/upstream/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
)


class Origin(StrEnum):
    """How the base was found; all but a given one can be moved by whoever can write to the git directory."""

    GIVEN = "given"
    BEGUN = "begun"
    MERGE_BASE = "merge-base"


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The base commit. `movable`: the agent could have moved it."""

    commit: str
    origin: Origin
    name: str

    @property
    def movable(self) -> bool:
        """Whether the agent could have chosen this commit."""
        return self.origin is not Origin.GIVEN


def find_base(
    repository: Repository | None, given: str | None, begun: Callable[[Repository], str | None] = lambda _: None
) -> Base | None:
    """The base by `--base`, else what `backcheck begin` settled, else the merge base of HEAD with the upstream's default
    branch, else None. `begun` says which commit that was.

    Errors: UserError where `--base` names no commit.
    """
    if given is not None:
        if repository is None:
            raise UserError(f"--base {given}: there is no git repository here", slug="base-unknown")
        commit = repository.commit(given)
        if commit is None:
            raise UserError(f"--base {given}: no such commit in {repository.top}", slug="base-unknown")
        return Base(commit=commit, origin=Origin.GIVEN, name=given)
    if repository is None:
        return None
    started = begun(repository)
    if started is not None:
        commit = repository.commit(started)
        if commit is None:
            raise UserError(f"the commit {started[:12]} at which the task began is no longer here", slug="base-unknown")
        return Base(commit=commit, origin=Origin.BEGUN, name="backcheck begin")
    for upstream in UPSTREAMS:
        if _may_exist(repository, upstream) and repository.commit(upstream):
            commit = _merge_base(repository, upstream)
            return Base(commit=commit, origin=Origin.MERGE_BASE, name=upstream) if commit else None
    return None


def _may_exist(repository: Repository, reference: str) -> bool:
    """Spares a git process where no remote was ever fetched."""
    common = repository.common_dir
    return (common / reference).exists() or (common / "packed-refs").exists() or (common / "reftable").exists()


def _merge_base(repository: Repository, upstream: str) -> str | None:
    try:
        found = repository.run("merge-base", "HEAD", upstream, ok=(0, 1, 128))
    except GitError:
        return None
    return found.decode("ascii", "replace").strip() or None
