"""Has a gate's command run as strongly as its requirement demands: in a clean copy, by a record that counts, or here."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from backcheck.checks.running import Mix, NotRun, Ran, RunAsked, run_here
from backcheck.evidence.commands import allowed_environment
from backcheck.evidence.paths import shown
from backcheck.evidence.workspace import DiskTree
from backcheck.surfaces.session import Session
from backcheck.verdict import Blame, Provenance

if TYPE_CHECKING:  # Copies, records and their ciphers are loaded by the first requirement that asks for them.
    from backcheck.evidence.cleancopy import Copied
    from backcheck.evidence.observing import Plan
    from backcheck.evidence.probing import Probed


def attach(session: Session, *, cache: bool = True) -> None:
    """Let the session's evidence run commands; `cache` keeps prepared environments for the next time."""
    evidence = session.evidence
    plan = functools.cache(lambda: _plan(session, cache))

    def runner(asked: RunAsked) -> Ran:
        requirement = evidence.asking
        demanded = requirement.provenance if requirement else Provenance.ASSERTED
        if demanded is Provenance.OBSERVED:
            return _observed(plan(), session, asked)
        if demanded is Provenance.RECORDED and requirement is not None:
            from backcheck.surfaces.counting import counted

            recorded = counted(session, requirement, asked)
            if recorded is not None:
                return recorded
        return run_here(evidence, asked)

    def mixer(asked: RunAsked, mix: Mix) -> Ran:
        from backcheck.surfaces.mixing import mixed

        return _observed(mixed(plan(), session, mix), session, asked)

    evidence.runner, evidence.mixer = runner, mixer
    evidence.prober = lambda script, language, seconds: _probed(plan(), session, script, language, seconds)


def _probed(plan: Plan, session: Session, script: bytes, language: str, seconds: float) -> Probed:
    from backcheck.evidence.observing import NotObserved
    from backcheck.evidence.probing import run_probe

    try:
        return run_probe(plan, script, language, session.place.prefix, seconds)
    except NotObserved as problem:
        raise NotRun(str(problem), Blame(problem.blame), "Mend what keeps it from running in a clean copy.") from None


def _observed(plan: Plan, session: Session, asked: RunAsked) -> Ran:
    from backcheck.evidence import sandbox
    from backcheck.evidence.observing import NotObserved, observe

    try:
        seen = observe(
            plan, asked.argv, session.place.prefix, allowed_environment(asked.variables), asked.limits, asked.reports
        )
    except NotObserved as problem:
        raise NotRun(str(problem), Blame(problem.blame), "Mend what keeps it from running in a clean copy.") from None
    said = ["in a clean copy"]
    if not sandbox.bubblewrap():
        said.append("not isolated: bubblewrap is not usable here")
    said += [f"{shown(path)} {reason}" for path, reason in seen.left_out[:3]]
    return Ran(
        result=seen.result, reports=seen.reports, provenance=Provenance.OBSERVED, isolation=seen.isolation,
        said="; ".join(said),
    )  # fmt: skip


def _plan(session: Session, cache: bool) -> Plan:
    from backcheck.evidence.cleancopy import copy_disk, copy_objects
    from backcheck.evidence.observing import Plan
    from backcheck.ledger import keys

    place, tree = session.place, session.tree
    contract = place.contract
    if place.repository is not None:
        store = place.repository.git_dir / "backcheck" / "prepared"
    else:
        store = Path(place.root) / ".backcheck" / "prepared"
    hidden = [str(place.top), str(keys.folder()), *([str(place.repository.common_dir)] if place.repository else [])]

    @functools.cache
    def paths() -> tuple[str, ...]:
        return tuple(tree.paths()) if isinstance(tree, DiskTree) else tuple(tree.nodes or ())

    def copy(into: str) -> Copied:
        if isinstance(tree, DiskTree):
            return copy_disk(tree.top, tree.paths(), into)
        reader = place.reader
        return copy_objects(tree.nodes or {}, lambda oid: reader.blob(oid) if reader else None, into)

    return Plan(
        copy=copy, paths=paths, digest=functools.cache(lambda: tree.survey([]).digest),
        prepare=contract.prepare if contract else (), network=bool(contract and contract.network), hidden=hidden,
        cache=store if cache else None,
    )  # fmt: skip
