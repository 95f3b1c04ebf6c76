"""The main line: session → engine → ledger → document."""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from backcheck import engine
from backcheck.contract.model import Contract
from backcheck.errors import UserError
from backcheck.evidence.git import GitError
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.steady import Seen
from backcheck.evidence.survey import Survey, tree_digest
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.changing import Changes, listed
from backcheck.surfaces.locate import Place
from backcheck.surfaces.memory import Memory
from backcheck.surfaces.report.document import verdict_document
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


def judge(session: Session, question: Question, progress: engine.Progress | None = None) -> dict[str, Any]:
    """Ask everything, decide, remember; returns the verdict document. Errors: UserError before anything runs."""
    started, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    run = Judged(session, question)
    contract = run.contract()
    asked, required, deferred = engine.select(engine.bind_all(contract), question.only, question.door)
    if progress is not None:
        progress(0, len(asked), "reading the tree")
    survey = _answers(run, asked, progress)
    _policy(run)
    digest = digest_of(session, survey)
    memory = Memory(place=session.place, contract=contract, tree=digest, evidence=digest, enabled=question.remember)
    verdict = engine.fold(required, memory.recall(run.findings), deferred)
    context = _context(run, survey, digest) | {
        "attempts": memory.counted(verdict.outcome),
        "only": list(question.only),
        "door": question.door,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - clock, 3),
        "notices": [*session.notices, *memory.notices, *_tree_notices(survey)],
    }
    document = verdict_document(verdict, context)
    memory.append(document)
    return document


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


def _answers(run: Judged, asked: Sequence[engine.Bound], progress: engine.Progress | None) -> Survey:
    """Ask everything: first what runs commands, then, of the tree as it lies after them, all else."""
    evidence, frozen = run.session.evidence, not isinstance(run.session.tree, DiskTree)
    running = [item for item in asked if engine.executes(item)]
    reading = [item for item in asked if not engine.executes(item)]
    # A tree of git objects cannot change; whether its commands may run on disk depends on its digest.
    survey = _survey(run, asked) if frozen else Survey()
    changes = Changes(_commanded(run.session, survey) if running else None)
    if running:
        _attach_runner(run)
    answers = engine.ask_all(running, evidence, progress, total=len(asked))
    evidence.made = frozenset(_compare(run, changes))
    if not frozen:
        _forget(run)
        survey = _survey(run, asked)
    answers += engine.ask_all(reading, evidence, progress, before=len(running), total=len(asked))
    _stand(run, survey, changes if running else None)
    run.findings[:0] = engine.in_order(asked, answers)
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


def _policy(run: Judged) -> None:
    """Findings of backcheck's own rules about base and contract."""
    place = run.session.place
    problem = _base_problem(place) if run.question.require_base else None
    if problem is not None:
        reason, remedy = problem
        run.findings.append(
            engine.own_finding("base", Status.UNCLEAR, reason, blame=Blame.ENVIRONMENT, remedy=remedy),
        )
    if run.session.place.contract_from == "tree":
        run.session.notices.append(
            "the contract was read from the tree under judgement; a base that holds it would be safer"
        )


def _base_problem(place: Place) -> tuple[str, str] | None:
    """What is wrong with the base where one is required, and what helps."""
    if place.contract_from != "base":
        missing = "there is no base" if place.base is None else "the base has no contract"
        return (f"{missing}, and --require-base asks for a contract from the base",
                "Commit the contract to the base, or give it by --base.")  # fmt: skip
    if place.base is not None and place.base.movable:
        return (f"the base {place.base.commit[:12]} was found by {place.base.name}, which the agent could have moved, and "
                "--require-base asks for one that it could not",
                "Give `--base COMMIT`, a commit that was there before the work.")  # fmt: skip
    return None


def digest_of(session: Session, survey: Survey) -> str:
    """The digest of what was judged: the tree, and ignored files that a check read all the same."""
    beside = session.tree.beside if isinstance(session.tree, DiskTree) else {}
    if not beside:
        return survey.digest
    lines = "".join(f"{path} {digest}\0" for path, digest in sorted(beside.items()))
    import hashlib

    extra = hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
    return tree_digest([("tree", survey.digest), ("read beside it", extra)])


def _tree_notices(survey: Survey) -> list[str]:
    if not survey.unhashed:
        return []
    from backcheck.evidence.paths import shown

    path, reason = survey.unhashed[0]
    more = f" and {len(survey.unhashed) - 1} more" if len(survey.unhashed) > 1 else ""
    return [f"part of the tree is bound by size only: {shown(path)} {reason}{more}"]


def _context(run: Judged, survey: Survey, digest: str) -> dict[str, Any]:
    place, contract, tree = run.session.place, run.contract(), run.session.tree
    base = place.base
    beside = tree.beside if isinstance(tree, DiskTree) else {}
    return {
        "contract": {"path": contract.path, "format": contract.format, "digest": contract.digest,
                     "from": place.contract_from, "task": contract.task},
        "tree": {"kind": tree.label, "digest": digest, "files": survey.files, "bytes": survey.bytes,
                 "reused_folders": survey.reused, "unhashed": [{"path": p, "reason": r} for p, r in survey.unhashed[:20]]},
        "base": {"commit": base.commit, "origin": base.origin.value, "name": base.name, "movable": base.movable}
        if base else None,
        "evidence": {"digest": digest, "beside": sorted(beside)},
    }  # fmt: skip
