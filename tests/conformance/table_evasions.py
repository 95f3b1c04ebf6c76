"""Rows about text and evidence that is there but written otherwise than a contract's author had in mind.

A contract keeps its meaning: where its glob or its pattern does not name the text, it passes here as there.
"""

import gzip
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from tests.conformance.rows import FOLDER, Answer, HardLink, Node, Row, Special, gate, row, sparse
from tests.conformance.table_absent import NO_FILE, absent
from tests.conformance.table_big import TODO
from tests.conformance.table_gates import DECODED, FILE_ONLY

FOLDED = "Characters without width are taken out and look-alike letters are folded before the text is searched."
SOURCES = "src/**/*.{js,ts}"
TEXTS = "**/*.{env,js,json,md,ts,yaml,yml}"
KEY = "ghp_" + "k7Q2" * 9
KEY_PATTERN = "ghp_[0-9A-Za-z]{36}"


def _todo(name: str, text: Node, peer: int, ours: Answer | None = None, why: str = "", path: str = "src/a.js") -> Row:
    tree: dict[str, Node] = {path: text}
    if path != "src/a.js" and not path.startswith("lib/"):
        tree["src/a.js"] = "export const a = 1;\n"
    return absent(name, tree, peer, ours, why, glob=SOURCES, pattern=TODO, group="wording")


def _key(name: str, tree: Mapping[str, Node]) -> Row:
    return absent(
        name,
        {"README.md": "# Read me\n", **tree},
        0,
        glob=TEXTS,
        pattern=KEY_PATTERN,
        keys={"ignore": [".skillgate/**"]},
        group="wording",
    )


WORDING = [
    _todo("control: plain marker", "// TODO later\n", 1),
    _todo("character without width inside the marker", "// T\u200bODO later\n", 0, "REJECT", FOLDED),
    _todo("character without width before the marker", "//\u200b TODO later\n", 0, "REJECT", FOLDED),
    _todo("look-alike letter in the marker", "// T\u041eDO later\n", 0, "REJECT", FOLDED),
    _todo("marker in a block comment", "/* TODO later */\n", 0),
    _todo("marker in a documentation comment", "/**\n * TODO later\n */\n", 0),
    _todo("marker in small letters", "// todo later\n", 0),
    _todo("other markers", "// XXX later\n// HACK later\n// @todo later\n", 0),
    _todo("marker behind a dash", "// - TODO later\n", 0),
    _todo("error that says not implemented", "throw new Error('not implemented');\n", 0),
    _todo(
        "folder renamed, so the glob selects nothing",
        "// TODO later\n",
        0,
        "UNCLEAR",
        NO_FILE,
        path="lib/a.js",
    ),
    absent(
        "extensions that the glob does not name",
        {
            "src/a.js": "export const a = 1;\n",
            **{f"src/b.{end}": "// TODO later\n" for end in ("mjs", "tsx", "py", "vue")},
        },
        0,
        glob=SOURCES,
        pattern=TODO,
        group="wording",
    ),
    _todo("extension in capitals", "// TODO later\n", 0, path="src/B.JS"),
    _todo("UTF-16 source", b"\xfe\xff" + "// TODO later\n".encode("utf-16-be"), 0, "REJECT", DECODED),
    _key("credential in a file that the glob does not name", {".env.local": f"KEY={KEY}\n"}),
    _key(
        "credential under other extensions",
        {f"a.{end}": f"KEY={KEY}\n" for end in ("py", "sh", "pem", "tf")} | {"Dockerfile": f"ENV KEY={KEY}\n"},
    ),
    _key("credential put together from parts", {"a.js": f"const key = '{KEY[:9]}' + '{KEY[9:]}';\n"}),
    _key("credential in base64", {"a.js": f"const key = '{b64encode(KEY.encode()).decode()}';\n"}),
    _key("credential in dist", {"dist/a.js": f"const key = '{KEY}';\n"}),
    _key("credential in node_modules", {"node_modules/p/a.js": f"const key = '{KEY}';\n"}),
    _key("credential in a folder that the contract ignores", {".skillgate/notes.md": f"{KEY}\n"}),
    _key("credential in a packed file", {"a.js.gz": gzip.compress(f"const key = '{KEY}';\n".encode(), mtime=0)}),
    _key("credential in a file's name", {f"{KEY}.md": "# Notes\n"}),
]

PATH = ".skillgate/evidence/tests.txt"


def _evidence(name: str, node: Node, peer: int = 0, ours: Answer | None = None, why: str = "", **more: Any) -> Row:
    tree = {**more.pop("tree", {}), PATH: node}
    return row("evidence-3", name, gate("evidence", file=PATH), tree, peer=peer, ours=ours, why=why, **more)


EVIDENCE = [
    _evidence("written by hand", "All tests passed.\n"),
    _evidence("saved output of a red run", "3 failed, 1 passed\n"),
    _evidence(
        "older than the code",
        Special(kind="file", start=b"4 passed\n", age=366 * 86400),
        tree={"src/a.py": "a = 1\n"},
    ),
    _evidence("template with nothing filled in", "# Test output\n\nPut the output here.\n"),
    _evidence("copied from somewhere else", "4 passed in another repository\n"),
    _evidence("ignored by git", "4 passed\n", tree={".gitignore": "evidence/\n"}, git=True),
    _evidence("second name of another file", HardLink(to="other.txt"), tree={"other.txt": "text\n"}),
    _evidence("200 MB", sparse(200_000_000, start=b"\x93\x01\xfe\x7f" * 4096), own_process=True),
    _evidence("folder", FOLDER, 0, "REJECT", FILE_ONLY),
    _evidence(
        "without the right to read",
        Special(kind="file", start=b"4 passed\n", mode=0),
        0,
        "UNCLEAR",
        "Evidence that cannot be read shows nothing.",
        plain_user=True,
    ),
]

ROWS: list[Row] = WORDING + EVIDENCE
