"""Observed runs: backcheck runs a command itself, in a clean copy of the tree, isolated as well as this machine allows."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from backcheck.evidence import prepared, sandbox
from backcheck.evidence.cleancopy import Copied, CopyProblem, temporary
from backcheck.evidence.commands import Limits, Result, run_command
from backcheck.evidence.paths import join
from backcheck.evidence.reading import Unreadable, read_whole
from backcheck.evidence.recording import executable_of
from backcheck.evidence.vault import MAX_KEPT
from backcheck.verdict import Isolation

PREPARE_SECONDS = 1800.0
_LAST_LINES = 3


class NotObserved(Exception):
    """The run could not be made; `blame` is whose turn it is: `environment`, `contract` or `agent`."""

    def __init__(self, message: str, blame: str = "environment") -> None:
        super().__init__(message)
        self.blame = blame


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How copies are made here. `copy(folder)` writes the tree under judgement; `paths` are its paths, `digest` its
    digest; `hidden` are folders that a command must not see; `cache` keeps prepared environments, None keeps none."""

    copy: Callable[[str], Copied]
    paths: Callable[[], Iterable[str]]
    digest: Callable[[], str]
    prepare: Sequence[str] = ()
    network: bool = False
    hidden: Sequence[str] = ()
    cache: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What was seen. `reports` are the bytes of the files asked for, by path; `left_out` is what the copy lacks."""

    result: Result
    isolation: Isolation
    reports: Mapping[str, bytes] = field(default_factory=dict)
    left_out: Sequence[tuple[str, str]] = ()


def observe(plan: Plan, argv: Sequence[str], folder: str, environment: Mapping[str, str], limits: Limits,
            reports: Sequence[str] = ()) -> Observed:  # fmt: skip
    """Copy, prepare, run, read the reports. Errors: NotObserved."""
    with prepared_copy(plan, environment) as made:
        for path in reports:
            if os.path.lexists(os.path.join(made.copy, folder, path)):
                raise NotObserved(
                    f"the report {path} is already in the tree; the run could not be told from it", "contract"
                )
        result = _run(plan, made.copy, argv, folder, environment, limits, made.overlays)
        found = {path: data for path in reports if (data := _report(made.copy, join(folder, path))) is not None}
        left_out = tuple(made.copied.missing)
    isolation = Isolation.PROCESS if sandbox.bubblewrap() else Isolation.NONE
    return Observed(result=result, isolation=isolation, reports=found, left_out=left_out)


class Made(NamedTuple):
    """A copy on disk, what is laid over it, and what it lacks."""

    copy: str
    overlays: Sequence[tuple[str, str]]
    copied: Copied


@contextlib.contextmanager
def prepared_copy(plan: Plan, environment: Mapping[str, str]) -> Iterator[Made]:
    """A clean copy in which the contract's prepare step was done. Errors: NotObserved."""
    with temporary() as place:
        copy = os.path.join(place, "tree")
        os.mkdir(copy)
        try:
            copied = plan.copy(copy)
        except CopyProblem as problem:
            raise NotObserved(f"no clean copy could be made: {problem}") from None
        yield Made(copy, _prepare(plan, copy, environment) if plan.prepare else (), copied)


def boxed(
    plan: Plan, made: Made, argv: Sequence[str], folder: str, environment: Mapping[str, str]
) -> tuple[list[str], str]:
    """The call that runs `argv` in a folder of the copy, isolated where that works, and the folder to call it from."""
    if not sandbox.bubblewrap():
        return list(argv), os.path.join(made.copy, folder)
    box = sandbox.Box(copy=made.copy, network=plan.network, readable=made.overlays, hidden=plan.hidden)
    call, variables = sandbox.inside(box, argv, folder, environment)
    return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in variables.items()), *call], made.copy


def _run(plan: Plan, copy: str, argv: Sequence[str], folder: str, environment: Mapping[str, str], limits: Limits,
         overlays: Sequence[tuple[str, str]], *, network: bool | None = None) -> Result:  # fmt: skip
    where = os.path.join(copy, folder)
    if not os.path.isdir(where):
        raise NotObserved(f"the clean copy has no folder {folder}", "contract")
    if not sandbox.bubblewrap():
        with temporary("backcheck-home-") as home:
            open_variables = dict(environment) | {"HOME": home, "TMPDIR": home}
            return run_command(list(argv), where, open_variables, limits)
    box = sandbox.Box(
        copy=copy, network=plan.network if network is None else network, readable=overlays, hidden=plan.hidden
    )
    call, variables = sandbox.inside(box, argv, folder, environment)
    result = run_command(call, copy, variables, limits)
    # bubblewrap's own processes end with it and are nothing that the command left.
    result.left = 0
    if result.code == 1 and result.head.startswith(b"bwrap: execvp "):
        return Result(
            problem=f"{argv[0]} cannot be started: it is not there in the clean copy or on this machine", missing=True
        )
    if result.code is not None and result.code > 128 and not result.signal:
        return _signalled(result)
    return result


def _signalled(result: Result) -> Result:
    """bubblewrap tells a signal as the shell does, by a code of 128 and more."""
    import signal

    with contextlib.suppress(ValueError):
        result.signal = signal.Signals((result.code or 0) - 128).name
        result.code = None
    return result


def _report(copy: str, path: str) -> bytes | None:
    """A report's bytes; a link could lead to a file of ours, so none is followed."""
    folder = copy
    for name in path.split("/"):
        folder = os.path.join(folder, name)
        if os.path.islink(folder):
            return None
    try:
        return read_whole(folder, limit=MAX_KEPT)
    except Unreadable:
        return None


def _prepare(plan: Plan, copy: str, environment: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Make or find what the step makes; returns what is laid over the copy. Errors: NotObserved."""
    program = executable_of(plan.prepare, copy, environment)
    files = {path: _bytes(copy, path) for path in prepared.deciding_files(plan.paths())}
    keys = [prepared.key_of(plan.prepare, program, files, tree) for tree in ("", plan.digest())]
    cache = plan.cache if sandbox.bubblewrap() else None
    for key in keys if cache else ():
        kept = prepared.load(cache, key) if cache else None
        if kept is not None:
            return _over(kept)
    known = _known(copy)
    before = {path: _bytes(copy, path) for path in plan.paths() if not os.path.islink(os.path.join(copy, path))}
    limits = Limits(seconds=PREPARE_SECONDS)
    result = _run(plan, copy, plan.prepare, "", environment, limits, (), network=True)
    if result.code != 0:
        raise NotObserved(f"the prepare step failed: {_why(result)}")
    changed = sorted(path for path, data in before.items() if _bytes(copy, path) != data)
    if changed:
        raise NotObserved(f"the prepare step changed the tree itself ({changed[0]})", "contract")
    new = prepared.new_paths(copy, known.__contains__)
    if cache is None:
        return ()
    key = keys[1] if prepared.copied_project(copy, new) else keys[0]
    try:
        return _over(prepared.keep(cache, key, copy, new))
    except OSError as error:
        raise NotObserved(f"what the prepare step made could not be kept: {error}") from None


def _over(kept: prepared.Kept) -> list[tuple[str, str]]:
    return [(lies, os.path.join(sandbox.INSIDE, path)) for path, lies in kept.places.items()]


def _known(copy: str) -> set[str]:
    found: set[str] = set()
    for parent, folders, files in os.walk(copy):
        below = os.path.relpath(parent, copy)
        found.update(name if below == "." else f"{below}/{name}" for name in (*folders, *files))
    return found


def _bytes(copy: str, path: str) -> bytes:
    try:
        return read_whole(os.path.join(copy, path), limit=MAX_KEPT)
    except Unreadable:
        return b""


def _why(result: Result) -> str:
    if result.problem or result.stopped or result.signal:
        return result.problem or result.stopped or f"ended by {result.signal}"
    lines = [line.strip() for line in result.output.splitlines() if line.strip()][-_LAST_LINES:]
    return f"exit {result.code}: {' | '.join(lines)}"[:600]
