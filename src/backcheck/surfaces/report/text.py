"""The verdict for a person: what failed, where, why, what to do; then what is open, what passed, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from backcheck.surfaces.report.excerpt import Excerpts

#: Paints text in a named colour; the identity where there is no terminal.
Paint = Callable[[str, str], str]

MARKS = {"pass": "✓", "fail": "✗", "unclear": "?", "error": "!", "not-applicable": "-"}
COLOURS = {"pass": "green", "fail": "red", "unclear": "yellow", "error": "magenta", "not-applicable": "blue"}
VERDICT_COLOURS = {"PASS": "green", "REJECT": "red", "UNCLEAR": "yellow"}
SENTENCES = {
    "PASS": "every blocking requirement holds",
    "REJECT": "what was asked does not hold",
    "UNCLEAR": "a person must look",
}
#: Most urgent first.
ORDER = ("fail", "error", "unclear", "not-applicable", "pass")
PLACES = 5


def plain(text: str, _colour: str) -> str:
    """No paint."""
    return text


def render(
    document: Mapping[str, Any], paint: Paint = plain, *, quiet: bool = False, excerpts: Excerpts | None = None
) -> str:
    """Text of a verdict document; `excerpts` show the places.

    `quiet` leaves only the verdict, what did not pass, and a base that the agent could have moved: the verdict hangs on it.
    """
    lines = [_headline(document, paint)]
    findings = sorted(document["findings"], key=lambda f: ORDER.index(f["status"]))
    for finding in findings:
        if finding["status"] != "pass":
            lines += ["", *_finding(finding, paint, excerpts)]
    if document["unanswered"]:
        lines += ["", f"Without an answer: {', '.join(document['unanswered'])}"]
    if not quiet:
        passes = [finding for finding in findings if finding["status"] == "pass"]
        if passes:
            lines += ["", *[_pass_line(finding, paint) for finding in passes]]
        lines += ["", *_footer(document)]
    elif document["base"] and document["base"]["movable"]:
        lines += ["", _base_line(document["base"])]
    return "\n".join(lines) + "\n"


def _headline(document: Mapping[str, Any], paint: Paint) -> str:
    verdict = document["verdict"]
    counts = {status: sum(f["status"] == status for f in document["findings"]) for status in ORDER}
    names = {"fail": "failed", "error": "could not be checked", "unclear": "unclear", "pass": "passed"}
    parts = [f"{counts[status]} {word}" for status, word in names.items() if counts[status]]
    why = f" ({document['why']})" if document.get("why") else ""
    return (
        f"{paint(verdict, VERDICT_COLOURS[verdict])}  {SENTENCES[verdict]}{why}: {', '.join(parts) or 'nothing asked'}"
    )


def _finding(finding: Mapping[str, Any], paint: Paint, excerpts: Excerpts | None = None) -> Iterator[str]:
    status = finding["status"]
    warn = " (warning, does not block)" if finding["severity"] == "warn" else ""
    title = f" — {finding['description']}" if finding.get("description") else ""
    yield f"{paint(MARKS[status], COLOURS[status])} {finding['requirement']}  [{finding['check']}]{title}{warn}"
    places = finding["where"]
    for place in places[:PLACES]:
        line = f":{place['line']}" if place.get("line") else ""
        note = f"  ({place['note']})" if place.get("note") else ""
        yield f"    where  {place['path']}{line}{note}"
        if excerpts is not None and place.get("line") and not finding.get("details", {}).get("lines_withheld"):
            yield from (f"           {shown}" for shown in excerpts(place["path"], place["line"]))
    if len(places) > PLACES:
        yield f"           and {len(places) - PLACES} more places (--json lists them)"
    yield f"    why    {finding['reason']}"
    if finding["remedy"]:
        yield f"    do     {finding['remedy']}"
    # A question to a person is nobody's fault.
    if finding["blame"] and finding["blame"] != "agent" and finding["channel"] != "human":
        yield f"    whose  {_BLAMES[finding['blame']]}"


_BLAMES = {
    "contract": "the contract's: it cannot be answered as it is written",
    "verifier": "backcheck's own: this says nothing about the work",
    "environment": "this machine's: something is missing here",
}


def _pass_line(finding: Mapping[str, Any], paint: Paint) -> str:
    basis = {"text": "as written", "work": "the work itself", "run": "run here", "person": "a person"}[finding["basis"]]
    if finding["provenance"] == "observed":
        basis = "run in a clean copy"
    return f"{paint(MARKS['pass'], 'green')} {finding['requirement']}  {finding['reason']}  [{basis}]"


def _footer(document: Mapping[str, Any]) -> Iterator[str]:
    contract, tree, base = document["contract"], document["tree"], document["base"]
    yield f"contract  {contract['path']} ({contract['format']}, {contract['digest'][:12]}, {_SOURCES[contract['from']]})"
    yield f"tree      {tree['kind']}, {tree['files']:,} files, {tree['digest'][:12]}"
    yield _base_line(base)
    resting = document["asserted_passes"]
    passes = sum(f["status"] == "pass" for f in document["findings"])
    if resting:
        yield f"rests on  {len(resting)} of {passes} passes rest only on text that somebody wrote: {_listed(resting)}"
    if passes:
        yield "recall    not measured: how much of this kind slips through is not known"
    if document["deferred"]:
        yield f"later     asked at another door: {_listed(document['deferred'])}"
    attempts = document.get("attempts")
    if attempts:
        yield f"attempt   {attempts['number']}, {attempts['rejected']} rejected (limit {attempts['limit']})"
    for notice in document["notices"]:
        yield f"note      {notice}"
    yield f"time      {document['seconds']:.2f} s" + (
        f", record {document['record']}" if document.get("record") else ""
    )


def _base_line(base: Mapping[str, Any] | None) -> str:
    if not base:
        return "base      none: what was there before the work is not known; give it with --base"
    moved = ", which the agent could have moved" if base["movable"] else ""
    origins = {"given": "given", "begun": f"settled by `{base['name']}`"}
    how = origins.get(base["origin"], f"the merge base with {base['name']}")
    return f"base      {base['commit'][:12]}, {how}{moved}"


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6} more"


_SOURCES = {
    "base": "read from the base",
    "tree": "read from the tree under judgement: whoever wrote the tree could have written it",
    "given": "given on the command line",
}
