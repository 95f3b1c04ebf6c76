"""A repository in which 20,000 files were added against the base: what the benches of change gates share."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

FILES, SIZE = 20_000, 1_700
_GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
#: Blocks of ordinary code, in two languages; `{}` is a name.
_PYTHON = (
    'def {0}({1}, {2}=None):\n    """The {3} of a {1}."""\n    {4} = {1}.get(\'{3}\', {2})\n    if {4} is None:\n'
    "        raise ValueError(f'no {3}')\n    return [{5} for {5} in {4} if {5}]\n\n",
    "class {0}:\n    # Keeps what {1} has read.\n    def __init__(self, {1}):\n        self.{1} = {1}\n\n    def {2}(self):\n"
    "        return self.{1} + {{'{3}': 1}}\n\n",
    "{0} = {{'{1}': 1, '{2}': [1, 2], '{3}': None}}\n",
)
_TYPESCRIPT = (
    "// The {3} of a {1}.\nexport function {0}({1}: string, {2} = 1): string[] {{\n  const {4} = {2} + 1;\n"
    "  if ({4} > 9) throw new Error('no {3}');\n  return {1}.split(',').map(({5}) => {5}.trim());\n}}\n\n",
    "export interface {0} {{\n  {1}: number;\n  {2}?: string;\n}}\n\n",
    "export class {0} {{\n  constructor(private {1}: number) {{\n    this.{2} = {1} + 1;\n  }}\n\n  {3}(): number {{\n"
    "    return this.{1};\n  }}\n}}\n\n",
)


def make(root: Path, contract: str) -> tuple[str, int]:
    """Write the repository; the base's commit, and the sum of bytes that were added."""
    words = random.Random(1)
    ends = ("row", "key", "item", "page", "user")
    names = [f"{words.choice('acegklmnpr')}{words.getrandbits(20):x}_{words.choice(ends)}" for _ in range(3000)]
    root.mkdir(parents=True, exist_ok=True)
    (root / ".backcheck").mkdir()
    (root / ".backcheck/contract.yaml").write_text(contract)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=b", "-c", "user.email=b@b.invalid", "commit", "-qm", "base")
    base = git(root, "rev-parse", "HEAD")
    total = 0
    for number in range(FILES):
        folder = root / f"src/p{number // 1000}/m{number // 50 % 20}"
        if number % 50 == 0:
            folder.mkdir(parents=True, exist_ok=True)
        # One file in a hundred speaks of what the gates look for, and has to be read more closely.
        said = {7: "# Finds TODO comments.\n", 8: "// Finds TODO comments.\n"}.get(number % 200, "")
        body = said + _body(words, names, _PYTHON if number % 2 else _TYPESCRIPT, int(SIZE * words.uniform(0.3, 1.7)))
        total += len(body)
        (folder / f"f{number}.{'py' if number % 2 else 'ts'}").write_text(body)
    git(root, "add", "-A")
    git(root, "-c", "user.name=b", "-c", "user.email=b@b.invalid", "commit", "-qm", "work")
    return base, total


def _body(words: random.Random, names: list[str], blocks: tuple[str, ...], size: int) -> str:
    out: list[str] = []
    length = 0
    while length < size:
        block = words.choice(blocks).format(*words.sample(names, 6))
        out.append(block)
        length += len(block)
    return "".join(out)


def git(root: Path, *arguments: str) -> str:
    """Run git without the user's settings; its stdout."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, env={**os.environ, **_GIT}, capture_output=True, text=True
    )
    return done.stdout.strip()
