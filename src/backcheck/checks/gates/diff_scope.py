"""Check `diff-scope`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.changes import Change, changes, is_program
from backcheck.evidence.git import GitError
from backcheck.evidence.globs import GlobError, Globs, check_glob
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The change touches only allowed paths and none of the protected ones.

    Base and final tree are compared path by path, blob by blob, over the whole repository: what a commit in between
    did, or which bits the index carries, changes nothing. Globs count from the contract's root; those that start with
    `/` from the repository's top. A file that is the content of its LFS pointer, or has the encoding and line
    ends that the base's `.gitattributes` ask for, is unchanged; so is one that differs only in its line ends (all CRLF
    instead of all LF), unless it is a script or a program. Files that the base's ignore rules leave
    out (caches, environments) are not compared, though commands may use them; rules that the work added count for nothing.
    A submodule on disk is compared with the commit that the base names, by what its own repository holds.

    Passes when: every added, removed or changed path (also its mode or link target) is covered by `allowed` (where
        given) and by none of `protected`.
    Fails when: one is not.
    Unclear when: there is no base to compare with, or the base cannot be read; a path outside the scope is one that a command
        of this very check made, a script with other line ends, or a file or submodule that cannot be read
        or that a filter of the repository changes on its way to disk.
    Cost: reads and hashes the files whose size or content may differ from the base.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={"protected": ["tests/**"]},
        files={"tests/test_a.py": "assert True\n"},
        base={"tests/test_a.py": "assert add(1, 2) == 3\n"},
    )

    allowed: list[str] = field(default_factory=list)
    protected: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.allowed and not self.protected:
            raise ArgumentError("protected", "`allowed` or `protected` is needed; nothing would be checked")
        for name, globs in (("allowed", self.allowed), ("protected", self.protected)):
            for glob in globs:
                try:
                    check_glob(glob.removeprefix("/"))
                except GlobError as error:
                    raise ArgumentError(name, f"{glob!r}: {error}") from None

    def _globs(self, globs: list[str], prefix: str) -> Globs:
        return Globs([glob[1:] if glob.startswith("/") else f"{prefix}/{glob}" if prefix else glob for glob in globs])

    def answer(self, evidence: Evidence) -> Answer:
        """Compare base and final tree."""
        try:
            base = evidence.base_nodes()
            if base is None or evidence.base is None:
                return unclear(
                    "there is no base to compare with",
                    blame=Blame.ENVIRONMENT,
                    remedy="Give one with `--base COMMIT`, or work on a branch whose upstream is fetched.",
                )
            found = changes(evidence, base)
        except GitError as error:
            return unclear(f"the base cannot be read: {error}", blame=Blame.ENVIRONMENT)
        return self._judge(found, evidence)

    def _judge(self, found: Mapping[str, Change], evidence: Evidence) -> Answer:
        allowed = self._globs(self.allowed, evidence.prefix)
        # Who protects `tests/*` means what lies below as well.
        protected = self._globs([*self.protected, *(f"{glob}/**" for glob in self.protected)], evidence.prefix)
        outside = {path: "protected" for path in found if self.protected and path in protected}
        for path in found if self.allowed else ():
            if path not in allowed:
                outside.setdefault(path, "not allowed")
        wrong, doubtful = {}, {}
        for path, why in outside.items():
            doubt = _doubt(path, found[path], evidence)
            if doubt is None:
                wrong[path] = why
            elif doubt:
                doubtful[path] = doubt
        details = {"changed": len(found), "outside": len(wrong)}
        if wrong:
            return self._outside(found, wrong, details)
        if doubtful:
            return _unsure(doubtful, details)
        return passed(_within([path for path, change in sorted(found.items()) if change is not Change.LINE_ENDS]),
                      details=details)  # fmt: skip

    def _outside(self, found: Mapping[str, Change], wrong: Mapping[str, str], details: Mapping[str, object]) -> Answer:
        listed = sorted(wrong.items())
        places = tuple(Place(path=shown(path), note=f"{found[path].value}, {why}") for path, why in listed[:20])
        more = f" (and {len(listed) - 1} more)" if len(listed) > 1 else ""
        remedy = "Take these paths back to the base, or let the contract's owner widen its scope."
        if any(found[path] is Change.ADDED for path in wrong):
            remedy += (
                " What a tool leaves behind is taken away, or ignored by a rule of the base: its ignore rules count."
            )
        first = places[0]
        return failed(f"{first.path} was {first.note}{more}", where=places, details=details, remedy=remedy)


def _doubt(path: str, change: Change, evidence: Evidence) -> str | None:
    """Why a change outside the scope may be none of the work's; empty text where it is no change, None where it is one."""
    if change is Change.LINE_ENDS:
        return "has other line ends, which a program may not bear" if is_program(evidence, path) else ""
    if change is Change.UNKNOWN:
        return "is a submodule that cannot be compared"
    if change is Change.UNREAD:
        return "could not be read"
    if change is Change.ADDED and path in evidence.made:
        return "was made by a command while the tree was judged"
    return None


def _unsure(doubtful: Mapping[str, str], details: Mapping[str, object]) -> Answer:
    listed = sorted(doubtful.items())
    more = f" (and {len(listed) - 1} more)" if len(listed) > 1 else ""
    made = any("made by" in why for why in doubtful.values())
    remedy = (
        "Let commands write only what the base ignores: add a rule to its .gitignore." if made else "Let a person look."
    )
    return unclear(f"{shown(listed[0][0])} {listed[0][1]}{more}", blame=Blame.CONTRACT if made else Blame.ENVIRONMENT,
                   where=tuple(Place(path=shown(path), note=why) for path, why in listed[:20]), details=details,
                   remedy=remedy)  # fmt: skip


def _within(paths: list[str]) -> str:
    if not paths:
        return "no path differs from the base"
    count = "1 path" if len(paths) == 1 else f"{len(paths):,} paths"
    more = " and others" if len(paths) > 3 else ""
    return f"{count} changed, all within scope: {', '.join(map(shown, paths[:3]))}{more}"
