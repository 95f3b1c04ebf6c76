"""Instruction files that agree, nearly agree, or do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .case_model import CONTRACT_PATHS, Case, Gate, Tree, case
from .contract_text import contract

if TYPE_CHECKING:
    import random

_VERBS = ("Run", "Read", "Keep", "Name", "Test", "Ask about", "Write", "Review", "Split", "Document")
_NOUNS = (
    "the tests",
    "every warning",
    "public names",
    "small commits",
    "the changelog",
    "error paths",
    "new files",
)
_COPIES = (
    "CLAUDE.md", ".claude/CLAUDE.md", ".cursor/rules/main.mdc", ".cursorrules", ".github/copilot-instructions.md",
    "GEMINI.md", ".clinerules/main.md", ".clinerules", ".windsurf/rules/main.md", ".windsurfrules",
    ".junie/guidelines.md",
)  # fmt: skip
_BODY = "# Rules\n\nRun the tests.\nKeep it small.\n\n- one\n- two\n- three\n"


def _lines(rng: random.Random, count: int) -> list[str]:
    return [f"- {rng.choice(_VERBS)} {rng.choice(_NOUNS)} ({number})" for number in range(count)]


def _drift(lines: list[str], rng: random.Random, changes: int) -> list[str]:
    """Return the lines with some of them changed, dropped, added or moved."""
    out = list(lines)
    for _ in range(changes):
        place = rng.randrange(len(out))
        kind = rng.choice(["change", "drop", "add", "move"])
        if kind == "change":
            out[place] = f"- Never {out[place][2:].lower()}"
        elif kind == "drop" and len(out) > 1:
            del out[place]
        elif kind == "add":
            out.insert(place, f"- {rng.choice(_VERBS)} nothing twice")
        else:
            out.insert(rng.randrange(len(out)), out.pop(place))
    return out


def _random_case(number: int, rng: random.Random) -> Case:
    lines = _lines(rng, rng.choice([4, 10, 19, 20, 21, 38, 40, 41, 60]))
    tree: Tree = {"AGENTS.md": "# Rules\n\n" + "\n".join(lines) + "\n", "README.md": "# x\n"}
    for copy in rng.sample(_COPIES, rng.choice([1, 1, 2, 3])):
        if any(copy.startswith(other + "/") or other.startswith(copy + "/") for other in tree):
            continue
        body = _drift(lines, rng, rng.choice([0, 0, 1, 1, 2, 3, 6]))
        head = "---\ndescription: rules\nalwaysApply: true\n---\n" if copy.endswith(".mdc") else ""
        gap = rng.choice(["\n", "\n\n", "\n  "])
        tree[copy] = head + "# Rules\n" + gap.join(body) + rng.choice(["", "\n"])
    gate: Gate = {"id": "instructions", "type": "instruction-sync"}
    threshold = rng.choice([None, None, 0.5, 0.8, 0.9, 0.95, 0.975, 1, 1.0])
    if threshold is not None:
        gate["threshold"] = threshold
    path = rng.choice(CONTRACT_PATHS)
    return case(f"sync-random-{number:02}", contract([gate], rng, path), tree, path=path)


# name, edge, threshold (None: no such key), files
_TABLE: list[tuple[str, str, Any, Tree]] = [
    ("none", "no-instruction-files", None, {"README.md": "x"}),
    ("one-agents", "one-instruction-file", None, {"AGENTS.md": _BODY}),
    ("one-claude", "one-instruction-file", None, {"CLAUDE.md": _BODY}),
    ("equal", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY}),
    ("equal-no-agents", "no-agents-file", None, {"CLAUDE.md": _BODY, "GEMINI.md": _BODY}),
    ("differ-no-agents", "no-agents-file", None, {"CLAUDE.md": _BODY, "GEMINI.md": "# Other\n"}),
    ("fresher-wins", "no-agents-file", 0.7, {
        "CLAUDE.md": {"text": _BODY, "mtime": 1_700_000_100},
        "GEMINI.md": {"text": _BODY + "- four\n", "mtime": 1_700_000_200},
        ".cursorrules": {"text": "# Other\n", "mtime": 1_700_000_000}}),
    ("pointer", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "@AGENTS.md\n"}),
    ("pointer-dot-slash", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "@./AGENTS.md\n"}),
    ("pointer-see", "pointer-in-prose", None, {"AGENTS.md": _BODY, "CLAUDE.md": "# Claude\n\nSee @AGENTS.md\n"}),
    ("pointer-no-at", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "See AGENTS.md\n"}),
    ("pointer-negated", "pointer-in-prose", None, {"AGENTS.md": _BODY, "CLAUDE.md": "Never read @AGENTS.md\n"}),
    ("pointer-in-address", "pointer-in-prose", None, {"AGENTS.md": _BODY, "CLAUDE.md": "mail foo@AGENTS.md\n"}),
    ("pointer-three-lines", "pointer-in-prose", None, {"AGENTS.md": _BODY, "CLAUDE.md": "# C\n\n@AGENTS.md\n\nBe brief.\n"}),
    ("pointer-four-lines", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "# C\n@AGENTS.md\nBe brief.\nBe kind.\n"}),
    ("pointer-gemini", "", None, {"AGENTS.md": _BODY, "GEMINI.md": "@AGENTS.md"}),
    ("pointer-copilot", "pointer-where-not-read", None, {"AGENTS.md": _BODY, ".github/copilot-instructions.md": "@AGENTS.md\n"}),
    ("pointer-agents-to-claude", "", None, {"AGENTS.md": "@CLAUDE.md\n", "CLAUDE.md": _BODY}),
    ("link", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": {"symlink": "AGENTS.md"}}),
    ("link-nested", "", None, {"AGENTS.md": _BODY, ".github/copilot-instructions.md": {"symlink": "../AGENTS.md"}}),
    ("link-other", "", None, {"AGENTS.md": _BODY, "docs/x.md": "# Other\n", "CLAUDE.md": {"symlink": "docs/x.md"}}),
    ("link-other-same-text", "", None, {"AGENTS.md": _BODY, "docs/x.md": _BODY, "CLAUDE.md": {"symlink": "docs/x.md"}}),
    ("link-same-name", "link-to-another-agents-file", None, {"AGENTS.md": _BODY, "old/AGENTS.md": "# Old\n", "CLAUDE.md": {"symlink": "old/AGENTS.md"}}),
    ("link-dangling", "one-instruction-file", None, {"AGENTS.md": _BODY, "CLAUDE.md": {"symlink": "gone.md"}}),
    ("folder", "one-instruction-file", None, {"AGENTS.md": _BODY, "CLAUDE.md": {"dir": True}}),
    ("frontmatter", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "---\na: 1\n---\n" + _BODY}),
    ("frontmatter-crlf", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": ("---\na: 1\nb: 2\n---\n" + _BODY).replace("\n", "\r\n")}),
    ("frontmatter-open", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "---\na: 1\n" + _BODY}),
    ("crlf", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY.replace("\n", "\r\n")}),
    ("bom", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "\ufeff" + _BODY}),
    ("indent", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY.replace("- ", "   - ")}),
    ("case", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY.upper()}),
    ("reordered", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": "\n".join(reversed(_BODY.split("\n")))}),
    ("empty-copy", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": ""}),
    ("both-empty", "both-instructions-empty", None, {"AGENTS.md": "", "CLAUDE.md": "\n\n"}),
    ("two-cursor-files", "several-files-for-one-tool", None, {"AGENTS.md": _BODY, ".cursor/rules/a.mdc": _BODY, ".cursor/rules/b.mdc": _BODY}),
    ("cursor-split", "several-files-for-one-tool", None, {"AGENTS.md": _BODY + "- four\n", ".cursor/rules/a.mdc": _BODY, ".cursor/rules/b.mdc": "- four\n"}),
    ("first-pattern-wins", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY, ".claude/CLAUDE.md": "# Other\n"}),
    ("cursor-both-kinds", "", None, {"AGENTS.md": _BODY, ".cursor/rules/a.mdc": _BODY, ".cursorrules": "# Other\n"}),
    ("lower-case-name", "one-instruction-file", None, {"AGENTS.md": _BODY, "claude.md": "# Other\n"}),
    ("nested-not-read", "one-instruction-file", None, {"AGENTS.md": _BODY, "pkg/CLAUDE.md": "# Other\n"}),
    ("cursor-nested-not-read", "one-instruction-file", None, {"AGENTS.md": _BODY, ".cursor/rules/x/a.mdc": "# Other\n"}),
    ("cursor-md-not-read", "one-instruction-file", None, {"AGENTS.md": _BODY, ".cursor/rules/a.md": "# Other\n"}),
    ("threshold-0", "threshold-out-of-range", 0, {"AGENTS.md": _BODY, "CLAUDE.md": "# Other\n"}),
    ("threshold-5", "threshold-out-of-range", 5, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY + "- four\n"}),
    ("threshold-5-equal", "threshold-out-of-range", 5, {"AGENTS.md": _BODY, "CLAUDE.md": _BODY}),
    ("threshold-word", "value-of-another-type", "abc", {"AGENTS.md": _BODY, "CLAUDE.md": "# Other\n"}),
    ("threshold-string", "value-of-another-type", "0.9", {"AGENTS.md": _BODY, "CLAUDE.md": _BODY}),
    ("threshold-negative", "threshold-out-of-range", -1, {"AGENTS.md": _BODY, "CLAUDE.md": "# Other\n"}),
    ("invalid-utf8-copy", "", None, {"AGENTS.md": _BODY, "CLAUDE.md": {"base64": "/w=="}}),
    ("repeated-lines", "", 0.6, {"AGENTS.md": "a\nb\na\nb\na\n", "CLAUDE.md": "b\na\nb\na\nb\n"}),
    ("exact-boundary", "", 0.8, {"AGENTS.md": "a\nb\nc\nd\ne\n", "CLAUDE.md": "a\nb\nc\nd\nx\n"}),
]  # fmt: skip


def syncs(rng: random.Random, count: int) -> list[Case]:
    """Return the table's cases and `count` random ones."""
    cases = []
    for name, edge, threshold, tree in _TABLE:
        gate: Gate = {"id": "instructions", "type": "instruction-sync"}
        if threshold is not None:
            gate["threshold"] = threshold
        cases.append(case(f"sync-{name}", contract([gate], rng, CONTRACT_PATHS[0]), tree, edge=edge))
    return cases + [_random_case(number, rng) for number in range(count)]
