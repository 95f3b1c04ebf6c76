"""Rows about single files and folders: file-exists, file-contains, evidence, not-empty."""

from typing import Any

from tests.conformance.rows import FOLDER, OUTSIDE, PIPE, Answer, Link, Node, Row, gate, gates, row, sparse

FILE_ONLY = "Only a regular file counts as a file; a folder, pipe or device shows nothing."
INSIDE = "Only what lies inside the tree counts; a path or link that leaves it shows nothing about the work."
NO_PATH = "An empty path or list names nothing, so the contract is wrong."
WRONG_TYPE = "A value of the wrong type is a wrong contract, refused before anything runs."
BLANK = "Evidence of nothing but white space, NUL bytes or a byte-order mark is blank."
DECODED = "The file is decoded before it is matched, so a byte-order mark or UTF-16 hides nothing."
EMPTY_PATTERN = "An empty pattern matches everything, so it asks nothing and the contract is wrong."
BAD_PATTERN = "A pattern or flag that cannot be compiled is a wrong contract, refused before anything runs."
COUNT = "A minimum is a whole number of at least 1; anything less asks nothing, so the contract is wrong."


def _exists(name: str, file: Any, tree: dict[str, Node], peer: int, ours: Answer | None = None, why: str = "") -> Row:
    return row("file-exists", name, gate("file-exists", file=file), tree, peer=peer, ours=ours, why=why)


FILE_EXISTS = [
    _exists("present", "a", {"a": "text\n"}, 0),
    _exists("missing", "a", {}, 1),
    _exists("empty file", "a", {"a": ""}, 0),
    _exists("folder", "a", {"a": FOLDER}, 0, "REJECT", FILE_ONLY),
    _exists("dangling link", "a", {"a": Link(to="gone")}, 1),
    _exists("link out of the tree", "a", {"a": Link(to=f"{OUTSIDE}/other.txt")}, 0, "REJECT", INSIDE),
    _exists("absolute path", f"{OUTSIDE}/other.txt", {}, 0, "REJECT", INSIDE),
    _exists("parent path to nothing", "../../nothing/there.txt", {}, 1),
    _exists("empty path", "", {}, 0, "exit 2", NO_PATH),
    _exists("empty list", [], {}, 0, "exit 2", NO_PATH),
    _exists("list with one missing", ["a", "b"], {"a": "text\n"}, 1),
    _exists("list with an empty path", ["a", ""], {"a": "text\n"}, 0, "exit 2", NO_PATH),
    _exists("number as a path", 5, {"5": "text\n"}, 1, "exit 2", WRONG_TYPE),
    _exists("glob is taken as a name", "*.md", {"a.md": "text\n"}, 1),
    _exists("pipe", "a", {"a": PIPE}, 0, "REJECT", FILE_ONLY),
    _exists("slash behind a file's name", "a/", {"a": "text\n"}, 0),
    row(
        "file-exists-2",
        "parent path to a file outside",
        gate("file-exists", file="../outside/other.txt"),
        peer=0,
        ours="REJECT",
        why=INSIDE,
    ),
]


def _contains(
    name: str, a: Node | None, pattern: Any, peer: int | None, ours: Answer | None = None, **more: Any
) -> Row:
    keys = {"file": "a", "pattern": pattern, **more.pop("keys", {})}
    tree = {} if a is None else {"a": a}
    return row(
        more.pop("group", "file-contains"),
        name,
        gate("file-contains", **keys),
        tree,
        peer=peer,
        ours=ours,
        **more,
    )


M: dict[str, Any] = {"keys": {"flags": "m"}}
FILE_CONTAINS = [
    _contains("match", "one bar two\n", "bar", 0),
    _contains("missing file", None, "bar", 1),
    _contains("empty pattern on an empty file", "", "", 0, "exit 2", why=EMPTY_PATTERN),
    _contains("folder", FOLDER, "bar", 1),
    _contains("list of files", "bar\n", "bar", 1, "exit 2", keys={"file": ["a"]}, why=WRONG_TYPE),
    _contains("pattern that does not compile", "bar\n", "(", 1, "exit 2", why=BAD_PATTERN),
    _contains("unknown flag", "bar\n", "bar", 1, "exit 2", keys={"flags": "q"}, why=BAD_PATTERN),
    _contains("flag written as in Python", "BAR\n", "(?i)bar", 1, "exit 2", why=BAD_PATTERN),
    _contains("start of a line, without m", "foo\nbar\n", "^bar", 1),
    _contains("start and end of a line, with m", "foo\nbar\n", "^bar$", 0, **M),
    _contains("start and end of a line, with m and CRLF", "foo\r\nbar\r\n", "^bar$", 0, **M),
    _contains("across lines", "foo\nbar\n", "foo\\nbar", 0),
    _contains(
        "byte-order mark before the start",
        b"\xef\xbb\xbffoo\n",
        "^foo",
        1,
        "PASS",
        why=DECODED,
        fault="encoding",
    ),
    _contains("sticky flag", "one bar\n", "bar", 1, keys={"flags": "y"}),
    _contains("only inside a comment", "# Changes\n<!-- unreleased -->\n", "unreleased", 0),
    _contains("UTF-16 file", "one bar\n".encode("utf-16"), "bar", 1, "PASS", why=DECODED, fault="encoding"),
    _contains("Latin-1 letter", "caf\xe9\n".encode("latin-1"), "caf\xe9", 1),
    _contains("number as a pattern", "5\n", 5, 0, "exit 2", why=WRONG_TYPE),
    row(
        "file-contains",
        "no pattern",
        gate("file-contains", file="a"),
        {"a": "undefined\n"},
        peer=0,
        ours="exit 2",
        why="A missing pattern is a wrong contract; it does not become the word undefined.",
    ),
    _contains(
        "pipe",
        PIPE,
        "bar",
        None,
        "REJECT",
        group="file-contains-2",
        own_process=True,
        why=FILE_ONLY,
        fault="special file",
    ),
    _contains(
        "link to an endless device",
        Link(to="/dev/zero"),
        "bar",
        None,
        "REJECT",
        group="file-contains-2",
        own_process=True,
        why=INSIDE,
        fault="special file",
    ),
    _contains(
        "link out of the tree",
        Link(to=f"{OUTSIDE}/other.txt"),
        "other",
        0,
        "REJECT",
        group="file-contains-2",
        why=INSIDE,
    ),
    row(
        "file-contains-2",
        "parent path to a file outside",
        gate("file-contains", file="../outside/other.txt", pattern="other"),
        peer=0,
        ours="REJECT",
        why=INSIDE,
    ),
]


def _evidence(name: str, node: Node | None, peer: int, ours: Answer | None = None, why: str = "", **more: Any) -> Row:
    tree = {} if node is None else {"e": node}
    return row(
        "evidence",
        name,
        gate("evidence", file=more.pop("file", "e")),
        tree,
        peer=peer,
        ours=ours,
        why=why,
        **more,
    )


EVIDENCE = [
    _evidence("missing", None, 1),
    _evidence("empty", "", 1),
    _evidence("one space", " ", 0, "REJECT", BLANK),
    _evidence("one line end", "\n", 0, "REJECT", BLANK),
    _evidence("byte-order mark only", b"\xef\xbb\xbf", 0, "REJECT", BLANK),
    _evidence("NUL byte only", b"\0", 0, "REJECT", BLANK),
    _evidence("folder", FOLDER, 0, "REJECT", FILE_ONLY),
    _evidence("empty path", None, 0, "exit 2", NO_PATH, file=""),
    _evidence("list of files", "text\n", 1, "exit 2", WRONG_TYPE, file=["e"]),
    _evidence("link out of the tree", Link(to=f"{OUTSIDE}/other.txt"), 0, "REJECT", INSIDE),
    _evidence("link to a file inside the tree", Link(to=".skillgate/done.yaml"), 0),
    _evidence("pipe", PIPE, 1, own_process=True),
    _evidence("link to an endless device", Link(to="/dev/zero"), 1, own_process=True),
    _evidence("link to a file of the kernel", Link(to="/proc/version"), 1),
    _evidence(
        "10 GB without a byte of content",
        sparse(10_000_000_000),
        0,
        "UNCLEAR",
        "Beyond 512 MiB a file is not read, and what was not read proves nothing: the limit is named.",
        says="512 MiB",
        own_process=True,
    ),
]


def _folder(name: str, tree: dict[str, Node], peer: int, ours: Answer | None = None, why: str = "", **keys: Any) -> Row:
    return row("not-empty", name, gate("not-empty", **{"path": "x", **keys}), tree, peer=peer, ours=ours, why=why)


NOT_EMPTY = [
    _folder("one file", {"x/a": "text\n"}, 0),
    _folder("placeholder only", {"x/.gitkeep": ""}, 0),
    _folder("empty sub-folder only", {"x/y": FOLDER}, 0),
    _folder("dangling link only", {"x/y": Link(to="gone")}, 0),
    _folder("empty", {"x": FOLDER}, 1),
    _folder("file instead of a folder", {"x": "text\n"}, 1),
    _folder("minimum 0", {"x": FOLDER}, 0, "exit 2", COUNT, min=0),
    _folder("minimum as a string", {"x/a": "text\n"}, 1, "exit 2", COUNT, min="3"),
    _folder("minimum that is no number", {"x": FOLDER}, 0, "exit 2", COUNT, min="abc"),
    _folder("negative minimum", {"x": FOLDER}, 0, "exit 2", COUNT, min=-5),
    _folder("the tree itself", {}, 0, path="."),
    _folder("missing", {}, 1),
    _folder("link out of the tree", {"x": Link(to=OUTSIDE)}, 0, "REJECT", INSIDE),
]


def _flag(name: str, tree: dict[str, Node], flags: str, peer: int, ours: Answer | None = None, why: str = "") -> Row:
    return row(
        "flags",
        name,
        gate("absent", glob="*.js", pattern="TODO", flags=flags),
        tree,
        peer=peer,
        ours=ours,
        why=why,
    )


FLAGS = [
    _flag("g over several files", {"a.js": "clean\nclean\n", "b.js": "TODO one\n"}, "g", 1),
    _flag("y, text at the start of a line", {"a.js": "TODO one\n"}, "y", 1),
    _flag("y, text behind one space", {"a.js": " TODO one\n"}, "y", 0),
    _flag("v", {"a.js": "// TODO one\n"}, "v", 1),
    _flag("one flag twice", {"a.js": "// TODO one\n"}, "ii", 1, "exit 2", BAD_PATTERN),
]

STRUCTURAL = [
    row(
        "structural",
        "folder with the name of a file",
        gate("file-exists", file="CHANGES.md"),
        {"CHANGES.md": FOLDER},
        peer=0,
        ours="REJECT",
        why=FILE_ONLY,
    ),
    row(
        "structural",
        "heading that is always there",
        gate("file-contains", file="CHANGES.md", pattern="unreleased"),
        {"CHANGES.md": "# unreleased\n"},
        peer=0,
    ),
    row("structural", "placeholder only", gate("not-empty", path="x"), {"x/.gitkeep": ""}, peer=0),
    row(
        "structural",
        "three empty files for a minimum of three",
        gate("not-empty", path="x", min=3),
        {"x/a": "", "x/b": "", "x/c": ""},
        peer=0,
    ),
    *[
        row(
            "structural",
            name,
            gates({"id": "g", "type": "instruction-sync"}),
            tree,
            peer=0,
        )
        for name, tree in {
            "instruction file removed before the comparison": {"AGENTS.md": "Run the tests.\n"},
            "instruction file moved into a sub-folder": {
                "AGENTS.md": "Run the tests.\n",
                "pkg/CLAUDE.md": "Skip the tests.\n",
            },
        }.items()
    ],
]

ROWS: list[Row] = FILE_EXISTS + FILE_CONTAINS + EVIDENCE + NOT_EMPTY + FLAGS + STRUCTURAL
