"""Rows about absent: which files its globs select, how they are read, what is matched."""

from typing import Any

from tests.conformance.rows import OUTSIDE, PIPE, Answer, Link, Node, Row, Special, gate, row
from tests.conformance.table_gates import BAD_PATTERN, DECODED, EMPTY_PATTERN

SECRET = "SECRE[T]"
"""A pattern that does not match its own text in the contract."""
LEAK = "const a = 'SECRET';\n"
CLEAN = "const a = 1;\n"

NO_FILE = "A search that looked into no file has found nothing out."
NO_GLOB = "A gate that can select no file is a wrong contract, refused before anything runs."
UNREAD = "A file that was selected but could not be read may hold the text."
ESCAPES = "A glob that leaves the tree is a wrong contract: what lies there says nothing about the work."


def absent(
    name: str,
    tree: dict[str, Node],
    peer: int | None,
    ours: Answer | None = None,
    why: str = "",
    *,
    glob: Any = "**/*.js",
    pattern: str = SECRET,
    keys: dict[str, Any] | None = None,
    group: str = "absent",
    **more: Any,
) -> Row:
    """A row with one absent gate."""
    contract = gate("absent", glob=glob, pattern=pattern, **(keys or {}))
    return row(group, name, contract, tree, peer=peer, ours=ours, why=why, **more)


SELECTION = [
    absent("clean", {"a.txt": "one\ntwo\n"}, 0, glob="*.txt", pattern="TODO"),
    absent("hit", {"a.txt": "one\nTODO two\n"}, 1, glob="*.txt", pattern="TODO"),
    absent(
        "three hits in two files",
        {"a.txt": "TODO\nTODO\n", "b.txt": "TODO\n"},
        1,
        glob="*.txt",
        pattern="TODO",
    ),
    absent(
        "glob without a match",
        {"src/a.ts": "TODO\n"},
        0,
        "UNCLEAR",
        NO_FILE,
        glob="srcc/**/*.ts",
        pattern="TODO",
    ),
    absent("list of globs", {"a.txt": "TODO\n"}, 1, glob=["*.md", "*.txt"], pattern="TODO"),
    absent("empty glob", {"a.txt": "TODO\n"}, 0, "exit 2", NO_GLOB, glob="", pattern="TODO"),
    absent("empty list of globs", {"a.txt": "TODO\n"}, 0, "exit 2", NO_GLOB, glob=[], pattern="TODO"),
    absent("folder as a glob", {"src/a.txt": "TODO\n"}, 1, glob="src", pattern="TODO"),
    absent("exclusion only", {"a.txt": "TODO\n"}, 0, "exit 2", NO_GLOB, glob="!a.txt", pattern="TODO"),
    absent("hidden file", {".env": "SECRET\n"}, 1, glob=".env*"),
    absent("the contract in a hidden folder", {"a.txt": "clean\n"}, 1, glob="**/*", pattern="SECRET"),
    absent("node_modules is left out", {"node_modules/p/a.js": LEAK, "a.js": CLEAN}, 0),
    absent(
        "node_modules further down is left out",
        {"src/node_modules/p/a.js": LEAK, "src/a.js": CLEAN},
        0,
        glob="src/**/*.js",
    ),
    absent("dist is left out", {"dist/a.js": LEAK, "a.js": CLEAN}, 0),
    absent("dist further down is searched", {"pkg/dist/a.js": LEAK}, 1),
    absent(
        "the contract matches, .git does not",
        {".git/note.txt": "SECRET\n"},
        1,
        glob="**/*",
        pattern="SECRET",
        git=True,
    ),
    absent(
        "vendor, build and .venv are searched",
        {f"{one}/a.js": LEAK for one in ("vendor", "build", ".venv")},
        1,
    ),
    absent("git-ignored file is searched", {".gitignore": "a.js\n", "a.js": LEAK}, 1, git=True),
    absent("ignore as a string", {"gen/a.js": LEAK, "a.js": CLEAN}, 0, keys={"ignore": "gen/**"}),
    absent("ignore that leaves no file", {"a.js": LEAK}, 0, "UNCLEAR", NO_FILE, keys={"ignore": ["**"]}),
    absent("extension in other letter case", {"a.TS": LEAK, "b.ts": CLEAN}, 0, glob="**/*.ts"),
    absent(
        "extension that the glob does not name",
        {"src/a.tsx": LEAK, "src/a.mjs": LEAK, "src/b.js": CLEAN},
        0,
        glob="src/**/*.{js,ts}",
    ),
    absent("link to a file inside the tree", {"real.txt": LEAK, "l.js": Link(to="real.txt")}, 1),
    absent(
        "link to a folder inside the tree",
        {"real/a.js": LEAK, "src/lnk": Link(to="../real"), "src/b.js": CLEAN},
        1,
        glob="src/**/*.js",
    ),
    absent("link to its own folder", {"a.js": CLEAN, "loop": Link(to=".")}, 0),
    absent("link to itself", {"a.js": Link(to="a.js")}, 0, "UNCLEAR", UNREAD),
    absent("dangling link", {"a.js": Link(to="gone.js")}, 0, "UNCLEAR", UNREAD),
    absent("pattern that does not compile", {"a.js": LEAK}, 1, "exit 2", BAD_PATTERN, pattern="("),
    absent(
        "flag g, hits on neighbouring lines",
        {"a.js": "one\nTODO\nTODO\n"},
        1,
        pattern="TODO",
        keys={"flags": "g"},
    ),
    absent(
        "flag y, text further right",
        {"a.js": "  // TODO\n"},
        0,
        glob="*.js",
        pattern="TODO",
        keys={"flags": "y"},
    ),
]

MATCHING = [
    absent("pattern across lines", {"a.js": "foo\nbar\n"}, 0, glob="*.js", pattern="foo\\nbar"),
    absent("flag s across lines", {"a.js": "foo\nbar\n"}, 0, glob="*.js", pattern="foo.bar", keys={"flags": "s"}),
    absent(
        "end of a line with CRLF",
        {"a.js": "// TODO\r\n"},
        0,
        "REJECT",
        "A line ends before its CR LF, so the end of a line is where a reader sees it.",
        glob="*.js",
        pattern="TODO$",
    ),
    absent("line ends of CR only", {"a.js": "one\rTODO\rtwo\r"}, 1, glob="*.js", pattern="TODO"),
    absent("line ends of U+2028", {"a.js": "one\u2028TODO\u2028two\n"}, 1, glob="*.js", pattern="TODO"),
    absent(
        "byte-order mark before the start",
        {"a.js": b"\xef\xbb\xbfTODO\n"},
        0,
        "REJECT",
        DECODED,
        glob="*.js",
        pattern="^TODO",
    ),
    absent(
        "UTF-16",
        {"a.js": b"\xff\xfe" + "// TODO\n".encode("utf-16-le")},
        0,
        "REJECT",
        DECODED,
        glob="*.js",
        pattern="TODO",
    ),
    absent("NUL bytes around the text", {"a.js": b"\0\0TODO\0\n"}, 1, glob="*.js", pattern="TODO"),
    absent("empty pattern", {"a.js": "one\n"}, 1, "exit 2", EMPTY_PATTERN, pattern=""),
    absent("empty pattern on an empty file", {"a.js": ""}, 1, "exit 2", EMPTY_PATTERN, pattern=""),
    absent("glob into the parent folder", {}, 1, "exit 2", ESCAPES, glob="../outside/*.js", pattern="SECRET"),
    absent("the contract matches itself", {"a.txt": "clean\n"}, 1, glob="**/*.yaml", pattern="SECRET_TOKEN"),
    absent("line end in a file's name", {"a\nb.js": LEAK}, 1),
    absent(
        "matched text stays out of the reason",
        {"a.js": "key = 'sk_live_" + "a1b2c3d4" * 2 + "';\n"},
        1,
        pattern="sk_live_[0-9a-z]+",
        never_says=("a1b2c3d4",),
    ),
]


def _more(
    name: str, tree: dict[str, Node], peer: int | None, ours: Answer | None = None, why: str = "", **more: Any
) -> Row:
    return absent(name, tree, peer, ours, why, group="absent-2", **more)


MORE = [
    _more("hidden file", {".env": "SECRET\n"}, 1, glob="**/*"),
    _more("hidden folder", {".x/.y/z": "SECRET\n"}, 1, glob="**/*"),
    _more(".git is left out", {".git/note.txt": "SECRET\n"}, 0, glob="**/*", git=True),
    _more("absolute glob", {}, 1, "exit 2", ESCAPES, glob=f"{OUTSIDE}/*.js"),
    _more("ignore a folder by its name", {"gen/a.js": LEAK, "a.js": CLEAN}, 0, keys={"ignore": ["gen"]}),
    _more("ignore by base name does not reach further down", {"gen/a.js": LEAK}, 1, keys={"ignore": ["a.js"]}),
    _more("backslash in a glob", {"src/a.js": LEAK}, 0, "UNCLEAR", NO_FILE, glob="src\\a.js"),
    _more("brackets in a file's name", {"src/[id].js": LEAK}, 1),
    _more("pipe", {"a.js": PIPE, "b.js": CLEAN}, 0, "UNCLEAR", UNREAD, glob="*.js", own_process=True),
    *[
        _more(
            name,
            {**tree, "a.js": Link(to=to)},
            peer,
            "UNCLEAR",
            UNREAD,
            glob="*.js",
            own_process=True,
            fault=fault,
        )
        for name, tree, to, peer, fault in [
            ("link to a pipe", {"pipe": PIPE}, "pipe", None, "special file"),
            ("link to an endless device", {}, "/dev/zero", None, "special file"),
            ("link to the input of the process", {}, "/dev/stdin", 0, ""),
        ]
    ],
    _more(
        "link to a folder outside",
        {"lnk": Link(to=OUTSIDE), "hostname": ""},
        1,
        "UNCLEAR",
        "What lies outside the tree says nothing about the work; that the link was not followed is said.",
        glob="**/hostname",
        pattern=".",
        fault="outside",
    ),
    _more(
        "file without the right to read",
        {"a.js": Special(kind="file", start=LEAK.encode(), mode=0)},
        0,
        "UNCLEAR",
        UNREAD,
        glob="*.js",
        plain_user=True,
    ),
    _more(
        "folder without the right to read",
        {"b.js": CLEAN, "d/a.js": LEAK, "d": Special(kind="folder", mode=0)},
        0,
        "UNCLEAR",
        UNREAD,
        plain_user=True,
    ),
]

ROWS: list[Row] = SELECTION + MATCHING + MORE
