"""Secrets in the files of a tree: every file in all its forms; which of them are new, and how much each weighs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from backcheck.checks.api import Evidence
from backcheck.checks.changes import Change
from backcheck.checks.leftovers.roles import Role, role_of
from backcheck.checks.secrets.detector import Detector, DetectorError, Secret
from backcheck.checks.secrets.views import Unopened, unfolded, views
from backcheck.checks.touched import bytes_before, bytes_of, forks
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.paths import shown
from backcheck.evidence.reading import Unreadable

#: A file beyond this is not searched; the answer is unclear.
MAX_SEARCHED = 128 * 1024 * 1024
#: Around a hit inside one long run of these letters there is encoded data.
_ENCODED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")
_AROUND = 60


class Sureness(IntEnum):
    """How much a hit weighs, heaviest last."""

    NOTED = 1
    OPEN = 2
    PLAIN = 3


class Hit(NamedTuple):
    """A secret at a place; `how` says where it stands if not plainly in the text."""

    line: int
    sureness: Sureness
    rule: str
    how: str
    digest: str


class Hunt(NamedTuple):
    """`found` as (path, hit); `searched` counts files; `problems` are (path, reason)."""

    found: list[tuple[str, Hit]]
    searched: int
    problems: list[tuple[str, str]]


def hunt(evidence: Evidence, detector: Detector, paths: Sequence[str]) -> Hunt:
    """Search files of the tree under judgement. Errors: parallel.WorkerDied."""

    def work(part: Sequence[str]) -> list[list[Any]]:
        return [[path, *_of_file(evidence, detector, path)] for path in part]

    rows = fork_map(work, paths) if forks(evidence) else work(paths)
    problems = [(path, reason) for path, reason, _ in rows if reason]
    found = [
        (path, Hit(line, Sureness(sure), rule, how, digest))
        for path, _, hits in rows
        for line, sure, rule, how, digest in hits
    ]
    found += _in_names(detector, paths)
    return Hunt(found, sum(not reason for _, reason, _ in rows), problems)


def _of_file(evidence: Evidence, detector: Detector, path: str) -> tuple[str, list[list[Any]]]:
    """Why a file was not searched whole, and its hits all the same."""
    found: list[Hit] = []
    problem = ""
    try:
        data = bytes_of(evidence, path, limit=MAX_SEARCHED)
        found += hits_in(detector, data, path)
        found += hits_inside(detector, data, path)
    except (Unreadable, DetectorError, Unopened) as error:
        problem = str(error)
    return problem, [[hit.line, int(hit.sureness), hit.rule, hit.how, hit.digest] for hit in found]


def hits_in(detector: Detector, data: bytes, path: str) -> list[Hit]:
    """Hits in a file's bytes as they lie there, each value once. Errors: DetectorError."""
    found: dict[str, Hit] = {}
    for view in views(data):
        for secret in detector.find(view.data):
            line = view.line(secret.start) if view.line else secret.line
            hit = Hit(line, sureness(secret, role_of(path), view.data), secret.rule, view.how, secret.digest)
            if secret.digest not in found or hit.sureness > found[secret.digest].sureness:
                found[secret.digest] = hit
    return list(found.values())


def hits_inside(detector: Detector, data: bytes, path: str) -> list[Hit]:
    """Hits in what an archive holds. Errors: DetectorError, Unopened."""
    return [
        Hit(
            0,
            sureness(secret, role_of(path), content),
            secret.rule,
            f"in {shown(name)[:80]} of the archive",
            secret.digest,
        )
        for name, content in unfolded(data)
        for secret in detector.find(content)
    ]


def sureness(secret: Secret, role: Role, data: bytes) -> Sureness:
    """How sure it is that this is a secret that must not be here."""
    tried = role in {Role.TEST, Role.EXAMPLE, Role.PROSE, Role.BESIDE}
    if secret.confidence == "low":
        return Sureness.NOTED
    if secret.rule.startswith(("generic", "jwt")):
        # Tokens for a test and addresses of an example look like others.
        return Sureness.NOTED if tried else Sureness.OPEN
    if secret.rule == "private-key" and role in {Role.TEST, Role.EXAMPLE, Role.BESIDE}:
        return Sureness.OPEN
    return Sureness.OPEN if _amid_encoded(data, secret) else Sureness.PLAIN


def _amid_encoded(data: bytes, secret: Secret) -> bool:
    before = data[max(0, secret.start - _AROUND) : secret.start]
    after = data[secret.end : secret.end + _AROUND]
    return len(before) == len(after) == _AROUND and _ENCODED.issuperset(before) and _ENCODED.issuperset(after)


def _in_names(detector: Detector, paths: Sequence[str]) -> list[tuple[str, Hit]]:
    """Secrets in the names of files themselves."""
    names = "\n".join(path if path.isprintable() else shown(path) for path in paths)
    if not names:
        return []
    return [
        (paths[secret.line - 1], Hit(0, Sureness.PLAIN, secret.rule, "in the name of the file", secret.digest))
        for secret in detector.find(names.encode())
        if secret.confidence != "low" and not secret.rule.startswith(("generic", "jwt"))
    ]


def known_before(evidence: Evidence, detector: Detector, paths: dict[str, Change]) -> set[str]:
    """Digests of the secrets that the base held in files that were changed or removed: they were moved, not written.

    Errors: GitError, DetectorError.
    """
    known: set[str] = set()
    for path in _not_added(paths):
        data = bytes_before(evidence, path)
        if data is None:
            continue
        known |= {hit.digest for hit in hits_in(detector, data, path)}
        try:
            known |= {hit.digest for hit in hits_inside(detector, data, path)}
        except Unopened:
            continue
    return known


def _not_added(paths: dict[str, Change]) -> Iterable[str]:
    return (path for path, change in paths.items() if change is not Change.ADDED)
