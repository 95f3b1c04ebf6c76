"""SARIF 2.1.0, as ruff, ESLint, bandit, semgrep, CodeQL and others write it.

A result without a level has its rule's; an invocation that failed, or results that are absent, mean that nothing was looked
for. A result counts unless it is suppressed, absent against a baseline, or says that something is well.
Source: OASIS SARIF 2.1.0, sections 3.14 (run), 3.20 (invocation), 3.27 (result), 3.35 (suppression), 3.52 (rule look-up).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from backcheck.evidence.reports import ruff
from backcheck.evidence.reports.lint_model import Level, LintReport, Remark
from backcheck.evidence.reports.problem import ReportProblem, quoted
from backcheck.evidence.reports.strictjson import count, listing, mapping, parse, words
from backcheck.evidence.reports.uris import path_of

NAME = "SARIF"
_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "note": Level.NOTE}
#: Kinds of results that are no complaint; all of them have level `none`.
_WELL = frozenset({"pass", "notApplicable", "informational"})
_KINDS = _WELL | {"fail", "open", "review"}
_STATES = frozenset({"new", "unchanged", "updated", "absent"})


def fits(value: Any) -> bool:
    """Whether a parsed JSON value is plainly this report."""
    return isinstance(value, dict) and "runs" in value and "version" in value


def read(data: bytes) -> LintReport:
    """Errors: ReportProblem."""
    return of_value(parse(data))


def of_value(value: Any) -> LintReport:
    """As `read`, of the parsed JSON. Errors: ReportProblem."""
    document = mapping(value, "the log")
    if not fits(document) or document["version"] != "2.1.0":
        raise ReportProblem("is no SARIF 2.1.0")
    runs = [_Run(mapping(run, "a run")) for run in listing(document["runs"], "`runs`")]
    failures = [failure for run in runs for failure in run.failures]
    if not runs:
        failures.append("holds no run, so nothing was looked for")
    files = {path for run in runs for path in run.files}
    known = all(run.lists_files for run in runs) and bool(runs)
    return LintReport(
        format=NAME,
        remarks=tuple(remark for run in runs for remark in run.remarks),
        suppressed=tuple(remark for run in runs for remark in run.suppressed),
        unparsed=tuple(remark for run in runs for remark in run.unparsed),
        files=frozenset(files) if known else None,
        failures=tuple(failures),
        silence=ruff.NOTHING_FOUND if runs and all(run.name == "ruff" for run in runs) else None,
    )


class _Run:
    """One run's results, with the rules and folders that they refer to."""

    def __init__(self, run: dict[str, Any]) -> None:
        self.run = run
        self.remarks: list[Remark] = []
        self.suppressed: list[Remark] = []
        self.unparsed: list[Remark] = []
        self.failures: list[str] = []
        tool = mapping(run.get("tool"), "`tool`")
        driver = mapping(tool.get("driver"), "`driver`")
        self.name = words(driver.get("name"), "the tool's name")
        self.components = [
            driver,
            *(mapping(item, "an extension") for item in listing(tool.get("extensions", []), "`extensions`")),
        ]
        self.rules = [self._rules(component) for component in self.components]
        self.bases = mapping(run.get("originalUriBaseIds") or {}, "`originalUriBaseIds`")
        artifacts = listing(run.get("artifacts") or [], "`artifacts`")
        self.artifacts = [self._address(mapping(item, "an artifact").get("location")) for item in artifacts]
        self.overrides: dict[str, Level | None] = {}
        for invocation in listing(run.get("invocations") or [], "`invocations`"):
            self._invocation(mapping(invocation, "an invocation"))
        self._results()
        lost = {remark.path for remark in self.unparsed}
        self.files = {path for path in [*self.artifacts, *self._counted_files()] if path} - lost
        #: Tools that list what they looked at list clean files too; tools that do not list only what has a result.
        self.lists_files = bool(self.files - {remark.path for remark in self.remarks})

    def _counted_files(self) -> list[str]:
        """The files for which bandit gives numbers, also where it found nothing."""
        own = self.run.get("properties")
        metrics = own.get("metrics") if isinstance(own, dict) and self.name == "Bandit" else None
        return [path for path in metrics if path != "_totals"] if isinstance(metrics, dict) else []

    def _rules(self, component: dict[str, Any]) -> list[dict[str, Any]]:
        return [mapping(rule, "a rule") for rule in listing(component.get("rules") or [], "`rules`")]

    def _results(self) -> None:
        results = self.run.get("results")
        outside = self.run.get("externalPropertyFileReferences")
        if isinstance(outside, dict) and outside.get("results"):
            self.failures.append("keeps its results in other files")
        if results is None:
            self.failures.append(f"has a run of {quoted(self.name)} without results: nothing was looked for")
            return
        for item in listing(results, "`results`"):
            self._result(mapping(item, "a result"))

    def _result(self, result: dict[str, Any]) -> None:
        kind, state = result.get("kind") or "fail", result.get("baselineState") or "new"
        if kind not in _KINDS or state not in _STATES:
            raise ReportProblem(f"has a result of the kind {quoted(kind)} and state {quoted(state)}")
        rule, details = self._rule(result)
        level = self._level(result, rule, details) if kind not in _WELL else None
        if level is None or state == "absent":
            return
        path, line = self._place(result)
        message = mapping(result.get("message") or {}, "a message")
        text = message.get("text") or message.get("markdown") or message.get("id") or ""
        remark = Remark(level=level, rule=rule, path=path, line=line, message=words(text, "a message"))
        (self.suppressed if _is_suppressed(result) else self.remarks).append(remark)
        if self.name == "ruff" and rule in ruff.SYNTAX:
            self.unparsed.append(remark)
        elif self.name == "ruff" and rule == ruff.IO_ERROR:
            self.failures.append(f"says that {path} could not be read")

    def _rule(self, result: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The rule's id and what the tool says about it."""
        reference = mapping(result.get("rule") or {}, "`rule`")
        name = result.get("ruleId") or reference.get("id") or ""
        index = result.get("ruleIndex", reference.get("index", -1))
        component = mapping(reference.get("toolComponent") or {}, "`toolComponent`").get("index", -1)
        place = component + 1 if type(component) is int and 0 <= component < len(self.rules) - 1 else 0
        found: dict[str, Any] = {}
        if type(index) is int and 0 <= index < len(self.rules[place]):
            found = self.rules[place][index]
        else:
            wanted = {name, str(name).rpartition("/")[0]} - {""}
            found = next((rule for rules in self.rules for rule in rules if rule.get("id") in wanted), {})
        return words(name or found.get("id") or "", "a rule"), found

    def _level(self, result: dict[str, Any], rule: str, details: dict[str, Any]) -> Level | None:
        """The level; None for `none`. Errors: ReportProblem for one that the format does not have."""
        given = result.get("level")
        if given is None and (result.get("kind") or "fail") != "fail":
            return Level.NOTE
        if given is None and rule in self.overrides:
            return self.overrides[rule]
        if given is None:
            given = (
                mapping(details.get("defaultConfiguration") or {}, "`defaultConfiguration`").get("level") or "warning"
            )
        return _level_of(given)

    def _place(self, result: dict[str, Any]) -> tuple[str, int]:
        for item in listing(result.get("locations") or [], "`locations`"):
            physical = mapping(mapping(item, "a location").get("physicalLocation") or {}, "`physicalLocation`")
            path = self._address(physical.get("artifactLocation"))
            line = mapping(physical.get("region") or {}, "`region`").get("startLine") or 0
            return path, count(line, "`startLine`")
        return "", 0

    def _address(self, location: Any) -> str:
        """The path of an artifact location. A base without a known place is left out: the path counts as relative."""
        if location is None:
            return ""
        place = mapping(location, "`artifactLocation`")
        if "uri" not in place:
            index = place.get("index", -1)
            known = self.artifacts if hasattr(self, "artifacts") else []
            return known[index] if type(index) is int and 0 <= index < len(known) else ""
        path = path_of(words(place["uri"], "a uri"))
        base, seen = place.get("uriBaseId"), 0
        while isinstance(base, str) and not path.startswith("/") and seen < 10:
            folder = mapping(self.bases.get(base) or {}, "a base")
            if isinstance(folder.get("uri"), str):
                path = path_of(folder["uri"]).rstrip("/") + "/" + path
            base, seen = folder.get("uriBaseId"), seen + 1
        return path

    def _invocation(self, invocation: dict[str, Any]) -> None:
        if invocation.get("executionSuccessful") is not True:
            self.failures.append(f"says that {quoted(self.name)} did not end well")
        for name in ("toolExecutionNotifications", "toolConfigurationNotifications"):
            for item in listing(invocation.get(name) or [], f"`{name}`"):
                self._notification(mapping(item, "a notification"))
        for item in listing(invocation.get("ruleConfigurationOverrides") or [], "overrides"):
            override = mapping(item, "an override")
            rule = mapping(override.get("descriptor") or {}, "a descriptor").get("id")
            level = mapping(override.get("configuration") or {}, "a configuration").get("level")
            if isinstance(rule, str) and level is not None:
                self.overrides[rule] = _level_of(level)

    def _notification(self, notification: dict[str, Any]) -> None:
        """An error of the tool itself: about one file, which then was not looked at, or about the whole run."""
        if notification.get("level") != "error":
            return
        path, line = self._place(notification)
        text = str(mapping(notification.get("message") or {}, "a message").get("text", ""))
        if not path:
            self.failures.append(f"tells an error of {quoted(self.name)}: {quoted(text)}")
            return
        remark = Remark(level=Level.ERROR, rule="", path=path, line=line, message=text)
        self.remarks.append(remark)
        self.unparsed.append(remark)


def _level_of(value: Any) -> Level | None:
    if value == "none":
        return None
    if not isinstance(value, str) or value not in _LEVELS:
        raise ReportProblem(f"has the level {quoted(value)}, which SARIF does not have")
    return _LEVELS[value]


def _is_suppressed(result: dict[str, Any]) -> bool:
    """Suppressed where there is a suppression and none that is under review or rejected."""
    states = list(_states(listing(result.get("suppressions") or [], "`suppressions`")))
    return bool(states) and all(state == "accepted" for state in states)


def _states(suppressions: Iterable[Any]) -> Iterator[str]:
    for item in suppressions:
        yield words(mapping(item, "a suppression").get("status", "accepted"), "a status")
