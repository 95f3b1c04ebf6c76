"""What a file is in its project, by its name: whether leftovers in it are the author's, and which rules fit."""

from __future__ import annotations

import posixpath
import re
from enum import StrEnum

from backcheck.checks.code.languages import DATA, MARKUP, suffix_of


class Role(StrEnum):
    """What a file is for."""

    WORK = "work"
    TEST = "test"
    #: Imitates something on purpose: examples, demos, mocks, seeds.
    EXAMPLE = "example"
    PROSE = "prose"
    DATA = "data"
    #: Not written for this change: vendored or generated code, test data, translations.
    BESIDE = "beside"


_TEXT = frozenset({"", ".txt", ".text"})
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "cypress"})
_BESIDE_FOLDERS = frozenset({
    "node_modules", "vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty", "external", "site-packages",
    "dist", "fixtures", "__fixtures__", "fixture", "testdata", "test-data", "test_data", "__snapshots__", "snapshots",
    "golden", "goldens", "cassettes",
})  # fmt: skip
_TRANSLATIONS = frozenset({"locale", "locales", "i18n", "l10n", "lang", "langs", "translations", "messages"})
_BESIDE_SUFFIXES = frozenset({
    ".po", ".pot", ".xlf", ".xliff", ".arb", ".resx", ".strings", ".snap", ".map", ".lock", ".svg", ".ftl",
})  # fmt: skip
_BESIDE_NAME = re.compile(
    r"\.min\.(?:js|css|mjs|cjs)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.generated\.|_generated\.|\.g\.dart$|"
    r"\.designer\.cs$|"
    r"^(?:package-lock|npm-shrinkwrap|composer)\.(?:json|lock)$|^(?:pnpm-lock|yarn)\.(?:yaml|lock)$|^go\.sum$|"
    r"^third.?party.?(?:notices|licen[cs]es)"
)
_TEST_NAME = re.compile(r"^(?:test_.*|.*_test|.*_spec|conftest|.*\.(?:test|spec|cy|e2e|stories))$|.*Tests?$")
_EXAMPLE = re.compile(
    r"(?:^|[-_./])(?:examples?|samples?|demos?|templates?|mocks?|__mocks__|fakes?|stubs?|dummies|dummy|seeds?|"
    r"stor(?:y|ies)|simulat\w+|"
    r"tutorials?|cookiecutter|scaffold\w*|skeletons?|boilerplates?|placeholders?|lorem\w*|dist)(?:[-_./]|$)"
)
#: Files whose subject is what is still to do.
_PLANS = re.compile(r"^(?:todos?|roadmap|backlog|changelog|changes|history|news|plan|contributing)$")


def role_of(path: str) -> Role:
    """The role of a path, from the repository's top."""
    lowered = path.lower()
    folders, name = posixpath.split(lowered)
    parts = folders.split("/")
    suffix = suffix_of(path)
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if suffix in _BESIDE_SUFFIXES or _BESIDE_NAME.search(name) or not _BESIDE_FOLDERS.isdisjoint(parts):
        return Role.BESIDE
    if suffix in DATA and not _TRANSLATIONS.isdisjoint(parts):
        return Role.BESIDE
    if suffix in MARKUP | _TEXT and suffix not in {".html", ".htm"} and not _named_code(name):
        return Role.BESIDE if _PLANS.match(stem.lower()) else Role.PROSE
    if not _TEST_FOLDERS.isdisjoint(parts) or _TEST_NAME.match(stem):
        return Role.TEST
    if _EXAMPLE.search(lowered):
        return Role.EXAMPLE
    return Role.DATA if suffix in DATA else Role.WORK


def _named_code(name: str) -> bool:
    """Files without a suffix that are no prose."""
    return name.startswith(
        ("dockerfile", "makefile", "jenkinsfile", "vagrantfile", "gemfile", "rakefile", "procfile", ".")
    ) or (name in {"justfile", "brewfile", "caddyfile", "cmakelists.txt", "containerfile"})
