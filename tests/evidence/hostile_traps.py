"""The traps: every way we know in which a repository can run a program or show other bytes than it holds."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.evidence.hostile_repos import CLEAN, DIRT, Trap, Yard

HOOKS = (
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update",
    "proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc",
    "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist",
    "p4-post-changelist", "p4-pre-submit", "post-index-change",
)  # fmt: skip
#: Keys whose value is a program.
PROGRAM_KEYS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
    "core.alternateRefsCommand", "sequence.editor", "gpg.program", "gpg.ssh.program", "gpg.x509.program",
    "gpg.ssh.defaultKeyCommand", "diff.external", "interactive.diffFilter", "uploadpack.packObjectsHook",
    "credential.helper", "pager.ls-files", "pager.rev-parse", "pager.cat-file", "pager.merge-base", "pager.version",
    "trace2.normalTarget", "remote.origin.uploadpack", "remote.origin.receivepack", "merge.tool.cmd",
    "difftool.x.cmd", "mergetool.x.cmd", "man.x.cmd", "browser.x.cmd", "trailer.x.cmd", "help.browser",
    "sendemail.smtpserver", "imap.tunnel", "fetch.x", "filter.lfs.process", "filter.lfs.clean", "filter.lfs.smudge",
)  # fmt: skip
HIDDEN = {"src/hidden.txt": "FORBIDDEN\n", "protected/hidden.txt": "new\n"}


def filters(yard: Yard, *, process: bool, attributes: str) -> None:
    program = yard.program()
    if process:
        yard.config(("filter.evil.process", program), ("filter.evil.required", "true"))
    else:
        yard.config(("filter.evil.clean", program), ("filter.evil.smudge", program))
    where = {"info": yard.store / "info/attributes", "tree": yard.root / ".gitattributes", "key": yard.root / "attrs"}
    where[attributes].parent.mkdir(exist_ok=True)
    where[attributes].write_text("* filter=evil\n")
    if attributes == "key":
        yard.config(("core.attributesFile", str(where["key"])))


def hooks(yard: Yard, folder: str) -> None:
    for name in HOOKS:
        program = yard.program(f"tools/{name}")
        target = yard.root / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.resolve() != Path(program).resolve():
            shutil.move(program, target)
    if folder != ".git/hooks":
        yard.config(("core.hooksPath", folder))


def drivers(yard: Yard) -> None:
    program = yard.program()
    yard.config(("diff.evil.textconv", program), ("diff.evil.cachetextconv", "true"), ("merge.evil.driver", program))
    yard.in_store("info/attributes", "* diff=evil merge=evil\n")


def driver_command(yard: Yard) -> None:
    yard.config(("diff.evil.command", yard.program()))
    yard.write(".gitattributes", "* diff=evil\n")


def programs(yard: Yard) -> None:
    program = yard.program()
    yard.config(*((key, program) for key in PROGRAM_KEYS))
    yard.config(("alias.evil", f"!{program}"), ("alias.rev-parse", f"!{program}"), ("alias.cat-file", f"!{program}"))


def included(yard: Yard, key: str) -> None:
    evil = yard.write("tools/config", f"[core]\n\tfsmonitor = {yard.program()}\n")
    yard.config((key, str(evil)))


def worktree_config(yard: Yard) -> None:
    yard.config(("extensions.worktreeConfig", "true"))
    yard.config(("core.fsmonitor", yard.program()), file="config.worktree")


def promisor(yard: Yard, *pairs: tuple[str, str]) -> None:
    """A blob of the base is not there, and git is told to fetch it when it is needed."""
    yard.object_file(yard.git("rev-parse", "HEAD:src/far.txt")).unlink()
    yard.config(("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"),
                ("remote.origin.promisor", "true"), ("remote.origin.partialCloneFilter", "blob:none"),
                ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"), ("protocol.allow", "always"),
                ("protocol.ext.allow", "always"), ("protocol.file.allow", "always"), *pairs)  # fmt: skip


def by_ssh(yard: Yard) -> None:
    promisor(yard, ("remote.origin.url", "ssh://example.invalid/x"), ("core.sshCommand", yard.program(then="exit 1")))


def by_uploadpack(yard: Yard) -> None:
    promisor(
        yard, ("remote.origin.url", f"file://{yard.root}"), ("remote.origin.uploadpack", yard.program(then="exit 1"))
    )


def by_helper(yard: Yard) -> None:
    promisor(yard, ("remote.origin.url", f"ext::{yard.program(then='exit 1')} %S"))


FAR = ("cat-file", "blob", "HEAD:src/far.txt")


def bits(yard: Yard, bit: str) -> None:
    for index in (yard.clean_index, yard.dirty_index):
        yard.git("update-index", bit, *DIRT, env={"GIT_INDEX_FILE": str(index)})


def intent(yard: Yard) -> None:
    yard.write("src/new.txt", "fine\n")
    for index in (yard.clean_index, yard.dirty_index):
        yard.git("add", "-N", "src/new.txt", env={"GIT_INDEX_FILE": str(index)})


def exclude(yard: Yard, where: str) -> None:
    if where == "info":
        yard.in_store("info/exclude", "hidden*\n")
    elif where == "key":
        yard.config(("core.excludesFile", str(yard.write("tools/excludes", "hidden*\ntools\n"))))
    else:
        yard.write(".gitignore", "hidden*\n.gitignore\n")


def attributes(yard: Yard, text: str) -> None:
    yard.write(".gitattributes", text)
    yard.in_store("info/attributes", text)


def alternates(yard: Yard) -> None:
    foreign = yard.folder / "foreign"
    shutil.move(yard.store / "objects", foreign)
    (yard.store / "objects/info").mkdir(parents=True)
    yard.in_store("objects/info/alternates", f"{foreign}\n/nowhere\n")


def alternate_forgery(yard: Yard) -> None:
    """The foreign store is searched for what is not here, and what it has under that name is something else."""
    dirty, clean = yard.git("rev-parse", f"{yard.dirty_commit}:src/a.txt"), yard.git("rev-parse", "HEAD:src/a.txt")
    foreign = yard.folder / "foreign" / dirty[:2]
    foreign.mkdir(parents=True)
    shutil.copy(yard.object_file(clean), foreign / dirty[2:])
    yard.object_file(dirty).unlink()
    yard.in_store("objects/info/alternates", f"{yard.folder / 'foreign'}\n")


def replaced(yard: Yard, kind: str) -> None:
    """What git shows for the dirty object is the clean one, and the other way round for the base."""
    names = {
        "blob": [(f"{yard.dirty_commit}:{path}", f"{yard.base}:{path}") for path in DIRT],
        "tree": [(f"{yard.dirty_commit}^{{tree}}", f"{yard.base}^{{tree}}")],
        "commit": [(yard.dirty_commit, yard.base)],
        "base": [(yard.base, yard.dirty_commit)],
    }[kind]
    pairs = [(yard.git("rev-parse", old), yard.git("rev-parse", new)) for old, new in names]
    for old, new in pairs:
        yard.in_store(f"refs/replace/{old}", f"{new}\n")


def forged(yard: Yard, path: str) -> None:
    yard.forge(yard.git("rev-parse", f"{yard.dirty_commit}:{path}"), yard.git("rev-parse", f"HEAD:{path}"))


def damaged(yard: Yard) -> None:
    target = yard.object_file(yard.git("rev-parse", "HEAD:src/far.txt"))
    target.chmod(0o644)
    target.write_bytes(b"no zlib stream")


def linked_store(yard: Yard) -> None:
    elsewhere = yard.folder / "store"
    shutil.move(yard.store, elsewhere)
    yard.store.symlink_to(elsewhere)


def named_store(yard: Yard) -> None:
    elsewhere = yard.folder / "store"
    shutil.move(yard.store, elsewhere)
    yard.store.write_text(f"gitdir: {elsewhere}\n")
    yard.store = elsewhere
    yard.clean_index, yard.dirty_index = elsewhere / "index", elsewhere / "index.dirty"


def other_worktree(yard: Yard) -> None:
    elsewhere = yard.folder / "elsewhere"
    for path, text in CLEAN.items():
        (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / path).write_text(text)
    yard.config(("core.worktree", str(elsewhere)))


def references(yard: Yard) -> None:
    odd = ("refs/heads/--help", "refs/heads/-n", "refs/tags/HEAD", "refs/heads/HEAD", "refs/heads/index",
           "refs/tags/worktree", f"refs/tags/{yard.base}", f"refs/heads/{yard.base}")  # fmt: skip
    lines = [f"{yard.dirty_commit} {name}" for name in odd] + [f"{yard.base} refs/heads/main"]
    yard.in_store("packed-refs", "# pack-refs with: peeled fully-peeled sorted \n" + "\n".join(sorted(lines)) + "\n")


def sparse(yard: Yard) -> None:
    yard.config(("core.sparseCheckout", "true"), ("core.sparseCheckoutCone", "true"), ("index.sparse", "true"),
                ("sparse.expectFilesOutsideOfPatterns", "true"))  # fmt: skip
    yard.in_store("info/sparse-checkout", "/*\n!/*/\n/tools/\n")
    bits(yard, "--skip-worktree")


def sparse_index(yard: Yard) -> None:
    yard.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    for path, text in CLEAN.items():
        yard.write(path, text)
    yard.git("read-tree", yard.dirty_commit, env={"GIT_INDEX_FILE": str(yard.dirty_index)})


def foreign_owner(yard: Yard) -> None:
    for folder, _, files in os.walk(yard.root):
        for path in [folder, *(os.path.join(folder, name) for name in files)]:
            os.chown(path, 4321, 4321, follow_symlinks=False)


def split_index(yard: Yard) -> None:
    for index in (yard.clean_index, yard.dirty_index):
        yard.git("update-index", "--split-index", env={"GIT_INDEX_FILE": str(index)})


def collisions(yard: Yard) -> None:
    yard.config(("core.ignoreCase", "true"), ("core.protectHFS", "false"), ("core.protectNTFS", "false"))
    for name in ("src/A.txt", "src/a.TXT", "Protected/keep.txt", "SRC/a.txt"):
        yard.write(name, "fine\n")


def garbage_accelerators(yard: Yard) -> None:
    for name in ("objects/info/commit-graph", "objects/pack/multi-pack-index", "objects/pack/pack-0.idx"):
        yard.in_store(name, "junk")
    yard.config(("core.commitGraph", "true"), ("core.multiPackIndex", "true"))


def submodule(yard: Yard) -> None:
    """A nested repository with traps of its own, and a gitlink that points to it."""
    inner = yard.root / "vendor"
    inner.mkdir()
    (inner / "lib.txt").write_text("lib\n")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "lib"],
                  ["config", "core.fsmonitor", yard.program()]):  # fmt: skip
        subprocess.run(["git", *words], cwd=inner, check=True, capture_output=True)
    yard.marker.unlink(missing_ok=True)
    yard.write(".gitmodules", '[submodule "vendor"]\n\tpath = vendor\n\turl = ./vendor\n\tupdate = !touch x\n')
    yard.config(("submodule.recurse", "true"), ("diff.submodule", "log"), ("submodule.vendor.update", "!touch x"))


def env_store(yard: Yard) -> dict[str, str]:
    """A caller whose git variables all point to another repository."""
    other = yard.folder / "other"
    other.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True, capture_output=True)
    return {
        "GIT_DIR": f"{other}/.git", "GIT_WORK_TREE": str(other), "GIT_INDEX_FILE": f"{other}/index",
        "GIT_OBJECT_DIRECTORY": f"{other}/.git/objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{other}/.git/objects",
        "GIT_COMMON_DIR": f"{other}/.git", "GIT_NAMESPACE": "other", "GIT_PREFIX": "src/", "GIT_SHALLOW_FILE": "/nowhere",
        "GIT_GRAFT_FILE": "/nowhere", "GIT_REPLACE_REF_BASE": "refs/heads/", "GIT_CEILING_DIRECTORIES": str(yard.root),
        "GIT_ICASE_PATHSPECS": "1", "GIT_LITERAL_PATHSPECS": "1", "GIT_DEFAULT_HASH": "sha256", "GIT_INTERNAL_SUPER_PREFIX": "x/",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "0", "GIT_QUARANTINE_PATH": "/nowhere",
    }  # fmt: skip


def env_programs(yard: Yard) -> dict[str, str]:
    """A caller whose git variables all start the repository's program."""
    program = yard.program()
    folder = Path(program).parent
    for name in ("git", "git-cat-file", "git-rev-parse", "git-ls-files", "git-merge-base"):
        yard.program(f"tools/{name}")
    return {
        "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": program,
        "GIT_CONFIG_KEY_1": "alias.cat-file", "GIT_CONFIG_VALUE_1": f"!{program}",
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{program}'", "GIT_CONFIG_GLOBAL": str(yard.write("evilconfig", "[x]\n")),
        "GIT_CONFIG": "/nowhere", "GIT_EXTERNAL_DIFF": program, "GIT_SSH_COMMAND": program, "GIT_SSH": program,
        "GIT_ASKPASS": program, "SSH_ASKPASS": program, "GIT_PROXY_COMMAND": program, "GIT_EDITOR": program,
        "GIT_PAGER": program, "PAGER": program, "EDITOR": program, "GIT_EXEC_PATH": str(folder),
        "GIT_TEMPLATE_DIR": str(folder), "GIT_TRACE": f"{yard.marker}", "GIT_TRACE2": f"{yard.marker}",
        "GIT_TRACE2_EVENT": f"{yard.marker}", "GIT_TRACE_SETUP": f"{yard.marker}", "GIT_ALLOW_PROTOCOL": "ext:file:ssh",
        "GIT_NO_LAZY_FETCH": "0", "GIT_OPTIONAL_LOCKS": "1",
    }  # fmt: skip


def env_path(yard: Yard) -> dict[str, str]:
    """A caller whose search path leads into the tree first: by name, by `.` and by nothing."""
    yard.program("git")
    yard.program("tools/git")
    return {"PATH": os.pathsep.join(["", ".", "tools", str(yard.root / "tools"), os.environ["PATH"]])}


def link_path(yard: Yard) -> dict[str, str]:
    """The same through a link that stands outside the tree."""
    yard.program("tools/git")
    (yard.folder / "bin").symlink_to(yard.root / "tools")
    return {"PATH": os.pathsep.join([str(yard.folder / "bin"), os.environ["PATH"]])}


def nothing(_yard: Yard) -> None:
    """The trap is in the environment."""


UNREADABLE = {"index": frozenset({1, 3}), "HEAD": frozenset({1, 3})}
STATUS, SAME, UNSEEN = ("status",), ("diff", "--exit-code"), ("status", "--porcelain", "src", "protected")

TRAPS = (
    Trap(name="fsmonitor", build=lambda y: y.config(("core.fsmonitor", y.program())), provoke=STATUS),
    Trap(name="clean-smudge-info", build=lambda y: filters(y, process=False, attributes="info"),
         provoke=("hash-object", "--path=src/a.txt", "src/a.txt")),
    Trap(name="clean-smudge-tree", build=lambda y: filters(y, process=False, attributes="tree"),
         provoke=("hash-object", "--path=src/a.txt", "src/a.txt")),
    Trap(name="clean-smudge-key", build=lambda y: filters(y, process=False, attributes="key"),
         provoke=("hash-object", "--path=src/a.txt", "src/a.txt")),
    Trap(name="process-required", build=lambda y: filters(y, process=True, attributes="info"),
         provoke=("hash-object", "--path=src/a.txt", "src/a.txt")),
    Trap(name="hooks", build=lambda y: hooks(y, ".git/hooks"), provoke=("commit", "--allow-empty", "-m", "x")),
    Trap(name="hooks-path", build=lambda y: hooks(y, "tools"), provoke=("commit", "--allow-empty", "-m", "x")),
    Trap(name="textconv", build=drivers, provoke=("diff",)),
    Trap(name="diff-driver", build=driver_command, provoke=("diff",)),
    Trap(name="diff-external", build=lambda y: y.config(("diff.external", y.program())), provoke=("diff",)),
    Trap(name="every-program-key", build=programs, provoke=("evil",)),
    Trap(name="credential-helper", build=lambda y: y.config(("credential.helper", f"!{y.program()}")),
         provoke=("credential", "fill")),
    Trap(name="include", build=lambda y: included(y, "include.path"), provoke=STATUS),
    Trap(name="include-if-gitdir", build=lambda y: included(y, "includeIf.gitdir:**.path"), provoke=STATUS),
    Trap(name="include-if-branch", build=lambda y: included(y, "includeIf.onbranch:**.path"), provoke=STATUS),
    Trap(name="worktree-config", build=worktree_config, provoke=STATUS),
    Trap(name="promisor-ssh", build=by_ssh, provoke=FAR, exits=UNREADABLE),
    Trap(name="promisor-uploadpack", build=by_uploadpack, provoke=FAR, exits=UNREADABLE),
    Trap(name="promisor-helper", build=by_helper, provoke=FAR, exits=UNREADABLE),
    Trap(name="submodule", build=submodule, provoke=("-C", "vendor", "status")),
    Trap(name="assume-unchanged", build=lambda y: bits(y, "--assume-unchanged"), fooled=SAME),
    Trap(name="skip-worktree", build=lambda y: bits(y, "--skip-worktree"), fooled=SAME),
    Trap(name="intent-to-add", build=intent),
    Trap(name="info-exclude", build=lambda y: exclude(y, "info"), hidden=HIDDEN, fooled=UNSEEN),
    Trap(name="excludes-file", build=lambda y: exclude(y, "key"), hidden=HIDDEN, fooled=UNSEEN),
    Trap(name="gitignore-of-the-tree", build=lambda y: exclude(y, "tree"), hidden=HIDDEN, fooled=UNSEEN),
    Trap(name="export-ignore", build=lambda y: attributes(y, "* export-ignore export-subst -diff binary\n")),
    Trap(name="line-ends", build=lambda y: attributes(y, "* text eol=crlf ident\n")),
    Trap(name="encoding", build=lambda y: attributes(y, "* text working-tree-encoding=UTF-16\n")),
    Trap(name="autocrlf", build=lambda y: y.config(("core.autocrlf", "true"), ("core.eol", "crlf"))),
    Trap(name="alternates", build=alternates),
    Trap(name="alternate-forgery", build=alternate_forgery, murky=("index", "HEAD")),
    Trap(name="forged-blob", build=lambda y: forged(y, "src/a.txt"), murky=("index", "HEAD")),
    Trap(name="forged-tree", build=lambda y: forged(y, "src"), exits={"HEAD": frozenset({0, 2})}),
    Trap(name="grafts", build=lambda y: y.in_store("info/grafts", f"{y.dirty_commit}\n{y.base} {y.dirty_commit}\n")),
    Trap(name="replace-blob", build=lambda y: replaced(y, "blob")),
    Trap(name="replace-tree", build=lambda y: replaced(y, "tree")),
    Trap(name="replace-commit", build=lambda y: replaced(y, "commit")),
    Trap(name="replace-base", build=lambda y: replaced(y, "base")),
    Trap(name="damaged-blob", build=damaged, exits=UNREADABLE),
    Trap(name="store-is-a-link", build=linked_store),
    Trap(name="store-is-named", build=named_store),
    Trap(name="worktree-elsewhere", build=other_worktree, fooled=SAME),
    Trap(name="bare", build=lambda y: y.config(("core.bare", "true"))),
    Trap(name="odd-references", build=references),
    Trap(name="sparse-checkout", build=sparse, fooled=SAME),
    Trap(name="sparse-index", build=sparse_index),
    Trap(name="foreign-owner", build=foreign_owner, root_only=True),
    Trap(name="shallow", build=lambda y: y.in_store("shallow", f"{y.base}\n")),
    Trap(name="split-index", build=split_index),
    Trap(name="collisions", build=collisions),
    Trap(name="garbage-accelerators", build=garbage_accelerators),
    Trap(name="caller-names-another-store", build=nothing, environment=env_store),
    Trap(name="caller-names-programs", build=nothing, environment=env_programs),
    Trap(name="caller-path-into-the-tree", build=nothing, environment=env_path),
    Trap(name="caller-path-by-a-link", build=nothing, environment=link_path),
)  # fmt: skip
