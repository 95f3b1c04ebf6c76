"""Write gates the way people write them: quoting, order, comments and layout differ from file to file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

    from .case_model import Gate

_PLAIN = re.compile(r"[A-Za-z_.][A-Za-z0-9_./ -]*[A-Za-z0-9_/]\Z")
_NOT_A_STRING = re.compile(r"(?:true|false|null|yes|no|on|off|y|n|~|[-+.]?(?:inf|nan)|[.0-9e_]+)\Z", re.IGNORECASE)
_HEADERS = (
    "",
    "# Definition of done for this repository\n",
    "---\n",
    "# What must hold before an agent may commit.\n# Keep it short.\n\n",
)
_FINISH = ('finishLine:\n  - "git commit"\n  - "git push"\n', "finishLine: [git push, npm publish]\n")


def _string(text: str, rng: random.Random, indent: str) -> str:
    if "\n" in text and text.isprintable() is False and _block_safe(text):
        body = "".join(f"{indent}  {line}\n" if line else "\n" for line in text.removesuffix("\n").split("\n"))
        return ("|\n" if text.endswith("\n") else "|-\n") + body.removesuffix("\n")
    forms = [json.dumps(text, ensure_ascii=False)]
    if text.isprintable():
        forms += ["'" + text.replace("'", "''") + "'"] * 2
        if _PLAIN.match(text) and not _NOT_A_STRING.match(text) and " #" not in text and ": " not in text:
            forms += [text] * 3
    return rng.choice(forms)


def _block_safe(text: str) -> bool:
    return not text.startswith((" ", "\n", "#")) and all(c.isprintable() or c == "\n" for c in text)


def scalar(value: Any, rng: random.Random, indent: str = "") -> str:
    """Return one YAML 1.2 value; lists are written in flow or in block style."""
    if value is None:
        return rng.choice(["null", "~"])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        one_line = all("\n" not in item for item in value if isinstance(item, str))
        if not value or (one_line and rng.random() < 0.5):
            # Inside a flow list only quoted strings are safe from its punctuation.
            return "[" + ", ".join(json.dumps(item, ensure_ascii=False) for item in value) + "]"
        return "\n" + "\n".join(f"{indent}  - {scalar(item, rng, indent + '    ')}" for item in value)
    if isinstance(value, str):
        return _string(value, rng, indent)
    return json.dumps(value, ensure_ascii=False)


def _gate_lines(gate: Gate, rng: random.Random, pad: str) -> list[str]:
    keys = list(gate)
    if rng.random() < 0.25:
        keys = sorted(keys, key=lambda key: (key != "type", key != "id"))
    lines = []
    for number, key in enumerate(keys):
        lead = f"{pad}- " if number == 0 else f"{pad}  "
        text = scalar(gate[key], rng, pad + "  ")
        lines.append(f"{lead}{key}:{'' if text.startswith(chr(10)) else ' '}{text}")
    return lines


def yaml_contract(gates: list[Gate], rng: random.Random) -> str:
    """Return a whole YAML contract."""
    out = [rng.choice(_HEADERS)]
    if rng.random() < 0.3:
        out.append("version: 1\n")
    if rng.random() < 0.6:
        out.append(f"name: {scalar(rng.choice(['definition-of-done', 'release', 'Ready to merge?']), rng)}\n")
    finish = rng.random()
    if finish < 0.5:
        out.append(rng.choice(_FINISH))
    pad = rng.choice(["", "  ", "  "])
    out.append("gates:\n")
    for number, gate in enumerate(gates):
        if number and rng.random() < 0.5:
            out.append("\n")
        if rng.random() < 0.2:
            out.append(f"{pad}# {rng.choice(['asked for in review', 'see CONTRIBUTING.md', 'do not remove'])}\n")
        out.append("\n".join(_gate_lines(gate, rng, pad)) + "\n")
    if finish >= 0.8:
        out.append(rng.choice(_FINISH))
    return "".join(out)


def json_contract(gates: list[Gate], rng: random.Random) -> str:
    """Return a whole JSON contract."""
    whole: dict[str, Any] = {"version": 1} if rng.random() < 0.5 else {}
    whole |= {"name": "definition-of-done", "gates": gates}
    return json.dumps(whole, indent=rng.choice([None, 2, 4]), ensure_ascii=rng.random() < 0.5) + "\n"


def contract(gates: list[Gate], rng: random.Random, path: str) -> str:
    """Return the contract in the format that its path calls for."""
    return json_contract(gates, rng) if path.endswith(".json") else yaml_contract(gates, rng)
