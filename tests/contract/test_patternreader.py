"""The reader of patterns, its sample texts and its look for slow ones, against the engines that really run them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backcheck.contract import charsets
from backcheck.contract.hazards import nested_repetition
from backcheck.contract.patternreader import MAX_DEPTH, TooDeep, parse
from backcheck.contract.patterntree import Back, Chars, Look, Repeat, walk
from backcheck.contract.samples import MAX_SAMPLES, plain, samples
from backcheck.evidence.patterns import PatternError, compile_pattern

LITERALS = st.sampled_from(["a", "foo", "é", "写入", " ", r"\.", r"\(", r"\x41", "-", "%", "=", ",", r"\n", r"\t", "7"])
CLASSES = st.sampled_from(
    [".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "[a-c]", "[^a-c]", r"[\d.]", "[-x]", r"[\]a]", "[一-龥]", r"[\w-]"]
)
QUANTIFIERS = st.sampled_from(["*", "+", "?", "{2}", "{0,3}", "{1,}", "*?", "+?"])


def _joined(children):
    group = st.sampled_from(["({})", "(?:{})", "(?P<name>{})"])
    quantified = st.builds(lambda g, body, q: g.format(body) + q, group, children, QUANTIFIERS)
    return st.one_of(
        st.lists(children, min_size=1, max_size=4).map("".join),
        st.lists(children, min_size=2, max_size=3).map(lambda branches: f"(?:{'|'.join(branches)})"),
        st.builds(lambda g, body: g.format(body), group, children),
        quantified,
    )


PATTERNS = st.recursive(LITERALS | CLASSES | st.builds("{}{}".format, CLASSES, QUANTIFIERS), _joined, max_leaves=8)


def _finds(source: str, text: str, dialect: str, flags: str = "") -> bool:
    return compile_pattern(source, flags, dialect=dialect).search(text.encode()) is not None


@settings(deadline=None, max_examples=300)
@given(PATTERNS, st.sampled_from(["native", "javascript"]), st.sampled_from(["", "i", "s"]))
def test_every_sample_of_a_pattern_is_matched_by_it(source, dialect, flags):
    if dialect == "javascript":
        source = source.replace("(?P<", "(?<")
    try:
        compile_pattern(source, flags, dialect=dialect)
    except PatternError:
        return  # a group's name stands twice
    tree = parse(source, flags, dialect)
    made = samples(tree)
    assert made[0] == plain(tree)
    assert 1 <= len(made) <= MAX_SAMPLES
    for sample in made:
        assert _finds(source, sample.text, dialect, flags), (sample.text, tree)
        assert len(sample.made) == len(sample.text)


@settings(deadline=None, max_examples=500)
@example("(?P=a")
@example("(?#a")
@example("(?P<a")
@example("[a")
@example("a\\")
@given(st.text(alphabet="ab(|)[]*+?{}\\^$.-,1:=!<>P dwQE", max_size=30))
def test_reading_any_text_ends_with_a_tree(source):
    for dialect in ("native", "javascript"):
        walk(parse(source, "", dialect))


@pytest.mark.parametrize(
    ("source", "dialect", "texts"),
    [
        ("写入(失效|清除)", "native", ["写入失效", "写入清除"]),
        (r"\Qa.b\E|x", "native", ["a.b", "x"]),
        ("[]x]", "native", ["x"]),
        ("(?i)CODE", "native", ["CODE"]),
        ("(?i:code)b", "native", ["codeb"]),
        ("a(?#why)b", "native", ["ab"]),
        (r"(a|b)-\1", "javascript", ["a-a", "b-b"]),
        (r"(?<n>a|b)-\k<n>", "javascript", ["a-a", "b-b"]),
        ("x{", "javascript", ["x{"]),
        (r"[\b]y", "javascript", ["\by"]),
        (r"\u0041\x42", "javascript", ["AB"]),
        ("foo( bar)?", "native", ["foo bar", "foo"]),
        (r"[a-z]*x", "native", ["x", "ax"]),
        (r"\p{Han}", "native", ["中"]),
    ],
)
def test_samples_of_single_patterns(source, dialect, texts):
    assert [sample.text for sample in samples(parse(source, "", dialect))][: len(texts)] == texts


def test_a_sample_tells_written_characters_from_those_of_a_class():
    (sample,) = samples(parse(r"v\d[x]"))
    assert (sample.text, sample.made, sample.written()) == ("v1x", "010", "v\0x")


def test_case_is_folded_only_where_the_flag_is():
    assert parse("a") == Chars(frozenset("a"), "a")
    assert parse("a", "i") == Chars(frozenset("aA"), "a")
    assert parse("(?i:a)b").parts == (Chars(frozenset("aA"), "a"), Chars(frozenset("b"), "b"))  # type: ignore[union-attr]
    assert parse("(?i)a(?-i)b").parts == (Chars(frozenset("aA"), "a"), Chars(frozenset("b"), "b"))  # type: ignore[union-attr]


def test_a_dot_takes_line_ends_only_with_its_flag():
    assert parse(".") == Chars(charsets.ALPHABET - {"\n"})
    assert parse(".", "s") == parse("(?s).") == Chars(charsets.ALPHABET)


def test_kinds_of_look_around_and_references():
    tree = parse(r"(?=a)(?!b)(?<=c)(?<!d)(e)\1")
    looks = [(node.ahead, node.negative) for node in walk(tree) if isinstance(node, Look)]
    assert looks == [(True, False), (True, True), (False, False), (False, True)]
    assert Back("1") in walk(tree)


def test_bounds_of_quantifiers():
    bounds = [(node.low, node.high) for node in walk(parse("a*b+c?d{2}e{2,}f{2,5}g{,3}")) if isinstance(node, Repeat)]
    assert bounds == [(0, None), (1, None), (0, 1), (2, 2), (2, None), (2, 5)]


def test_very_deep_groups_are_refused_and_not_a_crash():
    parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH)
    with pytest.raises(TooDeep):
        parse("(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1))


def test_samples_stay_small_where_a_pattern_could_be_huge():
    made = samples(parse("((a{1000}){1000}|b?c?d?e?f?g?h?){3}" * 20))
    assert len(made) <= MAX_SAMPLES
    assert max(len(sample.text) for sample in made) < 50_000


@pytest.mark.parametrize(
    ("members", "character"),
    [("", ""), ("zB3", "z"), ("B3", "B"), ("302", "0"), ("312", "1"), ("写", "写"), ("%!", "!"), (" \t", " ")],
)
def test_the_character_that_stands_for_a_class(members, character):
    assert charsets.example(frozenset(members)) == character
    assert charsets.example(charsets.ALPHABET) == " "


@pytest.mark.parametrize(
    "source",
    ["(a+)+$", "(a*)*", r"(\w+\s?)*$", "(.*)*x", "(a|aa)+$", r"(\d|\w)*!", r"(\s*\w+)*;", "((ab)+)+", "(a+b?)+",
     "(?:x|(?:a*))+", "(?i)(a|A)+"],
)  # fmt: skip
def test_structures_that_split_one_text_in_many_ways(source):
    assert nested_repetition(parse(source))


@pytest.mark.parametrize(
    "source",
    ["(ab|ac)*$", r"(\w+,)*$", '("[^"]*")*', "(ba+)+", r"\s*\s*", "a+b+", "(foo|foobar)*", "(a{2,5}){2,5}", "(a+){1,3}",
     "(?:a|b)*", r"(\d+\.)+"],
)  # fmt: skip
def test_structures_that_split_it_in_one_way(source):
    assert not nested_repetition(parse(source))
