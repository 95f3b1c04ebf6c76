"""Hostile code cannot take the memory, the time or the life of the process that judges."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from backcheck.checks.code import apart as module
from backcheck.checks.code import ecmascript
from backcheck.checks.code.apart import apart
from backcheck.checks.code.model import Unparsed

BIG = "".join(
    f"/** Adds {n}. */\nexport function f{n}(a: number): number {{\n  return a + {n}; // é\n}}\n" for n in range(1500)
)


def test_what_is_read_apart_is_what_is_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noted(work: Callable[[], Any], kind: type[Any]) -> Any:
        asked.append(kind)
        return apart(work, kind)

    monkeypatch.setattr(ecmascript, "apart", noted)
    elsewhere = ecmascript.read(BIG, ".ts")
    assert (len(asked), len(elsewhere.functions), len(elsewhere.comments)) == (1, 1500, 3000)
    monkeypatch.setattr(ecmascript, "APART", 10**9)
    assert ecmascript.read(BIG, ".ts") == elsewhere
    assert len(asked) == 1


def spin() -> None:
    while True:
        pass


def take() -> int:
    return len(bytearray(4 * 1024**3))


def grow() -> int:
    kept = []
    while True:
        kept.append(bytearray(1024**2))


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "crashes": (lambda: os.kill(os.getpid(), signal.SIGSEGV), "within 1 GiB of memory and 1 s of a processor"),
    "is killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), "within 1 GiB of memory and 1 s of a processor"),
    "complains and ends": (
        lambda: os.write(2, b"tree-sitter failed to allocate") and os._exit(0),
        "within 1 GiB of memory and 1 s of a processor",
    ),
    "takes too much at once": (take, "within 1 GiB of memory"),
    "takes ever more": (grow, "within 1 GiB of memory"),
    "goes on and on": (spin, "within 1 GiB of memory and 1 s of a processor"),
    "waits for ever": (signal.pause, "in 3 s"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_goes_wrong_there_is_an_answer_here(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if name.startswith("takes") and sys.platform != "linux":
        pytest.skip("only Linux bounds the memory of one process")
    # Taking memory takes time as well, and more of it on a busy machine.
    monkeypatch.setattr(module, "PROCESSOR_SECONDS", 60 if name.startswith("takes") else 1)
    monkeypatch.setattr(module, "SECONDS", 3.0 if name == "waits for ever" else 60.0)
    work, reason = BAD[name]
    with pytest.raises(Unparsed, match=f"could not be parsed {reason}$"):
        apart(work, int)
    assert capfd.readouterr() == ("", "")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_what_was_cut_is_no_answer() -> None:
    for reply in (b"", b"+", b"+\x93\x01", b"-half a sentence", b"!"):
        with pytest.raises(Unparsed, match="could not be parsed within"):
            module._answer(reply, list)
    assert module._answer(b"+\x93\x01\x02\x03+", list) == [1, 2, 3]


def test_exceptions_come_back() -> None:
    def refuse() -> int:
        raise Unparsed("does not parse as é")

    with pytest.raises(Unparsed, match="^does not parse as é$"):
        apart(refuse, int)
    with pytest.raises(RuntimeError, match="^ZeroDivisionError: "):
        apart(lambda: 1 // 0, int)


@pytest.mark.parametrize("pattern", ["{a:", "a<"])
def test_two_megabytes_that_break_the_parser_are_not_parsed(pattern: str) -> None:
    """The first ends it by its stack, the second takes 2.6 GB."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Unparsed, match="could not be parsed"):
        ecmascript.read((pattern * 1_000_000)[:2_000_000], ".ts")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024


def test_a_busy_machine_gives_no_other_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is of processor time: the clock on the wall may say what it likes."""
    monkeypatch.setattr(time, "monotonic", iter(range(0, 10**9, 1000)).__next__)
    assert len(ecmascript.read("function f() { return 1 }", ".js").functions) == 1
