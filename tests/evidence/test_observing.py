"""Clean copies, isolation and prepared environments, with real processes; isolation needs a real bubblewrap."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest
from tests.support import Repo, require

from backcheck.evidence import cleancopy, prepared, sandbox
from backcheck.evidence.cleancopy import CopyProblem, copy_disk, copy_objects
from backcheck.evidence.commands import Limits, allowed_environment
from backcheck.evidence.git import discover
from backcheck.evidence.objects import Node, ObjectReader, tree_of
from backcheck.evidence.observing import NotObserved, Plan, observe
from backcheck.verdict import Isolation

FAST = Limits(seconds=30)


@pytest.fixture
def isolated() -> None:
    require("bwrap", "isolated runs were not tested")
    if not sandbox.bubblewrap():
        pytest.skip("bubblewrap may not make namespaces here: isolated runs were not tested")


def plan(tree: Path, **more) -> Plan:
    paths = [str(p.relative_to(tree)) for p in sorted(tree.rglob("*")) if not p.is_dir() or p.is_symlink()]
    values = {"copy": lambda into: copy_disk(str(tree), paths, into), "paths": lambda: paths, "digest": lambda: "d"}
    return Plan(**{**values, **more})


def ask(tree: Path, command: str, reports: tuple[str, ...] = (), **more):
    return observe(plan(tree, **more), ["/bin/sh", "-c", command], "", allowed_environment(), FAST, reports)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_bytes(b"a\r\n")
    (root / "sub/run.sh").write_text("#!/bin/sh\necho ran\n")
    (root / "sub/run.sh").chmod(0o755)
    (root / "link").symlink_to("a.txt")
    return root


def test_a_copy_is_the_same_bytes_modes_and_links_from_disk_and_from_git(repo: Repo, tmp_path):
    repo.write("a.txt", b"a\r\n")
    repo.write(".gitattributes", "*.txt text eol=lf filter=bad\n")
    repo.write("sub/run.sh", "#!/bin/sh\n").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    commit = repo.commit()
    repository = discover(repo.root)
    assert repository is not None
    with ObjectReader(repository) as reader:
        nodes = tree_of(reader, commit)
        copy_objects(nodes, reader.blob, str(_made(tmp_path / "git")))
    copy_disk(str(repo.root), list(nodes), str(_made(tmp_path / "disk")))
    for copy in (tmp_path / "git", tmp_path / "disk"):
        assert sorted(str(p.relative_to(copy)) for p in copy.rglob("*")) == sorted([*nodes, "sub"])
        assert stat.S_IMODE((copy / "sub/run.sh").stat().st_mode) == 0o755
        assert os.readlink(copy / "link") == "a.txt"
    # git stored LF for a.txt (its attribute asks for it): each copy holds exactly what was judged.
    assert (tmp_path / "disk/a.txt").read_bytes() == b"a\r\n"
    assert (tmp_path / "git/a.txt").read_bytes() == b"a\n"


def _made(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a/../../b", ".git/config", "sub/.git/hooks/x", "a//b"])
def test_no_path_of_a_tree_leads_out_of_the_copy(path, tmp_path):
    with pytest.raises(CopyProblem):
        copy_objects({path: Node("100644", "0")}, lambda _: b"x", str(_made(tmp_path / "copy")))
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "copy"]


def test_a_file_behind_a_link_of_the_tree_is_not_written(tmp_path):
    nodes = {"dir": Node("120000", "1"), "dir/file": Node("100644", "2")}
    blobs = {"1": str(tmp_path).encode(), "2": b"x"}
    with pytest.raises(CopyProblem, match="link"):
        copy_objects(nodes, blobs.get, str(_made(tmp_path / "copy")))
    assert not (tmp_path / "file").exists()


def test_what_a_copy_lacks_is_told(tmp_path):
    nodes = {"lib": Node("160000", "1"), "big.bin": Node("100644", "2"), "out": Node("120000", "3")}
    blobs = {"2": cleancopy.POINTER + b"oid sha256:00\n", "3": b"../../etc"}
    copied = copy_objects(nodes, blobs.get, str(_made(tmp_path / "copy")))
    assert dict(copied.missing).keys() == {"lib", "big.bin", "out"}


def test_a_command_sees_the_copy_and_leaves_nothing_in_the_tree(tree):
    before = sorted(tree.rglob("*"))
    seen = ask(tree, "cat a.txt; ./sub/run.sh; echo x > made.txt; rm a.txt")
    assert (seen.result.code, seen.result.output) == (0, "a\r\nran\n")
    assert sorted(tree.rglob("*")) == before


def test_ignored_files_do_not_come_along(tree):
    (tree / "cache.pyc").write_bytes(b"poison")
    paths = ["a.txt"]
    seen = observe(
        Plan(copy=lambda into: copy_disk(str(tree), paths, into), paths=lambda: paths, digest=lambda: ""),
        ["/bin/sh", "-c", "ls"], "", allowed_environment(), FAST,
    )  # fmt: skip
    assert seen.result.output == "a.txt\n"


def test_a_fresh_report_is_read_and_one_of_the_tree_is_refused(tree):
    assert ask(tree, "echo 3 > r.txt", ("r.txt",)).reports == {"r.txt": b"3\n"}
    assert ask(tree, "true", ("r.txt",)).reports == {}
    assert ask(tree, "ln -s /etc/passwd r.txt", ("r.txt",)).reports == {}
    (tree / "r.txt").write_text("900 passed")
    with pytest.raises(NotObserved, match="already in the tree"):
        ask(tree, "true", ("r.txt",))


def test_it_is_said_where_nothing_isolates(tree, monkeypatch):
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")
    seen = ask(tree, "echo $HOME")
    assert seen.isolation is Isolation.NONE
    assert seen.result.output.strip() not in ("", os.environ["HOME"])


INSIDE = {
    "the tree's own folder is not seen": ("test -z \"$(ls -A {tree})\"", True),
    "the system cannot be written": ("touch /usr/x /etc/x", False),
    "the home is private": ("test -z \"$(ls -A $HOME)\" && touch $HOME/x", True),
    "the copy can be written": ("touch x", True),
    "no other process is seen": ("test $(ls -d /proc/[0-9]* | wc -l) -lt 6", True),
    "no variable but the allowed is seen": ("test -z \"$BACKCHECK_TEST_SECRET\"", True),
    "the parent cannot be signalled": ("kill -0 {pid}", False),
}  # fmt: skip


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("name", INSIDE)
def test_isolation(name, tree, monkeypatch):
    monkeypatch.setenv("BACKCHECK_TEST_SECRET", "x")
    command, works = INSIDE[name]
    seen = ask(tree, command.format(tree=tree, pid=os.getpid()), hidden=(str(tree),))
    assert seen.isolation is Isolation.PROCESS
    assert (seen.result.code == 0) is works, seen.result.output


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("allowed", [False, True])
def test_the_network_is_there_only_where_it_is_allowed(tree, allowed):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        call = f"python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {server.getsockname()[1]}), 5)'"
        assert (ask(tree, call, network=allowed).result.code == 0) is allowed


@pytest.mark.usefixtures("isolated")
def test_what_a_command_left_running_is_gone(tree, tmp_path):
    seen = ask(tree, "(setsid sleep 300 &) ; echo done")
    assert (seen.result.code, seen.result.output) == (0, "done\n")


@pytest.mark.parametrize("box", [True, False])
def test_a_program_that_is_not_there_is_the_machines_matter(tree, box, monkeypatch):
    if not box:
        monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")
    elif not sandbox.bubblewrap():
        pytest.skip("bubblewrap is not usable here: isolated runs were not tested")
    seen = observe(plan(tree), ["no-such-program"], "", allowed_environment(), FAST)
    assert "cannot be started" in seen.result.problem
    assert seen.result.code is None


@pytest.mark.usefixtures("isolated")
def test_a_program_that_is_named_by_its_path_is_seen(tree, tmp_path):
    """It lies in a folder that is empty behind the sandbox, and brings what stands beside its own folder."""
    program = tmp_path / "tools/bin/tool"
    program.parent.mkdir(parents=True)
    (tmp_path / "tools/lib").mkdir()
    (tmp_path / "tools/lib/words").write_text("found\n")
    program.write_text('#!/bin/sh\ncat "$(dirname "$0")/../lib/words"\n')
    program.chmod(0o755)
    seen = observe(plan(tree), [str(program)], "", allowed_environment(), FAST)
    assert (seen.result.code, seen.result.output) == (0, "found\n")


@pytest.mark.usefixtures("isolated")
def test_a_program_of_a_hidden_folder_uncovers_nothing(tree, tmp_path):
    program = tmp_path / "bin/tool"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    seen = observe(plan(tree, hidden=(str(tmp_path),)), [str(program)], "", allowed_environment(), FAST)
    assert "cannot be started" in seen.result.problem


@pytest.mark.usefixtures("isolated")
def test_a_signal_is_told_as_one(tree):
    assert ask(tree, "kill -SEGV $$").result.signal == "SIGSEGV"


@pytest.mark.usefixtures("isolated")
def test_a_prepared_environment_is_kept_by_its_lock_and_laid_over_read_only(tree, tmp_path):
    (tree / "uv.lock").write_text("one")
    prepare = ["/bin/sh", "-c", "mkdir -p .venv; date +%s%N > .venv/made"]
    more = {"prepare": prepare, "cache": tmp_path / "cache"}
    first = ask(tree, "cat .venv/made", **more).result.output
    assert first.strip()
    assert ask(tree, "cat .venv/made", **more).result.output == first
    assert ask(tree, "echo x > .venv/made", **more).result.code != 0
    (tree / "a.txt").write_text("the code may change")
    assert ask(tree, "cat .venv/made", **more).result.output == first
    (tree / "uv.lock").write_text("two")
    assert ask(tree, "cat .venv/made", **more).result.output != first


@pytest.mark.usefixtures("isolated")
def test_an_environment_that_copied_the_project_is_made_anew_for_other_code(tree, tmp_path):
    info = ".venv/lib/site-packages/demo-1.dist-info"
    said = '{"url": "file:///tmp/backcheck/tree", "dir_info": {}}'
    prepare = ["/bin/sh", "-c", f"mkdir -p {info}; echo '{said}' > {info}/direct_url.json; cp a.txt .venv/copied"]
    digests = iter("122")
    more = {"prepare": prepare, "cache": tmp_path / "cache", "digest": lambda: next(digests)}
    assert ask(tree, "cat .venv/copied", **more).result.output == "a\r\n"
    (tree / "a.txt").write_text("weakened")
    assert ask(tree, "cat .venv/copied", **more).result.output == "weakened"
    assert ask(tree, "cat .venv/copied", **more).result.output == "weakened"


@pytest.mark.parametrize(
    ("step", "word"), [("exit 7", "exit 7"), ("echo other > a.txt", "changed the tree"), ("kill -9 $$", "SIGKILL")]
)
def test_a_prepare_step_that_fails_or_changes_the_tree_is_no_run(tree, step, word):
    with pytest.raises(NotObserved, match=word):
        ask(tree, "true", prepare=["/bin/sh", "-c", step])


def test_files_that_decide_what_is_installed():
    paths = ["src/a.py", "uv.lock", "web/package.json", "requirements-dev.txt", "docs/requirements.md"]
    assert prepared.deciding_files(paths) == ["requirements-dev.txt", "uv.lock", "web/package.json"]
