"""Writes the reference pages that are made from the code: `python bench/pages.py --write`; without it, compares."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click

from backcheck.checks.registry import names
from backcheck.surfaces.cli.explain import page_of, render_page
from backcheck.surfaces.cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent


def checks_page() -> str:
    """The page of all checks, from their docstrings."""
    parts = ["# Checks", "", "Made from the checks' own pages (`backcheck explain CHECK`) by `bench/pages.py`.", ""]
    for name in names():
        parts += [f"## {name}", "", "```text", render_page(page_of(name)).rstrip(), "```", ""]
    return "\n".join(parts)


def commands_page() -> str:
    """The page of all commands, from their help."""
    context = click.Context(main, info_name="backcheck", max_content_width=100)
    parts = [
        "# Commands",
        "",
        "Made from `--help` by `bench/pages.py`.",
        "",
        "```text",
        main.get_help(context),
        "```",
        "",
    ]
    for name in COMMANDS:
        command = main.get_command(context, name)
        if command is None:
            raise SystemExit(f"no command {name}")
        parts += _command(command, click.Context(command, info_name=f"backcheck {name}", max_content_width=100), name)
    return "\n".join(parts)


def _command(command: click.Command, context: click.Context, name: str) -> list[str]:
    parts = [f"## {name}", "", "```text", command.get_help(context), "```", ""]
    if isinstance(command, click.Group):
        for below, child in command.commands.items():
            title = f"{name} {below}"
            parts += _command(child, click.Context(child, info_name=f"backcheck {title}", max_content_width=100), title)
    return parts


def readme_page() -> str:
    """The README with the first answer of the demo in it, up to what changes from run to run."""
    script = ROOT / "examples/rate-limiter/demo.sh"
    command = str(Path(sys.executable).parent / "backcheck")
    done = subprocess.run(["sh", str(script), command], capture_output=True, text=True, check=True)
    answer = done.stdout.partition("REJECT  ")[2].partition("\ncontract  ")[0]
    shown = re.sub(r"in \d+\.\d s", "in 0.2 s", f"REJECT  {answer}").rstrip()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- demo -->")
    after = rest.partition("<!-- /demo -->")[2]
    return f"{before}<!-- demo -->\n```text\n{shown}\n```\n<!-- /demo -->{after}"


PAGES = {"docs/reference/checks.md": checks_page, "docs/reference/commands.md": commands_page, "README.md": readme_page}


def run(write: bool) -> int:
    """Exit code: 1 where a page differs and was not written."""
    stale = 0
    for path, make in PAGES.items():
        text = make().rstrip() + "\n"
        target = ROOT / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(f"{path}: {'written' if write else 'differs; run python bench/pages.py --write'}")
        if write:
            target.write_text(text, encoding="utf-8")
    return 0 if write or not stale else 1


if __name__ == "__main__":
    sys.exit(run("--write" in sys.argv[1:]))
