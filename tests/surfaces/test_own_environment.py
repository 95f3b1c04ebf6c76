"""backcheck imports from its own environment, and no start of it that fails looks like a verdict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backcheck.surfaces import machine
from backcheck.surfaces.cli.main import run
from backcheck.surfaces.locate import loaded_from

SCRIPT = str(Path(sys.executable).parent / "backcheck")
STARTS = {"script": [SCRIPT], "module": [sys.executable, "-m", "backcheck"]}


def hostile(folder: Path) -> Path:
    """Modules that would be imported in place of the real ones; the marker that they leave."""
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / "imported"
    for name in ("click", "msgspec", "ruamel", "re2", "regex", "cryptography", "junitparser"):
        (folder / f"{name}.py").write_text(f"open({str(marker)!r}, 'w').close()\nraise SystemExit(0)\n")
    return marker


def started(start: str, *arguments: str, folder: Path, **environment: str) -> tuple[int, str]:
    done = subprocess.run([*STARTS[start], *arguments], cwd=folder, env={**os.environ, **environment}, text=True,
                          capture_output=True, check=False)  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("path", ["", ".", "src", "{root}", "{root}/src", ":src:.:"])
def test_neither_the_current_folder_nor_pythonpath_is_imported_from(tmp_path, start, path):
    markers = [hostile(tmp_path), hostile(tmp_path / "src")]
    environment = {"PYTHONPATH": path.format(root=tmp_path)} if path else {}
    code, err = started(start, "check", folder=tmp_path, **environment)
    assert (code, "no contract" in err) == (2, True), err
    assert not any(marker.exists() for marker in markers)


def test_a_current_folder_that_is_gone_is_no_verdict(tmp_path):
    gone = tmp_path / "gone"
    for arguments, told in (
        ("", "backcheck: there is no folder ."),
        (f"-C '{tmp_path}'", "backcheck: no contract in "),
    ):
        gone.mkdir()
        command = f"cd '{gone}' && rmdir '{gone}' && exec '{SCRIPT}' check {arguments}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == 1


def test_a_broken_installation_is_no_verdict(tmp_path):
    """Python ends with 1 where an import fails, and 1 is REJECT."""
    package = Path(machine.__file__).parents[2]
    (tmp_path / "backcheck").symlink_to(package / "backcheck")
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from backcheck.__main__ import run; run()"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr.startswith("backcheck: no verdict; it cannot be loaded: ModuleNotFoundError: ")


def test_running_from_the_tree_under_judgement_is_told(repo: Any, capsys, monkeypatch):
    repo.write(".backcheck/contract.yaml", "version: 1\nrequirements: [{id: a, check: file-exists, with: {file: b}}]\n")
    repo.commit()
    run(["check", "-C", str(repo.root), "--json"])
    assert not any("itself" in notice for notice in json.loads(capsys.readouterr().out)["notices"])
    module = type(sys)("planted")
    module.__file__ = str(repo.root / ".venv/lib/planted.py")
    monkeypatch.setitem(sys.modules, "planted", module)
    run(["check", "-C", str(repo.root), "--json"])
    told = [notice for notice in json.loads(capsys.readouterr().out)["notices"] if "itself" in notice]
    assert len(told) == 1
    assert told[0].endswith(".venv/lib/planted.py")


def test_a_folder_that_only_begins_alike_is_another_one(tmp_path):
    own = Path(machine.__file__).parents[2]
    assert loaded_from(own).endswith(".py")
    assert loaded_from(own.parent / own.name[:-1]) == ""
    assert loaded_from(tmp_path) == ""


def test_a_way_through_the_tree_does_not_lie_in_it(tmp_path, monkeypatch):
    module = type(sys)("through")
    module.__file__ = str(tmp_path / "../venv/bin/backcheck")
    monkeypatch.setitem(sys.modules, "through", module)
    assert loaded_from(tmp_path) == ""
    assert loaded_from(tmp_path.parent) == str(tmp_path.parent / "venv/bin/backcheck")


@pytest.mark.parametrize("arguments", [[], ["keys"]])
def test_a_call_without_a_command_shows_the_help_as_it_is(arguments, capsys):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith("Usage: backcheck")) == ("", True)
    assert "\nCommands:\n" in err


def test_doctor_says_how_it_was_started(tmp_path):
    def told(start: list[str], **environment: str) -> str:
        done = subprocess.run([*start, "doctor", "-C", str(tmp_path), "--json"], cwd=tmp_path, text=True,
                              env={**os.environ, **environment}, capture_output=True, check=False)  # fmt: skip
        return str(json.loads(done.stdout)["machine"]["imports"])

    (tmp_path / ".backcheck").mkdir()
    (tmp_path / ".backcheck/contract.yaml").write_text("version: 1\nrequirements: []\n")
    assert told([SCRIPT]) == "from its own environment"
    assert told([sys.executable, "-I", "-m", "backcheck"]) == "isolated (`python -I`)"
    assert "current folder first" in told([sys.executable, "-m", "backcheck"])
    assert "PYTHONPATH is set" in told([SCRIPT], PYTHONPATH=".")


@pytest.mark.parametrize(
    ("found", "usable", "told"),
    [("/usr/bin/bwrap", "/usr/bin/bwrap", "usable: it isolates observed runs; "), ("/usr/bin/bwrap", "", "found, but it cannot"),
     (None, "", "not found: observed runs have a clean copy and no isolation; ")],
)  # fmt: skip
def test_doctor_says_what_is_isolated_and_what_is_not(monkeypatch, found, usable, told):
    monkeypatch.setattr("shutil.which", lambda _: found)
    monkeypatch.setattr("backcheck.evidence.sandbox.bubblewrap", lambda: usable)
    line = machine.machine_facts()["bubblewrap"]
    assert line.startswith(told)
    assert line.endswith("all other commands run in the tree itself, with your rights")


@pytest.mark.parametrize("code", [0, 1, None, "text"])
def test_an_exit_from_within_is_no_verdict(tmp_path, monkeypatch, capsys, code):
    def leave(*_: object) -> None:
        raise SystemExit(code)

    monkeypatch.setattr("backcheck.surfaces.cli.check.judge", leave)
    (tmp_path / ".backcheck").mkdir()
    (tmp_path / ".backcheck/contract.yaml").write_text("version: 1\nrequirements: []\n")
    assert run(["check", "-C", str(tmp_path)]) == 4
    assert "no verdict; a fault in backcheck: SystemExit" in capsys.readouterr().err
