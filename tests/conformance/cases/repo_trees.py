"""Small repositories as they are found: Python, JavaScript, Go, a monorepo; and the faults they come with.

A fault is a pair of a name and a change of the tree. Every tree here satisfies its gates in
`ordinary_cases` until a fault is put in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .case_model import Tree

_CHANGELOG = """# Changelog

All notable changes of this project are listed here.

## [Unreleased]

### Added
- A sliding window beside the token bucket (#41).

## [1.4.0] - 2024-03-02

### Fixed
- The clock may step backwards.
"""

_AGENTS = """# Working in this repository

Run the tests before you say that something works.
Keep functions short and name things by what they are.

## Commands

- `make test` runs everything.
- `make lint` must print nothing.

## Do not

- touch generated files
- add a dependency without asking
- commit secrets
"""

_CHECK = """#!/bin/sh
set -eu
for f in README.md LICENSE; do
  test -s "$f" || { echo "missing $f" >&2; exit 1; }
done
echo "ok"
"""

_EVIDENCE = "collected 14 items\n\n14 passed in 0.31s\n"


def _common(name: str) -> Tree:
    return {
        "README.md": f"# {name}\n\nA small library.\n\n## Usage\n\nSee docs/.\n",
        "LICENSE": "MIT License\n\nCopyright (c) 2023 The authors\n",
        "CHANGELOG.md": _CHANGELOG,
        "AGENTS.md": _AGENTS,
        "CLAUDE.md": "@AGENTS.md\n",
        "scripts/check.sh": {"text": _CHECK, "mode": "0755"},
        ".gitignore": "node_modules/\ndist/\n*.log\n.venv/\n__pycache__/\n",
        ".github/workflows/ci.yml": "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n",
        ".skillgate/evidence/test-output.txt": _EVIDENCE,
        "docs/index.md": f"# {name}\n\nWelcome.\n",
        "docs/usage.md": "# Usage\n\n1. Install it.\n2. Import it.\n",
        "VERSION": "1.4.0\n",
    }


def python_repo() -> Tree:
    """Return a src-layout Python library."""
    return _common("ratelimit") | {
        "pyproject.toml": '[project]\nname = "ratelimit"\nversion = "1.4.0"\nrequires-python = ">=3.11"\n',
        "src/ratelimit/__init__.py": '"""Limit how often something happens."""\n\n__version__ = "1.4.0"\n',
        "src/ratelimit/bucket.py": (
            '"""A token bucket."""\n\nimport logging\nimport time\n\nlog = logging.getLogger(__name__)\n\n\n'
            "class Bucket:\n    def __init__(self, rate: float) -> None:\n        self.rate = rate\n"
            "        self.seen = time.monotonic()\n\n    def take(self) -> bool:\n"
            '        log.debug("take")\n        return True\n'
        ),
        "src/ratelimit/cli.py": (
            'import sys\n\n\ndef main() -> int:\n    sys.stdout.write("ready\\n")\n    return 0\n'
        ),
        "src/ratelimit/py.typed": "",
        "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef clock():\n    return iter(range(100))\n",
        "tests/test_bucket.py": (
            "from ratelimit.bucket import Bucket\n\n\ndef test_take():\n    assert Bucket(1.0).take()\n"
        ),
        "tests/unit/test_cli.py": "from ratelimit.cli import main\n\n\ndef test_main():\n    assert main() == 0\n",
    }


def js_repo() -> Tree:
    """Return a TypeScript package with installed and built files lying about."""
    return _common("tiny-cache") | {
        "package.json": '{\n  "name": "tiny-cache",\n  "version": "1.4.0",\n  "scripts": {"test": "node --test"}\n}\n',
        "tsconfig.json": '{\n  // strict, always\n  "compilerOptions": {"strict": true}\n}\n',
        "src/index.ts": "export { Cache } from './cache.js';\nexport type { Options } from './types.js';\n",
        "src/cache.ts": (
            "import type { Options } from './types.js';\n\nexport class Cache<V> {\n"
            "  private readonly items = new Map<string, V>();\n"
            "  constructor(private readonly options: Options) {}\n"
            "  get(key: string): V | undefined {\n    return this.items.get(key);\n  }\n}\n"
        ),
        "src/types.ts": "export interface Options {\n  readonly size: number;\n}\n",
        "src/ui/Badge.tsx": "export const Badge = ({ n }: { n: number }) => <b className='badge'>{n}</b>;\n",
        "test/cache.test.ts": (
            "import { it } from 'node:test';\nimport { Cache } from '../src/index.js';\n\n"
            "it('misses', () => {\n  if (new Cache({ size: 1 }).get('a')) throw new Error('hit');\n});\n"
        ),
        ".env.example": "API_TOKEN=\nLOG_LEVEL=info\n",
        "node_modules/left/index.js": "// TODO: this is theirs\nconsole.log('left');\ndebugger;\n",
        "dist/index.js": "console.log('built'); // TODO built\n",
    }


def go_repo() -> Tree:
    """Return a Go service with a vendored module."""
    return _common("relay") | {
        "go.mod": "module example.org/relay\n\ngo 1.22\n\nrequire example.org/lib v0.3.1\n",
        "main.go": 'package main\n\nimport "log"\n\nfunc main() {\n\tlog.Println("listening")\n}\n',
        "internal/server/server.go": (
            "package server\n\n// Serve answers until the listener closes.\nfunc Serve(addr string) error {\n"
            '\tif addr == "" {\n\t\treturn ErrAddr\n\t}\n\treturn nil\n}\n'
        ),
        "internal/server/errors.go": 'package server\n\nimport "errors"\n\nvar ErrAddr = errors.New("no address")\n',
        "internal/server/server_test.go": (
            'package server\n\nimport "testing"\n\nfunc TestServe(t *testing.T) {\n'
            '\tif Serve("") == nil {\n\t\tt.Fatal("no error")\n\t}\n}\n'
        ),
        "vendor/example.org/lib/lib.go": "package lib\n\n// FIXME: theirs\nfunc Do() { panic(1) }\n",
        "deploy/values.yaml": "replicas: 2\nimage: relay:1.4.0\n",
        "testdata/golden.json": '{"ok": true}\n',
    }


def monorepo() -> Tree:
    """Return a workspace with two packages and one application."""
    tree = _common("acme") | {"package.json": '{"private": true, "workspaces": ["packages/*", "apps/*"]}\n'}
    for name in ("core", "http"):
        tree |= {
            f"packages/{name}/package.json": f'{{"name": "@acme/{name}", "version": "1.4.0"}}\n',
            f"packages/{name}/src/index.js": f"export const name = '{name}';\n",
            f"packages/{name}/README.md": f"# @acme/{name}\n",
            f"packages/{name}/dist/index.js": f"export const name='{name}';\n",
        }
    return tree | {
        "apps/web/src/main.jsx": "import { name } from '@acme/core';\n\nexport default () => <p>{name}</p>;\n",
        "apps/web/public/app.min.js": "var a=1;function b(){return a}\n",
        "apps/web/.env.production": "PUBLIC_URL=https://example.org\n",
    }


def _append(path: str, text: str) -> Callable[[Tree], None]:
    def change(tree: Tree) -> None:
        old = tree.get(path, "")
        assert isinstance(old, str)
        tree[path] = old + text  # a fault before this one may have taken the file away

    return change


def _put(path: str, entry: str) -> Callable[[Tree], None]:
    def change(tree: Tree) -> None:
        tree[path] = entry

    return change


def _drop(*prefixes: str) -> Callable[[Tree], None]:
    def change(tree: Tree) -> None:
        for path in [p for p in tree if p.startswith(prefixes)]:
            del tree[path]

    return change


_SHARED = {
    "changelog untouched": _put("CHANGELOG.md", "# Changelog\n\n## [1.4.0] - 2024-03-02\n\n- First.\n"),
    "no licence": _drop("LICENSE"),
    "no evidence": _drop(".skillgate/evidence"),
    "empty evidence": _put(".skillgate/evidence/test-output.txt", ""),
    "one page of docs": _drop("docs/usage.md"),
    "no docs": _drop("docs/"),
    "instructions drifted": _put("CLAUDE.md", "# Notes\n\nUse tabs.\nNever run the tests.\nBe quick.\n"),
    "conflict left": _append("README.md", "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> main\n"),
    "version bumped halfway": _put("VERSION", "1.5.0\n"),
    "readme empty": _put("README.md", ""),
}
# By repository: what goes wrong in the code itself.
FAULTS = {
    "python": _SHARED
    | {
        "todo": _append("src/ratelimit/cli.py", "\n# TODO: parse arguments\n"),
        "print left": _append("src/ratelimit/bucket.py", "\n    print('here', 1)\n"),
        "breakpoint left": _append("src/ratelimit/cli.py", "\nbreakpoint()\n"),
        "bare except": _append("src/ratelimit/cli.py", "\ntry:\n    main()\nexcept:\n    pass\n"),
        "skipped test": _append("tests/unit/test_cli.py", "\n@pytest.mark.skip(reason='flaky')\ndef test_b(): ...\n"),
        "key committed": _append("src/ratelimit/cli.py", "\nKEY = 'AKIA" + "QX7Z" * 4 + "'\n"),
        "no tests": _drop("tests/"),
    },
    "js": _SHARED
    | {
        "todo": _append("src/cache.ts", "// FIXME evict\n"),
        "console left": _append("src/ui/Badge.tsx", "console.debug('render');\n"),
        "only left": _append("test/cache.test.ts", "describe.only('x', () => {});\n"),
        "any": _append("src/types.ts", "export type Loose = Record<string, any>;\n"),
        "debugger left": _append("src/index.ts", "debugger;\n"),
        "token committed": _put(".env", "API_TOKEN=" + "tok_live_" + "9f3K" * 5 + "\n"),
        "no tests": _drop("test/"),
    },
    "go": _SHARED
    | {
        "todo": _append("internal/server/server.go", "\n// TODO(kim): timeouts\n"),
        "print left": _append("main.go", '\nfunc dbg() { fmt.Println("x") }\n'),
        "panic": _append("internal/server/errors.go", '\nfunc must() { panic("no") }\n'),
        "latest image": _put("deploy/values.yaml", "replicas: 2\nimage: relay:latest\n"),
        "skipped test": _append("internal/server/server_test.go", '\nfunc TestB(t *testing.T) { t.Skip("later") }\n'),
        "replace directive": _append("go.mod", "\nreplace example.org/lib => ../lib\n"),
    },
    "mono": _SHARED
    | {
        "todo": _append("packages/http/src/index.js", "/* TODO retry */\n"),
        "todo in built": _append("packages/core/dist/index.js", "// TODO\n"),
        "package readme gone": _drop("packages/core/README.md"),
        "relative import across": _append("apps/web/src/main.jsx", "import x from '../../../packages/core/src';\n"),
        "secret in env": _append("apps/web/.env.production", "SECRET_KEY=hunter2hunter2\n"),
    },
}
TREES = {"python": python_repo, "js": js_repo, "go": go_repo, "mono": monorepo}
