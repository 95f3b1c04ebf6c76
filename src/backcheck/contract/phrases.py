"""Sentences around a few words, in English and Chinese: denials, plans, excuses, quotes, questions, and true ones.

They are rules of our own, not a sample of what people write: whoever counts with them says so.
"""

from __future__ import annotations

from collections.abc import Mapping

#: `{w}` stands for the words that a pattern looks for.
DENIALS = (
    "{w} is not implemented",
    "there is no {w}",
    "{w} has not been done",
    "{w} is missing",
    "it works without {w}",
    "{w} was left out",
    "we did not get to {w}",
    "{w} failed",
    "没有{w}",
    "未实现{w}",
    "{w}尚未完成",
    "缺少{w}",
    "不支持{w}",
)

PLANS = (
    "TODO: {w}",
    "{w} will be added later",
    "next step: {w}",
    "we plan to do {w} in the next release",
    "待办：{w}",
    "计划实现{w}",
    "后续会补上{w}",
)

EXCUSES = (
    "{w} was skipped for lack of time",
    "{w} is out of scope here",
    "{w} is not needed, the defaults are enough",
    "{w} could not be tried on this machine",
    "因时间关系跳过了{w}",
    "{w}不在本次范围内",
    "没有必要做{w}，默认行为已足够",
)

QUESTIONS = (
    "Is {w} done?",
    "Should we do {w}?",
    "What about {w}?",
    "{w}做了吗？",
    "是否需要{w}？",
)

#: `{d}` stands for the requirement's own description, or for the words where it has none.
QUOTES = (
    "The task asks for {w}",
    'The requirement reads: "{d}"',
    "From the contract: {d}, {w}",
    "任务要求：{w}",
    "契约中写道：“{d}”",
)

UNTRUE: Mapping[str, tuple[str, ...]] = {
    "denial": DENIALS,
    "plan": PLANS,
    "excuse": EXCUSES,
    "quote": QUOTES,
    "question": QUESTIONS,
}

TRUE_ENGLISH = ("{w} is implemented", "Implemented {w}.", "We added {w}", "{w} is in place and works")
TRUE_CHINESE = ("已实现{w}", "{w}已完成", "新增了{w}")

#: Harmless words and sentences that hold the letters or characters of a denial; a forbidden `no` matches them.
HARMLESS = (
    "Node 20",
    "notification sent",
    "normalise the input",
    "a notable change",
    "nothing was skipped",
    "0 errors, no warnings",
    "coverage is not lower than the limit",
    "no test failed",
    "覆盖率不低于标准",
    "无错误",
    "没有失败的测试",
    "不少于三个用例",
)


def fill(template: str, words: str, description: str = "") -> str:
    """A sentence. The words are put in once, so braces inside them stay."""
    parts = template.replace("{d}", "\0d\0").replace("{w}", "\0w\0").split("\0")
    return "".join({"d": description or words, "w": words}.get(part, part) if at % 2 else part
                   for at, part in enumerate(parts))  # fmt: skip
