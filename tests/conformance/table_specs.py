"""Rows about contract files: where they are found, what they may say, what the call may say."""

from tests.conformance.rows import Link, Row, gates, row

TRUE = {"id": "g", "type": "command", "run": "true"}
FALSE = {"id": "g", "type": "command", "run": "false"}
GREEN = gates(TRUE)
RED = gates(FALSE)
NOTHING = "version: 1\ngates: []\n"
TEXT = {"a.txt": "the word undefined stands here\n"}

ZERO = "A contract that asks nothing proves nothing."
WRONG = "A wrong contract is refused before anything runs; it is not the work that failed."
UNKNOWN_KEY = "An unknown key is an error that names the nearest one, so a slip in spelling cannot empty a gate."
VERSION = "A contract of an unsupported version may mean something else, so it is not guessed at."


def _s(name: str, contract: bytes | str | None, *, peer: int, **more: object) -> Row:
    return row("spec", name, contract, peer=peer, **more)  # type: ignore[arg-type]


LOOKUP = [
    _s("no contract", None, peer=2),
    _s("done.yaml beside done.yml: the first counts", GREEN, tree={".skillgate/done.yml": RED}, peer=0),
    _s("found as .skillgate/done.yml", GREEN, at=".skillgate/done.yml", peer=0),
    _s("found as .skillgate.yaml", GREEN, at=".skillgate.yaml", peer=0),
    _s("found as .skillgate.yml", GREEN, at=".skillgate.yml", peer=0),
    _s(
        "found as .skillgate.json",
        '{"gates": [{"id": "g", "type": "command", "run": "true"}]}',
        at=".skillgate.json",
        peer=0,
    ),
    _s(
        "not found as .skillgate/done.json",
        '{"gates": [{"id": "g", "type": "command", "run": "true"}]}',
        at=".skillgate/done.json",
        peer=2,
    ),
    _s(
        "called in a sub-folder",
        GREEN,
        tree={"pkg/deep/a.txt": "x\n"},
        folder="pkg/deep",
        git=True,
        peer=2,
        ours="PASS",
        fault="sub-folder",
        why="The contract is found from the folder upwards, so a sub-folder gets the tree's own answer.",
    ),
    _s("contract is a folder", None, tree={".skillgate/done.yaml/x": ""}, peer=2),
    _s(
        "contract is a dangling link, another one stands next in line",
        None,
        tree={".skillgate/done.yaml": Link(to="gone.yaml"), ".skillgate/done.yml": NOTHING},
        peer=0,
        gates_seen={},
        ours="UNCLEAR",
        why=ZERO,
    ),
]

SHAPE = [
    _s("empty file", "", peer=2),
    _s("no gate", NOTHING, peer=0, gates_seen={}, ours="UNCLEAR", why=ZERO),
    _s("no gate, output for people", NOTHING, args=(), peer=0, gates_seen={}, ours="UNCLEAR", why=ZERO),
    _s("gates is a mapping", "gates: {}\n", peer=2),
    _s("gates is null", "gates: null\n", peer=2),
    _s("a gate is null", "gates: [null]\n", peer=2),
    _s("a gate is a string", "gates: ['text']\n", peer=1, gates_seen={"": "fail"}, ours="exit 2", why=WRONG),
    _s(
        "gate without a type",
        gates({"id": "a", "run": "true"}),
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=WRONG,
    ),
    _s(
        "gate of an unknown type",
        gates({"id": "a", "type": "wish"}),
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=WRONG,
    ),
    _s(
        "type in other letter case",
        gates({"id": "a", "type": "Command", "run": "true"}),
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=WRONG,
    ),
    _s("gate without an id", gates({"type": "command", "run": "true"}), peer=0, gates_seen={"": "pass"}),
    _s(
        "red gate without an id, output for people",
        gates({"type": "command", "run": "false"}),
        args=(),
        peer=1,
        gates_seen={"": "fail"},
    ),
    _s(
        "one id twice",
        gates({"id": "a", "type": "command", "run": "true"}, {"id": "a", "type": "command", "run": "false"}),
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why="Two requirements of one name cannot be answered apart, so the contract is refused.",
    ),
    _s(
        "misspelt pattern of file-contains",
        gates({"id": "a", "type": "file-contains", "file": "a.txt", "patern": "done"}),
        tree=TEXT,
        peer=0,
        gates_seen={"a": "pass"},
        ours="exit 2",
        why=UNKNOWN_KEY,
    ),
    _s(
        "misspelt pattern of absent",
        gates({"id": "a", "type": "absent", "glob": "*.txt", "patern": "done"}),
        tree=TEXT,
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=UNKNOWN_KEY,
    ),
    _s(
        "misspelt glob of absent",
        gates({"id": "a", "type": "absent", "glb": "*.txt", "pattern": "done"}),
        tree=TEXT,
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=UNKNOWN_KEY,
    ),
    *[
        _s(name, gates(keys), tree=TEXT, peer=1, gates_seen={"a": "fail"}, ours="exit 2", why=WRONG)
        for name, keys in {
            "absent without glob and pattern": {"id": "a", "type": "absent"},
            "file-exists without a file": {"id": "a", "type": "file-exists"},
            "evidence without a file": {"id": "a", "type": "evidence"},
            "command without a command": {"id": "a", "type": "command"},
            "not-empty without a path": {"id": "a", "type": "not-empty"},
        }.items()
    ],
    _s("unknown top-level key", "owner: me\n" + GREEN.decode(), peer=0, ours="exit 2", why=UNKNOWN_KEY),
    _s("version 1.5", gates(TRUE, head="version: 1.5\n"), peer=2),
    _s("version as a string", gates(TRUE, head="version: '1'\n"), peer=2),
    _s("version 99", "version: 99\ngates: []\n", peer=0, gates_seen={}, ours="exit 2", why=VERSION),
    _s("version -3", "version: -3\ngates: []\n", peer=0, gates_seen={}, ours="exit 2", why=VERSION),
]

SYNTAX = [
    _s("gates twice, YAML", RED.decode() + "gates: []\n", peer=2),
    _s(
        "gates twice, JSON",
        '{"gates": [{"id": "g", "type": "command", "run": "false"}], "gates": []}',
        at=".skillgate.json",
        peer=0,
        gates_seen={},
        ours="exit 2",
        why="A key written twice hides one of its values, so it is refused in JSON as in YAML.",
    ),
    _s("two documents", RED.decode() + "---\ngates: []\n", peer=2),
    _s("broken YAML", "gates: [[,\n", peer=2),
    _s("tabs as indentation", "gates:\n\t- id: g\n\t  type: command\n\t  run: 'true'\n", peer=2),
    _s("YAML with a byte-order mark and CRLF", b"\xef\xbb\xbf" + GREEN.replace(b"\n", b"\r\n"), peer=0),
    _s("JSON with a byte-order mark", b'\xef\xbb\xbf{"gates": []}', at=".skillgate.json", peer=2),
    _s(
        "gate built by a merge key",
        "version: 1\nbase: &b {type: command, run: 'true'}\ngates:\n  - id: a\n    <<: *b\n",
        peer=1,
        gates_seen={"a": "fail"},
        ours="exit 2",
        why=WRONG,
    ),
    # The limit of half a second stands in for the peer's limit on output: `yes` never ends by itself.
    _s(
        "a bare yes is the command of that name",
        "version: 1\ngates: [{id: g, type: command, run: yes, timeout: 500}]\n",
        peer=1,
        own_process=True,
    ),
    _s("custom tag", "gates: !run 'true'\n", peer=2),
]

CALLS = [
    _s("contract named in the call", RED, tree={"mine.yaml": GREEN}, args=("mine.yaml", "--json"), peer=0),
    _s(
        "contract named after a flag",
        RED,
        tree={"mine.yaml": GREEN},
        args=("--json", "mine.yaml"),
        peer=1,
        ours="PASS",
        fault="ignored argument",
        why="The contract that the call names is the one that is asked, wherever its name stands.",
    ),
    _s(
        "contract named after the folder",
        RED,
        tree={"mine.yaml": GREEN},
        args=("-C", ".", "mine.yaml"),
        peer=1,
        ours="PASS",
        fault="ignored argument",
        why="The contract that the call names is the one that is asked, wherever its name stands.",
    ),
    _s(
        "unknown flag",
        NOTHING,
        args=("--surely",),
        peer=0,
        gates_seen={},
        ours="exit 2",
        why="A flag that does not exist is an error, so a slip in spelling cannot change what is asked.",
    ),
    _s(
        "folder flag without a folder",
        GREEN,
        args=("-C",),
        peer=1,
        gates_seen={},
        ours="exit 2",
        why="A wrong call has its own exit code and one plain line, never the code of failed work.",
    ),
    _s("folder that does not exist", GREEN, args=("-C", "nowhere"), peer=2),
    _s("named contract that does not exist", GREEN, args=("gone.yaml",), peer=2),
]

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {k0: x}\n" + "".join(
    f"{new}: &{new} {{<<: [{', '.join(['*' + old] * 9)}]}}\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def _y(name: str, contract: str, *, peer: int, **more: object) -> Row:
    return row("yaml", name, contract, peer=peer, **more)  # type: ignore[arg-type]


YAML = [
    _y("references that multiply", BOMB + "gates: []\n", peer=2),
    _y("5,000 nested lists", "gates: " + "[" * 5000 + "\n", peer=2),
    _y("100,000 nested lists", "gates: " + "[" * 100_000 + "\n", peer=2, own_process=True),
    _y(
        "20 MB of comment",
        ("# " + "x" * 98 + "\n") * 200_000 + NOTHING,
        peer=0,
        gates_seen={},
        ours="exit 2",
        says="1 MiB",
        own_process=True,
        why="A contract is at most 1 MiB: what nobody can read through is not an agreement.",
    ),
    _y("merge keys that multiply", MERGES + "gates: []\n", peer=2),
    _y(
        "a list that contains itself",
        "gates: &g\n  - *g\n",
        peer=1,
        gates_seen={"": "fail"},
        ours="exit 2",
        why=WRONG,
    ),
    _y("a key named __proto__", "__proto__: {gates: []}\n", peer=2),
    row(
        "yaml",
        "1,000 gates",
        gates(*[{"id": f"g{n}", "type": "command", "run": "true"} for n in range(1000)]),
        peer=0,
        gates_seen={f"g{n}": "pass" for n in range(1000)},
        slow=True,
    ),
]

ROWS: list[Row] = LOOKUP + SHAPE + SYNTAX + CALLS + YAML
