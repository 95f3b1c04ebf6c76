"""The small projects over which the tools were run whose reports lie in tests/data/reports: path → text."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[2] / "data" / "reports"

#: Run by a test that calls `sign(1)`, `sign(-1)` and `shown(5)`: 12 of 16 lines, 5 of 8 branches, 3 lines excluded.
PYTHON: dict[str, str] = {
    "src/pkg/__init__.py": (""),
    "src/pkg/calc.py": (
        '"""Signs and sums."""\n'
        "\n"
        "\n"
        "def sign(number):\n"
        "    if number < 0:\n"
        '        return "minus"\n'
        "    if number == 0:\n"
        '        return "zero"\n'
        '    return "plus"\n'
        "\n"
        "\n"
        "def unused(first, second):\n"
        "    total = first + second\n"
        "    return total\n"
        "\n"
        "\n"
        "def for_debugging():  # pragma: no cover\n"
        '    print("here")\n'
        "    return None\n"
    ),
    "src/pkg/text.py": (
        "from pkg.calc import sign\n"
        "\n"
        'WORDS = {"plus": "+", "minus": "-"}\n'
        "\n"
        "\n"
        "def shown(number):\n"
        "    for word, mark in WORDS.items():\n"
        "        if sign(number) == word:\n"
        "            return mark\n"
        '    return "0"\n'
    ),
}

#: Run by a test that calls `sign(1)` and `sign(-1)`: by statements 4 of 8, 3 of 5 branches, 1 of 3 functions.
JAVASCRIPT: dict[str, str] = {
    "src/calc.js": (
        "'use strict';\n"
        "\n"
        "function sign(number) {\n"
        "  if (number < 0) {\n"
        "    return 'minus';\n"
        "  }\n"
        "  return number === 0 ? 'zero' : 'plus';\n"
        "}\n"
        "\n"
        "function unused(first, second = 1) {\n"
        "  const total = first + second;\n"
        "  return total;\n"
        "}\n"
        "\n"
        "module.exports = { sign, unused };\n"
    ),
    "src/idle.js": ("'use strict';\n\nexports.idle = function idle() {\n  return 1;\n};\n"),
    "src/blank.js": ("\n"),
}

#: `Sign(1)` and `Sign(-1)` are tested, and `Both` in its own package: 5 of 8 statements; 6 of 8 across packages.
GO: dict[str, str] = {
    "go.mod": ("module example.com/shapes\n\ngo 1.19\n"),
    "shapes/area.go": (
        "package shapes\n"
        "\n"
        "// Sign says which side of zero a number is on.\n"
        "func Sign(number int) string {\n"
        "\tif number < 0 {\n"
        '\t\treturn "minus"\n'
        "\t}\n"
        "\tif number == 0 {\n"
        '\t\treturn "zero"\n'
        "\t}\n"
        '\treturn "plus"\n'
        "}\n"
        "\n"
        "// Unused is not called by the tests.\n"
        "func Unused(first, second int) int {\n"
        "\ttotal := first + second\n"
        "\treturn total\n"
        "}\n"
    ),
    "user/user.go": (
        "package user\n"
        "\n"
        'import "example.com/shapes/shapes"\n'
        "\n"
        "// Both uses the other package.\n"
        "func Both() string {\n"
        "\treturn shapes.Sign(0)\n"
        "}\n"
    ),
}

#: For ruff, mypy and bandit.
LINTED: dict[str, str] = {
    "src/bad.py": (
        "import os\n"
        "import subprocess\n"
        "\n"
        "\n"
        "def run(command):\n"
        "    unused = 1\n"
        "    assert command\n"
        "    return subprocess.call(command, shell=True)\n"
        "\n"
        "\n"
        "def typed(number: int) -> str:\n"
        "    return number\n"
    ),
    "src/quiet.py": ("import sys  # noqa: F401\nimport json  # nosec\n"),
    "src/syntax.py": ("def broken(:\n"),
    "clean/good.py": (
        '"""Nothing to say."""\n'
        "\n"
        "\n"
        "def double(number: int) -> int:\n"
        '    """Twice the number."""\n'
        "    return 2 * number\n"
    ),
}

#: For ESLint.
SCRIPTS: dict[str, str] = {
    "src/bad.js": (
        "var unused = 1;\n"
        "function check(a) {\n"
        "  if (a == 1) { debugger; }\n"
        "  // eslint-disable-next-line no-console\n"
        "  console.log(a);\n"
        "  return a\n"
        "}\n"
        "check(2);\n"
    ),
    "src/broken.js": ("function (\n"),
    "clean/good.js": ("module.exports = 1;\n"),
    "ignored/x.js": ("module.exports = 1;\n"),
}

#: For tsc.
TYPED: dict[str, str] = {
    "src/bad.ts": (
        "const size: number = 'three';\nexport function twice(value: number): string {\n  return value * 2;\n}\n"
    ),
    "src/deep.ts": (
        "interface Point { x: number; at: { y: number } }\n"
        "export const point: Point = { x: 1, at: { y: 'one' } };\n"
        "const fn: (a: Point) => void = (b: { x: string }) => {};\n"
    ),
    "ok/good.ts": ("export const one = 1;\n"),
}
