"""Case table of `content`: length, keywords and forbidden words."""

from __future__ import annotations

import time
from typing import Any

import pytest

from backcheck.errors import UserError
from backcheck.testing import HOSTILE, Case, Sparse, ask, check_canary, check_case, make_gate, tree_of
from backcheck.verdict import Blame, Status

TEXT = "# Review\n\nEvery write removes the key from the cache.\nThe limiter counts per address.\n"
CHINESE = "第1章：起因\n第2章：做法\n第3章：结论\n"


def one(name: str, text: str | bytes, status: str, reason: str = "", line: int = 0, **arguments: Any) -> Case:
    """A case of one file, whose place is its line if one is given."""
    return Case(name, {"file": "a.md", **arguments}, {"a.md": text}, status, reason, [f"a.md:{line}"] if line else [])


CASES = [
    one("long enough", TEXT, "pass", min_length=80),
    one("exactly so long", "four", "pass", min_length=4),
    one("one short", "four", "fail", "holds 4 characters of at least 5", min_length=5),
    one("white space around does not count", "\n\n four \n\n", "fail", "holds 4 characters", min_length=5),
    one("invisible characters do not count", "fo\u200b\u200b\u2060ur", "fail", "holds 4 characters", min_length=5),
    one("characters, not bytes", "缓存已删除", "fail", "holds 5 characters", min_length=6),
    one("characters, not UTF-16 units", "🎉🎉🎉", "fail", "holds 3 characters", min_length=4),
    one("length by white space", "a" + "\n" * 200 + "b", "unclear", "white space", min_length=100),
    one("indented", "        return key in self.cache\n" * 4, "pass", min_length=100),
    one("all keywords", TEXT, "pass", keywords=["cache", "limiter", "write"]),
    one("in any case", TEXT, "pass", keywords=["CACHE", "Limiter", "wRITE"]),
    one("a third", TEXT, "pass", keywords=["cache", "redis", "token"]),
    one("a third of four is two", TEXT, "unclear", "holds 1 of 4 keywords, and 2 are asked",
        keywords=["cache", "redis", "token", "bucket"]),
    one("two of four", TEXT, "pass", keywords=["cache", "limiter", "token", "bucket"]),
    one("the only one missing", TEXT, "unclear", "other words may say the same", keywords=["invalidation"]),
    one("keywords are parts of words", TEXT, "pass", keywords=["limit"]),
    one("keywords in full width", "ｃａｃｈｅ", "pass", keywords=["cache"]),
    one("a keyword in Cyrillic", "Кэш удалён при записи", "pass", keywords=["кэш"]),
    one("Chinese keywords", "写入之后，缓存中的键被删除", "pass", keywords=["缓存", "限流"]),
    one("Chinese keywords missing", "写入之后，键被删除", "unclear", "0 of 2", keywords=["缓存", "限流"]),
    one("three short headings are not refused for few words", CHINESE, "pass", keywords=["章", "节", "第"]),
    one("three short headings are refused where a length is demanded", CHINESE, "fail", "holds 20 characters of at least 50",
        keywords=["章", "节", "第"], min_length=50),
    one("too few keywords and too short", "short", "fail", "holds 5 characters of at least 10; holds 0 of 1 keywords",
        keywords=["cache"], min_length=10),
    one("nothing forbidden", TEXT, "pass", forbidden=["placeholder", "待填写"]),
    one("forbidden", TEXT, "fail", "holds `limiter` on line 4", 4, forbidden=["limiter"]),
    one("forbidden alone is enough", TEXT, "fail", "holds `cache`", 3, forbidden=["cache"], keywords=["key"], min_length=5),
    one("forbidden in any case", TEXT, "fail", "holds `REVIEW` on line 1", 1, forbidden=["REVIEW"]),
    one("forbidden as a part of a word", TEXT, "fail", "holds `view`", 1, forbidden=["view"]),
    one("forbidden in Chinese", "第一行\n本节待填写内容", "fail", "`待填写` on line 2", 2, forbidden=["待填写"]),
    one("forbidden behind look-alikes", "fine\nаll gооd", "fail", "`all good` on line 2", 2, forbidden=["all good"]),
    one("forbidden behind invisible characters", "fine\nT\u200bO\u200bD\u200bO", "fail", "`todo` on line 2", 2, forbidden=["todo"]),
    one("forbidden in full width", "ｔｏｄｏ", "fail", "`todo` on line 1", 1, forbidden=["todo"]),
    one("forbidden with a sharp s", "STRASSE", "fail", "`straße`", 1, forbidden=["straße"]),
    one("forbidden after Windows line ends", "a\r\nb\r\ntodo\r\n", "fail", "on line 3", 3, forbidden=["todo"]),
    one("forbidden twice, both places", "todo\nx\ntodo todo\n", "fail", "on line 1", 3, forbidden=["todo"]),
    one("many forbidden words", TEXT, "fail", "and 1 more forbidden words", forbidden=["every", "write", "key", "the", "cache", "per"]),
    one("one of two forbidden", TEXT, "fail", "`cache`", 3, forbidden=["redis", "cache"]),
    one("UTF-16", TEXT.encode("utf-16"), "pass", keywords=["cache"], min_length=80),
    Case("missing", {"file": "a.md", "min_length": 1}, {}, "fail", "is not there", ["a.md"]),
    Case("too large", {"file": "a.md", "min_length": 1}, {"a.md": Sparse(17 * 1024 * 1024, b"x")}, "unclear", "the limit is 16 MiB"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("content", case)


def test_canary() -> None:
    check_canary("content")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("arguments", [{"min_length": 1}, {"forbidden": ["x"]}, {"keywords": ["x"]}])
def test_hostile_files_never_pass_and_never_hang(name: str, arguments: dict[str, Any]) -> None:
    started = time.monotonic()
    with tree_of({name: HOSTILE[name]}) as root:
        answer = ask("content", {"file": name, **arguments}, root)
    assert answer.status in {Status.FAIL, Status.UNCLEAR}
    assert ("the limit is 16 MiB" in answer.reason) == (name == "huge")
    assert time.monotonic() - started < 10


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, "needs the argument `file`"), ({"file": "a"}, "nothing would be checked"), ({"file": "a", "min_length": 0}, "nothing would"),
    ({"file": "a", "keywords": [], "forbidden": []}, "nothing would"), ({"file": "", "min_length": 1}, "a file name is empty"),
    ({"file": "a", "min_length": -1}, ">= 0"), ({"file": "a", "min_length": "5"}, "whole number"), ({"file": "a", "min_length": 2.5}, "whole"),
    ({"file": "a", "keywords": ["x", ""]}, "a word is empty"), ({"file": "a", "forbidden": [" \u200b"]}, "a word is empty"),
    ({"file": "a", "keywords": "x"}, "list"), ({"file": "a", "noKeywords": ["x"]}, "no argument `noKeywords`"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_in_a_contract(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_gate("content", arguments)
    assert message in str(caught.value)


def test_what_was_counted_is_told() -> None:
    with tree_of({"a.md": TEXT}) as root:
        answer = ask("content", {"file": "a.md", "keywords": ["cache", "redis"], "min_length": 5}, root)
        unclear = ask("content", {"file": "a.md", "keywords": ["redis"]}, root)
    assert answer.details == {"length": 85, "missing": ["redis"]}
    assert (unclear.blame, unclear.remedy) == (Blame.AGENT, "Let a person look. Not found: redis.")


def test_places_are_bounded() -> None:
    with tree_of({"a.md": "todo\n" * 5000}) as root:
        answer = ask("content", {"file": "a.md", "forbidden": ["todo", "do"]}, root)
    assert len(answer.where) == 20
