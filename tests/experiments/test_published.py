from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from backcheck.experiments import channel_b
from backcheck.experiments.fixtures.scenarios import load_scenarios
from backcheck.experiments.published import Votes, load, parse
from backcheck.experiments.scoring import Rate, Score
from backcheck.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Raw = dict[str, Any]
    Met = Mapping[str, Sequence[bool]]

FLIPPED = {"PASS": "REJECT", "REJECT": "PASS"}


def work1(name: str, compliant: bool, votes: int, a: str, b: str, **files: str) -> Raw:
    listed = {state: list(files.get(state, "")) for state in ("present", "missing", "empty")}
    return {"id": name, "compliant": compliant, "A_votes_pass": votes, "A_of": 3, "A": a, "B": b, **listed}


def work2(
    name: str,
    compliant: bool,
    votes: int,
    verdicts: Sequence[str],
    first: Sequence[bool],
    second: Sequence[bool],
) -> Raw:
    answers = {
        "C1_req": dict(zip(("REQ-1", "REQ-2"), first, strict=True)),
        "C2_req": dict(zip(("REQ-1", "REQ-2"), second, strict=True)),
    }
    votes0 = {"C0_votes_pass": votes, "C0_of": 3}
    named = dict(zip(("C0", "C1", "C2"), verdicts, strict=True))
    return {"id": name, "compliant": compliant, **votes0, **named, "C2_votes_per_req": 1, **answers}


#: A record of our own, small but with every kind of cell: it bites where the published one is absent.
SMALL: Raw = {
    "source": "made up for this test",
    "phase1": {
        "run": {"date": "2025-01-01", "model": "none", "rounds": 3},
        "scenarios": [
            work1("W1-fine", True, 3, "PASS", "PASS", present="ab"),
            work1("W2-bare", False, 0, "REJECT", "REJECT", missing="a", empty="b"),
            work1("W3-split", False, 2, "PASS", "REJECT", present="a", missing="bc"),
        ],
    },
    "phase2": {
        "run": {"date": "2025-01-01", "model": "none", "rounds": 3},
        "scenarios": [
            work2("V1-fine", True, 2, ("PASS", "PASS", "REJECT"), (True, True), (True, False)),
            work2("V2-not", False, 1, ("REJECT", "REJECT", "REJECT"), (False, False), (False, True)),
        ],
    },
}
SMALL_MET: Met = {"V1": (True, True), "V2": (False, False)}
PUBLISHED_MET: Met = {scenario.label: scenario.met for scenario in load_scenarios(2)}
CORRECTED_MET: Met = {scenario.label: scenario.really_met for scenario in load_scenarios(2)}


@pytest.fixture(scope="module")
def votes_file(reference_data: Path) -> Path:
    return reference_data / "published-votes.json"


@pytest.fixture(scope="module")
def record(votes_file):
    return load(votes_file)


def figures_of(raw: Raw, met: Met) -> channel_b.Figures:
    return channel_b.figures(parse(json.dumps(raw).encode()), met)


def other_cells(raw: Raw) -> Iterator[tuple[str, Raw]]:
    """Every record that differs in one verdict, vote, truth, file or answer, and the name of what differs."""
    for phase in ("phase1", "phase2"):
        for place, item in enumerate(raw[phase]["scenarios"]):
            for name, other in other_items(item):
                changed = copy.deepcopy(raw)
                changed[phase]["scenarios"][place] = other
                yield f"{item['id']} {name}", changed


def other_items(item: Raw) -> Iterator[tuple[str, Raw]]:
    for key, value in item.items():
        if isinstance(value, bool):
            yield key, {**item, key: not value}
        elif isinstance(value, str) and value in FLIPPED:
            yield key, {**item, key: FLIPPED[value]}
        elif key.endswith("votes_pass"):
            most = item[key.replace("votes_pass", "of")]
            yield from ((f"{key} {n}", {**item, key: n}) for n in range(most + 1) if n != value)
        elif isinstance(value, dict):
            for requirement, met in value.items():
                yield f"{key} {requirement}", {**item, key: {**value, requirement: not met}}
        elif isinstance(value, list):
            for name in value:
                for target in {"present", "missing", "empty"} - {key}:
                    kept = [other for other in value if other != name]
                    yield f"{name} to {target}", {**item, key: kept, target: [*item[target], name]}


def assert_no_cell_is_idle(raw: Raw, met: Met) -> int:
    before = figures_of(raw, met)
    idle = [name for name, changed in other_cells(raw) if figures_of(changed, met) == before]
    assert idle == []
    for label, labels in met.items():
        for place, truth in enumerate(labels):
            other = {**met, label: (*labels[:place], not truth, *labels[place + 1 :])}
            assert figures_of(raw, other) != before, f"{label} {place}"
    return sum(1 for _ in other_cells(raw))


def rates(counted: Score) -> tuple[tuple[int, int], ...]:
    """Right, not done and rejected, false accepts, false rejects, abstained."""
    named = (
        counted.accuracy,
        counted.detection,
        counted.false_accepts,
        counted.false_rejects,
        counted.abstained,
    )
    return tuple((rate.k, rate.n) for rate in named)


# What the rules say


def test_channel_b_wants_every_listed_file_with_content():
    outcomes = [channel_b.by_files(work) for work in parse(json.dumps(SMALL).encode()).channels]
    assert outcomes == [Outcome.PASS, Outcome.REJECT, Outcome.REJECT]


@pytest.mark.parametrize("lacking", ["missing", "empty"])
def test_one_lacking_file_rejects(lacking):
    raw = copy.deepcopy(SMALL)
    raw["phase1"]["scenarios"][0][lacking] = ["c"]
    assert channel_b.by_files(parse(json.dumps(raw).encode()).channels[0]) is Outcome.REJECT


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ((True, True), Outcome.PASS),
        ((True, False), Outcome.REJECT),
        ((False, False), Outcome.REJECT),
        ((), Outcome.REJECT),
    ],
)
def test_a_contract_passes_only_whole(answers, outcome):
    assert channel_b.by_answers(answers) is outcome


@pytest.mark.parametrize(
    ("passed", "of", "majority", "agreement"),
    [
        (3, 3, Outcome.PASS, Outcome.PASS),
        (2, 3, Outcome.PASS, Outcome.UNCLEAR),
        (1, 3, Outcome.REJECT, Outcome.UNCLEAR),
        (0, 3, Outcome.REJECT, Outcome.REJECT),
        (1, 2, Outcome.REJECT, Outcome.UNCLEAR),
        (4, 5, Outcome.PASS, Outcome.PASS),
        (1, 5, Outcome.REJECT, Outcome.REJECT),
    ],
)
def test_votes(passed, of, majority, agreement):
    votes = Votes(passed=passed, of=of)
    assert channel_b.by_majority(votes) is majority
    assert channel_b.by_agreement(votes) is agreement


def test_a_verdict_that_the_facts_do_not_give_is_named():
    raw = copy.deepcopy(SMALL)
    raw["phase1"]["scenarios"][2]["B"] = "PASS"
    assert channel_b.differences(parse(json.dumps(SMALL).encode())) == ()
    assert channel_b.differences(parse(json.dumps(raw).encode())) == ("W3 B: recorded PASS, replayed REJECT",)
    assert figures_of(SMALL, SMALL_MET).replayed == Rate(k=12, n=12)
    assert figures_of(raw, SMALL_MET).replayed == Rate(k=11, n=12)


def test_every_arm_of_a_small_record():
    result = figures_of(SMALL, SMALL_MET)
    assert {name: rates(counted) for name, counted in result.scores.items()} == {
        "A": ((2, 3), (1, 2), (1, 2), (0, 1), (0, 3)),
        "A votes": ((7, 9), (4, 6), (2, 6), (0, 3), (0, 9)),
        "A by agreement": ((2, 3), (1, 2), (0, 2), (0, 1), (1, 3)),
        "B": ((3, 3), (2, 2), (0, 2), (0, 1), (0, 3)),
        "A or B": ((3, 3), (2, 2), (0, 2), (0, 1), (0, 3)),
        "C0": ((2, 2), (1, 1), (0, 1), (0, 1), (0, 2)),
        "C0 votes": ((4, 6), (2, 3), (1, 3), (1, 3), (0, 6)),
        "C1": ((2, 2), (1, 1), (0, 1), (0, 1), (0, 2)),
        "C1 items": ((4, 4), (2, 2), (0, 2), (0, 2), (0, 4)),
        "C2": ((1, 2), (1, 1), (0, 1), (1, 1), (0, 2)),
        "C2 items": ((2, 4), (1, 2), (1, 2), (1, 2), (0, 4)),
    }
    files = {state: (rate.k, rate.n) for state, rate in result.files.items()}
    assert files == {"present": (3, 7), "missing": (3, 7), "empty": (1, 7)}


def test_no_cell_of_a_small_record_is_idle():
    assert assert_no_cell_is_idle(SMALL, SMALL_MET) == 3 * (3 + 3) + 2 * (4 + 3 + 4) + 2 * 7


def test_labels_that_do_not_fit_are_refused():
    for met in ({"V1": (True, True)}, {"V1": (True,), "V2": (False, False)}):
        with pytest.raises(ValueError, match=r"^V[12]: 2 requirements recorded, [01] labelled$"):
            figures_of(SMALL, met)


# What the file must look like


def change(phase: str, place: int, **fields: object) -> Raw:
    raw = copy.deepcopy(SMALL)
    raw[phase]["scenarios"][place].update(fields)
    return raw


def without(phase: str, place: int, key: str) -> Raw:
    raw = copy.deepcopy(SMALL)
    del raw[phase]["scenarios"][place][key]
    return raw


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (change("phase1", 1, compliant=1), r"bool.*\$\.phase1\.scenarios\[1\]\.compliant"),
        (change("phase1", 0, B="MAYBE"), r"MAYBE.*\$\.phase1\.scenarios\[0\]\.B"),
        (change("phase2", 1, C3="PASS"), r"unknown field `C3`.*\$\.phase2\.scenarios\[1\]"),
        (without("phase2", 0, "C1_req"), r"missing required field `C1_req`.*\$\.phase2\.scenarios\[0\]"),
        (change("phase1", 2, A_votes_pass=4), r"\$\.phase1\.scenarios\[2\]: 4 of 3 votes cannot be"),
        (change("phase1", 2, A_votes_pass=-1), r"\$\.phase1\.scenarios\[2\]: -1 of 3 votes cannot be"),
        (change("phase2", 0, C0_of=5), r"\$\.phase2\.scenarios\[0\]: 5 votes recorded in a run of 3 rounds"),
        (change("phase1", 0, present=[]), r"\$\.phase1\.scenarios\[0\]: no file is listed"),
        (change("phase1", 0, empty=["b"]), r"\$\.phase1\.scenarios\[0\]: named twice: b"),
        (change("phase1", 1, id="W1-again"), r"\$\.phase1\.scenarios: named twice: W1"),
        (
            change("phase2", 0, C1_req={}, C2_req={}),
            r"\$\.phase2\.scenarios\[0\]: no requirement is recorded",
        ),
        (change("phase2", 0, C2_req={"REQ-1": True}), r"\$\.phase2\.scenarios\[0\]: C1_req and C2_req name"),
        (change("phase2", 0, C2_votes_per_req=0), r"\$\.phase2\.scenarios\[0\]: 0 votes a requirement"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_place(raw, message):
    with pytest.raises(ValueError, match="(?i)" + message):
        parse(json.dumps(raw).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b"null"])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(ValueError, match=r"^published votes: "):
        parse(data)


def test_load_names_the_file(tmp_path):
    (tmp_path / "votes.json").write_bytes(b"{}")
    with pytest.raises(ValueError, match=r"votes\.json: published votes: "):
        load(tmp_path / "votes.json")
    with pytest.raises(OSError, match=r"absent"):
        load(tmp_path / "absent.json")


def test_answers_of_both_arms_stand_in_one_order():
    raw = change("phase2", 0, C2_req={"REQ-2": False, "REQ-1": True})
    assert parse(json.dumps(raw).encode()).contracted[0].c2 == (True, False)


# The published figures, to the digit


PUBLISHED = {
    "A": ((10, 12), (7, 9), (2, 9), (0, 3), (0, 12)),
    "A votes": ((28, 36), (21, 27), (6, 27), (2, 9), (0, 36)),
    "A by agreement": ((7, 12), (6, 9), (1, 9), (0, 3), (4, 12)),
    "B": ((9, 12), (6, 9), (3, 9), (0, 3), (0, 12)),
    "A or B": ((11, 12), (8, 9), (1, 9), (0, 3), (0, 12)),
    "C0": ((3, 7), (1, 5), (4, 5), (0, 2), (0, 7)),
    "C0 votes": ((8, 21), (3, 15), (12, 15), (1, 6), (0, 21)),
    "C1": ((6, 7), (4, 5), (1, 5), (0, 2), (0, 7)),
    "C1 items": ((31, 35), (11, 15), (4, 15), (0, 20), (0, 35)),
    "C2": ((6, 7), (5, 5), (0, 5), (1, 2), (0, 7)),
    "C2 items": ((29, 35), (12, 15), (3, 15), (3, 20), (0, 35)),
}


def test_every_recorded_verdict_is_reproduced(record):
    assert len(record.channels) == 12
    assert len(record.contracted) == 7
    assert channel_b.differences(record) == ()
    assert channel_b.figures(record, PUBLISHED_MET).replayed == Rate(k=45, n=45)


def test_every_arm_comes_to_the_published_counts(record):
    scores = channel_b.figures(record, PUBLISHED_MET).scores
    assert {name: rates(counted) for name, counted in scores.items()} == PUBLISHED


def test_items_with_the_two_doubtful_labels_put_right(record):
    scores = channel_b.figures(record, CORRECTED_MET).scores
    assert rates(scores["C1 items"])[:4] == ((31, 35), (11, 15), (4, 15), (0, 20))
    assert rates(scores["C2 items"])[:4] == ((31, 35), (13, 15), (2, 15), (2, 20))


@pytest.mark.parametrize(
    ("arm", "right", "detected"),
    [
        ("A", "10/12 = 83.3 % (55-95)", "7/9 = 77.8 % (45-94)"),
        ("B", "9/12 = 75.0 % (47-91)", "6/9 = 66.7 % (35-88)"),
        ("A or B", "11/12 = 91.7 % (65-99)", "8/9 = 88.9 % (57-98)"),
        ("C0", "3/7 = 42.9 % (16-75)", "1/5 = 20.0 % (4-62)"),
        ("C1", "6/7 = 85.7 % (49-97)", "4/5 = 80.0 % (38-96)"),
        ("C2", "6/7 = 85.7 % (49-97)", "5/5 = 100.0 % (57-100)"),
        ("C1 items", "31/35 = 88.6 % (74-95)", "11/15 = 73.3 % (48-89)"),
        ("C2 items", "29/35 = 82.9 % (67-92)", "12/15 = 80.0 % (55-93)"),
    ],
)
def test_published_figures_in_print(record, arm, right, detected):
    counted = channel_b.figures(record, PUBLISHED_MET).scores[arm]
    assert (counted.accuracy.text(), counted.detection.text()) == (right, detected)


def cells(answers: Sequence[bool]) -> str:
    return "".join("FT"[answer] for answer in answers)


#: C1 and C2, requirement by requirement.
CELLS = {
    "SC10a": ("TTTTT", "TTFTT"),
    "SC10b": ("TTTFT", "TTTFF"),
    "SC10c": ("TTTTT", "TTFTT"),
    "SC13": ("TTTTT", "TTTTT"),
    "SC14": ("FFTFF", "FFFTT"),
    "SC05": ("TTFTT", "FFFTT"),
    "SC11": ("FFFFF", "FFFFF"),
}


def test_every_recorded_requirement_is_read_as_recorded(record):
    assert {work.label: (cells(work.c1), cells(work.c2)) for work in record.contracted} == CELLS


def test_files_of_the_first_experiment(record):
    files = channel_b.figures(record, PUBLISHED_MET).files
    assert {state: (rate.k, rate.n) for state, rate in files.items()} == {
        "present": (26, 39),
        "missing": (11, 39),
        "empty": (2, 39),
    }


def test_no_cell_of_the_published_record_is_idle(votes_file):
    raw = json.loads(votes_file.read_bytes())
    assert assert_no_cell_is_idle(raw, PUBLISHED_MET) == 12 * (3 + 3) + 39 * 2 + 7 * (4 + 3 + 10)


# What happens without the data


@pytest.mark.parametrize(
    ("data", "ci", "passes", "said"),
    [
        (None, "true", True, "BACKCHECK_DATA is not set"),
        ("nowhere", "", True, "BACKCHECK_DATA names no folder"),
        ("nowhere", "true", False, "BACKCHECK_DATA names no folder"),
    ],
)
def test_absent_data_is_said_and_a_wrong_path_fails_in_ci(tmp_path, data, ci, passes, said):
    kept = {key: value for key, value in os.environ.items() if key != "BACKCHECK_DATA" and "PYTEST" not in key}
    named = {"BACKCHECK_DATA": str(tmp_path / data)} if data else {}
    test = f"{__file__}::test_every_recorded_verdict_is_reproduced"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "-n0", test]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**kept, **named, "CI": ci}, timeout=120
    )
    assert said in run.stdout
    assert (run.returncode == 0) is passes
    assert ("1 skipped" in run.stdout) is passes
