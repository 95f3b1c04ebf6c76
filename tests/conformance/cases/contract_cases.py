"""Where a contract lies and how its text is read."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from .case_model import CONTRACT_PATHS, Case, Tree, case

if TYPE_CHECKING:
    import random

_OK = "gates:\n  - {id: ok, type: command, run: 'true'}\n"
_RED = "gates:\n  - {id: red, type: command, run: 'false'}\n"
_TREE: Tree = {"a.txt": "one\nyes on 5 1 null true 1.5\n", "b.txt": "two\n", "d/x": "x"}

# name, edge, text
_TEXTS: list[tuple[str, str, str]] = [
    ("plain", "", _OK),
    ("plain-red", "", _RED),
    ("empty-file", "", ""),
    ("only-comment", "", "# later\n"),
    ("no-gates-key", "", "name: x\n"),
    ("zero-gates", "zero-gates", "gates: []\n"),
    ("zero-gates-named", "zero-gates", "version: 1\nname: later\ngates:\n  []\n"),
    ("gates-mapping", "", "gates: {a: {type: command, run: 'true'}}\n"),
    ("gates-null", "", "gates:\n"),
    ("gates-string", "", "gates: everything\n"),
    ("gate-null", "", "gates: [null]\n"),
    ("gate-string", "gate-is-no-mapping", "gates: ['tests pass']\n"),
    ("top-list", "", "- id: a\n  type: command\n  run: 'true'\n"),
    ("top-string", "", "done\n"),
    ("no-type", "unknown-type", "gates:\n- id: a\n  run: 'true'\n"),
    ("unknown-type", "unknown-type", "gates:\n- {id: a, type: tests, run: 'true'}\n"),
    ("type-case", "unknown-type", "gates:\n- {id: a, type: Command, run: 'true'}\n"),
    ("no-id", "missing-id", "gates:\n- {type: command, run: 'true'}\n"),
    ("no-id-red", "missing-id", "gates:\n- {type: command, run: 'false'}\n"),
    ("same-id", "duplicate-id", "gates:\n- {id: a, type: command, run: 'true'}\n- {id: a, type: command, run: 'false'}\n"),
    ("same-id-ok", "duplicate-id", "gates:\n- {id: a, type: command, run: 'true'}\n- {id: a, type: file-exists, file: a.txt}\n"),
    ("number-id", "id-is-no-string", "gates:\n- {id: 12, type: command, run: 'true'}\n"),
    ("unknown-top-key", "unknown-key", "owner: kim\n" + _OK),
    ("unknown-gate-key", "unknown-key", "gates:\n- {id: a, type: command, run: 'true', retries: 2}\n"),
    ("severity-key", "unknown-key", "gates:\n- {id: a, type: command, run: 'false', severity: warn}\n"),
    ("foreign-parameter", "unknown-key", "gates:\n- {id: a, type: file-exists, file: a.txt, min: 1}\n"),
    ("typo-pattern", "missing-key", "gates:\n- {id: a, type: file-contains, file: a.txt, patern: nope}\n"),
    ("no-pattern", "missing-key", "gates:\n- {id: a, type: absent, glob: '*.txt'}\n"),
    ("no-glob", "missing-key", "gates:\n- {id: a, type: absent, pattern: one}\n"),
    ("no-file", "missing-key", "gates:\n- {id: a, type: file-exists}\n"),
    ("evidence-no-file", "missing-key", "gates:\n- {id: a, type: evidence}\n"),
    ("no-run", "missing-key", "gates:\n- {id: a, type: command}\n"),
    ("no-path", "missing-key", "gates:\n- {id: a, type: not-empty}\n"),
    ("description-number", "value-of-another-type", "gates:\n- {id: a, type: command, run: 'true', description: 3}\n"),
    ("file-number", "value-of-another-type", "gates:\n- {id: a, type: file-exists, file: 5}\n"),
    ("file-list-contains", "value-of-another-type", "gates:\n- {id: a, type: file-contains, file: [a.txt], pattern: one}\n"),
    ("file-list-evidence", "value-of-another-type", "gates:\n- {id: a, type: evidence, file: [a.txt]}\n"),
    ("pattern-number", "pattern-is-no-string", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: 5}\n"),
    ("pattern-bool", "pattern-is-no-string", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: true}\n"),
    ("pattern-null", "pattern-is-no-string", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: }\n"),
    ("pattern-decimal", "pattern-is-no-string", "gates:\n- {id: a, type: absent, glob: b.txt, pattern: 1.0}\n"),
    ("pattern-yes", "", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: yes}\n"),
    ("pattern-on", "", "gates:\n- id: a\n  type: file-contains\n  file: a.txt\n  pattern: on\n"),
    ("flags-empty", "", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: one, flags: ''}\n"),
    ("flags-null", "value-is-null", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: one, flags: }\n"),
    ("flags-list", "value-of-another-type", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: ONE, flags: [i]}\n"),
    ("run-list", "value-of-another-type", "gates:\n- {id: a, type: command, run: ['true']}\n"),
    ("run-bool", "value-of-another-type", "gates:\n- {id: a, type: command, run: true}\n"),
    ("timeout-string", "timeout-no-whole-number", "gates:\n- {id: a, type: command, run: 'true', timeout: '3000'}\n"),
    ("timeout-underscore", "timeout-no-whole-number", "gates:\n- {id: a, type: command, run: 'true', timeout: 60_000}\n"),
    ("timeout-negative", "timeout-no-whole-number", "gates:\n- {id: a, type: command, run: 'true', timeout: -1}\n"),
    ("timeout-half", "timeout-no-whole-number", "gates:\n- {id: a, type: command, run: 'true', timeout: 0.5}\n"),
    ("timeout-exponent", "number-in-another-form", "gates:\n- {id: a, type: command, run: 'true', timeout: 1e4}\n"),
    ("timeout-hex", "number-in-another-form", "gates:\n- {id: a, type: command, run: 'true', timeout: 0x1388}\n"),
    ("timeout-null", "value-is-null", "gates:\n- {id: a, type: command, run: 'true', timeout: null}\n"),
    ("min-string", "value-of-another-type", "gates:\n- {id: a, type: not-empty, path: d, min: '1'}\n"),
    ("min-string-more", "value-of-another-type", "gates:\n- {id: a, type: not-empty, path: d, min: '3'}\n"),
    ("min-word", "value-of-another-type", "gates:\n- {id: a, type: not-empty, path: d, min: some}\n"),
    ("min-float", "number-in-another-form", "gates:\n- {id: a, type: not-empty, path: d, min: 1.0}\n"),
    ("min-fraction", "number-in-another-form", "gates:\n- {id: a, type: not-empty, path: d, min: 1.5}\n"),
    ("version-1", "", "version: 1\n" + _OK),
    ("version-99", "version-not-known", "version: 99\n" + _OK),
    ("version-0", "version-not-known", "version: 0\n" + _OK),
    ("version-string", "", 'version: "1"\n' + _OK),
    ("version-fraction", "", "version: 1.5\n" + _OK),
    ("version-float", "number-in-another-form", "version: 1.0\n" + _OK),
    ("version-null", "value-is-null", "version:\n" + _OK),
    ("twice-gates", "", _RED + "gates: []\n"),
    ("twice-in-gate", "", "gates:\n- id: a\n  type: command\n  run: 'false'\n  run: 'true'\n"),
    ("two-documents", "", _OK + "---\n" + _RED),
    ("document-end", "", "---\n" + _OK + "...\n"),
    ("yaml-directive", "", "%YAML 1.2\n---\n" + _OK),
    ("broken", "", "gates: [[[,,\n"),
    ("tab-indent", "", "gates:\n\t- id: a\n"),
    ("unclosed-quote", "", "gates:\n- {id: a, type: command, run: 'true}\n"),
    ("bom-crlf", "", "\ufeff" + _OK.replace("\n", "\r\n")),
    ("crlf", "", "gates:\r\n- id: a\r\n  type: file-contains\r\n  file: a.txt\r\n  pattern: ^one$\r\n  flags: m\r\n"),
    ("merge-key", "yaml-merge-key", "base: &b {type: command}\ngates:\n- {<<: *b, id: a, run: 'true'}\n"),
    ("anchor-alias", "yaml-alias", "gates:\n- {id: a, type: absent, glob: &g '*.txt', pattern: zzz}\n- {id: b, type: absent, glob: *g, pattern: yyy}\n"),
    ("anchor-unused", "yaml-anchor", "gates:\n- &first {id: a, type: command, run: 'true'}\n"),
    ("custom-tag", "", "gates: !!js/function 'x'\n"),
    ("str-tag", "yaml-tag", "gates:\n- {id: a, type: file-contains, file: a.txt, pattern: !!str 5}\n"),
    ("double-quoted-regex", "", 'gates:\n- {id: a, type: file-contains, file: a.txt, pattern: "\\\\bone\\\\b"}\n'),
    ("double-quoted-bad-escape", "", 'gates:\n- {id: a, type: file-contains, file: a.txt, pattern: "\\done"}\n'),
    ("double-quoted-b", "", 'gates:\n- {id: a, type: file-contains, file: a.txt, pattern: "\\bone"}\n'),
    ("plain-regex", "", "gates:\n- id: a\n  type: file-contains\n  file: a.txt\n  pattern: ^\\w+$\n  flags: m\n"),
    ("plain-hash", "", "gates:\n- id: a\n  type: absent\n  glob: a.txt\n  pattern: one # not this\n"),
    ("literal-pattern", "", "gates:\n- id: a\n  type: file-contains\n  file: a.txt\n  pattern: |\n    one\n"),
    ("literal-strip", "", "gates:\n- id: a\n  type: file-contains\n  file: a.txt\n  pattern: |-\n    null true\n"),
    ("folded-run", "", "gates:\n- id: a\n  type: command\n  run: >\n    test -f a.txt &&\n    test -f b.txt\n"),
    ("literal-run", "", "gates:\n- id: a\n  type: command\n  run: |\n    test -f a.txt\n    test -f none.txt\n"),
    ("plain-multiline", "", "gates:\n- id: a\n  type: command\n  run: test -f a.txt &&\n    test -f b.txt\n"),
    ("quoted-colon", "", "gates:\n- id: 'a: b'\n  type: command\n  run: 'true'\n  description: \"it's: fine\"\n"),
    ("id-with-space", "", "gates:\n- id: Unit tests pass!\n  type: command\n  run: 'true'\n"),
    ("id-unicode", "", "gates:\n- id: pr\u00fcfen-\u5b8c\u6210\n  type: command\n  run: 'true'\n"),
    ("id-empty", "missing-id", "gates:\n- {id: '', type: command, run: 'true'}\n"),
    ("key-proto", "unknown-key", "gates:\n- {id: a, type: command, run: 'true', __proto__: {run: 'false'}}\n"),
    ("finish-line-string", "value-of-another-type", "finishLine: git push\n" + _OK),
    ("finish-line-empty", "", "finishLine: []\n" + _OK),
    ("name-number", "value-of-another-type", "name: 2024\n" + _OK),
    ("complex-key", "unknown-key", "? [a, b]\n: c\n" + _OK),
    ("deep-nesting", "", "x: " + "[" * 3000 + "]" * 3000 + "\n" + _OK),
    ("alias-bomb", "yaml-alias", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]\n" for p, n in zip("abcdefg", "bcdefgh", strict=True)) + "gates: []\n"),
]  # fmt: skip

_JSON: list[tuple[str, str, str]] = [
    ("plain", "", json.dumps({"gates": [{"id": "ok", "type": "command", "run": "true"}]})),
    ("red", "", json.dumps({"gates": [{"id": "red", "type": "absent", "glob": "*.txt", "pattern": "\\btwo\\b"}]})),
    ("trailing-comma", "", '{"gates": [{"id": "ok", "type": "command", "run": "true"},]}'),
    ("comment", "", '{\n// why\n"gates": [{"id": "ok", "type": "command", "run": "true"}]}'),
    ("yaml-in-json", "", _OK),
    ("twice-gates", "json-duplicate-key", '{"gates": [{"id": "r", "type": "command", "run": "false"}], "gates": [{"id": "o", "type": "command", "run": "true"}]}'),
    ("zero-gates", "zero-gates", '{"gates": []}'),
    ("bom", "", '\ufeff{"gates": [{"id": "ok", "type": "command", "run": "true"}]}'),
    ("single-quotes", "", "{'gates': []}"),
    ("surrogate-escape", "", '{"gates": [{"id": "s", "type": "file-contains", "file": "e.txt", "pattern": "\\ud83d\\ude00"}]}'),
    ("nan", "", '{"version": NaN, "gates": [{"id": "ok", "type": "command", "run": "true"}]}'),
    ("big-exponent", "number-in-another-form", '{"gates": [{"id": "n", "type": "not-empty", "path": "d", "min": 1e0}]}'),
    ("empty", "", ""),
    ("list", "", "[]"),
]  # fmt: skip


def contracts(rng: random.Random) -> list[Case]:
    """Return the cases about a contract's text and place."""
    cases = []
    for name, edge, text in _TEXTS:
        path = rng.choices(CONTRACT_PATHS[:4], weights=[6, 2, 2, 1])[0]
        cases.append(case(f"contract-{name}", text, _TREE, path=path, edge=edge))
    for name, edge, text in _JSON:
        tree = _TREE | {"e.txt": "ok \U0001f600\n"}
        cases.append(case(f"contract-json-{name}", text, tree, path=".skillgate.json", edge=edge))
    return cases + _places()


def _places() -> list[Case]:
    tree = _TREE | {"c.txt": "so that no case is the plain one\n"}
    out = [case(f"place-{n}", _OK, tree, path=path) for n, path in enumerate(CONTRACT_PATHS[:4])]
    return [
        *out,
        case("place-none", "", _TREE, path=""),
        case("place-json-in-folder", json.dumps({"gates": [{"id": "ok", "type": "command", "run": "true"}]}), _TREE, path=".skillgate/done.json"),
        case("place-other-folder", _OK, _TREE, path="skillgate/done.yaml"),
        case("place-two-red-second", _OK, _TREE | {".skillgate/done.yml": _RED}, edge="two-contracts"),
        case("place-two-red-first", _RED, _TREE | {".skillgate.yaml": _OK}, edge="two-contracts"),
        case("place-two-same", _OK, _TREE | {".skillgate.yml": _OK}, edge="two-contracts"),
        case("place-folder", "", _TREE | {".skillgate/done.yaml": {"dir": True}}, path=""),
        case(
            "place-dangling-then-next",
            _OK,
            _TREE | {".skillgate/done.yaml": {"symlink": "gone.yaml"}},
            path=".skillgate.yaml",
            edge="contract-is-a-link",
        ),
        case(
            "place-link-inside",
            _OK,
            _TREE | {".skillgate/done.yaml": {"symlink": "../ci/done.yaml"}},
            path="ci/done.yaml",
            edge="contract-is-a-link",
        ),
        case("place-fifo", "", _TREE | {".skillgate/done.yaml": {"fifo": True}}, path="", edge="contract-is-a-fifo"),
        case("place-utf16", "", _TREE | {".skillgate/done.yaml": _utf16(_OK)}, path="", edge="contract-utf16"),
        case(
            "place-latin-1",
            "",
            _TREE | {".skillgate/done.yaml": {"base64": "IyBwcvxmZW4KZ2F0ZXM6Ci0ge2lkOiBvaywgdHlwZTogY29tbWFuZCwgcnVuOiAndHJ1ZSd9Cg=="}},
            path="",
            edge="contract-no-utf8",
        ),
    ]  # fmt: skip


def _utf16(text: str) -> dict[str, str]:
    return {"base64": base64.b64encode(("\ufeff" + text).encode("utf-16-le")).decode()}
