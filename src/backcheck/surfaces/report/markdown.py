"""Markdown for a pull request or a job summary.

Every text that is not ours stands in a code span: no emphasis, link, mention, reference, HTML or end of a block can come
of it. Cut by whole answers, what is loud first, and the cut is said.
"""

from __future__ import annotations

import re

from backcheck.surfaces.report.view import SENTENCES, Item, Level, View

#: Characters of a comment on GitHub are at most 65,536; a summary's bytes at most 1 MiB.
MAX_COMMENT = 60_000
MARKS = {"pass": "✓", "fail": "✗", "unclear": "?", "error": "!", "not-applicable": "–", "deferred": "…"}
_TICKS = re.compile(r"`+")
_WORDS = {"fail": "failed", "error": "could not be checked", "unclear": "unclear", "unanswered": "without an answer",
          "not-applicable": "did not apply", "pass": "passed", "deferred": "asked elsewhere"}  # fmt: skip


def render(view: View, limit: int = MAX_COMMENT) -> str:
    """The text, at most `limit` bytes of UTF-8."""
    head = _head(view)
    foot = _foot(view)
    loud = [item for item in view.items if item.level is not Level.NONE]
    quiet = [item for item in view.items if item.level is Level.NONE]
    loud.sort(key=lambda item: item.level is not Level.ERROR)
    # Room for the words that say what was cut.
    room = limit - _bytes(head) - _bytes(foot) - 400
    told, room = _fit([_answer(item) for item in loud], room)
    rest, _ = _fit([_line(item) for item in quiet], room - 200)
    parts = [head, *told]
    if len(told) < len(loud) or view.left_out:
        parts.append(f"**{len(loud) - len(told) + view.left_out} more did not pass and are not shown here.**\n")
    if quiet:
        cut = f"\n- … and {len(quiet) - len(rest)} more" if len(rest) < len(quiet) else ""
        parts.append(f"<details><summary>{len(quiet)} more</summary>\n\n{chr(10).join(rest)}{cut}\n\n</details>\n")
    return "\n".join([*parts, foot])


def code(value: str) -> str:
    """A code span with exactly this text; nothing for no text."""
    if not value.strip():
        return ""
    longest = max((len(run) for run in _TICKS.findall(value)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if value[0] in "` " or value[-1] in "` " else ""
    return f"{ticks}{pad}{value}{pad}{ticks}"


def _head(view: View) -> str:
    counts = [f"{view.count(status)} {word}" for status, word in _WORDS.items() if view.count(status)]
    why = f" ({code(view.why)})" if view.why else ""
    return (
        f"## backcheck: {view.verdict}\n\n{SENTENCES[view.verdict].capitalize()}{why}: "
        f"{', '.join(counts) or 'nothing was asked'}.\n"
    )


def _answer(item: Item) -> str:
    warning = " (a warning, does not block)" if item.level is Level.WARNING else ""
    check = f" ({code(item.check)})" if item.check.strip() else ""
    word = _WORDS.get(item.status, "not passed")
    lines = [f"- {MARKS.get(item.status, '!')} **{word}** {code(item.name)}{check}{warning}"]
    if item.description:
        lines.append(f"  - asked: {code(item.description)}")
    lines.append(f"  - why: {code(item.reason) or 'no reason is given'}")
    if item.places:
        spots = [code(f"{s.path}:{s.line}" if s.line else s.path) for s in item.places[:5]]
        more = f" and {len(item.places) - 5} more" if len(item.places) > 5 else ""
        lines.append(f"  - where: {', '.join(spots)}{more}")
    if item.remedy:
        lines.append(f"  - do: {code(item.remedy)}")
    return "\n".join(lines) + "\n"


def _line(item: Item) -> str:
    return f"- {MARKS.get(item.status, '!')} {code(item.name)} {code(item.reason)}"


def _foot(view: View) -> str:
    origin = {
        "base": "read from the base",
        "tree": "read from the tree under judgement",
        "given": "given by the caller",
    }
    lines = [f"- contract {code(view.contract)}, {code(view.digest[:12])}"
             + (f", {origin[view.contract_from]}" if view.contract_from in origin else ""),
             f"- tree {code(view.tree[:12])}, base {code(view.base[:12]) or 'none'}"]  # fmt: skip
    if view.asserted:
        lines.append(f"- {len(view.asserted)} of {view.count('pass')} passes rest only on text that somebody wrote")
    if view.count("pass"):
        lines.append("- recall not measured: how much of this kind slips through is not known")
    lines += [f"- note: {code(notice)}" for notice in view.notices]
    return "\n".join(lines) + "\n"


def _bytes(value: str) -> int:
    return len(value.encode("utf-8", "replace"))


def _fit(parts: list[str], room: int) -> tuple[list[str], int]:
    kept: list[str] = []
    for part in parts:
        need = _bytes(part) + 1
        if need > room:
            return kept, 0
        kept.append(part)
        room -= need
    return kept, room
