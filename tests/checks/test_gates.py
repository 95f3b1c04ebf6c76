"""Case tables of the file gates, and what is demanded of every gate that ships."""

from __future__ import annotations

import inspect
import time
from typing import Any

import pytest

from backcheck.checks.registry import names, own_gate
from backcheck.errors import UserError
from backcheck.testing import (
    HOSTILE,
    Case,
    Content,
    Fifo,
    Folder,
    Link,
    Sparse,
    ask,
    check_canary,
    check_case,
    make_gate,
    tree_of,
)
from backcheck.verdict import Channel, Status

BIG = Sparse(600 * 1024 * 1024)

CASES: dict[str, list[Case]] = {
    "file-exists": [
        Case("there", {"file": "a"}, {"a": ""}, "pass", "there: a"),
        Case("a list", {"file": ["a", "d/b"]}, {"a": "", "d/b": ""}, "pass"),
        Case("one missing", {"file": ["a", "b"]}, {"a": ""}, "fail", "b is not there", ["b"]),
        Case("a folder", {"file": "a"}, {"a": Folder()}, "fail", "is a folder"),
        Case("a FIFO", {"file": "a"}, {"a": Fifo()}, "fail", "is a FIFO"),
        Case("out", {"file": "a"}, {"a": Link("/etc/hostname")}, "fail", "is a link out of the tree"),
        Case("inside", {"file": "a"}, {"a": Link("b"), "b": ""}, "pass"),
        Case("dangling", {"file": "a"}, {"a": Link("b")}, "fail", "leads nowhere"),
        Case("absolute", {"file": "/etc/hostname"}, {}, "fail", "it is absolute"),
        Case("upwards", {"file": "../x"}, {}, "fail", "`..`"),
        Case("no glob", {"file": "*.md"}, {"a.md": ""}, "fail", "is not there"),
        Case("odd name", {"file": "a\nb"}, {}, "fail", "a\\nb is not there"),
    ],
    "evidence": [
        Case("something", {"file": "e"}, {"e": "42 passed"}, "pass", "written by somebody"),
        Case("empty", {"file": "e"}, {"e": ""}, "fail", "is empty"),
        Case("blank", {"file": "e"}, {"e": " \n\t\r\n"}, "fail", "only white space"),
        Case("NUL", {"file": "e"}, {"e": b"\0\0"}, "fail", "only white space"),
        Case("mark", {"file": "e"}, {"e": b"\xef\xbb\xbf"}, "fail", "only white space"),
        Case("invisible", {"file": "e"}, {"e": "\u200b\u3000\n"}, "fail", "only white space"),
        Case("missing", {"file": "e"}, {}, "fail", "is not there"),
        Case("folder", {"file": "e"}, {"e/x": "x"}, "fail", "is a folder"),
        Case("FIFO", {"file": "e"}, {"e": Fifo()}, "fail", "is a FIFO"),
        Case("device", {"file": "e"}, {"e": Link("/dev/zero")}, "fail", "out of the tree"),
        Case("binary", {"file": "e"}, {"e": bytes(range(256))}, "pass"),
        Case("huge", {"file": "e"}, {"e": BIG}, "unclear", "the limit is 512 MiB"),
    ],
    "not-empty": [
        Case("one", {"path": "d"}, {"d/a": ""}, "pass", "1 entries"),
        Case("too few", {"path": "d", "min": 3}, {"d/a": "", "d/b": ""}, "fail", "2 entries; at least 3"),
        Case("empty", {"path": "d"}, {"d": Folder()}, "fail", "0 entries"),
        Case("missing", {"path": "d"}, {}, "fail", "is not there"),
        Case("a file", {"path": "d"}, {"d": "x"}, "fail", "is a file, not a folder"),
        Case("out", {"path": "d"}, {"d": Link("/etc")}, "fail", "out of the tree"),
        Case("root", {"path": "."}, {"a": ""}, "pass"),
    ],
    "file-contains": [
        Case("found", {"file": "a", "pattern": "b.r"}, {"a": "x\nbar\n"}, "pass", "a matches /b.r/", ["a:2"]),
        Case("not found", {"file": "a", "pattern": "baz"}, {"a": "bar"}, "fail", "no match for /baz/"),
        Case("flags", {"file": "a", "pattern": "^BAR$", "flags": "im"}, {"a": "x\r\nbar\r\n"}, "pass"),
        Case("utf-16", {"file": "a", "pattern": "bar"}, {"a": "bar".encode("utf-16")}, "pass"),
        Case("mark", {"file": "a", "pattern": "^bar"}, {"a": b"\xef\xbb\xbfbar"}, "pass"),
        Case("all", {"file": "a", "all": ["x", "y"]}, {"a": "x"}, "fail", "no match for /y/"),
        Case("any", {"file": "a", "any": ["x", "y"]}, {"a": "y"}, "pass"),
        Case("none of any", {"file": "a", "any": ["x", "y"]}, {"a": "z"}, "fail", "/x or y/"),
        Case("any does not help all", {"file": "a", "all": ["q"], "any": ["z"]}, {"a": "z"}, "fail", "/q/"),
        Case("look-alike is not accepted", {"file": "a", "pattern": "done"}, {"a": "dоne"}, "fail"),
        Case("missing", {"file": "a", "pattern": "x"}, {}, "fail", "is not there"),
        Case("folder", {"file": "a", "pattern": "x"}, {"a": Folder()}, "fail", "is a folder"),
        Case("chinese", {"file": "a", "pattern": "已完成"}, {"a": "任务已完成"}, "pass"),
        Case("look-ahead", {"file": "a", "pattern": "(?=x)x(?!y)"}, {"a": "xy xz"}, "pass", "", ["a:1"]),
        Case("catastrophic", {"file": "a", "pattern": r"(?=a)(a|a|aa)+\1$"}, {"a": "a" * 80 + "b"}, "unclear", "took longer"),
        Case("huge", {"file": "a", "pattern": "x"}, {"a": BIG}, "unclear", "the limit is 512 MiB"),
    ],
    "file-lacks": [
        Case("lacks", {"file": "a", "patterns": ["ERROR"]}, {"a": "all fine"}, "pass", "none of 1"),
        Case("has", {"file": "a", "patterns": ["x", "ERROR"]}, {"a": "1\nERROR"}, "fail", "a:2 matches /ERROR/", ["a:2"]),
        Case("hidden", {"file": "a", "patterns": ["ERROR"]}, {"a": "E\u200bRROR"}, "fail", "a:1"),
        Case("nothing", {"file": "a", "patterns": ["x"]}, {"a": " \n"}, "fail", "holds nothing"),
        Case("missing", {"file": "a", "patterns": ["x"]}, {}, "fail", "is not there"),
        Case("huge", {"file": "a", "patterns": ["x"]}, {"a": BIG}, "unclear", "512 MiB"),
    ],
    "absent": [
        Case("clean", {"glob": "**/*.py", "pattern": "TODO"}, {"a.py": "x", "d/b.py": "y"}, "pass", "none of 2 files"),
        Case("hit", {"glob": "**/*.py", "pattern": "TODO"}, {"d/b.py": "y\n# TODO\n"}, "fail", "d/b.py:2", ["d/b.py:2"]),
        Case("all hits", {"glob": "*", "pattern": "T"}, {"a": "T\nT", "b": "T"}, "fail", "and 2 more", ["a:1", "a:2", "b:1"]),
        Case("nothing matched", {"glob": "srcc/**", "pattern": "x"}, {"src/a": "x"}, "unclear", "nothing was searched"),
        Case("taken away", {"glob": ["**", "!a"], "pattern": "x"}, {"a": "x", "b": "y"}, "pass"),
        Case("ignored", {"glob": "**", "pattern": "x", "ignore": ["v/**"]}, {"v/a": "x", "b": "y"}, "pass"),
        Case("hidden", {"glob": "*", "pattern": "TODO"}, {"a": "T\u200bODO"}, "fail", "a:1"),
        Case("homoglyph", {"glob": "*", "pattern": "TODO"}, {"a": "TОDО"}, "fail", "a:1"),
        Case("utf-16", {"glob": "*", "pattern": "TODO"}, {"a": "# TODO".encode("utf-16")}, "fail", "a:1"),
        Case("crlf", {"glob": "*", "pattern": "TODO$"}, {"a": "TODO\r\nx\r\n"}, "fail", "a:1"),
        Case("no CRLF wanted", {"glob": "*", "pattern": r"\r$", "dialect": "javascript"}, {"a": "x\r\n"}, "fail", "a:1"),
        Case("separator", {"glob": "*", "pattern": "^b", "flags": "m", "dialect": "javascript"}, {"a": "a\u2028b"}, "fail"),
        Case("odd utf-16", {"glob": "*", "pattern": "TODO"}, {"a": "# TODO here".encode("utf-16-le") + b"x"}, "fail", "a:1"),
        Case("mark", {"glob": "*", "pattern": "^TODO"}, {"a": b"\xef\xbb\xbfTODO"}, "fail", "a:1"),
        Case("dot-file", {"glob": "**", "pattern": "K=\\d"}, {".env": "K=1"}, "fail", ".env:1"),
        Case("link out", {"glob": "*", "pattern": "x"}, {"a": Link("/etc/hostname"), "b": "y"}, "unclear", "out of the tree"),
        Case("too large", {"glob": "*", "pattern": "x"}, {"a": BIG, "b": "y"}, "unclear", "the limit is 512 MiB"),
        Case("a hit beside a large file", {"glob": "*", "pattern": "x"}, {"a": BIG, "b": "x"}, "fail", "b:1"),
        Case("FIFO", {"glob": "*", "pattern": "x"}, {"a": Fifo(), "b": "y"}, "unclear", "a is a FIFO"),
        Case("link to a FIFO", {"glob": "l", "pattern": "x"}, {"a": Fifo(), "l": Link("a")}, "unclear", "l is a link to a special"),
        Case("dangling", {"glob": "l", "pattern": "x"}, {"l": Link("none")}, "unclear", "no file matches"),
        Case("loop", {"glob": "l", "pattern": "x"}, {"l": Link("l")}, "unclear", "no file matches"),
        Case("through a folder link", {"glob": "s/**/*.js", "pattern": "x"}, {"r/a.js": "x", "s/l": Link("../r"), "s/b.js": ""},
             "fail", "s/l/a.js:1"),
        Case("folder link out", {"glob": "**/hostname", "pattern": "."}, {"l": Link("/etc"), "hostname": ""}, "unclear", "folder out of"),
        Case("folder link out, not asked", {"glob": "s/*", "pattern": "x"}, {"l": Link("/etc"), "s/a": "y"}, "pass"),
        Case("links in a circle", {"glob": "**/*.js", "pattern": "y"}, {"a/l": Link(".."), "a/b.js": "z"}, "pass", "none of 2"),
        Case("node_modules", {"glob": "**/*.js", "pattern": "x"}, {"node_modules/a.js": "x"}, "fail"),
    ],
    "command": [
        Case("zero", {"run": "true"}, {}, "pass", "ended with 0"),
        Case("other", {"run": "echo why >&2; exit 3"}, {}, "fail", "ended with 3: why"),
        Case("list", {"run": ["sh", "-c", "exit 0"]}, {}, "pass"),
        Case("signal", {"run": "kill -9 $$"}, {}, "fail", "ended by SIGKILL"),
        Case("time", {"run": "sleep 60", "timeout": 0.3}, {}, "fail", "longer than 0.3 s"),
        Case("not installed", {"run": ["no-such-command-here"]}, {}, "error", "cannot be started"),
        Case("in the tree", {"run": "test -f here"}, {"here": ""}, "pass"),
        Case("secret", {"run": "echo token=ghp_" + "a" * 36 + "; exit 1"}, {}, "fail", "[masked]"),
        Case("a lot of output", {"run": "head -c 3000000 /dev/zero"}, {}, "pass"),
    ],
    "schema": [
        Case("fits", {"file": "a.json", "schema": {"required": ["n"]}}, {"a.json": '{"n": 1}'}, "pass"),
        Case("breaks", {"file": "a.json", "schema": {"properties": {"n": {"minimum": 5}}}}, {"a.json": '{"n": 1}'}, "fail", "/n: "),
        Case("yaml", {"file": "a.yaml", "schema": {"properties": {"n": {"type": "integer"}}}}, {"a.yaml": "n: x"}, "fail", "/n: "),
        Case("yaml no is text", {"file": "a.yaml", "schema": {"properties": {"n": {"type": "string"}}}}, {"a.yaml": "n: no"}, "pass"),
        Case("schema file", {"file": "a.json", "schema": "s.json"}, {"a.json": "[]", "s.json": '{"type": "object"}'}, "fail"),
        Case("no schema file", {"file": "a.json", "schema": "s.json"}, {"a.json": "[]"}, "unclear", "s.json is not there"),
        Case("empty schema file", {"file": "a.json", "schema": "s.json"}, {"a.json": "[]", "s.json": "{}"}, "unclear", "everything"),
        Case("fetching", {"file": "a.json", "schema": "s.json"},
             {"a.json": "{}", "s.json": '{"$ref": "http://127.0.0.1:9/s.json"}'}, "unclear", "cannot be used"),
        Case("broken", {"file": "a.json", "schema": {"type": "object"}}, {"a.json": '{"a": 1,\n}'}, "fail", "cannot be parsed", ["a.json:2"]),
        Case("twice", {"file": "a.json", "schema": {"type": "object"}}, {"a.json": '{"a": 1, "a": 2}'}, "fail", "twice"),
        Case("NaN", {"file": "a.json", "schema": {"type": "object"}}, {"a.json": '{"a": NaN}'}, "fail", "no JSON"),
        Case("deep", {"file": "a.json", "schema": {"type": "object"}}, {"a.json": "[" * 100_000}, "fail", "cannot be parsed"),
        Case("alias bomb", {"file": "a.yaml", "schema": {"type": "object"}}, {"a.yaml": "a: &a [1]\nb: *a"}, "fail", "aliases"),
        Case("missing", {"file": "a.json", "schema": {"type": "object"}}, {}, "fail", "is not there"),
        Case("large", {"file": "a.json", "schema": {"type": "object"}}, {"a.json": Sparse(17 << 20)}, "unclear", "the limit is 16 MiB"),
    ],
    "instruction-sync": [
        Case("none", {}, {"README.md": ""}, "unclear", "no instruction file"),
        Case("one", {}, {"CLAUDE.md": "x"}, "pass"),
        Case("same", {}, {"AGENTS.md": "a\nb\n", "CLAUDE.md": "  a\r\n\r\nb"}, "pass"),
        Case("front matter", {}, {"AGENTS.md": "a", "CLAUDE.md": "---\nt: 1\n---\na"}, "pass"),
        Case("differs", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": "a\nc"}, "fail", "Claude Code (50% alike)", ["CLAUDE.md"]),
        Case("threshold", {"threshold": 0.5}, {"AGENTS.md": "a\nb", "CLAUDE.md": "a\nc"}, "pass"),
        Case("import", {}, {"AGENTS.md": "a\nb\nc\nd", "CLAUDE.md": "@AGENTS.md\n"}, "pass"),
        Case("import in words", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": "# Claude\nSee @AGENTS.md.\n"}, "pass"),
        Case("negated import", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": "Never read @AGENTS.md"}, "fail"),
        Case("an address", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": "foo@AGENTS.md"}, "fail"),
        Case("import of another", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": "@evil/AGENTS.md", "evil/AGENTS.md": "x"}, "fail"),
        Case("link", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": Link("AGENTS.md")}, "pass"),
        Case("link elsewhere", {}, {"AGENTS.md": "a\nb", "CLAUDE.md": Link("evil/AGENTS.md"), "evil/AGENTS.md": "x"}, "fail"),
        Case("folder of rules", {}, {"AGENTS.md": "a\nb", ".cursor/rules/x.mdc": "a", ".cursor/rules/y.mdc": "b"}, "pass"),
        Case("long", {}, {"AGENTS.md": "".join(f"{n}\n" for n in range(20_000)), "GEMINI.md": "".join(f"{n}\n" for n in range(1, 20_001))}, "pass"),
    ],
    "human": [
        Case("asks", {"question": "Is the tone right?"}, {}, "unclear", "a person must look: Is the tone right?"),
    ],
    "diff-scope": [
        Case("nothing", {"protected": ["t/**"]}, {"t/a": "x"}, "pass", "no path differs from the base", base={"t/a": "x"}),
        Case("inside", {"allowed": ["s/**"], "protected": ["t/**"]}, {"t/a": "x", "s/n": "1"}, "pass", "1 path changed, all within scope: s/n", base={"t/a": "x"}),
        Case("five inside", {"allowed": ["s/**"]}, {f"s/{n}": "1" for n in range(5)}, "pass", "5 paths changed, all within scope: s/0, s/1, s/2 and others", base={}),
        Case("protected changed", {"protected": ["t/**"]}, {"t/a": "y"}, "fail", "t/a was changed, protected", ["t/a"], base={"t/a": "x"}),
        Case("protected removed", {"protected": ["t/**"]}, {}, "fail", "removed, protected", base={"t/a": "x"}),
        Case("protected added", {"protected": ["t/**"]}, {"t/b": ""}, "fail", "added, protected", base={}),
        Case("protected below a star", {"protected": ["t/*"]}, {"t/d/b": "y"}, "fail", "t/d/b was changed", base={"t/d/b": "x"}),
        Case("not allowed", {"allowed": ["s/**"]}, {"x": "1"}, "fail", "x was added, not allowed", base={}),
        Case("same length", {"protected": ["t"]}, {"t": "abd"}, "fail", base={"t": "abc"}),
        Case("line ends only", {"protected": ["t"]}, {"t": "a\r\nb\r\n"}, "pass", base={"t": "a\nb\n"}),
        Case("line ends and a word", {"protected": ["t"]}, {"t": "a\r\nc\r\n"}, "fail", base={"t": "a\nb\n"}),
        Case("a link instead", {"protected": ["t"]}, {"t": Link("u"), "u": "abc"}, "fail", base={"t": "abc", "u": "abc"}),
        Case("large file", {"protected": ["t"]}, {"t": "version https://git-lfs.github.com/spec/v1\n"}, "fail", base={"t": "x"}),
        Case("content of the pointer", {"protected": ["t"]}, {"t": "hello"}, "pass", base={
            "t": "version https://git-lfs.github.com/spec/v1\noid sha256:"
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\nsize 5\n"}),
        Case("no base", {"protected": ["t"]}, {"t": "x"}, "unclear", "no base"),
    ],
}  # fmt: skip

ROWS = [(check, case) for check, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(("check", "case"), ROWS, ids=[f"{check}: {case.name}" for check, case in ROWS])
def test_cases(check: str, case: Case) -> None:
    check_case(check, case)


@pytest.mark.parametrize("check", names())
def test_canaries_turn_red(check: str) -> None:
    if own_gate(check).channel is Channel.HUMAN:
        assert not hasattr(own_gate(check), "canary")
    else:
        check_canary(check)


@pytest.mark.parametrize("check", names())
def test_pages_have_their_sections(check: str) -> None:
    page = inspect.getdoc(own_gate(check)) or ""
    question, blank, *_ = page.split("\n")
    assert question.endswith(".")
    assert blank == ""
    for section in ("Passes when: ", "Fails when: ", "Unclear when: ", "Cost: ", "Source: "):
        assert f"\n{section}" in page, section


FILE_GATES: list[tuple[str, dict[str, Any]]] = [
    ("file-contains", {"pattern": "x"}), ("file-lacks", {"patterns": ["x"]}), ("evidence", {}), ("schema", {"schema": {"type": "object"}}),
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(("check", "arguments"), FILE_GATES, ids=[c for c, _ in FILE_GATES])
def test_hostile_files_never_pass_and_never_hang(check: str, arguments: dict[str, Any], name: str) -> None:
    # Bytes that are no text are still something.
    allowed = (
        {Status.PASS} if name == "invalid" and check in ("evidence", "file-lacks") else {Status.FAIL, Status.UNCLEAR}
    )
    started = time.monotonic()
    with tree_of({name: HOSTILE[name]}) as root:
        answer = ask(check, {"file": name, **arguments}, root)
    assert answer.status in allowed
    assert time.monotonic() - started < 10


MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("file-exists", {"file": []}, "the list is empty"), ("file-exists", {"file": ""}, "a file name is empty"),
    ("file-exists", {"file": 5}, "`file` of check `file-exists`: expected text"), ("file-exists", {}, "needs the argument `file`"),
    ("file-contains", {"file": "a"}, "a pattern is needed"), ("file-contains", {"file": ["a"], "pattern": "x"}, "expected text"),
    ("file-contains", {"file": "a", "pattern": "("}, "invalid pattern"), ("file-contains", {"file": "a", "patern": "x"}, "did you mean `pattern`"),
    ("file-contains", {"file": "a", "pattern": "x", "dialect": "perl"}, "not one of"), ("file-lacks", {"file": "a", "patterns": []}, "empty"),
    ("absent", {"glob": [], "pattern": "x"}, "empty"), ("absent", {"glob": "!a", "pattern": "x"}, "nothing would be searched"),
    ("absent", {"glob": "../a", "pattern": "x"}, "leaves the root"), ("absent", {"glob": "a", "pattern": ""}, "empty"),
    ("absent", {"glob": "a", "pattern": "x", "flags": "z"}, "no flag `z`"), ("absent", {"glob": "a", "pattern": "x", "ignore": "v"}, "list"),
    ("not-empty", {"path": "d", "min": 0}, ">= 1"), ("not-empty", {"path": "d", "min": "3"}, "whole number"), ("not-empty", {"path": ""}, "empty"),
    ("command", {"run": ""}, "the command is empty"), ("command", {"run": []}, "empty"), ("command", {"run": "# x"}, "only a comment"),
    ("command", {"run": "x", "timeout": 0}, "> 0"), ("command", {"run": True}, "text"), ("command", {"run": "x", "env": ["A=B"]}, "no name"),
    ("schema", {"file": "a", "schema": {}}, "accepts everything"), ("schema", {"file": "a", "schema": {"type": "objekt"}}, "objekt"),
    ("schema", {"file": "a", "schema": {"$ref": "http://127.0.0.1:9/x"}}, "nothing is fetched"),
    ("instruction-sync", {"threshold": 2}, "<= 1"), ("instruction-sync", {"threshold": "x"}, "number"), ("human", {"question": " "}, "empty"),
    ("diff-scope", {}, "nothing would be checked"), ("diff-scope", {"allowed": ["../x"]}, "leaves the root"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "arguments", "message"), MISTAKES)
def test_mistakes_in_a_contract(check: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_gate(check, arguments)
    assert message in str(caught.value)


def test_a_gate_that_is_not_there_lists_the_names() -> None:
    with pytest.raises(UserError, match="no check `absnt`; did you mean `absent`"):
        own_gate("absnt")


def test_tree_values_are_what_the_harness_writes() -> None:
    tree: dict[str, Content] = {"a/b": b"\0", "l": Link("a/b"), "f": Fifo(), "d": Folder(), "s": Sparse(10, b"end")}
    with tree_of(tree) as root:
        assert (root / "l").read_bytes() == b"\0"
        assert (root / "s").read_bytes() == b"\0" * 7 + b"end"
        assert (root / "f").is_fifo()
        assert (root / "d").is_dir()
