"""Other ways to write a few words: forms, synonyms, another order, Chinese. Small word lists of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: English words of one meaning, then Chinese ones.
_GROUPS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("invalidate", "evict", "purge", "drop", "clear", "discard", "remove", "delete"), ("失效", "清除")),
    (("write", "update", "store"), ("写入", "更新")),
    (("read", "fetch", "load"), ("读取",)),
    (("cache", "buffer"), ("缓存",)),
    (("limit", "throttle", "cap", "restrict"), ("限流", "限制")),
    (("rate", "frequency"), ("速率",)),
    (("user", "account", "caller"), ("用户",)),
    (("request", "call"), ("请求",)),
    (("test", "check", "case"), ("测试",)),
    (("pass", "succeed", "green"), ("通过",)),
    (("fail", "break"), ("失败",)),
    (("error", "fault", "problem"), ("错误",)),
    (("warning", "notice"), ("警告",)),
    (("coverage", "covered share"), ("覆盖率",)),
    (("build", "compile"), ("构建",)),
    (("deploy", "release", "ship", "publish"), ("部署", "发布")),
    (("lint", "static check"), ("静态检查",)),
    (("review", "inspect"), ("评审",)),
    (("document", "describe", "explain"), ("文档",)),
    (("refactor", "restructure", "rework"), ("重构",)),
    (("log", "record"), ("日志", "记录")),
    (("retry", "try again", "repeat"), ("重试",)),
    (("timeout", "time limit"), ("超时",)),
    (("encrypt", "cipher"), ("加密",)),
    (("token", "credential"), ("令牌",)),
    (("migrate", "move over"), ("迁移",)),
    (("job", "step", "stage"), ("任务",)),
    (("valid", "correct", "well-formed"), ("有效", "合法")),
    (("syntax", "grammar"), ("语法",)),
    (("finish", "complete", "end"), ("完成",)),
    (("fix", "repair", "mend"), ("修复",)),
    (("add", "introduce", "create"), ("新增", "添加")),
    (("verify", "confirm"), ("验证",)),
    (("permission", "access right"), ("权限",)),
    (("backup", "spare copy"), ("备份",)),
    (("queue", "waiting line"), ("队列",)),
    (("implement", "build in"), ("实现",)),
    (("support", "handle"), ("支持",)),
    (("lock", "mutex"), ("锁",)),
)

_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ates", "ated", "ate", "ers", "er", "ed", "es", "s", "e")
_TOKEN = re.compile(r"[A-Za-z]+|[\u3400-\u9fff]+|[^A-Za-z\u3400-\u9fff]+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ZERO = re.compile(r"\b0 ([a-z]+)", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+)(?:\.\d+)? ?%")


def is_chinese(text: str) -> bool:
    """Whether a text holds Chinese characters."""
    return bool(_CHINESE.search(text))


def _stem(word: str) -> str:
    word = word.lower()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            return word[: -len(ending)]
    return word


def _group(word: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The group of an English word, by its stem or by a beginning of four letters as patterns have them."""
    stem = _stem(word)
    for group in _GROUPS:
        if any(_stem(member) == stem or (len(word) >= 4 and member.startswith(word.lower())) for member in group[0]):
            return group
    return None


def _chinese_group(text: str) -> tuple[str, tuple[tuple[str, ...], tuple[str, ...]]] | None:
    for group in _GROUPS:
        for member in group[1]:
            if member in text:
                return member, group
    return None


def rewordings(words: str) -> list[str]:
    """Different ways to say the words, without the words themselves, in a fixed order."""
    translated = _translated(words)
    found = [*_synonyms(words), *_reordered(words), *([translated] if translated else []), *_numbers(words)]
    found += _spellings(words)
    return list(dict.fromkeys(text for text in found if text.strip() and text != words))


def completed(words: str) -> str:
    """The words with known beginnings of words made whole: patterns write `invalidat` for all its forms."""
    tokens = _TOKEN.findall(words)
    return "".join(_completed(token) if token.isascii() and token.isalpha() else token for token in tokens)


def _completed(word: str) -> str:
    group = _group(word) if len(word) >= 4 else None
    whole = [member for member in (group[0] if group else ()) if member.startswith(word) and " " not in member]
    return whole[0] if whole else word


def _spellings(words: str) -> Iterator[str]:
    """The same words, otherwise spelt, marked or broken over two lines."""
    yield words.upper()
    yield words[:1].upper() + words[1:]
    parts = re.split(r"[ _-]+", words)
    if len(parts) > 1:
        yield from ("-".join(parts), " ".join(parts), "_".join(parts), "\n".join(parts))
        yield parts[0].lower() + "".join(part.capitalize() for part in parts[1:])
        yield f"**{parts[0]}** {' '.join(parts[1:])}"
    if words[-1:].isascii() and words[-1:].isalpha():
        yield f"{words}s" if not words.endswith("s") else words[:-1]


def _numbers(words: str) -> Iterator[str]:
    if _ZERO.search(words):
        yield _ZERO.sub(r"no \1", words)
        yield _ZERO.sub(r"zero \1", words)
        yield _ZERO.sub(r"\1: 0", words)
    if _PERCENT.search(words):
        yield _PERCENT.sub(r"\1 percent", words)
        yield _PERCENT.sub(r"百分之\1", words)


def _synonyms(words: str) -> Iterator[str]:
    """Each known word replaced by another of its group, one at a time."""
    tokens = _TOKEN.findall(words)
    for at, token in enumerate(tokens):
        if is_chinese(token):
            known = _chinese_group(token)
            others = [token.replace(known[0], other) for other in known[1][1] if other != known[0]] if known else []
        else:
            group = _group(token) if token.isalpha() else None
            others = [other for other in group[0] if _stem(other) != _stem(token) and not other.startswith(token.lower())
                      ] if group else []  # fmt: skip
        for other in others[:4]:
            yield "".join([*tokens[:at], other, *tokens[at + 1 :]])


def _reordered(words: str) -> Iterator[str]:
    parts = [part for part in re.split(r"[ _-]+", words) if part]
    if len(parts) == 2 and all(part.isascii() and part.isalpha() for part in parts):
        yield f"{parts[1]} on {parts[0]}"
        yield f"{parts[1]} of every {parts[0]}"


def _translated(words: str) -> str:
    """The words in the other language where one of them is known there; the rest stays as it is."""
    if is_chinese(words):
        english: list[str] = []
        rest = words
        while known := _chinese_group(rest):
            rest = rest.replace(known[0], "", 1)
            english.append(known[1][0][0])
        return " ".join(english)
    tokens = [token for token in _TOKEN.findall(words) if token.strip()]
    groups = [_group(token) if token.isalpha() else None for token in tokens]
    if not any(groups):
        return ""
    pieces = [group[1][0] if group else token for token, group in zip(tokens, groups, strict=True)]
    return "".join(pieces).replace("-", "")
