"""What a reviewer is shown of a change: everything within limits, and the names of what is beyond them."""

from __future__ import annotations

import os
from typing import Any

import pytest

from backcheck.surfaces.report import difference as module
from backcheck.surfaces.report.difference import Difference, difference, visible
from backcheck.surfaces.session import open_session

CONTRACT = "version: 1\nrequirements: [{id: a, check: file-exists, with: {file: a}}]\n"


@pytest.fixture
def begun(repo: Any) -> Any:
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.write("a", "".join(f"line {number}\n" for number in range(20)))
    repo.write("sub/gone", "gone\n")
    (repo.root / "link").symlink_to("a")
    repo.commit()
    return repo


def compared(repo: Any, tree: str = "worktree", **limits: int) -> Difference:
    session = open_session(folder=str(repo.root), base=repo.git("rev-parse", "main"), tree=tree, cache=False)
    try:
        found = difference(session.evidence, **limits)
    finally:
        session.close()
    assert found is not None
    return found


def lines(found: Difference) -> list[str]:
    assert found.unshown == []
    return found.lines


def test_no_change(begun):
    assert compared(begun) == Difference()


def test_added_changed_removed_and_context(begun):
    begun.write("a", (begun.root / "a").read_text().replace("line 9\n", "nine\n"))
    begun.write("b/new", "x\n")
    (begun.root / "sub/gone").unlink()
    found = compared(begun)
    assert found.changed == 3
    assert lines(found) == [
        "changed a", "  @@ -7,7 +7,7 @@", "   line 6", "   line 7", "   line 8", "  -line 9", "  +nine", "   line 10",
        "   line 11", "   line 12", "added b/new", "  @@ -0,0 +1 @@", "  +x", "removed sub/gone", "  @@ -1 +0,0 @@", "  -gone",
    ]  # fmt: skip


def test_a_mode_and_a_links_target_are_changes(begun):
    (begun.root / "a").chmod(0o755)
    (begun.root / "link").unlink()
    (begun.root / "link").symlink_to("/etc/passwd")
    assert lines(compared(begun)) == [
        "changed a (mode 100644 → 100755)", "changed link", "  @@ -1 +1 @@", "  -a  (no line end)",
        "  +/etc/passwd  (no line end)",
    ]  # fmt: skip


def test_a_link_put_in_a_files_place_shows_its_target_and_not_what_lies_there(begun):
    (begun.root / "sub/gone").unlink()
    (begun.root / "sub/gone").symlink_to("../a")
    found = lines(compared(begun))
    assert found[0] == "changed sub/gone (mode 100644 → 120000)"
    assert "  +../a  (no line end)" in found


@pytest.mark.parametrize(
    ("before", "after"), [("a\n", "a"), ("a\n", "a\r\n"), ("a\n", "a \n"), ("a\n", "a\n\n"), ("a\n", "")]
)
def test_the_smallest_changes_are_seen(begun, before, after):
    begun.write("b", before)
    begun.commit()
    base = begun.git("rev-parse", "main")
    begun.write("b", after)
    session = open_session(folder=str(begun.root), base=base, cache=False)
    found = difference(session.evidence)
    session.close()
    assert found is not None
    body = lines(found)
    assert body[0] == "changed b"
    assert len(body) > 2


def test_a_line_hidden_behind_other_separators_stays_one_line(begun):
    begun.write("b", "safe\x0cevil\u2028evil\r\n")
    assert lines(compared(begun))[-1] == "  +safe\\x0cevil\\u2028evil\\r"


def test_bytes_that_are_no_text_are_shown_as_escapes(begun):
    begun.write("b", b"\xff\xfe\n")
    assert lines(compared(begun))[-1] == "  +\\xff\\xfe"


def test_the_index_and_a_revision_are_read_from_git(begun):
    base = begun.git("rev-parse", "main")
    begun.write("b", "in the index\n")
    begun.git("add", "b")
    begun.write("b", "on disk\n")
    assert lines(compared(begun, "index"))[-1] == "  +in the index"
    begun.git("checkout", "-q", "-b", "side")
    begun.git("commit", "-q", "-m", "x")
    session = open_session(folder=str(begun.root), base=base, tree="side", cache=False)
    found = difference(session.evidence)
    session.close()
    assert found is not None
    assert found.lines[-1] == "  +in the index"


def test_without_a_base_there_is_none(begun):
    session = open_session(folder=str(begun.root), cache=False)
    assert difference(session.evidence) is None
    session.close()


# Beyond the limits


def test_what_is_binary_or_too_large_is_named(begun, monkeypatch):
    begun.write("b", b"\0\1")
    begun.write("c", "x\n" * 100)
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 150)
    found = compared(begun)
    assert found.lines == ["added b", "  binary: 0 → 2 bytes", "added c", "  too large to show: 0 → 200 bytes"]
    assert found.unshown == ["b", "c"]


def test_the_lines_are_bounded_and_what_is_cut_is_named(begun):
    begun.write("b", "x\n" * 5)
    begun.write("c", "y\n" * 5)
    begun.write("d", "z\n")
    found = compared(begun, max_lines=8)
    assert found.lines == [
        "added b", "  @@ -0,0 +1,5 @@", *["  +x"] * 5, "added c", "  @@ -0,0 +1,5 @@", "  +y", "added d",
    ]  # fmt: skip
    assert (found.changed, found.unshown) == (3, ["c", "d"])


def test_a_long_line_is_cut_and_named(begun):
    begun.write("b", "x" * 1000 + "\n")
    found = compared(begun)
    assert found.lines[-1] == "  +" + "x" * 399 + "… (601 more characters)"
    assert found.unshown == ["b"]


def test_a_change_far_along_a_line_is_a_change(begun):
    begun.write("b", "x" * 1000 + "1\n")
    base = begun.commit()
    begun.write("b", "x" * 1000 + "2\n")
    session = open_session(folder=str(begun.root), base=base, cache=False)
    found = difference(session.evidence)
    session.close()
    assert found is not None
    assert len(found.lines) == 4
    assert found.unshown == ["b"]


def test_files_of_many_lines_are_not_compared_without_end(begun, monkeypatch):
    monkeypatch.setattr(module, "MAX_COMPARED_LINES", 10)
    begun.write("a", "x\n")
    begun.write("b", "y\n" * 15)
    found = compared(begun)
    assert found.lines[:2] == ["changed a", "  too long to compare line by line: 20 → 1 lines"]
    assert found.unshown == ["a"]
    assert found.lines.count("  +y") == 15


def test_when_the_time_is_over_the_rest_is_named(begun, monkeypatch):
    monkeypatch.setattr(module, "MAX_SECONDS", -1.0)
    begun.write("b", "x\n")
    found = compared(begun)
    assert (found.lines, found.unshown) == (["added b"], ["b"])


def test_what_cannot_be_read_is_named(begun):
    os.mkfifo(begun.root / "pipe")
    found = compared(begun)
    assert found.unshown == ["pipe"]
    assert found.lines[1].startswith("  it cannot be shown: ")


def test_a_file_that_changes_between_two_reads_is_not_shown_as_if_it_had_not(begun):
    begun.write("b", "first\n")
    session = open_session(folder=str(begun.root), base="main", cache=False)
    session.evidence.final_nodes()
    begun.write("b", "second\n")
    found = difference(session.evidence)
    session.close()
    assert found is not None
    assert (found.lines[1], found.unshown) == ("  it cannot be shown: it changed while it was being read", ["b"])


def test_submodules_are_told(begun):
    begun.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    begun.git("commit", "-q", "-m", "a module")
    base = begun.git("rev-parse", "main")
    begun.write("module/file", "x\n")
    session = open_session(folder=str(begun.root), base=base, cache=False)
    found = difference(session.evidence)
    session.close()
    assert found is not None
    assert found.lines == ["1 files lie in submodules; they are not compared with a base"]
    begun.git("update-index", "--cacheinfo", f"160000,{'2' * 40},module")
    found = compared(begun, "index")
    assert found.lines == ["changed module", f"  submodule {'1' * 40} → {'2' * 40}"]
    assert found.unshown == ["module"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a\tb"),
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202eabc", "\\u202eabc"),
        ("读 é", "读 é"),
        ("\udc80", "\\x80"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


def test_visible_is_bounded():
    assert visible("x" * 10_000).endswith("x… (2,000 more characters)")
    assert visible("abc", 2) == "ab… (1 more characters)"
