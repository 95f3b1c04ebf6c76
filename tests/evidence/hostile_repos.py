"""Real git repositories that an agent has bent, and three places in which forbidden work can really be.

Every repository has a clean base commit. The work lies apart from that in the working tree, the index and HEAD, so each
of the three can be clean or dirty alone: what is judged must then be found in that one and in no other.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

CONTRACT = """\
version: 1
requirements:
  - {id: lacks, check: absent, with: {glob: "src/**", pattern: FORBIDDEN}}
  - {id: says, check: file-contains, with: {file: src/word.txt, pattern: PRESENT}}
  - {id: scope, check: diff-scope, with: {protected: ["protected/**"]}}
"""
CLEAN: Mapping[str, str] = {
    ".backcheck/contract.yaml": CONTRACT,
    "src/a.txt": "a line\n",
    "src/word.txt": "PRESENT\n",
    "src/far.txt": "far\n",
    "protected/keep.txt": "kept\n",
}
DIRT: Mapping[str, str] = {
    "src/a.txt": "FORBIDDEN\n",
    "src/word.txt": "nothing\n",
    "protected/keep.txt": "changed\n",
}
PLACES = ("worktree", "index", "HEAD")
GIT = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "agent", "GIT_AUTHOR_EMAIL": "agent@example.invalid",
    "GIT_COMMITTER_NAME": "agent", "GIT_COMMITTER_EMAIL": "agent@example.invalid",
}  # fmt: skip


def no_environment(_yard: Yard) -> dict[str, str]:
    """A caller with nothing special in its environment."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """One way to bend git.

    `build` bends. `provoke` is what makes a plain git run the trap's program, as a proof that the trap is live; `fooled`
    is a git command that says "nothing changed" (exit 0, no output) although the working tree is dirty. `exits` names
    places that cannot be read whole, with the exit codes allowed there; `murky` are places whose dirt cannot be read, so
    that it is unclear at best. `hidden` are files that make up the dirt of the working tree instead of `DIRT`.
    """

    name: str
    build: Callable[[Yard], object]
    provoke: tuple[str, ...] = ()
    fooled: tuple[str, ...] = ()
    exits: Mapping[str, frozenset[int]] = field(default_factory=dict)
    murky: tuple[str, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)
    environment: Callable[[Yard], dict[str, str]] = no_environment
    root_only: bool = False


class Yard:
    """A repository under construction: `root` is its tree, `store` its git folder, `marker` what its programs make."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "repo"
        self.root.mkdir(parents=True)
        self.store = self.root / ".git"
        self.marker = folder / "a-program-of-the-repository-ran"
        self.git("init", "-q", "-b", "main")
        for path, text in CLEAN.items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "base")
        self.base = self.git("rev-parse", "HEAD")
        # The dirty index and commit are made now: later, git itself would spring the traps.
        self.clean_index = self.store / "index"
        self.dirty_index = self.store / "index.dirty"
        shutil.copy(self.clean_index, self.dirty_index)
        spare = {"GIT_INDEX_FILE": str(self.dirty_index)}
        for path, text in DIRT.items():
            blob = self.git("hash-object", "-w", "--stdin", stdin=text)
            self.git("update-index", "--cacheinfo", f"100644,{blob},{path}", env=spare)
        self.dirty_tree = self.git("write-tree", env=spare)
        self.dirty_commit = self.git("commit-tree", self.dirty_tree, "-p", self.base, "-m", "dirty")

    def git(
        self, *arguments: str, env: Mapping[str, str] | None = None, stdin: str | None = None, check: bool = True
    ) -> str:
        """Run a plain git in the tree, and end what it or a sprung trap started; its stdout."""
        process = subprocess.Popen(
            ["git", *arguments], cwd=self.root, env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **GIT, **(env or {})},
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        try:
            out, err = process.communicate(stdin, timeout=60)
        finally:
            # A helper of a fetch that failed may still wait for its other end.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if check and process.returncode:
            raise RuntimeError(f"git {' '.join(arguments)}: {err}")
        return out.strip()

    def write(self, path: str, text: str) -> Path:
        """Write a file of the tree."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, newline="")
        return target

    def in_store(self, path: str, text: str) -> Path:
        """Write a file of the git folder."""
        target = self.store / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target

    def program(self, path: str = "tools/evil", *, then: str = "cat") -> str:
        """An executable of the tree that leaves the marker, and passes on what it is given."""
        target = self.write(path, f"#!/bin/sh\necho \"$0 $*\" >> '{self.marker}'\n{then}\nexit 0\n")
        target.chmod(0o755)
        return str(target)

    def config(self, *pairs: tuple[str, str], file: str = "config") -> None:
        """Set keys in a configuration file of the git folder."""
        for key, value in pairs:
            self.git("config", "--file", str(self.store / file), "--add", key, value)

    def object_file(self, oid: str) -> Path:
        """The loose file of an object."""
        return self.store / "objects" / oid[:2] / oid[2:]

    def forge(self, oid: str, other: str) -> None:
        """Put another object's bytes under an object's name."""
        target = self.object_file(oid)
        target.chmod(0o644)
        shutil.copy(self.object_file(other), target)

    def dirty(self, place: str, trap: Trap) -> None:
        """Make one place dirty."""
        if place == "worktree":
            for path, text in (trap.hidden or DIRT).items():
                self.write(path, text)
        elif place == "index":
            shutil.copy(self.clean_index, self.store / "index.clean")
            shutil.copy(self.dirty_index, self.clean_index)
        else:
            (self.store / "refs/heads/main").write_text(f"{self.dirty_commit}\n")

    def clean(self, place: str, trap: Trap) -> None:
        """Take `dirty` back."""
        if place == "worktree":
            for path in trap.hidden or DIRT:
                if path in CLEAN:
                    self.write(path, CLEAN[path])
                else:
                    (self.root / path).unlink()
        elif place == "index":
            shutil.copy(self.store / "index.clean", self.clean_index)
        else:
            (self.store / "refs/heads/main").write_text(f"{self.base}\n")
