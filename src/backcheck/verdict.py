"""Statuses, findings and the fold that makes a verdict of them. Pure values; nothing here reads or runs anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """What one check answered. Everything but `PASS` keeps a blocking requirement from passing."""

    PASS = "pass"
    FAIL = "fail"
    UNCLEAR = "unclear"
    ERROR = "error"
    NOT_APPLICABLE = "not-applicable"


class Severity(StrEnum):
    """Whether a requirement can block (`BLOCK`) or is only listed (`WARN`)."""

    BLOCK = "block"
    WARN = "warn"


class Provenance(StrEnum):
    """How evidence came to be, weakest first: written by somebody, recorded by us, executed by us in a clean copy."""

    ASSERTED = "asserted"
    RECORDED = "recorded"
    OBSERVED = "observed"

    @property
    def rank(self) -> int:
        """0 for the weakest."""
        return list(Provenance).index(self)


class Isolation(StrEnum):
    """How far an execution could have been forged by the code under judgement, weakest first."""

    NONE = "none"
    IN_PROCESS = "in-process"
    PROCESS = "process"
    PROBE = "probe"


class Channel(StrEnum):
    """What a check reads."""

    FILESYSTEM = "filesystem"
    TEXT = "text"
    EXECUTION = "execution"
    MODEL = "model"
    HUMAN = "human"


class Blame(StrEnum):
    """Whose turn it is when an answer is not a pass."""

    AGENT = "agent"
    CONTRACT = "contract"
    VERIFIER = "verifier"
    ENVIRONMENT = "environment"


class Basis(StrEnum):
    """What an answer looked at: text that somebody wrote about the work, the work itself, a run of ours, or a person."""

    TEXT = "text"
    WORK = "work"
    RUN = "run"
    PERSON = "person"


class Outcome(StrEnum):
    """The verdict's three values."""

    PASS = "PASS"
    REJECT = "REJECT"
    UNCLEAR = "UNCLEAR"


#: Exit codes of the command line; 2 (wrong contract or call) and 4 (bug) are no verdicts.
EXIT_CODES: Mapping[Outcome, int] = {Outcome.PASS: 0, Outcome.REJECT: 1, Outcome.UNCLEAR: 3}
EXIT_WRONG = 2
EXIT_BUG = 4

#: Ids of findings that backcheck makes itself start with this; a contract may not use it.
OWN_PREFIX = "backcheck:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a finding was seen: a path of the tree (POSIX, from the root), a line from 1 (0: none), a note."""

    path: str
    line: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One answer. `reason` is one plain sentence; `remedy` says what to do; `where` is bounded by the check."""

    requirement: str
    check: str
    status: Status
    reason: str
    where: tuple[Place, ...] = ()
    remedy: str = ""
    severity: Severity = Severity.BLOCK
    provenance: Provenance = Provenance.ASSERTED
    isolation: Isolation = Isolation.NONE
    channel: Channel = Channel.FILESYSTEM
    basis: Basis = Basis.TEXT
    blame: Blame | None = None
    description: str = ""
    dimension: str = ""
    hidden: bool = False
    seconds: float = 0.0
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The fold of findings. `unanswered` are requirements nobody asked, `deferred` those asked at another door."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    unanswered: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    why: str = ""

    @property
    def exit_code(self) -> int:
        """0 PASS, 1 REJECT, 3 UNCLEAR."""
        return EXIT_CODES[self.outcome]


def decide(
    required: Sequence[str],
    findings: Iterable[Finding],
    *,
    blocking: Iterable[str],
    deferred: Iterable[str] = (),
) -> Verdict:
    """Fold findings into a verdict; order of findings and of requirements changes nothing but the order of lists.

    `required` are the ids of all requirements asked here, `blocking` those of them with severity block, `deferred`
    the ids asked at another door. A requirement with several findings has the worst of them. REJECT if anything
    blocking failed; UNCLEAR if anything blocking is unclear, in error, without an answer or not applicable, or if
    nothing blocking passed at all; else PASS.
    """
    answers = tuple(findings)
    blockers = set(blocking)
    ids = {finding.requirement for finding in answers}
    unanswered = tuple(name for name in required if name not in ids)
    weighed = [f for f in answers if f.severity is Severity.BLOCK]
    statuses = {finding.status for finding in weighed}
    open_blockers = [name for name in unanswered if name in blockers]
    passed = any(f.status is Status.PASS and not f.requirement.startswith(OWN_PREFIX) for f in weighed)

    if Status.FAIL in statuses:
        outcome, why = Outcome.REJECT, ""
    elif statuses & {Status.UNCLEAR, Status.ERROR, Status.NOT_APPLICABLE}:
        outcome, why = Outcome.UNCLEAR, ""
    elif open_blockers:
        outcome, why = Outcome.UNCLEAR, "requirements without an answer"
    elif not passed:
        outcome, why = Outcome.UNCLEAR, "no blocking requirement was answered"
    else:
        outcome, why = Outcome.PASS, ""
    return Verdict(outcome=outcome, findings=answers, unanswered=unanswered, deferred=tuple(deferred), why=why)
