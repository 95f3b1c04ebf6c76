from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from ruamel.yaml import YAML

from backcheck.experiments.fixtures import build
from backcheck.experiments.fixtures.scenarios import (
    Scenario,
    contract_text,
    load_scenarios,
    parse,
    requirement_ids,
)
from backcheck.experiments.published import load

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

FIRST = {scenario.label: scenario for scenario in load_scenarios(1)}
SECOND = {scenario.label: scenario for scenario in load_scenarios(2)}
EVERY = [*FIRST.values(), *SECOND.values()]

TEST, LINT, TYPES = "test-output.txt", "lint-report.txt", "typecheck-output.txt"
COVERAGE, REVIEW, CI = "coverage-summary.txt", "diff-review.md", "ci-config-verified.txt"


def name_of(scenario: Scenario) -> str:
    return f"{scenario.phase}-{scenario.label}"


def read_yaml(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def gates_of(name: str) -> list[Any]:
    return list(read_yaml(contract_text(name))["requirements"])


def matches(gate: Any, files: Any) -> bool:
    """Whether the gate's pattern stands in its file; JavaScript and Python agree on all that these use."""
    asked = gate["with"]
    text = files.get(asked["file"].removeprefix(f"{build.EVIDENCE}/"), "")
    return re.search(asked["pattern"], text, re.IGNORECASE if "i" in asked["flags"] else 0) is not None


# The facts


def test_there_are_twelve_and_seven():
    assert list(FIRST) == [f"SC{n:02}" for n in range(1, 13)]
    assert set(SECOND) == {"SC05", "SC10a", "SC10b", "SC10c", "SC11", "SC13", "SC14"}
    assert [label for label, scenario in FIRST.items() if scenario.compliant] == ["SC01", "SC06", "SC09"]
    assert {label for label, scenario in SECOND.items() if scenario.compliant} == {"SC10c", "SC13"}


def test_what_is_missing_and_what_is_empty():
    lacking = {
        name_of(scenario): (
            set(scenario.required) - set(scenario.files),
            [n for n, text in scenario.files.items() if not text],
        )
        for scenario in EVERY
    }
    assert {name: found for name, found in lacking.items() if any(found)} == {
        "1-SC02": ({TEST, LINT, REVIEW}, []),
        "1-SC03": (set(), ["cleanup-report.txt", REVIEW]),
        "1-SC05": ({LINT}, []),
        "1-SC08": ({COVERAGE}, []),
        "1-SC11": ({TEST, LINT}, []),
        "1-SC12": ({TEST, LINT, REVIEW, "change-log.txt"}, []),
        "2-SC05": ({LINT}, []),
        "2-SC11": ({CI, TEST, LINT}, []),
    }


def test_presence_and_truth_are_the_published_ones(reference_data):
    record = load(reference_data / "published-votes.json")
    assert [work.label for work in record.channels] == list(FIRST)
    for work in record.channels:
        ours = FIRST[work.label]
        assert ours.compliant is work.compliant
        assert set(ours.required) == {*work.present, *work.missing, *work.empty}
        assert {name for name, text in ours.files.items() if text} == set(work.present)
        assert {name for name, text in ours.files.items() if not text} == set(work.empty)
    assert {work.label for work in record.contracted} == set(SECOND)
    for case in record.contracted:
        assert SECOND[case.label].compliant is case.compliant
        assert len(requirement_ids(SECOND[case.label].contract)) == len(case.requirements) == 5


#: (scenario, file, words of it): the facts that stand in the evidence.
FACTS = [
    ("1-SC01", TEST, ["42 passed, 0 failed (42)", "4 passed (4)"]),
    ("1-SC01", LINT, ["0 errors, 0 warnings"]),
    ("1-SC01", REVIEW, ["1. ", "2. ", "3. ", "4. ", "the only file that changed"]),
    ("1-SC04", LINT, ["0 errors, 0 warnings"]),
    ("1-SC05", TEST, ["42 passed, 0 failed"]),
    ("1-SC06", TEST, ["87 passed, 0 failed (87)", "92.3 %", "88.5 %", "95.0 %", "91.8 %"]),
    ("1-SC06", LINT, ["0 errors, 0 warnings"]),
    ("1-SC06", TYPES, ["0 errors, 0 warnings"]),
    ("1-SC06", COVERAGE, ["92.3 %", "branches: 88.5 %", "functions: 95.0 %", "lines: 91.8 %"]),
    ("1-SC07", "cleanup-report.txt", ["2025-05-13", "3 files removed"]),
    ("1-SC07", REVIEW, ["2025-05-13"]),
    ("1-SC08", TEST, ["87 passed, 0 failed"]),
    ("1-SC08", LINT, ["0 errors, 0 warnings"]),
    ("1-SC08", TYPES, ["0 errors"]),
    (
        "1-SC09",
        CI,
        ["syntax: valid", "test: needs build", "deploy: needs test", "triggers: push, pull_request"],
    ),
    ("1-SC09", TEST, ["87 passed, 0 failed (87)"]),
    ("1-SC10", TEST, ["24 passed, 0 failed (24)", "92.3 % | 85.0 %", "95.0 % | 90.0 %"]),
    ("1-SC10", LINT, ["0 errors, 0 warnings"]),
    ("1-SC10", REVIEW, ["class", "Redis", "configuration", "clean"]),
    ("1-SC11", REVIEW, ["(5 files)", "Issues found: 1", "test run is not needed"]),
    ("2-SC10a", TEST, ["24 passed, 0 failed (24)", "IpLimiter", "UserLimiter"]),
    ("2-SC10a", LINT, ["0 errors, 0 warnings"]),
    ("2-SC10a", REVIEW, ["by TTL", "not by write-invalidation", "suffices"]),
    ("2-SC10a", COVERAGE, ["lines: 92.0 %", "branches: 85.0 %"]),
    ("2-SC10b", TEST, ["18 passed, 0 failed (18)", "invalidated on write"]),
    ("2-SC10b", LINT, ["0 errors, 2 warnings"]),
    ("2-SC10b", REVIEW, ["72 %"]),
    ("2-SC10b", COVERAGE, ["lines: 72.3 %", "branches: 65.0 %"]),
    ("2-SC10c", TEST, ["30 passed, 0 failed (30)", "invalidated on write"]),
    ("2-SC10c", LINT, ["0 errors, 0 warnings"]),
    ("2-SC10c", COVERAGE, ["91.5 %"]),
    ("2-SC13", TEST, ["30 passed, 0 failed (30)", "purge-on-write"]),
    ("2-SC13", REVIEW, ["name for write-invalidation"]),
    ("2-SC13", COVERAGE, ["93.0 %"]),
    ("2-SC14", LINT, ["No issues"]),
    ("2-SC14", COVERAGE, ["92%"]),
    ("2-SC05", CI, ["syntax: valid", "job build", "job test", "triggers"]),
    ("2-SC05", TEST, ["42 passed, 0 failed"]),
    ("2-SC11", REVIEW, ["test run is not needed"]),
]


@pytest.mark.parametrize(("name", "file", "words"), FACTS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_evidence_holds_the_facts(name, file, words):
    scenario = {name_of(scenario): scenario for scenario in EVERY}[name]
    assert [word for word in words if word not in scenario.files[file]] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1-SC01", ["42 tests", "0 errors and 0 warnings"]),
        ("1-SC03", ["three files"]),
        ("1-SC06", ["87 of 87", "92 %"]),
        ("1-SC07", ["14 May 2025", "five files"]),
        ("1-SC08", ["four checks"]),
        ("1-SC11", ["need not run again"]),
        ("2-SC10b", ["high enough", "ready for production"]),
        ("2-SC14", ["over 90 %", "0 problems"]),
    ],
)
def test_the_claim_says_what_was_claimed(name, words):
    claim = {name_of(scenario): scenario for scenario in EVERY}[name].claim
    assert [word for word in words if word not in claim] == []


@pytest.mark.parametrize(
    ("name", "suites", "total"),
    [
        ("1-SC01", 4, 42),
        ("1-SC06", 4, 87),
        ("1-SC09", 4, 87),
        ("1-SC10", 5, 24),
        ("2-SC10a", 3, 24),
        ("2-SC10b", 3, 18),
        ("2-SC10c", 3, 30),
        ("2-SC13", 3, 30),
    ],
)
def test_suites_add_up_to_the_total(name, suites, total):
    text = {name_of(scenario): scenario for scenario in EVERY}[name].files[TEST]
    counts = [int(count) for count in re.findall(r"✓ .*\((\d+) tests\)", text)]
    assert len(counts) == suites
    assert sum(counts) == total
    assert f"{total} passed, 0 failed" in text


def test_made_up_evidence_names_no_number_of_tests():
    for scenario in (FIRST["SC04"], SECOND["SC14"]):
        assert not re.search(r"\d", scenario.files[TEST])
    assert not re.search(r"\d", SECOND["SC14"].files[LINT])


def test_the_requirement_of_sc10_stands_in_no_file():
    scenario = FIRST["SC10"]
    everything = "\n".join([scenario.task, scenario.claim, *scenario.files.values()]).lower()
    assert not re.search(r"invalidat|purg|evict|write|stale", everything)


def test_sc05_builds_no_deploy_job_and_no_chain():
    text = SECOND["SC05"].files[CI]
    assert "deploy" not in text
    assert "needs" not in text


def test_labels_are_the_source_s_and_two_are_put_right():
    def letters(labels: tuple[bool, ...]) -> str:
        return "".join("FT"[label] for label in labels)

    assert {label: letters(scenario.met) for label, scenario in SECOND.items()} == {
        "SC05": "TFFTF",
        "SC10a": "TTFTT",
        "SC10b": "TTTFT",
        "SC10c": "TTTTT",
        "SC11": "FFFFF",
        "SC13": "TTTTT",
        "SC14": "FFFFF",
    }
    put_right = {label: letters(scenario.corrected) for label, scenario in SECOND.items() if scenario.corrected}
    assert put_right == {"SC05": "TFFTT", "SC10b": "TTTFF"}


# The contracts


@pytest.mark.parametrize(
    ("name", "asked"),
    [("rate-limiter", [TEST, TEST, REVIEW, COVERAGE, LINT]), ("ci-pipeline", [CI, CI, CI, TEST, CI])],
)
def test_a_contract_asks_one_pattern_a_requirement(name, asked):
    contract = read_yaml(contract_text(name))
    assert set(contract) == {"version", "task", "requirements"}
    assert contract["version"] == 1
    assert [gate["with"]["file"] for gate in contract["requirements"]] == [f"evidence/{file}" for file in asked]
    for requirement in contract["requirements"]:
        assert set(requirement) == {"id", "description", "check", "with"}
        assert requirement["check"] == "file-contains"
        assert set(requirement["with"]) == {"file", "pattern", "flags"}


@pytest.mark.parametrize(
    ("name", "good"),
    [("rate-limiter", SECOND["SC10c"]), ("rate-limiter", SECOND["SC13"]), ("ci-pipeline", FIRST["SC09"])],
)
def test_each_pattern_matches_good_work_and_nothing_without_it(name, good):
    for gate in gates_of(name):
        assert matches(gate, good.files), gate["id"]
        file = gate["with"]["file"].removeprefix(f"{build.EVIDENCE}/")
        assert not matches(gate, {**good.files, file: ""}), gate["id"]


@pytest.mark.parametrize(
    ("requirement", "matching", "other"),
    [
        (
            "ip-limit",
            ["limits by IP", "one IP over its limit"],
            ["limits by script", "ship the limiter", "no bound per IP"],
        ),
        ("user-limit", ["limit per user", "User over limit"], ["limits by usage", "a user signs in"]),
        (
            "write-invalidation",
            ["evicted on every write", "purge\nafter writing"],
            ["evicted at night. A write is logged."],
        ),
        (
            "coverage",
            ["85 %", "85.0%", "100 %", "99.95 %"],
            ["84.9 %", "8.5 %", "185 %", "72.3 %", "coverage of 90"],
        ),
        (
            "lint-clean",
            ["0 errors, 0 warnings", "0 error / 0 warning"],
            ["10 errors, 0 warnings", "0 errors, 2 warnings"],
        ),
        ("build-job", ["build: Node 20 with pnpm"], ["build: Node 18 with pnpm", "build: Node 20 with npm"]),
        ("test-after-build", ["job test: needs build"], ["job test: runs", "job build: needs test"]),
        (
            "deploy-on-main",
            ["deploy: only on main"],
            ["deploy: on every branch", "deploy: only on maintenance"],
        ),
        ("local-checks", ["42 passed, 0 failed"], ["0 passed, 0 failed", "42 passed, 10 failed"]),
        ("config-valid", ["syntax: valid"], ["syntax: invalid", "the schedule is valid"]),
    ],
)
def test_what_a_pattern_takes_and_leaves(requirement, matching, other):
    gates = {gate["id"]: gate for gate in (*gates_of("rate-limiter"), *gates_of("ci-pipeline"))}
    gate = gates[requirement]
    file = gate["with"]["file"].removeprefix(f"{build.EVIDENCE}/")
    assert [text for text in matching if not matches(gate, {file: text})] == []
    assert [text for text in other if matches(gate, {file: text})] == []


def test_a_pattern_over_a_number_asks_for_no_metric():
    """The limit of this arm: any high enough percentage will do, whatever it measures."""
    gate = next(gate for gate in gates_of("rate-limiter") if gate["id"] == "coverage")
    for text in ("12.85 %", "lines: 60 %, functions: 88 %", "was 90 %, is 40 %"):
        assert matches(gate, {COVERAGE: text}), text


# The workspaces


@pytest.mark.parametrize("scenario", EVERY, ids=name_of)
def test_a_presence_workspace_holds_evidence_claim_and_one_gate_a_file(scenario, tmp_path):
    folder = tmp_path / "work"
    build.write_presence(scenario, folder)
    evidence = folder / build.EVIDENCE
    assert {path.name: path.read_text("utf-8") for path in evidence.iterdir()} == scenario.files
    assert (folder / build.CLAIM).read_text("utf-8") == scenario.claim
    assert not (folder / ".backcheck").exists()
    contract = read_yaml((folder / ".skillgate" / "done.yaml").read_text("utf-8"))
    assert contract["version"] == 1
    assert [gate["file"] for gate in contract["gates"]] == [f"evidence/{name}" for name in scenario.required]
    assert {gate["type"] for gate in contract["gates"]} == {"evidence"}
    assert len({gate["id"] for gate in contract["gates"]}) == len(scenario.required)


@pytest.mark.parametrize("scenario", SECOND.values(), ids=name_of)
def test_a_content_workspace_holds_the_native_contract_alone(scenario, tmp_path):
    folder = tmp_path / "work"
    build.write_content(scenario, folder)
    assert (folder / ".backcheck" / "contract.yaml").read_text("utf-8") == contract_text(scenario.contract)
    assert not (folder / ".skillgate").exists()
    assert {path.name for path in (folder / build.EVIDENCE).iterdir()} == set(scenario.files)
    assert {gate["with"]["file"] for gate in gates_of(scenario.contract)} <= {
        f"{build.EVIDENCE}/{name}" for name in scenario.required
    }


def test_an_existing_folder_is_left_alone(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("kept")
    for write in (build.write_presence, build.write_content):
        with pytest.raises(FileExistsError):
            write(SECOND["SC10a"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_phase_one_has_no_contract_to_write(tmp_path: Path):
    with pytest.raises(ValueError, match="SC01 of phase 1 has no contract"):
        build.write_content(FIRST["SC01"], tmp_path / "work")
    assert list(tmp_path.iterdir()) == []


def test_awkward_names_stay_whole_in_the_contract():
    awkward = replace(FIRST["SC02"], required=('a "b": #c.txt',))
    assert read_yaml(build.presence_contract(awkward))["gates"][0]["file"] == 'evidence/a "b": #c.txt'


# The scenario files


GOOD = """
label: X
phase: 2
shows: s
task: t
claim: c
compliant: false
contract: rate-limiter
met: [true, true, true, true, false]
required: [a.txt]
files: {a.txt: text}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("phase: 2", "phase: two", r"int.*\$\.phase"),
        ("compliant: false", "compliant: no", r"bool.*\$\.compliant"),
        ("task: t\n", "", "missing required field `task`"),
        ("task: t", "task: t\nmett: []", "unknown fields: mett"),
        ("[a.txt]", "[]", "no file is required"),
        ("{a.txt: text}", "{b.txt: text}", "nothing asks for: b.txt"),
        ("true, false]", "true]", "5 requirements, 4"),
        ("contract: rate-limiter\n", "", "0 requirements, 5"),
        ("shows: s", "corrected: [true]\nshows: s", "5 requirements, 5 and 1 labels"),
        ("label: X", "label: X\nlabel: Y", "duplicate key"),
        ("label: X", "label: [", "expected"),
    ],
)
def test_a_wrong_scenario_file_is_refused(old, new, message):
    assert parse(GOOD).label == "X"
    assert GOOD.count(old) == 1
    with pytest.raises(ValueError, match=message):
        parse(GOOD.replace(old, new))
