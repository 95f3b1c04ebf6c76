"""git objects by id through one `cat-file --batch`, each verified against its id before it is believed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import select
import stat
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from backcheck.evidence.git import GitError, Repository, environment

MAX_OBJECT = 512 * 1024 * 1024
MAX_TREE = 64 * 1024 * 1024
MAX_PATHS = 2_000_000
MAX_LEVELS = 200
#: Entries of trees that one reader keeps parsed.
MAX_KEPT = 500_000
ANSWER_TIMEOUT = 60.0
TREE, LINK, SUBMODULE = "40000", "120000", "160000"
_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Node(NamedTuple):
    """One path of an index or a revision: mode as git writes it (100644, 100755, 120000, 160000) and object id."""

    mode: str
    oid: str


def object_id(kind: bytes, data: bytes, length: int) -> str:
    """git's id of an object with these bytes; `length` is the id's length, 40 (SHA-1) or 64 (SHA-256)."""
    digest = hashlib.sha1(usedforsecurity=False) if length == 40 else hashlib.sha256()
    digest.update(b"%s %d\0" % (kind, len(data)))
    digest.update(data)
    return digest.hexdigest()


def blob_id(data: bytes, length: int) -> str:
    """git's id of a blob with these bytes."""
    return object_id(b"blob", data, length)


class _Talk:
    """A running `cat-file --batch`: a question at a time, its answer by line and by length, never waited for too long."""

    def __init__(self, repository: Repository) -> None:
        self.stuck = repository.stuck
        command = ["git", f"--git-dir={repository.git_dir}", f"--work-tree={repository.top}", "cat-file", "--batch"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            cwd=repository.top, env=environment(repository.top),
        )  # fmt: skip
        self.rest = bytearray()
        self.poll = select.poll()
        if self.process.stdout is not None:
            self.poll.register(self.process.stdout, select.POLLIN)

    def end(self) -> None:
        """End the process."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            self.process.wait(timeout=0 if self.stuck else 5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def ask(self, question: bytes) -> None:
        """Send one line. Errors: OSError where nobody is there."""
        if self.process.stdin is not None:
            os.write(self.process.stdin.fileno(), question)

    def line(self) -> bytes:
        """The next line, without its end. Errors: as `_more`."""
        while b"\n" not in self.rest:
            self._more(1 << 16)
        line, _, self.rest = self.rest.partition(b"\n")
        return bytes(line)

    def take(self, count: int, *, keep: bool = True) -> bytes:
        """The next so many bytes; without `keep` they are only passed over. Errors: as `_more`."""
        parts, left = [], count
        while left:
            if not self.rest:
                self._more(min(max(left, 1 << 16), 1 << 20))
            part, self.rest = bytes(self.rest[:left]), self.rest[left:]
            left -= len(part)
            parts += [part] if keep else []
        return b"".join(parts)

    def _more(self, count: int) -> None:
        """Errors: GitError where git has ended or is silent: a FIFO in an object's place would make it wait for ever."""
        if self.process.stdout is None:
            raise GitError("git cat-file has no pipes")
        if not self.poll.poll(ANSWER_TIMEOUT * 1000):
            self.stuck.append(f"git cat-file gave no answer for {ANSWER_TIMEOUT:g} s")
            raise GitError(self.stuck[0])
        got = os.read(self.process.stdout.fileno(), count)
        if not got:
            raise GitError("git cat-file ended without an answer")
        self.rest += got


class ObjectReader:
    """Reads blobs by id or by `REVISION:PATH`. A context manager; starts git at the first question."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._talk: _Talk | None = None
        self._trees: dict[str, Mapping[str, Node]] = {}
        self._kept = 0
        self._roots: dict[str, str] = {}
        self._owner = os.getpid()
        self._inherited: _Talk | None = None
        #: Id of the object that was read last.
        self.last_id = ""

    def __enter__(self) -> ObjectReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git process."""
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.end()

    def blob(self, name: str, *, limit: int = MAX_OBJECT) -> bytes | None:
        """The bytes of a blob by its id or by `REVISION:PATH`, or None where nothing (or no blob) has that name.

        A path is looked up here, tree by tree: git itself believes a tree object whose bytes are another's.
        Errors: as `object`.
        """
        revision, colon, path = name.partition(":")
        if not colon:
            return self.object(name, b"blob", limit=limit)
        node = self._node(revision, path)
        return self.object(node.oid, b"blob", limit=limit) if node and node.mode not in (TREE, SUBMODULE) else None

    def _node(self, revision: str, path: str) -> Node | None:
        commit = revision if _OID.fullmatch(revision) else self.commit_id(revision)
        node, rest = self.reach(commit, path) if commit else (None, "")
        return None if rest else node

    def reach(self, commit: str, path: str) -> tuple[Node | None, str]:
        """What a commit has at a path, folders as well. On the way into a submodule: its node, and the rest of the path.

        Errors: as `object`.
        """
        node = Node(TREE, self.tree_id(commit))
        parts = path.split("/") if path else []
        for number, name in enumerate(parts):
            if node.mode != TREE:
                return (node, "/".join(parts[number:])) if node.mode == SUBMODULE else (None, "")
            found = self.tree(node.oid).get(name)
            if found is None:
                return None, ""
            node = found
        return node, ""

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree. Errors: GitError where it is no commit, and as `object`."""
        if commit in self._roots:
            return self._roots[commit]
        raw = self.object(commit, b"commit", limit=MAX_TREE)
        oid = raw[5 : 5 + len(commit)].decode("ascii", "replace") if raw and raw.startswith(b"tree ") else ""
        if not _OID.fullmatch(oid):
            raise GitError(f"`{commit}` is no commit")
        self._roots[commit] = oid
        return oid

    def tree(self, oid: str) -> Mapping[str, Node]:
        """One tree object, name by name. Errors: GitError where it is missing or malformed, and as `object`."""
        if oid not in self._trees:
            data = self.object(oid, b"tree", limit=MAX_TREE)
            if data is None:
                raise GitError(f"the tree {oid} is missing")
            entries = _tree_entries(data, len(oid) // 2)
            if self._kept > MAX_KEPT:
                self._trees, self._kept = {}, 0
            self._trees[oid] = entries
            self._kept += len(entries) + 1
        return self._trees[oid]

    def commit_id(self, revision: str) -> str | None:
        """The id of the commit that a revision names, or None. Errors: as Repository.commit."""
        try:
            data = self.object(f"{revision}^{{commit}}", b"commit", limit=MAX_TREE)
        except GitError as error:
            raise self.repository.unreadable(error) from None
        # "Missing" can also mean that git cannot read the repository; the slower question tells the two apart.
        return self.repository.commit(revision) if data is None else self.last_id

    def object(self, name: str, kind: bytes, *, limit: int = MAX_OBJECT) -> bytes | None:
        """The bytes of an object of this kind, or None where nothing of the kind has that name.

        Errors: GitError where it is larger than `limit`, does not hash to its id, or git does not answer.
        """
        if "\n" in name or "\0" in name:
            return None
        if self.repository.stuck:
            raise GitError(self.repository.stuck[0])
        if self._owner != os.getpid():
            # A forked worker must not read the answers that its parent waits for; the parent's is its own to end.
            self._owner, self._inherited, self._talk = os.getpid(), self._talk, None
        try:
            self._talk = talk = self._talk or _Talk(self.repository)
            talk.ask(name.encode("utf-8", "surrogateescape") + b"\n")
            return self._answer(talk, name, kind, limit)
        except OSError as error:
            self.close()
            raise GitError(f"git cat-file cannot be asked: {error.strerror}") from None
        except GitError:
            # What is left of this answer must not be taken for the next one.
            self.close()
            raise

    def _answer(self, talk: _Talk, name: str, kind: bytes, limit: int) -> bytes | None:
        words = talk.line().split()
        if len(words) != 3 or not words[2].isdigit():
            return None
        oid, found, size = words[0].decode("ascii"), words[1], int(words[2])
        fits = found == kind and size <= limit
        data = talk.take(size + 1, keep=fits)[:-1]
        if found != kind:
            return None
        if not fits:
            raise GitError(f"`{name}` holds {size:,} bytes; the limit is {limit:,}")
        self.last_id = oid
        if object_id(kind, data, len(oid)) != oid or (_OID.fullmatch(name) and name != oid):
            raise GitError(f"the object {oid} is damaged: its bytes do not hash to its id")
        return data


def tree_of(reader: ObjectReader, commit: str) -> dict[str, Node]:
    """Every path of a commit's tree, from the top of the repository.

    Read object by object, each verified, so that neither a damaged nor a forged tree is believed.
    Errors: GitError, also for entries that no checkout could hold (`..`, `.git`, a name twice).
    """
    nodes: dict[str, Node] = {}
    stack = [("", reader.tree_id(commit))]
    folders = 0
    while stack:
        prefix, oid = stack.pop()
        folders += 1
        for name, node in reader.tree(oid).items():
            if node.mode == TREE:
                stack.append((f"{prefix}{name}/", node.oid))
            else:
                nodes[f"{prefix}{name}"] = node
        # Folders count as well: a few small trees that name each other can unfold to more than anybody can walk.
        if len(nodes) + folders + len(stack) > MAX_PATHS or prefix.count("/") > MAX_LEVELS:
            raise GitError(f"the tree of {commit} has more than {MAX_PATHS:,} paths or {MAX_LEVELS} levels")
    return nodes


def _tree_entries(data: bytes, width: int) -> dict[str, Node]:
    entries: dict[str, Node] = {}
    at = 0
    while at < len(data):
        space = data.find(b" ", at)
        zero = data.find(b"\0", space)
        if space < 0 or zero < 0 or zero + 1 + width > len(data):
            raise GitError("a tree object cannot be read")
        name = data[space + 1 : zero].decode("utf-8", "surrogateescape")
        if name in ("", ".", "..") or name.lower() == ".git" or "/" in name:
            raise GitError(f"a tree object holds the name `{name}`, which no checkout may have")
        if name in entries:
            raise GitError(f"a tree object names `{name}` twice")
        entries[name] = Node(_mode(data[at:space]), data[zero + 1 : zero + 1 + width].hex())
        at = zero + 1 + width
    return entries


def _mode(written: bytes) -> str:
    """A mode as git means it: zeros before it and odd permission bits, which old tools wrote, are no difference."""
    mode = int(written, 8) if written and not written.strip(b"01234567") and len(written) <= 8 else 0
    if stat.S_ISREG(mode):
        return "100755" if mode & 0o100 else "100644"
    known = {stat.S_IFDIR: TREE, stat.S_IFLNK: LINK, 0o160000: SUBMODULE}
    if stat.S_IFMT(mode) not in known:
        raise GitError(f"a tree object holds the mode `{written.decode('ascii', 'replace')}`, which git does not know")
    return known[stat.S_IFMT(mode)]
