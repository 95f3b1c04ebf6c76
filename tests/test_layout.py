"""Size limits, layers and packaging: what every change must keep."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MAX_LINES = 400
MOST_LINES = 150
MAX_FUNCTION = 60


def functions(path: Path) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in ast.walk(tree) if isinstance(node, kinds)]


def test_no_module_is_long() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert [str(path) for path, count in lengths.items() if count > MAX_LINES] == []
    small = sum(count <= MOST_LINES for count in lengths.values())
    assert small / len(lengths) > 0.6, f"only {small} of {len(lengths)} modules have at most {MOST_LINES} lines"


def test_no_function_is_long() -> None:
    long = [
        f"{path.name}:{name} {count}" for path in SOURCES for name, count in functions(path) if count > MAX_FUNCTION
    ]
    assert long == []


def test_packages_hold_no_code() -> None:
    assert [str(path) for path in SOURCES if path.name == "__init__.py" and path.read_text().strip()] == []


def test_test_modules_have_unique_names() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_layers() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_help_imports_little() -> None:
    code = (
        "import io, contextlib\nfrom backcheck.surfaces.cli.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()): run(['--help'])"
    )
    loaded = modules_after(code)
    assert len(loaded) <= 130, len(loaded)
    assert not loaded & {"ruamel.yaml", "msgspec", "sqlite3", "cryptography", "psutil", "rich"}


@pytest.mark.parametrize(
    "heavy", ["psutil", "cryptography", "tree_sitter", "jsonschema_rs", "rapidfuzz", "rich", "scipy", "regex"]
)
def test_check_imports_heavy_things_only_where_they_are_used(heavy: str, tmp_path: Path) -> None:
    contract = tmp_path / ".backcheck" / "contract.yaml"
    contract.parent.mkdir()
    contract.write_text("version: 1\nrequirements:\n  - {id: a, check: file-exists, with: {file: a.txt}}\n")
    (tmp_path / "a.txt").write_text("a")
    code = (
        "import io, contextlib\nfrom backcheck.surfaces.cli.main import run\n"
        f"with contextlib.redirect_stdout(io.StringIO()): assert run(['check', '-C', {str(tmp_path)!r}]) == 0"
    )
    assert heavy not in modules_after(code)


def test_the_command_runs_isolated_from_the_folder_it_judges(tmp_path: Path) -> None:
    (tmp_path / "backcheck.py").write_text("raise SystemExit('imported from the tree')")
    (tmp_path / "click.py").write_text("raise SystemExit('imported from the tree')")
    script = Path(sys.executable).parent / "backcheck"
    done = subprocess.run([str(script), "--version"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("backcheck ")
