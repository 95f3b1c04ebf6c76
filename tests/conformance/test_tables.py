"""Every observed input of the peer through our real command line, and the promise that no answer is laxer."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from bench.skillgate_conformance import PAGE, page
from tests.conformance.rows import FAULTS, STRICTNESS, Row, gate, row
from tests.conformance.run_row import Outcome, left_running, problems, run_row
from tests.conformance.tables import ROWS

from backcheck.contract.skillgate import load_skillgate

OBSERVED = {
    "spec": 53, "file-exists": 16, "file-contains": 19, "absent": 44, "command": 32, "evidence": 15,
    "not-empty": 13,
    "absent-2": 15, "file-contains-2": 4, "file-exists-2": 1, "big": 9, "patterns": 7, "flags": 5, "yaml": 8,
    "wording": 23, "evidence-3": 10, "command-3": 16, "structural": 6,
}  # fmt: skip


def _marked(one: Row) -> object:
    return pytest.param(one, id=one.id, marks=[pytest.mark.slow] if one.slow else [])


@pytest.mark.parametrize("one", [_marked(one) for one in ROWS])
def test_our_answer(one: Row, tmp_path: Path) -> None:
    if one.plain_user and os.geteuid() == 0 and sys.platform != "linux":
        pytest.skip("root reads everything on this system, so a file without the right to read cannot be made")
    if "/proc/version" in str(one.tree) and not Path("/proc/version").exists():
        pytest.skip("this system has no /proc")
    assert problems(one, run_row(one, tmp_path)) == []


def test_no_answer_is_laxer_than_the_peers() -> None:
    for one in ROWS:
        if STRICTNESS[one.ours] < STRICTNESS[one.peer]:
            assert one.fault in FAULTS, f"{one.id}: {one.ours} where the peer says {one.peer}"
            assert one.difference, one.id
        if one.ours != one.peer:
            assert one.difference.endswith("."), f"{one.id} differs without a reason"
        assert one.ours != "hangs"


def test_each_documented_fault_is_shown_by_a_row_where_the_peer_does_not_pass() -> None:
    shown = {one.fault for one in ROWS if one.fault}
    assert shown == set(FAULTS)
    assert not [one.id for one in ROWS if one.fault and one.peer == "PASS"]


def test_every_observed_row_stands_in_the_tables_once() -> None:
    assert Counter(one.group for one in ROWS) == OBSERVED
    assert len({one.id for one in ROWS}) == len(ROWS) == 296


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(ROWS), "run: python -m bench.skillgate_conformance --write"


def test_a_command_without_a_limit_gets_the_peers_30_seconds() -> None:
    (requirement,) = load_skillgate(gate("command", run="true"), ".skillgate/done.yaml").requirements
    assert requirement.arguments["timeout"] == 30


def test_a_process_left_behind_is_found_and_ended() -> None:
    mark = f"9{os.getpid()}"
    with subprocess.Popen(["sleep", f"60.{mark}"]) as process:
        assert [line.split() for line in left_running(mark)] == [["sleep", f"60.{mark}"]]
    assert process.returncode == -signal.SIGKILL
    assert left_running(mark) == ()


def _verdict(word: str, status: str) -> str:
    return json.dumps({"verdict": word, "findings": [{"requirement": "g", "status": status}]})


@pytest.mark.parametrize(
    ("outcome", "part"),
    [
        (Outcome(exit_code=None, stdout="", stderr=""), "no answer in time"),
        (Outcome(exit_code=1, stdout=_verdict("REJECT", "fail"), stderr=""), "exit code 1"),
        (Outcome(exit_code=0, stdout=_verdict("REJECT", "pass"), stderr=""), "verdict 'REJECT'"),
        (Outcome(exit_code=0, stdout=_verdict("PASS", "fail"), stderr=""), "gate 'g' is 'fail'"),
        (Outcome(exit_code=0, stdout="cut off {", stderr=""), "verdict None"),
        (Outcome(exit_code=0, stdout=_verdict("PASS", "pass"), stderr="a secret"), "says 'secret'"),
        (Outcome(exit_code=0, stdout=_verdict("PASS", "pass"), stderr="", left=("sleep",)), "left running"),
    ],
)
def test_what_is_not_as_expected_is_named(outcome: Outcome, part: str) -> None:
    one = row("spec", "x", "", peer=0, never_says=("secret",), no_process_left=True)
    good = Outcome(exit_code=0, stdout=_verdict("PASS", "pass"), stderr="")
    assert problems(one, good) == []
    assert any(part in found for found in problems(one, outcome))


@pytest.mark.parametrize("stderr", ["Traceback\n  line\n", "", "backcheck: one\nbackcheck: two\n"])
def test_a_wrong_contract_is_told_in_one_line(stderr: str) -> None:
    one = row("spec", "x", "", peer=2)
    assert problems(one, Outcome(exit_code=2, stdout="", stderr="backcheck: no contract\n")) == []
    assert problems(one, Outcome(exit_code=2, stdout="", stderr=stderr)) != []
    assert problems(one, Outcome(exit_code=2, stdout="{}", stderr="backcheck: no contract\n")) != []
