"""Work over a list on all cores by forking, with results as plain values through a pipe.

A fork shares the parent's compiled patterns and folder lists at no cost, which a pool that pickles would not.
"""

from __future__ import annotations

import itertools
import marshal
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
#: Below this many items one process is quicker.
WORTH_FORKING = 64
MAX_WORKERS = 8
_MSGPACK, _MARSHAL = b"\0", b"\1"


class WorkerDied(Exception):
    """A worker process ended without its results."""


def fork_map(work: Callable[[Sequence[Item]], list[list[Any]]], items: Sequence[Item]) -> list[list[Any]]:
    """`work` over slices of `items`, results in order; rows hold only lists, numbers, bytes and text. Errors: WorkerDied."""
    workers = min(os.cpu_count() or 1, MAX_WORKERS)
    if workers < 2 or len(items) < WORTH_FORKING or not hasattr(os, "fork"):
        return work(items)
    bounds = [len(items) * k // workers for k in range(workers + 1)]
    slices = [items[a:b] for a, b in itertools.pairwise(bounds)]
    children = [_start(work, part) for part in slices[1:]]
    mine = work(slices[0])
    theirs = [_collect(pid, pipe) for pid, pipe in children]
    if any(rows is None for rows in theirs):
        raise WorkerDied("a worker process ended without its results")
    return [*mine, *(row for rows in theirs for row in rows or [])]


def _start(work: Callable[[Sequence[Item]], list[list[Any]]], part: Sequence[Item]) -> tuple[int, int]:
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return pid, read_end
    code = 1
    try:
        os.close(read_end)
        payload = _packed(work(part))
        view = memoryview(payload)
        while view:
            view = view[os.write(write_end, view) :]
        code = 0
    finally:
        # Nothing of the parent's clean-up may run twice.
        os._exit(code)


def _packed(rows: list[list[Any]]) -> bytes:
    """Rows as bytes; msgpack cannot carry the name of a file that is no UTF-8."""
    import msgspec

    try:
        return _MSGPACK + msgspec.msgpack.encode(rows)
    except UnicodeEncodeError:
        return _MARSHAL + marshal.dumps(rows)


def _unpacked(data: bytes) -> list[list[Any]]:
    import msgspec

    # What is read was written by a fork of this very process.
    read = marshal.loads if data[:1] == _MARSHAL else msgspec.msgpack.decode
    rows: list[list[Any]] = read(memoryview(data)[1:])
    return rows


def _collect(pid: int, pipe: int) -> list[list[Any]] | None:
    parts = []
    while chunk := os.read(pipe, 1 << 20):
        parts.append(chunk)
    os.close(pipe)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        return None
    return _unpacked(b"".join(parts))
