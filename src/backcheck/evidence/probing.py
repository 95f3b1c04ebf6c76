"""Runs a probe twice in a clean copy: as it is, and with the effect taken away, which must turn it red."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backcheck.evidence import sandbox
from backcheck.evidence.cleancopy import temporary
from backcheck.evidence.commands import Limits, Result, allowed_environment, run_command
from backcheck.evidence.observing import Made, Plan, boxed, prepared_copy

DRIVERS = Path(__file__).parent / "drivers"
#: Language → how its driver is started.
LANGUAGES = {"python": ("python3", "-c", "child.py"), "node": ("node", "-e", "child.js")}
MAX_ANSWER = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """Both runs' outcomes (see probe.run_script), and whether the child was isolated. `stopped` says why there is none."""

    plain: Mapping[str, Any]
    poisoned: Mapping[str, Any]
    isolated: bool
    stopped: str = ""


def run_probe(plan: Plan, script: bytes, language: str, folder: str, seconds: float) -> Probed:
    """Drive the code in a copy of the tree. Errors: NotObserved."""
    environment = allowed_environment()
    with prepared_copy(plan, environment) as made, temporary("backcheck-probe-") as private:
        Path(private, "script.py").write_bytes(script)
        plain = _once(plan, made, Path(private), language, folder, seconds, poisoned=False)
        poisoned: Mapping[str, Any] = {}
        if plain.get("outcome") == "holds" and plain.get("can_poison"):
            poisoned = _once(plan, made, Path(private), language, folder, seconds, poisoned=True)
    stopped = plain.get("stopped") or poisoned.get("stopped") or ""
    return Probed(plain=plain, poisoned=poisoned, isolated=bool(sandbox.bubblewrap()), stopped=str(stopped))


def _once(
    plan: Plan, made: Made, private: Path, language: str, folder: str, seconds: float, *, poisoned: bool
) -> Mapping[str, Any]:
    program, flag, driver = LANGUAGES[language]
    code = (DRIVERS / driver).read_text(encoding="utf-8")
    call, start = boxed(plan, made, [program, flag, code], folder, allowed_environment())
    request, answer = private / "request.json", private / f"answer-{poisoned}.json"
    given = {"script": str(private / "script.py"), "command": call, "folder": start, "poisoned": poisoned}
    request.write_text(json.dumps(given), encoding="utf-8")
    argv = [sys.executable, "-I", "-m", "backcheck.probe", str(request), str(answer)]
    result = run_command(argv, str(private), allowed_environment(), Limits(seconds=seconds))
    return _read(answer, result)


def _read(answer: Path, result: Result) -> Mapping[str, Any]:
    """What the probe's own process wrote; its exit code and what it printed say nothing."""
    if result.stopped or result.problem:
        return {"stopped": result.stopped or result.problem}
    try:
        if os.path.getsize(answer) > MAX_ANSWER:
            return {"stopped": "its answer is too large"}
        found = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"stopped": f"it ended without an answer (exit {result.code})"}
    return found if isinstance(found, dict) else {"stopped": "its answer has another form"}
