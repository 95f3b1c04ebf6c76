"""Check `restatement`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from backcheck.checks.api import Answer, Evidence, failed, passed, unclear
from backcheck.checks.canary import Canary
from backcheck.checks.code.languages import read_code
from backcheck.checks.code.model import Code, Unparsed
from backcheck.checks.files import require_name
from backcheck.checks.prose import read_shown
from backcheck.checks.signs import LEAST_LINES, Sign, code_signs, hollow_sign, text_signs
from backcheck.evidence.limits import MAX_PLACES
from backcheck.evidence.paths import shown
from backcheck.verdict import Basis, Blame, Channel, Place, Provenance

_REMEDY = "Do the work, and let the file hold it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A file holds work and does not only restate the task, promise it or stub it out.

    Signs: a chat partner's opening phrase; announcing words beyond 6 % of the words (English and Chinese; two Chinese
    characters count as one word; in code only comments and docstrings are searched); and in Python, JavaScript and
    TypeScript of more than five lines: comments on over 65 % of the lines (a licence apart), over three phrases that
    tell what code would do, and functions that do no work (at least two: a third of all, or marked as unfinished and a
    fifth of all).

    A function does no work if its body is empty, a docstring, `pass` or `...`, only refuses as not implemented, or only
    returns a constant under a note that it is unfinished. Declarations are no such functions: abstract methods, members of
    protocols and interfaces, overloads, empty constructors, overriding no-ops, callbacks, and no-ops that say so.

    Passes when: there is no sign.
    Fails when: there are two signs; three functions are marked as not implemented and are half of all; or no function works
        (and little else in the file does); or the file is missing or holds nothing.
    Unclear when: there is one sign; two, but fewer than three lines; everything is left to subclasses; code does not parse,
        is larger than 8 MiB or takes longer than 15 s; the file is no text, larger than 16 MiB or unreadable.
    Cost: reads and parses one file; 5 MB of JavaScript or 100,000 lines of Python take some seconds. Nothing is run.
    Source: content-verify's second layer, for each file of `files`; there stubs were counted by pattern.
    """

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    basis: ClassVar[Basis] = Basis.WORK
    canary: ClassVar[Canary] = Canary(
        arguments={"file": "limiter.py"},
        files={"limiter.py": "class Limiter:\n    def allow(self, key):\n        raise NotImplementedError\n\n"
                             "    def reset(self, key):\n        # TODO: drop the counter\n        return None\n"},
    )  # fmt: skip

    file: str

    def __post_init__(self) -> None:
        require_name("file", self.file)

    def answer(self, evidence: Evidence) -> Answer:
        """Collect the signs and weigh them."""
        text = read_shown(evidence, self.file)
        if isinstance(text, Answer):
            return text
        name = shown(self.file)
        code, unparsed = None, ""
        try:
            code = read_code(self.file, text)
        except Unparsed as error:
            unparsed = str(error)
        lines = sum(1 for line in text.split("\n") if line.strip())
        signs = text_signs(name, text, code, lines)
        signs += code_signs(name, code, lines) if code is not None else []
        return self._weigh(name, signs, code, lines, unparsed)

    def _weigh(self, name: str, signs: list[Sign], code: Code | None, lines: int, unparsed: str) -> Answer:
        hollow = hollow_sign(name, code) if code is not None else None
        places = _merge([*([hollow] if hollow else []), *signs], name)
        details = {"signs": [sign.reason for sign in signs]}
        reasons = [hollow.reason] if hollow else [sign.reason for sign in signs]
        if (hollow or len(signs) >= 2) and lines >= LEAST_LINES:
            return failed(f"{name} {'; '.join(reasons)}", where=places, remedy=_REMEDY, details=details)
        if hollow or signs:
            return unclear(f"{name} {'; '.join(reasons)}", where=places, blame=Blame.AGENT, details=details,
                           remedy="Finish it, or let a person say that it is meant so.")  # fmt: skip
        if unparsed:
            return unclear(f"{name} {unparsed}", where=places, blame=Blame.AGENT, details=details,
                           remedy="Mend the syntax, or let a person look.")  # fmt: skip
        if code is not None and code.deferred and not code.functions:
            return unclear(f"{name} leaves all of its {code.deferred} functions to subclasses", where=places,
                           blame=Blame.AGENT, remedy="Let a person say whether only a declaration was asked.")  # fmt: skip
        functions = f"; {len(code.functions)} functions" if code is not None and code.functions else ""
        return passed(f"{name} shows no sign of a restatement ({lines:,} lines{functions})", where=places)


def _merge(signs: list[Sign], name: str) -> tuple[Place, ...]:
    found = dict.fromkeys(place for sign in signs for place in sign.places)
    return tuple(found)[:MAX_PLACES] or (Place(path=name),)
