"""`placeholder`: its case table, honest and unfinished snippets, what counts as new, and the readers below it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.checks.leftovers.snippets import BAD, HONEST

from backcheck.checks.leftovers import search
from backcheck.checks.leftovers.comments import family_of, notes_of, without_notes
from backcheck.checks.leftovers.model import Weight
from backcheck.checks.leftovers.probe import may_hold, without_looks
from backcheck.checks.leftovers.roles import Role, role_of
from backcheck.checks.leftovers.search import leftovers_of
from backcheck.errors import UserError
from backcheck.testing import Case, Fifo, Link, Sparse, ask, check_case, make_gate, tree_of

WORKING = "def f(x):\n    return x + 1\n"
STUB = "def f(x):\n    pass\n"
MARK = "# TODO: write\n"
REMOVED = "x = 1\n# TODO: old\ny = 2\n"

CASES = [
    Case("nothing left open", {}, {"a.py": WORKING}, "pass", "1 files searched", base={"b.py": ""}),
    Case("a marker", {}, {"a.py": WORKING + MARK}, "fail", "1 leftover added: a.py:3 `TODO`", ["a.py:3"], base={"a.py": WORKING}),
    Case("an old marker", {}, {"a.py": MARK + WORKING}, "pass", base={"a.py": MARK}),
    Case("an old marker on another line", {}, {"a.py": WORKING + "\n\n" + MARK}, "pass", base={"a.py": MARK}),
    Case("the same marker again", {}, {"a.py": MARK + WORKING + MARK}, "fail", "a.py:4", base={"a.py": MARK + WORKING}),
    Case("a marker moved to another file", {}, {"b.py": MARK + WORKING}, "pass", base={"a.py": MARK + WORKING}),
    Case("a marker copied to another file", {}, {"a.py": MARK, "b.py": MARK + WORKING}, "fail", "b.py:1", base={"a.py": MARK}),
    Case("an old marker behind changed code", {}, {"a.py": "x = 2  # TODO: y\n"}, "pass", base={"a.py": "x = 1  # TODO: y\n"}),
    Case("an old marker in another style", {}, {"a.js": "/* TODO: y\n */ f();\n"}, "pass", base={"a.js": "// TODO: y\nf();\n"}),
    Case("another marker on the line", {}, {"a.py": "x = 1  # TODO: z\n"}, "fail", "a.py:1", base={"a.py": "x = 1  # TODO: y\n"}),
    Case("an old marker in a notebook", {}, {"a.ipynb": '{"cells": [{"cell_type": "code", "source": [\n"# TODO: y\\n",\n"x = 1"]}], "nbformat": 4}'}, "pass",
         base={"a.ipynb": '{"cells": [{"cell_type": "code", "source": [\n"# TODO: y"\n]}], "nbformat": 4}'}),
    Case("only lines taken away", {}, {"a.py": "x = 1\ny = 2\n"}, "pass", base={"a.py": REMOVED}),
    Case("a function hollowed out", {}, {"a.py": STUB}, "fail", "f has an empty body", ["a.py:1"], base={"a.py": WORKING}),
    Case("an old stub", {}, {"a.py": "x = 1\n" + STUB}, "pass", base={"a.py": STUB}),
    Case("an old stub moved", {}, {"b.py": STUB + "x = 1\n"}, "pass", base={"a.py": STUB}),
    Case("a second stub", {}, {"a.py": STUB + STUB.replace("f(", "g(")}, "fail", "g has an empty body", base={"a.py": STUB}),
    Case("reindented only", {}, {"a.ts": "if (a) {\n  // TODO: x\n  b();\n}\n"}, "pass", base={"a.ts": "// TODO: x\nb();\n"}),
    Case("noted", {}, {"a.py": "# TODO(#7): cache\n" + WORKING}, "pass", "1 noted", ["a.py:1"], base={}),
    Case("a stub with a reference", {}, {"a.py": "def f(x):\n    pass  # see #12\n"}, "unclear", "may be meant", ["a.py:1"], base={}),
    Case("a bare refusal in a branch", {}, {"a.py": "def f(x):\n    if x:\n        raise NotImplementedError\n    return 1\n"},
         "unclear", "a.py:3", base={}),
    Case("the last refusal behind branches that give back", {}, {"a.py": "def f(k):\n    if k:\n        return 1\n    raise NotImplementedError(k)\n"},
         "pass", "1 noted", ["a.py:4"], base={}),
    Case("a step for subclasses elsewhere", {}, {"a.py": "class Job:\n    def run(self):\n        return self.step() + 1\n\n    def step(self):\n"
         "        raise NotImplementedError\n"}, "unclear", "step is marked", ["a.py:5"], base={}),
    Case("a fail beside an open one", {}, {"a.py": "def f(x):\n    pass  # see #12\n", "b.py": MARK}, "fail", "b.py:1", base={}),
    Case("vendored", {}, {"vendor/a.py": MARK, "b.py": WORKING}, "pass", "1 noted", base={}),
    Case("nothing changed", {}, {"a.py": MARK}, "unclear", "nothing differs", base={"a.py": MARK}),
    Case("only backcheck's own folder", {}, {".backcheck/x.md": MARK, "a": "1"}, "unclear", "nothing differs", base={"a": "1"}),
    Case("no base", {}, {"a.py": MARK}, "unclear", "no base"),
    Case("a glob that names nothing", {"paths": ["srcc/**"]}, {"src/a.py": MARK}, "unclear", "no file matches", base={}),
    Case("out of scope", {"paths": ["src/**"]}, {"src/a.py": WORKING, "b.py": MARK}, "pass", base={}),
    Case("in scope", {"paths": ["src"]}, {"src/a.py": MARK}, "fail", base={}),
    Case("left out", {"ignore": ["gen/**"]}, {"gen/a.py": MARK, "b.py": WORKING}, "pass", base={}),
    Case("UTF-16", {}, {"a.py": ("x = 1\n" + MARK).encode("utf-16")}, "fail", "a.py:2", base={}),
    Case("CRLF", {}, {"a.py": b"x = 1\r\n# TODO: write\r\n"}, "fail", "a.py:2", base={}),
    Case("only line ends changed", {}, {"a.py": b"# TODO: x\r\nx = 1\r\n", "b": "1"}, "pass", base={"a.py": "# TODO: x\nx = 1\n"}),
    Case("a picture", {}, {"a.png": b"\x89PNG\0\0TODO: x", "b.py": WORKING}, "pass", base={}),
    Case("a link", {}, {"a.py": Link("b.py"), "b.py": WORKING}, "pass", base={}),
    Case("a FIFO is no file of a tree", {}, {"a.py": Fifo(), "b.py": WORKING}, "unclear", "a.py is a FIFO", base={}),
    Case("too large", {}, {"a.py": Sparse(17 << 20, b"# TODO: x\n"), "b.py": WORKING}, "unclear", "a.py holds 17 MiB", base={}),
    Case("large data", {}, {"a.csv": Sparse(17 << 20, b"1,2\n"), "b.py": WORKING}, "pass", base={}),
    Case("invalid UTF-8", {}, {"a.py": b"# TODO: \xff\xfe x\n"}, "fail", "a.py:1", base={}),
    Case("an odd name", {}, {"a\nb.py": MARK}, "fail", "a\\nb.py:1", base={}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("placeholder", case)


@pytest.mark.parametrize(("path", "text"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_honest_lines_pass(path: str, text: str) -> None:
    check_case("placeholder", Case("honest", {}, {path: text}, "pass", base={}))


@pytest.mark.parametrize(("path", "text", "line"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_unfinished_lines_fail(path: str, text: str, line: int) -> None:
    check_case("placeholder", Case("bad", {}, {path: text}, "fail", where=[f"{path}:{line}"], base={}))


@pytest.mark.parametrize(("path", "text", "line"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_what_was_there_before_is_not_new(path: str, text: str, line: int) -> None:
    check_case("placeholder", Case("old", {}, {path: text, "new.py": WORKING}, "pass", base={path: text}))


def test_the_tables_are_large_enough() -> None:
    assert len(HONEST) >= 30
    assert len(BAD) >= 30


@pytest.mark.parametrize(("path", "text"), [row[1:3] for row in BAD], ids=[row[0] for row in BAD])
def test_the_first_question_never_says_no_where_something_is(
    path: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "may_hold", lambda _path, _text: True)
    assert leftovers_of(path, text, role_of(path))
    assert path.endswith(".ipynb") or may_hold(path, text)


WORDS = st.sampled_from([
    "TODO", "todo:", "# ", "// ", "/* ", " */", "fix", "for now", "return True", "not implemented", "pass", "...", "def f(x):\n", "    ",
    "\n", '"', "'", "待实现", "暂时", "lorem ipsum", "raise NotImplementedError", "{}", "() => ", "function f() ", "mock data", "\u200b", "x = 1",
    "<your-key>", "class A:\n", '"""', "(#12)", "because the host is slow", "<!-- ", " -->", "-- ",
])  # fmt: skip
TEXTS = st.lists(WORDS, max_size=25).map("".join)
PATHS = st.sampled_from(
    [
        "a.py",
        "a.js",
        "a.ts",
        "a.rs",
        "a.sql",
        "a.html",
        "a.md",
        "a.yaml",
        "a.vue",
        "a.rb",
        "x",
        "a.ipynb",
        "test_a.py",
        "a.lua",
    ]
)


@given(path=PATHS, text=TEXTS)
def test_any_text_is_answered_the_same_with_and_without_the_first_question(path: str, text: str) -> None:
    quick = leftovers_of(path, text, role_of(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "may_hold", lambda _path, _text: True)
        assert leftovers_of(path, text, role_of(path)) == quick
    last = text.count("\n") + 1
    assert all(0 <= item.line <= last for item in quick)


@given(text=st.text(alphabet="/*#-<!>'\"\\\n ab%;{}[]", max_size=80), path=PATHS)
def test_comments_are_cut_out_line_for_line(text: str, path: str) -> None:
    notes = notes_of(path, text)
    assert all(text.startswith(note.text, note.start) for note in notes)
    assert all(text.count("\n", 0, note.start) + 1 == note.line for note in notes)
    assert without_notes(text, notes).count("\n") == text.count("\n")


def test_look_around_is_cut_out_whole() -> None:
    assert without_looks(r"(?<!a[)])b(?=c(d|e)\))f\(?g(?:h)(?!i)") == r"b" + r"f\(?g(?:h)"


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/a.py", Role.WORK), ("tests/a.py", Role.TEST), ("src/test_a.py", Role.TEST), ("src/a.test.ts", Role.TEST), ("a/FooTest.java", Role.TEST),
        ("src/latest.py", Role.WORK), ("src/contest.py", Role.WORK), ("examples/a.py", Role.EXAMPLE), (".env.example", Role.EXAMPLE),
        ("README.md", Role.PROSE), ("TODO.md", Role.BESIDE), ("Makefile", Role.WORK), ("LICENSE", Role.PROSE), ("a.json", Role.DATA),
        ("vendor/x.go", Role.BESIDE), ("src/vendors.py", Role.WORK), ("locales/a.json", Role.BESIDE), ("src/lang/parser.py", Role.WORK),
        ("requirements.txt", Role.PROSE), ("a.min.js", Role.BESIDE), ("package-lock.json", Role.BESIDE), ("x_pb2.py", Role.BESIDE),
    ],
)  # fmt: skip
def test_roles(path: str, role: Role) -> None:
    assert role_of(path) is role


@pytest.mark.parametrize(
    ("path", "family"),
    [("a.RS", "c"), ("Dockerfile", "hash"), (".bashrc", "hash"), ("a.d.ts", "quoted"), ("a.zzz", "unknown")],
)
def test_families(path: str, family: str) -> None:
    assert family_of(path) == family


@pytest.mark.parametrize(
    ("line", "weight"),
    [
        ("# TODO(#7): x", Weight.NOTED), ("# TODO: x, see https://example.com/issues/7", Weight.NOTED), ("# TODO(PROJ-7): x", Weight.NOTED),
        ("# TODO: x until the vendor ships version four", Weight.NOTED), ("# TODO: 等上游库发布新版本再删除", Weight.NOTED),
        ("# TODO: x when I have time", Weight.PLAIN), ("# TODO: x because it is needed later", Weight.PLAIN), ("# TODO: x because", Weight.PLAIN),
        ("# TODO: encode as utf-8", Weight.PLAIN), ("# TODO: x #", Weight.PLAIN), ("# TODO: #0", Weight.PLAIN), ("# TODO: sha-256", Weight.PLAIN),
    ],
)  # fmt: skip
def test_what_excuses_a_marker(line: str, weight: Weight) -> None:
    assert [item.weight for item in leftovers_of("a.py", f"{line}\nx = 1\n", Role.WORK)] == [weight]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"paths": ["../x"]}, "leaves the root"), ({"paths": ["!a"]}, "nothing would be checked"), ({"ignore": [""]}, "empty"), ({"path": ["a"]}, "paths")],
)  # fmt: skip
def test_mistakes(arguments: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_gate("placeholder", arguments)


def test_many_files_are_searched_in_workers_with_the_same_answer() -> None:
    tree = {f"d{number}/a.py": WORKING + (MARK if number == 97 else "") for number in range(150)}
    with tree_of(tree) as root:
        answer = ask("placeholder", {}, root, base={})
    assert (answer.status.value, [f"{p.path}:{p.line}" for p in answer.where]) == ("fail", ["d97/a.py:3"])
    assert answer.details["searched"] == 150


def test_a_report_never_repeats_the_line() -> None:
    with tree_of({"a.py": "# TODO: use the password hunter2\n"}) as root:
        answer = ask("placeholder", {}, root, base={})
    assert "hunter2" not in str(answer)
