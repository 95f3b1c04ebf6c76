from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from backcheck.experiments.fixtures import build
from backcheck.experiments.fixtures.scenarios import load_scenarios
from backcheck.verdict import Outcome

SCRIPT = Path(__file__).parents[2] / "bench" / "scenarios.py"
SECOND = {scenario.label: scenario for scenario in load_scenarios(2)}


@pytest.fixture
def bench(monkeypatch):
    """The script as a module; nothing of it runs."""
    spec = importlib.util.spec_from_file_location("bench_scenarios", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def no_gates(bench, monkeypatch):
    """As `bench`, with every gate silent: what the script adds around them."""
    monkeypatch.setattr(bench, "check", lambda folder: bench.Ours(outcome=Outcome.UNCLEAR, answers={}))
    return bench


def run_script(**variables: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key != "BACKCHECK_DATA"}
    command = [sys.executable, str(SCRIPT)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env={**kept, **variables})


def columns(text: str, label: str) -> list[list[str]]:
    """The columns of every line that begins with `label`."""
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.startswith(f"{label} ")]


# Our gates, really run


@pytest.mark.slow
def test_our_gates_on_our_fixtures():
    """What came out; where it differs from the published verdicts, our evidence and patterns are worded otherwise."""
    run = run_script()
    assert run.returncode == 0, run.stderr
    assert "BACKCHECK_DATA is not set: the published part did not run" in run.stdout
    presence = {f"SC{n:02}": columns(run.stdout, f"SC{n:02}")[0][-1] for n in range(1, 13)}
    accepted = {"SC01", "SC04", "SC06", "SC07", "SC09", "SC10"}
    assert presence == {label: "PASS" if label in accepted else "REJECT" for label in presence}
    content = {label: tuple(columns(run.stdout, label)[-1][-2:]) for label in SECOND}
    assert content == {
        "SC05": ("REJECT TFFTT", "REJECT"),
        "SC10a": ("PASS TTTTT", "PASS"),
        "SC10b": ("REJECT TTTFF", "PASS"),
        "SC10c": ("PASS TTTTT", "PASS"),
        "SC11": ("REJECT FFFFF", "REJECT"),
        "SC13": ("PASS TTTTT", "PASS"),
        "SC14": ("REJECT FFTTF", "PASS"),
    }
    assert columns(run.stdout, "right") == [
        ["right", "9/12 = 75.0 % (47-91)"],
        ["right", "6/7 = 85.7 % (49-97)", "4/7 = 57.1 % (25-84)"],
        ["right", "30/35 = 85.7 % (71-94)", "32/35 = 91.4 % (78-97)"],
    ]
    assert columns(run.stdout, "done, rejected")[2] == ["done, rejected", "1/20 = 5.0 % (1-24)", "0/20 = 0.0 % (0-16)"]


def test_a_verdict_is_read_with_its_answers(bench, tmp_path):
    build.write_content(SECOND["SC10b"], tmp_path / "work")
    ours = bench.check(tmp_path / "work")
    assert ours.outcome is Outcome.REJECT
    assert bench.own_answers(SECOND["SC10b"], ours) == (True, True, True, False, False)


def test_no_verdict_is_an_error(bench, tmp_path):
    with pytest.raises(RuntimeError, match=r"exit 2: backcheck: "):
        bench.check(tmp_path)


# What the script adds


def test_a_path_that_leads_nowhere_is_an_error(tmp_path):
    run = run_script(BACKCHECK_DATA=str(tmp_path / "nowhere"))
    assert run.returncode == 2
    assert run.stderr.startswith("BACKCHECK_DATA does not lead to published votes: ")


def test_a_gate_without_a_verdict_fails_the_script(bench, monkeypatch, capsys):
    def broken(folder: Path) -> None:
        raise RuntimeError(f"{folder.name}: exit 4")

    monkeypatch.setattr(bench, "check", broken)
    monkeypatch.delenv("BACKCHECK_DATA", raising=False)
    assert bench.main() == 1
    assert capsys.readouterr().err == "one of our gates gave no verdict: SC01: exit 4\n"


def test_abstentions_have_their_own_line(no_gates, monkeypatch, capsys):
    monkeypatch.delenv("BACKCHECK_DATA", raising=False)
    assert no_gates.main() == 0
    text = capsys.readouterr().out
    assert columns(text, "SC13")[-1] == ["SC13", "done", "-", "-", "UNCLEAR ?????", "UNCLEAR"]
    assert columns(text, "left to a person")[0] == ["left to a person", "12/12 = 100.0 % (76-100)"]
    assert columns(text, "right")[0] == ["right", "0/12 = 0.0 % (0-24)"]


def test_published_and_replayed_stand_beside_ours(no_gates, reference_data, monkeypatch, capsys):
    monkeypatch.setenv("BACKCHECK_DATA", str(reference_data))
    assert no_gates.main() == 0
    text = capsys.readouterr().out
    assert columns(text, "SC04")[0] == ["SC04", "not done", "PASS", "PASS", "UNCLEAR"]
    assert columns(text, "SC10b")[0][:4] == ["SC10b", "not done", "REJECT", "REJECT TTTFT"]
    assert columns(text, "right")[0][1:3] == ["9/12 = 75.0 % (47-91)"] * 2
    assert columns(text, "not done, rejected")[0][1:3] == ["6/9 = 66.7 % (35-88)"] * 2
    assert columns(text, "right")[1][1:3] == ["6/7 = 85.7 % (49-97)"] * 2
    assert text.endswith("recorded verdicts reproduced: 45 of 45\n")


def test_one_changed_cell_of_each_record_shows_and_fails(no_gates, reference_data, monkeypatch, capsys, tmp_path):
    raw = json.loads((reference_data / "published-votes.json").read_bytes())
    raw["phase2"]["scenarios"][2]["C1_req"]["REQ-3"] = False
    raw["phase1"]["scenarios"][0]["missing"] = ["change-log.txt"]
    (tmp_path / "published-votes.json").write_text(json.dumps(raw))
    monkeypatch.setenv("BACKCHECK_DATA", str(tmp_path))
    assert no_gates.main() == 1
    text = capsys.readouterr().out
    assert columns(text, "SC01")[0][2:4] == ["PASS", "REJECT"]
    assert columns(text, "SC10c")[0][2:4] == ["PASS", "REJECT TTFTT"]
    assert columns(text, "right")[0][1:3] == ["9/12 = 75.0 % (47-91)", "8/12 = 66.7 % (39-86)"]
    assert columns(text, "right")[1][1:3] == ["6/7 = 85.7 % (49-97)", "5/7 = 71.4 % (36-92)"]
    assert text.endswith(
        "reproduced: 43 of 45\n"
        "DIFFERENT SC01 B: recorded PASS, replayed REJECT\n"
        "DIFFERENT SC10c C1: recorded PASS, replayed REJECT\n"
    )
