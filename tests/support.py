"""What test modules share: a real repository, and programs that a test cannot do without."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

#: Read before any test takes it away from what it runs.
IN_CI = os.environ.get("CI") == "true"

GIT_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "test",
    "GIT_AUTHOR_EMAIL": "test@example.invalid",
    "GIT_COMMITTER_NAME": "test",
    "GIT_COMMITTER_EMAIL": "test@example.invalid",
}


def require(program: str, consequence: str) -> str:
    """The path of a program that a test needs. Not installed: skip and say what was not tested; in CI, fail."""
    path = shutil.which(program)
    if path is None:
        message = f"{program} is not installed: {consequence}"
        if IN_CI:
            pytest.fail(message)
        pytest.skip(message)
    return path


class Repo:
    """A real git repository for a test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, stdin: str | None = None) -> str:
        """Run git in the repository; its stdout."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env={**os.environ, **GIT_ENVIRONMENT}, text=True, input=stdin,
            capture_output=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file below the root."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def commit(self, message: str = "a commit") -> str:
        """Commit everything; the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")
