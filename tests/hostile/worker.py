"""One process that answers calls of the command line, so that a hang or a crash ends it and not the tests.

A call comes as a line of JSON on stdin (`argv`, `cwd`, `env`, `patch`) and its answer leaves as one on stdout.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import resource
import sys
import tempfile
import time
import traceback
from typing import IO, Any

#: Bytes of memory that a call may reserve; past it Python raises, and the machine stays usable.
MEMORY = 6 * 1024**3


def main() -> None:
    """Answer until stdin ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What a library or a child process prints past Python's own streams counts as output too.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        for line in sys.stdin:
            answers.write(json.dumps(call(json.loads(line), (out, err))) + "\n")
            answers.flush()


def call(request: dict[str, Any], beside: tuple[IO[bytes], IO[bytes]]) -> dict[str, Any]:
    """Run one call as the script would: strict UTF-8 out, errors with escapes."""
    from backcheck.surfaces.cli.main import run

    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    restore = [patched(name, value) for name, value in request.get("patch", {}).items()]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
    answer: dict[str, Any] = {"code": None, "raised": ""}
    before = (sys.stdout, sys.stderr)
    started = time.monotonic()
    try:
        sys.stdout, sys.stderr = out, err
        answer["code"] = run(request["argv"])
    except BaseException:
        answer["raised"] = traceback.format_exc()
    finally:
        sys.stdout, sys.stderr = before
        for module, attribute, old in restore:
            setattr(module, attribute, old)
    answer["seconds"] = time.monotonic() - started
    answer["out"], answer["err"] = (
        (stream.detach().getvalue() + taken(file)).decode("utf-8", "replace")
        for stream, file in zip((out, err), beside, strict=True)
    )
    answer["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return answer


def patched(name: str, value: Any) -> tuple[Any, str, Any]:
    """Set a module's constant for one call; what is needed to set it back."""
    path, _, attribute = name.rpartition(".")
    module = importlib.import_module(path)
    old = getattr(module, attribute)
    setattr(module, attribute, value)
    return module, attribute, old


def taken(file: IO[bytes]) -> bytes:
    """What was written to a file since it was last asked."""
    file.seek(0)
    data = file.read()
    file.seek(0)
    file.truncate()
    return data


if __name__ == "__main__":
    main()
