"""Running a command so that it ends, is bounded, sees little, and leaves nothing behind.

The command gets its own session; every process that descends from it, also one that left the session, is ended with it
(on Linux backcheck is the sub-reaper of orphans; elsewhere those that changed their session and lost their parent can
escape, which the docs say).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from backcheck.evidence.cleancopy import temporary

MAX_OUTPUT = 64 * 1024 * 1024
KEEP = 32 * 1024
DEFAULT_TIMEOUT = 300.0
MAX_MEMORY = 8 * 1024**3
MAX_PROCESSES = 512
POLL = 0.1
#: How long a killed process may take to be gone.
END_SECONDS = 30.0
#: Told what the command prints as it prints it: the descriptor (1 or 2) and the bytes.
Sink = Callable[[int, bytes], None]
_PR_SET_CHILD_SUBREAPER = 36
#: The variable that tells Python where to keep and look for compiled modules.
COMPILED = "PYTHONPYCACHEPREFIX"

#: Variables that a command may see; names that end in * are prefixes.
ALLOWED = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR", "TEMP", "TMP", "CI",
    "PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV", "CONDA_PREFIX", "UV_CACHE_DIR", "PIP_CACHE_DIR",
    "NVM_DIR", "NODE_ENV", "VOLTA_HOME", "JAVA_HOME", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOFLAGS",
    "CARGO_HOME", "RUSTUP_HOME", "GEM_HOME", "DOTNET_ROOT", "SSL_CERT_FILE", "SSL_CERT_DIR", "XDG_CACHE_HOME",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one command may use: seconds, bytes printed, bytes resident (all its processes), processes at once."""

    seconds: float = DEFAULT_TIMEOUT
    output: int = MAX_OUTPUT
    memory: int = MAX_MEMORY
    processes: int = MAX_PROCESSES


@dataclass(slots=True, kw_only=True)
class Result:
    """How a command ended. `stopped` says which limit ended it, `left` counts processes that had to be ended after it."""

    code: int | None = None
    signal: str = ""
    stopped: str = ""
    problem: str = ""
    head: bytes = b""
    tail: bytes = b""
    printed: int = 0
    seconds: float = 0.0
    left: int = 0
    missing: bool = False

    @property
    def output(self) -> str:
        """What it printed, head and tail, with the cut said."""
        cut = self.printed - len(self.head) - len(self.tail)
        middle = f"\n[… {cut:,} bytes left out …]\n".encode() if cut > 0 else b""
        return (self.head + middle + self.tail).decode("utf-8", "replace")


def allowed_environment(extra: Sequence[str] = (), source: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of the caller that a command may see; `extra` are names that the contract allows as well."""
    values = os.environ if source is None else source
    names = {*ALLOWED, *extra}
    prefixes = tuple(name[:-1] for name in names if name.endswith("*"))
    found = {k: v for k, v in values.items() if k in names or (prefixes and k.startswith(prefixes))}
    found.setdefault("PATH", os.defpath)
    return found


def run_command(
    command: str | Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    limits: Limits | None = None,
    sink: Sink | None = None,
) -> Result:
    """Run a command (text: by `/bin/sh -c`; a list: as it is) in a folder, with no input. Never raises for its failure.

    With a `sink` stdout and stderr are kept apart for it; what the result holds is both, as they came.
    """
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    with _compiled_apart(environment) as variables:
        return _run(argv, folder, variables, limits or Limits(), sink)


@contextlib.contextmanager
def _compiled_apart(environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The variables with a private, empty place for what Python compiles, which is gone afterwards.

    A `.pyc` that lies ignored beside a protected test would run in its stead; and none of ours may be left in the tree.
    Who lets the variable through (`env`) has chosen a place.
    """
    if COMPILED in environment:
        yield dict(environment)
        return
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(temporary("backcheck-compiled-"))
        except OSError:
            # Below a device nothing can lie, and nothing be written.
            place = os.path.join(os.devnull, "none")
        yield {**environment, COMPILED: place}


def _run(argv: Sequence[str], folder: str, environment: dict[str, str], bounds: Limits, sink: Sink | None) -> Result:
    _become_subreaper()
    before = _children()
    started = time.monotonic()
    result = Result()
    try:
        process = subprocess.Popen(
            argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if sink is None else subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        result.missing = isinstance(error, FileNotFoundError)
        result.problem = f"{argv[0]} cannot be started: {getattr(error, 'strerror', None) or error}"
        return result
    watch = _Watch(process, bounds, started, before, result, sink)
    try:
        watch.until_done()
    finally:
        result.left = watch.end_all()
        result.seconds = time.monotonic() - started
    _record_end(process, result)
    return result


def _record_end(process: subprocess.Popen[bytes], result: Result) -> None:
    code = process.returncode
    if result.stopped:
        return
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            result.signal = signal.Signals(-code).name
        result.signal = result.signal or f"signal {-code}"
    else:
        result.code = code


@dataclass(slots=True)
class _Watch:
    """Follows one running command."""

    process: subprocess.Popen[bytes]
    limits: Limits
    started: float
    before: frozenset[int]
    result: Result
    sink: Sink | None = None
    tail: bytearray = field(default_factory=bytearray)
    next_look: float = 0.0

    def until_done(self) -> None:
        """Read output until the command itself has ended or a limit is hit."""
        streams = {pipe.fileno(): number for number, pipe in self._pipes()}
        with selectors.DefaultSelector() as selector:
            for descriptor in streams:
                os.set_blocking(descriptor, False)
                selector.register(descriptor, selectors.EVENT_READ)
            while not self.result.stopped:
                for key, _ in selector.select(POLL) if selector.get_map() else ():
                    if not self._read(key.fd, streams[key.fd]):
                        selector.unregister(key.fd)
                if self.process.poll() is not None:
                    # Its own end counts; a child that keeps the pipe open does not hold us up.
                    for descriptor in [key.fd for key in selector.get_map().values()]:
                        while self._read(descriptor, streams[descriptor], last=True):
                            pass
                    break
                if not selector.get_map():
                    self._wait_a_little()
                self._look()
        self.result.tail = bytes(self.tail)

    def _pipes(self) -> list[tuple[int, IO[bytes]]]:
        """The ends that we read, with the descriptor that the command writes to."""
        return [(n, pipe) for n, pipe in ((1, self.process.stdout), (2, self.process.stderr)) if pipe is not None]

    def _wait_a_little(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=POLL)

    def _read(self, descriptor: int, number: int, *, last: bool = False) -> bool:
        """Take what is there. False at the end of the pipe (or, `last`, where nothing more is there now)."""
        try:
            chunk = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return not last
        if not chunk:
            return False
        self._keep(chunk)
        if self.sink is not None:
            self.sink(number, chunk)
        if self.result.printed > self.limits.output:
            self.result.stopped = f"it printed more than {self.limits.output:,} bytes"
            return False
        return True

    def _keep(self, chunk: bytes) -> None:
        result = self.result
        result.printed += len(chunk)
        room = KEEP - len(result.head)
        result.head += chunk[: max(0, room)]
        self.tail += chunk[max(0, room) :]
        if len(self.tail) > 2 * KEEP:
            del self.tail[:-KEEP]

    def _look(self) -> None:
        """Compare what the command uses with its limits."""
        now = time.monotonic()
        if now - self.started > self.limits.seconds:
            self.result.stopped = f"it took longer than {self.limits.seconds:g} s"
            return
        if now < self.next_look:
            return
        self.next_look = now + POLL
        members = _processes(_descendants() - self.before)
        if len(members) > self.limits.processes:
            self.result.stopped = f"it ran more than {self.limits.processes} processes at once"
        elif sum(_resident(member) for member in members) > self.limits.memory:
            self.result.stopped = f"it used more than {self.limits.memory / 1024**3:g} GiB of memory"

    def end_all(self) -> int:
        """End the command and all that descends from it; the number of other processes that were still there."""
        del self.tail[:-KEEP]
        self.result.tail = bytes(self.tail)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        # What it started becomes our own child only when it is gone; a killed process may take a while to go.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=END_SECONDS)
        others = 0
        # Until none is left: a process that forks while it is being ended is met again, stopped first.
        for _ in range(200):
            # Whoever lost its parent is our own child now, so no new child means nothing is left.
            if not _children() - self.before - {self.process.pid}:
                break
            left = _descendants() - self.before - {self.process.pid}
            others = max(others, len(left))
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in left:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            _reap(left)
        for _, pipe in self._pipes():
            pipe.close()
        return others


def _become_subreaper() -> None:
    """Orphans of commands become our children, so that they can be found."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> frozenset[int]:
    """Our own children: at once where Linux lists them, else by looking at all processes."""
    found: set[int] = set()
    try:
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children", encoding="ascii") as listed:
                found.update(map(int, listed.read().split()))
    except OSError:
        return _descendants()
    return frozenset(found)


def _descendants() -> frozenset[int]:
    import psutil

    with contextlib.suppress(psutil.Error):
        return frozenset(child.pid for child in psutil.Process().children(recursive=True))
    return frozenset()


def _processes(pids: frozenset[int]) -> list[object]:
    import psutil

    found: list[object] = []
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            found.append(psutil.Process(pid))
    return found


def _resident(process: object) -> int:
    import psutil

    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)  # type: ignore[attr-defined]
    return 0


def _reap(pids: frozenset[int]) -> None:
    """Wait for those that have become our own children, so that they do not stay as zombies."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError, OSError):
            for _ in range(50):
                if os.waitpid(pid, os.WNOHANG)[0]:
                    break
                time.sleep(0.002)
