"""A JUnit report of 200 MB through the gate `tests`: seconds and peak memory, beside a small one and beside junitparser.

Run as `python -m bench.junit [MEGABYTES]`.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASE = '  <testcase classname="tests.module_{n}.TestClass" name="test_of_something_{n}[value-{n}]" time="0.001"/>\n'
OURS = """
import sys
from pathlib import Path
from backcheck.testing import ask
answer = ask("tests", {"report": sys.argv[1]}, Path(sys.argv[2]))
print(answer.status.value, answer.reason)
"""
PEER = """
import sys, junitparser
print(sum(len(list(suite)) for suite in junitparser.JUnitXml.fromfile(sys.argv[2] + "/" + sys.argv[1])))
"""


def write(path: Path, megabytes: int) -> int:
    """A report of about that size; the number of its cases."""
    block, n = megabytes * 1_000_000, 0
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<testsuites><testsuite name="s">\n')
        written = 0
        while written < block:
            written += file.write(CASE.format(n=n))
            n += 1
        file.write("</testsuite></testsuites>\n")
    return n


def measure(code: str, *arguments: str) -> tuple[float, float, str]:
    """Seconds, peak memory in MiB and the first line of a fresh interpreter."""
    wrapped = f"import resource\n{code}\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", wrapped, *arguments], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    *said, peak = done.stdout.strip().splitlines() or [done.stderr.strip()[-200:], "0"]
    return seconds, int(peak) / 1024, said[0] if said else ""


def main() -> None:
    """Print the figures."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, megabytes in (("small.xml", 1), ("large.xml", size)):
            cases = write(root / name, megabytes)
            seconds, peak, said = measure(OURS, name, folder)
            print(f"tests, {megabytes} MB, {cases:,} cases: {seconds:.1f} s, {peak:.0f} MiB  ({said})")
        seconds, peak, said = measure(PEER, "large.xml", folder)
        print(f"junitparser, {size} MB: {seconds:.1f} s, {peak:.0f} MiB  ({said} cases)")
        print("bar: at most 60 s, memory that does not grow with the report")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
