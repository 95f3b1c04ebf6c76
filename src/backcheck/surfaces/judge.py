"""The main line: session → engine → ledger → document."""

from __future__ import annotations

import datetime
import time
from typing import Any

from backcheck import engine
from backcheck.evidence.survey import Survey, tree_digest
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.asking import Judged, Question, answers
from backcheck.surfaces.locate import Place
from backcheck.surfaces.memory import Memory
from backcheck.surfaces.report.document import verdict_document
from backcheck.surfaces.session import Session
from backcheck.verdict import Blame, Status


def judge(session: Session, question: Question, progress: engine.Progress | None = None) -> dict[str, Any]:
    """Ask everything, decide, remember; returns the verdict document. Errors: UserError before anything runs."""
    started, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    run = Judged(session, question)
    contract = run.contract()
    asked, required, deferred = engine.select(engine.bind_all(contract), question.only, question.door)
    if progress is not None:
        progress(0, len(asked), "reading the tree")
    survey = answers(run, asked, progress)
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
