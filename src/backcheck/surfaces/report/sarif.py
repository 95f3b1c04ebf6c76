"""SARIF 2.1.0: one result for each place of each answer that did not pass.

Whatever keeps the verdict from PASS has level `error` and kind `fail`: other kinds demand level `none`, which code
scanning shows as nothing. Every result has a place (the contract where the answer names none), as uploads demand.
"""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from typing import Any
from urllib.parse import quote

from backcheck.surfaces.report.view import Item, Level, Spot, View

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: An upload shows the 5,000 first; rules and tags are bounded by the view.
MAX_RESULTS = 5000
MAX_TAGS = 20
#: The key carries the version of how a fingerprint is made: requirement, path, and the how manieth place of that path.
FINGERPRINT = "backcheckRequirement/v1"


def render(view: View) -> str:
    """The document's text."""
    return json.dumps(document(view), indent=2, ensure_ascii=False) + "\n"


def document(view: View) -> dict[str, Any]:
    """The log with its one run."""
    told = sorted((i for i in view.items if i.level is not Level.NONE), key=lambda i: i.level is not Level.ERROR)
    rules = list(dict.fromkeys(item.name for item in told))
    pairs = [(item, spot, n) for item in told for spot, n in _spots(item, view.contract)]
    notes = [*view.notices]
    if len(pairs) > MAX_RESULTS or view.left_out:
        notes.append(f"{len(pairs) - MAX_RESULTS if len(pairs) > MAX_RESULTS else view.left_out} results are left out")
    invocation = {
        "executionSuccessful": not any(item.status == "error" for item in told),
        "exitCode": view.exit_code,
        "exitCodeDescription": f"{view.verdict}: {view.headline}",
        "toolExecutionNotifications": [{"level": "note", "message": {"text": escape(note)}} for note in notes],
    }
    run = {
        "tool": {"driver": {
            "name": "backcheck", "version": metadata.version("backcheck"),
            "semanticVersion": metadata.version("backcheck"),
            "rules": [_rule(next(i for i in told if i.name == name)) for name in rules],
        }},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(item, spot, n, rules.index(item.name)) for item, spot, n in pairs[:MAX_RESULTS]],
        "properties": {
            "verdict": view.verdict, "contract": view.contract, "contractSha256": view.digest, "tree": view.tree,
            "passed": view.count("pass"), "answers": len(view.items),
        },
    }  # fmt: skip
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _spots(item: Item, contract: str) -> list[tuple[Spot, int]]:
    """Places, each with its number among those of the same path."""
    seen: dict[str, int] = {}
    found = []
    for spot in item.places or (Spot(path=contract or ".backcheck/contract.yaml"),):
        seen[spot.path] = number = seen.get(spot.path, -1) + 1
        found.append((spot, number))
    return found


def _rule(item: Item) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": item.name,
        "shortDescription": {"text": escape(item.description or item.name)},
        "defaultConfiguration": {"level": item.level.value},
        "properties": {"tags": [tag for tag in ("backcheck", item.check) if tag][:MAX_TAGS]},
    }
    if item.remedy:
        rule["help"] = {"text": escape(item.remedy)}
    return rule


def _result(item: Item, spot: Spot, number: int, index: int) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(spot.path)}}
    if spot.line:
        physical["region"] = {"startLine": spot.line}
    note = f" ({spot.note})" if spot.note else ""
    mark = hashlib.sha256(f"{item.name}\0{item.check}\0{spot.path}\0{number}".encode()).hexdigest()
    return {
        "ruleId": item.name,
        "ruleIndex": index,
        "kind": "fail",
        "level": item.level.value,
        "message": {"text": escape(f"{item.status}: {item.reason}{note}")},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {FINGERPRINT: mark},
    }


def uri(path: str) -> str:
    """A path as a reference relative to the repository: never read as a scheme, an authority or a query."""
    quoted = quote(path.lstrip("/"), safe="/")
    return quoted or "."


def escape(message: str) -> str:
    """Text in which nothing is an embedded link or a placeholder."""
    for mark in ("\\", "[", "]"):
        message = message.replace(mark, f"\\{mark}")
    return message.replace("{", "{{").replace("}", "}}")
