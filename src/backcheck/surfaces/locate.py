"""Where things are: the folder asked about, its repository, the base, the contract and the tree under judgement."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backcheck.contract import find
from backcheck.contract.model import Contract
from backcheck.contract.nodes import MAX_BYTES
from backcheck.errors import UserError
from backcheck.evidence.base import Base, find_base
from backcheck.evidence.git import GitError, Repository, discover
from backcheck.evidence.objects import Node, ObjectReader
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.workspace import DiskTree, Kind
from backcheck.surfaces.beginning import begun_commit


@dataclass(slots=True, kw_only=True)
class Place:
    """What was found. `top` is the tree's top on disk, `prefix` the contract's root below it."""

    start: Path
    top: Path
    repository: Repository | None
    reader: ObjectReader | None
    base: Base | None
    prefix: str = ""
    contract: Contract | None = None
    #: `base`, `tree`, or `given` (a file outside the tree named on the command line).
    contract_from: str = ""
    notices: list[str] = field(default_factory=list)
    #: The base's paths, once somebody has asked for them (session.base_nodes).
    nodes: Mapping[str, Node] | None = None

    @property
    def root(self) -> str:
        """The folder that the contract's paths count from."""
        return os.path.join(self.top, self.prefix) if self.prefix else str(self.top)


def locate(folder: str, base: str | None) -> Place:
    """Find the repository and the base around a folder. Errors: UserError."""
    try:
        start = Path(os.path.realpath(folder))
        found = start.is_dir()
    except (OSError, ValueError):
        found = False
    if not found:
        raise UserError(f"there is no folder {folder}", slug="no-folder")
    try:
        repository = discover(start)
    except OSError as error:
        raise UserError(f"{start}: {error.strerror}", slug="no-folder") from None
    reader = ObjectReader(repository) if repository else None
    return Place(
        start=start,
        top=repository.top if repository else start,
        repository=repository,
        reader=reader,
        base=find_base(repository, base, begun_commit),
    )


def find_contract(place: Place, given: str | None, read_tree: Callable[[str], bytes | None] | None = None) -> None:
    """Set the place's contract and root. `read_tree` reads the tree under judgement where that is not the disk.

    The base's contract counts wherever it has one. Errors: UserError where there is none, or it is wrong.
    """
    if given is not None:
        _given(place, given)
    else:
        try:
            _search(place, read_tree)
        except GitError as error:
            raise UserError(f"the contract cannot be read from the base: {error}", slug="git-unreadable") from None
    if place.contract is None:
        raise UserError(
            f"no contract in {place.start} or above it: neither {find.NATIVE_NAMES[0]} nor a file of skillgate or content-verify "
            "(`backcheck init` makes one)",
            slug="no-contract",
        )
    place.notices += place.contract.notes
    own = loaded_from(place.top)
    if own:
        place.notices.append(
            f"backcheck itself was loaded from the tree under judgement, whose writer could have changed it: {own}"
        )


def loaded_from(top: Path) -> str:
    """The file of a loaded module that lies below a folder, or empty text."""
    below = os.path.join(top, "")
    files = [os.path.realpath(__file__), *(getattr(module, "__file__", None) for module in list(sys.modules.values()))]
    # A script may have been named by a way through the tree (`../venv/bin/backcheck`).
    named = (os.path.normpath(file) for file in files if isinstance(file, str) and file.startswith(below))
    return next((file for file in named if file.startswith(below)), "")


def _search(place: Place, read_tree: Callable[[str], bytes | None] | None) -> None:
    below = "" if place.start == place.top else str(place.start.relative_to(place.top))
    if place.base is not None:
        for prefix in _upwards(below):
            name = find.choose(lambda n, p=prefix: _base_file(place, join(p, n)) is not None)  # type: ignore[misc]
            if name:
                _use(place, prefix, name, _base_file(place, join(prefix, name)) or b"", "base")
                _compare_with_tree(place, join(prefix, name), read_tree)
                return
    for prefix in _upwards(below) if place.repository or below else [""]:
        found = _in_tree(place, prefix, read_tree)
        if found:
            _use(place, prefix, found[0], found[1], "tree")
            return
    if place.repository is None:
        _search_above(place)


def _search_above(place: Place) -> None:
    """Outside a repository: the folders above, up to the home folder; the one that has a contract is the tree's top."""
    stop = {Path("/"), Path.home()}
    for folder in place.start.parents:
        if folder in stop:
            return
        found = _in_tree(Place(start=folder, top=folder, repository=None, reader=None, base=None), "", None)
        if found:
            place.top = folder
            _use(place, "", found[0], found[1], "tree")
            return


def _upwards(below: str) -> Iterator[str]:
    while below:
        yield below
        below = below.rpartition("/")[0]
    yield ""


def _base_file(place: Place, path: str) -> bytes | None:
    if place.base is None or place.reader is None:
        return None
    return place.reader.blob(f"{place.base.commit}:{path}", limit=MAX_BYTES + 1)


def _in_tree(place: Place, prefix: str, read_tree: Callable[[str], bytes | None] | None) -> tuple[str, bytes] | None:
    if read_tree is not None:
        name = find.choose(lambda n: read_tree(join(prefix, n)) is not None)
        return (name, read_tree(join(prefix, name)) or b"") if name else None
    tree = DiskTree(str(place.top), prefix)
    name = find.choose(lambda n: _stands(tree, n))
    return (name, read_contract(tree, name)) if name else None


def _stands(tree: DiskTree, name: str) -> bool:
    """Whether a contract's name leads to anything: one that dangles is passed over, all else must be readable."""
    kind = tree.entry(name).kind
    return kind is not Kind.MISSING and (kind is not Kind.OUTSIDE or os.path.exists(os.path.join(tree.root, name)))


def read_contract(tree: DiskTree, name: str) -> bytes:
    """The bytes of a contract on disk. Errors: UserError."""
    try:
        return tree.read(name, limit=MAX_BYTES)
    except Unreadable as error:
        raise UserError(f"the contract {error}", where=name, slug="contract-unreadable") from None


def _use(place: Place, prefix: str, name: str, raw: bytes, source: str) -> None:
    place.prefix = prefix
    place.contract = find.parse_contract(raw, join(prefix, name))
    place.contract_from = source


def _compare_with_tree(place: Place, path: str, read_tree: Callable[[str], bytes | None] | None) -> None:
    base = _base_file(place, path)
    try:
        raw = read_tree(path) if read_tree else DiskTree(str(place.top)).read(path, limit=MAX_BYTES)
    except Unreadable:
        raw = None
    # A checkout may have turned every line end into CRLF; that changes nothing of what is asked.
    if raw is None or _lines(raw) != _lines(base or b""):
        state = "is missing in" if raw is None else "was changed in"
        place.notices.append(f"{path} {state} the tree; the base's contract is the one that counts")


def _lines(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")


def _given(place: Place, given: str) -> None:
    try:
        path = Path(os.path.realpath(given))
        path.exists()
    except (OSError, ValueError) as error:
        raise UserError(
            f"this contract cannot be looked at: {error}", where=given[:200], slug="contract-unreadable"
        ) from None
    inside = path.is_relative_to(place.top)
    relative = str(path.relative_to(place.top)) if inside else str(path)
    from_base = _base_file(place, relative) if inside and place.base else None
    if from_base is not None:
        raw, source = from_base, "base"
    else:
        if not path.exists():
            raise UserError("there is no such contract", where=given, slug="no-contract")
        raw, source = read_contract(DiskTree(str(path.parent)), path.name), "tree" if inside else "given"
    place.contract = find.parse_contract(raw, relative if inside else given)
    place.contract_from = source
    place.prefix = "" if place.start == place.top else str(place.start.relative_to(place.top))
    folder = path.parent.name in {".backcheck", ".skillgate", ".forge"}
    if inside:
        root = path.parent.parent if folder else path.parent
        place.prefix = (
            "" if root == place.top else str(root.relative_to(place.top)) if root.is_relative_to(place.top) else ""
        )
