"""Set our answer to a case beside the peer's: what was recorded, what is accepted, what differs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .accepted import Accepted, OurAnswer

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.jsonl"

Answer = OurAnswer | Literal["HANG", "BROKEN"]
Kind = Literal["same", "stricter", "blocked otherwise", "laxer", "gates differ", "ours hangs", "ours breaks"]

_PEER: dict[int, Answer] = {0: "PASS", 1: "REJECT", 2: "REFUSED"}
_OURS: dict[int, Answer] = {0: "PASS", 1: "REJECT", 2: "REFUSED", 3: "UNCLEAR"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one tool said about a case; `gates` holds one truth a gate in contract order, if it gave any.

    `checks` names the check of each gate; it is known of ours only.
    """

    answer: Answer
    gates: tuple[bool, ...] | None = None
    checks: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How two answers relate; `problem` is "" where they agree or the difference is accepted."""

    case: str
    kind: Kind
    key: str
    peer: Outcome
    ours: Outcome
    problem: str


def peer_outcome(exit_code: int | Literal["hang"], gates: list[bool] | None) -> Outcome:
    """Return the peer's outcome from the two facts that are recorded of it."""
    if exit_code == "hang":
        return Outcome(answer="HANG")
    return Outcome(answer=_PEER.get(exit_code, "BROKEN"), gates=None if gates is None else tuple(gates))


def our_outcome(exit_code: int, stdout: str, stderr: str) -> Outcome:
    """Return our outcome from what `backcheck check --json` left behind."""
    answer = _OURS.get(exit_code, "BROKEN")
    if "Traceback (most recent call last)" in stderr + stdout:
        return Outcome(answer="BROKEN", text=stderr or stdout)
    if answer == "REFUSED":
        return Outcome(answer=answer, text=stderr)
    try:
        report = json.loads(stdout)
        told = [f for f in report["findings"] if not f["requirement"].startswith("backcheck:")]
        gates = tuple(f["status"] == "pass" for f in told)
        checks = tuple(f["check"] for f in told)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Outcome(answer="BROKEN", text=f"no report on stdout: {error!r}\n{stderr}")
    reasons = "; ".join(f"{f['requirement']}={f['status']}: {f['reason']}" for f in report["findings"])
    if report["verdict"] != answer or report["exit_code"] != exit_code:
        return Outcome(answer="BROKEN", text=f"exit code {exit_code} but {report['verdict']}")
    return Outcome(answer=answer, gates=gates, checks=checks, text=reasons)


def load_recorded(path: Path = RECORDED) -> dict[str, tuple[str, Outcome]]:
    """Return by case id its fingerprint when it was recorded, and the peer's outcome."""
    out = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        out[row["id"]] = (row["case"], peer_outcome(row["exit"], row["gates"]))
    return out


def _kind(peer: Outcome, ours: Outcome) -> Kind:
    if ours.answer in ("HANG", "BROKEN"):
        return "ours hangs" if ours.answer == "HANG" else "ours breaks"
    if ours.answer == peer.answer:
        same = peer.gates is None or ours.gates is None or peer.gates == ours.gates
        return "same" if same else "gates differ"
    if ours.answer == "PASS":
        return "laxer"
    return "stricter" if peer.answer == "PASS" else "blocked otherwise"


def _gate_problem(peer: Outcome, ours: Outcome, accepted: Accepted | None) -> str:
    if peer.gates is None or ours.gates is None:
        return ""
    if len(peer.gates) != len(ours.gates):
        return f"{len(peer.gates)} gates, {len(ours.gates)} findings"
    pairs = list(zip(peer.gates, ours.gates, strict=True))
    laxer = {check for check, pair in zip(ours.checks, pairs, strict=True) if pair == (False, True)}
    if laxer - (accepted.laxer if accepted else frozenset()):
        return f"a gate is laxer: peer {peer.gates}, ours {ours.gates}"
    if (True, False) in pairs and accepted is None:
        return f"a gate is stricter: peer {peer.gates}, ours {ours.gates}"
    return ""


def compare(name: str, edge: str, peer: Outcome, ours: Outcome, accepted: Accepted | None) -> Comparison:
    """Compare the two answers; an accepted difference must be there exactly as it is listed."""
    kind = _kind(peer, ours)
    expected = accepted.answer if accepted else peer.answer
    problem = ""
    if kind in ("ours hangs", "ours breaks"):
        problem = ours.text or ours.answer
    elif ours.answer != expected:
        problem = f"peer {peer.answer}, ours {ours.answer}, expected {expected}"
    elif accepted and kind == "same":
        problem = f"listed under {accepted.key} but there is no difference"
    problem = problem or _gate_problem(peer, ours, accepted)
    key = accepted.key if accepted else edge or "no documented edge"
    return Comparison(case=name, kind=kind, key=key, peer=peer, ours=ours, problem=problem)
