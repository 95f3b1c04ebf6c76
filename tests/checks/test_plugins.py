"""Checks of other distributions, from real installed metadata, through `backcheck check`."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import backcheck.errors
from backcheck.surfaces.cli.main import run

#: A check as the author of another distribution would write it.
GATE = '''
from dataclasses import dataclass
from typing import ClassVar
from backcheck.checks.api import Answer, Evidence, failed, passed
from backcheck.checks.binding import ArgumentError
from backcheck.checks.canary import Canary
from backcheck.verdict import Channel, Place, Provenance

@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A file is not longer than a number of lines."""

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED
    canary: ClassVar[Canary] = Canary(arguments={"file": "a", "lines": 1}, files={"a": "1\\n2\\n"})
    file: str
    lines: int

    def __post_init__(self) -> None:
        if self.lines < 1:
            raise ArgumentError("lines", "must be at least 1")

    def answer(self, evidence: Evidence) -> Answer:
        found = evidence.tree.read(self.file, limit=1000).count(b"\\n")
        if found > self.lines:
            return failed(f"{found} lines", where=(Place(path=self.file),))
        return passed(f"{found} lines")
'''
CONTRACT = """version: 1
plugins: [{{distribution: {distribution}, version: '{version}'}}]
requirements:
  - {{id: short, description: d, check: {check}, with: {{file: a.txt, lines: {lines}}}}}
"""

Check = Callable[..., tuple[int, dict[str, Any], str]]


def metadata(folder: Path, name: str, version: str, points: Mapping[str, str] | str) -> None:
    """What an installer leaves of a distribution."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    text = points if isinstance(points, str) else "".join(f"{key} = {value}\n" for key, value in points.items())
    (info / "entry_points.txt").write_text(f"[backcheck.gates]\n{text}")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed distributions; modules that a test imported from it are forgotten."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    importlib.invalidate_caches()


def install(site: Path, name: str = "lines-check", version: str = "1.2", module: str = "lines_check",
            source: str = GATE, points: Mapping[str, str] | str | None = None) -> None:  # fmt: skip
    (site / f"{module}.py").write_text(source)
    metadata(site, name, version, {"max-lines": f"{module}:Gate"} if points is None else points)


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Write the contract and ask: exit code, document, stderr."""

    def asked(distribution: str = "lines-check", version: str = "1.2", name: str = "max-lines", lines: int = 3,
              contract: str = "") -> tuple[int, dict[str, Any], str]:  # fmt: skip
        tree = tmp_path / "tree"
        (tree / ".backcheck").mkdir(parents=True, exist_ok=True)
        (tree / "a.txt").write_text("one\ntwo\n")
        text = contract or CONTRACT.format(distribution=distribution, version=version, check=name, lines=lines)
        (tree / ".backcheck/contract.yaml").write_text(text)
        capsys.readouterr()
        code = run(["check", "-C", str(tree), "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return asked


def refused(answer: tuple[int, dict[str, Any], str], *told: str) -> None:
    code, document, err = answer
    assert (code, document) == (2, {})
    assert err.startswith("backcheck: .backcheck/contract.yaml:2:")
    assert err.count("\n") == 1
    for text in told:
        assert text in err


def test_an_admitted_check_passes_and_fails(site, check):
    install(site)
    code, document, _ = check()
    assert (code, document["findings"][0]["check"], document["findings"][0]["reason"]) == (0, "max-lines", "2 lines")
    code, document, _ = check(lines=1)
    assert (code, document["findings"][0]["where"][0]["path"]) == (1, "a.txt")


def test_its_arguments_are_checked_like_those_of_our_own(site, check):
    install(site)
    code, _, err = check(lines=0)
    assert (code, "`lines` of check `max-lines`: must be at least 1" in err) == (2, True)
    code, _, err = check(contract=CONTRACT.format(distribution="lines-check", version="1.2", check="max-lines", lines=3)
                         .replace("lines:", "linse:"))  # fmt: skip
    assert (code, "no argument `linse`; did you mean `lines`?" in err) == (2, True)


def test_one_that_the_contract_does_not_admit_is_unknown(site, check):
    install(site)
    code, _, err = check(
        contract="version: 1\nrequirements: [{id: a, check: max-lines, with: {file: a.txt, lines: 3}}]\n"
    )
    assert (code, "no check `max-lines`" in err) == (2, True)
    assert "lines_check" not in sys.modules


def test_a_slip_names_the_checks_of_the_plugin_too(site, check):
    install(site)
    code, _, err = check(name="max-line")
    assert (code, "did you mean `max-lines`?" in err) == (2, True)


@pytest.mark.parametrize("version", ["1.1", "1.2.0", "1.20", ">=1", "1", "2"])
def test_another_version_than_the_admitted_one(site, check, version):
    install(site)
    refused(check(version=version), f"the contract admits `lines-check` {version}; 1.2 is installed")
    assert "lines_check" not in sys.modules


@pytest.mark.parametrize("name", ["lines-chek", "../site", "a/b", "backcheck.gates"])
def test_one_that_is_not_installed(site, check, name):
    install(site)
    refused(check(distribution=f"'{name}'"), f"the plugin `{name}` is not installed beside backcheck")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import nothing_of_this_name", "cannot be loaded: ModuleNotFoundError"),
        ("raise RuntimeError('no licence')", "cannot be loaded: RuntimeError: no licence"),
        ("import sys; sys.exit(0)", "cannot be loaded: SystemExit: 0"),
        ("def (", "cannot be loaded: SyntaxError"),
        ("x = 1", "cannot be loaded: AttributeError"),
        ("Gate = 1", "the check `max-lines` of `lines-check` is no dataclass"),
        ("class Gate: pass", "is no dataclass"),
        (GATE.replace("    def answer", "    def run"), "has no method `answer`"),
        (GATE.replace("Channel.TEXT", "'text'"), "does not say its `channel`"),
        (GATE.replace("    provenance:", "    proven:"), "does not say its `provenance`"),
    ],
)
def test_one_that_cannot_be_used_is_never_skipped(site, check, source, told):
    install(site, source=source)
    refused(check(), told)


def test_one_that_brings_nothing(site, check):
    install(site, points="")
    refused(check(), "the plugin `lines-check` brings no check")


def test_it_cannot_take_the_place_of_our_own_check(site, check):
    install(site, points={"file-exists": "lines_check:Gate"})
    refused(check(name="file-exists"), "`lines-check` brings a check `file-exists` that is already there")


def test_two_plugins_cannot_bring_the_same_name(site, check):
    install(site)
    install(site, name="other-check", module="other_check")
    both = "[{distribution: lines-check, version: '1.2'}, {distribution: other-check, version: '1.2'}]"
    contract = CONTRACT.format(distribution="x", version="x", check="max-lines", lines=3)
    refused(check(contract=contract.replace("[{distribution: x, version: 'x'}]", both)),
            "`other-check` brings a check `max-lines` that is already there")  # fmt: skip
    # Each by itself is in order, whatever else is installed.
    assert check(distribution="other-check")[0] == 0


def test_one_distribution_cannot_bring_a_name_twice(site, check):
    source = GATE.replace("if found > self.lines", "if False")
    install(site, points="max-lines = lines_check:Gate\nmax-lines = lax:Gate\n")
    (site / "lax.py").write_text(source)
    refused(check(lines=1), "brings a check `max-lines` that is already there")


@pytest.mark.parametrize("body", ["raise KeyError('x')", "raise SystemExit(0)", "import sys; sys.exit()", "return None",
                                  "return True", "return Answer(status='pass', reason='fine')"])  # fmt: skip
def test_one_that_breaks_is_an_error_of_the_check_and_no_pass(site, check, body):
    head = GATE[: GATE.index("        found = ")]
    install(site, source=f"{head}        {body}\n")
    code, document, _ = check()
    (finding,) = document["findings"]
    assert (code, finding["status"], finding["blame"]) == (3, "error", "verifier")
    assert "`max-lines`" in finding["remedy"]


def test_evidence_stronger_than_it_can_give_is_not_demanded_of_it(site, check):
    install(site)
    contract = CONTRACT.format(distribution="lines-check", version="1.2", check="max-lines", lines=3)
    code, _, err = check(contract=contract.replace("description: d,", "description: d, provenance: observed,"))
    assert (code, "can give `asserted` evidence at most" in err) == (2, True)


def test_doctor_tries_its_canary(site, check, tmp_path, capsys):
    install(site)
    check()
    capsys.readouterr()
    # Reading an empty folder raises in this check: an error, which is no pass.
    assert run(["doctor", "-C", str(tmp_path / "tree"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["checks"]
    assert (row["check"], row["canary"], row["empty_folder"]) == ("max-lines", "red", "error")


def test_a_wheel_that_pip_installed_beside_backcheck(tmp_path: Path) -> None:
    """A folder of packages with one more wheel in it; nothing is downloaded."""
    pytest.importorskip("pip", reason="pip is not installed here: no wheel was tried")
    wheel = tmp_path / "lines_check-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("lines_check.py", GATE)
        info = "lines_check-1.2.dist-info"
        made.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: lines-check\nVersion: 1.2\n")
        made.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        made.writestr(f"{info}/entry_points.txt", "[backcheck.gates]\nmax-lines = lines_check:Gate\n")
        made.writestr(f"{info}/RECORD", "")
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(site), str(wheel)], check=True, capture_output=True)
    tree = tmp_path / "tree"
    (tree / ".backcheck").mkdir(parents=True)
    (tree / "a.txt").write_text("one\ntwo\n")
    ours = Path(backcheck.errors.__file__).parents[1]
    start = f"import sys; sys.path[:0] = [{str(site)!r}, {str(ours)!r}]; from backcheck.__main__ import run; run()"
    for lines, expected in ((3, 0), (1, 1)):
        text = CONTRACT.format(distribution="Lines_Check", version="1.2", check="max-lines", lines=lines)
        (tree / ".backcheck/contract.yaml").write_text(text)
        done = subprocess.run([sys.executable, "-I", "-c", start, "check"], cwd=tree, capture_output=True, text=True,
                              check=False)  # fmt: skip
        assert done.returncode == expected, done.stdout + done.stderr
        assert "[max-lines]" in done.stdout or expected == 0
