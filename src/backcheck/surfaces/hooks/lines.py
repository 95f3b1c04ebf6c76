"""Which programs' commands cross which finish line. Tables; each row is what the program's own help says it does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

#: A word of a command; None where only running would tell it (as shellwords has it; nothing is imported here, for this
#: table is asked before every tool call).
Word = str | None

COMMIT, PUSH = "commit", "push"

#: git's commands that make or move a commit, and those that send commits away.
GIT = {
    **dict.fromkeys(("commit", "merge", "cherry-pick", "rebase", "revert", "am", "pull", "commit-tree", "update-ref",
                     "fast-import", "filter-branch", "filter-repo", "citool", "gui"), COMMIT),
    **dict.fromkeys(("push", "send-pack", "http-push", "send-email", "svn", "p4"), PUSH),
}  # fmt: skip
_GIT_VALUES = {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"}
#: Words that make a crossing a question, a rehearsal or a way back.
_NOT = {
    "commit": {"--dry-run", "--help", "-h"}, "push": {"--dry-run", "-n", "--help", "-h"},
    "merge": {"--abort", "--quit", "--no-commit", "--help", "-h"}, "rebase": {"--abort", "--quit", "--show-current-patch"},
    "cherry-pick": {"--abort", "--quit", "-n", "--no-commit"}, "revert": {"--abort", "--quit", "-n", "--no-commit"},
    "am": {"--abort", "--quit", "--show-current-patch"}, "pull": {"--ff-only", "--dry-run"},
    "send-email": {"--dry-run"}, "send-pack": {"--dry-run"},
}  # fmt: skip
#: Flags of these commands that take the next word as their value: by name, or as the last letter of a short one.
_VALUES = {"--message", "--file", "--author", "--date", "--template", "--push-option", "--receive-pack", "--exec", "--repo",
           "--strategy", "--strategy-option", "--onto", "--cleanup",
           "--trailer", "--reuse-message", "--reedit-message"}  # fmt: skip
_VALUE_LETTERS = "mFCctoX"
_SVN, _P4 = {"dcommit"}, {"submit"}
_HELP = {"--help", "-h", "--dry-run", "--version"}

#: Program: its commands that publish, each as the words that must stand at the front; `*` is the program by itself.
_TABLE = """
npm: publish, unpublish, dist-tag add
pnpm: publish
bun: publish
yarn: publish, npm publish
lerna: publish
changeset: publish
nx: release
semantic-release: *
release-it: *
np: *
cargo: publish, release, yank
twine: upload
uv: publish
poetry: publish
flit: publish
hatch: publish
pdm: publish
gem: push, yank
mvn: deploy, release:perform
goreleaser: release
gradle: publish
gradlew: publish
dotnet: nuget push
nuget: push
docker: push, image push, compose push, manifest push, stack deploy
podman: push
skopeo: copy
crane: push
oras: push
helm: push, upgrade, install
kubectl: apply, create, set, rollout restart, delete
terraform: apply, destroy
tofu: apply, destroy
pulumi: up, destroy
cdk: deploy
sam: deploy
serverless: deploy
sls: deploy
vercel: deploy, promote
netlify: deploy
fly: deploy
flyctl: deploy
wrangler: deploy, publish
firebase: deploy
heroku: container:release
gcloud: app deploy, run deploy, functions deploy
ansible-playbook: *
cap: *
hg: commit, ci, push
svn: commit, ci
jj: commit, git push
gh: pr merge, pr create, release create, release edit, release upload, repo sync, workflow run
glab: mr merge, mr create, release create
hub: push, merge, release create, pull-request
spr: land, diff
gt: submit, merge
"""
_PUBLISH = {
    name: [() if front == "*" else tuple(front.split()) for front in fronts.split(", ")]
    for name, _, fronts in (line.partition(": ") for line in _TABLE.split("\n") if line)
}
_COMMITS = {"hg", "svn", "jj"}
#: Runners of a project's own tasks; a task of such a name crosses.
_RUNNERS = {"npm", "pnpm", "yarn", "bun", "make", "gmake", "just", "task", "rake", "nox", "tox", "invoke", "inv", "grunt", "gulp",
            "ant", "mage", "composer", "deno", "poe", "turbo", "lage"}  # fmt: skip
_TASKS = {"release", "publish", "deploy", "push", "ship", "upload", "promote", "commit"}
_API_WRITES = {"POST", "PUT", "PATCH", "DELETE"}
_API_FIELDS = ("-f", "-F", "--field", "--raw-field", "--input")

PROGRAMS = ("git", *_PUBLISH, *sorted(_RUNNERS - set(_PUBLISH)))


def crossed(name: str, words: Sequence[Word]) -> tuple[str, str, str] | None:
    """The door, how it is said, and the folder given by `-C`; None where no line is crossed."""
    if name == "git":
        return _git(words)
    if name.startswith("git-") and name[4:] in GIT:
        return _git(["git", name[4:], *words[1:]])
    said = [word for word in words[1:] if word is None or not word.startswith("-")]
    if _HELP & set(words) - {None}:
        return None
    for front in _PUBLISH.get(name, ()):
        if tuple(said[: len(front)]) == front:
            door = COMMIT if name in _COMMITS and "push" not in front else PUSH
            return door, " ".join([name, *front]), ""
    if name in ("docker", "podman") and "--push" in words:
        return PUSH, f"{name} … --push", ""
    if name == "gh" and said[:1] == ["api"] and _writes(words):
        return PUSH, "gh api with a method that writes", ""
    return _task(name, said)


def _task(name: str, said: Sequence[Word]) -> tuple[str, str, str] | None:
    if name not in _RUNNERS:
        return None
    names = [word for word in said if word not in ("run", "run-script", "x")][
        : 1 if name not in ("make", "gmake") else None
    ]
    for task in names:
        parts = set((task or "").replace(":", "-").replace("_", "-").split("-"))
        if task is not None and parts & _TASKS:
            return PUSH, f"{name} {task}", ""
    return None


def _writes(words: Sequence[Word]) -> bool:
    pairs = list(zip(words, [*words[1:], None], strict=True))
    method = next((value for flag, value in pairs if flag in ("-X", "--method")), None)
    joined = [
        word for word in words if word and (word.startswith("--method=") or (word.startswith("-X") and len(word) > 2))
    ]
    if joined:
        method = joined[0].removeprefix("--method=").removeprefix("-X")
    if method is not None:
        return method.upper() in _API_WRITES
    return any(word is not None and word.startswith(_API_FIELDS) for word in words)


def _git(words: Sequence[Word]) -> tuple[str, str, str] | None:
    sub, rest, folder = _after_options(words)
    if sub is None:
        # Words that only running would tell: `git $x` can be anything, bare `git` and `git --version` nothing.
        return (PUSH, "git with a command that cannot be read here", folder) if None in words else None
    if sub in ("subtree", "lfs", "annex", "flow", "stash", "notes", "submodule") and sub != "subtree":
        return None
    if sub == "subtree":
        return (PUSH, "git subtree push", folder) if "push" in rest else (COMMIT, "git subtree", folder)
    door = GIT.get(sub)
    if door is None or set(_own_flags(rest)) & (_NOT.get(sub, set()) | {"--help"}):
        return None
    if (sub == "svn" and not _SVN & set(rest)) or (sub == "p4" and not _P4 & set(rest)):
        return None
    return door, f"git {sub}", folder


def _own_flags(rest: Sequence[Word]) -> Iterator[str]:
    """The flags among git's words that are flags: not the value of one, and not a path after `--`."""
    value = False
    for word in rest:
        if word == "--":
            return
        if not value and word is not None and word.startswith("-"):
            yield word
        short = word is not None and len(word) > 1 and word[0] == "-" and word[1] != "-"
        value = not value and word is not None and (word in _VALUES or (short and word[-1] in _VALUE_LETTERS))


def subcommand(words: Sequence[Word]) -> str | None:
    """git's command among its words, after git's own options."""
    return _after_options(words)[0]


def inline_aliases(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Aliases that `-c alias.NAME=VALUE` gives."""
    for flag, value in itertools.pairwise(words):
        if flag == "-c" and value is not None and value.startswith("alias."):
            name, _, meaning = value.removeprefix("alias.").partition("=")
            yield name, meaning


def _after_options(words: Sequence[Word]) -> tuple[str | None, list[Word], str]:
    rest, folder = list(words[1:]), ""
    while rest and rest[0] is not None and rest[0].startswith("-"):
        if rest[0] == "-C" and len(rest) > 1:
            folder = rest[1] or ""
        rest = rest[2:] if rest[0] in _GIT_VALUES else rest[1:]
    return (rest[0], rest[1:], folder) if rest else (None, [], folder)
