"""Valid contracts of three dialects, bent at random: by bytes, by lines and by values.

All of them are asked about an empty tree, on which no contract may pass whatever the bending made of it: nothing proves
nothing. So no oracle is needed for what a bent contract means.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from tests.hostile.bad_model import FORGE, NATIVE, SKILLGATE

VALID_NATIVE = """\
version: 1
task: A limiter
attempts: 3
requirements:
  - id: tests
    description: The suite passes
    check: command
    with: {run: ["false"], timeout: 20, env: [LANG], memory_gib: 1.5, processes: 8}
    severity: block
    at: [stop, push]
    budget: 30s
  - {id: lacks, check: absent, with: {glob: ["src/**", "!src/x"], pattern: 'TODO|FIX\\b', flags: i, ignore: [a]}}
  - {id: says, check: file-contains, with: {file: src/a.py, pattern: "def \\\\w+", all: ["x"], any: ["y", "z"]}}
  - {id: fits, check: schema, with: {file: a.json, schema: {type: object, required: [name]}}}
  - {id: scope, check: diff-scope, with: {allowed: ["src/**"], protected: ["/tests/**"]}}
  - {id: notes, check: content, with: {file: notes.md, min_length: 10, keywords: [why], forbidden: [lgtm]}, severity: P2}
  - {id: same, check: instruction-sync, with: {threshold: 0.9}, hidden: true}
"""
VALID_SKILLGATE = json.dumps(
    {
        "version": 1, "finishLine": ["commit", "stop"], "gates": [
            {"id": "made", "type": "file-exists", "file": ["a.txt", "b.txt"], "description": "both"},
            {"type": "file-contains", "file": "a.txt", "pattern": "^(?=x)[a-z]+\\d{2,}$", "flags": "im"},
            {"type": "absent", "glob": "src/**/*.{ts,js}", "pattern": "TODO", "ignore": ["dist/**"]},
            {"type": "command", "run": "false", "timeout": 5000}, {"type": "evidence", "file": "out.log"},
            {"type": "not-empty", "path": "reports", "min": 2}, {"type": "instruction-sync", "threshold": 0.5},
        ],
    },
    indent=1,
)  # fmt: skip
VALID_FORGE = json.dumps(
    {
        "task": "Audit", "files": ["report.md", "data.json"], "model": "x",
        "contracts": {"report.md": {"minLen": 100, "keywords": ["risk", "风险"], "noKeywords": ["lorem"]}},
        "evidence_gates": {"evidence_dir": ".evidence", "requirements": [
            {"id": "run", "type": "regex", "evidence_file": "run.txt", "patterns": ["(?i)passed", "\\d+ tests"], "strength": "L2"},
            {"id": "clean", "type": "negative", "evidence_file": "run.txt", "pattern": "ERROR", "strength": "L3"},
            {"id": "keys", "type": "argument-space", "verify_command": "false --x 'y z'", "strength": "L4"},
            {"id": "read", "type": "llm", "evidence_file": "read.md", "desc": "Is it read?"}]},
        "layer3": {"divergence_threshold": 0.8},
    },
    indent=1, ensure_ascii=False,
)  # fmt: skip
VALID = {NATIVE: VALID_NATIVE, SKILLGATE: VALID_SKILLGATE, FORGE: VALID_FORGE}

#: Pieces that parsers stumble over.
PIECES = (
    "\0", "\t", "\r", "\x1b[2J", "\ufeff", "\u2028", "\x85", "\ud800", "é", "😀", "'", '"', "`", "\\", "\\u0000", "\\x", "{", "}", "[", "]", "- ", ": ", ",", "# ", "&a ", "*a",
    "!x ", "!!int ", "<<: ", "? ", "| \n", "> ", "%YAML 1.1\n", "---\n", "...\n", "~", "null", "true", ".nan", ".inf", "-1", "0x1F", "1e999", "9" * 40, " " * 40, "\n", "\n\n\n", "(",
    ")", "(?=", "(?i)", "\\1", "{1001}", "**/", "../", "/etc/", "@(", "id: a\n", "version: 2\n", '"id": "a",', "[[[[[[[[", "]]]]", "//", "/*", "*/", "$ref",
)  # fmt: skip


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """A text after one to four edits at random places."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        how = draw(st.sampled_from(("drop", "insert", "replace", "double", "swap", "cut")))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=5))
        if how == "cut":
            # Rarely useful near the end, always near the start: parsers must bear half a file.
            text = text[:at]
        elif how == "swap":
            lines = text.split("\n")
            first, second = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
        else:
            middle = {"drop": "", "insert": piece + text[at:end], "replace": piece, "double": text[at:end] * 2}[how]
            text = text[:at] + middle + text[end:]
    return text


@st.composite
def flipped(draw: st.DrawFn, text: str) -> bytes:
    """A text's bytes with a few of them set to anything."""
    raw = bytearray(text.encode())
    for _ in range(draw(st.integers(1, 5))):
        # Mostly ASCII: most other bytes only make the text no UTF-8.
        raw[draw(st.integers(0, len(raw) - 1))] = draw(
            st.integers(32, 126) | st.integers(32, 126) | st.integers(0, 255)
        )
    return bytes(raw)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(("a", "", " ", "TODO", "(", "**", "stop", "file-exists"))
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def revalued(draw: st.DrawFn, data: Any) -> Any:
    """Data with one or two of its values, keys or items set to anything."""
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(1, 2))):
        node = data
        for _ in range(draw(st.integers(0, 5))):
            inner = [
                value
                for value in (node.values() if isinstance(node, dict) else node)
                if isinstance(value, dict | list) and value
            ]
            if not inner:
                break
            node = draw(st.sampled_from(inner))
        key = draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        how = draw(st.sampled_from(("value", "value", "drop", "rename")))
        if how == "value" or not isinstance(node, dict):
            node[key] = draw(ANYTHING)
        elif how == "drop":
            del node[key]
        else:
            node[draw(st.text(max_size=6))] = node.pop(key)
        if not data:
            break
    return data
