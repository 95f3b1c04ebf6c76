"""Running a command and writing down what was seen: how it was called, the tree before and after, what came out."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata

from backcheck.evidence.blobs import disk_blobs
from backcheck.evidence.commands import Limits, Result, Sink, run_command
from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.masking import mask
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.records import MAX_CHANGED, RunRecord, Stored
from backcheck.evidence.vault import MAX_KEPT, Vault
from backcheck.evidence.workspace import DiskTree

SHELL = "/bin/sh"
#: Bytes of output that are kept from its beginning, and as many from its end.
MAX_HALF = 2 * 1024 * 1024
#: Ids of files in a manifest are sha256 in git's form, whatever the repository uses.
ID_LENGTH = 64
_LINE = "{mode} {oid} {path}\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be run: `folder` counts from the tree's top; `variables` are names that the contract lets through."""

    name: str
    argv: Sequence[str]
    folder: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    variables: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)
    #: Paths below the folder at which the command is to write reports.
    reports: Sequence[str] = ()


def argv_of(command: str | Sequence[str]) -> list[str]:
    """A contract's command as it is called: text goes to the shell."""
    return [SHELL, "-c", command] if isinstance(command, str) else list(command)


def executable_of(argv: Sequence[str], folder: str, environment: Mapping[str, str]) -> str:
    """The file that answers to the command's name here; empty where there is none."""
    name = argv[0]
    if os.sep in name:
        path = os.path.join(folder, name)
        return path if os.access(path, os.X_OK) else ""
    return shutil.which(name, path=environment.get("PATH")) or ""


def environment_digest(
    argv: Sequence[str], folder: str, environment: Mapping[str, str], variables: Iterable[str]
) -> str:
    """sha256 over what decides how a command runs: which file answers to its name, its bytes, and the variables that
    the contract lets through beside the usual ones. PATH itself may differ where the same file answers."""
    executable = executable_of(argv, folder, environment)
    try:
        content = (
            hashlib.sha256(read_whole(os.path.realpath(executable), limit=MAX_FILE)).hexdigest() if executable else ""
        )
    except Unreadable as error:
        content = f"unread: {error}"
    extra = {name: environment[name] for name in sorted(set(variables)) if name in environment}
    text = json.dumps([executable, content, extra], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def record_run(tree: DiskTree, asked: Asked, vault: Vault, commit: str, sink: Callable[[int, bytes], None],
               known: Callable[[str], Stored | None] = lambda _digest: None) -> RunRecord:  # fmt: skip
    """Run it and say what was seen; unsigned. `known` gives the manifest that is kept already for a tree's digest.

    Errors: VaultError, and as DiskTree.survey.
    """
    folder = os.path.join(tree.top, asked.folder) if asked.folder else tree.top
    digest = environment_digest(asked.argv, folder, asked.environment, asked.variables)
    executable = executable_of(asked.argv, folder, asked.environment)
    states, before = tree.states(), tree.survey([]).digest
    reports = _report_states(tree, asked)
    kept = _Output(sink)
    started = datetime.datetime.now(datetime.UTC)
    result = run_command(list(asked.argv), folder, asked.environment, asked.limits, kept.take)
    ended = datetime.datetime.now(datetime.UTC)
    after_states = tree.states()
    after = before if after_states == states else tree.survey([]).digest
    output = vault.put(kept.text())
    return RunRecord(
        name=asked.name, argv=[mask(word) for word in asked.argv], folder=asked.folder, environment=digest,
        executable=executable, started=started.isoformat(), ended=ended.isoformat(), seconds=result.seconds,
        exit_code=result.code, signal=result.signal, stopped=result.stopped or result.problem,
        output=Stored(sha256=output.sha256, bytes=result.printed, kept=not kept.cut), commit=commit,
        before=before, after=after, manifest=known(after) or vault.put(manifest(tree)),
        changed=_changed(states, after_states), reports=_written(tree, asked, reports, vault),
        recorder=f"backcheck {metadata.version('backcheck')}",
    )  # fmt: skip


@dataclass(slots=True)
class _Output:
    """Passes output on and keeps its beginning and its end."""

    sink: Sink
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    cut: int = 0

    def take(self, descriptor: int, chunk: bytes) -> None:
        """One piece, as it came."""
        room = MAX_HALF - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:] if room < len(chunk) else b""
        if len(self.tail) > 2 * MAX_HALF:
            self._shorten()
        self.sink(descriptor, chunk)

    def text(self) -> bytes:
        """What is kept, secrets masked, with the cut said."""
        if len(self.tail) > MAX_HALF:
            self._shorten()
        middle = f"\n[… {self.cut:,} bytes left out …]\n".encode() if self.cut else b""
        return mask(bytes(self.head + middle + self.tail).decode("utf-8", "replace")).encode()

    def _shorten(self) -> None:
        self.cut += len(self.tail) - MAX_HALF
        del self.tail[:-MAX_HALF]


def manifest(tree: DiskTree) -> bytes:
    """Every file of the tree as `mode id path` with a NUL at its end, sorted by path."""
    found = disk_blobs(tree.top, list(tree.paths()), ID_LENGTH)
    lines = (_LINE.format(mode=mode, oid=oid, path=path) for path, (mode, oid) in sorted(found.items()))
    return "".join(lines).encode("utf-8", "surrogateescape")


def files_of(data: bytes) -> dict[str, tuple[str, str]]:
    """(mode, id) by path of a manifest's bytes. Errors: ValueError."""
    found = {}
    for line in data.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        mode, oid, path = line.split(" ", 2)
        found[path] = (mode, oid)
    return found


def _changed(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """What the run changed, took away or made, also where it put the old bytes back."""
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    return paths[: MAX_CHANGED + 1]


def _report_states(tree: DiskTree, asked: Asked) -> dict[str, tuple[int, int] | None]:
    return {path: _state(os.path.join(tree.top, join(asked.folder, path))) for path in asked.reports}


def _state(path: str) -> tuple[int, int] | None:
    try:
        state = os.lstat(path)
    except OSError:
        return None
    return state.st_ctime_ns, state.st_ino


def _written(tree: DiskTree, asked: Asked, before: Mapping[str, tuple[int, int] | None], vault: Vault) -> list[Stored]:
    """The reports that this very run wrote; one that was there already and was not touched is none of its."""
    found = []
    for path in asked.reports:
        place = join(asked.folder, path)
        state = _state(os.path.join(tree.top, place))
        if state is None or state == before[path]:
            continue
        try:
            found.append(vault.put(DiskTree(tree.top).read(place, limit=MAX_KEPT), place))
        except Unreadable:
            continue
    return found


def result_of(record: RunRecord) -> Result:
    """A record's ending in the form that a run of now has."""
    return Result(
        code=record.exit_code, signal=record.signal, stopped=record.stopped, printed=record.output.bytes,
        seconds=record.seconds,
    )  # fmt: skip
