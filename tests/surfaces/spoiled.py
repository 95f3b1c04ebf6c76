"""Projects for the tests of the audit: an honest one of each language, and one in which every corner is cut on purpose."""

from __future__ import annotations

HONEST_PYTHON = {
    "pyproject.toml": '[project]\nname = "adding"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
    "adding.py": '"""Adding."""\n\n\ndef add(a, b):\n    """The sum."""\n    return a + b\n',
    "tests/test_adding.py": "from adding import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "README.md": "# adding\n",
    ".github/workflows/ci.yml": (
        "on: push\njobs:\n  tests:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n"
        "      - run: pip install pytest\n      - run: |\n          python -m pytest -q\n          echo done || true\n"
        "      - run: curl -s https://example.invalid/upload || true\n        continue-on-error: true\n"
    ),
}

HONEST_JAVASCRIPT = {
    "package.json": '{\n  "name": "adding",\n  "type": "module",\n  "scripts": {"test": "node --test"}\n}\n',
    "src/add.js": "export function add(a, b) {\n  return a + b;\n}\n",
    "test/add.test.js": (
        'import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "../src/add.js";\n\n'
        'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n'
    ),
    "README.md": "# adding\n",
}

#: Path → content. Each cut corner is listed in SPOILED_WAYS by its rule and place.
SPOILED = {
    "pyproject.toml": (
        '[project]\nname = "spoiled"\n\n[tool.pytest.ini_options]\ntestpaths = ["test"]\n'
        'addopts = "--ignore=tests/test_hard.py --reruns 3 --suppress-no-test-exit-code"\n\n'
        '[tool.coverage.report]\nfail_under = 0\nexclude_also = [".*"]\n\n'
        '[tool.mypy]\nignore_errors = true\n\n[tool.ruff.lint]\nignore = ["ALL"]\n'
    ),
    "requirements-dev.txt": "pytest\npytest-rerunfailures\n",
    "tox.ini": "[testenv]\ncommands =\n    - pytest -q\n",
    "Makefile": "test:\n\t-pytest -q\n\nclean:\n\t-rm -rf build\n",
    "src/pay.py": "# type: ignore\ndef pay(x):\n    # TODO: implement this\n    return True\n",
    "src/quiet.js": "/* eslint-disable */\nexport const a = 1;\n",
    "conftest.py": (
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    out = yield\n    report = out.get_result()\n    report.outcome = 'passed'\n"
    ),
    "tests/test_hard.py": "def test_hard():\n    assert 1 + 1 == 3\n",
    "tests/test_pay.py": (
        "import pytest\n\nfrom pay import pay\n\n\n@pytest.mark.skip\ndef test_total():\n    assert pay(1)\n\n\n"
        "def test_nothing():\n    assert True\n\n\ndef test_calls():\n    got = pay(3)\n\n\n"
        "def test_twice():\n    assert pay(0) is False\n\n\ndef test_twice():\n    assert pay(1)\n"
    ),
    "web/pay.test.js": (
        'test.only("one", () => { expect(1).toBe(1); });\n\nit.skip("two", () => { expect(1).toBe(2); });\n\n'
        'it("three", () => {});\n'
    ),
    "package.json": (
        '{\n  "name": "spoiled",\n  "scripts": {\n    "test": "jest --passWithNoTests || true",\n    "lint": "eslint ."\n  }\n}\n'
    ),
    ".husky/pre-commit": "pytest -q || true\n",
    ".claude/settings.json": '{\n  "disableAllHooks": true\n}\n',
    "eslint-suppressions.json": '{"src/quiet.js": {"no-undef": {"count": 3}, "eqeqeq": {"count": 1}}}\n',
    "AGENTS.md": "# For agents\n\nThe suite passed, see the report in `evidence/run/report.xml`.\n",
    ".github/workflows/ci.yml": (
        "on: push\njobs:\n  tests:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest -q || true\n"
        "      - run: |\n          set +e\n          pytest -q\n          echo finished\n"
        "      - run: pytest -q | tee log.txt\n      - name: types\n        run: mypy src\n        continue-on-error: true\n"
    ),
    ".gitlab-ci.yml": "unit:\n  script:\n    - pytest -q\n  allow_failure: true\n",
    ".backcheck/contract.yaml": (
        "version: 1\nrequirements:\n  - {id: suite, description: The suite passes, check: command, with: {run: 'pytest || true'}}\n"
    ),
}

SPOILED_WAYS = [
    ("ci-failure-lost", ".github/workflows/ci.yml", 6), ("ci-failure-lost", ".github/workflows/ci.yml", 9),
    ("ci-failure-lost", ".github/workflows/ci.yml", 11), ("ci-failure-allowed", ".github/workflows/ci.yml", 14),
    ("ci-failure-allowed", ".gitlab-ci.yml", 4), ("script-cannot-fail", "package.json", 4),
    ("make-failure-lost", "Makefile", 2), ("tox-failure-ignored", "tox.ini", 3), ("hook-failure-lost", ".husky/pre-commit", 1),
    ("agent-hooks-disabled", ".claude/settings.json", 2), ("no-tests-pass", "package.json", 4),
    ("no-tests-pass", "pyproject.toml", 6), ("tests-left-out", "pyproject.toml", 6),
    ("testpaths-match-nothing", "pyproject.toml", 5), ("reruns-hide-failures", "pyproject.toml", 6),
    ("loose-outcome-plugin", "requirements-dev.txt", 2), ("outcome-rewritten", "conftest.py", 8),
    ("skipped-without-reason", "tests/test_pay.py", 6), ("empty-test", "tests/test_pay.py", 11),
    ("no-assertion", "tests/test_pay.py", 15), ("same-test-name", "tests/test_pay.py", 19),
    ("only-one-runs", "web/pay.test.js", 1), ("skipped-in-javascript", "web/pay.test.js", 3),
    ("empty-in-javascript", "web/pay.test.js", 5), ("coverage-asks-nothing", "pyproject.toml", 9),
    ("coverage-leaves-all-out", "pyproject.toml", 10), ("whole-file-silenced", "src/pay.py", 1),
    ("whole-file-silenced", "src/quiet.js", 1), ("everything-silenced", "pyproject.toml", 13),
    ("everything-silenced", "pyproject.toml", 16), ("accepted-findings", "eslint-suppressions.json", 0),
    ("stub-ships", "src/pay.py", 2), ("named-evidence-missing", "AGENTS.md", 3),
    ("contract-asks-badly", ".backcheck/contract.yaml", 3),
]  # fmt: skip
