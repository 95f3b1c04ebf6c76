"""Whether a text is a test runner's report in which no test ran. Numbers are read as numbers, never by their looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from backcheck.checks.words import count_words, plain

_PASSED = frozenset({"passed", "pass", "passes", "passing", "successful", "succeeded", "success", "successes", "ok",
                     "通过", "成功"})  # fmt: skip
_FAILED = frozenset({"failed", "fail", "fails", "failing", "failure", "failures", "xfailed", "xpassed", "失败"})
_SKIPPED = frozenset({"skipped", "skip", "skips", "pending", "todo", "ignored", "deselected", "disabled", "cancelled",
                      "incomplete", "跳过", "忽略"})  # fmt: skip
_TESTS = frozenset({"test", "tests", "testcase", "testcases", "case", "cases", "spec", "specs", "example", "examples",
                    "scenario", "scenarios", "item", "items", "测试", "用例", "测试用例"})  # fmt: skip
_TOTAL = frozenset({"total", "总数", "总计", "共"})
_RUN = frozenset({"run", "ran", "executed", "运行", "执行"})
_PLANNED = frozenset({"collected", "collecting", "running", "found", "discovered", "starting"})
_GROUPS = frozenset({"suite", "suites", "file", "files", "feature", "features", "error", "errors", "warning", "warnings",
                     "snapshot", "snapshots", "assertion", "assertions", "expect", "benchmark", "benchmarks", "measured",
                     "filtered", "rerun", "reruns", "错误", "警告", "文件"})  # fmt: skip
_UNITS = frozenset({"s", "ms", "sec", "secs", "second", "seconds", "m", "min", "minutes", "秒", "毫秒"})
_OTHER = frozenset({
    "in", "of", "i", "testing", "across", "from", "the", "and", "out", "no", "not", "none", "were", "was", "to", "any",
    "summary", "result",
    "results", "finished", "time", "duration", "took", "done", "elapsed", "selected", "match", "matched", "calls",
    "个", "条", "项", "结果", "耗时", "数", "没有", "未", "任何", "到", "收集",
})  # fmt: skip
_KNOWN = _PASSED | _FAILED | _SKIPPED | _TESTS | _TOTAL | _RUN | _PLANNED | _GROUPS | _UNITS | _OTHER
_ZH = sorted((word for word in _KNOWN if not word.isascii()), key=len, reverse=True)
_TOKEN = re.compile(rf"\d+(?:\.\d+)?|[a-z]+(?:'[a-z]+)?|{'|'.join(_ZH)}|[^\W\d_]")
_PIECE = re.compile(r"[,;|/()\[\]·•]+|(?<=\d)\.(?=\s)")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_QUOTED = re.compile(r"['\"`]([^'\"`\n]{5,300})['\"`]")
_CANDIDATE = re.compile(
    r"test|pass|spec|case|example|scenario|item|skip|success|executed|1\.\.0|^(?:not )?ok\b|测试|用例|通过|成功",
    re.MULTILINE,
)
_NO_TESTS = re.compile(
    r"\bno tests? (?:cases? )?(?:(?:were|was) )?(?:ran|run|collected|found|executed|to run|discovered|matched|selected|files?)\b"
    r"|\btests:? +no tests\b|(?:没有|未)(?:运行|执行|收集到?|发现|找到)(?:任何)?(?:测试|用例)"
)
_RAN_OTHERWISE = re.compile(
    r"(?:^|\s)(?:--- (?:pass|fail):|(?:not )?ok \d+\b|ok\s+\S+\s+(?:[\d.]+s|\(cached\)))|::\S+ (?:passed|failed)"
)
_GO_PACKAGE = re.compile(r"\s*(?:\?|ok)\s")
_GROUP = re.compile(r"\b(?:suites?|files?|features?)\b")
_DIGIT = re.compile(r"\d")
_NOT_COUNTS = re.compile(r"[\d.]+ ?%|\bduration: .*")
_ZERO_SAID = re.compile(
    r"(?<![\d.])0 ?(?:tests?|passed|passing|specs?|个测试|个用例)\b(?! failed| failures)|\bzero tests\b"
)
_SOME_SAID = re.compile(
    r"(?<![\d.])[1-9]\d* ?(?:tests?|passed|passing|specs?|个测试|个用例)\b|(?:tests?|passed)[:=] ?[1-9]"
)
_LONGEST_LINE, _MOST_QUOTED = 2000, 8
_SHORT, _END = 150, 30
#: Lines that speak of tests of which that many are read.
MAX_LINES = 300_000


class Ran(StrEnum):
    """What a text says of tests."""

    UNKNOWN = "unknown"
    SOME = "some"
    NONE = "none"
    MAYBE_NONE = "maybe none"
    TOO_LONG = "too long"


@dataclass(slots=True)
class _Counts:
    """What one line, or one quoted part of it, says; a count that is not there is None."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None
    none: bool = False
    timed: bool = False

    @property
    def signs(self) -> int:
        numbers = (self.passed, self.failed, self.skipped, self.total)
        return sum(number is not None for number in numbers) + self.none + self.timed

    @property
    def ran(self) -> bool | None:
        """Whether tests ran; None where the line does not say."""
        if self.passed or self.failed:
            return True
        if self.total:
            return self.total > (self.skipped or 0)
        return False if self.none or (self.skipped and self.timed) or 0 in (self.passed, self.total) else None


def ran_in(text: str, *, markup: bool) -> tuple[Ran, int]:
    """What a text says of tests, and the line (from 1) that says so. In long `markup` a report may be an example."""
    zero = zero_said = 0
    some_said = False
    text = plain(text)
    for read, (number, line) in enumerate(_candidates(text)):
        if read >= MAX_LINES:
            return Ran.TOO_LONG, number
        counts = _line(line)
        ran = None if counts is None else counts.ran
        if ran or (ran is None and _RAN_OTHERWISE.search(line)):
            return Ran.SOME, number
        if ran is False:
            zero = number
        elif _ZERO_SAID.search(line) or _NO_TESTS.search(line):
            zero_said = zero_said or number
        some_said = some_said or (ran is None and _SOME_SAID.search(line) is not None)
    if not zero and not zero_said:
        return Ran.UNKNOWN, 0
    words = count_words(text)
    lines = text.rstrip().count("\n") + 1
    if zero and not some_said and (words <= _SHORT or (not markup and zero > lines - _END)):
        return Ran.NONE, zero
    if some_said or (not zero and words > _SHORT):
        return (Ran.MAYBE_NONE, zero) if zero else (Ran.UNKNOWN, 0)
    return Ran.MAYBE_NONE, zero or zero_said


def _candidates(text: str) -> Iterator[tuple[int, str]]:
    """Lines that may speak of tests, with their numbers; linear in the text."""
    number, counted, at = 1, 0, 0
    while (found := _CANDIDATE.search(text, at)) is not None:
        start = text.rfind("\n", 0, found.start()) + 1 if found.start() else 0
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        number += text.count("\n", counted, start)
        counted = start
        if end - start <= _LONGEST_LINE:
            yield number, _ESCAPE.sub("", text[start:end])
        at = end + 1


def _line(line: str) -> _Counts | None:
    """The counts of a line that is a report as a whole, or of a quoted part of it that plainly is one."""
    if line.lstrip().startswith("1..0"):
        return _Counts(none=True)
    if ("[no test files]" in line or "[no tests to run]" in line) and _GO_PACKAGE.match(line):
        return _Counts(none=True)
    number = _DIGIT.search(line)
    if number is not None and _GROUP.search(line, 0, number.start()):
        return None
    whole = _counts(line)
    if whole is not None and whole.signs:
        return whole
    for quoted in islice(_QUOTED.finditer(line), _MOST_QUOTED):
        part = _counts(quoted[1])
        if part is not None and part.signs >= 2:
            return part
    return None


def _counts(line: str) -> _Counts | None:
    """The counts of a text in which every word is a word of reports; None where one is not."""
    counts = _Counts(none=_NO_TESTS.search(line) is not None)
    heading: list[str] = []
    for piece in _PIECE.split(_NOT_COUNTS.sub("", line)):
        tokens = _TOKEN.findall(piece)
        if any(not token[0].isdigit() and token not in _KNOWN for token in tokens):
            return None
        _read_piece(tokens, heading, counts)
    return counts


def _read_piece(tokens: list[str], heading: list[str], counts: _Counts) -> None:
    """Give each number of a piece its meaning: by the words after it, else by those before it."""
    before: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if not token[0].isdigit():
            before.append(token)
            continue
        after: list[str] = []
        while index < len(tokens) and not tokens[index][0].isdigit():
            after.append(tokens[index])
            index += 1
        if after and after[0] in _UNITS:
            counts.timed = True
        elif "." not in token and len(token) < 10:
            if before[-2:] == ["out", "of"]:
                _note(int(token), {"total"}, set(), counts)
            else:
                _note(int(token), set(after), set(before or heading), counts)
        before = after or before
    heading[:] = [token for token in tokens if token in _TESTS | _GROUPS] or heading


def _note(number: int, after: set[str], before: set[str], counts: _Counts) -> None:
    words = after if after - _OTHER - _TOTAL - _RUN else after | before
    if words & _GROUPS:
        return
    if words & _FAILED:
        counts.failed = (counts.failed or 0) + number
    elif words & _SKIPPED:
        counts.skipped = (counts.skipped or 0) + number
    elif words & _PASSED:
        counts.passed = (counts.passed or 0) + number
    elif words & (_TESTS | _TOTAL) and not (number and (words | before) & _PLANNED):
        counts.total = max(counts.total or 0, number)
