"""git, called so that the repository can neither run code nor bend the answer.

Only plumbing that reads is used (`cat-file`, `ls-tree`, `ls-files --stage`, `merge-base`, `rev-parse`), with a
scrubbed environment, no system or user configuration, and overrides for everything in a repository's own
configuration that could start a program, fetch, or show other bytes than the objects hold.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from backcheck.errors import UserError

TIMEOUT = 60.0
MAX_GITFILE = 4096

#: Overrides that win over the repository's configuration, as `key=value`.
_OVERRIDES = (
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.alternateRefsCommand", "true"),
    ("core.sshCommand", "false"),
    ("core.gitProxy", "false"),
    ("core.askPass", "true"),
    ("core.pager", "cat"),
    ("core.quotePath", "false"),
    ("core.precomposeUnicode", "false"),
    ("core.useReplaceRefs", "false"),
    ("core.commitGraph", "false"),
    ("core.multiPackIndex", "false"),
    ("core.bare", "false"),
    ("core.sparseCheckout", "false"),
    ("credential.helper", ""),
    ("protocol.allow", "never"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("safe.directory", "*"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("log.showSignature", "false"),
    ("diff.external", ""),
    ("trace2.eventTarget", "0"),
    ("trace2.normalTarget", "0"),
    ("trace2.perfTarget", "0"),
)


class GitError(Exception):
    """git could not answer; the text is its own last line."""


def environment() -> dict[str, str]:
    """The whole environment that git gets; nothing named GIT_* is inherited."""
    env = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    env |= {
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_CONFIG_COUNT": str(len(_OVERRIDES)),
    }
    for number, (key, value) in enumerate(_OVERRIDES):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository found on disk: `top` is the work tree, `git_dir` its own folder, `common_dir` the shared one."""

    top: Path
    git_dir: Path
    common_dir: Path

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,), stdin: bytes = b"") -> bytes:
        """stdout of one git command. Errors: GitError on another exit code, a timeout or a missing git."""
        command = ["git", f"--git-dir={self.git_dir}", f"--work-tree={self.top}", *arguments]
        try:
            done = subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                cwd=self.top,
                env=environment(),
                timeout=TIMEOUT,
                check=False,
            )
        except FileNotFoundError:
            raise GitError("git is not installed") from None
        except subprocess.TimeoutExpired:
            raise GitError(f"git {arguments[0]} took longer than {TIMEOUT:.0f} s") from None
        if done.returncode not in ok:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise GitError(lines[-1] if lines else f"git {arguments[0]} ended with {done.returncode}")
        return done.stdout if done.returncode == 0 else b""

    def commit(self, revision: str) -> str | None:
        """The commit id that a revision names, or None."""
        if not revision or revision.startswith("-") or "\0" in revision:
            return None
        try:
            found = self.run(
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                f"{revision}^{{commit}}",
                ok=(0, 1, 128),
            )
        except GitError:
            return None
        return found.decode("ascii", "replace").strip() or None


def discover(start: Path) -> Repository | None:
    """The repository around `start`, found by walking up for `.git`; `core.worktree` is not believed.

    Errors: UserError where a `.git` file is there that cannot be read.
    """
    for folder in (start, *start.parents):
        marker = folder / ".git"
        try:
            mode = marker.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            if not (marker / "HEAD").exists():
                continue
            return Repository(top=folder, git_dir=marker, common_dir=_common(marker))
        if stat.S_ISREG(mode):
            git_dir = _gitfile(marker)
            return Repository(top=folder, git_dir=git_dir, common_dir=_common(git_dir))
    return None


def _gitfile(marker: Path) -> Path:
    text = marker.read_bytes()[:MAX_GITFILE].decode("utf-8", "surrogateescape").strip()
    if not text.startswith("gitdir:"):
        raise UserError("this `.git` file does not name a repository", where=str(marker), slug="git-unreadable")
    target = Path(os.path.normpath(marker.parent / text.removeprefix("gitdir:").strip()))
    if not target.is_dir():
        raise UserError("this `.git` file names a folder that is not there", where=str(marker), slug="git-unreadable")
    return target


def _common(git_dir: Path) -> Path:
    try:
        text = (git_dir / "commondir").read_bytes()[:MAX_GITFILE].decode("utf-8", "surrogateescape").strip()
    except OSError:
        return git_dir
    return Path(os.path.normpath(git_dir / text))


def version() -> str:
    """`git version 2.x`, or why there is none."""
    env: Mapping[str, str] = environment()
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, env=env, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no git: {error}"
    return done.stdout.strip()
