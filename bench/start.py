"""Start-up: modules that `--help` imports, and `check` on a small folder against skillgate's in the same run."""

from __future__ import annotations

import compileall
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers import BACKCHECK, load, median, peer, timed

ROUNDS = 15
LIMIT = 130
CONTRACT = """\
version: 1
gates:
  - {id: readme, type: file-exists, file: README.md}
  - {id: todos, type: absent, glob: "src/**/*.{ts,js}", pattern: '(//|#)\\s*(TODO|FIXME)'}
  - {id: changelog, type: file-contains, file: CHANGELOG.md, pattern: unreleased, flags: i}
  - {id: evidence, type: evidence, file: .skillgate/evidence/test-output.txt}
"""


def help_modules() -> int:
    """How many modules are loaded after `backcheck --help`."""
    code = (
        "import sys, io, contextlib\nfrom backcheck.surfaces.cli.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()): run(['--help'])\nprint(len(sys.modules))"
    )
    return int(subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout)


def example(root: Path) -> None:
    """The folder that both tools check."""
    for name, text in {
        ".skillgate/done.yaml": CONTRACT, ".skillgate/evidence/test-output.txt": "42 passed\n", "README.md": "# x\n",
        "CHANGELOG.md": "## Unreleased\n", **{f"src/m{n}.ts": f"export const a{n} = {n};\n" for n in range(20)},
    }.items():  # fmt: skip
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    import backcheck.verdict

    # As an installer does; an editable install has no compiled files where writing them is switched off.
    compileall.compile_dir(str(Path(backcheck.verdict.__file__).parent), quiet=1)
    modules = help_modules()
    print(f"backcheck --help: {modules} modules imported (bar: at most {LIMIT})")
    missed = modules > LIMIT
    other = peer()
    if other is None:
        print("check against skillgate: not run, BACKCHECK_SKILLGATE names no cli.js (or node is missing)")
        return int(missed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        example(root)
        ours, theirs = [], []
        for number in range(ROUNDS + 1):
            pair = timed([*BACKCHECK, "check"], root), timed([*other, "check"], root)
            if pair[0][1] or pair[1][1]:
                raise SystemExit(f"exit codes {pair[0][1]} and {pair[1][1]}: both must pass")
            if number:
                ours.append(pair[0][0])
                theirs.append(pair[1][0])
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    print(
        f"backcheck check: {median(ours) * 1000:.0f} ms; skillgate check: {median(theirs) * 1000:.0f} ms (medians of {ROUNDS})"
    )
    print(f"ratio backcheck / skillgate, pair by pair: median {median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f} "
          f"(bar: at most 1); {load()}")  # fmt: skip
    return int(missed or median(ratios) > 1)


if __name__ == "__main__":
    sys.exit(main())
