"""Names of a text that stand nowhere in the tree: paths by name, all else by its letters in any file that is no prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backcheck.checks.api import Evidence
from backcheck.checks.changes import LINK, SUBMODULE
from backcheck.checks.code.languages import MARKUP, suffix_of
from backcheck.checks.leftovers.roles import Role, role_of
from backcheck.checks.substance.lookup import Kind
from backcheck.checks.substance.named import Named, missing_paths, names_in, words_of
from backcheck.checks.touched import OWN_FOLDER, bytes_of, forks
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable


def absent_names(evidence: Evidence, text: str, *, but: str) -> list[Named]:
    """Names in backticks that are not there; the file `but` (a path of the contract) does not count as a place.

    Errors: parallel.WorkerDied.
    """
    names = names_in(text)
    final = evidence.final_nodes()
    paths = [item for item in names if item.kind is Kind.PATH]
    missing = missing_paths(paths, final) if paths else []
    others = [item for item in names if item.kind is not Kind.PATH]
    if not others:
        return missing
    own = join(evidence.prefix, OWN_FOLDER.rstrip("/"))
    searched = [
        path
        for path, (mode, _) in final.items()
        if mode not in {LINK, SUBMODULE} and path != join(evidence.prefix, but) and not path.startswith(f"{own}/")
        and role_of(path) is not Role.PROSE and suffix_of(path) not in MARKUP
    ]  # fmt: skip
    words = {item.name: words_of(item) for item in others}
    there = _there(evidence, searched, words)
    return sorted([*missing, *(item for item in others if item.name not in there)], key=lambda item: item.line)


def _there(evidence: Evidence, paths: Sequence[str], words: dict[str, bytes]) -> set[str]:
    """Names whose letters stand in one of the files."""

    def work(part: Sequence[str]) -> list[list[Any]]:
        left = dict(words)
        for path in part:
            try:
                data = bytes_of(evidence, path, limit=MAX_TEXT)
            except Unreadable:
                continue
            for name in [name for name, word in left.items() if word in data]:
                del left[name]
            if not left:
                break
        return [[name] for name in words if name not in left]

    rows = fork_map(work, paths) if forks(evidence) else work(paths)
    return {str(row[0]) for row in rows}
