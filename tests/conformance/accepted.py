"""The list of accepted differences from the peer: each has a reason, our answer and the cases it stands for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

DIFFERENCES = Path(__file__).parent / "differences.toml"

OurAnswer = Literal["PASS", "REJECT", "UNCLEAR", "REFUSED"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One entry of the list; `laxer` names the checks that may pass in its cases where the peer's gate does not."""

    key: str
    text: str
    laxer: frozenset[str]
    cases: Mapping[OurAnswer, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What is accepted for one case: our answer, by which key of the list, and which checks may be laxer."""

    key: str
    answer: OurAnswer
    laxer: frozenset[str] = frozenset()


def load_reasons(path: Path = DIFFERENCES) -> list[Reason]:
    """Return the list in its order. Raises ValueError for an entry without a reason or with a wrong answer."""
    out = []
    for key, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
        text, laxer = entry.pop("reason"), frozenset(entry.pop("laxer", ()))
        wrong = set(entry) - set(get_args(OurAnswer))
        if not text or wrong or not entry or ("PASS" in entry and not laxer):
            msg = f"{key}: needs a reason, known answers, and for PASS the checks that may be laxer"
            raise ValueError(msg)
        out.append(Reason(key=key, text=text, laxer=laxer, cases={a: tuple(names) for a, names in entry.items()}))
    return out


def load_accepted(path: Path = DIFFERENCES) -> dict[str, Accepted]:
    """Return by case id what is accepted. Raises ValueError as `load_reasons`, and for a case listed twice."""
    out: dict[str, Accepted] = {}
    for reason in load_reasons(path):
        for answer, names in reason.cases.items():
            for name in names:
                if name in out:
                    msg = f"{name} is listed under {out[name].key} and {reason.key}"
                    raise ValueError(msg)
                out[name] = Accepted(key=reason.key, answer=answer, laxer=reason.laxer)
    return out
