from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support import Repo

from backcheck.evidence.globs import Globs
from backcheck.evidence.limits import MAX_TEXT
from backcheck.evidence.patterns import compile_pattern
from backcheck.evidence.reading import Unreadable
from backcheck.evidence.search import Search
from backcheck.evidence.workspace import DiskTree, Kind, Workspace
from backcheck.surfaces.session import Session, open_session
from backcheck.testing import Content, Fifo, Folder, Link, Sparse, write_tree

CONTRACT = "version: 1\nrequirements:\n  - {id: a, check: file-exists, with: {file: a.txt}}\n"
TREE: dict[str, Content] = {
    ".backcheck/contract.yaml": CONTRACT,
    "a.txt": "alpha TODO\n",
    "sub/b.txt": b"\xff\x00beta",
    "sub/deep/c.sh": "#!/bin/sh\n",
    "link": Link("sub/b.txt"),
    "empty": "",
}


def search(*globs: str, ignored: bool = False) -> Search:
    pattern = compile_pattern("TODO", lines=True)
    return Search(key="|".join(globs), globs=Globs(globs), pattern=pattern, ignored=ignored)


def opened(repo: Repo, tree: str = "worktree", **more: object) -> Session:
    return open_session(folder=str(repo.root), tree=tree, cache=False, **more)  # type: ignore[arg-type]


def digest(repo: Repo, tree: str = "worktree") -> str:
    session = opened(repo, tree)
    try:
        return session.tree.survey([]).digest
    finally:
        session.close()


def test_disk_index_and_revision_have_one_digest(repo: Repo) -> None:
    write_tree(repo.root, TREE)
    (repo.root / "sub/deep/c.sh").chmod(0o755)
    repo.commit()
    assert digest(repo) == digest(repo, "index") == digest(repo, "HEAD")


@pytest.mark.parametrize(
    "change", ["content", "name", "mode", "link", "new", "removed", "moved"],
)  # fmt: skip
def test_every_change_of_the_tree_changes_its_digest(repo: Repo, change: str) -> None:
    write_tree(repo.root, TREE)
    repo.commit()
    before = digest(repo)
    root = repo.root
    if change == "content":
        (root / "a.txt").write_text("alpha T0DO\n")
    elif change == "name":
        (root / "a.txt").rename(root / "A.txt")
        (root / "a.txt").write_text("alpha TODO\n")
        (root / "A.txt").unlink()
        (root / "empty").rename(root / "empty2")
    elif change == "mode":
        (root / "a.txt").chmod(0o755)
    elif change == "link":
        (root / "link").unlink()
        (root / "link").symlink_to("a.txt")
    elif change == "new":
        (root / "new.txt").write_text("")
    elif change == "removed":
        (root / "empty").unlink()
    else:
        (root / "sub/b.txt").rename(root / "b.txt")
    assert digest(repo) != before


def test_ignored_files_are_outside_unless_tracked(repo: Repo) -> None:
    write_tree(repo.root, {**TREE, ".gitignore": "*.log\nout/\n!keep.log\n", "forced.log": "x"})
    repo.git("add", "-f", "forced.log")
    repo.commit()
    before = digest(repo)
    repo.write("noise.log", "TODO")
    repo.write("out/x.txt", "TODO")
    assert digest(repo) == before
    repo.write("keep.log", "")
    assert digest(repo) != before
    (repo.root / "keep.log").unlink()
    repo.write("forced.log", "changed")
    assert digest(repo) != before


def test_ignore_rules_are_the_bases_not_the_agents(repo: Repo) -> None:
    write_tree(repo.root, TREE)
    base = repo.commit()
    repo.write(".gitignore", "hidden/\n")
    repo.write(".git/info/exclude", "hidden/\n")
    repo.write("hidden/x.txt", "TODO\n")
    session = opened(repo, base=base)
    tally = session.tree.survey([search("**/*.txt")]).tallies[0]
    session.close()
    assert ("hidden/x.txt", 1) in [(path, hit.line) for path, hit in tally.hits]


def test_what_holds_for_one_ending_in_a_folder_holds_for_no_other(repo: Repo) -> None:
    write_tree(repo.root, {"d/a.md": "TODO", "d/b.txt": "TODO", "d/c.txt": "TODO", "d/d.md": "TODO", "d/e": "TODO", "d/f.x.txt": "TODO",
                           "d/a.log": "TODO", "d/b.log": "TODO", ".gitignore": "a.log\n", ".backcheck/contract.yaml": CONTRACT})  # fmt: skip
    repo.commit()
    session = opened(repo)
    texts, logs = session.tree.survey([search("**/*.txt"), search("d/*.{log,none}")]).tallies
    session.close()
    assert sorted(path for path, _ in texts.hits) == ["d/b.txt", "d/c.txt", "d/f.x.txt"]
    assert [path for path, _ in logs.hits] == ["d/b.log"]


def test_ignored_files_are_searched_on_demand(repo: Repo) -> None:
    write_tree(repo.root, {**TREE, ".gitignore": "out/\n*.log\n"})
    repo.commit()
    write_tree(repo.root, {"out/x.txt": "TODO", "n.log": "TODO", "out/node_modules/y.txt": "TODO"})
    session = opened(repo)
    plain, deep = session.tree.survey([search("**"), search("**/*", ignored=True)]).tallies
    session.close()
    assert [path for path, _ in plain.hits] == ["a.txt"]
    assert sorted(path for path, _ in deep.hits) == ["a.txt", "n.log", "out/x.txt"]


ENTRIES = [
    ("a.txt", Kind.FILE, ""), ("sub", Kind.FOLDER, "is a folder"), (".", Kind.FOLDER, "is a folder"),
    ("none", Kind.MISSING, "is not there"), ("link", Kind.FILE, ""), ("out", Kind.OUTSIDE, "is a link out of the tree"),
    ("outdir/x", Kind.OUTSIDE, "is a link out of the tree"), ("loop", Kind.MISSING, "is a link"),
    ("dangling", Kind.MISSING, "is a link that leads nowhere"), ("fifo", Kind.SPECIAL, "is a FIFO"),
    ("/etc/passwd", Kind.OUTSIDE, "absolute"), ("../x", Kind.OUTSIDE, "`..`"), ("a\0b", Kind.OUTSIDE, "NUL"),
    ("a.txt/x", Kind.MISSING, "is not there"), ("./sub//b.txt", Kind.FILE, ""),
]  # fmt: skip


@pytest.mark.parametrize(("path", "kind", "note"), ENTRIES)
def test_entries_on_disk(tmp_path: Path, path: str, kind: Kind, note: str) -> None:
    write_tree(tmp_path, {**TREE, "fifo": Fifo(), "out": Link("/etc/hostname"), "outdir": Link("/etc"), "loop": Link("loop"),
                          "dangling": Link("nowhere")})  # fmt: skip
    entry = DiskTree(str(tmp_path)).entry(path)
    assert entry.kind is kind, entry
    assert note in entry.note


def test_entries_in_a_revision(repo: Repo) -> None:
    write_tree(
        repo.root,
        {**TREE, "out": Link("/etc/hostname"), "up": Link("../../x"), "dir": Link("sub"), "loop": Link("loop")},
    )
    repo.commit()
    session = opened(repo, "HEAD")
    tree: Workspace = session.tree
    kinds = {
        path: tree.entry(path).kind
        for path in ("a.txt", "sub", "none", "link", "out", "up", "dir/b.txt", "loop", "../x")
    }
    content = tree.read("dir/b.txt", limit=MAX_TEXT)
    names = tree.names("sub")
    session.close()
    assert kinds == {
        "a.txt": Kind.FILE, "sub": Kind.FOLDER, "none": Kind.MISSING, "link": Kind.FILE, "out": Kind.OUTSIDE,
        "up": Kind.OUTSIDE, "dir/b.txt": Kind.FILE, "loop": Kind.OUTSIDE, "../x": Kind.OUTSIDE,
    }  # fmt: skip
    assert content == b"\xff\x00beta"
    assert names == ["b.txt", "deep"]


def test_reading_is_bounded(tmp_path: Path) -> None:
    write_tree(tmp_path, {"big": Sparse(MAX_TEXT + 1), "fifo": Fifo(), "folder": Folder()})
    tree = DiskTree(str(tmp_path))
    for path, words in (
        ("big", "the limit is 16 MiB"),
        ("fifo", "is a FIFO"),
        ("folder", "is a folder"),
        ("none", "is not there"),
    ):
        with pytest.raises(Unreadable, match=words):
            tree.read(path, limit=MAX_TEXT)
    assert len(tree.read("big", limit=MAX_TEXT + 1)) == MAX_TEXT + 1


def test_what_cannot_be_searched_is_told(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.txt": "x", "big.txt": Sparse(600 * 1024 * 1024), "out.txt": Link("/etc/hostname"), "fifo.txt": Fifo(),
                          "tofifo.txt": Link("fifo.txt")})  # fmt: skip
    tally = DiskTree(str(tmp_path)).survey([search("*.txt")]).tallies[0]
    assert {path: reason.split(";")[0] for path, reason in tally.problems} == {
        "big.txt": "holds 600 MiB", "out.txt": "is a link out of the tree", "fifo.txt": "is a FIFO",
        "tofifo.txt": "is a link to a special file",
    }  # fmt: skip


def test_a_large_file_is_searched_in_windows(tmp_path: Path) -> None:
    write_tree(tmp_path, {"big.txt": Sparse(40 * 1024 * 1024, b"\nlast TODO")})
    result = DiskTree(str(tmp_path)).survey([search("*.txt")])
    assert [(path, hit.line) for path, hit in result.tallies[0].hits] == [("big.txt", 2)]


def test_workers_do_not_read_each_others_answers_of_git(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {f"d{folder}/{folder}.{end}": f"{folder}" for folder in range(150) for end in ("txt", "log")}
    write_tree(repo.root, {**TREE, **tree, ".gitignore": "*.log\n"})
    repo.git("add", "-f", "d7/7.log", "d140/140.log")
    base = repo.commit()
    repo.git("rm", "-q", "--cached", "d140/140.log")
    seen = []
    for workers in (1, 4):
        monkeypatch.setattr("os.cpu_count", lambda count=workers: count)
        session = opened(repo, base=base)
        session.place.reader.blob(f"{base}:a.txt")  # type: ignore[union-attr]
        result = session.tree.survey([])
        seen.append((result.digest, result.files))
        # The parent's own conversation goes on.
        assert session.place.reader.blob(f"{base}:a.txt") == b"alpha TODO\n"  # type: ignore[union-attr]
        session.close()
    assert seen[0] == seen[1]
    assert seen[0][1] == len(TREE) + 1 + 150 + 2


def test_a_repository_within_the_tree_is_read_anew_each_time(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backcheck.evidence.folder.RACY", -10_000_000_000)
    monkeypatch.setattr("backcheck.evidence.cache.MIN_ROWS", 1)
    write_tree(repo.root, {"a.txt": "x", "sub/in/b.txt": "x"})
    Repo(repo.root / "sub")
    tree = DiskTree(str(repo.root), cache=True)
    tree.survey([])
    assert tree.survey([]).reused == 1


def test_the_cache_changes_no_answer(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    for folder in range(70):
        write_tree(root, {f"d{folder}/f{n}.txt": f"text {folder} {n}\n" for n in range(3)})
    write_tree(root, {"d7/f1.txt": "TODO\n"})
    old = 1_600_000_000
    for path in root.rglob("*.txt"):
        os.utime(path, (old, old))

    def ask(cache: bool) -> tuple[str, list[str], int]:
        result = DiskTree(str(root), cache=cache).survey([search("**/*.txt")])
        return result.digest, [path for path, _ in result.tallies[0].hits], result.reused

    fresh = ask(False)
    assert fresh[1] == ["d7/f1.txt"]
    ask(True)
    # Just written files are not remembered: their change time lies within the clock's grain.
    assert ask(True)[:2] == fresh[:2]
    write_tree(root, {"d9/f0.txt": "TODO\n"})
    assert ask(True)[1] == ["d7/f1.txt", "d9/f0.txt"]
    (root / "d7/f1.txt").write_text("tada\n")
    assert ask(True)[1] == ["d9/f0.txt"]
    assert ask(True)[0] == ask(False)[0]


def test_the_cache_is_used_and_an_edit_that_keeps_size_and_mtime_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "tree"
    write_tree(root, {"d/a.txt": "TODO\n", "e/b.txt": "nothing\n"})
    monkeypatch.setattr("backcheck.evidence.folder.RACY", -10_000_000_000)
    monkeypatch.setattr("backcheck.evidence.cache.MIN_ROWS", 1)
    tree = DiskTree(str(root), cache=True)
    first = tree.survey([search("**")])
    second = tree.survey([search("**")])
    assert (first.reused, second.reused) == (0, 3)
    assert (second.digest, second.tallies[0].hits) == (first.digest, first.tallies[0].hits)
    state = (root / "e/b.txt").stat()
    (root / "e/b.txt").write_text("TODO!!!\n")
    os.utime(root / "e/b.txt", ns=(state.st_atime_ns, state.st_mtime_ns))
    third = tree.survey([search("**")])
    assert [path for path, _ in third.tallies[0].hits] == ["d/a.txt", "e/b.txt"]


def test_a_forged_or_broken_cache_is_no_crash(tmp_path: Path) -> None:
    write_tree(tmp_path / "t", {"a.txt": "TODO"})
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "backcheck"
    tree = DiskTree(str(tmp_path / "t"), cache=True)
    tree.survey([search("**")])
    for path in cache.glob("survey-*"):
        path.write_bytes(b"\xc1 not msgpack")
    assert [p for p, _ in tree.survey([search("**")]).tallies[0].hits] == ["a.txt"]
