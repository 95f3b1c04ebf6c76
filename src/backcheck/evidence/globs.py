"""Globs over tree paths, matched by RE2 so that no pattern can be slow.

`*` and `?` stay within a name, `**` crosses folders, `[a-z]` and `[!a-z]` are classes, `{a,b}` alternatives; names that
start with a dot are like others. A glob that names a folder covers what is below it. `!glob` takes paths away.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

MAX_GLOB = 1000
_WILD = frozenset("*?[{")
_EXTENDED = re.compile(r"(?<!\\)[@+!?*]\(|(?<!\\)\([^)]*\|")
_NUMBERS = re.compile(r"\{(-?\d{1,6})\.\.(-?\d{1,6})\}")
MAX_NUMBERS = 1000
#: Plain folders, then any name, or any name with a certain ending.
_BY_ENDING = re.compile(r"(?:[^{}\[\]\\]*/)?(?:\*\*|\*(?:\.[A-Za-z0-9_-]+|\.\{[A-Za-z0-9_.,-]+\})*)")


class GlobError(ValueError):
    """The glob cannot be read; the text says why."""


def translate(glob: str) -> str:
    """A glob as RE2 source that must match the whole path. Errors: GlobError."""
    if len(glob) > MAX_GLOB:
        raise GlobError(f"the glob is longer than {MAX_GLOB} characters")
    if _EXTENDED.search(glob):
        raise GlobError(
            "extended globs such as `@(a|b)` are not supported; write `{a,b}`, or `\\(` for a plain bracket"
        )
    glob = _plain(glob)
    out: list[str] = []
    at = depth = 0
    while at < len(glob):
        piece, at, depth = _piece(glob, at, depth)
        out.append(piece)
    if depth:
        raise GlobError("an opening `{` has no `}`")
    return "".join(out)


def _plain(glob: str) -> str:
    while glob.startswith("./"):
        glob = glob[2:]
    return re.sub("/{2,}", "/", glob).rstrip("/")


def _piece(glob: str, at: int, depth: int) -> tuple[str, int, int]:
    c = glob[at]
    if c == "*":
        return (*_stars(glob, at), depth)
    if c == "?":
        return "[^/]", at + 1, depth
    if c == "[":
        return (*_character_class(glob, at), depth)
    numbers = _NUMBERS.match(glob, at)
    if numbers and abs(int(numbers[2]) - int(numbers[1])) < MAX_NUMBERS:
        low, high = sorted((int(numbers[1]), int(numbers[2])))
        return f"(?:{'|'.join(map(str, range(low, high + 1)))})", numbers.end(), depth
    if c == "{" and "}" in glob[at:]:
        return "(?:", at + 1, depth + 1
    if c == "}" and depth:
        return ")", at + 1, depth - 1
    if c == "," and depth:
        return "|", at + 1, depth
    if c == "\\" and at + 1 < len(glob):
        return re.escape(glob[at + 1]), at + 2, depth
    return re.escape(c), at + 1, depth


def _stars(glob: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    whole_name = (at == 0 or glob[at - 1] in "/{,") and (end == len(glob) or glob[end] in "/},")
    if end - at == 1 or not whole_name:
        return "[^/]*", end
    if glob[end : end + 1] == "/":
        return "(?:[^/]+/)*", end + 1
    return ".*", end


def _character_class(glob: str, at: int) -> tuple[str, int]:
    end = glob.find("]", at + 2 if glob[at + 1 : at + 2] in ("!", "^", "]") else at + 1)
    if end < 0:
        return re.escape("["), at + 1
    body = glob[at + 1 : end]
    negated = body[:1] in ("!", "^")
    body = body[1:] if negated else body
    safe = body.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("^", "\\^")
    # A file may bear the very name, as in `pages/[id].js`: that is matched as well.
    return f"(?:[{'^/' if negated else ''}{safe}]|{re.escape(glob[at : end + 1])})", end + 1


def has_wildcard(glob: str) -> bool:
    """Whether the glob is more than a plain path."""
    return any(c in _WILD for c in glob)


class Globs:
    """A compiled set: a path is in it if a glob (or a folder that it names) covers it and nothing takes it away."""

    __slots__ = ("by_ending", "count", "keep", "matcher")

    def __init__(self, globs: Sequence[str], ignore: Iterable[str] = ()) -> None:
        keep = [glob for glob in globs if not glob.startswith("!")]
        drop = [glob[1:] for glob in globs if glob.startswith("!")] + list(ignore)
        self.keep = keep
        self.count = len(keep)
        #: Of two files in one folder whose names are the same from their first dot on, both are in the set or neither.
        self.by_ending = all(_BY_ENDING.fullmatch(_plain(glob)) for glob in (*keep, *drop))
        matcher = _compiled((*keep, *drop), len(keep))
        # The inner set's own method, where it is there, takes bytes without asking what they are: a third of the time.
        self.matcher = getattr(getattr(matcher, "_set", None), "Match", matcher.Match)

    def __contains__(self, path: str) -> bool:
        found = self.matcher(_path_bytes(path))
        # Ids count from 0 in the order of the globs: those at or beyond `count` take away.
        return bool(found) and max(found) < self.count

    def may_hold(self, folder: str) -> bool:
        """Whether a path at or below `folder` could be in the set; never False where one could."""
        return any("{" in glob or _reaches(_plain(glob).split("/"), folder.split("/")) for glob in self.keep)


def _reaches(names: list[str], folder: list[str]) -> bool:
    """Whether the names of a glob can be spent along a folder's names; `**` spends any number of them."""

    def skipping(places: set[int]) -> set[int]:
        for place in sorted(places):
            while place < len(names) and names[place] == "**":
                place += 1
                places.add(place)
        return places

    places = skipping({0})
    for name in folder:
        if len(names) in places:
            # A glob that names a folder covers what is below it.
            return True
        stay = {place for place in places if names[place] == "**"}
        spent = {place + 1 for place in places - stay if _compiled((names[place],)).Match(_path_bytes(name))}
        places = skipping(stay | spent)
    return bool(places)


def check_glob(glob: str) -> None:
    """Errors: GlobError where a glob cannot be used."""
    body = glob.removeprefix("!")
    if not _plain(body):
        raise GlobError("the glob is empty")
    if body.startswith("/") or ".." in body.split("/"):
        raise GlobError("the glob leaves the root of the tree")
    _compiled((body,))


def _path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...], kept: int | None = None) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.dot_nl = True
    # Latin-1 so that names that are no UTF-8 are matched byte by byte.
    options.encoding = re2.Options.Encoding.LATIN1
    matcher = re2.Set.FullMatchSet(options)
    try:
        for number, glob in enumerate(globs):
            # `src` covers what is below the folder; `src/*` names its entries and no more. What is taken away (from
            # `kept` on) goes with all that is below it.
            below = "" if _plain(glob).endswith("*") and (kept is None or number < kept) else "(?:/.*)?"
            matcher.Add(_path_bytes(f"(?:{translate(glob)}){below}"))
    except (re2.error, UnicodeEncodeError):
        raise GlobError("the glob cannot be read") from None
    matcher.Compile()
    return matcher
