"""Git LFS: a pointer stands for its content only where the content is here and is the one that it names."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from tests.support import Repo

from backcheck.checks.addedlines import Added, added
from backcheck.evidence.lfs import ELSEWHERE, Pointer, pointer
from backcheck.surfaces.cli.main import run as main
from backcheck.surfaces.session import open_session

CONTENT = b"picture \0 TODO\n" * 3
CONTRACT = """version: 1
requirements:
  - {id: scope, check: diff-scope, with: {protected: ["assets/**"]}}
  - {id: clean, check: absent, with: {glob: "assets/**", pattern: TODO}}
"""


def pointer_to(content: bytes, version: str = "https://git-lfs.github.com/spec/v1", ext: str = "") -> bytes:
    return f"version {version}\n{ext}oid sha256:{hashlib.sha256(content).hexdigest()}\nsize {len(content)}\n".encode()


POINTERS = {
    "as git-lfs writes it": (pointer_to(b"x"), True),
    "of the first name": (pointer_to(b"x", "https://hawser.github.com/spec/v1"), True),
    "with an extension": (pointer_to(b"x", ext="ext-0-foo sha256:" + "a" * 64 + "\n"), True),
    "with more behind it": (pointer_to(b"x") + b"code()\n", False),
    "with something before it": (b"#!/bin/sh\n" + pointer_to(b"x"), False),
    "without a size": (pointer_to(b"x").replace(b"size 1\n", b""), False),
    "of another origin": (pointer_to(b"x", "https://example.invalid/spec/v1"), False),
    "no pointer": (b"version https://", False),
}


@pytest.mark.parametrize("name", POINTERS)
def test_what_is_a_pointer(name):
    data, wanted = POINTERS[name]
    assert pointer(data) == (Pointer(hashlib.sha256(b"x").hexdigest(), 1) if wanted else None)


@pytest.fixture
def world(repo: Repo, capsys):
    """A base with a pointer, its content on disk; `ask` gives the statuses."""
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.write("assets/a.bin", pointer_to(b"quiet " + CONTENT[:8]))
    base = repo.commit()
    repo.write("assets/a.bin", b"quiet " + CONTENT[:8])

    def ask(*arguments: str) -> dict[str, Any]:
        capsys.readouterr()
        main(["check", "-C", str(repo.root), "--json", "--base", base, *arguments])
        return {f["requirement"]: f for f in json.loads(capsys.readouterr().out)["findings"]}

    repo.ask = ask  # type: ignore[attr-defined]
    return repo


def test_the_content_of_the_bases_pointer_is_no_change(world):
    assert world.ask()["scope"]["status"] == "pass"


@pytest.mark.parametrize("content", [b"quiet other88\0", b"quiet ", CONTENT], ids=["as long", "shorter", "longer"])
def test_other_content_is_a_change(world, content):
    world.write("assets/a.bin", content)
    assert world.ask()["scope"]["status"] == "fail"


def test_a_mode_is_a_change_all_the_same(world):
    (world.root / "assets/a.bin").chmod(0o755)
    assert world.ask()["scope"]["status"] == "fail"


def test_content_beyond_what_is_read_whole_is_compared(world, monkeypatch):
    monkeypatch.setattr("backcheck.evidence.blobs.MAX_FILE", 10)
    assert world.ask()["scope"]["status"] == "pass"
    world.write("assets/a.bin", b"quiet other88\0")
    assert world.ask()["scope"]["status"] == "fail"
    monkeypatch.setattr("backcheck.evidence.lfs.MAX_CONTENT", 10)
    finding = world.ask()["scope"]
    assert (finding["status"], finding["blame"]) == ("unclear", "environment")


def test_on_disk_a_pointer_is_not_searched_as_if_it_were_the_content(world):
    world.write("assets/a.bin", pointer_to(CONTENT))
    finding = world.ask()["clean"]
    assert finding["status"] == "unclear"
    assert ELSEWHERE in finding["reason"]


@pytest.mark.parametrize("tree", ["index", "HEAD"])
@pytest.mark.parametrize(
    ("stored", "status"),
    [(None, "unclear"), (CONTENT, "fail"), (b"quiet" * 9, "unclear")],
    ids=["elsewhere", "here", "another"],
)
def test_in_git_the_content_is_searched_where_it_is_here_and_verified(world, tree, stored, status):
    world.write("assets/a.bin", pointer_to(CONTENT))
    name = hashlib.sha256(CONTENT).hexdigest()
    if stored is not None:
        world.write(f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}", stored)
    world.commit()
    found = world.ask("--tree", tree)
    assert found["clean"]["status"] == status
    assert found["scope"]["status"] == "fail"


def test_the_digest_is_the_contents_on_disk_and_in_git(world):
    world.write("assets/a.bin", pointer_to(CONTENT))
    world.commit()
    digests = set()
    for tree in ("HEAD", "index", "worktree"):
        world.write("assets/a.bin", CONTENT)
        session = open_session(folder=str(world.root), tree=tree, cache=False)
        result = session.tree.survey([])
        digests.add((result.digest, result.bytes))
        session.close()
    assert len(digests) == 1


def test_what_a_change_adds_is_read_behind_the_pointer_or_told_apart(world):
    world.write("assets/a.bin", pointer_to(b"words\n"))
    world.write("assets/b.bin", pointer_to(b"other\n"))
    name = hashlib.sha256(b"words\n").hexdigest()
    world.write(f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}", b"words\n")
    world.commit()
    for tree, files in (("HEAD", ["assets/a.bin"]), ("worktree", [])):
        session = open_session(folder=str(world.root), tree=tree, base="HEAD~1", cache=False)
        found = added(session.evidence, ["assets/**"])
        session.close()
        assert isinstance(found, Added)
        assert list(found.files) == files
        assert found.apart["assets/b.bin"] == ELSEWHERE


def test_links_to_a_pointer_are_searched_as_the_content(world):
    world.write("far.bin", pointer_to(CONTENT))
    (world.root / "assets/b.bin").symlink_to("../far.bin")
    world.commit()
    assert world.ask("--tree", "HEAD")["clean"]["status"] == "unclear"
    assert world.ask()["clean"]["status"] == "unclear"


def test_a_submodules_pointer_is_compared_as_others(world, tmp_path, capsys):
    module = Repo(tmp_path / "module")
    module.write("a.bin", pointer_to(CONTENT))
    module.commit()
    world.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module.root), "assets/lib")
    base = world.commit()
    for content, status in ((CONTENT, "pass"), (CONTENT + b"x", "fail")):
        world.write("assets/lib/a.bin", content)
        capsys.readouterr()
        main(["check", "-C", str(world.root), "--json", "--base", base, "--only", "scope"])
        assert json.loads(capsys.readouterr().out)["findings"][0]["status"] == status


def test_a_submodule_in_git_is_not_passed_over_in_silence(world, tmp_path):
    module = Repo(tmp_path / "module")
    module.write("a.txt", "TODO\n")
    module.commit()
    world.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module.root), "assets/lib")
    world.write("assets/a.bin", b"quiet")
    world.commit()
    for tree, status in (("HEAD", "unclear"), ("index", "unclear"), ("worktree", "fail")):
        assert world.ask("--tree", tree)["clean"]["status"] == status
