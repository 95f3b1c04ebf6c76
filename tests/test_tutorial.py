"""The tutorial, done word for word by a machine: what it says of every verdict must be so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support import GIT_ENVIRONMENT

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/tutorial/first-verdict.md").read_text(encoding="utf-8")
#: What the page tells to look at in the end, and what is then seen.
CLOSER = [
    ("log", ["verdict   PASS", "begin "]),
    ("show last", ["verdict   PASS"]),
    ("doctor", ["✓ runs", "✓ scope"]),
    ("lint-contract", ["0 warnings"]),
    ("explain diff-scope", ["Passes when: "]),
]
CODES = {"REJECT": 1, "Still REJECT": 1, "PASS": 0}


def steps(text: str) -> list[tuple[str, str]]:
    """(commands, what the page says next) of each indented block; the contract is written where the page shows it."""
    contract = re.search(r"```yaml\n(.*?)```\n", text, re.DOTALL)
    assert contract
    text = text.replace(
        contract[0], f"    cat > .backcheck/contract.yaml <<'E'\n{contract[1]}E\n".replace("\n", "\n    ")
    )
    blocks = list(re.finditer(r"(?:^    .*\n|^ *\n(?=    ))+", text, re.MULTILINE))
    return [(re.sub(r"^    ", "", block[0], flags=re.MULTILINE), text[block.end() :].strip()) for block in blocks]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder whose `.local/bin` holds the one command, as the installation leaves it."""
    links = tmp_path / ".local/bin"
    links.mkdir(parents=True)
    (links / "backcheck").symlink_to(Path(sys.executable).parent / "backcheck")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{links}{os.pathsep}{os.environ['PATH']}")
    for name, value in GIT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def asked(home: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["backcheck", *command.split()], cwd=home / "greet", capture_output=True, text=True, check=False
    )


def test_word_for_word(home: Path) -> None:
    told = []
    folder = home
    for commands, next_words in steps(PAGE[PAGE.index('## Say what "done" means') :]):
        done = subprocess.run(["bash", "-c", commands], cwd=folder, capture_output=True, text=True, check=False)
        expected = next((code for word, code in CODES.items() if next_words.startswith(word)), 0)
        assert done.returncode == expected, f"{commands}\n{done.stdout}{done.stderr}"
        if "backcheck check" in commands:
            told.append((done.returncode, done.stdout))
        folder = home / "greet"
    assert [code for code, _ in told] == [1, 1, 0]
    for (_, out), words in zip(
        told, (["✗ runs"], ["✓ runs", "✗ scope", "tests/test_greet.py"], ["2 passed"]), strict=True
    ):
        assert all(word in out for word in words), out
    assert "could have moved" in told[-1][1]
    for command, words in CLOSER:
        assert f"`backcheck {command}`" in PAGE
        done = asked(home, command)
        assert (done.returncode, [word for word in words if word not in done.stdout]) == (0, []), done.stdout
    contract = home / "greet/.backcheck/contract.yaml"
    contract.write_text(contract.read_text()[: contract.read_text().index("  - id: scope")])
    assert "command-unprotected: `runs`:" in asked(home, "lint-contract").stdout


def test_the_installation_links_one_command() -> None:
    """With the whole folder on the path, `python3` in a contract would be backcheck's own."""
    for page in (PAGE, (ROOT / "README.md").read_text(encoding="utf-8")):
        assert "ln -s ~/.local/share/backcheck/bin/backcheck ~/.local/bin/" in page
        assert "share/backcheck/bin:$PATH" not in page
