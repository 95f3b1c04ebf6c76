"""Check `shape`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.checks.code.languages import DATA, MARKUP, PROSE, has_parser, read_code, suffix_of
from backcheck.checks.code.model import Unparsed
from backcheck.checks.files import require_name
from backcheck.checks.prose import look, mostly_signs, read_shown, visible
from backcheck.checks.testlog import MAX_LINES, Ran, ran_in
from backcheck.checks.testlog_data import load_json, tests_in_json, tests_in_junit
from backcheck.checks.words import PLACEHOLDER, plain
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance, Status

_LEAST = 5
_SHORT = 30
#: The share of signs up to which data and code that no parser of ours reads are taken for honest.
_MOST_SIGNS = 0.85
_SAME_SIGN = re.compile(r"([^\w\s])\1+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Files hold a text: not a few characters, signs only, a placeholder, or a test report in which no test ran.

    It says nothing of what the text is worth. Prose is measured by its signs; JavaScript, TypeScript, Python and JSON that
    the parser accepts are never refused for them, other code and data only beyond 85 %. Counts of tests are compared as
    numbers, so "10 passed" is not "0 passed".

    Passes when: none of the failures below holds for any of the files.
    Fails when: a file is missing, shows fewer than five characters, is mostly punctuation and symbols (ruled lines, tables
        and drawings apart), is shorter than thirty characters and holds a placeholder (English or Chinese), or is a
        runner's report (text, JUnit XML or JSON) that shows no test ran.
    Unclear when: a text only mentions that no test ran, or contradicts itself; a report is an example in a longer document,
        or has more than 300,000 lines; a short data file holds a placeholder; the file is no text, larger than 16 MiB or
        unreadable.
    Cost: reads each file once; parses code only where its signs or a placeholder would make it fail.
    Source: content-verify's first layer, for each file of `files`.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "test-output.txt"}, files={"test-output.txt": "collected 0 items\n\n0 passed in 0.01s\n"}
    )

    file: str | list[str]

    def __post_init__(self) -> None:
        require_name("file", *self._files())

    def _files(self) -> list[str]:
        return [self.file] if isinstance(self.file, str) else self.file

    def answer(self, evidence: Evidence) -> Answer:
        """Look at each file; the worst answer is given, with the places of all that are as bad."""
        answers = [_one(evidence, path) for path in self._files()]
        for status in (Status.FAIL, Status.UNCLEAR):
            bad = [answer for answer in answers if answer.status is status]
            if bad:
                reason = "; ".join(answer.reason for answer in bad[:5])
                more = f"; and {len(bad) - 5} more" if len(bad) > 5 else ""
                places = tuple(place for answer in bad for place in answer.where)[:MAX_PLACES]
                return Answer(
                    status=status, reason=reason + more, where=places, remedy=bad[0].remedy, blame=bad[0].blame
                )
        return answers[0] if len(answers) == 1 else passed(f"{len(answers)} files hold a text")


def _one(evidence: Evidence, path: str) -> Answer:
    text = read_shown(evidence, path)
    if isinstance(text, Answer):
        return text
    name = shown(path)
    place = (Place(path=name),)
    length = len(visible(text))
    work = "Write the work itself into the file."
    if length < _LEAST:
        return failed(f"{name} holds {length} characters", where=place, remedy=work)
    if length < _SHORT and (answer := _placeholder(name, text)) is not None:
        return answer
    share = look(text).share
    if share > 0.5 and _refused_for_signs(name, text):
        return failed(f"{name} is {share:.0%} punctuation and symbols", where=place, remedy=work)
    return _report(name, text) or passed(f"{name} holds a text of {length:,} characters", where=place)


def _placeholder(name: str, text: str) -> Answer | None:
    found = PLACEHOLDER.search(plain(visible(text)))
    if found is None or _does_something(name, text):
        return None
    reason = f"{name} holds a placeholder, `{found[0]}`, and little else"
    place = (Place(path=name),)
    if suffix_of(name) in DATA:
        return unclear(
            reason, where=place, blame=Blame.AGENT, remedy="Let a person look whether this is the value asked."
        )
    return failed(reason, where=place, remedy="Write the work itself into the file.")


def _does_something(name: str, text: str) -> bool:
    """Whether a parser says that a file of code does something."""
    try:
        code = read_code(name, text)
    except Unparsed:
        return False
    if code is None:
        return False
    return bool(code.work or code.imports or code.declared or any(not function.stub for function in code.functions))


def _refused_for_signs(name: str, text: str) -> bool:
    suffix = suffix_of(name)
    if suffix in PROSE:
        return mostly_signs(text)
    if has_parser(name):
        return not _does_something(name, text) and mostly_signs(text)
    if suffix == ".json" and _holds_data(load_json(text)):
        return False
    return look(_SAME_SIGN.sub(r"\1", text)).share > _MOST_SIGNS


def _holds_data(value: Any) -> bool:
    """Whether data holds a key, a number or a text anywhere; json bounds the depth."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo += item
        elif item is not None and item not in ("", {}):
            return True
    return False


def _report(name: str, text: str) -> Answer | None:
    """The answer for a report in which no test ran, None for all else."""
    suffix = suffix_of(name)
    ran, line = Ran.UNKNOWN, 0
    if suffix in PROSE:
        ran, line = ran_in(text, markup=suffix in MARKUP)
    elif suffix in {".xml", ".json"}:
        count = tests_in_junit(text) if suffix == ".xml" else tests_in_json(load_json(text))
        ran = Ran.NONE if count == 0 else Ran.UNKNOWN
    place = (Place(path=name, line=line),)
    where = f"{name}:{line}" if line else name
    if ran is Ran.NONE:
        return failed(
            f"{where} reports that no test ran", where=place, remedy="Run the tests, and find out why none ran."
        )
    if ran is Ran.TOO_LONG:
        return unclear(f"{name} has more than {MAX_LINES:,} lines that speak of tests", where=place, blame=Blame.ENVIRONMENT,
                       remedy="Keep the report short, or let a person look at it.")  # fmt: skip
    if ran is Ran.MAYBE_NONE:
        return unclear(f"{where} says that no test ran", where=place, blame=Blame.AGENT,
                       remedy="Give the runner's own report of tests that ran.")  # fmt: skip
    return None
