"""The documentation says what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from backcheck.checks.registry import names
from backcheck.contract.find import parse_contract
from backcheck.engine import bind_all
from backcheck.surfaces.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])


def test_generated_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "bench/pages.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_slug_has_its_message_and_every_message_its_slug() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    used = set(re.findall(r'slug(?:: str)?\s*=\s*"([a-z-]+)"', text))
    headings = set(re.findall(r"^## ([a-z-]+)$", (ROOT / "docs/messages.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert used - headings == set()
    assert headings - used == set()


@pytest.mark.parametrize("name", names())
def test_every_check_is_documented(name: str) -> None:
    assert f"\n## {name}\n" in (ROOT / "docs/reference/checks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert f"\n## {name}\n" in (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")


def contracts() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, block in enumerate(re.findall(r"```ya?ml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
            if "requirements:" in block and "version:" in block:
                found.append((f"{page.name}:{number}", block))
    return found


@pytest.mark.parametrize(("where", "text"), contracts(), ids=[where for where, _ in contracts()])
def test_contracts_in_the_documentation_are_good(where: str, text: str) -> None:
    bind_all(parse_contract(text.encode(), ".backcheck/contract.yaml"))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target


def test_no_page_names_a_machine() -> None:
    for path in [*PAGES, *(ROOT / "src").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert "/work/" not in text, path
        assert "/root/" not in text, path


def test_commands_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\s*(?:\$ )?backcheck ([a-z-]+)", text, re.MULTILINE):
        assert name in COMMANDS, name
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"\bmake ([a-z]+)\b", text):
        assert f"\n{target}:" in makefile, target
