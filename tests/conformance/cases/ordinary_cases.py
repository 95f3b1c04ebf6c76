"""Honest contracts over ordinary repositories, passing and failing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .case_model import CONTRACT_PATHS, Case, Gate, case
from .contract_text import contract
from .repo_trees import FAULTS, TREES

if TYPE_CHECKING:
    import random

_VERSION = r"""["']?version["']?\s*[:=]\s*["']\d+\.\d+\.\d+["']"""

_SHARED: list[Gate] = [
    {"id": "docs-present", "type": "file-exists", "file": ["README.md", "LICENSE"]},
    {"id": "licence", "description": "A licence text", "type": "file-exists", "file": "LICENSE"},
    {"id": "ci", "type": "file-exists", "file": [".github/workflows/ci.yml", "docs/index.md"]},
    {"id": "changelog", "type": "file-contains", "file": "CHANGELOG.md", "pattern": "unreleased", "flags": "i"},
    {
        "id": "changelog-entry",
        "description": "The unreleased part has a line",
        "type": "file-contains",
        "file": "CHANGELOG.md",
        "pattern": r"^## \[Unreleased\][\s\S]*?^- .+$",
        "flags": "m",
    },
    {"id": "readme-usage", "type": "file-contains", "file": "README.md", "pattern": "^#{2,3} Usage$", "flags": "m"},
    {"id": "dated", "type": "file-contains", "file": "CHANGELOG.md", "pattern": r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}"},
    {"id": "no-conflicts", "type": "absent", "glob": "**/*.{md,txt,sh}", "pattern": r"^(<{7}|={7}|>{7})( |$)"},
    {"id": "no-conflict", "type": "absent", "glob": "*.md", "pattern": "^<<<<<<< |^>>>>>>> "},
    {"id": "check-script", "type": "command", "run": "sh scripts/check.sh"},
    {"id": "check", "type": "command", "run": "./scripts/check.sh", "timeout": 60000},
    {"id": "version-file", "type": "command", "run": 'test "$(cat VERSION)" = 1.4.0', "timeout": 5000},
    {"id": "readme-long", "type": "command", "run": 'test "$(wc -l < README.md)" -ge 3'},
    {
        "id": "pages",
        "type": "command",
        "run": "set -e\nfor f in docs/index.md docs/usage.md; do\n  head -n 1 \"$f\" | cut -c1 > /dev/null\n  test -s \"$f\"\ndone\n",
    },
    {"id": "tests-ran", "type": "evidence", "file": ".skillgate/evidence/test-output.txt"},
    {"id": "tests-passed", "type": "file-contains", "file": ".skillgate/evidence/test-output.txt", "pattern": r"\b\d+ passed\b(?!.*failed)"},
    {"id": "docs", "type": "not-empty", "path": "docs"},
    {"id": "docs-two", "description": "At least two pages", "type": "not-empty", "path": "docs/", "min": 2},
    {"id": "instructions", "type": "instruction-sync"},
    {"id": "instructions-90", "type": "instruction-sync", "threshold": 0.9},
]  # fmt: skip

_GATES: dict[str, list[Gate]] = {
    "python": [
        {"id": "no-todos", "type": "absent", "glob": "src/**/*.py", "pattern": r"#\s*(TODO|FIXME|XXX)\b"},
        {"id": "no-print", "type": "absent", "glob": "src/**/*.py", "pattern": r"^\s*print\("},
        {"id": "no-debugger", "type": "absent", "glob": "**/*.py", "pattern": r"\b(breakpoint\(\)|pdb\.set_trace\(\))"},
        {"id": "no-bare-except", "type": "absent", "glob": "{src,tests}/**/*.py", "pattern": r"^\s*except\s*:\s*$"},
        {"id": "no-skips", "type": "absent", "glob": "tests/**/test_*.py", "pattern": r"@pytest\.mark\.(skip|xfail)"},
        {"id": "no-keys", "type": "absent", "glob": "**/*", "pattern": "AKIA[0-9A-Z]{16}", "ignore": [".skillgate/**"]},
        {"id": "version", "type": "file-contains", "file": "pyproject.toml", "pattern": r'^version = "(\d+)\.(\d+)\.(\d+)"$', "flags": "m"},
        {"id": "typed", "type": "file-exists", "file": "src/ratelimit/py.typed"},
        {"id": "tests-exist", "type": "not-empty", "path": "tests", "min": 3},
        {"id": "public-version", "type": "file-contains", "file": "src/ratelimit/__init__.py", "pattern": r"""__version__\s*=\s*(["'])1\.4\.\d+\1"""},
    ],
    "js": [
        {"id": "no-todos", "type": "absent", "glob": "src/**/*.{ts,tsx}", "pattern": r"(?:\/\/|\/\*)\s*(?:TODO|FIXME)"},
        {"id": "no-console", "type": "absent", "glob": "src/**/*.{ts,tsx,js,jsx}", "pattern": r"console\.(?:log|debug|trace)\("},
        {"id": "no-only", "type": "absent", "glob": "test/**/*.test.ts", "pattern": r"\b(?:it|describe|test)\.only\("},
        {"id": "no-any", "type": "absent", "glob": "src/**/*.ts", "pattern": r"[:,<]\s*any\b", "ignore": ["**/*.d.ts"]},
        {"id": "no-debugger", "type": "absent", "glob": "**/*.{ts,tsx,js}", "pattern": r"^\s*debugger;?\s*$"},
        {"id": "no-tokens", "type": "absent", "glob": "**/*", "pattern": r"tok_live_[A-Za-z0-9]{16,}", "ignore": [".skillgate/**", "docs/**"]},
        {"id": "version", "type": "file-contains", "file": "package.json", "pattern": _VERSION},
        {"id": "built", "type": "file-exists", "file": ["dist/index.js", "package.json"]},
        {"id": "dist", "type": "not-empty", "path": "dist", "min": 1},
        {"id": "tests-exist", "type": "not-empty", "path": "test"},
        {"id": "strict", "type": "file-contains", "file": "tsconfig.json", "pattern": r'"strict"\s*:\s*true'},
    ],
    "go": [
        {"id": "no-todos", "type": "absent", "glob": "**/*.go", "pattern": r"\/\/\s*(TODO|FIXME)", "ignore": ["vendor/**"]},
        {"id": "todo-owner", "type": "absent", "glob": ["*.go", "internal/**/*.go"], "pattern": r"TODO(?!\([a-z]+\))"},
        {"id": "no-print", "type": "absent", "glob": "{main.go,internal/**/*.go}", "pattern": r"\bfmt\.Print(?:ln|f)?\("},
        {"id": "no-panic", "type": "absent", "glob": "internal/**/*.go", "pattern": r"\bpanic\(", "ignore": ["**/*_test.go"]},
        {"id": "pinned-image", "type": "absent", "glob": "deploy/*.yaml", "pattern": r"image:\s*\S+:latest\s*$"},
        {"id": "no-skip", "type": "absent", "glob": "**/*_test.go", "pattern": r"\bt\.Skip(?:Now|f)?\("},
        {"id": "no-replace", "type": "absent", "glob": "go.mod", "pattern": r"^replace\s"},
        {"id": "go-version", "type": "file-contains", "file": "go.mod", "pattern": r"^go 1\.(2[2-9]|[3-9]\d)$", "flags": "m"},
        {"id": "errors", "type": "file-contains", "file": "internal/server/errors.go", "pattern": r"(?<=errors\.New\()\"[^\"]+\""},
        {"id": "golden", "type": "not-empty", "path": "testdata"},
    ],
    "mono": [
        {"id": "no-todos", "type": "absent", "glob": "packages/*/src/**/*.js", "pattern": r"\bTODO\b"},
        {"id": "no-todos-all", "type": "absent", "glob": "packages/**/*.js", "pattern": r"\bTODO\b", "ignore": ["**/dist/**"]},
        {"id": "no-todos-built", "type": "absent", "glob": "packages/**/*.js", "pattern": "TODO"},
        {"id": "readmes", "type": "file-exists", "file": ["packages/core/README.md", "packages/http/README.md"]},
        {"id": "no-deep-imports", "type": "absent", "glob": "apps/**/*.{js,jsx}", "pattern": r"""from ['"](?:\.\.\/)+packages\/""", "ignore": ["**/*.min.js"]},
        {"id": "no-secrets", "type": "absent", "glob": "**/.env*", "pattern": r"(?:SECRET|PASSWORD)[A-Z_]*\s*=\s*\S{8,}"},
        {"id": "scoped", "type": "file-contains", "file": "packages/core/package.json", "pattern": r'"name": "@acme\/(?<pkg>[a-z-]+)"'},
        {"id": "packages", "type": "not-empty", "path": "packages", "min": 2},
        {"id": "same-version", "type": "command", "run": "cut -d: -f3 packages/core/package.json | sort -u | wc -l | tr -d ' ' | { read n; test \"$n\" -eq 1; }"},
    ],
}  # fmt: skip

# Which fault breaks which gate.
_BREAKS = {
    "docs-present": "no licence", "licence": "no licence", "ci": "no docs", "changelog": "changelog untouched",
    "changelog-entry": "changelog untouched", "readme-usage": "readme empty", "no-conflicts": "conflict left",
    "no-conflict": "conflict left", "check-script": "readme empty", "check": "no licence",
    "version-file": "version bumped halfway", "readme-long": "readme empty", "pages": "one page of docs",
    "tests-ran": "empty evidence", "tests-passed": "no evidence", "docs": "no docs", "docs-two": "one page of docs",
    "instructions": "instructions drifted", "instructions-90": "instructions drifted", "no-todos": "todo",
    "no-print": "print left", "no-debugger": "breakpoint left", "no-bare-except": "bare except",
    "no-skips": "skipped test", "no-keys": "key committed", "tests-exist": "no tests", "no-console": "console left",
    "no-only": "only left", "no-any": "any", "no-tokens": "token committed", "no-panic": "panic",
    "pinned-image": "latest image", "no-skip": "skipped test", "no-replace": "replace directive",
    "no-todos-all": "todo", "no-todos-built": "todo in built", "readmes": "package readme gone",
    "no-deep-imports": "relative import across", "no-secrets": "secret in env",
}  # fmt: skip
# Gates that look at nothing else than tests: without a test they match no file.
_ABOUT_TESTS = ("no-skips", "no-only")


def _pick(kind: str, rng: random.Random) -> list[Gate]:
    """Choose one to four gates, at least one of them about this kind of repository."""
    count = rng.choice([1, 2, 2, 3, 3, 4])
    own = rng.sample(_GATES[kind], rng.randint(1, min(count, 3)))
    shared = rng.sample(_SHARED, count - len(own))
    chosen = own + shared
    rng.shuffle(chosen)
    return [dict(gate) for gate in chosen]


def ordinary(rng: random.Random, count: int) -> list[Case]:
    """Return `count` cases; about half of them have a fault that a gate is there to find."""
    cases = []
    kinds = list(TREES)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        tree = TREES[kind]()
        gates = _pick(kind, rng)
        faults = rng.sample(sorted(FAULTS[kind]), rng.choice([0, 0, 1, 2]))
        if rng.random() < 0.5:
            faults += [f for f in (_BREAKS.get(rng.choice(gates)["id"], ""),) if f in FAULTS[kind]]
        for fault in dict.fromkeys(faults):
            FAULTS[kind][fault](tree)
        path = rng.choices(CONTRACT_PATHS, weights=[12, 3, 2, 1, 2])[0]
        git = rng.choices(["none", "init", "commit"], weights=[5, 2, 3])[0]
        untested = "no tests" in faults and any(gate["id"] in _ABOUT_TESTS for gate in gates)
        edge = "no-file-matched" if untested else ""
        cases.append(
            case(
                f"ordinary-{kind}-{number:03}",
                contract(gates, rng, path),
                tree,
                path=path,
                git=git,
                edge=edge,
            )
        )
    return cases


def all_gates() -> list[Gate]:
    """Return every gate that an ordinary contract may hold."""
    return [dict(gate) for gates in (_SHARED, *_GATES.values()) for gate in gates]
