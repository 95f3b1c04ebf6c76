"""Our verdict on every generated case is the peer's recorded one, or the difference is listed with its reason."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.conformance import ask
from tests.conformance.accepted import Accepted, load_accepted, load_reasons
from tests.conformance.ask import apart, ask_ours, can_be_asked, laid_out
from tests.conformance.cases.case_model import CONTRACT_PATHS, Case, Tree, case, fingerprint
from tests.conformance.cases.contract_text import contract
from tests.conformance.cases.ordinary_cases import all_gates
from tests.conformance.compare import Outcome, compare, load_recorded, our_outcome
from tests.conformance.generate import generate
from tests.conformance.materialise import materialise

from backcheck.surfaces.cli.main import run

CASES = {one["id"]: one for one in generate()}
RECORDED = load_recorded()
ACCEPTED = load_accepted()


def ask_in_process(one: Case) -> Outcome:
    # `run` holds the error boundary; `CliRunner.invoke` would ask the command behind it.
    with laid_out(one) as folder, CliRunner().isolation(env=apart(folder)) as streams:
        code = run(["check", "--json", "-C", str(folder)])
        out, err = (stream.getvalue().decode("utf-8", "replace") for stream in streams[:2])
    return our_outcome(code, out, err)


@pytest.mark.parametrize("name", CASES)
def test_same_verdict_or_a_listed_difference(name):
    one, (_, peer) = CASES[name], RECORDED[name]
    if not can_be_asked(one):
        pytest.skip("root may read every file here: setpriv is missing")
    # What hangs the peer might hang us: there, and without root's powers, we are asked in a process of our own.
    alone = one["unprivileged"] or peer.answer == "HANG"
    ours = ask_ours(one) if alone else ask_in_process(one)
    compared = compare(name, one["edge"], peer, ours, ACCEPTED.get(name))
    assert not compared.problem, f"{compared.problem}\n{ours.text}\n{one['contract']}"


def test_the_recording_is_of_these_very_cases():
    assert {name: stamp for name, (stamp, _) in RECORDED.items()} == {n: fingerprint(c) for n, c in CASES.items()}


def test_every_listed_difference_is_of_a_case():
    assert not set(ACCEPTED) - set(CASES)


def test_absent_is_laxer_only_in_how_an_emoji_is_counted_and_where_the_peer_hangs():
    assert {reason.key for reason in load_reasons() if "absent" in reason.laxer} == {
        "characters-not-code-units",
        "catastrophic-pattern",
    }


def test_a_process_of_its_own_says_what_the_call_in_process_says():
    for name in ("ordinary-python-000", "contract-broken", "absent-hit"):
        alone, within = ask_ours(CASES[name]), ask_in_process(CASES[name])
        assert (alone.answer, alone.gates) == (within.answer, within.gates)


def test_an_answer_that_does_not_come_is_a_hang(monkeypatch):
    monkeypatch.setattr(ask, "OUR_LIMIT", 0.0)
    assert ask_ours(CASES["absent-hit"]).answer == "HANG"


def test_a_contract_says_what_its_gates_say_however_it_is_written():
    for seed in range(120):
        rng = random.Random(seed)
        gates = rng.sample(all_gates(), 4)
        text = contract(gates, rng, CONTRACT_PATHS[seed % 5])
        assert YAML(typ="safe", pure=True).load(text)["gates"] == gates, text


PASS, FAIL = (True,), (False,)


@pytest.mark.parametrize(
    ("peer", "ours", "accepted", "kind", "problem"),
    [
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="PASS", gates=PASS), None, "same", ""),
        (Outcome(answer="REFUSED"), Outcome(answer="REFUSED"), None, "same", ""),
        (Outcome(answer="REJECT", gates=FAIL), Outcome(answer="PASS", gates=PASS), None, "laxer", "ours PASS"),
        (Outcome(answer="HANG"), Outcome(answer="PASS", gates=PASS), None, "laxer", "ours PASS"),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="UNCLEAR", gates=FAIL), None, "stricter", "UNCLEAR"),
        (Outcome(answer="REFUSED"), Outcome(answer="REJECT", gates=FAIL), None, "blocked otherwise", "REJECT"),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="HANG"), None, "ours hangs", "HANG"),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="BROKEN", text="oops"), None, "ours breaks", "oops"),
        (
            Outcome(answer="REJECT", gates=(True, False)),
            Outcome(answer="REJECT", gates=(False, True)),
            None,
            "gates differ",
            "a gate is laxer",
        ),
        (
            Outcome(answer="REJECT", gates=(True, False)),
            Outcome(answer="REJECT", gates=(False, False)),
            None,
            "gates differ",
            "a gate is stricter",
        ),
        (Outcome(answer="PASS", gates=()), Outcome(answer="PASS", gates=PASS), None, "gates differ", "0 gates"),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="REJECT", gates=FAIL), "REJECT", "stricter", ""),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="UNCLEAR", gates=FAIL), "REJECT", "stricter", "expected"),
        (Outcome(answer="PASS", gates=PASS), Outcome(answer="PASS", gates=PASS), "REJECT", "same", "expected REJECT"),
        (Outcome(answer="REJECT", gates=FAIL), Outcome(answer="REJECT", gates=FAIL), "REJECT", "same", "no difference"),
    ],
)  # fmt: skip
def test_comparing(peer, ours, accepted, kind, problem):
    listed = Accepted(key="k", answer=accepted) if accepted else None
    ours = replace(ours, checks=("absent", "command")[: len(ours.gates or ())])
    compared = compare("x", "", peer, ours, listed)
    assert compared.kind == kind
    assert problem in compared.problem
    assert bool(problem) == bool(compared.problem)


def test_laxer_is_accepted_only_where_the_list_says_so():
    peer, ours = Outcome(answer="REJECT", gates=FAIL), Outcome(answer="PASS", gates=PASS, checks=("absent",))
    for laxer in ((), ("command",)):
        listed = Accepted(key="k", answer="PASS", laxer=frozenset(laxer))
        assert "laxer" in compare("x", "", peer, ours, listed).problem
    listed = Accepted(key="k", answer="PASS", laxer=frozenset({"command", "absent"}))
    assert compare("x", "", peer, ours, listed).problem == ""


@pytest.mark.parametrize(
    "text",
    ['[k]\nreason = ""\nREJECT = ["a"]', '[k]\nreason = "r"\nPASS = ["a"]', '[k]\nreason = "r"\nMAYBE = ["a"]',
     '[k]\nreason = "r"',
     '[k]\nreason = "r"\nREJECT = ["a"]\nUNCLEAR = ["a"]'],
)  # fmt: skip
def test_a_bad_list_of_differences_is_refused(tmp_path, text):
    (tmp_path / "d.toml").write_text(text)
    with pytest.raises(ValueError, match=r"needs a reason|is listed under"):
        load_accepted(tmp_path / "d.toml")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "."])
def test_a_case_stays_in_its_folder(tmp_path, path):
    with pytest.raises(ValueError, match="must stay in its folder"):
        materialise(case("x", "gates: []", {path: "x"}), tmp_path)


def test_nothing_is_written_through_a_link(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    tree: Tree = {"a": {"symlink": str(outside)}, "a/b": {"symlink": "x"}}
    with pytest.raises(ValueError, match="out of its folder"):
        materialise(case("x", "gates: []", tree), inside)
    assert not list(outside.iterdir())


def test_every_kind_of_entry_is_written(tmp_path):
    tree: Tree = {
        "t": "caf\u00e9",
        "b": {"base64": "/w=="},
        "d": {"dir": True},
        "l": {"symlink": "t"},
        "f": {"fifo": True},
        "x": {"text": "#!/bin/sh\n", "mode": "0755", "mtime": 5},
    }
    materialise(case("x", "gates: []\n", tree, git="commit"), tmp_path)
    assert (tmp_path / "t").read_text(encoding="utf-8") == "caf\u00e9"
    assert (tmp_path / "b").read_bytes() == b"\xff"
    assert (tmp_path / "d").is_dir()
    assert (tmp_path / "l").readlink() == Path("t")
    assert (tmp_path / "f").is_fifo()
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "x").stat().st_mtime == 5
    assert (tmp_path / ".skillgate/done.yaml").read_text() == "gates: []\n"
    assert (tmp_path / ".git/refs/heads/main").is_file()
