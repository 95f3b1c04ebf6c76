"""A lint report laid over the tree: the same paths whoever wrote it and wherever, so that two of them can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from backcheck.checks.api import Answer, Evidence, unclear
from backcheck.checks.obtained import folder_of
from backcheck.evidence.git import GitError
from backcheck.evidence.paths import shown
from backcheck.evidence.reports.lint_kinds import read_lint
from backcheck.evidence.reports.lint_model import LintReport, Remark
from backcheck.evidence.reports.places import located
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.workspace import Kind
from backcheck.verdict import Blame


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """The report with paths of the tree where there are such; `here` are the paths of the tree that it looked at or
    remarks on, `elsewhere` how many of its paths are none."""

    report: LintReport
    here: frozenset[str]
    elsewhere: int


def linted(evidence: Evidence, path: str, data: bytes, name: str) -> Linted:
    """Errors: ReportProblem."""
    tree = evidence.tree
    return _laid(read_lint(data, name), lambda place: tree.entry(place).kind is Kind.FILE, [tree.root], folder_of(path))


def base_report(evidence: Evidence, path: str, name: str) -> Linted | Answer:
    """The report at a path of the base, or the answer where there is none."""
    try:
        nodes = evidence.base_nodes()
        if nodes is None:
            return unclear("there is no base to compare with", blame=Blame.ENVIRONMENT,
                           remedy="Give one with `--base COMMIT`, or work on a branch whose upstream is fetched.")  # fmt: skip
        prefix = f"{evidence.prefix}/" if evidence.prefix else ""
        node = nodes.get(prefix + path)
        data = None if node is None else evidence.base_blob(node.oid)
        if data is None:
            return unclear(f"the base has no report {shown(path)}", blame=Blame.CONTRACT,
                           remedy="Commit a report to compare with, or ask for `max`.")  # fmt: skip
        return _laid(
            read_lint(data, name), lambda place: prefix + place in nodes, [evidence.tree.root], folder_of(path)
        )
    except (GitError, ReportProblem) as problem:
        return unclear(f"the base's {shown(path)} {problem}", blame=Blame.ENVIRONMENT)


def _laid(report: LintReport, is_file: Callable[[str], bool], roots: Sequence[str], folder: str) -> Linted:
    named = {remark.path for remark in (*report.remarks, *report.suppressed)} - {""}
    named |= report.files or set()
    places = located(named, is_file, roots=roots, folder=folder)

    def moved(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        return tuple(replace(remark, path=places.get(remark.path, remark.path)) for remark in remarks)

    lost = {remark.path for remark in report.unparsed}
    return Linted(
        report=replace(
            report,
            remarks=moved(report.remarks),
            suppressed=moved(report.suppressed),
            unparsed=moved(report.unparsed),
            files=None if report.files is None else frozenset(places[path] for path in report.files if path in places),
        ),
        here=frozenset(place for path, place in places.items() if path not in lost),
        elsewhere=len(named - places.keys()),
    )
