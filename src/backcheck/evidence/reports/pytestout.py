"""pytest's own output: its last summary line, held against every case and progress letter that it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import CaseResult, Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.tap import lines_of

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]", re.ASCII)
_PART = (
    r"\d{1,12} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|reruns"
    r"|subtests? (?:passed|failed|skipped|xfailed))"
)
_SUMMARY = re.compile(
    rf"(?:=+ )?((?:{_PART})(?:, {_PART})*|no tests ran) in [\d.]+s(?: \([\d:.]+\))?(?: =+)?$", re.ASCII
)
_VERBOSE = re.compile(
    r"(?P<name>\S.*::.+?) (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN)\b(?: \((?P<why>.*)\))?", re.ASCII
)
#: As pytest-xdist shows them.
_WORKER = re.compile(
    r"\[gw\d+\] \[ *\d+%\] (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN) (?P<name>\S.*?)(?P<why> *)$",
    re.ASCII,
)
_LETTERS = re.compile(r"(\S+\.\w+) ([.FEsxX]+)(?: +\[ *\d+%\])?$", re.ASCII)
_MORE_LETTERS = re.compile(r"([.FEsxX]+) +\[ *\d+%\]$", re.ASCII)
_NAMED = re.compile(r"(FAILED|ERROR) ([^\s(]\S*?(?:::.+?)?)(?: - (.*))?$", re.ASCII)
#: What `-r` adds to the list at the end; anywhere else these words are what a test printed.
_ALSO_NAMED = re.compile(r"(PASSED|XPASS|XFAIL) (\S+?::.+?)(?: - (.*))?$", re.ASCII)
_HEADER = re.compile(r"=+ test session starts =+$")
_LIST = re.compile(r"=+ short test summary info =+$")
_SECTION = re.compile(r"={3,} .* ={3,}$|_{3,} .* _{3,}$")
#: Lines of pytest and its plug-ins between the cases.
_BETWEEN = re.compile(r"bringing up nodes\.\.\.|scheduling tests via |\d+ workers? \[|\[gw\d+\] ", re.ASCII)
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
MAX_NAMED = 100_000


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
        #: Where in the output a line stands.
        self.part = "cases"
        #: Whether something else was printed between the cases (`-s`), so that not each of them can be seen.
        self.mixed = False

    def line(self, line: str) -> None:
        summary = _SUMMARY.fullmatch(line.strip())
        if summary:
            self._summary(summary[1])
            return
        if line.startswith(_BROKEN):
            self.report.contradict(f"says {line.strip('! ')[:100]!r}")
        self._part(line)
        if self.part == "cases" and self._case(line):
            return
        named = _NAMED.match(line) or (_ALSO_NAMED.match(line) if self.part == "list" else None)
        if named and len(self.named) < MAX_NAMED:
            self.named.append((_UPPER[named[1]], named[2], named[3] or ""))

    def _part(self, line: str) -> None:
        collected = _COLLECTED.search(line) if line.startswith("coll") else None
        if collected:
            self.collected = int(collected[1])
            self.part = "cases"
        elif _HEADER.match(line):
            self.part = "header"
        elif _LIST.match(line):
            self.part = "list"
        elif _SECTION.match(line):
            self.part = "other"

    def _case(self, line: str) -> bool:
        """Whether a line between the cases shows some of them."""
        verbose = _WORKER.match(line) or _VERBOSE.match(line)
        letters = None if verbose else _LETTERS.match(line) or _MORE_LETTERS.match(line)
        if verbose:
            outcome = _UPPER.get(verbose["word"])
            if outcome is not None:
                self.shown[outcome] += 1
                self.sink(_of(verbose["name"], outcome, verbose["why"] or ""))
        elif letters:
            self.letters.update(_BY_LETTER[letter] for letter in letters[letters.lastindex or 1])
        elif line.strip() and not line.startswith("coll") and not _NAMED.match(line) and not _BETWEEN.match(line):
            self.mixed = True
        return bool(verbose or letters)

    def _summary(self, said: str) -> None:
        if self.summary is not None:
            self.report.contradict("holds two summaries")
        self.summary = Counter()
        for part in said.split(", ") if said != "no tests ran" else ():
            number, word = part.split(" ")[:2]
            if word in _WORDS:
                self.summary[_WORDS[word]] += int(number)
            elif word.startswith("rerun"):
                self.report.doubt(f"says that {number} tests were repeated")
            elif part.endswith(" failed"):
                self.summary[Outcome.FAILED] += int(number)

    def finish(self) -> ResultsReport:
        if self.summary is None:
            raise ReportProblem("has no summary line of pytest: it was cut off, or is something else")
        if sum(self.summary.values()) > MAX_SUMMED:
            raise ReportProblem(f"claims more than {MAX_SUMMED:,} tests")
        listed = Counter(outcome for outcome, _, _ in self.named)
        for outcome in (Outcome.FAILED, Outcome.ERROR):
            if max(listed[outcome], self.letters[outcome], self.shown[outcome]) > self.summary[outcome]:
                self.report.contradict(f"shows more {outcome.value} tests than its summary counts")
        # A test that breaks in its teardown, or in several subtests, is counted more than once.
        run = sum(self.summary.values()) - self.summary[Outcome.ERROR] - self.summary[Outcome.FAILED]
        if self.collected is not None and run > self.collected:
            self.report.contradict(f"collected {self.collected} tests and counts {run} in its summary")
        seen = self.letters + self.shown
        if seen and not self.mixed and seen[Outcome.PASSED] < self.summary[Outcome.PASSED]:
            self.report.contradict(
                f"counts {self.summary[Outcome.PASSED]} passed in its summary and shows {seen[Outcome.PASSED]}"
            )
        self._rest(listed, self.summary)
        return self.report

    def _rest(self, listed: Counter[Outcome], summary: Counter[Outcome]) -> None:
        """What was not shown by name as it ran: by the names of the list at the end, and by number."""
        for outcome, name, message in self.named:
            if not self.shown[outcome]:
                self.sink(_of(name, outcome, message))
        for outcome, count in summary.items():
            for _ in range(max(0, count - (self.shown[outcome] or listed[outcome]))):
                self.sink(case("", "", outcome))


def _of(name: str, outcome: Outcome, message: str) -> CaseResult:
    file, _, rest = name.partition("::")
    return case(file if rest else "", rest or name, outcome, message, file)
