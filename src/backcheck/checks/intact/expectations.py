"""What became of one test of the base, by the name that a report gives it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from enum import StrEnum

from backcheck.checks.api import Evidence
from backcheck.checks.touched import bytes_before, bytes_of
from backcheck.evidence.decode import decode
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.reading import Unreadable

_PARAMETERS = re.compile(r"\[.*\]$")


class Fate(StrEnum):
    """What the work did to a test, and to the files that it reads its expectations from."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


def fate_of(evidence: Evidence, paths: Iterable[str], name: str) -> Fate:
    """What the work did to a test that a report names; `paths` are the base's test paths. Errors: GitError.

    GONE where no changed file has a test of this name any more; SAME where its text and what it reads are the base's.
    """
    last = re.split(r"::|[ .](?=[\w ]+$)| > ", _PARAMETERS.sub("", name))[-1].strip()
    holders = {path: text for path in paths if last in (text := decode(bytes_before(evidence, path) or b""))}
    # Several tests may bear one name in several files: the report's own words choose among them.
    named = {path: text for path, text in holders.items() if posixpath.basename(path).split(".")[0] in name} or holders
    fates = [_in_file(evidence, path, text, last) for path, text in named.items()]
    return next((fate for fate in (Fate.SAME, Fate.GONE, Fate.CHANGED) if fate in fates), Fate.SAME)


def _in_file(evidence: Evidence, path: str, before: str, last: str) -> Fate:
    try:
        after = decode(bytes_of(evidence, path, limit=MAX_TEXT))
    except Unreadable:
        return Fate.GONE
    if after == before:
        return Fate.SAME
    old, new = _text_of(before, last), _text_of(after, last)
    if not new:
        return Fate.GONE
    return Fate.SAME if old == new else Fate.CHANGED


def _text_of(text: str, name: str) -> str:
    """The lines of a test by indentation: from the line that names it to the next one that is not deeper."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if re.search(rf"\b{re.escape(name)}\b", line)), None)
    if start is None:
        return ""
    depth = len(lines[start]) - len(lines[start].lstrip())
    found = [lines[start].strip()]
    for line in lines[start + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth and line.strip()[0] not in ")}]":
            break
        found += [line.strip()] if line.strip() else []
    return "\n".join(found)
