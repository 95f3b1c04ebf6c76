"""Added lines against what git finds, and the bounds of the comparison."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import Repo

from backcheck.checks import addedlines, newlines
from backcheck.checks.addedlines import Added, added
from backcheck.checks.api import Answer, Evidence
from backcheck.checks.newlines import new_lines
from backcheck.surfaces.session import open_session
from backcheck.testing import Fifo, Link, Sparse, evidence_of, write_tree

LINE = st.sampled_from(["", "{", "}", "a = 1", "b = 2", "return", "TODO", "x"])
TEXTS = st.lists(LINE, min_size=1, max_size=40)


def git_added(folder: Path, before: list[str], after: list[str], *options: str) -> set[int]:
    """Numbers of the lines that git shows as added."""
    for name, lines in (("a", before), ("b", after)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    shown = subprocess.run(["git", "diff", "--no-index", "-U0", *options, "a", "b"], cwd=folder, capture_output=True,
                           text=True, check=False).stdout  # fmt: skip
    found: set[int] = set()
    for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", shown, re.MULTILINE):
        found.update(range(int(start), int(start) + (int(count) if count else 1)))
    return found


def new_of(before: list[str], after: list[str]) -> set[int]:
    return new_lines("".join(f"{line}\n" for line in before), "".join(f"{line}\n" for line in after))


def kept_in_order(before: list[str], after: list[str], new: set[int]) -> bool:
    rest = iter(before)
    return all(line in rest for number, line in enumerate(after, start=1) if number not in new)


def texts(lines: list[str], new: set[int]) -> Counter[str]:
    return Counter(lines[number - 1] for number in new)


ORACLE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ORACLE
@given(before=TEXTS, after=TEXTS)
def test_never_more_than_git_finds_and_nothing_that_git_must_find_is_missing(tmp_path, before, after):
    new = new_of(before, after)
    theirs = git_added(tmp_path, before, after)
    assert kept_in_order(before, after, new), "what is old stands in the base in this order"
    assert len(new) <= len(theirs)
    # Lines that the base has nowhere are added for either, one by one.
    unknown = {number for number, line in enumerate(after, start=1) if line not in before}
    assert unknown <= new
    assert unknown <= theirs
    # Of each text there are at least as many new lines as there are more of it than before.
    assert not (Counter(after) - Counter(before)) - texts(after, new)


@ORACLE
@given(before=TEXTS, after=TEXTS)
def test_parting_and_counting_keep_what_no_edit_can_do_without(tmp_path, before, after):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newlines, "MOST_PAIRS", 20)
        parted = new_of(before, after)
        patch.setattr(newlines, "_LEVELS", 0)
        patch.setattr(newlines, "ALL_PAIRS", 0)
        counted = new_of(before, after)
    more = Counter(after) - Counter(before)
    assert not more - texts(after, parted)
    # Counting finds these alone: what was only moved is not new.
    assert texts(after, counted) == more
    assert len(counted) <= len(new_of(before, after))


@ORACLE
@given(before=st.permutations([f"line {n}" for n in range(30)]), edits=st.lists(st.integers(0, 29), max_size=8))
def test_parted_at_lines_that_both_have_once_the_rest_keeps_its_order(tmp_path, before, edits):
    after = [f"{line}!" if number in edits else line for number, line in enumerate(before)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newlines, "MOST_PAIRS", 5)
        new = new_of(before, after)
    assert new == {number + 1 for number in edits} == git_added(tmp_path, before, after)


WORDS = random.Random(7)
BIG = [f"line {WORDS.getrandbits(30)}" for _ in range(100_000)]
LARGE = {
    "edited at both ends": (BIG, ["first", *BIG[1:-1], "last"], {1, 100_000}),
    "every hundredth line edited": (
        BIG,
        [f"{line}!" if n % 100 == 0 else line for n, line in enumerate(BIG)],
        set(range(1, 100_001, 100)),
    ),
    "a thousand lines put in twice": (BIG, BIG[:9] + BIG[500:1500] + BIG[9:-1] + ["end"], None),
    "a line put in that stands further down": (
        BIG,
        ["first", *BIG[1:50_000], BIG[90_000], *BIG[50_000:-1], "last"],
        {1, 50_001, 100_001},
    ),
    "reversed": (BIG, BIG[::-1], None),
    "of few kinds": (["{", "}", ""] * 33_000, ["}", "", "x", "{"] * 25_000, None),
    "all new": (BIG, [f"{line}?" for line in BIG], set(range(1, 100_001))),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_hundred_thousand_lines_take_less_than_two_seconds(name):
    before, after, expected = LARGE[name]
    started = time.process_time()
    new = new_of(before, after)
    assert time.process_time() - started < 2
    assert expected is None or new == expected
    assert not (Counter(after) - Counter(before)) - texts(after, new)


def whole(evidence: Evidence, *globs: str) -> Added:
    found = added(evidence, globs)
    assert isinstance(found, Added), found
    return found


def test_added_lines_of_a_change(tmp_path):
    write_tree(tmp_path, {"same.py": "a\n", "edited.py": "a\nnew\nb\n", "fresh.py": "x\r\ny", "dos.txt": "a\r\nb\r\n",
                          "utf16.txt": "a\nä\n".encode("utf-16"), "emptied.py": "", "shell.py": "a\n"})  # fmt: skip
    base: dict[str, str | bytes] = {"same.py": "a\n", "edited.py": "a\nb\n", "dos.txt": "a\nb\n", "gone.py": "a\n", "emptied.py": "a\n",
            "shell.py": b"\0\na\n"}  # fmt: skip
    found = whole(evidence_of(tmp_path, base=base))
    assert {path: (list(lines), lines.whole) for path, lines in found.files.items()} == {
        "edited.py": ([(2, "new")], False), "fresh.py": ([(1, "x"), (2, "y")], True), "emptied.py": ([], False),
        "utf16.txt": ([(1, "a"), (2, "ä")], True), "shell.py": ([(1, "a")], False),
    }  # fmt: skip
    assert found.apart == {}


def test_what_is_not_compared_is_told_apart(tmp_path, monkeypatch):
    write_tree(tmp_path, {"a.bin": b"\0\1\2", "big.txt": Sparse(17 * 1024 * 1024, b"\n"), "link": Link("a.bin"),
                          "fifo": Fifo(), "ok.txt": "x" * 50 + "\n"})  # fmt: skip
    found = whole(evidence_of(tmp_path, base={}))
    assert list(found.files) == ["ok.txt"]
    assert {path: why.split(";")[0] for path, why in found.apart.items()} == {
        "a.bin": "is no text", "big.txt": "holds 17 MiB", "fifo": "is a FIFO",
    }  # fmt: skip
    write_tree(tmp_path, {"later.txt": "y" * 50 + "\n"})
    monkeypatch.setattr(addedlines, "MAX_COMPARED", 90)
    found = whole(evidence_of(tmp_path, base={}))
    assert list(found.files) == ["later.txt"]
    assert "was not reached" in found.apart["ok.txt"]


def test_without_a_base_or_a_file_there_is_no_answer(tmp_path):
    write_tree(tmp_path, {"a.py": "x\n"})
    for evidence, globs, words in (
        (evidence_of(tmp_path), [], "no base"),
        (evidence_of(tmp_path, base={}), ["*.rs"], "nothing was looked at"),
    ):
        answer = added(evidence, globs)
        assert isinstance(answer, Answer)
        assert answer.status.value == "unclear"
        assert words in answer.reason


@pytest.mark.parametrize("tree", ["worktree", "index", "HEAD"])
def test_in_a_repository_paths_count_from_the_top_and_globs_from_the_contract(repo: Repo, tree: str):
    write_tree(repo.root, {"pkg/.backcheck/contract.yaml": "version: 1\nrequirements:\n  - {id: a, check: file-exists, with: {file: a}}\n",
                           "pkg/a.py": "one\n", "b.py": "one\n"})  # fmt: skip
    base = repo.commit()
    repo.write("pkg/a.py", "zero\none\n")
    repo.write("b.py", "one\ntwo\n")
    repo.commit()
    session = open_session(folder=str(repo.root / "pkg"), tree=tree, base=base, cache=False)
    try:
        found = {path: list(lines) for path, lines in whole(session.evidence).files.items()}
        below = list(whole(session.evidence, "*.py").files)
    finally:
        session.close()
    assert found == {"pkg/a.py": [(1, "zero")], "b.py": [(2, "two")]}
    assert below == ["pkg/a.py"]
