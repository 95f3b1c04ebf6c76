"""Check `work-present`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.files import read_text
from backcheck.checks.leftovers.roles import Role, role_of
from backcheck.checks.substance.absent import absent_names
from backcheck.checks.substance.lookup import kind_of_name
from backcheck.checks.substance.named import Named
from backcheck.checks.substance.reading import Nature
from backcheck.checks.substance.work import Work, look_up, work_in
from backcheck.checks.touched import Touched, check_globs, scope_of, touched
from backcheck.evidence.git import GitError
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance

KINDS = ("work", "code", "tests", "docs", "config", "any")
_ROLES = {
    "work": frozenset({Role.WORK, Role.TEST, Role.DATA, Role.EXAMPLE, Role.BESIDE}),
    "code": frozenset({Role.WORK}),
    "tests": frozenset({Role.TEST}),
    "docs": frozenset({Role.PROSE, Role.EXAMPLE}),
    "config": frozenset({Role.DATA}),
    "any": frozenset(Role),
}
_FORM = "Do the work; white space, comments, stubs and new names are none."


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """There is work in the change: more than white space, comments, docstrings, stubs and new names of files.

    Python, JavaScript and TypeScript are compared by their syntax, JSON and TOML by their values, other files without
    their comments and the white space that means nothing in them. Functions that do no work are left out on both sides,
    and so is the order of Python's imports. Removing is work. backcheck's own folder counts nothing.

    `names` must be defined in what is new or changed: functions, classes, methods (`Store.get`), variables, keys of
    settings, options (`--retries`), routes (`/users`), paths. `task` is a text, `claim` a file of the tree with one: their
    names in backticks must be in the tree.

    Passes when: at least one file of the kind has a real change, so has each of `paths`, and each of `names` is new or changed.
    Fails when: nothing differs from the base, or nothing but form; one of `paths` has no real change; one of `names` is missing,
        is as it was, or does no work; or the claim says plainly that a file or a call (`name()`) is there which is not.
    Unclear when: only prose changed, or only what `kind` does not name; only modes changed; the task or the claim names
        something else that stands nowhere; a file is unreadable; or there is no base.
    Cost: parses each changed file and its base; names of a text that are in no changed file take a pass over the tree.
    Source: backcheck's own.
    """

    channel: ClassVar[Channel] = Channel.FILESYSTEM
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={}, base={"a.py": "x = 1\n"}, files={"a.py": "# Retries are handled now.\nx  =  1\n"}
    )

    #: Globs; each must have a real change.
    paths: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    #: `work` (all but prose), `code` (no tests), `tests`, `docs`, `config` or `any`.
    kind: str = "work"
    #: Count a file's new name as work.
    renames: bool = False
    task: str = ""
    claim: str = ""

    def __post_init__(self) -> None:
        for glob in self.paths:
            check_globs("paths", [glob])
        if self.kind not in KINDS:
            raise ArgumentError("kind", f"`{self.kind}` is not one of {', '.join(KINDS)}")
        for name in self.names:
            if kind_of_name(name) is None:
                raise ArgumentError("names", f"`{name}` is no name of a function, class, option, route, key or path")

    def answer(self, evidence: Evidence) -> Answer:
        """Compare, look for the names, read the texts."""
        change = touched(evidence, ())
        if isinstance(change, Answer):
            return change
        if not change.all:
            return failed("no change: the tree is the base's", remedy="Do the work.")
        try:
            work = work_in(evidence, change.paths, renames=self.renames)
            answers = [
                self._change(change, work),
                *self._in_paths(evidence, work),
                *self._names(evidence, change, work),
            ]
            answers += [*self._task(evidence), *self._claim(evidence)]
        except (GitError, WorkerDied) as error:
            return unclear(f"the base or the tree cannot be read: {error}", blame=Blame.ENVIRONMENT)
        return _worst(answers)

    def _change(self, change: Touched, work: Work) -> Answer:
        real = work.real()
        details = {"changed": change.all, "real": len(real)}
        fitting = [path for path in real if self.paths or role_of(path) in _ROLES[self.kind]]
        if fitting:
            places = tuple(Place(path=shown(path)) for path in fitting[:MAX_PLACES])
            return passed(f"{len(real)} of {change.all} changed files hold work", where=places, details=details)
        if work.problems:
            path, reason = work.problems[0]
            return unclear(
                f"{shown(path)} {reason}", where=(Place(path=shown(path)),), blame=Blame.ENVIRONMENT, details=details
            )
        if real:
            places = tuple(Place(path=shown(path)) for path in real[:MAX_PLACES])
            what = "prose" if all(role_of(path) is Role.PROSE for path in real) else "files of another kind"
            reason = f"only {what} changed ({shown(real[0])}); asked for: {self.kind}"
            return unclear(reason, where=places, blame=Blame.AGENT, details=details,
                           remedy="Do the work; or let the contract say `kind` if this was the task.")  # fmt: skip
        return self._form(change, work, details)

    def _form(self, change: Touched, work: Work, details: dict[str, int]) -> Answer:
        places = tuple(
            Place(path=shown(path), note=nature.value) for path, nature in list(work.natures.items())[:MAX_PLACES]
        )
        if change.beside or (work.natures and set(work.natures.values()) == {Nature.MODE}):
            what = "links or submodules" if change.beside else "modes of files"
            return unclear(f"only {what} changed", where=places, blame=Blame.AGENT, details=details,
                           remedy="Let a person say whether this is the work.")  # fmt: skip
        natures = ", ".join(sorted({nature.value for nature in work.natures.values()}))
        files = f"{len(work.natures)} changed file{'s' if len(work.natures) > 1 else ''}"
        return failed(f"nothing but form: {files} ({natures})", where=places, details=details, remedy=_FORM)

    def _in_paths(self, evidence: Evidence, work: Work) -> list[Answer]:
        found = []
        for glob in self.paths:
            scope = scope_of([glob], evidence.prefix)
            inside = {path: nature for path, nature in work.natures.items() if path in scope}
            if Nature.REAL in inside.values():
                continue
            why = f"nothing but form ({next(iter(inside.values())).value})" if inside else "no change"
            places = tuple(Place(path=shown(path), note=n.value) for path, n in list(inside.items())[:MAX_PLACES])
            found.append(failed(f"{glob}: {why}", where=places, remedy="Do the work there."))
        return found

    def _names(self, evidence: Evidence, change: Touched, work: Work) -> list[Answer]:
        looked = [look_up(evidence, name, change.paths, work) for name in self.names]
        return [
            failed(f"`{item.name}` {item.why}", remedy="Do the work that it is the name of.",
                   where=(Place(path=shown(item.place[0]), line=item.place[1]),) if item.place else ())
            for item in looked if item.why
        ]  # fmt: skip

    def _task(self, evidence: Evidence) -> list[Answer]:
        missing = absent_names(evidence, self.task, but="") if self.task else []
        remedy = "Do what the task names, or let a person say that it is not needed."
        reasons = [f"the task names `{item.name}`, which stands nowhere in the tree" for item in missing]
        return [unclear(reason, blame=Blame.AGENT, remedy=remedy) for reason in reasons]

    def _claim(self, evidence: Evidence) -> list[Answer]:
        if not self.claim:
            return []
        text = read_text(evidence, self.claim)
        if isinstance(text, Answer):
            return [text]
        missing = absent_names(evidence, text, but=self.claim)
        return [self._claimed(item) for item in missing]

    def _claimed(self, item: Named) -> Answer:
        reason = f"{shown(self.claim)} names `{item.name}`, which stands nowhere in the tree"
        where = (Place(path=shown(self.claim), line=item.line),)
        if item.plainly:
            return failed(reason, where=where, remedy="Do what is claimed.")
        return unclear(reason, where=where, blame=Blame.AGENT, remedy="Let a person read the claim.")


def _worst(answers: list[Answer]) -> Answer:
    """The worst answer; others of its kind are told with it."""
    for status in ("fail", "unclear"):
        found = [answer for answer in answers if answer.status.value == status]
        if found:
            first = found[0]
            reason = "; ".join(answer.reason for answer in found[:4]) + ("; ..." if len(found) > 4 else "")
            places = tuple(place for answer in found for place in answer.where)[:MAX_PLACES]
            return Answer(
                status=first.status,
                reason=reason,
                where=places,
                remedy=first.remedy,
                blame=first.blame,
                details=answers[0].details,
            )
    return answers[0]
