"""Measures that are easily taken for each other: a text that names another one than was asked is about another subject."""

from __future__ import annotations

import re

_FAMILIES = (
    (r"\bline|行覆盖|\blines\b", r"\bbranch(?:es)?\b|分支", r"\bfunctions?\b|函数", r"\bstatements?\b|语句", r"\bmutation|变异"),
    (
        r"\bp50\b|\bmedian\b|中位", r"\bp75\b", r"\bp90\b|90th", r"\bp95\b|95th|95 ?分位", r"\bp99\b|99th|99 ?分位", r"\bp99\.9",
        r"\b(?:average|avg|mean)\b|平均", r"\bmax(?:imum)?\b|最大|最长", r"(?<!\d )(?<!\d)\bmin(?:imum)?\b|最小|最短",
    ),
    (r"\bunit[ -]tests?|单元|单测", r"\bintegration|集成", r"\be2e\b|end-to-end|端到端", r"接口测试|\bapi tests?"),
    (r"\bproduction|\bprod\b|生产", r"\bstaging|预发|预生产", r"\bdev(?:elopment)?\b|开发环境", r"测试环境|\btest environment"),
)  # fmt: skip
_COMPILED = tuple(tuple(re.compile(member) for member in family) for family in _FAMILIES)


def another_measure(plain: str, asked: str, *, unnamed: bool = False) -> str:
    """The word by which a sentence names a measure that the claim does not name; empty for none.

    Only where the claim names another one of the same family, or with `unnamed` also where it names none.
    """
    for family in _COMPILED:
        if not unnamed and not any(member.search(asked) for member in family):
            continue
        for member in family:
            found = member.search(plain)
            if found is not None and not member.search(asked):
                return found[0]
    return ""
