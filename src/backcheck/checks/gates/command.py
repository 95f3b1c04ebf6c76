"""Check `command`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import msgspec

from backcheck.checks.api import Answer, Evidence, broken, failed, passed, unclear
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.checks.running import LINE_LENGTH, NotRun, Ran, RunAsked, last_words, run
from backcheck.evidence.commands import DEFAULT_TIMEOUT, Limits, Result
from backcheck.evidence.masking import mask, printable
from backcheck.verdict import Blame, Channel, Provenance

#: Longest part of the output that goes into the record.
SHOWN = 8000
_GIB = 1024**3
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\*?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A command ends with exit code 0.

    It runs now, in the working tree, as the user who asks; with `provenance: observed` in a clean copy of what is judged,
    isolated by bubblewrap where that works; with `provenance: recorded` a record of `backcheck run` on this very tree by a
    key of the base's contract spares the run. Whoever wrote the code under judgement also decides what the command does.
    An exit code alone proves little; where tests are meant, ask for their report with `tests`.

    It sees few variables, and what Python compiles goes to an empty place of its own, so that no `.pyc` in the tree runs
    in a source's stead (about a second for each start of pytest; naming PYTHONPYCACHEPREFIX in `env` takes the caller's).
    Other ignored files (`.venv`, `node_modules`, build caches) are used by the command and compared by nothing: only a
    clean copy is without them. Files that it leaves and git does not ignore are told, and belong to the change.

    Passes when: the command ends by itself with code 0 within its limits.
    Fails when: it ends with another code or by a signal, or is stopped at a limit (time, output, memory, processes).
    Unclear when: the tree under judgement is not the one on disk (`--tree index` with other content), or the command is
        not installed here (code 127 or 126 from a list).
    Cost: the command's own.
    Source: skillgate's gate of the same name.
    """

    channel: ClassVar[Channel] = Channel.EXECUTION
    provenance: ClassVar[Provenance] = Provenance.OBSERVED
    canary: ClassVar[Canary] = Canary(arguments={"run": "exit 3"})

    #: Text is run by `/bin/sh -c`, a list as it is.
    run: str | list[str]
    timeout: Annotated[float, msgspec.Meta(gt=0, le=86400)] = DEFAULT_TIMEOUT
    #: Names of further environment variables that the command may see.
    env: list[str] = field(default_factory=list)
    memory_gib: Annotated[float, msgspec.Meta(gt=0, le=1024)] = 8
    processes: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 512

    def __post_init__(self) -> None:
        words = [self.run] if isinstance(self.run, str) else self.run
        if not words or not words[0].strip():
            raise ArgumentError("run", "the command is empty")
        if any("\0" in word for word in words):
            raise ArgumentError("run", "the command holds a NUL character")
        if isinstance(self.run, str) and all(
            line.lstrip().startswith("#") or not line.strip() for line in self.run.splitlines()
        ):
            raise ArgumentError("run", "the command is only a comment; it would always pass")
        for name in self.env:
            if not _VARIABLE.fullmatch(name):
                raise ArgumentError("env", f"`{name}` is no name of an environment variable")

    def answer(self, evidence: Evidence) -> Answer:
        """Run it and look at how it ended."""
        limits = Limits(seconds=self.timeout, memory=int(self.memory_gib * _GIB), processes=self.processes)
        try:
            ran = run(evidence, RunAsked(run=self.run, variables=self.env, limits=limits))
        except NotRun as problem:
            return unclear(f"{self._shown()}: {problem.reason}", blame=problem.blame, remedy=problem.remedy)
        return self._judge(ran)

    def _shown(self) -> str:
        text = self.run if isinstance(self.run, str) else " ".join(self.run)
        line = printable(mask(text)).replace("\n", " ")
        return f"`{line if len(line) <= LINE_LENGTH else line[:LINE_LENGTH] + '…'}`"

    def _judge(self, ran: Ran) -> Answer:
        result = ran.result
        output = printable(mask(result.output))
        details = {"exit_code": result.code, "seconds": round(result.seconds, 3), "bytes": result.printed,
                   "processes_ended": result.left, "output": _shorten(output)}  # fmt: skip
        shared: dict[str, Any] = {"provenance": ran.provenance, "isolation": ran.isolation, "details": details}
        if result.problem:
            return broken(
                printable(result.problem), blame=Blame.ENVIRONMENT, remedy="Install the command here.", **shared
            )
        if result.stopped:
            return failed(f"{self._shown()} was stopped: {result.stopped}", remedy=self._remedy(result), **shared)
        if result.signal:
            return failed(f"{self._shown()} was ended by {result.signal}{last_words(result)}", remedy="Find out what ended it.",
                          **shared)  # fmt: skip
        if result.code != 0:
            return failed(f"{self._shown()} ended with {result.code}{last_words(result)}",
                          remedy="Mend what the command reports.", **shared)  # fmt: skip
        left = f"; {result.left} processes that it left were ended" if result.left else ""
        said = f"; {ran.said}" if ran.said else ""
        return passed(f"{self._shown()} ended with 0 in {result.seconds:.1f} s{left}{said}", **shared)

    def _remedy(self, result: Result) -> str:
        if "longer" in result.stopped:
            return f"Make it quicker, or raise `timeout` ({self.timeout:g} s) in the contract."
        return "Make it use less, or raise the limit in the contract."


def _shorten(output: str) -> str:
    if len(output) <= SHOWN:
        return output
    half = SHOWN // 2
    return f"{output[:half]}\n[…]\n{output[-half:]}"
