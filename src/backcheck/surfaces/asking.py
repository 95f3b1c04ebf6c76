"""Asking in the right order: what runs commands first, then the tree is read as it lies after them, then all else is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from backcheck import engine
from backcheck.contract.model import Contract
from backcheck.errors import UserError
from backcheck.evidence.git import GitError
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.steady import Seen
from backcheck.evidence.survey import Survey
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.changing import Changes, listed
from backcheck.surfaces.session import Session, cache_allowed, disk_tree
from backcheck.verdict import Blame, Finding, Status


class Question(NamedTuple):
    """What the caller asks for beside the session."""

    only: tuple[str, ...] = ()
    door: str | None = None
    require_base: bool = False
    remember: bool = True
    cache: bool = True


class Judged:
    """One run of the main line: its session, its question and the findings so far."""

    __slots__ = ("findings", "question", "session")

    def __init__(self, session: Session, question: Question) -> None:
        self.session = session
        self.question = question
        self.findings: list[Finding] = []

    def contract(self) -> Contract:
        """The contract that was found."""
        contract = self.session.place.contract
        if contract is None:
            raise UserError("no contract", slug="no-contract")
        return contract


def answers(run: Judged, asked: Sequence[engine.Bound], progress: engine.Progress | None) -> Survey:
    """Ask everything: first what runs commands, then, of the tree as it lies after them, all else."""
    evidence, frozen = run.session.evidence, not isinstance(run.session.tree, DiskTree)
    running = [item for item in asked if engine.executes(item)]
    reading = [item for item in asked if not engine.executes(item)]
    # A tree of git objects cannot change; whether its commands may run on disk depends on its digest.
    survey = _survey(run, asked) if frozen else Survey()
    changes = Changes(_commanded(run.session, survey) if running else None)
    if running:
        _attach_runner(run)
    found = engine.ask_all(running, evidence, progress, total=len(asked))
    evidence.made = frozenset(_compare(run, changes))
    if not frozen:
        _forget(run)
        survey = _survey(run, asked)
    found += engine.ask_all(reading, evidence, progress, before=len(running), total=len(asked))
    _stand(run, survey, changes if running else None)
    run.findings[:0] = engine.in_order(asked, found)
    return survey


def _survey(run: Judged, asked: Sequence[engine.Bound]) -> Survey:
    """One pass over the tree for its digest and all searches. A pass that breaks is an error of the verifier."""
    searches = engine.searches_of(asked)
    try:
        survey = run.session.tree.survey(searches)
    except (WorkerDied, TooLarge, GitError, OSError) as error:
        run.findings.append(
            engine.own_finding(
                "tree",
                Status.ERROR,
                f"the tree could not be read whole: {error}",
                blame=Blame.ENVIRONMENT,
                remedy="Make the tree readable, or keep data out of it.",
            )
        )
        return Survey()
    run.session.evidence.tallies = {s.key: tally for s, tally in zip(searches, survey.tallies, strict=True)}
    return survey


def _forget(run: Judged) -> None:
    """What was met of the tree while commands ran says nothing of the tree that they left."""
    if isinstance(run.session.tree, DiskTree):
        run.session.tree.seen = Seen()
    forget = getattr(run.session.evidence.final_nodes, "cache_clear", None)
    if forget is not None:
        forget()


def _stand(run: Judged, survey: Survey, changes: Changes | None) -> None:
    """What commands left and what checks looked at must be what the pass over the tree hashed; else it says nothing."""
    tree, steady = run.session.tree, survey.steady
    if not isinstance(tree, DiskTree) or steady is None:
        return
    tree.seen.look_again(tree.top)
    moved = set(steady.differing(tree.seen, tree.outside))
    if changes is not None:
        moved.update(steady.changed_since(changes.before, tree.outside))
    if moved:
        run.findings.append(
            engine.own_finding(
                "tree-changed",
                Status.UNCLEAR,
                f"the tree changed while it was judged: {listed(sorted(moved))}",
                blame=Blame.ENVIRONMENT,
                remedy="Find out what writes to it, and check again when nothing does.",
            )
        )


def _attach_runner(run: Judged) -> None:
    """Copies, records and isolation are loaded only where something runs."""
    from backcheck.surfaces import runner

    runner.attach(run.session, cache=cache_allowed(run.question.door, run.question.cache))


def _commanded(session: Session, survey: Survey) -> DiskTree | None:
    """The tree on disk in which commands run: for the index or a revision only where the disk holds the very same bytes."""
    if isinstance(session.tree, DiskTree):
        return session.tree
    disk = disk_tree(session.place, cache=False)
    try:
        same = bool(survey.digest) and disk.survey([]).digest == survey.digest
    except (WorkerDied, TooLarge, OSError):
        same = False
    if not same:
        return None
    session.evidence.command_folder = session.tree.root
    return disk


def _compare(run: Judged, changes: Changes) -> list[str]:
    """What commands changed: existing files make the answer unclear, new ones are told. Returns the new ones."""
    changed, new = changes.since()
    if changed:
        run.findings.append(
            engine.own_finding(
                "tree-changed",
                Status.UNCLEAR,
                f"a command changed what was being judged: {listed(changed)}",
                blame=Blame.CONTRACT,
                remedy="Let commands write only to ignored or temporary files.",
            )
        )
    if new:
        run.session.notices.append(f"commands left new files in the tree: {listed(new)}")
    return new
