"""`work-present`: its case table, honest work that must pass, changes that are none, names, and what a claim names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.checks.substance.lookup import Kind, kind_of_name
from backcheck.checks.substance.named import names_in
from backcheck.checks.substance.reading import Nature, nature_of
from backcheck.errors import UserError
from backcheck.testing import Case, Content, Fifo, Link, Sparse, check_case, make_gate

OLD = "def f(x):\n    return x + 1\n"
NEW = "def f(x):\n    return x + 2\n"
STUB = "def g(x):\n    raise NotImplementedError\n"
WORKS = "def g(x):\n    return x * 3\n"

CASES = [
    Case("a one-line fix", {}, {"a.py": NEW}, "pass", "1 of 1 changed files hold work", ["a.py"], base={"a.py": OLD}),
    Case("no change", {}, {"a.py": OLD}, "fail", "no change", base={"a.py": OLD}),
    Case("only backcheck's own folder", {}, {"a.py": OLD, ".backcheck/contract.yaml": "x"}, "fail", "no change", base={"a.py": OLD}),
    Case("comments only", {}, {"a.py": "# better\n" + OLD}, "fail", "nothing but form: 1 changed file (form only)", ["a.py"], base={"a.py": OLD}),
    Case("a rename", {}, {"b.py": OLD}, "fail", "renamed", base={"a.py": OLD}),
    Case("a rename with a comment", {}, {"b.py": "# b\n" + OLD}, "fail", "renamed", base={"a.py": OLD}),
    Case("a rename that is asked for", {"renames": True}, {"b.py": OLD}, "pass", base={"a.py": OLD}),
    Case("a rename with work", {}, {"b.py": NEW}, "pass", base={"a.py": OLD}),
    Case("a file removed", {}, {"b.py": OLD}, "pass", base={"a.py": NEW, "b.py": OLD}),
    Case("only a stub", {}, {"a.py": OLD + STUB}, "fail", "form only", base={"a.py": OLD}),
    Case("a stub in a new file", {}, {"a.py": OLD, "b.py": STUB}, "fail", "nothing but stubs", base={"a.py": OLD}),
    Case("an empty new file", {}, {"a.py": OLD, "b.py": ""}, "fail", "nothing but stubs", base={"a.py": OLD}),
    Case("prose only", {}, {"a.py": OLD, "README.md": "It is done."}, "unclear", "only prose changed (README.md)", base={"a.py": OLD}),
    Case("prose that is asked for", {"kind": "docs"}, {"a.py": OLD, "README.md": "How to use it."}, "pass", base={"a.py": OLD}),
    Case("prose by its path", {"paths": ["docs/**"]}, {"docs/a.md": "How to use it.", "b": "x"}, "pass", base={"b": "x"}),
    Case("settings only", {}, {"a.yaml": "a: 2\n"}, "pass", base={"a.yaml": "a: 1\n"}),
    Case("settings that are asked for", {"kind": "config"}, {"a.toml": "a = 2\n"}, "pass", base={"a.toml": "a = 1\n"}),
    Case("code where settings are asked for", {"kind": "config"}, {"a.py": NEW}, "unclear", "asked for: config", base={"a.py": OLD}),
    Case("tests that are asked for", {"kind": "tests"}, {"tests/test_a.py": "def test():\n    assert f(1) == 2\n"}, "pass", base={}),
    Case("tests where code is asked for", {"kind": "code"}, {"tests/test_a.py": "def test():\n    assert f(1) == 2\n"}, "unclear", base={}),
    Case("no base", {}, {"a.py": NEW}, "unclear", "no base"),
    Case("a path with work", {"paths": ["src/**", "tests/**"]}, {"src/a.py": NEW, "tests/a.py": "x = f(1)\n"}, "pass", base={"src/a.py": OLD}),
    Case("a path without", {"paths": ["src/**", "tests/**"]}, {"src/a.py": NEW}, "fail", "tests/**: no change", base={"src/a.py": OLD}),
    Case("a path with form only", {"paths": ["src/**"]}, {"src/a.py": OLD + "\n\n# x\n", "b.py": NEW}, "fail", "src/**: nothing but form", ["src/a.py"],
         base={"src/a.py": OLD}),
    Case("a path that is nowhere", {"paths": ["srcc/**"]}, {"src/a.py": NEW}, "fail", "srcc/**: no change", base={"src/a.py": OLD}),
    Case("a picture", {}, {"a.png": b"\x89PNG\0\1"}, "pass", base={"a.png": b"\x89PNG\0\0"}),
    Case("a link", {}, {"a.py": OLD, "l": Link("a.py")}, "unclear", "only links or submodules", base={"a.py": OLD}),
    Case("a large file", {}, {"a.csv": Sparse(17 << 20)}, "pass", base={}),
    Case("a FIFO", {}, {"a.py": Fifo()}, "unclear", "a.py is a FIFO", base={"b.py": OLD, "a.py": OLD} if False else {}),
    Case("invalid UTF-8", {}, {"a.py": b"x = '\xff'\n"}, "pass", base={"a.py": "x = 1\n"}),
    # Names.
    Case("a new function", {"names": ["g"]}, {"a.py": OLD + WORKS}, "pass", base={"a.py": OLD}),
    Case("a call's form", {"names": ["g()"]}, {"a.py": OLD + WORKS}, "pass", base={"a.py": OLD}),
    Case("a changed function", {"names": ["f"]}, {"a.py": NEW}, "pass", base={"a.py": OLD}),
    Case("a function as it was", {"names": ["f"]}, {"a.py": OLD + WORKS}, "fail", "`f` is as it was in the base", ["a.py:1"], base={"a.py": OLD}),
    Case("a function with a new comment", {"names": ["f"]}, {"a.py": OLD.replace(":\n", ":  # new\n") + WORKS}, "fail", "as it was", base={"a.py": OLD}),
    Case("a function moved", {"names": ["f"]}, {"b.py": WORKS + OLD}, "fail", "as it was", base={"a.py": OLD}),
    Case("a missing function", {"names": ["h"]}, {"a.py": OLD + WORKS}, "fail", "`h` is neither new nor changed", base={"a.py": OLD}),
    Case("only called", {"names": ["h"]}, {"a.py": OLD + "print(h())\n"}, "fail", "`h` is neither", base={"a.py": OLD}),
    Case("only named in a comment", {"names": ["h"]}, {"a.py": NEW + "# def h(): done\n"}, "fail", base={"a.py": OLD}),
    Case("only named in a text", {"names": ["h"]}, {"a.py": NEW + 's = "def h():"\n'}, "fail", base={"a.py": OLD}),
    Case("only imported", {"names": ["h"]}, {"a.py": "from b import h\n" + NEW}, "fail", base={"a.py": OLD}),
    Case("a stub of that name", {"names": ["g"]}, {"a.py": NEW + STUB}, "fail", "`g` is there, but does no work", ["a.py:3"], base={"a.py": OLD}),
    Case("one of two missing", {"names": ["g", "h"]}, {"a.py": OLD + WORKS}, "fail", "`h`", base={"a.py": OLD}),
    Case("a method", {"names": ["Store.get"]}, {"a.py": "class Store:\n    def get(self, k):\n        return self.d[k]\n"}, "pass", base={}),
    Case("a method of another class", {"names": ["Store.get"]}, {"a.py": "class Cache:\n    def get(self, k):\n        return self.d[k]\n"}, "fail", base={}),
    Case("a constant", {"names": ["MAX_RETRIES"]}, {"a.py": "MAX_RETRIES = 3\n"}, "pass", base={}),
    Case("TypeScript", {"names": ["parse", "Options", "Store.get"]}, {"a.ts": "export interface Options { n: number }\nexport const parse = (s: string) => s.trim();\n"
         "export class Store { get(k: string) { return this.m.get(k); } }\n"}, "pass", base={}),
    Case("TypeScript stub", {"names": ["parse"]}, {"a.ts": "export const n = f();\nexport function parse(s: string) { throw new Error('not implemented'); }\n"},
         "fail", "does no work", base={}),
    Case("Go", {"names": ["Store", "Get"]}, {"a.go": "package a\ntype Store struct{}\nfunc (s *Store) Get(k string) string { return s.m[k] }\n"}, "pass", base={}),
    Case("Rust in a comment", {"names": ["get"]}, {"a.rs": "// fn get() {}\nfn put() { x(); }\n"}, "fail", base={}),
    Case("Java", {"names": ["get"]}, {"A.java": "class A {\n  public String get(String k) {\n    return m.get(k);\n  }\n}\n"}, "pass", base={}),
    Case("shell", {"names": ["deploy"]}, {"a.sh": "deploy() {\n  ship it\n}\n"}, "pass", base={}),
    Case("a key", {"names": ["retry.limit"]}, {"a.yaml": "retry:\n  limit: 3\n"}, "pass", base={"a.yaml": "retry:\n  wait: 1\n"}),
    Case("an option", {"names": ["--retries"]}, {"a.py": 'parser.add_argument("--retries", type=int)\n'}, "pass", base={}),
    Case("an option that was there", {"names": ["--retries"]}, {"a.py": 'add("--retries")\nadd("--wait")\n'}, "fail", "as it was", base={"a.py": 'add("--retries")\n'}),
    Case("an option in a comment", {"names": ["--retries"]}, {"a.py": '# --retries\nadd("--wait")\n'}, "fail", base={}),
    Case("a longer option", {"names": ["--retries"]}, {"a.py": 'add("--retries-max")\n'}, "fail", base={}),
    Case("a route", {"names": ["GET /users"]}, {"a.py": '@app.get("/users")\ndef users():\n    return load()\n'}, "pass", base={}),
    Case("a longer route", {"names": ["/users"]}, {"a.py": '@app.get("/users/active")\ndef users():\n    return load()\n'}, "fail", base={}),
    Case("a path", {"names": ["src/a.py"]}, {"src/a.py": NEW}, "pass", base={}),
    Case("a path that is not there", {"names": ["src/b.py"]}, {"src/a.py": NEW}, "fail", "`src/b.py` is not there", base={}),
    Case("a path as it was", {"names": ["b.py"]}, {"a.py": NEW, "b.py": OLD}, "fail", "as it was", base={"b.py": OLD}),
    # Texts.
    Case("a task that is done", {"task": "Add `parse_line` to `src/a.py`."}, {"src/a.py": "def parse_line(x):\n    return x.split()\n"}, "pass", base={}),
    Case("a task that is not", {"task": "Add `parse_line` to `src/a.py`."}, {"src/a.py": NEW}, "unclear", "the task names `parse_line`", base={}),
    Case("a task in Chinese", {"task": "在 `src/b.py` 中实现"}, {"src/a.py": NEW}, "unclear", "`src/b.py`", base={}),
    Case("a claim that holds", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "Added `g()` in `a.py` with `--fast`.", "b.py": 'add("--fast")\n'}, "pass", base={}),
    Case("a claimed file that is not there", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "x\nAdded `src/limit.py` too."}, "fail",
         "R.md names `src/limit.py`", ["R.md:2"], base={}),
    Case("a claimed call that is not there", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "Added `h_new()`."}, "fail", "`h_new()`", base={}),
    Case("only in the claim and in prose", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "Added `h_new()`.", "CHANGES.rst": "h_new"}, "fail", base={}),
    Case("a removed file", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "Removed `src/old.py`."}, "unclear", "`src/old.py`", base={}),
    Case("a name that is elsewhere", {"claim": "R.md"}, {"a.py": WORKS, "R.md": "Uses `old_helper()`.", "lib/b.py": "def old_helper(): return 1\n"}, "pass",
         base={"lib/b.py": "def old_helper(): return 1\n"}),
    Case("no claim", {"claim": "R.md"}, {"a.py": WORKS}, "fail", "R.md is not there", base={}),
    Case("a fail beside an unclear", {"claim": "R.md", "kind": "docs"}, {"a.py": WORKS, "R.txt": "", "R.md": "Added `nope_x()`."}, "fail", "nope_x", base={}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("work-present", case)


#: (name, path, before, after): the same work in another form.
FORM: list[tuple[str, str, str, str]] = [
    ("blank lines", "a.py", OLD, "\n\n" + OLD + "\n"), ("spaces", "a.py", "x=f(1,2)\n", "x = f( 1, 2 )\n"), ("quotes", "a.py", "x = 'a'\n", 'x = "a"\n'),
    ("brackets", "a.py", "x = 1 + 2\n", "x = (1 +\n     2)\n"), ("a docstring", "a.py", OLD, "def f(x):\n    '''Adds.'''\n    return x + 1\n"),
    ("a module's docstring", "a.py", OLD, '"""Done."""\n' + OLD), ("sorted imports", "a.py", "import b\nimport a\nx = a.b\n", "import a\nimport b\n\nx = a.b\n"),
    ("a bare text", "a.py", OLD, OLD + "'implemented'\n"), ("a pass", "a.py", OLD, "def f(x):\n    pass\n    return x + 1\n"),
    ("an ellipsis", "a.py", OLD, OLD + "...\n"), ("a stub class", "a.py", OLD, OLD + "class A:\n    def f(self):\n        pass\n"),
    ("another stub", "a.py", OLD + "def g(x):\n    pass\n", OLD + STUB), ("tabs", "a.py", OLD, OLD.replace("    ", "\t")),
    ("semicolons", "a.js", "f()\ng()\n", "f();\ng();\n"), ("quotes in JavaScript", "a.ts", "f('a')\n", 'f("a")\n'), ("a trailing comma", "a.ts", "f(a, b)\n", "f(\n  a,\n  b,\n)\n"),
    ("a block comment", "a.js", "f()\n", "/** Does f. */\nf()\n"), ("a JavaScript stub", "a.js", "f()\n", "f()\nfunction g() {}\nexport const h = () => {};\n"),
    ("a stub method", "a.ts", "class A { f() { return g(); } }\n", "class A { f() { return g(); }\n  h() { throw new Error('not implemented'); } }\n"),
    ("Go", "a.go", "x := f(1)\n", "// note\nx := f( 1 )\n"), ("Rust", "a.rs", "fn f() { g(); }\n", "fn f()\n{\n    g(); /* x */\n}\n"), ("C", "a.c", "int x=1;\n", "int x = 1;\n"),
    ("SQL", "a.sql", "select 1\n", "-- one\nselect   1\n"), ("CSS", "a.css", "a{b:c}\n", "a {\n  b: c\n}\n"), ("shell", "a.sh", "ls\n", "# lists\nls\n\n"),
    ("YAML", "a.yaml", "a: 1\n", "# x\na: 1  \n\n"), ("JSON", "a.json", '{"a": [1]}', '{\n  "a": [ 1 ]\n}\n'), ("TOML", "a.toml", "a = 1\n", "# x\na   =   1\n"),
    ("Markdown", "a.md", "one two\nthree\n", "one\ntwo three\n"), ("HTML", "a.html", "<p>a</p>\n", "<p>a</p>\n<!-- done -->\n"), ("ini", "a.ini", "a=1\n", "; x\na=1\n"),
    ("a broken file", "a.py", "def f(:\n", "def f(:  # x\n"), ("invisible letters", "a.txt", "a b", "a\u200b b"),
    ("a notebook's outputs", "a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1"], "outputs": []}], "nbformat": 4}),
     json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1  # c"], "outputs": [{"text": "1"}]}], "nbformat": 4})),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), [row[1:] for row in FORM], ids=[row[0] for row in FORM])
def test_another_form_is_no_work(path: str, before: str, after: str) -> None:
    assert nature_of(path, before.encode(), after.encode()) is Nature.FORM
    check_case(
        "work-present", Case("form", {"kind": "any"}, {path: after}, "fail", "nothing but form", base={path: before})
    )


#: (name, path, before, after): small and honest.
REAL: list[tuple[str, str, str | None, str]] = [
    ("a sign", "a.py", "x = a < b\n", "x = a <= b\n"), ("a number", "a.py", "x = 1\n", "x = 2\n"), ("a text", "a.py", "x = 'a b'\n", "x = 'a  b'\n"),
    ("a default", "a.py", OLD, OLD.replace("(x)", "(x=0)")), ("an annotation", "a.py", OLD, OLD.replace("(x)", "(x: int)")), ("a line removed", "a.py", "a()\nb()\n", "a()\n"),
    ("a function removed", "a.py", OLD + WORKS, OLD), ("an import", "a.py", OLD, "import os\n" + OLD), ("a decorator", "a.py", OLD, "@cache\n" + OLD),
    ("a stub filled", "a.py", "def f(x):\n    pass\n", OLD), ("indentation", "a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"), ("an order", "a.py", "a()\nb()\n", "b()\na()\n"),
    ("an exception class", "a.py", OLD, OLD + "class E(Exception):\n    pass\n"), ("mended syntax", "a.py", "def f(:\n    return 1\n", "def f():\n    return 1\n"),
    ("a flag", "a.js", "f(true)\n", "f(false)\n"), ("an await", "a.ts", "f()\n", "await f()\n"), ("a template", "a.ts", "x = `a`\n", "x = `a b`\n"), ("a type", "a.ts", "let x: A\n", "let x: B\n"),
    ("a text in Go", "a.go", 'x := "a b"\n', 'x := "a  b"\n'), ("an operator in Rust", "a.rs", "a + b", "a - b"), ("else if", "a.c", "elseif", "else if"),
    ("a value in YAML", "a.yaml", "a: 1\n", "a: 2\n"), ("nesting in YAML", "a.yaml", "a:\n  b: 1\nc: 2\n", "a:\n  b: 1\n  c: 2\n"), ("a value in JSON", "a.json", '{"a": 1}', '{"a": 1.5}'),
    ("a version", "pyproject.toml", 'v = "1"\n', 'v = "2"\n'), ("a word", "a.md", "It is fast.\n", "It is not fast.\n"), ("a typo", "a.rst", "teh\n", "the\n"), ("an ignore rule", ".gitignore", "a\n", "a\nb\n"),
    ("a Dockerfile", "Dockerfile", "FROM a:1\n", "FROM a:2\n"), ("a Makefile's tab", "Makefile", "a:\n\tb\n", "a:\n\tb -v\n"), ("a workflow", ".github/workflows/a.yml", "on: push\n", "on: pull_request\n"),
    ("a selector", "a.css", "a b { c: d }", "a > b { c: d }"), ("a dependency", "requirements.txt", "a==1\n", "a==2\n"), ("a new module", "b.py", None, "X = 1\n"), ("a new document", "b.md", None, "Words.\n"),
    ("a notebook", "a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1"]}], "nbformat": 4}),
     json.dumps({"cells": [{"cell_type": "code", "source": ["x = 2"]}], "nbformat": 4})),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), [row[1:] for row in REAL], ids=[row[0] for row in REAL])
def test_small_honest_work_passes(path: str, before: str | None, after: str) -> None:
    base: Mapping[str, str] = {} if before is None else {path: before}
    tree: dict[str, Content] = {path: after}
    check_case("work-present", Case("real", {"kind": "any"}, tree, "pass", base=base))


def test_the_tables_are_large_enough() -> None:
    assert len(FORM) >= 30
    assert len(REAL) >= 30


PATHS = st.sampled_from(
    ["a.py", "a.ts", "a.go", "a.yaml", "a.json", "a.md", "a.sql", "a.ipynb", "x", "a.toml", "a.html"]
)
TEXTS = st.lists(st.sampled_from(
    ["def f():\n", "    pass\n", "    return 1\n", "class A {", "}", "()", "=> ", "x", " = ", "1", "\n", '"', "'", "# c\n", "// c\n", "/*", "*/", "{", "[", "a: 1\n", "é", "\u200b", "--"]
), max_size=20).map("".join)  # fmt: skip


@given(path=PATHS, text=TEXTS)
def test_a_file_is_never_work_against_itself(path: str, text: str) -> None:
    assert nature_of(path, text.encode(), text.encode()) is Nature.FORM
    assert nature_of(path, text.encode(), (text + "\n\n").encode()) is Nature.FORM or path == "x"


@given(before=st.text(max_size=30), after=st.text(max_size=30), path=PATHS)
def test_any_two_texts_are_answered(before: str, after: str, path: str) -> None:
    assert nature_of(path, before.encode("utf-8", "replace"), after.encode("utf-8", "replace")) in {
        Nature.FORM,
        Nature.REAL,
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("f", Kind.SYMBOL), ("f()", Kind.SYMBOL), ("A.b", Kind.SYMBOL), ("A::b", Kind.SYMBOL), ("--all", Kind.OPTION), ("-v", Kind.OPTION), ("/users", Kind.ROUTE),
        ("POST /users/{id}", Kind.ROUTE), ("src/a.py", Kind.PATH), ("a.py", Kind.PATH), ("./a/b", Kind.PATH), ("pytest -q", None), ("https://x.y/z", None), ("1.5", None),
        ("", None), ("a b", None), ("名字", Kind.SYMBOL), ("retry.limit", Kind.SYMBOL), ("package.json", Kind.PATH),
    ],
)  # fmt: skip
def test_kinds_of_names(name: str, kind: Kind | None) -> None:
    assert kind_of_name(name) is kind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Added `a/b.py`.", {"a/b.py": True}), ("Added `f_x()` and `Store.get`.", {"f_x()": True, "Store.get": False}), ("Ran `pytest -q`: `ok`.", {}),
        ("Removed `a/b.py`. Added `c/d.py`.", {"a/b.py": False, "c/d.py": True}), ("`a/b.py` was not touched", {"a/b.py": False}), ("删除了 `a/b.py`。新增 `c/d.py`", {"a/b.py": False, "c/d.py": True}),
        ("```\n`a/b.py`\n```\n", {}), ("``a/b.py``", {"a/b.py": True}), ("`MAX_N` and `word`", {"MAX_N": False}), ("I would add `a/b.py` later.", {"a/b.py": False}),
    ],
)  # fmt: skip
def test_names_in_a_text(text: str, names: dict[str, bool]) -> None:
    assert {item.name: item.plainly for item in names_in(text)} == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"kind": "cod"}, "not one of work"), ({"names": ["pytest -q"]}, "no name of"), ({"names": [""]}, "no name of"), ({"paths": ["!a"]}, "nothing would be checked"),
     ({"paths": ["../a"]}, "leaves the root"), ({"min_lines": 3}, "min_lines")],
)  # fmt: skip
def test_mistakes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_gate("work-present", arguments)
