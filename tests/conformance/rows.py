"""What one conformance row is: a tree, a contract, the peer's observed answer and ours.

The peer is skillgate 0.5.0, whose contract files people already have. Its answers were observed by running
it; the trees and contracts here are our own reconstructions of the same inputs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Answer = Literal["PASS", "UNCLEAR", "REJECT", "exit 2", "hangs"]
Kind = Literal["same", "stricter", "right", "laxer"]

OUTSIDE = "@OUTSIDE@"
"""Replaced by the absolute path of a folder beside the tree; it holds `other.txt`, `hostname` and `a.js`."""
MARK = "@MARK@"
"""Replaced by digits unique to one run, so that a process left behind can be found by its command line."""
HERE = ".skillgate/done.yaml"

EXIT_OF: Mapping[Answer, int] = {"PASS": 0, "REJECT": 1, "exit 2": 2, "UNCLEAR": 3}
STRICTNESS: Mapping[Answer, int] = {"hangs": -1, "PASS": 0, "UNCLEAR": 1, "REJECT": 2, "exit 2": 3}
PEER_ANSWERS: Mapping[int | None, Answer] = {0: "PASS", 1: "REJECT", 2: "exit 2", None: "hangs"}

FAULTS: Mapping[str, str] = {
    "output size": "a green command is failed because it printed more than 1 MiB",
    "sub-folder": "the contract is not found from a sub-folder of the tree",
    "ignored argument": "the contract that the call names is ignored when a flag stands before it",
    "encoding": "a byte-order mark or UTF-16 hides text that is there",
    "size": "a file that holds the text is failed because it is too long for one string",
    "outside": "what lies outside the tree decides the answer",
    "special file": "a pipe or device is opened and read without end",
    "pattern": "a pattern with nested repeats runs without a time limit",
}
"""Documented false blocks and hangs of the peer: only there may our answer be milder than its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A symbolic link; the target may use `OUTSIDE`."""

    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HardLink:
    """A second name of an earlier path of the tree."""

    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """A folder, a pipe, or a file with an unusual size (bytes), mode or age (seconds)."""

    kind: Literal["folder", "pipe", "file"]
    start: bytes = b""
    size: int | None = None
    end: bytes = b""
    mode: int | None = None
    age: int = 0


Node = str | bytes | Link | HardLink | Special
FOLDER = Special(kind="folder")
PIPE = Special(kind="pipe")


def sparse(size: int, end: bytes = b"", start: bytes = b"") -> Special:
    """A file of `size` bytes that is NUL but for its `start` and `end` and takes no room on disk."""
    return Special(kind="file", start=start, size=size, end=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One input with two answers.

    `peer_gates` is what the peer said of each gate, e.g. `{"a": "pass"}`; the id is empty where the contract
    gives none.
    `difference` says in one sentence why our answer is another one; `fault` is a key of `FAULTS`.
    """

    group: str
    name: str
    contract: bytes | None
    at: str = HERE
    tree: Mapping[str, Node] = field(default_factory=dict)
    peer_exit: int | None
    peer_gates: Mapping[str, str]
    ours: Answer
    difference: str = ""
    fault: str = ""
    args: tuple[str, ...] = ("--json",)
    folder: str = "."
    env: Mapping[str, str] = field(default_factory=dict)
    git: bool = False
    own_process: bool = False
    plain_user: bool = False
    slow: bool = False
    says: str = ""
    never_says: tuple[str, ...] = ()
    no_process_left: bool = False

    @property
    def id(self) -> str:
        """The name of the row in a test run."""
        return f"{self.group}: {self.name}"

    @property
    def peer(self) -> Answer:
        """The peer's answer in our words; it has none for UNCLEAR."""
        return PEER_ANSWERS[self.peer_exit]

    @property
    def kind(self) -> Kind:
        """How our answer stands to the peer's."""
        mine, theirs = STRICTNESS[self.ours], STRICTNESS[self.peer]
        if mine == theirs:
            return "stricter" if self.difference else "same"
        if self.fault:
            return "right"
        return "stricter" if mine > theirs else "laxer"


def gates(*listed: Mapping[str, Any], head: str = "version: 1\n") -> bytes:
    """A contract in the peer's format, one gate a block, every value written as JSON (which YAML reads)."""
    lines = []
    for one in listed:
        first, *rest = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in one.items()]
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return (head + "gates:\n" + "\n".join(lines) + "\n").encode()


def gate(kind: str, **keys: Any) -> bytes:
    """A contract with the one gate `g`."""
    return gates({"id": "g", "type": kind, **keys})


def row(
    group: str,
    name: str,
    contract: bytes | str | None,
    tree: Mapping[str, Node] | None = None,
    *,
    peer: int | None,
    ours: Answer | None = None,
    why: str = "",
    gates_seen: Mapping[str, str] | None = None,
    **more: Any,
) -> Row:
    """A row; without `ours` our answer is the peer's, without `gates_seen` gate `g` decided its exit code."""
    seen: Mapping[str, str] = {0: {"g": "pass"}, 1: {"g": "fail"}}.get(peer if peer is not None else 2, {})
    return Row(
        group=group,
        name=name,
        contract=contract.encode() if isinstance(contract, str) else contract,
        tree=tree or {},
        peer_exit=peer,
        peer_gates=seen if gates_seen is None else gates_seen,
        ours=ours or PEER_ANSWERS[peer],
        difference=why,
        **more,
    )
