"""The verdict as a JSON document, schema `backcheck.verdict/1`: what the ledger keeps and what `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backcheck.verdict import Basis, Finding, Provenance, Status, Verdict

SCHEMA = "backcheck.verdict/1"


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding; empty fields are left out, but for those that every reader may count on."""
    document: dict[str, Any] = {
        "requirement": finding.requirement,
        "check": finding.check,
        "status": finding.status.value,
        "severity": finding.severity.value,
        "reason": finding.reason,
        "where": [_place(p.path, p.line, p.note) for p in finding.where],
        "remedy": finding.remedy,
        "provenance": finding.provenance.value,
        "isolation": finding.isolation.value,
        "channel": finding.channel.value,
        "basis": finding.basis.value,
        "blame": finding.blame.value if finding.blame else None,
        "seconds": round(finding.seconds, 3),
    }
    optional = {"description": finding.description, "dimension": finding.dimension, "hidden": finding.hidden}
    document |= {name: value for name, value in optional.items() if value}
    if finding.details:
        document["details"] = dict(finding.details)
    return document


def _place(path: str, line: int, note: str) -> dict[str, Any]:
    place: dict[str, Any] = {"path": path}
    if line:
        place["line"] = line
    if note:
        place["note"] = note
    return place


def asserted(verdict: Verdict) -> list[str]:
    """Ids whose pass rests only on text that somebody wrote: not on the work itself, a run of ours, or a person."""
    return [
        f.requirement
        for f in verdict.findings
        if f.status is Status.PASS and f.basis is Basis.TEXT and f.provenance is Provenance.ASSERTED
    ]


def verdict_document(verdict: Verdict, context: Mapping[str, Any]) -> dict[str, Any]:
    """The whole document. `context` holds contract, tree, base, evidence, attempts, started, seconds, notices."""
    return {
        "schema": SCHEMA,
        "verdict": verdict.outcome.value,
        "exit_code": verdict.exit_code,
        "why": verdict.why,
        **context,
        "findings": [finding_document(finding) for finding in verdict.findings],
        "unanswered": list(verdict.unanswered),
        "deferred": list(verdict.deferred),
        "asserted_passes": asserted(verdict),
    }
