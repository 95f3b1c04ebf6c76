"""pytest's own output: its last summary line, held against every case and progress letter that it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import CaseResult, Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.tap import lines_of

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]", re.ASCII)
_PART = r"\d{1,12} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|reruns|subtests? passed)"
_SUMMARY = re.compile(
    rf"(?:=+ )?((?:{_PART})(?:, {_PART})*|no tests ran) in [\d.]+s(?: \([\d:.]+\))?(?: =+)?$", re.ASCII
)
_VERBOSE = re.compile(r"(\S.*::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN)\b(?: \((.*)\))?", re.ASCII)
_LETTERS = re.compile(r"(\S+\.\w+) ([.FEsxX]+)(?: +\[ *\d+%\])?$", re.ASCII)
_MORE_LETTERS = re.compile(r"([.FEsxX]+) +\[ *\d+%\]$", re.ASCII)
_NAMED = re.compile(r"(FAILED|ERROR) (\S+?(?:::.+?)?)(?: - (.*))?$", re.ASCII)
_COLLECTED = re.compile(r"collected (\d{1,12}) items?(?: / (\d{1,12}) errors?)?", re.ASCII)
_WORDS = {"passed": Outcome.PASSED, "failed": Outcome.FAILED, "error": Outcome.ERROR, "errors": Outcome.ERROR,
          "skipped": Outcome.SKIPPED, "xfailed": Outcome.XFAILED, "xpassed": Outcome.XPASSED}  # fmt: skip
_UPPER = {"PASSED": Outcome.PASSED, "FAILED": Outcome.FAILED, "ERROR": Outcome.ERROR, "SKIPPED": Outcome.SKIPPED,
          "XFAIL": Outcome.XFAILED, "XPASS": Outcome.XPASSED}  # fmt: skip
_BY_LETTER = {
    ".": Outcome.PASSED,
    "F": Outcome.FAILED,
    "E": Outcome.ERROR,
    "s": Outcome.SKIPPED,
    "x": Outcome.XFAILED,
    "X": Outcome.XPASSED,
}
_BROKEN = ("INTERNALERROR>", "!!!!!!!!")
MAX_SUMMED = 1_000_000


def is_summary(line: str) -> bool:
    """Whether a line is pytest's summary."""
    return bool(_SUMMARY.fullmatch(_ESCAPES.sub("", line).strip()))


def read(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """Hand every case to `sink`: by name where it is shown by name, else by number. Errors: ReportProblem."""
    reader = _Reader(sink)
    for line in lines_of(data):
        reader.line(_ESCAPES.sub("", line).rstrip())
    return reader.finish()


class _Reader:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.report = ResultsReport("pytest-output", printed=True)
        self.summary: Counter[Outcome] | None = None
        self.letters: Counter[Outcome] = Counter()
        self.shown: Counter[Outcome] = Counter()
        self.named: list[tuple[Outcome, str, str]] = []
        self.collected: int | None = None

    def line(self, line: str) -> None:
        summary = _SUMMARY.fullmatch(line.strip())
        if summary:
            self._summary(summary[1])
            return
        collected = _COLLECTED.match(line)
        if collected:
            self.collected = int(collected[1])
        if line.startswith(_BROKEN):
            self.report.contradict(f"says {line.strip('! ')[:100]!r}")
        verbose, named, letters = (
            _VERBOSE.match(line),
            _NAMED.match(line),
            _LETTERS.match(line) or _MORE_LETTERS.match(line),
        )
        if verbose and verbose[2] in _UPPER:
            self.shown[_UPPER[verbose[2]]] += 1
            self.sink(_of(verbose[1], _UPPER[verbose[2]], verbose[3] or ""))
        elif named and len(self.named) < 1000:
            self.named.append((_UPPER[named[1]], named[2], named[3] or ""))
        elif letters:
            self.letters.update(_BY_LETTER[letter] for letter in letters[letters.lastindex or 1])

    def _summary(self, said: str) -> None:
        if self.summary is not None:
            self.report.contradict("holds two summaries")
        self.summary = Counter()
        for part in said.split(", ") if said != "no tests ran" else ():
            number, word = part.split(" ")[:2]
            if word in _WORDS:
                self.summary[_WORDS[word]] += int(number)
            elif word.startswith("rerun"):
                self.report.doubts.append(f"says that {number} tests were repeated")

    def finish(self) -> ResultsReport:
        if self.summary is None:
            raise ReportProblem("has no summary line of pytest: it was cut off, or is something else")
        if sum(self.summary.values()) > MAX_SUMMED:
            raise ReportProblem(f"claims more than {MAX_SUMMED:,} tests")
        listed = Counter(outcome for outcome, _, _ in self.named)
        for outcome in (Outcome.FAILED, Outcome.ERROR):
            if max(listed[outcome], self.letters[outcome], self.shown[outcome]) > self.summary[outcome]:
                self.report.contradict(f"shows more {outcome.value} tests than its summary counts")
        run = sum(self.summary.values()) - self.summary[Outcome.ERROR]
        if self.collected is not None and run > self.collected:
            self.report.contradict(f"collected {self.collected} tests and counts {run} in its summary")
        seen = self.letters + self.shown
        if seen and seen[Outcome.PASSED] < self.summary[Outcome.PASSED]:
            self.report.contradict(
                f"counts {self.summary[Outcome.PASSED]} passed in its summary and shows {seen[Outcome.PASSED]}"
            )
        if not self.shown:
            self._by_number(listed)
        return self.report

    def _by_number(self, listed: Counter[Outcome]) -> None:
        """Where cases are not shown by name, those that the summary counts, with the names it gives for bad ones."""
        for outcome, name, message in self.named:
            self.sink(_of(name, outcome, message))
        for outcome, count in (self.summary or Counter()).items():
            for _ in range(max(0, count - listed[outcome])):
                self.sink(case("", "", outcome))


def _of(name: str, outcome: Outcome, message: str) -> CaseResult:
    file, _, rest = name.partition("::")
    return case(file if rest else "", rest or name, outcome, message, file)
