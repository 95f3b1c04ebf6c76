"""Work on all cores: what forks send back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.globs import Globs
from backcheck.evidence.parallel import WorkerDied, fork_map
from backcheck.evidence.patterns import compile_pattern
from backcheck.evidence.search import Search
from backcheck.evidence.workspace import DiskTree

MANY = 200


def test_rows_come_back_in_order_whatever_their_names_are() -> None:
    rows = fork_map(lambda part: [[item, f"n{item}"] for item in part], range(MANY))
    assert rows == [[item, f"n{item}"] for item in range(MANY)]
    odd = fork_map(lambda part: [[item, f"\udcff{item}", [1, b"x", None, True]] for item in part], range(MANY))
    assert [list(row[:2]) for row in odd] == [[item, f"\udcff{item}"] for item in range(MANY)]
    assert odd[-1][2] == [1, b"x", None, True]


@pytest.mark.parametrize("end", [lambda: os._exit(3), lambda: 1 // 0, lambda: os.kill(os.getpid(), 9)])
def test_a_worker_that_dies_is_no_empty_answer(end: Callable[[], object]) -> None:
    mine = os.getpid()

    def work(part: object) -> list[list[object]]:
        if os.getpid() != mine:
            end()
        return []

    with pytest.raises(WorkerDied):
        fork_map(work, range(MANY))


def test_a_name_that_is_no_utf_8_does_not_stop_a_large_tree(tmp_path: Path) -> None:
    for number in range(MANY):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}/f").write_text("x")
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    except OSError:
        pytest.skip("this file system takes no such names")
    (tmp_path / "\udcff/\udcfe").write_text("TODO")
    tree = DiskTree(str(tmp_path))
    found = tree.survey([Search("todo", Globs(["**"]), compile_pattern("TODO"))])
    assert (found.files, [path for path, _ in found.tallies[0].hits]) == (MANY + 1, ["\udcff/\udcfe"])
    assert found.steady is not None
    assert found.steady.holds("\udcff/\udcfe")
    blobs = disk_blobs(tree.top, list(tree.paths()), 40, tree.seen)
    assert blobs["\udcff/\udcfe"][0] == "100644"
    tree.seen.look_again(tree.top)
    assert found.steady.differing(tree.seen, tree.outside) == []
    (tmp_path / "\udcff/\udcfe").write_text("TODO again")
    tree.seen.read_by_workers = True
    tree.seen.look_again(tree.top)
    assert found.steady.differing(tree.seen, tree.outside) == ["\udcff/\udcfe"]
