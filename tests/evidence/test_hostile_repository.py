"""No repository can make backcheck run its programs, or see other bytes than it holds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.evidence.hostile_repos import CLEAN, CONTRACT, DIRT, PLACES, Trap, Yard
from tests.evidence.hostile_traps import TRAPS
from tests.hostile.runner import Outcome, Runner

ALL = {"lacks", "says", "scope"}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(tmp_path_factory.mktemp("home")) as made:
        yield made


def judge(runner: Runner, yard: Yard, place: str, *more: str, env: dict[str, str] | None = None) -> Outcome:
    """One place judged against the clean base, from inside the tree as a hook does."""
    argv = ["check", "--json", "--tree", place, "--base", yard.base, *more]
    outcome = runner.ask(argv, cwd=yard.root, env=env)
    assert outcome.answered, outcome.told()
    assert not yard.marker.exists(), f"a program of the repository ran: {yard.marker.read_text()}"
    return outcome


def assert_exact(outcome: Outcome, trap: Trap, place: str, dirty: bool) -> None:
    """The dirt is found where it is, and nowhere else."""
    if place in trap.exits:
        assert outcome.code in trap.exits[place], outcome.told()
        assert not dirty or outcome.code != 0, outcome.told()
        return
    found = ({"lacks", "scope"} if trap.hidden and place == "worktree" else ALL) if dirty else set()
    not_passed = {name for name, status in outcome.statuses.items() if status != "pass"}
    assert not_passed == found, f"{trap.name} {place}\n{outcome.told()}"
    assert outcome.code == int(dirty), outcome.told()
    if dirty and place not in trap.murky:
        assert {outcome.statuses[name] for name in found} == {"fail"}, outcome.told()


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)
def test_each_place_is_judged_by_its_own_bytes_and_nothing_runs(trap: Trap, tmp_path: Path, runner: Runner) -> None:
    if trap.root_only and os.geteuid() != 0:
        pytest.skip("only root can give a tree to another owner")
    yard = Yard(tmp_path)
    trap.build(yard)
    env = trap.environment(yard)
    yard.marker.unlink(missing_ok=True)
    for dirty in (None, *PLACES):
        if dirty:
            yard.dirty(dirty, trap)
        if dirty == "worktree" and trap.fooled:
            assert yard.git(*trap.fooled) == "", "the trap fools no git, so it proves nothing"
        for place in PLACES:
            assert_exact(judge(runner, yard, place, env=env), trap, place, place == dirty)
        if dirty:
            yard.clean(dirty, trap)
    without_base = runner.ask(["check", "--json"], cwd=yard.root, env=env)
    assert without_base.code == 3, without_base.told()
    assert not yard.marker.exists()


@pytest.mark.parametrize("trap", [trap for trap in TRAPS if trap.provoke], ids=lambda trap: trap.name)
def test_the_trap_is_live(trap: Trap, tmp_path: Path) -> None:
    """A plain git does run the program: a trap that nothing can spring would prove nothing."""
    yard = Yard(tmp_path)
    trap.build(yard)
    yard.marker.unlink(missing_ok=True)
    yard.dirty("worktree", trap)
    yard.git(*trap.provoke, stdin="protocol=https\nhost=example.invalid\n", check=False)
    assert yard.marker.exists()


ODD_NAMES = ("-n", "--help", "--", "HEAD", ":(top)x", ":!x", "new\nline", "tab\t", 'quo"te', "back\\slash", "é", "e\u0301",
             "\udcff\udcfe", " ", "*", "$(touch x)", "%s", "\x1b[2J", "a" * 250)  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_judged_like_others(name: str, tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    for folder in ("src", "protected"):
        os.makedirs(yard.root / folder / name)
        for path in (yard.root / folder / name / name, yard.root / folder / f"{name}.txt"[-255:]):
            path.write_text("FORBIDDEN\n")
    for place in PLACES:
        outcome = judge(runner, yard, place)
        assert outcome.code == int(place == "worktree"), outcome.told()
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", "odd")
    for place in PLACES:
        outcome = judge(runner, yard, place)
        assert outcome.statuses == {"lacks": "fail", "says": "pass", "scope": "fail"}, outcome.told()
        assert len(outcome.document["findings"][0]["where"]) == 2, outcome.told()
        assert len(outcome.document["findings"][2]["where"]) == 2, outcome.told()


def test_a_name_that_is_a_program_of_ours_is_not_imported(tmp_path: Path) -> None:
    """Modules beside the contract, as `PYTHONPATH` or the current folder would offer them, stay unread."""
    yard = Yard(tmp_path)
    for name in ("click", "re2", "regex", "msgspec", "ruamel", "sitecustomize", "usercustomize", "backcheck", "json"):
        yard.write(f"{name}.py", f"open({str(yard.marker)!r}, 'w').close()\n")
    script = Path(sys.executable).parent / "backcheck"
    done = subprocess.run(
        [str(script), "check", "--base", yard.base], cwd=yard.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not yard.marker.exists()


def test_a_nested_repository_hides_nothing(tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    for folder in ("src/inner", "protected/inner"):
        yard.write(f"{folder}/evil.txt", "FORBIDDEN\n")
        subprocess.run(["git", "init", "-q", str(yard.root / folder)], check=True, capture_output=True)
    assert "evil" not in yard.git("status", "--porcelain", "-uall")
    outcome = judge(runner, yard, "worktree")
    assert outcome.statuses == {"lacks": "fail", "says": "pass", "scope": "fail"}, outcome.told()


def test_a_base_that_the_agent_can_move_is_said_to_be_movable(tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    yard.in_store("refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n")
    yard.in_store("refs/remotes/origin/main", f"{yard.base}\n")
    yard.dirty("HEAD", TRAPS[0])
    honest = runner.ask(["check", "--json", "--tree", "HEAD"], cwd=yard.root)
    assert (honest.code, honest.document["base"]["movable"]) == (1, True), honest.told()
    yard.in_store("refs/remotes/origin/main", f"{yard.dirty_commit}\n")
    moved = runner.ask(["check", "--json", "--tree", "HEAD"], cwd=yard.root)
    assert (moved.document["base"]["commit"], moved.document["base"]["movable"]) == (yard.dirty_commit, True)
    fixed = judge(runner, yard, "HEAD")
    assert (fixed.code, fixed.document["base"]["movable"]) == (1, False), fixed.told()


def test_a_linked_worktree_is_judged_by_its_own_files(tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    yard.git("worktree", "add", "-q", str(tmp_path / "linked"))
    for path, text in DIRT.items():
        (tmp_path / "linked" / path).write_text(text)
    outcome = runner.ask(["check", "--json", "--base", yard.base], cwd=tmp_path / "linked")
    assert set(outcome.statuses.values()) == {"fail"}, outcome.told()
    assert judge(runner, yard, "worktree").code == 0


def test_a_foreign_common_folder_is_not_the_base(tmp_path: Path, runner: Runner) -> None:
    yard, other = Yard(tmp_path / "a"), Yard(tmp_path / "b")
    other.write("src/a.txt", "another\n")
    other.git("commit", "-q", "-a", "-m", "another history")
    yard.in_store("commondir", f"{other.store}\n")
    other.config(("core.fsmonitor", other.program()))
    shutil.rmtree(yard.store / "objects")
    outcome = runner.ask(["check", "--base", yard.dirty_commit], cwd=yard.root)
    assert outcome.code == 2 or outcome.code == 1, outcome.told()
    assert not other.marker.exists()


@pytest.mark.parametrize("place", ["config", "HEAD", "objects", "refs"])
def test_a_damaged_repository_is_no_repository_without_a_base(place: str, tmp_path: Path, runner: Runner) -> None:
    """Who can break the repository must not thereby choose the contract: it is an error, not a missing base."""
    yard = Yard(tmp_path)
    yard.in_store("refs/remotes/origin/main", f"{yard.base}\n")
    yard.write(".backcheck/contract.yaml", CONTRACT.replace("FORBIDDEN", "OTHER"))
    target = yard.store / place
    shutil.rmtree(target) if target.is_dir() else target.unlink()
    if place == "config":
        yard.in_store("config", "[core\n")
    outcome = runner.ask(["check"], cwd=yard.root)
    assert outcome.code == 2, outcome.told()
    assert outcome.err.count("\n") == 1
    assert "git" in outcome.err


@pytest.mark.parametrize("victim", ["tree", "commit", "contract"])
def test_a_forged_base_is_not_believed(victim: str, tmp_path: Path, runner: Runner) -> None:
    """The agent's own objects under the names of the base's: git believes them, backcheck does not."""
    yard = Yard(tmp_path)
    yard.write(".backcheck/contract.yaml", CONTRACT.replace("FORBIDDEN", "OTHER"))
    yard.write("src/a.txt", "FORBIDDEN\n")
    yard.git("commit", "-q", "-a", "-m", "weak")
    old, new = {
        "tree": (f"{yard.base}:.backcheck", "HEAD:.backcheck"),
        "commit": (yard.base, "HEAD"),
        "contract": (f"{yard.base}:.backcheck/contract.yaml", "HEAD:.backcheck/contract.yaml"),
    }[victim]
    yard.forge(yard.git("rev-parse", old), yard.git("rev-parse", new))
    for place in ("worktree", "index"):
        outcome = judge(runner, yard, place)
        assert outcome.code == 2, outcome.told()
        assert outcome.err.count("\n") == 1
        # A forged commit is found by git itself, which then knows no commit of that name.
        assert ("no such commit" if victim == "commit" else "do not hash to its id") in outcome.err


PATIENCE = {"backcheck.evidence.git.LOOKUP_TIMEOUT": 0.5, "backcheck.evidence.git.TIMEOUT": 0.5,
            "backcheck.evidence.objects.ANSWER_TIMEOUT": 0.5}  # fmt: skip


#: What is not read for an answer, or whose loss changes none: there a pass is right.
ALWAYS_UNUSED = ("packed-refs", "refs/heads/main", "info/attributes", "shallow", "backcheck/ledger.db")
UNUSED = {"worktree": ("index", "far-blob"), "HEAD": ("index",)}


@pytest.mark.parametrize("place", ["commondir", "HEAD", "index", "packed-refs", "refs/heads/main", "included", "info/attributes",
                                   "objects/info/alternates", "shallow", "contract-blob", "far-blob", "base-commit",
                                   "backcheck/ledger.db"])  # fmt: skip
def test_a_pipe_in_the_git_folder_does_not_hold_us_up(place: str, tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    blobs = {"contract-blob": "HEAD:.backcheck/contract.yaml", "far-blob": "HEAD:src/far.txt", "base-commit": "HEAD"}
    target = yard.object_file(yard.git("rev-parse", blobs[place])) if place in blobs else yard.store / place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    os.mkfifo(target)
    if place == "included":
        yard.in_store("config", f"[include]\n\tpath = {target}\n")
    for tree in PLACES:
        outcome = runner.ask(["check", "--json", "--tree", tree, "--base", yard.base], cwd=yard.root, patch=PATIENCE)
        assert outcome.answered, outcome.told()
        harmless = place in UNUSED.get(tree, ()) or place in ALWAYS_UNUSED
        assert outcome.code in ((0, 2, 3) if harmless else (2, 3)), outcome.told()


def test_no_device_is_read_in_the_git_folder(tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    (yard.store / "commondir").symlink_to("/dev/zero")
    outcome = runner.ask(["check", "--base", yard.base], cwd=yard.root)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1), outcome.told()


def test_an_index_of_a_hundred_thousand_paths(tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    blob = yard.git("rev-parse", "HEAD:src/far.txt")
    evil = yard.git("hash-object", "-w", "--stdin", stdin="FORBIDDEN\n")
    lines = [f"100644 {blob}\tsrc/many/{number % 300}/{number}.txt" for number in range(100_000)]
    yard.git("update-index", "--index-info", stdin="\n".join([*lines, f"100644 {evil}\tsrc/many/7/evil.txt"]) + "\n")
    argv = ["check", "--json", "--base", yard.base, "--tree"]
    index = runner.ask([*argv, "index"], cwd=yard.root, limit=40)
    assert index.statuses == {"lacks": "fail", "says": "pass", "scope": "pass"}, index.told()
    assert index.document["findings"][0]["where"] == [{"path": "src/many/7/evil.txt", "line": 1}]
    assert runner.ask([*argv, "worktree"], cwd=yard.root).code == 0


def test_a_tree_that_unfolds_without_end(tmp_path: Path, runner: Runner) -> None:
    """Ten trees that name each other ten times make 10^10 folders, which nobody can walk."""
    yard = Yard(tmp_path)
    tree = yard.git("mktree", stdin="")
    for _ in range(10):
        tree = yard.git("mktree", stdin="".join(f"040000 tree {tree}\t{name}\n" for name in range(10)))
    bomb = yard.git("commit-tree", tree, "-m", "bomb")
    outcome = runner.ask(["check", "--base", yard.base, "--tree", bomb], cwd=yard.root, limit=30)
    assert outcome.code == 2, outcome.told()


@pytest.mark.parametrize("mode", ["040000", "100664", "0120000"])
def test_modes_that_old_tools_wrote_hide_nothing(mode: str, tmp_path: Path, runner: Runner) -> None:
    """git takes `040000` for a folder, so its files are judged."""
    yard = Yard(tmp_path)
    evil = yard.git("hash-object", "-w", "--stdin", stdin="FORBIDDEN\n")
    child = evil if mode == "100664" else yard.git("mktree", stdin=f"100644 blob {evil}\tevil.txt\n")
    if mode == "0120000":
        child = yard.git("hash-object", "-w", "--stdin", stdin="/etc")
    source = yard.git("rev-parse", "HEAD:src")
    raw = subprocess.run(["git", "cat-file", "tree", source], cwd=yard.root, check=True, capture_output=True).stdout
    raw += mode.encode() + b" zz\0" + bytes.fromhex(child)
    made = subprocess.run(["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"], cwd=yard.root, input=raw,
                          check=True, capture_output=True).stdout.decode().strip()  # fmt: skip
    rest = [line for line in yard.git("ls-tree", "HEAD").splitlines() if not line.endswith("\tsrc")]
    top = yard.git("mktree", stdin="\n".join([*rest, f"040000 tree {made}\tsrc"]) + "\n")
    commit = yard.git("commit-tree", top, "-p", yard.base, "-m", "modes")
    outcome = judge(runner, yard, commit)
    assert outcome.statuses["lacks"] == ("unclear" if mode == "0120000" else "fail"), outcome.told()


@pytest.mark.parametrize("target", ["../docs", "../docs/../docs", "deep/../../docs", "../hop"])
def test_a_link_in_a_commit_offers_its_files_under_its_own_name(target: str, tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    yard.write("docs/x.txt", "FORBIDDEN\n")
    yard.write("src/deep/y.txt", "fine\n")
    (yard.root / "hop").symlink_to("docs")
    (yard.root / "src/link").symlink_to(target)
    (yard.root / "src/one.txt").symlink_to("../docs/x.txt")
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", "links")
    outcome = judge(runner, yard, "HEAD")
    places = {place["path"] for place in outcome.document["findings"][0]["where"]}
    assert places == {"src/link/x.txt", "src/one.txt"}, outcome.told()


@pytest.mark.parametrize("target", ["/etc", "../../outside", "link"])
def test_a_link_out_of_a_commit_is_unclear(target: str, tmp_path: Path, runner: Runner) -> None:
    yard = Yard(tmp_path)
    (yard.root / "src/link").symlink_to(target)
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", "links")
    for place in ("index", "HEAD"):
        assert judge(runner, yard, place).statuses["lacks"] == "unclear"


def test_a_sprung_trap_leaves_no_process(tmp_path: Path) -> None:
    yard = Yard(tmp_path)
    waiting = yard.write("tools/waits", f"#!/bin/sh\nsleep 300 >/dev/null 2>&1 & echo $! > '{tmp_path}/pid'\n")
    waiting.chmod(0o755)
    yard.git("-c", f"alias.waits=!{waiting}", "waits")
    pid = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 10
    while not gone(pid):
        assert time.monotonic() < until, "it still runs"


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_what_is_clean_is_clean() -> None:
    """The two states differ in every requirement, or the matrix above would prove nothing."""
    assert set(DIRT) < set(CLEAN)
    assert "FORBIDDEN" not in "".join(CLEAN[path] for path in CLEAN if path.startswith("src"))
    assert len({trap.name for trap in TRAPS}) == len(TRAPS) >= 18
