"""Rows about size and time: huge files, and patterns that take for ever where matching backtracks."""

from tests.conformance.rows import Answer, Row, gate, row, sparse
from tests.conformance.table_absent import SECRET, absent

MB = 1_000_000
LIMIT = "Beyond 512 MiB a file is not read, and what was not read proves nothing: the limit is named."
LINEAR = "Patterns run in time that grows with the text only, so the answer comes and it is that nothing matches."
NESTED = "(a+)+$"


def _big(gate_kind: str, megabytes: int, peer: int, ours: Answer | None = None) -> Row:
    """One sparse file whose last line holds the text."""
    keys = {"glob": "*.js", "pattern": SECRET} if gate_kind == "absent" else {"file": "a.js"}
    if gate_kind == "file-contains":
        keys["pattern"] = SECRET
    beyond = ours == "UNCLEAR"
    return row(
        "big",
        f"{gate_kind}, {megabytes} MB, the text at the end",
        gate(gate_kind, **keys),
        {"a.js": sparse(megabytes * MB, end=b"\n// SECRET\n")},
        peer=peer,
        ours=ours,
        why=LIMIT if beyond else "",
        fault="size" if beyond and peer == 1 else "",
        says="512 MiB" if beyond else "",
        own_process=True,
        slow=not beyond,
    )


BIG = [
    _big("absent", 200, 1),
    _big("file-contains", 200, 0),
    _big("evidence", 200, 0),
    *[
        _big(kind, megabytes, peer, "UNCLEAR")
        for megabytes in (600, 2200)
        for kind, peer in {"absent": 0, "file-contains": 1, "evidence": 0}.items()
    ],
]


def _pattern(name: str, text: str, pattern: str, peer: int | None) -> Row:
    why, fault = (LINEAR, "pattern") if peer is None else ("", "")
    ours: Answer = "PASS"
    return absent(
        name,
        {"a.js": text},
        peer,
        ours,
        why,
        glob="*.js",
        pattern=pattern,
        group="patterns",
        fault=fault,
        own_process=True,
    )


TODO = r"(?:#|//)\s*(?:FIXME|TODO)\b"
PATTERNS = [
    _pattern("nested repeat on 24 letters", "a" * 24 + "b\n", NESTED, 0),
    _pattern("nested repeat on 28 letters", "a" * 28 + "b\n", NESTED, None),
    _pattern("nested repeat on 32 letters", "a" * 32 + "b\n", NESTED, None),
    _pattern("nested repeat of any letter", "y" * 40 + "\n", "(.*)*x", None),
    _pattern("marker pattern on 1 MB of hash and spaces", "#" + " " * MB + "\n", TODO, 0),
    _pattern("marker pattern on 200,000 hashes and spaces", "# " * 200_000 + "\n", TODO, 0),
    _pattern("marker pattern on one line of 20 MB", "var a=1;" * 2_500_000 + "\n", TODO, 0),
]

ROWS: list[Row] = BIG + PATTERNS
