"""Coverage, lint and value reports that must never pass: cut off, contradicting, bombs, impossible numbers, wrong bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

CODE = {
    "a.py": "x = 1\ny = 2\nz = 3\n",
    "a.js": "1;\n2;\n3;\n",
    "a.ts": "1;\n2;\n3;\n",
    "go.mod": "module m\n",
    "a.go": "package a\n\n\n\n",
}


class Bad(NamedTuple):
    """A report, the check that is asked, and its arguments beside `report`."""

    check: str
    arguments: dict[str, Any]
    data: bytes


COVERAGE = {
    "lcov": "TN:\nSF:a.py\nDA:1,1\nDA:2,1\nDA:3,1\nBRDA:2,0,0,1\nLF:3\nLH:3\nBRF:1\nBRH:1\nend_of_record\n",
    "cobertura": '<?xml version="1.0"?><coverage line-rate="1" branch-rate="1" lines-valid="3" lines-covered="3" branches-valid="2" '
    'branches-covered="2"><sources/><packages><package><classes><class filename="a.py"><methods/><lines><line number="1" hits="1"/>'
    '<line number="2" hits="1" branch="true" condition-coverage="100% (2/2)"/><line number="3" hits="1"/></lines></class></classes>'
    "</package></packages></coverage>",
    "coverage-py": json.dumps({
        "meta": {"version": "7.17.5", "branch_coverage": False},
        "files": {"a.py": {"executed_lines": [1, 2, 3], "missing_lines": [], "excluded_lines": [],
                           "summary": {"covered_lines": 3, "num_statements": 3, "missing_lines": 0}}},
        "totals": {"covered_lines": 3, "num_statements": 3},
    }),
    "istanbul-summary": json.dumps({path: {name: {"total": 3, "covered": 3, "skipped": 0, "pct": 100}
                                           for name in ("lines", "statements", "functions", "branches")} for path in ("total", "a.js")}),
    "istanbul": json.dumps({"a.js": {
        "path": "a.js", "statementMap": {str(n): {"start": {"line": n, "column": 0}, "end": {"line": n, "column": 1}} for n in (1, 2, 3)},
        "s": {"1": 1, "2": 1, "3": 1}, "fnMap": {}, "f": {}, "branchMap": {}, "b": {},
    }}),
    "go-cover": "mode: set\nm/a.go:1.1,2.2 2 1\nm/a.go:3.1,4.2 1 1\n",
}  # fmt: skip
LINT = {
    "eslint": json.dumps([{"filePath": "a.js", "messages": [], "errorCount": 0, "warningCount": 0}]),
    "mypy": "Success: no issues found in 1 source file\n",
    "sarif": json.dumps({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "t", "rules": [{"id": "R", "defaultConfiguration": {"level": "error"}}]}}, "results": [],
        "artifacts": [{"location": {"uri": "a.py"}}], "invocations": [{"executionSuccessful": True}]}]}),
    "tsc": "a.ts\n",
}  # fmt: skip
VALUES = {
    "json": '{"c": 90, "d": {"e": [1, 2]}}',
    "yaml": "c: 90\nd:\n  - 1\n",
    "csv": "n,c\nx,90\n",
    "xml": '<c v="1">90</c>',
}
#: Where a number belongs.
NUMBERS = (
    "-1",
    "1e308",
    "1e999999",
    "NaN",
    "Infinity",
    "9" * 400,
    "٣",
    "３",
    "0x3",
    "3_0",
    "true",
    "null",
    '"3"',
    "3.5",
    "+3",
    "[3]",
    "{}",
    "1/0",
)


def good() -> Iterator[tuple[str, Bad]]:
    """The sound reports that are spoiled here; each of them passes."""
    for name, text in COVERAGE.items():
        yield f"metric {name}", Bad("metric", {"floor": 90, "format": name}, text.encode())
    for name, text in LINT.items():
        yield f"lint {name}", Bad("lint-report", {"max": {"error": 0, "warning": 0}, "format": name}, text.encode())
    for name, text in VALUES.items():
        yield f"numbers {name}", Bad("numbers", {"at": "c", "within": [85, 100], "format": name}, text.encode())


def bad_measures() -> Iterator[tuple[str, Bad]]:
    """(name, report) of every hostile report."""
    for name, sound in good():
        for label, data in (*_cut(name, sound.data), *_bytes(sound.data)):
            if (name, label) == ("lint tsc", "twice"):
                # A list of file names twice is one.
                continue
            yield f"{name}: {label}", sound._replace(data=data)
    for name, check in (("coverage", {"floor": 90}), ("lint", {"max": {"error": 0}})):
        gate = "metric" if name == "coverage" else "lint-report"
        for other, text in {
            **COVERAGE,
            **LINT,
            **VALUES,
            "prose": "All lines are covered: 100 %. No errors.\n",
            "junit": "<testsuites/>",
        }.items():
            if other not in (COVERAGE if name == "coverage" else LINT):
                yield f"{name}: is {other}", Bad(gate, check, text.encode())
    yield from _coverage()
    yield from _xml()
    yield from _lint()
    yield from _numbers()


def _cut(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Parts of it that are no whole report. Of line formats a cut may leave one, so they are cut inside lines."""
    for part in range(1, 10):
        cut = data[: len(data) * part // 10]
        whole = name in ("numbers csv", "numbers yaml", "lint tsc", "metric go-cover") or cut.endswith(b"\n")
        if not whole:
            yield f"cut at {part}0 %", cut
    yield "nothing of it", b""


def _bytes(data: bytes) -> Iterator[tuple[str, bytes]]:
    middle = len(data) // 2
    yield "a NUL", data[:middle] + b"\0" + data[middle:]
    yield "bytes of no text", data[:middle] + b"\xff\xfe\xfa" + data[middle:]
    yield "zeros", b"\0" * 4096
    yield "two encodings", data[:middle] + data[middle:].decode().encode("utf-16")
    yield "twice", data + b"\n}]>x" + data


def _coverage() -> Iterator[tuple[str, Bad]]:
    for number in NUMBERS:
        bare = number.strip('"')
        spoiled = {
            "lcov": [COVERAGE["lcov"].replace("DA:3,1", f"DA:3,{bare}"), COVERAGE["lcov"].replace("LH:3", f"LH:{bare}x")],
            "cobertura": [COVERAGE["cobertura"].replace('number="3" hits="1"', f'number="3" hits="{bare}"'),
                          COVERAGE["cobertura"].replace('lines-covered="3"', f'lines-covered="{bare}"')],
            "coverage-py": [COVERAGE["coverage-py"].replace('"covered_lines": 3', f'"covered_lines": {number}'),
                            COVERAGE["coverage-py"].replace('"missing_lines": []', f'"missing_lines": [{number}]')],
            "istanbul-summary": [COVERAGE["istanbul-summary"].replace('"covered": 3', f'"covered": {number}', 1)],
            "istanbul": [COVERAGE["istanbul"].replace('"3": 1}', f'"3": {number}' + "}")],
            "go-cover": [COVERAGE["go-cover"].replace(" 1 1\n", f" 1 {bare}\n")],
        }  # fmt: skip
        for name, texts in spoiled.items():
            if number == '"3"' and name in ("lcov", "cobertura", "go-cover"):
                # There all numbers are text, and 3 is one.
                continue
            for at, text in enumerate(texts):
                # Huge hit counts are refused; a written count of another size is a contradiction.
                yield f"metric {name}: {number[:10]} ({at})", Bad("metric", {"floor": 90}, text.encode())
    lying = COVERAGE["lcov"].replace("DA:2,1\nDA:3,1\n", "DA:2,0\nDA:3,0\n")
    yield "metric lcov: totals above lines", Bad("metric", {"floor": 90}, lying.encode())
    yield "metric lcov: thousand lines of a file of three", Bad("metric", {"floor": 90}, (
        "SF:a.py\n" + "".join(f"DA:{n},1\n" for n in range(1, 1001)) + "end_of_record\n").encode())  # fmt: skip
    yield "metric lcov: other files", Bad("metric", {"floor": 90}, COVERAGE["lcov"].replace("a.py", "b.py").encode())
    yield (
        "metric lcov: out of the tree",
        Bad("metric", {"floor": 90}, COVERAGE["lcov"].replace("a.py", "../../etc/passwd").encode()),
    )
    yield "metric lcov: no lines", Bad("metric", {"floor": 90}, b"SF:a.py\nLF:0\nLH:0\nend_of_record\n")
    yield (
        "metric go: endless",
        Bad("metric", {"floor": 90, "measure": "statements"}, b"mode: set\nm/a.go:1.1,99999999999.1 1 1\n"),
    )
    yield "metric json: deep", Bad("metric", {"floor": 90}, b'{"meta":' * 50_000)
    yield (
        "metric json: a key twice",
        Bad("metric", {"floor": 90}, COVERAGE["coverage-py"].replace('"files"', '"totals": {}, "files"').encode()),
    )


def _xml() -> Iterator[tuple[str, Bad]]:
    body = COVERAGE["cobertura"].partition("?>")[2]
    bomb = "".join(f'<!ENTITY e{n} "&e{n - 1};&e{n - 1};&e{n - 1};&e{n - 1};">' for n in range(1, 30))
    rest = body.partition(">")[2]
    for name, text in {
        "own DTD": f'<!DOCTYPE coverage [<!ENTITY a "b">]>{body}',
        "entity bomb": f'<!DOCTYPE coverage [<!ENTITY e0 "x">{bomb}]><coverage line-rate="1" a="&e29;">{rest}',
        "outer entity": f'<!DOCTYPE coverage [<!ENTITY a SYSTEM "file:///etc/passwd">]><coverage line-rate="1">&a;{rest}',
        "parameter entity": f'<!DOCTYPE coverage [<!ENTITY % a SYSTEM "http://127.0.0.1:9/x">%a;]>{body}',
        "undeclared entity": f'<!DOCTYPE coverage SYSTEM "x.dtd"><coverage line-rate="1">&nowhere;{rest}',
        "attribute defaults": f'<!DOCTYPE coverage [<!ATTLIST line hits CDATA "1">]>{body}',
        "deep": '<coverage line-rate="1">' + "<a>" * 5000,
        "unknown encoding": f'<?xml version="1.0" encoding="x-y"?>{body}',
        "wrong encoding": f'<?xml version="1.0" encoding="utf-16"?>{body}',
        "second root": body + body,
        "rate alone": '<coverage line-rate="1"/>',
        "rate against its lines": body.replace('number="1" hits="1"', 'number="1" hits="0"'),
        "branches against their line": body.replace('number="2" hits="1"', 'number="2" hits="0"'),
        "more than all": body.replace("(2/2)", "(3/2)"),
        "percent alone": body.replace("100% (2/2)", "100%"),
    }.items():
        yield f"metric XML: {name}", Bad("metric", {"floor": 90}, text.encode())


def _lint() -> Iterator[tuple[str, Bad]]:
    none = {"max": {"error": 0, "warning": 0, "note": 0}}
    item = {"filePath": "a.js", "messages": [], "errorCount": 0, "warningCount": 0}
    message = {"ruleId": "r", "severity": 2, "message": "m", "line": 1}
    run = json.loads(LINT["sarif"])["runs"][0]

    def sarif(**changes: Any) -> bytes:
        return json.dumps({"version": "2.1.0", "runs": [{**run, **changes}]}).encode()

    for number in NUMBERS:
        yield (
            f"lint eslint: {number[:10]} errors",
            Bad("lint-report", none, LINT["eslint"].replace('"errorCount": 0', f'"errorCount": {number}').encode()),
        )
        yield f"lint mypy: {number[:10]} files", Bad("lint-report", none, LINT["mypy"].replace("1", number).encode())
        yield (
            f"lint mypy: {number[:10]} errors",
            Bad("lint-report", none, f"Found {number} errors in 1 file (checked 1 source file)\n".encode()),
        )
    for name, data in {
        "eslint: a message that is not counted": json.dumps([{**item, "messages": [message]}]).encode(),
        "eslint: a severity of its own": json.dumps([{**item, "messages": [{**message, "severity": 0}]}]).encode(),
        "eslint: severity true": json.dumps(
            [{**item, "messages": [{**message, "severity": True}], "warningCount": 1}]
        ).encode(),
        "eslint: fatal": json.dumps(
            [{**item, "messages": [{**message, "ruleId": None, "fatal": True}], "errorCount": 1}]
        ).encode(),
        "eslint: the file twice": json.dumps([item, item]).encode(),
        "eslint: no file": b"[]",
        "eslint: files of elsewhere": json.dumps([{**item, "filePath": "/p/b.js"}]).encode(),
        "eslint: messages null": json.dumps([{**item, "messages": None}]).encode(),
        "sarif: failed": sarif(invocations=[{"executionSuccessful": False}]),
        "sarif: success as text": sarif(invocations=[{"executionSuccessful": "true"}]),
        "sarif: results null": sarif(results=None),
        "sarif: results an object": sarif(results={}),
        "sarif: a level of its own": sarif(results=[{"level": "ok", "message": {"text": "m"}}]),
        "sarif: the rule's level": sarif(results=[{"ruleId": "R", "message": {"text": "m"}}]),
        "sarif: no level": sarif(results=[{"message": {"text": "m"}}]),
        "sarif: review": sarif(results=[{"kind": "review", "message": {"text": "m"}}]),
        "sarif: suppression rejected": sarif(
            results=[
                {"ruleId": "R", "message": {"text": "m"}, "suppressions": [{"status": "rejected", "kind": "external"}]}
            ]
        ),
        "sarif: unchanged is still there": sarif(
            results=[{"ruleId": "R", "message": {"text": "m"}, "baselineState": "unchanged"}]
        ),
        "sarif: an artifact loop": sarif(artifacts=[{"location": {"index": 0}}]),
        "sarif: a base loop": sarif(
            artifacts=[{"location": {"uri": "x", "uriBaseId": "A"}}],
            originalUriBaseIds={"A": {"uri": "y/", "uriBaseId": "A"}},
        ),
        "sarif: http": sarif(artifacts=[{"location": {"uri": "http://127.0.0.1/a.py"}}]),
        "sarif: a line below zero": sarif(
            results=[
                {"ruleId": "N", "level": "none", "message": {"text": "m"}},
                {"message": {"text": "m"}, "locations": [{"physicalLocation": {"region": {"startLine": -1}}}]},
            ]
        ),
        "sarif: no run": b'{"version": "2.1.0", "runs": []}',
        "sarif: another version": LINT["sarif"].replace("2.1.0", "2.2").encode(),
        "sarif: elsewhere": sarif(externalPropertyFileReferences={"results": [{"location": {"uri": "r.json"}}]}),
        "sarif: no tool": b'{"version": "2.1.0", "runs": [{"results": []}]}',
        "sarif: notification": sarif(
            invocations=[
                {
                    "executionSuccessful": True,
                    "toolExecutionNotifications": [{"level": "error", "message": {"text": "died"}}],
                }
            ]
        ),
        "mypy: success beside errors": b"a.py:1: error: x  [misc]\nSuccess: no issues found in 1 source file\n",
        "mypy: negated": b"Not a Success: no issues found in 1 source file\n",
        "mypy: no file": b"Success: no issues found in 0 source files\n",
        "mypy: stopped": b"Found 0 errors in 0 files (errors prevented further checking)\n",
        "tsc: found 0": b"Found 0 errors.\n",
        "tsc: a word": b"done\n",
    }.items():
        yield f"lint {name}", Bad("lint-report", none, data)
    for name in ("ruff", "eslint", "mypy-json", "tsc"):
        for text in ("[]", "", "[ ]", "null", "{}", " "):
            yield f"lint {name}: {text!r}", Bad("lint-report", {**none, "format": name}, text.encode())


def _numbers() -> Iterator[tuple[str, Bad]]:
    bounds = {"at": "c", "within": [85, 100]}
    for number in NUMBERS:
        bare = number.strip('"')
        yield (
            f"numbers json: {number[:10]}",
            Bad("numbers", {**bounds, "format": "json"}, f'{{"c": {number}}}'.encode()),
        )
        yield f"numbers yaml: {number[:10]}", Bad("numbers", {**bounds, "format": "yaml"}, f"c: {number}\n".encode())
        yield f"numbers csv: {number[:10]}", Bad("numbers", {**bounds, "format": "csv"}, f"c\n{bare}\n".encode())
        yield f"numbers xml: {number[:10]}", Bad("numbers", {**bounds, "format": "xml"}, f"<c>{bare}</c>".encode())
        yield (
            f"numbers prose: {number[:10]}",
            Bad("numbers", {**bounds, "format": "prose"}, f"c is {bare}. c: 92.\n".encode()),
        )
    for name, format_, text in (
        ("a key twice", "json", '{"c": 90, "c": 91}'), ("case", "json", '{"C": 90}'), ("deep", "json", '{"c": ' * 50_000),
        ("alias", "yaml", "a: &x 90\nc: *x\n"), ("merge", "yaml", "a: &x {c: 90}\n<<: *x\n"), ("tag", "yaml", "c: !!int 90\n"),
        ("two documents", "yaml", "c: 90\n---\nc: 91\n"), ("sexagesimal", "yaml", "c: 1:30\n"), ("octal text", "yaml", "c: 0o132\n"),
        ("two columns", "csv", "c,c\n90,91\n"), ("two rows", "csv", "c\n90\n91\n"), ("no row", "csv", "c\n"), ("ragged", "csv", "n,c\n90\n"),
        ("formula", "csv", "c\n=90\n"), ("thousands", "csv", 'c\n"90,0"\n'), ("open quote", "csv", 'c\n"90\n'),
        ("two elements", "xml", "<r><c>90</c></r>"), ("entity", "xml", '<!DOCTYPE c [<!ENTITY n "90">]><c>&n;</c>'), ("split", "xml", "<c>9<!-- x --> 0</c>"),
        ("a child", "xml", "<c><v>90</v></c>"),
    ):  # fmt: skip
        yield f"numbers {format_}: {name}", Bad("numbers", {**bounds, "format": format_}, text.encode())
