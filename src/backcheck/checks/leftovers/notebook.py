"""The code of a Jupyter notebook as Python text, and the lines of the file on which each of its lines stands."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any, NamedTuple


class Cells(NamedTuple):
    """`code` and `prose` of all cells, each with the line of the file for each of its lines (from 0)."""

    code: str
    code_lines: list[int]
    prose: str
    prose_lines: list[int]


def cells_of(text: str) -> Cells | None:
    """The cells of a notebook (nbformat 4 or 3), None where the text is none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    cells = document.get("cells")
    if not isinstance(cells, list):
        sheets = document.get("worksheets")
        cells = (
            [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells", [])]
            if isinstance(sheets, list)
            else None
        )
    if cells is None:
        return None
    where = _places(text)
    code: tuple[list[str], list[int]] = ([], [])
    prose: tuple[list[str], list[int]] = ([], [])
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        lines, numbers = code if cell.get("cell_type") == "code" else prose
        for line in _source(cell):
            lines.append(line)
            numbers.append(where(line))
        lines.append("")
        numbers.append(numbers[-1] if numbers else 1)
    return Cells("\n".join(map(_magic, code[0])), code[1], "\n".join(prose[0]), prose[1])


def _source(cell: dict[str, Any]) -> list[str]:
    source = cell.get("source", cell.get("input", ""))
    text = "".join(item for item in source if isinstance(item, str)) if isinstance(source, list) else source
    return text.split("\n") if isinstance(text, str) else []


def _magic(line: str) -> str:
    """Commands of the notebook are no Python."""
    return "#" + line if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") else line


def _places(text: str) -> Any:
    """A function from a cell's line to its next place in the file."""
    known: dict[str, list[int]] = defaultdict(list)
    for number, raw in enumerate(text.split("\n"), start=1):
        try:
            value = json.loads(raw.strip().rstrip(","))
        except ValueError:
            continue
        if isinstance(value, str):
            known[value.rstrip("\n")].append(number)

    def place(line: str) -> int:
        numbers = known.get(line)
        return (numbers.pop(0) if len(numbers) > 1 else numbers[0]) if numbers else 0

    return place
