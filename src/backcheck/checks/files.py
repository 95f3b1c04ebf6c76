"""What gates that look at one file share: reading it, or the failure that says why it is no evidence."""

from __future__ import annotations

from backcheck.checks.api import Answer, Evidence, failed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.evidence.decode import decode
from backcheck.evidence.limits import MAX_FILE, MAX_TEXT, size
from backcheck.evidence.paths import shown
from backcheck.evidence.patterns import DIALECTS, Pattern, PatternError, compile_pattern
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import Entry, Kind
from backcheck.verdict import Blame, Place


def require_name(field: str, *paths: str) -> None:
    """Refuse an empty file name in a contract."""
    if not paths:
        raise ArgumentError(field, "the list is empty; nothing would be checked")
    for path in paths:
        if not path.strip():
            raise ArgumentError(field, "a file name is empty")


def no_file(entry: Entry) -> Answer:
    """The failure for a path that is no regular file of the tree."""
    path = shown(entry.path)
    remedy = "Do the work that leaves this file; a file written for the check proves nothing."
    if entry.kind is not Kind.MISSING:
        remedy = "Let a regular file inside the tree hold it."
    return failed(f"{path} {entry.note}", where=(Place(path=path),), remedy=remedy)


def read_text(evidence: Evidence, path: str, *, limit: int = MAX_TEXT) -> str | Answer:
    """The decoded text of a file, or the answer to give where it cannot be had."""
    entry = evidence.tree.entry(path)
    if entry.kind is not Kind.FILE:
        return no_file(entry)
    try:
        return decode(evidence.tree.read(path, limit=limit))
    except Unreadable as error:
        reason = f"{shown(path)} {error}"
        if entry.size > limit:
            return unclear(reason, blame=Blame.ENVIRONMENT, where=(Place(path=shown(path)),),
                           remedy=f"Keep the file below {size(limit)}, or let a person look at it.")  # fmt: skip
        return unclear(reason, blame=Blame.ENVIRONMENT, where=(Place(path=shown(path)),),
                       remedy="Make the file readable for the user who runs backcheck.")  # fmt: skip


def pattern_argument(field: str, source: str, flags: str, dialect: str, *, lines: bool = False) -> Pattern:
    """A compiled pattern of a contract. Errors: ArgumentError."""
    if dialect not in DIALECTS:
        raise ArgumentError("dialect", f"`{dialect}` is not one of {', '.join(DIALECTS)}")
    try:
        return compile_pattern(source, flags, dialect=dialect, lines=lines)
    except PatternError as error:
        raise ArgumentError("flags" if "flag" in str(error) else field, str(error)) from None


__all__ = ("MAX_FILE", "MAX_TEXT", "no_file", "pattern_argument", "read_text", "require_name")
