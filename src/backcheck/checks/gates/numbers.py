"""Check `numbers`."""

from __future__ import annotations

import posixpath
import unicodedata
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.bounds import Number, bound
from backcheck.checks.canary import Canary
from backcheck.checks.obtained import Obtained, check_source, obtain
from backcheck.checks.prosenumbers import Says, mentions, statements, verdict_of
from backcheck.evidence.commands import DEFAULT_TIMEOUT
from backcheck.evidence.decode import decode
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.numerals import decimal_of, fraction_of, written
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.values import (
    Cell,
    NothingThere,
    NotOne,
    Value,
    csv_value,
    json_value,
    number_of,
    steps_of,
    xml_steps,
    xml_value,
    yaml_value,
)
from backcheck.verdict import Blame, Channel, Place, Provenance

_FORMATS = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".csv": "csv", ".tsv": "csv", ".xml": "xml"}
_KNOWN = ("json", "yaml", "csv", "xml", "prose")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A named number of a report keeps its bounds.

    The report is a file of the tree, or, with `run`, what the command writes there in this very run (its exit code must be
    0). `at` names the number: in JSON and YAML a JSON Pointer (`/results/0/mean`) or a dotted path (`results.0.mean`), in
    XML a path of elements (`coverage/@line-rate`, `suite[@name="api"]/@tests`), in CSV a column, with `row` for the row. It
    is parsed and compared exactly; text in JSON or YAML is no number, unless it bears the `unit` that is named. In any
    other file `at` is a word of the text: a plain sentence about it that misses the bounds refutes, nothing there proves.

    Passes when: exactly one value stands at the address, and it keeps every bound that is given.
    Fails when: it does not, or is no finite number (nothing, a boolean, NaN, a list); nothing stands there; the report is
        missing; in prose, what is plainly said misses the bounds.
    Unclear when: the report cannot be read, or a key stands in it twice; a text only reads like a number (full-width digits,
        a decimal comma, a unit that is not the one named); in prose, always where it does not fail.
    Cost: reads one file; with `run` the command's own.
    Source: backcheck's own; that no number is found by a pattern is a lesson from content-verify's.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(
        arguments={"report": "r.json", "at": "coverage", "at_least": 85}, files={"r.json": '{"coverage": 84.99}'}
    )

    report: str
    at: str
    #: Text is run by `/bin/sh -c`, a list as it is.
    run: str | list[str] | None = None
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)
    #: `json`, `yaml`, `csv`, `xml` or `prose`; by the file's ending where it is not named.
    format: str = ""
    #: CSV: what the cells of the row hold, by column; not needed where there is one row.
    row: dict[str, str] = field(default_factory=dict)
    delimiter: str = ""
    equals: Number | None = None
    at_least: Number | None = None
    at_most: Number | None = None
    #: Two numbers; both ends belong to it.
    within: list[Number] = field(default_factory=list)
    #: What may stand behind the number in a text, such as `%` or `ms`; it is not converted.
    unit: str = ""

    def __post_init__(self) -> None:
        check_source(self.report, self.run, self.env)
        if not self.at.strip():
            raise ArgumentError("at", "it is empty; no number is named")
        if self.format and self.format not in _KNOWN:
            raise ArgumentError("format", f"`{self.format}` is not one of {', '.join(_KNOWN)}")
        if self.within and len(self.within) != 2:
            raise ArgumentError("within", "it takes two numbers, the least and the most")
        low, high = self._range()
        if low is None and high is None:
            raise ArgumentError(
                "at_least", "`equals`, `at_least`, `at_most` or `within` is needed; nothing would be checked"
            )
        if low is not None and high is not None and low > high:
            raise ArgumentError("within", "the bounds leave no number; nothing could pass")
        if self.row and self._format() != "csv":
            raise ArgumentError("row", "only a CSV file has rows")
        if self.delimiter and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise ArgumentError("delimiter", "it is one character")
        if self.unit and (decimal_like(self.unit) or self.unit != self.unit.strip()):
            raise ArgumentError("unit", f"`{self.unit}` is no unit")
        try:
            if self._format() == "xml":
                xml_steps(self.at)
            elif self._format() in ("json", "yaml"):
                steps_of(self.at)
        except ReportProblem:
            raise ArgumentError("at", f"`{self.at}` is no address in {self._format().upper()}") from None

    @property
    def executes(self) -> bool:
        """Whether a command is run."""
        return self.run is not None

    def _format(self) -> str:
        return self.format or _FORMATS.get(posixpath.splitext(self.report.lower())[1], "prose")

    def _range(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the most that may be: all bounds hold at once."""
        lows = [
            bound(name, value)
            for name, value in (("equals", self.equals), ("at_least", self.at_least))
            if value is not None
        ]
        highs = [
            bound(name, value)
            for name, value in (("equals", self.equals), ("at_most", self.at_most))
            if value is not None
        ]
        if self.within:
            lows.append(bound("within", self.within[0]))
            highs.append(bound("within", self.within[-1]))
        return max(lows, default=None), min(highs, default=None)

    def _bounds(self) -> str:
        low, high = self._range()
        unit = f" {self.unit}" if self.unit else ""
        if low == high and low is not None:
            return f"it must be {written(low)}{unit}"
        parts = [*([f"at least {written(low)}{unit}"] if low is not None else []),
                 *([f"at most {written(high)}{unit}"] if high is not None else [])]  # fmt: skip
        return f"it must be {' and '.join(parts)}"

    def _holds(self, number: Fraction) -> bool:
        low, high = self._range()
        return (low is None or number >= low) and (high is None or number <= high)

    def answer(self, evidence: Evidence) -> Answer:
        """Obtain, find the value, compare."""
        got = obtain(evidence, self.report, self.run, seconds=self.timeout, variables=self.env)
        if isinstance(got, Answer):
            return got
        if got.ran is not None and got.ran.result.code != 0:
            answer = failed(f"the command that writes {shown(self.report)} ended with {got.ran.result.code}",
                            remedy="Mend what the command reports.")  # fmt: skip
        else:
            answer = self._prose(got) if self._format() == "prose" else self._value(got)
        return replace(answer, reason=got.told(answer), where=answer.where or (got.place,),
                       provenance=got.provenance, isolation=got.isolation)  # fmt: skip

    def _value(self, got: Obtained) -> Answer:
        name = shown(self.report)
        try:
            value = self._find(got.data)
        except NothingThere as problem:
            return failed(f"{name} {problem}", remedy="Let the tool write the number where the contract looks for it.")
        except ReportProblem as problem:
            blame = Blame.CONTRACT if isinstance(problem, NotOne) else Blame.ENVIRONMENT
            return unclear(f"{name} {problem}", blame=blame, remedy="Let the tool write its report anew and whole.")
        typed = self._format() in ("json", "yaml")
        if typed and isinstance(value, str) and not (self.unit and value.endswith(self.unit)):
            return self._text(value, name)
        try:
            number = fraction_of(number_of(value, self.unit))
        except ReportProblem as problem:
            if isinstance(value, str) and decimal_like(value):
                return self._text(value, name)
            return failed(f"{name} {problem} ({self.at})", remedy="Let the tool write a number there.")
        unit = f" {self.unit}" if self.unit else ""
        told = f"{name}: {self.at} is {written(number)}{unit}; {self._bounds()}"
        if self._holds(number):
            return passed(told)
        return failed(told, remedy="Do the work that moves the number; the report follows.")

    def _find(self, data: bytes) -> Value:
        if self._format() == "json":
            return json_value(data, self.at)
        if self._format() == "yaml":
            return yaml_value(data, self.at)
        if self._format() == "xml":
            return xml_value(data, self.at)
        tab = "\t" if self.report.lower().endswith(".tsv") else ","
        return csv_value(data, Cell(column=self.at, row=self.row, delimiter=self.delimiter or tab))

    def _text(self, value: str, name: str) -> Answer:
        """Text where a number belongs: a person may read one in it, a program may not."""
        if decimal_like(value):
            return unclear(f"{name} holds the text {quoted(value)} at {self.at}, which only reads like a number",
                           blame=Blame.CONTRACT, remedy="Let the tool write a number, or name the text's `unit`.")  # fmt: skip
        return failed(f"{name} holds the text {quoted(value)} at {self.at}, which is no number",
                      remedy="Let the tool write a number there.")  # fmt: skip

    def _prose(self, got: Obtained) -> Answer:
        name, text = shown(self.report), decode(got.data)
        low, _ = self._range()
        found = statements(text, self.at, self.unit, self._holds, shares=low is not None and low > 1)
        says = verdict_of(found)
        places = tuple(Place(path=name, line=item.line) for item in found[:20])
        if says is Says.MISSES:
            return failed(f"{name}:{found[0].line} says {quoted(found[0].text)}; {self._bounds()}", where=places,
                          remedy="Do the work that moves the number; the text follows.")  # fmt: skip
        reasons = {
            Says.MEETS: f"{name} says so, but a text proves no number",
            Says.MIXED: f"{name} says different things of {self.at}",
            Says.NOTHING: f"{name} plainly states no number of {self.at}"
            + ("" if mentions(text, self.at) else ", and does not name it"),
        }
        return unclear(reasons[says], blame=Blame.CONTRACT, where=places,
                       remedy="Point the requirement at a report that a tool writes, or let a person look.")  # fmt: skip


def decimal_like(text: str) -> bool:
    """Whether a person may read a number in a text: other digits, a comma, thousands, a sign or a unit around it."""
    plain = unicodedata.normalize("NFKC", text).strip().replace(",", ".").replace("'", "").replace("_", "")
    plain = plain.strip("%‰°$€£¥≈~<>=≥≤+ \t").split(" ")[0]
    try:
        decimal_of(plain.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ/%"))
    except ReportProblem:
        return plain.count(".") > 1 and plain.replace(".", "").isdecimal()
    return True
