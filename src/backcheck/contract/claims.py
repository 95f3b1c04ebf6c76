"""What kind of thing a sentence of a contract claims: a number, a format, a run, a meaning, a behaviour.

Word lists, English and Chinese, that make a suggestion; a warning that rests on them is one to read, not to obey.
"""

from __future__ import annotations

import re
from enum import StrEnum

from backcheck.contract.patterntree import Choice, Node, walk
from backcheck.contract.samples import Sample, plain


class Claim(StrEnum):
    """Kinds of claims."""

    NUMBER = "number"
    FORMAT = "format"
    RUN = "run"
    MEANING = "meaning"
    BEHAVIOUR = "behaviour"


#: The check that can settle a claim of each kind. What no check can settle yet goes to a person.
ROUTES = {
    Claim.NUMBER: "metric",
    Claim.FORMAT: "schema",
    Claim.RUN: "tests",
    Claim.MEANING: "human",
    Claim.BEHAVIOUR: "human",
}

_COMPARED = (
    r"(?:>=|<=|≥|≤|>|<|at least|at most|no less than|no more than|not (?:less|lower|fewer|more|higher) than|less than|"
    r"more than|fewer than|above|below|under|over|up to|不低于|不少于|不高于|不超过|至少|至多|最多|大于|小于|超过|低于)"
)
_UNIT = (
    r"(?:%|percent\b|passed\b|failed\b|skipped\b|errors?\b|warnings?\b|tests?\b|cases?\b|failures?\b|issues?\b|ms\b|"
    r"s\b|sec(?:onds?)?\b|minutes?\b|[KMG]i?B\b|lines?\b|个|条|项|次|秒|毫秒|处|错误|警告|用例)"
)
QUANTITY = re.compile(rf"(?<![\w.])\d+(?:[.,]\d+)?\s?{_UNIT}|{_COMPARED}\s?\d", re.IGNORECASE)
_SPELT = re.compile(r"\b(?:zero|no) (?:errors?|warnings?|failures?)\b|百分之", re.IGNORECASE)

_FORMATS = (
    ("a date", re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月")),
    ("a time", re.compile(r"\d{1,2}:\d{2}")),
    ("a version", re.compile(r"\d+\.\d+\.\d+")),
    ("an e-mail address", re.compile(r"[^\s@]+@[^\s@]+\.\w+")),
    ("an address of the web", re.compile(r"https?://\S+")),
    ("a hash", re.compile(r"[0-9a-f]{7,}")),
)
#: Brackets and quotes give these away even where the pattern writes every character out.
_MARKUP = (
    ("JSON", re.compile(r"[{\[]\s*\"|\"[^\"]*\"\s*:")),
    ("markup", re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]*)?>")),
)

_WORDS = {
    Claim.FORMAT: re.compile(
        r"\b(?:json|yaml|xml|csv|toml|iso.?8601|semver|semantic version|e-?mail address|valid (?:json|yaml|url|date)|"
        r"well-formed|schema|date format|format of)\b|格式|版本号|邮箱|合法的?(?:JSON|YAML|日期)",
        re.IGNORECASE,
    ),
    Claim.RUN: re.compile(
        r"\b(?:tests?|suite|checks?|build|lint(?:er)?|type ?check\w*|compil\w+|pipeline)\b.{0,40}"
        r"\b(?:pass(?:es|ed)?|succeeds?|succeeded|green|clean|runs?|ran|ends?)\b|测试.{0,6}通过|构建成功|编译通过",
        re.IGNORECASE,
    ),
    Claim.MEANING: re.compile(
        r"\b(?:clear(?:ly)?|readable|understandable|explain(?:s|ed)?|well[- ]written|polite(?:ly)?|helpful|tone|quality|"
        r"sensible|appropriate(?:ly)?|meaningful|convincing|elegant|concise|idiomatic|professional|reasonable|"
        r"justif(?:y|ies|ied))\b|清晰|清楚|易读|可读|合理|友好|专业|恰当|质量|说明了|解释",
        re.IGNORECASE,
    ),
    Claim.BEHAVIOUR: re.compile(
        r"\b(?:drops?|dropped|remov(?:es?|ed)|delet(?:es?|ed)|evict(?:s|ed)?|invalidat\w+|purg(?:es?|ed)|expires?|"
        r"clear(?:s|ed) (?:the|its)|reject(?:s|ed)?|refus(?:es?|ed)|block(?:s|ed)?|limit(?:s|ed)?|throttl\w+|"
        r"retr(?:y|ies|ied)|returns?|redirects?|sends?|sent|receiv\w+|stor(?:es?|ed)|sav(?:es?|ed)|persist\w*|"
        r"respond\w*|rais(?:es?|ed)|throws?|handl(?:es?|ed)|deploy(?:s|ed)?|triggers?|rolls? back|recovers?|waits?|"
        r"lock(?:s|ed)?|logs? (?:in|out)|validat(?:es?|ed))\b|\b(?:when(?:ever)?|after|before|until|unless) "
        r"(?:a|an|the|it|each|every)\b|失效|删除|清除|返回|拒绝|限流|限制|重试|触发|写入|回滚|恢复|之后|时应|超时",
        re.IGNORECASE,
    ),
}  # fmt: skip

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|none|neither|must ?n[o']t|cannot|can't|free of)\b|不得|不能|不允许|禁止|不可|没有|不存在|不含|勿",
    re.IGNORECASE,
)
#: A comparison or an emphasis that holds a negating word; it forbids nothing.
_HARMLESS_NEGATION = re.compile(
    r"\bnot? (?:less|lower|fewer|smaller|more|higher|greater|worse|older|later|below|under|over|above|only)\b(?: than)?|"
    r"\bwhether or not\b|不低于|不少于|不小于|不超过|不高于|不晚于|不仅|没有?问题",
    re.IGNORECASE,
)


def claim_of(text: str) -> Claim | None:
    """The kind of claim that a description makes; None where no word gives it away."""
    if QUANTITY.search(text) or _SPELT.search(text):
        return Claim.NUMBER
    return next((claim for claim, words in _WORDS.items() if words.search(text)), None)


def forbids(text: str) -> bool:
    """Whether a description says that something must not be. `Node` and `not lower than` do not."""
    return bool(_NEGATION.search(_HARMLESS_NEGATION.sub(" ", text)))


def format_in(sample: Sample) -> str:
    """The format that a pattern describes, by one of its samples; empty where there is none."""
    for name, shape in _FORMATS:
        if any("1" in sample.made[m.start() : m.end()] for m in shape.finditer(sample.text)):
            return name
    return next((name for name, shape in _MARKUP if shape.search(sample.text)), "")


def number_in(sample: Sample) -> bool:
    """Whether a pattern matches a number, by one of its samples: a digit class outside a format, or a quantity."""
    text, made = list(sample.text), list(sample.made)
    for _, shape in _FORMATS:
        for match in shape.finditer(sample.text):
            if "1" in sample.made[match.start() : match.end()]:
                text[match.start() : match.end()] = "\0" * len(match[0])
    digits = any(c.isdigit() and m == "1" for c, m in zip(text, made, strict=True))
    return digits or bool(QUANTITY.search("".join(text)))


_PLAIN_NUMBER = re.compile(r"\d+(?:[.,]\d+)?\s?%?")


def numbers_as_alternatives(tree: Node) -> bool:
    """Whether alternatives of a pattern are written-out numbers, as in `90|91|92`."""
    for node in walk(tree):
        if isinstance(node, Choice):
            texts = [plain(branch).text for branch in node.branches]
            if sum(bool(_PLAIN_NUMBER.fullmatch(text)) for text in texts) >= 2:
                return True
    return False
