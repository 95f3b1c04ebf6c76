"""Bind every check, ask every one, catch what breaks, decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from backcheck.checks.api import Answer, Check, Evidence
from backcheck.checks.binding import bind
from backcheck.checks.plugins import load_plugins
from backcheck.checks.registry import gate_for
from backcheck.contract.model import Contract, Requirement
from backcheck.contract.nodes import nearest
from backcheck.errors import UserError
from backcheck.evidence.search import Search
from backcheck.verdict import Basis, Blame, Channel, Finding, Isolation, Provenance, Severity, Status, Verdict, decide

#: Told before each requirement is asked: its number, how many there are, and its id.
Progress = Callable[[int, int, str], None]


class Bound(NamedTuple):
    """A requirement and the gate made for it."""

    requirement: Requirement
    gate: Check


def bind_all(contract: Contract) -> list[Bound]:
    """Make every gate before any is asked. Errors: UserError at the first thing that is wrong in the contract."""
    plugins = load_plugins(contract.plugins) if contract.plugins else {}
    return [_bound(requirement, plugins) for requirement in contract.requirements]


def _bound(requirement: Requirement, plugins: dict[str, type[Any]]) -> Bound:
    gate_class = gate_for(requirement, plugins)
    gate: Check = bind(requirement, gate_class)
    possible = gate_class.provenance
    if requirement.provenance.rank > possible.rank:
        raise UserError(
            f"check `{requirement.check}` can give `{possible.value}` evidence at most, never `{requirement.provenance.value}`",
            where=requirement.place("provenance"),
            slug="contract-provenance",
        )
    return Bound(requirement=requirement, gate=gate)


def select(bound: Sequence[Bound], only: Iterable[str], door: str | None) -> tuple[list[Bound], list[Bound], list[str]]:
    """Which are asked, which are required here, and the ids that are asked at another door.

    Errors: UserError where `only` names no requirement.
    """
    wanted = list(dict.fromkeys(only))
    ids = [item.requirement.id for item in bound]
    for name in wanted:
        if name not in ids:
            raise UserError(f"--only {name}: the contract has no such requirement{nearest(name, ids)}", slug="only")
    required = [item for item in bound if door is None or door in item.requirement.at]
    deferred = [item.requirement.id for item in bound if item not in required]
    asked = [item for item in required if not wanted or item.requirement.id in wanted]
    return asked, required, deferred


def executes(item: Bound) -> bool:
    """Whether asking this requirement runs something: such are asked before the tree is read.

    A gate whose channel is execution always does; another may say so of itself by a property `executes`.
    """
    return item.gate.channel is Channel.EXECUTION or bool(getattr(item.gate, "executes", False))


def ask_all(asked: Sequence[Bound], evidence: Evidence, progress: Progress | None = None, *, before: int = 0,
            total: int | None = None) -> list[Finding]:  # fmt: skip
    """One finding for each requirement, in the order given; `before` of `total` were asked already (for the progress)."""
    findings = []
    for number, item in enumerate(asked, start=before + 1):
        if progress is not None:
            progress(number, total or len(asked), item.requirement.id)
        findings.append(ask(item, evidence))
    return findings


def in_order(asked: Sequence[Bound], findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the contract's order, whatever the order in which they were made."""
    places = {item.requirement.id: number for number, item in enumerate(asked)}
    return sorted(findings, key=lambda finding: places[finding.requirement])


def searches_of(asked: Iterable[Bound]) -> list[Search]:
    """What one pass over the tree must look for, each thing once."""
    found: dict[str, Search] = {}
    for item in asked:
        for search in getattr(item.gate, "searches", list)():
            found[search.key] = search
    return list(found.values())


def ask(item: Bound, evidence: Evidence) -> Finding:
    """Ask one gate. A gate that raises is an `error`: the verifier's fault, never a pass and never the agent's."""
    started = time.monotonic()
    evidence.asking = item.requirement
    try:
        answer = item.gate.answer(evidence)
        if not isinstance(answer, Answer) or not isinstance(answer.status, Status):
            raise TypeError(f"it gave no answer but {type(answer).__name__}")
    # The one broad except: whatever breaks must become an answer, and an exit of a gate must not become an exit code.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        answer = Answer(
            status=Status.ERROR,
            reason=f"the check broke: {type(error).__name__}: {error}"[:500],
            blame=Blame.VERIFIER,
            remedy=f"This is a fault of the check `{item.requirement.check}`, not of the work; please report it with this line.",
        )
    return finding_of(item, answer, time.monotonic() - started)


def finding_of(item: Bound, answer: Answer, seconds: float = 0.0) -> Finding:
    """An answer with its requirement's own fields; a pass on weaker evidence than demanded is a failure."""
    requirement = item.requirement
    finding = Finding(
        requirement=requirement.id,
        check=requirement.check,
        status=answer.status,
        reason=answer.reason,
        where=answer.where,
        remedy=answer.remedy,
        severity=requirement.severity,
        provenance=answer.provenance or Provenance.ASSERTED,
        isolation=answer.isolation,
        channel=Channel.EXECUTION if executes(item) else item.gate.channel,
        basis=Basis.RUN if executes(item) else basis_of(item.gate),
        blame=answer.blame,
        description=requirement.description,
        dimension=requirement.dimension,
        hidden=requirement.hidden,
        seconds=seconds,
        details=answer.details,
    )
    return _over_budget(_in_reach(_weaker(finding, requirement), requirement), requirement)


def basis_of(gate: Check) -> Basis:
    """What a gate's answer looks at; a gate that says nothing of it reads text."""
    if gate.channel is Channel.EXECUTION:
        return Basis.RUN
    if gate.channel is Channel.HUMAN:
        return Basis.PERSON
    return getattr(gate, "basis", Basis.TEXT)


def _weaker(finding: Finding, requirement: Requirement) -> Finding:
    demanded = requirement.provenance
    if finding.status is not Status.PASS or finding.provenance.rank >= demanded.rank:
        return finding
    return replace(
        finding,
        status=Status.FAIL,
        blame=Blame.AGENT,
        reason=f"the evidence is {finding.provenance.value}; the contract demands {demanded.value}",
        remedy="Let backcheck run the command itself.",
    )


def _in_reach(finding: Finding, requirement: Requirement) -> Finding:
    """A pass by a run that was less isolated than demanded is none, and whose turn it is the machine decides."""
    ranks = list(Isolation)
    if finding.status is not Status.PASS or ranks.index(finding.isolation) >= ranks.index(requirement.isolation):
        return finding
    return replace(
        finding,
        status=Status.UNCLEAR,
        blame=Blame.ENVIRONMENT,
        reason=f"it ran with isolation `{finding.isolation.value}`; the contract demands `{requirement.isolation.value}`",
        remedy="Judge it where bubblewrap works, or lower `isolation` in the contract.",
    )


def _over_budget(finding: Finding, requirement: Requirement) -> Finding:
    if requirement.budget is None or finding.seconds <= requirement.budget or finding.status is not Status.PASS:
        return finding
    return replace(
        finding,
        status=Status.UNCLEAR,
        blame=Blame.ENVIRONMENT,
        reason=f"it took {finding.seconds:.1f} s; its budget is {requirement.budget:g} s",
        remedy="Raise the budget, or ask this requirement at a later door (`at`).",
    )


def own_finding(rule: str, status: Status, reason: str, *, remedy: str = "", blame: Blame | None = None,
                severity: Severity = Severity.BLOCK) -> Finding:  # fmt: skip
    """A finding of backcheck's own rules; they block unless said otherwise."""
    return Finding(requirement=f"backcheck:{rule}", check=rule, status=status, reason=reason, remedy=remedy, blame=blame,
                   severity=severity, channel=Channel.FILESYSTEM)  # fmt: skip


def fold(required: Sequence[Bound], findings: Sequence[Finding], deferred: Iterable[str] = ()) -> Verdict:
    """The verdict over what is required here."""
    ids = [item.requirement.id for item in required]
    blocking = [item.requirement.id for item in required if item.requirement.severity is Severity.BLOCK]
    return decide(ids, findings, blocking=blocking, deferred=deferred)
