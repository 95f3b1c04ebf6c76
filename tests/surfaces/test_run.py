"""`run`, `records` and `begin` through the command line, with real commands that are really killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support import Repo

from backcheck.evidence.git import discover
from backcheck.evidence.recording import files_of
from backcheck.evidence.records import RunRecord, read
from backcheck.evidence.vault import Vault
from backcheck.ledger.location import open_ledger
from backcheck.surfaces.cli.main import run as main

CONTRACT = """version: 1
requirements:
  - id: tests
    check: command
    with: {run: [sh, -c, "echo 3 passed > report.txt"], env: [FLAVOUR]}
"""


@pytest.fixture
def work(repo: Repo, monkeypatch) -> Repo:
    repo.write("a.txt", "a\n")
    repo.write(".gitignore", "report.txt\n")
    repo.write(".backcheck/contract.yaml", CONTRACT)
    repo.commit()
    monkeypatch.chdir(repo.root)
    return repo


def ledger(repo: Repo):
    repository = discover(repo.root)
    assert repository is not None
    return open_ledger(repository, repo.root)


def records_of(repo: Repo) -> list[RunRecord]:
    """Every record of the ledger; each must hold."""
    found = [read(entry.body) for entry in ledger(repo).entries("run")]
    assert [item.problem for item in found] == [""] * len(found)
    return [item.record for item in found if item.record is not None]


def vault(repo: Repo) -> Vault:
    return Vault(Path(ledger(repo).where).parent / "kept")


def call(*arguments: str, **more) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "backcheck", *arguments], capture_output=True, timeout=60, check=False, **more
    )


def test_output_and_code_are_the_commands_own_and_both_are_recorded(work):
    done = call("run", "--", "sh", "-c", "printf out; printf err >&2; exit 3")
    assert (done.returncode, done.stdout) == (3, b"out")
    assert done.stderr.startswith(b"err")
    (record,) = records_of(work)
    assert record.exit_code == 3
    assert sorted(vault(work).get(record.output.sha256)) == sorted(b"outerr")


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["--", "no-such-program"], 127, "cannot be started"),
        (["--timeout", "0.2", "--", "sleep", "30"], 124, "longer"),
        (["--", "sh", "-c", "kill -9 $$"], 128 + 9, "SIGKILL"),
        (["--", "sh", "-c", "sleep 60 & echo started"], 0, ""),
    ],
)
def test_endings(work, arguments, code, word):
    done = call("run", *arguments)
    assert done.returncode == code
    (record,) = records_of(work)
    assert word in record.stopped + record.signal


@pytest.mark.parametrize(
    "arguments", [[], ["--as", "nothing"], ["--key", "nobody", "--", "true"], ["--key", "../x", "--", "true"]]
)
def test_where_nothing_can_be_recorded_nothing_runs(work, arguments):
    marker = work.root / "ran"
    more = [] if "--" not in arguments else ["touch", str(marker)]
    done = call("run", *arguments[: -1 if more else None], *more)
    assert done.returncode == 125
    assert b"nothing was recorded" in done.stderr
    assert not marker.exists()


def test_a_store_that_cannot_be_written_is_125_before_the_command(work):
    (work.root / ".git/backcheck").write_text("no folder")
    done = call("run", "--", "touch", "ran")
    assert done.returncode == 125
    assert not (work.root / "ran").exists()


def test_the_contracts_own_command_runs_by_its_requirements_name(work):
    assert main(["run", "--as", "tests", "--report", "report.txt"]) == 0
    (record,) = records_of(work)
    assert record.argv[:2] == ["sh", "-c"]
    (report,) = record.reports
    assert vault(work).get(report.sha256) == b"3 passed\n"


def test_another_command_under_that_name_is_told_at_once(work):
    done = call("run", "--as", "tests", "--", "printf", "42 passed")
    assert done.returncode == 0
    assert b"not the contract's command" in done.stderr


def test_a_report_that_was_there_before_is_none_of_the_runs(work):
    work.write("report.txt", "900 passed\n")
    main(["run", "--report", "report.txt", "--", "true"])
    assert [record.reports for record in records_of(work)] == [[]]


def test_what_the_run_changed_is_told_also_where_it_was_put_back(work):
    main(["run", "--", "sh", "-c", "cp a.txt b; echo x > a.txt; cp b a.txt; rm b"])
    main(["run", "--", "true"])
    changed, clean = records_of(work)
    assert (changed.changed, clean.changed) == (["a.txt"], [])
    assert changed.before == changed.after == clean.before == clean.after


def test_the_manifest_lists_the_tree(work):
    main(["run", "--", "true"])
    (record,) = records_of(work)
    listed = files_of(vault(work).get(record.manifest.sha256))
    assert sorted(listed) == [".backcheck/contract.yaml", ".gitignore", "a.txt"]


def test_the_variables_of_the_contract_and_the_program_make_another_environment(work, monkeypatch):
    for value in ("mint", "lime"):
        monkeypatch.setenv("FLAVOUR", value)
        monkeypatch.setenv("UNRELATED", value)
        main(["run", "--as", "tests"])
    main(["run", "--as", "tests"])
    one, other, again = records_of(work)
    assert one.environment != other.environment == again.environment


def test_secrets_stay_out_of_the_record(work, monkeypatch):
    monkeypatch.setenv("SERVICE_TOKEN", "abcdef-very-secret")
    main(["run", "--", "echo", "abcdef-very-secret"])
    entry = next(iter(ledger(work).entries("run")))
    (record,) = records_of(work)
    assert b"very-secret" not in vault(work).get(record.output.sha256)
    assert "very-secret" not in json.dumps(dict(entry.body))


def test_a_flood_is_stopped_and_kept_in_bounds(work):
    done = call("run", "--", "sh", "-c", "yes")
    assert done.returncode == 124
    assert ["bytes" in record.stopped for record in records_of(work)] == [True]


def test_a_reader_that_goes_away_does_not_end_the_command(work):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "backcheck", "run", "--", "sh", "-c", "seq 100000; exit 5"], stdout=writer,
            stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert done.returncode == 5
    assert len(records_of(work)) == 1


def test_no_kill_leaves_half_a_record_or_loses_a_told_one(work):
    """The shipped bench kills 200 times; here enough of them that a lost entry would show."""
    chance, told = random.Random(4), []
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-m", "backcheck", "run", "--", "sh", "-c", "echo working"], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            _, said = process.communicate(timeout=chance.uniform(0.02, 0.6))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, said = process.communicate()
        told += [line.split()[2].decode().rstrip(":") for line in (said or b"").splitlines() if b"recorded " in line]
    held = ledger(work)
    assert held.verify() == []
    assert len(records_of(work)) >= len(told)
    assert set(told) <= {entry.id for entry in held.entries("run")}


def test_records_are_verified_by_others_with_the_public_key_alone(work, tmp_path, capsys):
    main(["run", "--", "true"])
    capsys.readouterr()
    main(["records", "export"])
    exported = tmp_path / "runs.intoto.jsonl"
    exported.write_text(capsys.readouterr().out)
    main(["keys", "show", "recorder"])
    key = capsys.readouterr().out.strip()
    main(["keys", "new", "stranger"])
    stranger = capsys.readouterr().out.strip()
    os.chdir(tmp_path)
    assert main(["records", "verify", str(exported), "--key", key]) == 0
    assert main(["records", "verify", str(exported), "--key", stranger]) == 1
    envelope = json.loads(exported.read_text())
    envelope["payload"] = envelope["payload"][:-8] + "AAAAAAA="
    exported.write_text(json.dumps(envelope) + "\n")
    assert main(["records", "verify", str(exported), "--key", key]) == 1
    exported.write_text("{cut\n")
    assert main(["records", "verify", str(exported)]) == 1
    exported.write_text("")
    assert main(["records", "verify", str(exported)]) == 1


def test_outside_a_repository_runs_are_recorded_beside_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--", "true"]) == 0
    assert main(["records", "list"]) == 0


def test_the_beginning_is_the_base_and_the_first_one_holds_until_its_pass(work, capsys):
    first = work.git("rev-parse", "HEAD")
    assert main(["begin"]) == 0
    work.write("b.txt", "b\n")
    second = work.commit()
    assert main(["begin"]) == 2
    assert "holds" in capsys.readouterr().err
    assert main(["check", "--json"]) == 0
    base = json.loads(capsys.readouterr().out)["base"]
    assert (base["commit"], base["origin"], base["movable"]) == (first, "begun", True)
    assert main(["begin"]) == 0
    capsys.readouterr()
    main(["check", "--json"])
    assert json.loads(capsys.readouterr().out)["base"]["commit"] == second


def test_a_beginning_written_by_hand_before_the_pass_changes_nothing(work, capsys):
    first = work.git("rev-parse", "HEAD")
    main(["begin"])
    work.write("b.txt", "b\n")
    entry = next(iter(ledger(work).entries("begin")))
    ledger(work).append("begin", {**entry.body, "commit": work.commit()})
    capsys.readouterr()
    main(["check", "--json"])
    assert json.loads(capsys.readouterr().out)["base"]["commit"] == first


@pytest.mark.parametrize("state", ["no repository", "no commit", "contract not committed"])
def test_a_beginning_needs_a_commit_with_the_contract(state, tmp_path, monkeypatch, capsys):
    if state != "no repository":
        repo = Repo(tmp_path)
        if state == "contract not committed":
            repo.write("a", "a")
            repo.commit()
            repo.write(".backcheck/contract.yaml", CONTRACT)
    monkeypatch.chdir(tmp_path)
    assert main(["begin"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_work_that_is_there_already_is_told(work, capsys):
    work.write("early.txt", "x")
    main(["begin"])
    assert "early.txt" in capsys.readouterr().out


def test_a_commit_that_is_gone_is_told(work, capsys):
    main(["begin"])
    work.git("checkout", "-q", "--orphan", "other")
    work.git("commit", "-q", "-m", "anew")
    work.git("branch", "-q", "-D", "main")
    work.git("reflog", "expire", "--expire=now", "--all")
    work.git("gc", "-q", "--prune=now")
    assert main(["check"]) == 2
    assert "no longer here" in capsys.readouterr().err
