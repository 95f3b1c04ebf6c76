"""What Python's unittest (Django's runner and nose2 too) prints: its closing lines, held against the cases that it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.results_model import Outcome, ResultsReport, Sink, case
from backcheck.evidence.reports.tap import lines_of

MAX_SUMMED = 1_000_000
_RAN = re.compile(r"Ran (\d{1,12}) tests? in [\d.]+s$", re.ASCII)
_END = re.compile(r"(OK|FAILED|NO TESTS RAN)(?: \(([a-z]+[a-z =,\d]*)\))?$", re.ASCII)
_COUNT = re.compile(r"([a-z ]+)=(\d{1,12})", re.ASCII)
_CASE = re.compile(r"(\w+) \(([\w.<>]+)\)(?: \[.*\])?(?: \.\.\. (.*))?$")
_DOCUMENTED = re.compile(r"\S.* \.\.\. (.*)$")
_BAD = re.compile(r"(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \(([\w.<>]+)\))?")
_WORDS = {"failures": Outcome.FAILED, "errors": Outcome.ERROR, "skipped": Outcome.SKIPPED,
          "expected failures": Outcome.XFAILED, "unexpected successes": Outcome.FAILED}  # fmt: skip
_ENDS = {"ok": Outcome.PASSED, "FAIL": Outcome.FAILED, "ERROR": Outcome.ERROR, "expected failure": Outcome.XFAILED,
         "unexpected success": Outcome.FAILED}  # fmt: skip


def read(data: bytes | Iterable[bytes], sink: Sink) -> ResultsReport:
    """Hand every case to `sink`: by name where it is shown (`-v`), else by number. Errors: ReportProblem."""
    reader = _Reader(sink)
    for line in lines_of(data):
        reader.line(line.rstrip())
    return reader.finish()


class _Reader:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.report = ResultsReport("unittest-output", printed=True)
        self.ran: int | None = None
        self.end = ""
        self.counts: Counter[Outcome] = Counter()
        self.shown: Counter[Outcome] = Counter()
        self.bad: list[tuple[str, str, str]] = []
        self.open: tuple[str, str] | None = None

    def line(self, line: str) -> None:
        ran, end = _RAN.match(line), _END.match(line)
        if ran:
            if self.ran is not None:
                self.report.contradict("holds two summaries")
            self.ran = int(ran[1])
        elif end and self.ran is not None:
            if self.end:
                self.report.contradict("ends twice")
            self.end = end[1]
            for word, number in _COUNT.findall(end[2] or ""):
                if word.strip() not in _WORDS:
                    raise ReportProblem(f"counts {word.strip()!r}, which unittest does not")
                self.counts[_WORDS[word.strip()]] += int(number)
        elif bad := _BAD.match(line):
            self.bad.append((bad[1], bad[2], bad[3] or ""))
        else:
            self._case(line)

    def _case(self, line: str) -> None:
        """A case of `-v`: on one line, or with its first words of documentation on a second one."""
        match = _CASE.match(line)
        name, said = (match[1], match[2]) if match else (None, None), match[3] if match else None
        if match is None and self.open is not None and (documented := _DOCUMENTED.match(line)):
            name, said = self.open, documented[1]
        self.open = (match[1], match[2]) if match and said is None else None
        if said is None or name[0] is None or name[1] is None:
            return
        outcome = Outcome.SKIPPED if said.startswith("skipped ") else _ENDS.get(said)
        if outcome is not None:
            self.shown[outcome] += 1
            self.sink(case(name[1].removesuffix(f".{name[0]}"), name[0], outcome))

    def finish(self) -> ResultsReport:
        if self.ran is None or not self.end:
            raise ReportProblem("has no closing lines of unittest: it was cut off, or is something else")
        if self.ran > MAX_SUMMED or sum(self.counts.values()) > MAX_SUMMED:
            raise ReportProblem(f"claims more than {MAX_SUMMED:,} tests")
        # What breaks in a class's or a module's set-up is no test that ran; a test may fail in several subtests.
        self.counts[Outcome.PASSED] = max(0, self.ran - sum(self.counts.values()))
        failed = self.counts[Outcome.FAILED] + self.counts[Outcome.ERROR]
        if len(self.bad) > failed or self.shown[Outcome.FAILED] + self.shown[Outcome.ERROR] > failed:
            self.report.contradict(f"shows more failures than the {failed} it counts")
        if self.shown[Outcome.PASSED] > self.ran:
            self.report.contradict(f"ran {self.ran} tests and shows {self.shown[Outcome.PASSED]} that passed")
        if (self.end == "FAILED") != bool(failed):
            self.report.contradict(f"says {self.end} and counts {failed} failures")
        self._rest()
        return self.report

    def _rest(self) -> None:
        named = Counter(self.shown)
        for word, name, group in self.bad:
            outcome = Outcome.ERROR if word == "ERROR" else Outcome.FAILED
            if not self.shown[outcome]:
                named[outcome] += 1
                self.sink(case(group.removesuffix(f".{name}"), name, outcome))
        for outcome, count in self.counts.items():
            for _ in range(max(0, count - named[outcome])):
                self.sink(case("", "", outcome))
