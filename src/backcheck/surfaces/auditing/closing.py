"""Requirements as YAML: short, as what closes a corner."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from backcheck.surfaces.auditing.model import Corner
from backcheck.surfaces.auditing.part import Part, Value
from backcheck.surfaces.auditing.parts import part_for
from backcheck.surfaces.auditing.project import Project


def snippet(corner: Corner, project: Project) -> str:
    """The requirement that closes a corner, as one list item of a contract; empty where no check does."""
    part = part_for(corner.closes, project)
    return short(part) if part else ""


def short(part: Part) -> str:
    """A requirement in a few lines, without explanations."""
    lines = [f"- id: {part.id}", f"  check: {part.check}"]
    if part.arguments:
        lines.append(f"  with: {_flow({name: value for name, (value, _) in part.arguments.items()})}")
    lines += [f"  {name}: {yaml(value)}" for name, (value, _) in part.fields.items()]
    return "\n".join(lines)


def yaml(value: Value) -> str:
    """A value as flow YAML; JSON's quoting is YAML's."""
    if isinstance(value, Mapping):
        return _flow(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(yaml(one) for one in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _flow(values: Mapping[str, Value]) -> str:
    return f"{{{', '.join(f'{name}: {yaml(value)}' for name, value in values.items())}}}"
