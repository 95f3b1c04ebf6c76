"""Work on hostile input in a process of its own: what it takes is bounded, and where it crashes only that process ends.

A parser written in C can take gigabytes for a file of two megabytes, or run out of its stack; neither may end a check.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import Any, TypeVar

from backcheck.checks.code.model import Unparsed
from backcheck.evidence.limits import size

Value = TypeVar("Value")
#: What the process may take beyond what it begins with (bytes; not enforced on macOS), processor time and time (seconds).
MEMORY = 1024**3
PROCESSOR_SECONDS = 30
SECONDS = 300.0
_DONE, _UNPARSED, _BROKE = b"+", b"-", b"!"


def apart(work: Callable[[], Value], kind: type[Value]) -> Value:
    """The value of `work()`, made in a fork; `kind` is what msgspec makes of its bytes.

    Errors: Unparsed as `work` raises it, or where a limit was hit; RuntimeError for another exception of `work`.
    """
    read_end, write_end = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(read_end)
        _child(work, write_end)
    os.close(write_end)
    try:
        reply = _collect(read_end)
    finally:
        # Whatever it still does is not needed any more.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(read_end)
    return _answer(reply, kind)


def _answer(reply: bytes | None, kind: type[Value]) -> Value:
    import msgspec

    if reply is None:
        raise Unparsed(f"could not be parsed in {SECONDS:g} s")
    tag, payload = reply[:1], reply[1:]
    # The mark at the end is written last: a process that died before has told nothing.
    if reply[-1:] != _DONE or len(reply) < 2:
        raise Unparsed(f"could not be parsed within {size(MEMORY)} of memory and {PROCESSOR_SECONDS} s of a processor")
    payload = payload[:-1]
    if tag == _UNPARSED:
        raise Unparsed(payload.decode("utf-8", "replace"))
    if tag == _BROKE:
        raise RuntimeError(payload.decode("utf-8", "replace"))
    return msgspec.msgpack.decode(payload, type=kind)


def _collect(pipe: int) -> bytes | None:
    """All that the process says; None where it is not done in time."""
    parts: list[bytes] = []
    until = time.monotonic() + SECONDS
    while select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
        chunk = os.read(pipe, 1 << 20)
        if not chunk:
            return b"".join(parts)
        parts.append(chunk)
    return None


def _child(work: Callable[[], Any], pipe: int) -> None:
    """Never returns."""
    try:
        _bound()
        view = memoryview(_reply(work) + _DONE)
        while view:
            view = view[os.write(pipe, view) :]
    finally:
        # Nothing of the parent's clean-up may run twice, and no traceback be shown.
        os._exit(0)


def _reply(work: Callable[[], Any]) -> bytes:
    import msgspec

    try:
        return _DONE + msgspec.msgpack.encode(work())
    except Unparsed as error:
        return _UNPARSED + str(error).encode("utf-8", "replace")
    except MemoryError:
        return _UNPARSED + f"could not be parsed within {size(MEMORY)} of memory".encode()
    except Exception as error:  # noqa: BLE001
        return _BROKE + f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def _bound() -> None:
    """Limits of this process; what a parser says when it finds no memory is for nobody."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    faulthandler.disable()
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, PROCESSOR_SECONDS)
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        _limit(resource.RLIMIT_AS, int(file.read().split()[0]) * resource.getpagesize() + MEMORY)


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
