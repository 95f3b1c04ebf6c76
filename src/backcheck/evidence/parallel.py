"""Work over a list on all cores by forking, with results as plain values through a pipe.

A fork shares the parent's compiled patterns and folder lists at no cost, which a pool that pickles would not.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
#: Below this many items one process is quicker.
WORTH_FORKING = 64
MAX_WORKERS = 8


class WorkerDied(Exception):
    """A worker process ended without its results."""


def fork_map(work: Callable[[Sequence[Item]], list[list[Any]]], items: Sequence[Item]) -> list[list[Any]]:
    """`work` over slices of `items`, results in order; rows hold only what msgpack can carry. Errors: WorkerDied."""
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
    import msgspec

    code = 1
    try:
        os.close(read_end)
        payload = msgspec.msgpack.encode(work(part))
        view = memoryview(payload)
        while view:
            view = view[os.write(write_end, view) :]
        code = 0
    finally:
        # Nothing of the parent's clean-up may run twice.
        os._exit(code)


def _collect(pid: int, pipe: int) -> list[list[Any]] | None:
    import msgspec

    parts = []
    while chunk := os.read(pipe, 1 << 20):
        parts.append(chunk)
    os.close(pipe)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        return None
    rows: list[list[Any]] = msgspec.msgpack.decode(b"".join(parts), type=list[list[Any]])
    return rows
