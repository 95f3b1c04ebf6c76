"""Documents for the tests of reports: a usual one, and texts that want to be more than text."""

from __future__ import annotations

from typing import Any

#: Each wants to become markup, a command, a link or a mention somewhere.
HOSTILE = [
    "</details><script>alert(1)</script>",
    "`code` ``two`` ```three```",
    "```` ````",
    "@everyone please see #1 and GH-2 and org/repo#3",
    "[click](https://evil.invalid) ![x](https://evil.invalid/x.png) <https://evil.invalid>",
    "www.evil.invalid https://evil.invalid mail@evil.invalid",
    "a\n\n# heading\n\n- list\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "x\r\n::error::forged\n::set-output name=a::b\n##[error]forged",
    "%0A::error::forged %25",
    "]]> <!-- --> <![CDATA[ &amp; &lt; \"'",
    "{0} {1} [a](1) \\[b\\](2)",
    "\x1b[31mred\x1b[0m \x00 \x07 \ufffe \uffff \udcff \u202e desrever",
    "*bold* _em_ ~~gone~~ ==x== $`\\alpha`$ $$x$$ :tada: ::: note",
    "    indented\n~~~\nfence\n~~~\n> quote\n1. one\n---\n***",
    "`", "``", " ` ", "\\`", "   ", "",
]  # fmt: skip


def finding(name: str = "suite", status: str = "fail", **more: Any) -> dict[str, Any]:
    """A finding as the document holds it."""
    usual: dict[str, Any] = {
        "requirement": name, "check": "command", "status": status, "severity": "block", "reason": f"{name} is {status}",
        "where": [], "remedy": "", "provenance": "asserted", "isolation": "none", "channel": "text", "basis": "text",
        "blame": None if status == "pass" else "agent", "seconds": 0.25,
    }  # fmt: skip
    return usual | more


def document(verdict: str = "REJECT", *findings: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A verdict document."""
    codes = {"PASS": 0, "REJECT": 1, "UNCLEAR": 3}
    usual: dict[str, Any] = {
        "schema": "backcheck.verdict/1", "verdict": verdict, "exit_code": codes[verdict], "why": "",
        "contract": {"path": ".backcheck/contract.yaml", "format": "native", "digest": "c" * 64, "from": "tree", "task": ""},
        "tree": {"kind": "working tree", "digest": "d" * 64, "files": 3, "bytes": 9, "reused_folders": 0, "unhashed": []},
        "base": None, "evidence": {"digest": "d" * 64, "beside": []}, "findings": list(findings), "unanswered": [],
        "deferred": [], "asserted_passes": [], "attempts": {"number": 1, "rejected": 0, "limit": 5}, "only": [],
        "door": None, "started": "2026-01-02T03:04:05+00:00", "seconds": 1.5, "notices": [], "record": None,
    }  # fmt: skip
    return usual | more
