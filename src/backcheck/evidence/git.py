"""git, called so that the repository can neither run code nor bend the answer.

Only plumbing that reads is used (`cat-file`, `ls-files`, `merge-base`, `rev-parse`), with a
scrubbed environment, no system or user configuration, and overrides for everything in a repository's own
configuration that could start a program, fetch, or show other bytes than the objects hold.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from backcheck.errors import UserError
from backcheck.evidence.reading import Unreadable, read_whole

TIMEOUT = 60.0
#: Seconds that looking up a name may take; no repository makes that slow, but a FIFO in its folder would.
LOOKUP_TIMEOUT = 10.0
MAX_GITFILE = 4096
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

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
    """git could not answer; the text is what it said last."""


def _last_words(stderr: bytes) -> str:
    """git's last message; one that tells a list goes over several lines, indented."""
    lines = stderr.decode("utf-8", "replace").rstrip().splitlines()
    first = len(lines) - 1
    while first > 0 and lines[first][:1] in (" ", "\t"):
        first -= 1
    return " ".join(line.strip() for line in lines[max(first, 0) :])[:500]


def search_path(top: Path | None) -> str:
    """PATH without what the tree could answer for: folders that are relative or lie in `top`."""
    kept = []
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(entry) and not (top and Path(os.path.realpath(entry)).is_relative_to(os.path.realpath(top))):
            kept.append(entry)
    return os.pathsep.join(kept) or os.defpath


def environment(top: Path | None = None) -> dict[str, str]:
    """The whole environment that git gets in the tree `top`; nothing named GIT_* is inherited."""
    env = {name: os.environ[name] for name in ("TMPDIR", "SYSTEMROOT") if name in os.environ}
    env |= {
        "PATH": search_path(top),
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
    """A repository found on disk: `top` is the work tree, `git_dir` its own folder, `common_dir` the shared one.

    `stuck` holds why git once gave no answer in time: it is not asked, and waited for, again.
    """

    top: Path
    git_dir: Path
    common_dir: Path
    stuck: list[str] = field(default_factory=list, compare=False, repr=False)

    def run(
        self, *arguments: str, ok: tuple[int, ...] = (0,), stdin: bytes = b"", timeout: float = 0.0, index: str = ""
    ) -> bytes:
        """stdout of one git command; `index` is another index file. Errors: GitError on another exit code, a timeout or a
        missing git."""
        if self.stuck:
            raise GitError(self.stuck[0])
        timeout = timeout or TIMEOUT
        command = ["git", f"--git-dir={self.git_dir}", f"--work-tree={self.top}", *arguments]
        try:
            done = subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                cwd=self.top,
                env=environment(self.top) | ({"GIT_INDEX_FILE": index} if index else {}),
                timeout=timeout,
                check=False,
            )
        except FileNotFoundError:
            raise GitError("git is not installed") from None
        except subprocess.TimeoutExpired:
            self.stuck.append(f"git {arguments[0]} took longer than {timeout:.0f} s")
            raise GitError(self.stuck[0]) from None
        except (OSError, ValueError) as error:
            raise GitError(f"git cannot be started: {error}") from None
        if done.returncode not in ok:
            raise GitError(_last_words(done.stderr) or f"git {arguments[0]} ended with {done.returncode}")
        return done.stdout if done.returncode == 0 else b""

    def commit(self, revision: str) -> str | None:
        """The commit id that a revision names, or None where it names none.

        Errors: UserError where git cannot read the repository. That is not "no such commit": whoever can write to the
        repository could otherwise make its base vanish by damaging it.
        """
        if not revision or revision.startswith(("-", "^")) or "\0" in revision:
            return None
        found = self._verify(f"{revision}^{{commit}}")
        if _COMMIT.fullmatch(found):
            return found
        if not _COMMIT.fullmatch(revision) and _COMMIT.fullmatch(named := self._verify(revision)):
            # The name is there: it stands for no commit, or for one that is not there any more.
            self._must_exist(named)
        return None

    def _verify(self, revision: str) -> str:
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        try:
            return self.run(*words, ok=(0, 1), timeout=LOOKUP_TIMEOUT).decode("ascii", "replace").strip()
        except GitError as error:
            raise self.unreadable(error) from None

    def _must_exist(self, oid: str) -> None:
        try:
            self.run("cat-file", "-e", oid, timeout=LOOKUP_TIMEOUT)
        except GitError:
            raise self.unreadable(GitError(f"the object {oid} is missing or damaged")) from None

    def unreadable(self, error: GitError) -> UserError:
        """What to raise where git cannot read what must be there."""
        return UserError(f"git cannot read this repository: {error}", where=str(self.git_dir), slug="git-unreadable")


#: A `.git` folder that holds one of these is meant to be a repository, also where it is damaged.
_PARTS = ("HEAD", "config", "objects", "refs")


def discover(start: Path) -> Repository | None:
    """The repository around `start`, found by walking up for `.git`; `core.worktree` is not believed.

    Errors: UserError where a `.git` is there that cannot be read.
    """
    for folder in (start, *start.parents):
        marker = folder / ".git"
        try:
            mode = marker.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            if not any(os.path.lexists(marker / part) for part in _PARTS):
                continue
            return Repository(top=folder, git_dir=marker, common_dir=_common(marker))
        if stat.S_ISREG(mode):
            git_dir = _gitfile(marker)
            return Repository(top=folder, git_dir=git_dir, common_dir=_common(git_dir))
    return None


def _small(path: Path) -> str:
    """A short text file of git's own, never waiting for a FIFO and never reading without end. Errors: UserError."""
    try:
        raw = read_whole(os.path.realpath(path), limit=MAX_GITFILE)
    except Unreadable as error:
        raise UserError(f"this repository cannot be used: {path.name} {error}", where=str(path),
                        slug="git-unreadable") from None  # fmt: skip
    return raw.decode("utf-8", "surrogateescape").strip()


def _gitfile(marker: Path) -> Path:
    text = _small(marker)
    if not text.startswith("gitdir:"):
        raise UserError("this `.git` file does not name a repository", where=str(marker), slug="git-unreadable")
    target = Path(os.path.normpath(marker.parent / text.removeprefix("gitdir:").strip()))
    if not target.is_dir():
        raise UserError("this `.git` file names a folder that is not there", where=str(marker), slug="git-unreadable")
    return target


def _common(git_dir: Path) -> Path:
    marker = git_dir / "commondir"
    if not os.path.lexists(marker):
        return git_dir
    return Path(os.path.normpath(git_dir / _small(marker)))


def version() -> str:
    """`git version 2.x`, or why there is none."""
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, env=environment(), timeout=10,
                              check=False)  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no git: {error}"
    return done.stdout.strip()
