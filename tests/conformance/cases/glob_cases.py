"""Which files a glob means, with and without `ignore`, asked through markers that stand in one file each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .case_model import CONTRACT_PATHS, Case, Gate, Tree, case
from .contract_text import contract

if TYPE_CHECKING:
    import random

_FILES = (
    "index.js", "a.js", "b.js", "ab.js", "main.ts", "README.md", ".env", ".eslintrc.js", "Makefile", "notes 1.txt",
    "src/a.js", "src/b.ts", "src/c.test.ts", "src/d.spec.ts", "src/[id].js", "src/.hidden.js", "src/deep/a.js",
    "src/deep/er/a.ts", "src/gen/a.js", "src/gen/b.min.js", "src/util.TS", "src/caf\u00e9.js", "src/a+b.js",
    "src/(group)/page.js", "src/.cfg/x.js", "lib/a.js", "lib/x/y/z.py", "test/a.js", "test/fixtures/a.js",
    "dist/a.js", "pkg/dist/a.js", "node_modules/m/a.js", "src/node_modules/m/a.js", "vendor/v/a.js", "build/a.js",
    ".github/workflows/ci.yml", ".github/a.js", "docs/index.md", "docs/a/index.md", "docs/1.txt", "docs/2.txt",
    "docs/10.txt", ".venv/a.py", "out.log",
)  # fmt: skip

# glob, ignore (None: no such key), up to four files that are asked about
_GLOBS: list[tuple[Any, Any, tuple[str, ...]]] = [
    ("**/*.js", None, ("a.js", "src/deep/a.js", "dist/a.js", "node_modules/m/a.js")),
    ("**/*.js", None, (".eslintrc.js", "src/.hidden.js", "src/.cfg/x.js", "pkg/dist/a.js")),
    ("**/*.js", None, ("src/node_modules/m/a.js", "vendor/v/a.js", "build/a.js", "src/caf\u00e9.js")),
    ("**/*.js", None, ("src/[id].js", "src/(group)/page.js", ".github/a.js", "main.ts")),
    ("*.js", None, ("a.js", "src/a.js", ".eslintrc.js", "ab.js")),
    ("**", None, (".env", "Makefile", "src/deep/er/a.ts", "node_modules/m/a.js")),
    ("**/*", None, (".env", "notes 1.txt", ".github/workflows/ci.yml", ".venv/a.py")),
    ("*", None, ("README.md", ".env", "src/a.js", "out.log")),
    ("src/**", None, ("src/a.js", "src/.hidden.js", "src/deep/er/a.ts", "lib/a.js")),
    ("src/*", None, ("src/a.js", "src/.hidden.js", "src/deep/a.js", "src/util.TS")),
    ("src/*/*", None, ("src/deep/a.js", "src/.cfg/x.js", "src/a.js", "src/deep/er/a.ts")),
    ("src/**/*.{ts,js}", None, ("src/b.ts", "src/util.TS", "src/gen/b.min.js", "src/deep/er/a.ts")),
    ("{src,lib}/**/*.{ts,js}", None, ("src/b.ts", "lib/a.js", "test/a.js", "lib/x/y/z.py")),
    ("{src,lib,test}/*.js", None, ("src/a.js", "lib/a.js", "test/a.js", "test/fixtures/a.js")),
    ("src/**/*.ts", ["**/*.test.ts", "**/*.spec.ts"], ("src/b.ts", "src/c.test.ts", "src/d.spec.ts")),
    ("src/**/*.ts", ["**/*.{test,spec}.*"], ("src/b.ts", "src/c.test.ts", "src/deep/er/a.ts")),
    ("src/**/!(*.test|*.spec).ts", None, ("src/b.ts", "src/c.test.ts", "src/d.spec.ts", "src/deep/er/a.ts")),
    ("src/**/*.@(js|ts)", None, ("src/a.js", "src/b.ts", "src/util.TS", "lib/a.js")),
    ("+(a|b).js", None, ("a.js", "b.js", "ab.js", "index.js")),
    ("?(a)b.js", None, ("b.js", "ab.js", "a.js")),
    ("*(a|b).js", None, ("a.js", "ab.js", "index.js", "src/a.js")),
    ("(a|b).js", None, ("a.js", "b.js", "ab.js")),
    ("?.js", None, ("a.js", "b.js", "ab.js", "index.js")),
    ("[ab].js", None, ("a.js", "b.js", "ab.js")),
    ("[!a].js", None, ("a.js", "b.js", "ab.js")),
    ("[^a].js", None, ("a.js", "b.js", "ab.js")),
    ("[a-c]*.js", None, ("a.js", "ab.js", "index.js")),
    ("src/[id].js", None, ("src/[id].js", "src/a.js")),
    (r"src/\[id\].js", None, ("src/[id].js", "src/a.js")),
    ("src/(group)/*.js", None, ("src/(group)/page.js", "src/gen/a.js")),
    ("src/a+b.js", None, ("src/a+b.js", "src/a.js")),
    ("docs/{1..3}.txt", None, ("docs/1.txt", "docs/2.txt", "docs/10.txt")),
    ("docs/[0-9].txt", None, ("docs/1.txt", "docs/2.txt", "docs/10.txt")),
    ("docs/**/index.md", None, ("docs/index.md", "docs/a/index.md", "README.md")),
    ("**/index.*", None, ("index.js", "docs/index.md", "docs/a/index.md")),
    ("a{,b}.js", None, ("a.js", "ab.js", "b.js")),
    ("{a,{b,ab}}.js", None, ("a.js", "b.js", "ab.js", "index.js")),
    ("*.{js}", None, ("a.js", "main.ts")),
    ("./src/*.js", None, ("src/a.js", "src/deep/a.js")),
    ("./*.md", None, ("README.md", "docs/index.md")),
    ("src//a.js", None, ("src/a.js",)),
    ("src", None, ("src/a.js", "src/deep/er/a.ts", "lib/a.js")),
    ("src/", None, ("src/a.js", "src/.hidden.js", "lib/a.js")),
    ("src/gen", None, ("src/gen/a.js", "src/a.js")),
    ("Makefile", None, ("Makefile", "README.md")),
    ("makefile", None, ("Makefile",)),
    ("notes 1.txt", None, ("notes 1.txt",)),
    ("**/caf\u00e9.js", None, ("src/caf\u00e9.js",)),
    (".github/**", None, (".github/workflows/ci.yml", ".github/a.js")),
    ("**/.*", None, (".env", ".eslintrc.js", "src/.hidden.js", "src/.cfg/x.js")),
    ("**.js", None, ("a.js", "src/a.js")),
    ("src/**.js", None, ("src/a.js", "src/deep/a.js")),
    ("**/deep/**", None, ("src/deep/a.js", "src/deep/er/a.ts", "src/a.js")),
    ("src/**/a.js", None, ("src/a.js", "src/deep/a.js", "src/gen/a.js", "test/a.js")),
    (["src/**/*.ts", "lib/**/*.py"], None, ("src/b.ts", "lib/x/y/z.py", "src/a.js")),
    (["src/**", "!src/gen/**"], None, ("src/a.js", "src/gen/a.js", "src/deep/a.js")),
    (["**/*.js", "!**/fixtures/**", "!*.js"], None, ("src/a.js", "test/fixtures/a.js", "a.js")),
    (["*.md", "docs"], None, ("README.md", "docs/index.md", "docs/1.txt")),
    ("**/*.js", ["vendor/**", "build/**"], ("vendor/v/a.js", "build/a.js", "src/a.js")),
    ("**/*.js", ["**/gen/**"], ("src/gen/a.js", "src/gen/b.min.js", "src/a.js")),
    ("**/*.js", ["**/*.min.js"], ("src/gen/b.min.js", "src/gen/a.js")),
    ("**/*.js", ["*.min.js"], ("src/gen/b.min.js", "src/gen/a.js")),
    ("**/*.js", ["vendor", "src/gen"], ("vendor/v/a.js", "src/gen/a.js", "src/a.js")),
    ("**/*.js", ["vendor/"], ("vendor/v/a.js", "src/a.js")),
    ("**/*.js", ["./vendor/**"], ("vendor/v/a.js", "src/a.js")),
    ("**/*.js", ["a.js"], ("a.js", "src/a.js", "lib/a.js")),
    ("**/*.js", ["src/*.js"], ("src/a.js", "src/deep/a.js", "src/.hidden.js")),
    ("**/*.js", ["{src,lib}/**"], ("src/a.js", "lib/a.js", "test/a.js")),
    ("**/*.js", "**/gen/**", ("src/gen/a.js", "src/a.js")),
    ("**/*.js", [], ("src/gen/a.js", "dist/a.js")),
    ("**/*.js", ["**/.*"], (".eslintrc.js", "src/.hidden.js", "src/.cfg/x.js", "src/a.js")),
    ("**/*.js", ["!src/a.js"], ("src/a.js", "src/b.ts", "lib/a.js")),
    ("dist/*.js", None, ("dist/a.js",)),
    ("node_modules/**", None, ("node_modules/m/a.js",)),
    ("pkg/dist/**", None, ("pkg/dist/a.js",)),
    ("**/*.TS", None, ("src/util.TS", "src/b.ts")),
    ("srcc/**/*.ts", None, ("src/b.ts",)),
    ("!src/**", None, ("src/a.js", "a.js")),
    ("", None, ("a.js",)),
    ([], None, ("a.js",)),
    (["*.js", ""], None, ("a.js", "src/a.js")),
    (r"src\a.js", None, ("src/a.js",)),
    ("src/**/..", None, ("src/a.js",)),
    ("**/*", ["**"], ("a.js", ".env")),
    ("**/*", ["**/*"], ("a.js", ".env")),
    ("{*.md,*.ts}", None, ("README.md", "main.ts", "a.js")),
    ("src/{a,b}*", None, ("src/a.js", "src/b.ts", "src/a+b.js", "src/caf\u00e9.js")),
    ("**/*.{md,txt,y?(a)ml}", None, ("README.md", "docs/1.txt", ".github/workflows/ci.yml", "Makefile")),
    ("src/***/*.js", None, ("src/a.js", "src/deep/a.js")),
    ("*/*.js", None, ("src/a.js", ".github/a.js", "a.js", "src/deep/a.js")),
    ("**/node_modules/**/*.js", None, ("node_modules/m/a.js", "src/node_modules/m/a.js")),
]  # fmt: skip


def _marker(path: str) -> str:
    return f"mark{_FILES.index(path):02}z"


def glob_tree() -> Tree:
    """Return a tree whose every file carries a marker of its own."""
    return {path: f"first line\n{_marker(path)}\n" for path in _FILES}


def globs(rng: random.Random) -> list[Case]:
    """Return one case for each glob, with one gate for each file asked about."""
    cases = []
    for number, (glob, ignore, asked) in enumerate(_GLOBS):
        gates: list[Gate] = []
        for path in asked:
            gate: Gate = {
                "id": f"in-{_FILES.index(path)}",
                "type": "absent",
                "glob": glob,
                "pattern": _marker(path),
            }
            gates.append(gate if ignore is None else gate | {"ignore": ignore})
        # Written where no glob of the table can see it, so that no gate finds its own pattern.
        path = rng.choice(CONTRACT_PATHS[:2])
        gates = [gate | {"pattern": _split(gate["pattern"])} for gate in gates]
        cases.append(case(f"glob-{number:03}", contract(gates, rng, path), glob_tree(), path=path))
    return cases


def _split(marker: str) -> str:
    """Return a pattern for the marker that does not find itself in the contract's text."""
    return f"{marker[:-1]}[{marker[-1]}]"
