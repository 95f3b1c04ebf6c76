"""The 19 pieces of work under our own contracts: what comes out, and that it is the evidence that decides."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

from backcheck.experiments.fixtures import own
from backcheck.experiments.fixtures.records import COVERAGE, ESLINT, JUNIT, TSC, Files, add_record
from backcheck.experiments.fixtures.reportfiles import Job, istanbul, workflow
from backcheck.experiments.fixtures.scenarios import Scenario, load_scenarios
from backcheck.surfaces.cli.main import run

EVERY = {f"{scenario.phase}/{scenario.label}": scenario for phase in (1, 2) for scenario in load_scenarios(phase)}
TEST, LINT, COVER, TYPES = "test-output.txt", "lint-report.txt", "coverage-summary.txt", "typecheck-output.txt"
#: Verdict, and the requirements that do not pass with their status.
EXPECTED: dict[str, tuple[str, dict[str, str]]] = {
    "1/SC01": ("PASS", {}),
    "1/SC02": ("REJECT", {"workflow": "fail", "tests": "fail", "lint": "fail", "review": "fail"}),
    "1/SC03": ("REJECT", {"report": "fail", "review": "fail"}),
    "1/SC04": ("REJECT", {"workflow": "fail", "tests": "unclear", "lint": "unclear", "review": "fail"}),
    "1/SC05": ("REJECT", {"lint": "fail"}),
    "1/SC06": ("PASS", {}),
    "1/SC07": ("REJECT", {"report": "fail"}),
    "1/SC08": ("REJECT", {"coverage": "fail"}),
    "1/SC09": ("PASS", {}),
    "1/SC10": ("UNCLEAR", {"write-invalidation": "unclear"}),
    "1/SC11": ("REJECT", {"tests": "fail", "lint": "fail"}),
    "1/SC12": ("REJECT", {"tests": "fail", "lint": "fail", "review": "fail", "changes": "fail"}),
    "2/SC05": ("REJECT", {"workflow": "fail", "lint": "fail"}),
    "2/SC10a": ("UNCLEAR", {"write-invalidation": "unclear"}),
    "2/SC10b": ("REJECT", {"write-invalidation": "unclear", "coverage": "fail", "lint": "fail"}),
    "2/SC10c": ("UNCLEAR", {"write-invalidation": "unclear"}),
    "2/SC11": ("REJECT", {"workflow": "fail", "tests": "fail", "lint": "fail"}),
    "2/SC13": ("UNCLEAR", {"write-invalidation": "unclear"}),
    "2/SC14": ("UNCLEAR", dict.fromkeys(("ip-limit", "user-limit", "write-invalidation", "coverage", "lint"), "unclear")),
}  # fmt: skip


@pytest.fixture
def judged(tmp_path, capsys):
    """A function: a scenario, perhaps with other files → the verdict, and what does not pass."""

    def judge(scenario: Scenario, **files: str) -> tuple[str, dict[str, str], dict[str, str]]:
        folder = tmp_path / "work"
        own.write_own(scenario, folder)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        capsys.readouterr()
        code = run(["check", "--json", "-C", str(folder)])
        report = json.loads(capsys.readouterr().out)
        assert code == {"PASS": 0, "REJECT": 1, "UNCLEAR": 3}[report["verdict"]]
        bad = [finding for finding in report["findings"] if finding["status"] != "pass"]
        return (
            report["verdict"],
            {f["requirement"]: f["status"] for f in bad},
            {f["requirement"]: f["reason"] for f in bad},
        )

    return judge


@pytest.mark.parametrize("name", EVERY)
def test_what_comes_out(name, judged):
    verdict, bad, _ = judged(EVERY[name])
    assert (verdict, bad) == EXPECTED[name]


def test_the_bars_hold_for_what_comes_out():
    truth = {name: scenario.compliant for name, scenario in EVERY.items()}
    outcomes = {name: verdict for name, (verdict, _) in EXPECTED.items()}
    assert set(outcomes) == set(truth)
    assert len(truth) == 19
    assert sum(truth.values()) == 5
    assert [name for name, good in truth.items() if not good and outcomes[name] == "PASS"] == []
    assert [name for name, good in truth.items() if good and outcomes[name] == "REJECT"] == []
    assert [name for name, good in truth.items() if good and outcomes[name] == "PASS"] == ["1/SC01", "1/SC06", "1/SC09"]


def test_reasons_say_what_a_person_must_weigh(judged, tmp_path):
    *_, reasons = judged(EVERY["2/SC13"])
    assert reasons["write-invalidation"].startswith("docs/review.md:4 says it, and prose is no proof: “")


def test_yesterday_s_record_is_told_by_its_day(judged):
    *_, reasons = judged(EVERY["1/SC07"])
    assert "is of 2025-05-13, and not before 2025-05-14 is asked" in reasons["report"]


# One figure made worse, one made better


def changed(name: str, file: str, old: str, new: str) -> Scenario:
    scenario = EVERY[name]
    assert scenario.files[file].count(old) >= 1
    return replace(scenario, files={**scenario.files, file: scenario.files[file].replace(old, new)})


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "requirement"),
    [
        ("1/SC01", TEST, "42 passed, 0 failed", "41 passed, 1 failed", "tests"),
        ("1/SC01", LINT, "result: 0 errors, 0 warnings", "  3:1  warning  Unexpected console\nsrc/part01.ts\nresult: 0 errors, 1 warning", "lint"),
        ("1/SC06", COVER, "lines: 91.8", "lines: 79.9", "coverage"),
        ("1/SC06", TEST, "87 passed, 0 failed", "86 passed, 1 failed", "tests"),
        ("1/SC09", LINT, "result: 0 errors", "  3:1  error  Unexpected console\nsrc/part01.ts\nresult: 1 error", "lint"),
        ("2/SC10c", COVER, "91.5", "84.9", "coverage"),
        ("2/SC13", COVER, "93.0", "9.3", "coverage"),
        ("2/SC13", TEST, "UserLimiter: answers 429 when one user is", "AccountLimiter: answers 429 when one account is", "user-limit"),
        ("2/SC10c", TEST, "IpLimiter: answers 429 when one IP is over its limit", "limits by address", "ip-limit"),
    ],
)  # fmt: skip
def test_one_figure_made_worse_turns_finished_work(name, file, old, new, requirement, judged):
    verdict, bad, _ = judged(changed(name, file, old, new))
    assert verdict == "REJECT"
    assert bad[requirement] == "fail"


def test_a_job_that_deploys_from_every_branch_turns_finished_work(judged):
    jobs = {**own.WORKFLOWS[1, "SC09"].jobs, "deploy": Job(run=["pnpm release"], needs=["test"])}
    verdict, bad, _ = judged(EVERY["1/SC09"], **{own.WORKFLOW: workflow(jobs, ["push"])})
    assert (verdict, bad) == ("REJECT", {"workflow": "fail"})


@pytest.mark.parametrize("name", ["1/SC01", "1/SC06", "1/SC09"])
def test_every_record_of_finished_work_counts(name, judged, tmp_path):
    for file in EVERY[name].files:
        if file != "ci-config-verified.txt":
            scenario = EVERY[name]
            left = replace(scenario, files={k: v for k, v in scenario.files.items() if k != file})
            folder = tmp_path / file
            own.write_own(left, folder)
            # SC06 has its coverage in the test runner's output as well, in a form that no tool reads.
            assert run(["check", "-q", "-C", str(folder)]) == 1, file


def test_the_missing_record_added_passes(judged):
    good = EVERY["1/SC06"]
    verdict, bad, _ = judged(replace(EVERY["1/SC08"], files={**EVERY["1/SC08"].files, COVER: good.files[COVER]}))
    assert (verdict, bad) == ("PASS", {})


def test_good_figures_leave_only_the_prose_to_a_person(judged):
    mended = changed("2/SC10b", COVER, "72.3", "92.3")
    mended = replace(mended, files={**mended.files, LINT: EVERY["2/SC10c"].files[LINT]})
    assert judged(mended)[:2] == ("UNCLEAR", {"write-invalidation": "unclear"})


def test_made_up_records_do_not_pass_even_beside_real_work(judged):
    """SC04 was not asked for a review, and its evidence says nothing of the workflow: both given, it is still no pass."""
    good = own.evidence_of(EVERY["1/SC01"])
    files = {name: good[name] for name in (own.WORKFLOW, "docs/review.md")}
    assert judged(EVERY["1/SC04"], **files)[:2] == ("UNCLEAR", {"tests": "unclear", "lint": "unclear"})


# The contracts


def test_one_contract_for_each_task_and_none_knows_a_piece_of_work():
    contracts = own.contracts()
    assert set(contracts) == {scenario.task for scenario in EVERY.values()}
    for text in contracts.values():
        assert not re.search(r"SC\d|compliant|42|87|92|72\.3|91\.", text)


def test_prose_is_asked_by_checks_that_do_not_believe_it():
    for text in own.contracts().values():
        for requirement in YAML(typ="safe", pure=True).load(text)["requirements"]:
            assert requirement["check"] in {"tests", "lint-report", "metric", "schema", "shape", "says"}
            file = requirement["with"].get("file", "")
            assert requirement["check"] in {"says", "shape", "schema"} or not file.endswith(".md")


def test_two_contracts_for_one_task_are_an_error(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / "own" / name).write_text("version: 1\ntask: t\nrequirements: []\n")
    monkeypatch.setattr(own, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"b\.yaml: another contract is for the same task"):
        own.contracts()


# The evidence


@pytest.mark.parametrize("name", EVERY)
def test_reports_hold_the_published_figures(name):
    scenario, made = EVERY[name], own.evidence_of(EVERY[name])
    if match := re.search(r"Tests: (\d+) passed, (\d+) failed", scenario.files.get(TEST, "")):
        cases = list(ElementTree.fromstring(made[JUNIT]).iter("testcase"))
        failed = [case for case in cases if case.find("failure") is not None]
        assert (len(cases) - len(failed), len(failed)) == (int(match[1]), int(match[2]))
    if match := re.search(r"result: (\d+) errors, (\d+) warnings", scenario.files.get(LINT, "")):
        entries = json.loads(made[ESLINT])
        assert sum(entry["errorCount"] for entry in entries) == int(match[1])
        assert sum(entry["warningCount"] for entry in entries) == int(match[2])
    if match := re.search(r"(\d+) files checked", scenario.files.get(LINT, "")):
        assert len(json.loads(made[ESLINT])) == int(match[1])
    if match := re.search(r"(\d+) files, 0 errors", scenario.files.get(TYPES, "")):
        assert len(made[TSC].splitlines()) == int(match[1])
    if match := re.search(r"lines: ([\d.]+) %", scenario.files.get(COVER, "")):
        assert json.loads(made[COVERAGE])["total"]["lines"]["pct"] == float(match[1])


def test_coverage_in_a_runner_s_table_is_kept():
    report = json.loads(own.evidence_of(EVERY["1/SC10"])[COVERAGE])
    assert report["src/limiter.ts"]["lines"]["pct"] == 92.3
    assert report["src/counter-store.ts"]["branches"]["pct"] == 90.0


def test_what_somebody_wrote_stays_as_it_is():
    made = own.evidence_of(EVERY["1/SC04"])
    assert made[JUNIT] == EVERY["1/SC04"].files[TEST]
    assert made[ESLINT] == EVERY["1/SC04"].files[LINT]
    made = own.evidence_of(EVERY["2/SC14"])
    assert made[COVERAGE] == "Total coverage: 92%\n"
    assert "docs/review.md" in own.evidence_of(EVERY["1/SC03"])
    assert own.evidence_of(EVERY["1/SC03"])["docs/review.md"] == ""
    assert set(own.evidence_of(EVERY["1/SC02"])) == {own.CLAIM}


def test_workflows_are_those_that_the_evidence_describes():
    for (phase, label), described in own.WORKFLOWS.items():
        text = " ".join(" ".join(EVERY[f"{phase}/{label}"].files.values()).split())
        assert [said for said in described.said if said not in text] == []
        assert YAML(typ="safe", pure=True).load(io.StringIO(workflow(described.jobs, described.triggers)))["jobs"]


def test_figures_that_do_not_fit_are_errors():
    with pytest.raises(ValueError, match="do not add up"):
        add_record(TEST, " ✓ a (3 tests)\nTests: 4 passed, 0 failed (4)\n", Files())
    with pytest.raises(ValueError, match="does not add up"):
        add_record(LINT, "eslint: 3 files checked\nresult: 1 errors, 0 warnings\n", Files())
    with pytest.raises(ValueError, match="no whole number"):
        istanbul({"a.ts": {"lines": Fraction(100, 3)}})
    with pytest.raises(KeyError):
        add_record("other.txt", "", Files())


def test_an_existing_folder_is_left_alone(tmp_path):
    with pytest.raises(FileExistsError):
        own.write_own(EVERY["1/SC01"], tmp_path)
    assert list(tmp_path.iterdir()) == []


# The script


@pytest.fixture
def bench(monkeypatch):
    script = Path(__file__).parents[2] / "bench" / "own_contracts.py"
    spec = importlib.util.spec_from_file_location("bench_own_contracts", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_the_script_prints_ours_beside_the_peers_and_fails_where_a_bar_is_missed(bench, monkeypatch, capsys):
    def ours(outcomes: Any) -> Any:
        return lambda scenarios: {
            bench.name_of(s): bench.Ours(outcome=bench.Outcome(outcomes(s)), reasons=("a fail: b",), passed=0, asked=1)
            for s in scenarios
        }

    monkeypatch.setattr(bench, "run_all", ours(lambda s: EXPECTED[f"{s.phase}/{s.label}"][0]))
    assert bench.main() == 0
    text = capsys.readouterr().out
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert rows["skillgate"][-6:] == ["10", "of", "14", "5", "of", "5"]
    assert "".join(rows["backcheck"][1:20]) == "PrrrrPrrPurrrururuu"
    assert rows["backcheck"][-6:] == ["14", "of", "14", "3", "of", "5"]
    assert max(int(rows[peer][-6]) for peer in bench.PEERS if rows[peer][-3:] == ["5", "of", "5"]) == 10
    monkeypatch.setattr(bench, "run_all", ours(lambda s: "PASS" if s.label == "SC07" or s.compliant else "REJECT"))
    assert bench.main() == 1
    assert "MISSED 1/SC07 is not done, and passed" in capsys.readouterr().out
    monkeypatch.setattr(bench, "run_all", ours(lambda s: "REJECT"))
    assert bench.main() == 1
    text = capsys.readouterr().out
    assert "MISSED 1/SC01 is done, and was rejected" in text
    assert "MISSED 0 pieces of finished work passed; at least 3 must" in text


def test_every_peer_answered_every_piece_of_work(bench):
    assert len(bench.PEERS) == 19
    assert {(len(first), len(second)) for first, second in bench.PEERS.values()} == {(12, 7)}
