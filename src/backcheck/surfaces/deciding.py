"""From a verdict of the ledger to a signed decision: contract, base and tree are read anew, and must be the verdict's.

The ledger is memory that the agent may have written, so a person is never asked to sign what only the ledger says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from backcheck.contract.model import Requirement
from backcheck.errors import UserError
from backcheck.evidence import signing
from backcheck.evidence.git import GitError
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.walk import TooLarge
from backcheck.evidence.workspace import DiskTree
from backcheck.ledger import decisions, keys
from backcheck.ledger.decisions import Decision, Recorded
from backcheck.ledger.store import Entry, Ledger, now, text_at
from backcheck.surfaces.judge import digest_of as judged_digest
from backcheck.surfaces.report.difference import Difference, difference
from backcheck.surfaces.session import INDEX, WORKTREE, Session, open_session
from backcheck.surfaces.trust import trusted_keys, why_none
from backcheck.verdict import Status

States = dict[str, tuple[int, int, int, int]]


@dataclass(slots=True, kw_only=True)
class Subject:
    """What is decided on. `requirement` is None for backcheck's own rules; `states` tell later whether a file changed."""

    session: Session
    verdict: Entry
    name: str
    requirement: Requirement | None
    findings: list[Mapping[str, Any]]
    beside: list[str]
    states: States
    changes: Difference | None

    def close(self) -> None:
        """End the git process."""
        self.session.close()

    def check_unchanged(self) -> None:
        """Errors: UserError where a file changed since it was read. Files' change times cannot be set back."""
        if self.states != _states(self.session):
            raise UserError("the tree changed while you looked; nothing was signed", slug="decide-stale")


def tree_name(label: str) -> str:
    """The tree to open for a verdict's `tree.kind`."""
    return INDEX if label == INDEX else label.removeprefix("revision ") if label.startswith("revision ") else WORKTREE


def open_subject(entry: Entry, name: str, *, folder: str, contract: str | None, base: str | None) -> Subject:
    """Read everything anew. Errors: UserError where the requirement cannot be decided, or anything is not the verdict's."""
    findings = _undecided(entry, name)
    tree = tree_name(text_at(entry.body, "tree", "kind"))
    session = open_session(folder=folder, contract=contract, base=base, tree=tree, cache=False)
    try:
        return _read(entry, name, findings, session)
    except (GitError, TooLarge, WorkerDied, OSError) as error:
        session.close()
        raise UserError(f"the tree or its base cannot be read: {error}", slug="decide-unreadable") from None
    except BaseException:
        session.close()
        raise


def make(subject: Subject, *, status: str, reason: str, key: Ed25519PrivateKey, key_name: str) -> Decision:
    """The decision, unsigned. Errors: UserError for an empty or endless reason."""
    try:
        line = decisions.clean_reason(reason)
    except ValueError as error:
        raise UserError(f"--reason: {error}", slug="decide-reason") from None
    body = subject.verdict.body
    return Decision(
        requirement=subject.name,
        status=Status(status),
        reason=line,
        contract=text_at(body, "contract", "digest"),
        path=text_at(body, "contract", "path"),
        tree=text_at(body, "tree", "digest"),
        verdict=subject.verdict.id,
        time=now(),
        key=signing.public_text(key),
        name=key_name,
    )


def no_effect(decision: Decision, subject: Subject, known: tuple[Recorded, ...]) -> str:
    """Why this decision will change nothing, or empty text."""
    place = subject.session.place
    trusted = trusted_keys(place)
    bound = {"contract_digest": decision.contract, "contract_path": decision.path, "tree_digest": decision.tree}
    why = decisions.why_not(Recorded(entry="", decision=decision), **bound, trusted_keys=trusted)
    if why:
        return why_none(place) or why
    same = [r.decision for r in known if r.decision is not None and r.decision.requirement == decision.requirement
            and not decisions.why_not(r, **bound, trusted_keys=trusted)]  # fmt: skip
    first = decisions.winner([*same, decision])
    return f"the `{first.status.value}` by {first.by} stands against it" if first and first != decision else ""


def record(ledger: Ledger, decision: Decision, subject: Subject, key: Ed25519PrivateKey) -> Entry:
    """Sign and append. Errors: UserError where the tree changed since it was shown; LedgerError."""
    subject.check_unchanged()
    try:
        envelope = decisions.seal(replace(decision, time=now()), key)
    except ValueError as error:
        raise UserError(f"this cannot be signed: {error}", slug="decide-requirement") from None
    return ledger.append(decisions.KIND, envelope)


def choose_key(name: str | None) -> str:
    """The name of the key to sign with: the given one, or the only one there is. Errors: UserError."""
    if name == keys.RECORDER:
        raise UserError(f"--key {name}: it signs records of runs, where the agent works; a person decides with a key of his own",
                        slug="keys")  # fmt: skip
    if name is not None:
        return name
    names = [row.name for row in keys.list_keys() if row.name != keys.RECORDER]
    if not names:
        raise UserError("you have no key to sign with; `backcheck keys new NAME` makes one", slug="keys")
    if len(names) > 1:
        raise UserError(f"--key: which of {', '.join(names)}?", slug="keys")
    return names[0]


def _undecided(entry: Entry, name: str) -> list[Mapping[str, Any]]:
    found = entry.body.get("findings")
    findings = [f for f in found if isinstance(f, Mapping)] if isinstance(found, list) else []
    about = [finding for finding in findings if text_at(finding, "requirement") == name]
    words = {status.value for status in decisions.OPEN}
    open_ones = sorted({text_at(f, "requirement") for f in findings if text_at(f, "status") in words})
    listed = f"; open are: {shown(', '.join(open_ones))}" if open_ones else _nothing_open(entry)
    if not about:
        raise UserError(f"verdict {entry.id} has no answer for `{name}`{listed}", slug="decide-requirement")
    if not any(text_at(finding, "status") in words for finding in about):
        status = shown(text_at(about[0], "status"))
        final = "a failure is final" if status == "fail" else "only `unclear` and `error` can be decided"
        raise UserError(f"the answer for `{name}` is `{status}`: {final}{listed}", slug="decide-requirement")
    return about


def _nothing_open(entry: Entry) -> str:
    """What to do where a verdict leaves nothing to decide."""
    unanswered = entry.body.get("unanswered")
    if isinstance(unanswered, list) and unanswered:
        return "; nothing in it is open, for not everything was asked: run `backcheck check` without --only, and decide on that"
    if text_at(entry.body, "verdict") == "REJECT":
        return "; nothing in it is open: what failed must be done, and then checked again"
    return "; nothing in it is open; `backcheck queue` lists what waits"


def _read(entry: Entry, name: str, findings: list[Mapping[str, Any]], session: Session) -> Subject:
    place, body = session.place, entry.body
    contract = place.contract
    judged = (text_at(body, "contract", "digest"), text_at(body, "contract", "path"))
    commit = place.base.commit if place.base else ""
    moved = commit != text_at(body, "base", "commit")
    if contract is None or (contract.digest, contract.path) != judged:
        # The contract is the base's, so another base is the likelier slip.
        how = (
            "check again, or name the base of that verdict with --base"
            if moved
            else "check again, or name it with --contract"
        )
        raise UserError(
            f"verdict {entry.id} was made under another contract than the one here; {how}", slug="decide-stale"
        )
    if moved:
        raise UserError(f"verdict {entry.id} was made against the base {text_at(body, 'base', 'commit')[:12] or 'none'}, "
                        f"and here it is {commit[:12] or 'none'}; check again (or name it with --base)",
                        slug="decide-stale")  # fmt: skip
    states = _states(session)
    beside = _read_beside(session, body)
    if judged_digest(session, session.tree.survey([])) != text_at(body, "tree", "digest"):
        raise UserError(f"the tree has changed since verdict {entry.id}; check again and decide on the new verdict",
                        slug="decide-stale")  # fmt: skip
    return Subject(
        session=session,
        verdict=entry,
        name=name,
        requirement=next((r for r in contract.requirements if r.id == name), None),
        findings=findings,
        beside=beside,
        states=states,
        changes=difference(session.evidence),
    )


def _states(session: Session) -> States:
    """Nothing to compare for a tree of git objects: it was opened by ids that cannot change."""
    return session.tree.states() if isinstance(session.tree, DiskTree) else {}


def _read_beside(session: Session, body: Mapping[str, Any]) -> list[str]:
    """Read the ignored files that the verdict's checks had read: they are part of what was judged."""
    evidence, tree = body.get("evidence"), session.tree
    named = evidence.get("beside") if isinstance(evidence, Mapping) else None
    paths = [path for path in named if isinstance(path, str)] if isinstance(named, list) else []
    if isinstance(tree, DiskTree):
        for path in paths:
            _note_beside(tree, path)
    return paths


def _note_beside(tree: DiskTree, path: str) -> None:
    import hashlib

    from backcheck.evidence.limits import MAX_FILE

    try:
        tree.beside[path] = hashlib.sha256(DiskTree(tree.top).read(path, limit=MAX_FILE)).hexdigest()
    except Unreadable as problem:
        raise UserError(
            f"{shown(path)}, which the verdict rests on, {problem}; check again", slug="decide-stale"
        ) from None
