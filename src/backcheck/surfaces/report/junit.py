"""JUnit XML: one case a requirement, for every CI that counts tests.

A blocking failure is a `failure`; a blocking answer that is no pass and no failure is an `error` (readers count both as
red); a warning that did not pass and what another door asks are `skipped`, with the reason.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from backcheck.surfaces.report.view import Item, Level, View

#: XML 1.0 cannot hold these two, though they can be shown.
_NONCHARACTERS = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


def render(view: View) -> str:
    """The document's text."""
    loud = [item for item in view.items if item.level is Level.ERROR]
    failures = sum(item.status == "fail" for item in loud)
    skipped = sum(item.status != "pass" and item.level is not Level.ERROR for item in view.items)
    counts = {
        "tests": str(len(view.items)),
        "failures": str(failures),
        "errors": str(len(loud) - failures),
        "skipped": str(skipped),
        "time": f"{view.seconds:.3f}",
    }
    root = ET.Element("testsuites", {"name": "backcheck", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": "backcheck", **counts})
    if view.started:
        suite.set("timestamp", _safe(view.started))
    properties = ET.SubElement(suite, "properties")
    facts = {"verdict": view.verdict, "contract": view.contract, "contract.sha256": view.digest,
             "contract.from": view.contract_from, "tree": view.tree, "base": view.base}  # fmt: skip
    for name, value in facts.items():
        ET.SubElement(properties, "property", {"name": name, "value": _safe(value)})
    for item in view.items:
        _case(suite, item, view.contract)
    ET.SubElement(suite, "system-out").text = _safe(_told(view))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(suite: ET.Element, item: Item, contract: str) -> None:
    first = item.places[0] if item.places else None
    case = ET.SubElement(suite, "testcase", {
        "name": _safe(item.name), "classname": _safe(f"backcheck.{item.check or item.status}"),
        "time": f"{item.seconds:.3f}", "file": _safe(first.path if first else contract),
    })  # fmt: skip
    if first and first.line:
        case.set("line", str(first.line))
    if item.status == "pass":
        return
    kind = "skipped" if item.level is not Level.ERROR else "failure" if item.status == "fail" else "error"
    label = f"warning: {item.status}" if item.level is Level.WARNING else item.status
    answer = ET.SubElement(case, kind, {"message": _safe(f"{label}: {item.reason}"), "type": _safe(label)})
    answer.text = _safe(_body(item))


def _body(item: Item) -> str:
    lines = [item.description] if item.description else []
    lines += [f"{spot.path}{f':{spot.line}' if spot.line else ''}{f' ({spot.note})' if spot.note else ''}"
              for spot in item.places]  # fmt: skip
    lines += [f"why: {item.reason}"]
    lines += [f"do: {item.remedy}"] if item.remedy else []
    lines += [f"whose turn: {item.blame}"] if item.blame else []
    return "\n".join(lines)


def _told(view: View) -> str:
    cut = [f"{view.left_out} more answers are left out"] if view.left_out else []
    return "\n".join([f"{view.verdict}: {view.headline}", *view.notices, *cut])


def _safe(value: str) -> str:
    """Text without what XML 1.0 cannot hold; the view has escaped control characters already."""
    whole = value.encode("utf-8", "backslashreplace").decode("utf-8")
    return whole.translate(_NONCHARACTERS)
