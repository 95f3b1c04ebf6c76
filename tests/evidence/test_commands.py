from __future__ import annotations

import importlib.util
import marshal
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from backcheck.evidence.commands import Limits, allowed_environment, run_command
from backcheck.evidence.masking import MASK, mask, printable


def run(command: str | list[str], tmp_path: Path, **limits: float) -> object:
    return run_command(command, str(tmp_path), allowed_environment(), Limits(**limits))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "code", "signal", "printed"),
    [
        ("true", 0, "", 0),
        ("exit 7", 7, "", 0),
        ("echo out; echo err >&2", 0, "", 8),
        ("kill -9 $$", None, "SIGKILL", 0),
        ("kill -15 $$", None, "SIGTERM", 0),
        ("cat | wc -c", 0, "", 2),
        ("definitely-not-a-command 2>/dev/null", 127, "", 0),
        ("exec 1>&- 2>&-; exit 4", 4, "", 0),
        (["sh", "-c", "exit 3"], 3, "", 0),
        (["printf", "a b"], 0, "", 3),
    ],
)
def test_endings(tmp_path: Path, command: str | list[str], code: int | None, signal: str, printed: int) -> None:
    result = run(command, tmp_path)
    assert (result.code, result.signal, result.printed, result.stopped) == (code, signal, printed, "")  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", [["/nonexistent/x"], [""], ["/etc"]])
def test_what_cannot_be_started_is_a_problem_not_a_failure(tmp_path: Path, command: list[str]) -> None:
    result = run(command, tmp_path)
    assert "cannot be started" in result.problem  # type: ignore[attr-defined]
    assert result.code is None  # type: ignore[attr-defined]


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


LEAVERS = {
    "background": "sleep 300 & echo $! > pid; true",
    "background with its own session": "setsid sh -c 'echo $$ > pid; exec sleep 300' & while [ ! -s pid ]; do sleep 0.05; done",
    "orphan of a dead shell": "sh -c 'sleep 300 & echo $! > pid' ; true",
    "double fork and new session": "python3 -c 'import os,time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n"
    'open("pid","w").write(str(os.getpid()))\nos.close(1); os.close(2)\ntime.sleep(300)\'; while [ ! -s pid ]; do sleep 0.05; done',
    "ignores SIGTERM": "trap '' TERM; (trap '' TERM; sleep 300) & echo $! > pid; true",
    "keeps the pipe open": "sleep 300 & echo $! > pid",
}


@pytest.mark.parametrize("name", LEAVERS)
def test_nothing_is_left_behind(tmp_path: Path, name: str) -> None:
    started = time.monotonic()
    result = run(LEAVERS[name], tmp_path, seconds=30)
    assert (result.code, result.stopped) == (0, "")  # type: ignore[attr-defined]
    assert time.monotonic() - started < 20
    assert gone(int((tmp_path / "pid").read_text()))
    assert result.left >= 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["sleep 300", "trap '' TERM; sleep 300", "while :; do :; done", "sleep 300 & wait"])
def test_time_ends_it_and_all_it_started(tmp_path: Path, command: str) -> None:
    result = run(command, tmp_path, seconds=0.5)
    assert "longer than 0.5 s" in result.stopped  # type: ignore[attr-defined]
    assert result.seconds < 10  # type: ignore[attr-defined]
    assert [p for p in psutil.Process().children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE] == []


def test_two_megabytes_of_output_are_fine_and_head_and_tail_are_kept(tmp_path: Path) -> None:
    result = run("echo first; head -c 2000000 /dev/zero | tr '\\0' a; echo; echo last", tmp_path)
    assert result.code == 0  # type: ignore[attr-defined]
    assert result.printed == 2_000_012  # type: ignore[attr-defined]
    text = result.output  # type: ignore[attr-defined]
    assert text.startswith("first\n")
    assert text.endswith("\nlast\n")
    assert "bytes left out" in text
    assert len(text) < 100_000


def test_endless_output_is_stopped(tmp_path: Path) -> None:
    result = run("yes", tmp_path, output=3_000_000)
    assert "printed more than 3,000,000 bytes" in result.stopped  # type: ignore[attr-defined]


def test_memory_is_limited(tmp_path: Path) -> None:
    code = "x = bytearray(400 * 1024 * 1024)\nfor i in range(0, len(x), 4096): x[i] = 1\nimport time; time.sleep(60)"
    result = run(["python3", "-c", code], tmp_path, memory=200 * 1024**2, seconds=30)
    assert "memory" in result.stopped  # type: ignore[attr-defined]


def test_processes_are_limited(tmp_path: Path) -> None:
    result = run("for i in $(seq 40); do sleep 60 & done; wait", tmp_path, processes=20, seconds=30)
    assert "more than 20 processes" in result.stopped  # type: ignore[attr-defined]
    assert [p for p in psutil.Process().children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE] == []


SLOW_TO_GO = """import os, time
if not os.fork():
    os.setsid()
    open("pid", "w").write(str(os.getpid()))
    time.sleep(300)
x = bytearray(700 * 1024 * 1024)
for i in range(0, len(x), 4096): x[i] = 1
time.sleep(300)
"""


def test_a_killed_command_that_is_slow_to_go_takes_what_it_started_with_it(tmp_path: Path) -> None:
    result = run([sys.executable, "-c", SLOW_TO_GO], tmp_path, memory=500 * 1024**2, seconds=60)
    assert "memory" in result.stopped  # type: ignore[attr-defined]
    assert gone(int((tmp_path / "pid").read_text()))
    assert result.left >= 1  # type: ignore[attr-defined]


def test_the_environment_is_an_allow_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "tok_visible_123")
    monkeypatch.setenv("LC_TEST", "1")
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("PYTHONPATH", "/x")
    names = set(allowed_environment())
    assert "LC_TEST" in names
    assert "PATH" in names
    assert not names & {"DEPLOY_TOKEN", "LD_PRELOAD", "PYTHONPATH", "GIT_DIR"}
    assert "DEPLOY_TOKEN" in allowed_environment(["DEPLOY_TOKEN"])
    result = run("echo token=$DEPLOY_TOKEN.", tmp_path)
    assert result.output == "token=.\n"  # type: ignore[attr-defined]


def poisoned(folder: Path) -> None:
    """A module, and beside it a compiled one that says something else and that Python never compares with its source."""
    (folder / "guard.py").write_text("value = 7\n")
    code = marshal.dumps(compile("value = 0", "guard.py", "exec"))
    cache = Path(importlib.util.cache_from_source(str(folder / "guard.py")))
    place = folder / "__pycache__" / cache.name
    place.parent.mkdir()
    place.write_bytes(importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + b"\0" * 8 + code)


GUARDED = [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); import guard; sys.exit(guard.value)"]


def test_no_compiled_module_of_the_tree_runs_and_none_is_left(tmp_path: Path) -> None:
    poisoned(tmp_path)
    assert subprocess.run(GUARDED, cwd=tmp_path, check=False).returncode == 0
    assert run(GUARDED, tmp_path).code == 7  # type: ignore[attr-defined]
    shutil.rmtree(tmp_path / "__pycache__")
    assert run(GUARDED, tmp_path).code == 7  # type: ignore[attr-defined]
    assert [path.name for path in tmp_path.iterdir()] == ["guard.py"]


def test_the_place_of_compiled_modules_is_private_empty_and_gone_afterwards(tmp_path: Path) -> None:
    say = 'ls -A "$PYTHONPYCACHEPREFIX"; echo "$PYTHONPYCACHEPREFIX"; mkdir -p "$PYTHONPYCACHEPREFIX/x"; '
    places = [run(say + 'chmod 0 "$PYTHONPYCACHEPREFIX/x"', tmp_path).output.split() for _ in range(2)]  # type: ignore[attr-defined]
    assert [len(words) for words in places] == [1, 1]
    assert places[0] != places[1]
    assert not any(os.path.exists(words[0]) for words in places)
    deep = (
        "cd \"$PYTHONPYCACHEPREFIX\"; pwd; python3 -c \"import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')\""
    )
    result = run(deep, tmp_path)
    assert result.code == 0  # type: ignore[attr-defined]
    assert not os.path.exists(result.output.strip())  # type: ignore[attr-defined]


def test_who_names_the_variable_chooses_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "mine"))
    say = 'echo "$PYTHONPYCACHEPREFIX"'
    named = run_command(say, str(tmp_path), allowed_environment(["PYTHONPYCACHEPREFIX"]))
    assert named.output.strip() == str(tmp_path / "mine")
    assert run(say, tmp_path).output.strip() != str(tmp_path / "mine")  # type: ignore[attr-defined]


def test_without_room_for_compiled_modules_none_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_prefix: str) -> None:
        raise OSError("no space left")

    poisoned(tmp_path)
    monkeypatch.setattr("backcheck.evidence.commands.temporary", full)
    assert run(GUARDED, tmp_path).code == 7  # type: ignore[attr-defined]


def test_input_is_empty(tmp_path: Path) -> None:
    result = run("read x; echo got:$x", tmp_path)
    assert result.output == "got:\n"  # type: ignore[attr-defined]


SECRETS = [
    "token=ghp_" + "A" * 36, "Authorization: Bearer abcdefghijklmnop", "password: hunter2hunter2", "AKIA" + "A1B2C3D4E5F6G7H8",
    "https://user:secretpw@host/x", "sk_live_" + "a" * 24, "xoxb-1234567890-abc", "api_key = 'zzzzzzzz'",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "npm_" + "a" * 36,
]  # fmt: skip


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_masked(text: str) -> None:
    shown = mask(text, {})
    assert MASK in shown
    for part in (
        "ghp_A",
        "abcdefghijklmnop",
        "hunter2",
        "AKIAA1",
        "secretpw",
        "sk_live_a",
        "1234567890-abc",
        "zzzz",
        "MIIE",
        "npm_a",
    ):
        assert part not in shown


def test_values_of_secret_variables_are_masked_wherever_they_stand() -> None:
    assert mask("x tok_visible_123 y", {"DEPLOY_TOKEN": "tok_visible_123"}) == f"x {MASK} y"


@pytest.mark.parametrize(
    "text", ["42 passed in 0.1s", "token bucket", "author: Ann", "see https://example.org/a:b", "secrets"]
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert mask(text, {"HOME": "/home/somebody", "TOKEN": "abc"}) == text


def test_control_characters_cannot_reach_a_terminal() -> None:
    assert printable("\x1b[2J\x1b[31mfake\x1b[0m\r\nnext\x07\x1b]0;title\x07\u202e.") == "fake\nnext\\x07\\u202e."


def test_masking_is_quick_on_long_text() -> None:
    started = time.perf_counter()
    mask("a" * 100_000 + " password" * 2000 + "-----BEGIN PRIVATE KEY-----" * 50, dict(os.environ))
    assert time.perf_counter() - started < 3
