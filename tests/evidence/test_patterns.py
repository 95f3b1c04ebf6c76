from __future__ import annotations

import json
import subprocess
import tracemalloc

import pytest
import regress
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support import require

from backcheck.evidence.literals import required_words
from backcheck.evidence.patterns import PatternError, PatternTimeout, compile_pattern

JS = [
    (r"bar", "", "foo bar", 4), (r"^bar", "", "x\nbar", None), (r"^bar$", "m", "x\nbar\ny", 2), (r"foo\nbar", "", "foo\nbar", 0),
    (r"caf\u00e9", "", "café", 0), (r"CAFÉ", "i", "un café", 3), (r"\d{2,}", "", "a1 22", 3), (r"[^\W_]+", "", "__a", 2),
    (r"a.c", "", "a\nc", None), (r"a.c", "s", "a\nc", 0), (r"(\w)\1", "", "abba", 1), (r"foo(?!bar)", "", "foobar foox", 7),
    (r"(?<=\$)\d+", "", "€5 $42", 4), (r"(?<name>x)\k<name>", "", "axx", 1), (r"[\s\S]*end", "", "a\nend", 0),
    (r"\bTODO\b", "", "TODOS TODO", 6), (r"x{2}", "", "xxx", 0), (r"a{,3}", "", "a{,3}", 0), (r"[]", "", "a", None),
    (r"[^]", "", "\n", 0), (r"a\/b", "", "a/b", 0), (r"\cJ", "", "a\nb", 1), (r"[\w.-]+@[\w-]+\.\w+", "", "to a.b@c-d.ef", 3),
    (r"\u{1F600}", "u", "x😀", 1), (r"\ud83d\ude00", "", "x😀", 1), (r"\p{Lu}", "u", "aÉ", 1), (r"[\d\-x]", "", "-", 0),
    (r"bar", "y", "foobar", None), (r"foo", "y", "foobar", 0), (r"a|b|", "", "zzz", 0), (r"[[:alpha:]]", "", ":]", 0),
    (r"\S+\s\S+", "", "a\u00a0b", 0), (r"(a+)+$", "", "aaaa", 0), (r"x(?=y)|z", "", "xz", 1), (r"\x41", "", "A", 0),
    (r"(?:)", "", "", 0), (r"\0", "", "a\0", 1), (r"[a-]", "", "-", 0), (r"[\b]", "", "\b", 0), (r"a$", "", "a\n", None),
    (r"\B-\B", "", "a - b", 2), (r"(?!)", "", "a", None), (r"(a)?b\1$", "", "b", 0), (r"\1(a)", "", "a", 0), (r"\k<n>", "", "k<n>", 0),
    (r"\p{Script=Greek}", "u", "aΩ", 1), (r"\p{ASCII}+$", "u", "éab", 1), (r"[\p{gc=Decimal_Number}x]", "u", "a٣", 1), (r"\P{L}", "u", "ab1", 2), (r"(?:a|ab)(?:c|bcd)(d*)", "", "abcd", 0),
]  # fmt: skip


def position(pattern: str, flags: str, text: str) -> int | None:
    data = text.encode()
    at = compile_pattern(pattern, flags, dialect="javascript").search(data)
    return None if at is None else len(data[:at].decode())


@pytest.mark.parametrize(("pattern", "flags", "text", "expected"), JS, ids=[f"{p}/{f}" for p, f, _, _ in JS])
def test_javascript_table(pattern: str, flags: str, text: str, expected: int | None) -> None:
    assert position(pattern, flags, text) == expected


def test_node_agrees_with_the_table() -> None:
    node = require("node", "JavaScript itself was not asked")
    script = (
        "const rows = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(rows.map(([p, f, t]) => { const m = new RegExp(p, f).exec(t);"
        "return m ? [...t.slice(0, m.index)].length : null; })))"
    )
    rows = [[p, f, t] for p, f, t, _ in JS]
    done = subprocess.run([node, "-e", script], input=json.dumps(rows), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [expected for *_, expected in JS]


@pytest.mark.parametrize(
    ("pattern", "flags", "message"),
    [
        ("(", "", "invalid pattern"), ("(?i)x", "", "invalid pattern"), ("a**", "", "invalid pattern"), ("x", "q", "no flag `q`"),
        ("x", "ii", "twice"), ("x", "uv", "exclude"), ("[a&&b]", "v", "not supported"), ("", "", "empty"), ("x" * 30_000, "", "limit"),
    ],
)  # fmt: skip
def test_javascript_mistakes(pattern: str, flags: str, message: str) -> None:
    with pytest.raises(PatternError, match=message):
        compile_pattern(pattern, flags, dialect="javascript")


atoms = st.sampled_from(
    list("ab01-_ ./\n")
    + [r"\d", r"\w", r"\s", r"\S", r"\b", ".", "[a-c]", "[^a]", r"\n", "^", "$", "é", r"\u00e9", "(?:a|b)", "(a)"]
)
quantifiers = st.sampled_from(["", "", "*", "+", "?", "{1,2}", "*?"])
patterns = st.lists(st.tuples(atoms, quantifiers), min_size=1, max_size=6).map(
    lambda parts: "".join(a + (q if a not in ("^", "$", r"\b") else "") for a, q in parts)
)


@settings(max_examples=400, deadline=None)
@given(patterns, st.sampled_from(["", "i", "m", "s", "im"]), st.text(alphabet="ab01-_ ./\né", max_size=12))
def test_the_rewriting_agrees_with_an_ecmascript_engine(pattern: str, flags: str, text: str) -> None:
    try:
        oracle = regress.Regex(pattern, flags)
    except Exception:
        assume(False)
        return
    match = oracle.find(text)
    found = position(pattern, flags, text)
    if match is None:
        assert found is None
    else:
        assert found == len(text.encode()[: match.range().start].decode())


def test_catastrophic_patterns_are_linear_or_stopped() -> None:
    assert compile_pattern("(a+)+$", dialect="javascript").search(b"a" * 50_000 + b"b") is None
    slow = compile_pattern(r"(?=x?)(a|a|aa)+\1$", dialect="javascript")
    with pytest.raises(PatternTimeout, match="took longer"):
        slow.search(b"a" * 60 + b"b")


@pytest.mark.parametrize("flags", ["g", "x", "u"])
def test_native_flags(flags: str) -> None:
    with pytest.raises(PatternError, match="the flags are"):
        compile_pattern("x", flags)


def test_lines_match_by_themselves() -> None:
    pattern = compile_pattern(r"#\s*TODO$", dialect="javascript", lines=True)
    assert pattern.matching_lines(b"#\nTODO\n# TODO\nx # TODO x\n#TODO", limit=9) == [3, 5]
    assert pattern.matching_lines(b"# TODO\n" * 30, limit=20) == list(range(1, 21))
    assert compile_pattern("^a*$", lines=True).matching_lines(b"a\nb\n\n", limit=9) == [1, 3, 4]


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "", "#", "# a"]), max_size=12),
    st.sampled_from([r"^a", r"b$", r"#\s*a", r"a\s*b", "(?!a)b"]),
)
def test_lines_are_those_that_match_alone(lines: list[str], source: str) -> None:
    pattern = compile_pattern(source, dialect="javascript", lines=True)
    expected = [n for n, line in enumerate(lines, 1) if pattern.search(line.encode()) is not None]
    assert pattern.matching_lines("\n".join(lines).encode(), limit=99) == (expected if lines else [])


WORDS = [
    (r"(//|#)\s*(TODO|FIXME)", {"TODO", "FIXME"}), ("TODO", {"TODO"}), (r"\bTODO\b", {"TODO"}), ("abc?de", {"ab"} - {"ab"}),
    ("abcd?efg", {"abc"}), ("abc+def", {"abc"}), ("(abc)*def", {"def"}), ("(abc|x)def", {"def"}), ("(?:secret|token)=.*", {"secret", "token"}),
    ("a|bcd", set()), ("(abc)?", set()), ("a{0,3}bcd", {"bcd"}), ("a{2}bcd", {"bcd"}), ("[abc]def", {"def"}), ("abc.def", {"abc"}),
    (r"sk_live_[A-Za-z0-9]{16,}", {"sk_live_"}), ("(?i)todo", set()), ("(?=abc)d", set()), (r"\x41bc", set()), ("ab**", set()),
    ("x|y|abc", set()), (r"foo\.bar", {"foo.bar"}), ("(((abc)))", {"abc"}), ("abc|abcd|abce", {"abc", "abcd", "abce"}), ("|".join(f"abc{n}" for n in range(9)), set()), ("^abc$", {"abc"}), ("", set()),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words"), WORDS)
def test_required_words(source: str, words: set[str]) -> None:
    assert required_words(source) == words
    assert required_words(source, "i") == set()


plain = st.sampled_from(
    ["a", "b", "ab", "abc", ".", "[ab]", r"\s", r"\b", "(ab|ba)", "(?:abc|bca)", "(a)", "^", "$", r"\."]
)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.lists(st.tuples(plain, quantifiers), min_size=1, max_size=4), min_size=1, max_size=3),
    st.text(alphabet="ab c.\n", max_size=12),
)
def test_no_match_does_without_a_required_word(parts: list[list[tuple[str, str]]], text: str) -> None:
    source = "|".join("".join(a + (q if a not in ("^", "$", r"\b") else "") for a, q in branch) for branch in parts)
    if position(source, "", text) is not None and (words := required_words(source)):
        assert any(word in text for word in words), (source, words)


@pytest.mark.parametrize("size", [100, 65_530, 65_540, 200_000])
def test_a_required_word_is_found_wherever_it_stands(size: int) -> None:
    pattern = compile_pattern(r"(TODO|FIXME)\b")
    text = b"x" * size
    assert pattern.lacks(text)
    assert not pattern.may_match(text)
    for at in {0, size // 2, size - 5, *range(65_530, min(65_545, size - 5))}:
        with_word = text[:at] + b"FIXME" + text[at + 5 :]
        assert not pattern.lacks(with_word), at


def test_a_text_full_of_words_is_no_burden() -> None:
    pattern = compile_pattern("TODO[0-9]")
    tracemalloc.start()
    assert not pattern.may_match(b"TODO" * 2_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 1024 * 1024
