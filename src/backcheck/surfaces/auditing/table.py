"""Every rule of the audit, by name: a rule is one function whose docstring is its page."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator

from backcheck.surfaces.auditing.model import Corner
from backcheck.surfaces.auditing.project import Project

Rule = Callable[[Project], Iterator[Corner]]

PACKAGE = "backcheck.surfaces.auditing.rules"
#: Module → its rules; a rule's name is its function's, with hyphens.
RULES: dict[str, tuple[str, ...]] = {
    "ci": ("ci_failure_lost", "ci_failure_allowed"),
    "scripts": (
        "script_cannot_fail", "make_failure_lost", "tox_failure_ignored", "hook_failure_lost", "agent_hooks_disabled",
    ),
    "runner": (
        "no_tests_pass", "tests_left_out", "testpaths_match_nothing", "reruns_hide_failures", "loose_outcome_plugin",
        "outcome_rewritten",
    ),
    "python_tests": ("skipped_without_reason", "empty_test", "no_assertion", "same_test_name"),
    "javascript_tests": ("only_one_runs", "skipped_in_javascript", "empty_in_javascript"),
    "coverage_floor": ("coverage_asks_nothing", "coverage_leaves_all_out"),
    "silenced": ("whole_file_silenced", "everything_silenced", "accepted_findings"),
    "unfinished": ("stub_ships", "named_evidence_missing"),
    "gates": ("secret_in_tree", "contract_asks_badly"),
}  # fmt: skip


def names() -> list[str]:
    """All rules, in the order in which they are asked."""
    return [function.replace("_", "-") for functions in RULES.values() for function in functions]


def rules() -> Iterator[tuple[str, Rule]]:
    """Every rule with its function."""
    for module, functions in RULES.items():
        loaded = importlib.import_module(f"{PACKAGE}.{module}")
        for function in functions:
            yield function.replace("_", "-"), getattr(loaded, function)


def page(name: str) -> str:
    """A rule's docstring."""
    return inspect.getdoc(dict(rules())[name]) or ""
