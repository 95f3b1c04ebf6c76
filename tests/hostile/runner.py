"""Asks the command line in a worker process that can be ended, and says how each call went."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Seconds that a call may take before it counts as a hang.
LIMIT = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one call ended. `code` is None where it never answered: it hung, or its process died."""

    code: int | None
    out: str = ""
    err: str = ""
    raised: str = ""
    seconds: float = 0.0
    peak_kib: int = 0
    hung: bool = False
    died: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """The JSON verdict, empty where there is none."""
        with contextlib.suppress(ValueError):
            found = json.loads(self.out)
            return found if isinstance(found, dict) else {}
        return {}

    @property
    def statuses(self) -> dict[str, str]:
        """Requirement → status."""
        return {finding["requirement"]: finding["status"] for finding in self.document.get("findings", [])}

    @property
    def traceback(self) -> bool:
        """Whether an exception came through, or was told as a fault of backcheck."""
        return bool(self.raised) or self.code == 4 or "Traceback" in self.err or "the check broke" in self.out

    @property
    def answered(self) -> bool:
        """Whether it ended in time with an answer, whatever that is."""
        return not (self.hung or self.died or self.traceback)

    def told(self) -> str:
        """All of it, for a failing test."""
        return (
            f"exit {self.code} hung={self.hung} died={self.died}\n{self.out[:3000]}\n{self.err[:2000]}\n{self.raised}"
        )


def clean_environment(home: Path) -> dict[str, str]:
    """What a call sees when a test adds nothing: no GIT_*, no CI, and a home of its own."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
            "LANG": "C.UTF-8"}  # fmt: skip


class Runner:
    """A worker process, started anew where a call ended it. A context manager."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the worker and all that it started."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def ask(
        self,
        argv: Sequence[str],
        *,
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        patch: Mapping[str, Any] | None = None,
        limit: float = LIMIT,
    ) -> Outcome:
        """Run `backcheck` with these arguments."""
        stdin, stdout = self._streams()
        request = {
            "argv": list(argv), "cwd": str(cwd or self.home), "env": {**clean_environment(self.home), **(env or {})},
            "patch": dict(patch or {}),
        }  # fmt: skip
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        if not select.select([stdout], [], [], limit)[0]:
            self.end()
            return Outcome(code=None, hung=True, seconds=limit)
        line = stdout.readline()
        if not line:
            self.end()
            return Outcome(code=None, died=True)
        answer = json.loads(line)
        return Outcome(code=answer["code"], out=answer["out"], err=answer["err"], raised=answer["raised"],
                       seconds=answer["seconds"], peak_kib=answer["peak"])  # fmt: skip

    def _streams(self) -> tuple[Any, Any]:
        if self.process is None:
            worker = Path(__file__).with_name("worker.py")
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(worker)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, start_new_session=True, cwd=self.home,
            )  # fmt: skip
        return self.process.stdin, self.process.stdout
