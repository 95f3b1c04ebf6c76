"""`secrets`: its case table, honest and bad files, what is new, that nothing is shown, and that a broken detector never passes."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.checks.secrets.tokens import BAD, GITHUB, HONEST, JWT, SECOND, letters, pem, zipped

from backcheck.checks.gates import secrets as gate_module
from backcheck.checks.secrets import detector as detecting
from backcheck.checks.secrets.detector import DetectorError, Missing, load
from backcheck.checks.secrets.views import views
from backcheck.errors import UserError
from backcheck.testing import Case, Content, Fifo, Link, Sparse, ask, check_case, make_gate, tree_of
from backcheck.verdict import Blame, Status

TOKEN = f'TOKEN = "{GITHUB}"\n'
OTHER = f'OTHER = "{SECOND}"\n'

CASES = [
    Case("none", {}, {"a.py": "x = 1\n"}, "pass", "no secret in 1 files", base={}),
    Case("one", {}, {"a.py": "x = 1\n" + TOKEN}, "fail", "1 secret: a.py:2 github-pat", ["a.py:2"], base={}),
    Case("two", {}, {"a.py": TOKEN, "b.py": OTHER}, "fail", "2 secrets", ["a.py:1", "b.py:1"], base={}),
    Case("an old one", {}, {"a.py": "x = 1\n" + TOKEN}, "pass", base={"a.py": TOKEN}),
    Case("an old one in a file that did not change", {}, {"a.py": TOKEN, "b": "1"}, "pass", base={"a.py": TOKEN}),
    Case("a new one beside an old one", {}, {"a.py": TOKEN + OTHER}, "fail", "1 secret: a.py:2", base={"a.py": TOKEN}),
    Case("moved", {}, {"b.py": "\n" + TOKEN}, "pass", base={"a.py": TOKEN}),
    Case("copied from a file that stays", {}, {"a.py": TOKEN, "b.py": TOKEN + "x"}, "fail", "b.py:1", base={"a.py": TOKEN}),
    Case("the whole tree", {"whole": True}, {"a.py": TOKEN}, "fail", "a.py:1", base={"a.py": TOKEN}),
    Case("the whole tree without a base", {"whole": True}, {"a.py": TOKEN}, "fail"),
    Case("a clean tree without a base", {"whole": True}, {"a.py": "x"}, "pass"),
    Case("an empty tree", {"whole": True}, {}, "unclear", "nothing was searched"),
    Case("a scope that names nothing", {"whole": True, "paths": ["srcc/**"]}, {"src/a.py": TOKEN}, "unclear", "no file matches"),
    Case("a scope that names nothing in the change", {"paths": ["srcc/**"]}, {"src/a.py": TOKEN}, "unclear", "no file matches", base={}),
    Case("no base", {}, {"a.py": TOKEN}, "unclear", "no base"),
    Case("nothing changed", {}, {"a.py": "x"}, "unclear", "nothing differs", base={"a.py": "x"}),
    Case("out of scope", {"paths": ["src/**"]}, {"src/a.py": "x", "b.py": TOKEN}, "pass", base={}),
    Case("allowed by place", {"allow": ["tests/keys/**"]}, {"tests/keys/a.pem": pem(), "b": "x"}, "pass", base={}),
    Case("allowed by rule", {"allow": ["**:private-key"]}, {"deploy/a.pem": pem()}, "pass", base={}),
    Case("another rule", {"allow": ["**:private-key"]}, {"a.py": TOKEN}, "fail", base={}),
    Case("another place", {"allow": ["tests/**"]}, {"a.py": TOKEN}, "fail", base={}),
    Case("a private key in tests", {}, {"tests/keys/a.pem": pem()}, "unclear", "may be meant so: tests/keys/a.pem:1 private-key", base={}),
    Case("a JSON web token", {}, {"src/a.py": f"T = '{JWT}'\n"}, "unclear", "jwt", base={}),
    Case("a password in an address", {}, {"src/a.py": f"U = 'postgres://admin:{letters(16)}@db.prod.acme.io/x'\n"}, "unclear", "generic", base={}),
    Case("a sure one beside a doubtful one", {}, {"a.py": TOKEN, "b.py": f"T = '{JWT}'\n"}, "fail", "1 secret", base={}),
    Case("inside encoded data", {}, {"a.js": f"w='{letters(5000)}/{GITHUB}/{letters(5000, 'b')}'"}, "unclear", "a.js:1", base={}),
    Case("an allow file of the tree is not obeyed", {}, {"a.py": TOKEN, ".gitleaksignore": "a.py:github-pat:1\n", ".secrets.baseline": "{}",
         "kingfisher.yaml": "rules: []\n"}, "fail", base={}),
    Case("a broken archive", {}, {"a.zip": b"PK\x03\x04 nothing"}, "unclear", "could not be opened", base={}),
    Case("an archive that is not opened", {}, {"a.7z": b"7z\xbc\xaf\x27\x1c" + b"x" * 40}, "unclear", "not opened here", base={}),
    Case("a bomb", {}, {"a.zip": zipped(a="0" * (65 << 20))}, "unclear", "could not be opened", base={}),
    Case("an archive that holds one and breaks", {}, {"a.zip": zipped(a="x")[:60] + TOKEN.encode()}, "fail", base={}),
    Case("a link", {}, {"a.py": Link("/etc/hostname"), "b": "x"}, "pass", base={}),
    Case("a FIFO", {}, {"a.py": Fifo(), "b": "x"}, "unclear", "is a FIFO", base={}),
    Case("too large", {}, {"a.bin": Sparse(129 << 20)}, "unclear", "the limit is 128 MiB", base={}),
    Case("large", {}, {"a.bin": Sparse(60 << 20, TOKEN.encode())}, "fail", "a.bin", base={}),
    Case("removed", {}, {"b": "x"}, "pass", base={"a.py": TOKEN}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases(case: Case) -> None:
    check_case("secrets", case)


@pytest.mark.parametrize(("path", "content"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_secrets_fail_and_are_never_shown(path: str, content: str | bytes) -> None:
    tree: dict[str, Content] = {path: content}
    with tree_of(tree) as root:
        answer = ask("secrets", {}, root, base={})
    assert answer.status is Status.FAIL, answer.reason
    said = repr(answer)
    text = content.decode("latin-1") if isinstance(content, bytes) else content
    tokens = [GITHUB, SECOND, *[word for word in text.replace("'", '"').replace("`", '"').split('"') if len(word) > 30]]
    assert not any(token in said for token in tokens)


@pytest.mark.parametrize(("path", "content"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_honest_files_pass(path: str, content: str | bytes) -> None:
    check_case("secrets", Case("honest", {}, {path: content}, "pass", base={}))


def test_the_tables_are_large_enough() -> None:
    assert len(HONEST) >= 30
    assert len(BAD) >= 30


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f'\n\nT = "{GITHUB[:20]}" + "{GITHUB[20:]}"\n', 3),
        (f'x = ("abcdefg"\n     "hijklmn")\n\nT = ("{GITHUB[:20]}"\n    "{GITHUB[20:]}")\n', 4),
    ],
)
def test_a_secret_in_pieces_is_found_on_its_line(text: str, line: int) -> None:
    check_case("secrets", Case("pieces", {}, {"a.py": text}, "fail", f"a.py:{line} github-pat (in pieces)", base={}))


PIECES = st.lists(
    st.sampled_from(['"abcd"', ' + "', "efgh", '"', "\n", "'", " ", "x = ", ".", "\\", "é", "\u200b", "`"]), max_size=30
)


@given(text=PIECES.map("".join))
@settings(max_examples=200)
def test_every_form_of_a_text_keeps_its_lines(text: str) -> None:
    lines = text.count("\n") + 1
    for view in views(text.encode()):
        if view.line is not None:
            assert [view.line(at) for at in range(len(view.data))] == sorted(
                view.line(at) for at in range(len(view.data))
            )
            assert all(1 <= view.line(at) <= lines for at in range(len(view.data)))


def test_many_files_are_searched_in_workers_with_the_same_answer() -> None:
    tree = {f"d{number}/a.py": TOKEN if number == 97 else f"x = {number}\n" for number in range(150)}
    with tree_of(tree) as root:
        answer = ask("secrets", {}, root, base={})
    assert [f"{place.path}:{place.line}" for place in answer.where] == ["d97/a.py:1"]
    assert answer.details["searched"] == 150


def ask_broken(monkeypatch: pytest.MonkeyPatch, error: Exception) -> tuple[Status, Blame | None, str]:
    def broken_load() -> None:
        raise error

    monkeypatch.setattr(gate_module, "load", broken_load)
    with tree_of({"a.py": "x = 1\n"}) as root:
        answer = ask("secrets", {}, root, base={})
    return answer.status, answer.blame, answer.remedy


def test_without_its_detector_it_never_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    status, blame, remedy = ask_broken(monkeypatch, Missing("the detector of secrets is not installed"))
    assert (status, blame) == (Status.ERROR, Blame.ENVIRONMENT)
    assert "backcheck[secrets]" in remedy


def test_with_a_broken_detector_it_never_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask_broken(monkeypatch, DetectorError("broke"))[:2] == (Status.ERROR, Blame.VERIFIER)


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    with pytest.raises(Missing):
        load()


def test_a_detector_that_finds_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detecting.Detector, "find", lambda _self, _data: [])
    with pytest.raises(DetectorError, match="does not find a known one"):
        load()


class Panics:
    """A scanner that breaks as a library in another language does."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def scan(self, _data: bytes, *, timeout: float) -> list[object]:
        raise self.error


class Panic(BaseException):
    """No Exception, as a panic is none."""


@pytest.mark.parametrize("error", [Panic("at rules.rs"), RuntimeError("x"), TimeoutError("x"), ValueError("x")])
def test_whatever_breaks_in_the_detector_is_told(error: BaseException) -> None:
    with pytest.raises(DetectorError):
        detecting.Detector(Panics(error)).find(b"x")


def test_an_interruption_is_no_fault_of_the_detector() -> None:
    with pytest.raises(KeyboardInterrupt):
        detecting.Detector(Panics(KeyboardInterrupt())).find(b"x")


def test_one_file_that_breaks_the_detector_makes_it_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = detecting.Detector.find

    def find(self: detecting.Detector, data: bytes) -> list[detecting.Secret]:
        if b"BREAK" in data:
            raise DetectorError("broke the detector (Panic)")
        return whole(self, data)

    monkeypatch.setattr(detecting.Detector, "find", find)
    with tree_of({"a.py": "BREAK\n", "b.py": "x\n"}) as root:
        assert ask("secrets", {}, root, base={}).status is Status.UNCLEAR
    with tree_of({"a.py": "BREAK\n", "b.py": TOKEN}) as root:
        assert ask("secrets", {}, root, base={}).status is Status.FAIL


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"allow": ["**"]}, "nothing would be checked"), ({"allow": ["*"]}, "nothing would be checked"), ({"allow": ["!a"]}, "nothing would be checked"),
        ({"paths": ["../x"]}, "leaves the root"), ({"allow": ["../x:jwt"]}, "leaves the root"), ({"whole": "yes"}, "true or false"),
    ],
)  # fmt: skip
def test_mistakes(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_gate("secrets", arguments)


def test_no_network_is_needed() -> None:
    unshare = shutil.which("unshare")
    script = "from backcheck.checks.secrets.detector import load; load(); print('found')"
    command = [unshare or "", "-rn", sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False) if unshare else None
    if done is None or "unshare" in done.stderr:
        pytest.skip("no network namespace of one's own can be made here: that nothing is sent was not tested")
    assert done.stdout == "found\n", done.stderr
