from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcmatch import glob as wc

from backcheck.evidence.globs import GlobError, Globs, check_glob

TABLE = [
    ("*.py", "a.py", True), ("*.py", "d/a.py", False), ("**/*.py", "a.py", True), ("**/*.py", "d/e/a.py", True),
    ("src/**/*.{ts,js}", "src/a.ts", True), ("src/**/*.{ts,js}", "src/x/a.js", True), ("src/**/*.{ts,js}", "src/a.tsx", False),
    ("src", "src/a/b.c", True), ("src/", "src/a", True), ("src", "srcs/a", False), ("a?c", "abc", True), ("a?c", "a/c", False),
    ("[ab].txt", "a.txt", True), ("[!ab].txt", "c.txt", True), ("[!ab].txt", "a.txt", False), ("[!a]b", "/b", False),
    ("**/*", ".env", True), ("**/*", ".x/.y/z", True), ("./a.py", "a.py", True), ("src/[[]id].js", "src/[id].js", True),
    (r"src/\[id\].js", "src/[id].js", True), ("docs/*", "docs/x/b", False), ("docs/*", "docs/a", True), ("src/[id].js", "src/[id].js", True), ("d/{1..3}.t", "d/2.t", True),
    ("d/{1..3}.t", "d/4.t", False), ("app/(group)/**", "app/(group)/x", True), ("a/**", "a/b/c", True), ("**/x/**", "a/x/b", True), ("**/x/**", "x/b", True),
    ("*.{a,b{c,d}}", "f.bd", True), ("a**b", "axxb", True), ("a**b", "ax/xb", False), ("*.py", "\udcff.py", True),
    ("{a,b}/c", "b/c", True), ("a{b", "a{b", True), ("a}", "a}", True), ("a,b", "a,b", True), ("*", "a\nb", True),
]  # fmt: skip


@pytest.mark.parametrize(("glob", "path", "expected"), TABLE)
def test_table(glob: str, path: str, expected: bool) -> None:
    assert (path in Globs([glob])) is expected


def test_taking_away() -> None:
    globs = Globs(["**/*.js", "!gen/**"], ["vendor/**"])
    assert "a.js" in globs
    assert "gen/a.js" not in globs
    assert "vendor/x/a.js" not in globs
    assert "anything" not in Globs(["!a"])


@pytest.mark.parametrize(
    "glob", ["", "!", "/etc/*", "../x", "a/../../b", "@(a|b)", "*.{md,y?(a)ml}", "(a|b).js", "*(a).js", "x" * 2000]
)
def test_mistakes(glob: str) -> None:
    with pytest.raises(GlobError, match=".+"):
        check_glob(glob)


def test_no_glob_is_slow() -> None:
    started = time.perf_counter()
    assert "a" * 250 not in Globs(["*a" * 60 + "b", "**/" * 60 + "x"])
    assert time.perf_counter() - started < 1


names = st.text(alphabet="ab.c", min_size=1, max_size=4).filter(lambda n: n not in (".", ".."))
pieces = st.sampled_from(["a", "b", ".", "*", "?", "[ab]", "[!a]", "{a,b}", "c"])
segments = st.one_of(
    st.lists(pieces, min_size=1, max_size=3).map("".join).filter(lambda s: "**" not in s), st.just("**")
)


@given(st.lists(segments, min_size=1, max_size=4).map("/".join), st.lists(names, min_size=1, max_size=4).map("/".join))
def test_agrees_with_wcmatch(glob: str, path: str) -> None:
    if any(part in (".", "..") for part in glob.split("/")):
        return
    flags = wc.GLOBSTAR | wc.BRACE | wc.DOTGLOB
    # Ours also matches a file of the very name that a class is written with; those names are not generated here.
    below = [] if glob.endswith("*") else [f"{glob}/**"]
    expected = any(wc.globmatch(path, pattern, flags=flags) for pattern in (glob, *below))
    assert (path in Globs([glob])) is expected


endings = st.sampled_from(["*", "**", "*.a", "*.{a,b}", "*.b.{a,c}", "*.a.b"])
folders = st.lists(st.sampled_from(["**", "*", "a", "*.a", "b?"]), max_size=3)
simple = st.builds(lambda way, end: "/".join([*way, end]), folders, endings)


@given(
    st.lists(simple, min_size=1, max_size=3),
    st.lists(simple, max_size=2),
    st.lists(st.sampled_from(["a", "b.a", "bb"]), max_size=3),
    st.text("ab.", min_size=1, max_size=4).filter(lambda n: n not in (".", "..")),
)
def test_by_ending_two_names_with_one_ending_get_one_answer(
    keep: list[str], drop: list[str], way: list[str], name: str
) -> None:
    globs = Globs(keep, drop)
    assert globs.by_ending
    head, dot, rest = name.partition(".")
    for other in (f"x{dot}{rest}", f"{head}yy{dot}{rest}"):
        assert ("/".join([*way, name]) in globs) == ("/".join([*way, other]) in globs)


@pytest.mark.parametrize(
    "glob", ["a.py", "src/*_test.py", "{a,b/*.c}", "[ab]*", "*.[ch]", "src", "*a", "!x.py", r"a\\*", "*.a?"]
)
def test_globs_that_look_at_names(glob: str) -> None:
    assert not Globs(["*.x", glob]).by_ending
