"""Numbers in prose: what a sentence says of a thing that is named, to refute it. Nothing here can prove anything.

A sentence counts against the work only where it plainly states what is: it names the thing, holds one number that could be
meant (with the unit, where one is given), and no word that speaks of a goal, a plan, an earlier state or a doubt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from backcheck.checks.words import phrases, plain
from backcheck.evidence.reports.numerals import fraction_of
from backcheck.evidence.reports.problem import ReportProblem

#: Speaks of what should be, was, or may be.
_NOT_NOW = phrases(
    r"targets?; targeted; goals?; aims?; aim(?:s|ed|ing) (?:for|at); thresholds?; minimum; maximum; limits?; required?;"
    r"requires; requirements?; floor; budget; should; must; needs? to; at (?:least|most); no (?:less|more) than; expected?;"
    r"expecting; plan(?:s|ned)?; will; would; could; may; might; want(?:s|ed)?; hope(?:s|d)?; estimated?; about; around;"
    r"approx(?:\.|imately)?; roughly; nearly; almost; was; were; before; previous(?:ly)?; earlier; formerly; used to; old;"
    r"from; baseline; initial(?:ly)?; last (?:week|month|year|release|version); not; no; never; if; unless; except; without;"
    r"excluding; versus; vs; instead",
    r"目标; 目標; 阈值; 閾值; 要求; 需要; 必须; 必須; 至少; 至多; 不低于; 不低於; 不少于; 不少於; 不超过; 不超過; 应; 應;"
    r"计划; 計劃; 预计; 預計; 预期; 預期; 将; 將; 希望; 大约; 大約; 约; 約; 左右; 接近; 之前; 此前; 原来; 原來; 原先; 曾;"
    r"从; 從; 上次; 以前; 基线; 基線; 不是; 没有; 沒有; 并非; 並非; 未; 如果; 除了; 若",
)
#: Before or after the name: another thing, or a part of the thing.
_OTHER_BEFORE = re.compile(
    r"(?:line|branch|statement|function|method|mutation|doc|docs|documentation|type|unit|integration|e2e|lines|branches)[ -]$"
    r"|(?:行|分支|语句|語句|函数|函數|文档|文檔)$"
)
_PART_AFTER = re.compile(r"\s*(?:of|for|in|on|per|by)\b")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。！？；]|\n")
#: A number with what stands right after it; `1,234` and `84,99` are kept whole, and dates, versions and places are not taken.
_NUMBER = re.compile(r"(?<![\w.,:/-])-?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?(?![\w.,:/-]*[0-9])")


class Says(StrEnum):
    """What all the sentences together come to."""

    NOTHING = "nothing"
    MISSES = "misses"
    MEETS = "meets"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence that states a number of the thing: its line, its words, and whether the number holds."""

    line: int
    text: str
    meets: bool


def statements(text: str, name: str, unit: str, holds: Callable[[Fraction], bool], *, shares: bool) -> list[Statement]:
    """The plain statements about a thing. `holds` says whether a number keeps the bounds; with `shares` a bare number up to
    1 may be a share of what the bounds count in hundredths, and says nothing."""
    wanted = plain(name)
    found = []
    line = 1
    for sentence, step in _sentences(text):
        said = plain(sentence)
        if _names(said, wanted) and not _NOT_NOW.search(said):
            numbers = _numbers(said, wanted, plain(unit))
            if shares and not unit and any(abs(number) <= 1 for number in numbers):
                numbers = []
            readings = {holds(number) for number in numbers}
            if len(readings) == 1:
                found.append(Statement(line=line, text=sentence.strip(), meets=readings.pop()))
        line += step
    return found


def _names(sentence: str, name: str) -> bool:
    """Whether a sentence is about the thing itself: as a word of its own, not another kind of it and not a part of it."""
    at = sentence.find(name)
    while at >= 0:
        end = at + len(name)
        own = not (
            name[0].isalnum() and name[0].isascii() and sentence[:at][-1:].isalnum() and sentence[at - 1].isascii()
        )
        own &= not (
            name[-1].isalnum() and name[-1].isascii() and sentence[end : end + 1].isalnum() and sentence[end].isascii()
        )
        if own and not _OTHER_BEFORE.search(sentence[:at]) and not _PART_AFTER.match(sentence, end):
            return True
        at = sentence.find(name, end)
    return False


def mentions(text: str, name: str) -> bool:
    """Whether the thing is named at all."""
    return plain(name) in plain(text)


def verdict_of(found: list[Statement]) -> Says:
    """All statements together: only where each one misses is the text against the work."""
    kinds = {statement.meets for statement in found}
    if not kinds:
        return Says.NOTHING
    if len(kinds) == 2:
        return Says.MIXED
    return Says.MEETS if kinds == {True} else Says.MISSES


def _sentences(text: str) -> list[tuple[str, int]]:
    """Sentences, each with the number of lines that end with it."""
    parts, at = [], 0
    for mark in _SENTENCE.finditer(text):
        parts.append((text[at : mark.start()], mark[0].count("\n")))
        at = mark.end()
    return [*parts, (text[at:], 0)]


def _numbers(sentence: str, name: str, unit: str) -> list[Fraction]:
    """The readings of the one number that may be meant; nothing where there are several or none."""
    shown = unicodedata.normalize("NFKC", sentence).replace(name, " ")
    hits = list(_NUMBER.finditer(shown))
    if unit:
        with_unit = [hit for hit in hits if shown[hit.end() :].lstrip().startswith(unit)]
        # A number of another unit, or of none, may be another thing.
        hits = with_unit
    if len(hits) != 1:
        return []
    return _readings(hits[0][0])


def _readings(text: str) -> list[Fraction]:
    """A comma may part thousands or decimals: both are readings."""
    forms = [text]
    if "," in text:
        forms = [text.replace(",", "")]
        if text.count(",") == 1 and "." not in text:
            forms.append(text.replace(",", "."))
    found = []
    for form in forms:
        try:
            found.append(fraction_of(form))
        except ReportProblem:
            return []
    return found
