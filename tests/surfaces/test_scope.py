"""diff-scope through `backcheck check`, where git itself would look away: submodules, line ends, the index, `.git` names."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest
from tests.support import GIT_ENVIRONMENT, Repo

from backcheck.surfaces.cli.main import run as main

CONTRACT = """version: 1
requirements:
  - id: scope
    check: diff-scope
    with: {allowed: ["src/**", Makefile], protected: ["lib/**", "tests/**", check.sh]}
"""


@pytest.fixture
def world(repo: Repo, tmp_path, monkeypatch, capsys):
    """A repository with a submodule `lib` and such a contract; `ask` gives the finding."""
    module = Repo(tmp_path / "module")
    module.write("verify.py", "assert True\n")
    module.write(".gitignore", "*.o\n")
    module.write("cache/of_module.py", "SECRET = 2\n")
    module.commit()
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.write("src/a.py", "x = 1\n")
    repo.write("check.sh", "#!/bin/sh\ntest -f src/a.py || exit 1\n")
    repo.write("tests/test_a.py", "def test():\n    assert True\n")
    repo.write("cache/kept.py", "SECRET = 1\n")
    repo.write(".gitignore", "cache/\n")
    repo.git("add", "-f", "cache/kept.py")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module.root), "lib")
    base = repo.commit()

    class World(Repo):
        def ask(self, *arguments: str) -> Any:
            capsys.readouterr()
            main(["check", "-C", str(self.root), "--json", "--base", base, *arguments])
            return json.loads(capsys.readouterr().out)["findings"][0]

    made = World.__new__(World)
    made.root = repo.root
    return made


def test_an_untouched_submodule_is_no_change(world):
    assert world.ask()["status"] == "pass"


def test_what_a_submodules_own_rules_ignore_is_no_change(world):
    world.write("lib/built.o", "x")
    assert world.ask()["status"] == "pass"


EDITS: dict[str, Any] = {
    "an edit": lambda w: w.write("lib/verify.py", "pass\n"),
    "an addition": lambda w: w.write("lib/conftest.py", "pass\n"),
    "a removal": lambda w: (w.root / "lib/verify.py").unlink(),
    "a mode": lambda w: (w.root / "lib/verify.py").chmod(0o755),
    "its removal": lambda w: subprocess.run(["rm", "-rf", str(w.root / "lib")], check=True),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_change_inside_a_submodule_is_seen(world, name):
    EDITS[name](world)
    finding = world.ask()
    assert finding["status"] == "fail"
    assert finding["where"][0]["path"].startswith("lib")


def test_a_commit_inside_a_submodule_hides_nothing(world):
    world.write("lib/verify.py", "pass\n")
    subprocess.run(["git", "-C", str(world.root / "lib"), "commit", "-qam", "x"], check=True,
                   env={**os.environ, **GIT_ENVIRONMENT})  # fmt: skip
    assert world.ask()["status"] == "fail"


def test_a_submodule_that_is_not_checked_out_is_no_change(world):
    world.git("submodule", "-q", "deinit", "-f", "lib")
    assert world.ask()["status"] == "pass"


def test_a_submodule_whose_repository_is_gone_is_unclear(world):
    (world.root / "lib/.git").unlink()
    assert world.ask()["status"] == "unclear"


def test_emptied_is_not_the_same_as_not_checked_out(world):
    subprocess.run(["sh", "-c", "rm -r lib/*.py lib/cache lib/.gitignore"], cwd=world.root, check=True)
    assert os.listdir(world.root / "lib") == [".git"]
    assert world.ask()["status"] == "fail"


def test_what_the_submodule_tracks_is_of_the_tree_whatever_the_rules_above_say(world, capsys):
    text = CONTRACT + "  - {id: clean, check: absent, with: {glob: 'lib/**/*', pattern: SECRET}}\n"
    world.write(".backcheck/contract.yaml", text)
    base = world.commit()
    world.write("lib/cache/more.py", "SECRET = 3\n")
    world.write("lib/built.o", "SECRET = 4\n")
    capsys.readouterr()
    main(["check", "-C", str(world.root), "--json", "--base", base])
    scope, clean = json.loads(capsys.readouterr().out)["findings"]
    assert [place["path"] for place in clean["where"]] == ["lib/cache/of_module.py"], "neither of what the rules ignore"
    assert scope["status"] == "pass"
    world.write("lib/cache/of_module.py", "edited\n")
    assert world.ask()["status"] == "fail"


def test_rules_that_the_work_puts_into_a_submodule_hide_nothing(world):
    world.write("lib/.gitignore", "*.o\n*.py\n")
    world.write("lib/conftest.py", "pass\n")
    assert [place["path"] for place in world.ask()["where"]] == ["lib/.gitignore", "lib/conftest.py"]


def test_a_submodule_within_a_submodule_is_compared_too(repo, tmp_path, capsys):
    for number, name in enumerate(("inner", "outer")):
        module = Repo(tmp_path / name)
        module.write("verify.py", f"assert {number}\n")
        if number:
            module.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "inner"), "deep")
        module.commit()
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "outer"), "lib")
    repo.git("-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init", "--recursive")
    base = repo.commit()

    def ask() -> Any:
        capsys.readouterr()
        main(["check", "-C", str(repo.root), "--json", "--base", base])
        return json.loads(capsys.readouterr().out)["findings"][0]

    assert ask()["status"] == "pass"
    repo.write("lib/deep/verify.py", "pass\n")
    repo.write("lib/deep/new.py", "pass\n")
    finding = ask()
    assert [place["path"] for place in finding["where"]] == ["lib/deep/new.py", "lib/deep/verify.py"]


@pytest.mark.parametrize("tree", ["index", "HEAD"])
@pytest.mark.parametrize("change", ["another commit", "files in its place"])
def test_a_submodule_in_a_tree_of_objects_is_its_commit(world, tree, change):
    world.write("lib/verify.py", "pass\n")
    if change == "another commit":
        subprocess.run(["git", "-C", str(world.root / "lib"), "commit", "-qam", "x"], check=True,
                       env={**os.environ, **GIT_ENVIRONMENT})  # fmt: skip
    else:
        (world.root / "lib/.git").unlink()
        world.git("rm", "-q", "--cached", "lib")
    world.commit()
    finding = world.ask("--tree", tree)
    assert finding["status"] == "fail"
    assert finding["where"][0]["path"] == "lib"


def crlf(world, path: str) -> None:
    file = world.root / path
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


def test_line_ends_of_a_program_are_for_a_person(world):
    crlf(world, "check.sh")
    finding = world.ask()
    assert finding["status"] == "unclear"
    assert "line ends" in finding["reason"]


def test_line_ends_of_other_text_are_its_form(world):
    crlf(world, "tests/test_a.py")
    assert world.ask()["status"] == "pass"


def test_a_file_whose_lines_end_in_two_ways_is_changed(world):
    world.write("tests/test_a.py", b"def test():\r\n    assert True\n")
    assert world.ask()["status"] == "fail"


ATTRIBUTES = """# forms on disk
[attr]windows text eol=crlf
*.mk windows
*.sh eol=crlf
*.txt working-tree-encoding=UTF-16LE
"tests/with space.*" ident
*.enc filter=crypt diff=crypt
*.sjis working-tree-encoding=SHIFT_JIS
"""
#: Path, what git keeps, what lies on disk, and the answer.
FORMS = {
    "lines of the form asked for": ("tests/run.sh", b"#!/bin/sh\nx\n", b"#!/bin/sh\r\nx\r\n", "pass"),
    "by a name for several": ("tests/a.mk", b"x\ny\n", b"x\r\ny\r\n", "pass"),
    "lines of both forms": ("tests/run.sh", b"#!/bin/sh\nx\n", b"#!/bin/sh\r\nx\n", "fail"),
    "an edit in the form asked for": ("tests/run.sh", b"#!/bin/sh\nx\n", b"#!/bin/sh\r\ny\r\n", "fail"),
    "another encoding": ("tests/a.txt", "ä\n".encode(), "ä\n".encode("utf-16-le"), "pass"),
    "an edit in another encoding": ("tests/a.txt", "ä\n".encode(), "ö\n".encode("utf-16-le"), "fail"),
    "no text of that encoding": ("tests/a.txt", "ä\n".encode(), b"\x00", "fail"),
    "an encoding unknown here": ("tests/a.sjis", "ä\n".encode(), b"x", "unclear"),
    "a mark of the version": ("tests/with space.c", b"/* $Id$ */\n", b"/* $Id: 0123abc $ */\n", "pass"),
    "an edit behind it": ("tests/with space.c", b"/* $Id$ */\n", b"/* $Id: 0123abc $ */ x\n", "fail"),
    "a mark nobody asked for": ("tests/other.c", b"/* $Id$ */\n", b"/* $Id: system() $ */\n", "fail"),
    "a filter of the repository": ("tests/key.enc", b"\0GITCRYPT\0...", b"plain\n", "unclear"),
    "taken back deeper": ("tests/sub/run.sh", b"#!/bin/sh\n", b"#!/bin/sh\r\n", "unclear"),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_that_the_bases_attributes_ask_for_are_no_change(world, name, capsys):
    path, kept, now, status = FORMS[name]
    world.write(".gitattributes", ATTRIBUTES)
    world.write("tests/sub/.gitattributes", "*.sh -eol\n")
    oid = world.git("hash-object", "-w", "--no-filters", "--stdin", stdin=kept.decode())
    world.git("add", ".gitattributes", "tests/sub/.gitattributes")
    world.git("update-index", "--add", "--cacheinfo", f"100644,{oid},{path}")
    world.git("commit", "-qm", "attributes")
    commit = world.git("rev-parse", "HEAD")
    world.write(path, now)
    capsys.readouterr()
    main(["check", "-C", str(world.root), "--json", "--base", commit])
    assert json.loads(capsys.readouterr().out)["findings"][0]["status"] == status


def test_attributes_that_the_work_sets_change_nothing(world):
    world.write("src/.gitattributes", "*.sh eol=crlf\n")
    world.write(".git/info/attributes", "*.sh eol=crlf\n*.py filter=x\n")
    crlf(world, "check.sh")
    assert world.ask()["status"] == "unclear"
    world.write("tests/test_a.py", "pass\n")
    assert world.ask()["status"] == "fail"


def test_a_fifo_in_a_files_place_is_a_change(world):
    (world.root / "tests/test_a.py").unlink()
    os.mkfifo(world.root / "tests/test_a.py")
    assert world.ask()["status"] == "fail"


def test_a_file_that_cannot_be_read_is_nobodys_fault(world, monkeypatch):
    monkeypatch.setattr("backcheck.evidence.blobs.MAX_FILE", 10)
    monkeypatch.setattr("backcheck.surfaces.session.MAX_FILE", 10)
    finding = world.ask()
    assert (finding["status"], finding["blame"]) == ("unclear", "environment")
    assert "could not be read" in finding["reason"]


def test_what_was_taken_out_of_the_index_is_still_of_the_tree(world, capsys):
    world.git("rm", "-q", "--cached", "cache/kept.py")
    assert (world.root / "cache/kept.py").exists()
    assert world.ask()["status"] == "pass", "it is where the base has it"
    text = CONTRACT + "  - {id: clean, check: absent, with: {glob: '**/*.py', pattern: SECRET}}\n"
    world.write("given.yaml", text)
    capsys.readouterr()
    main(["check", "-C", str(world.root), "--json", "--base", "HEAD", str(world.root / "given.yaml")])
    found = {f["requirement"]: f["status"] for f in json.loads(capsys.readouterr().out)["findings"]}
    assert found["clean"] == "fail"


def test_a_folder_that_is_only_called_git_is_like_others(world):
    world.write("tests/.git/conftest.py", "pass\n")
    assert world.ask()["status"] == "fail"


@pytest.mark.parametrize("content", ["pass\n", "gitdir: " + "x" * 5000])
def test_a_file_that_is_only_called_git_is_like_others(world, content):
    world.write("tests/.git", content)
    finding = world.ask()
    assert finding["status"] == "fail"
    assert finding["where"][0]["path"] == "tests/.git"


def test_a_nested_repositorys_own_folder_is_none_of_the_tree(world):
    Repo(world.root / "src/nested")
    assert world.ask()["status"] == "pass"


def test_what_a_tool_leaves_is_told_with_the_base_s_rules(world):
    world.write(".pytest_cache/x", "x")
    world.write(".git/info/exclude", ".pytest_cache\n")
    finding = world.ask()
    assert finding["status"] == "fail"
    assert "its ignore rules count" in finding["remedy"]


def test_what_a_command_of_this_check_made_is_the_contracts_to_mend(world, capsys):
    command = '  - {id: build, check: command, with: {run: "mkdir -p out && touch out/x"}}\n'
    world.write(".backcheck/contract.yaml", CONTRACT + command)
    commit = world.commit()
    capsys.readouterr()
    main(["check", "-C", str(world.root), "--json", "--base", commit])
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert (finding["status"], finding["blame"]) == ("unclear", "contract")
