"""The command as it ships, on real folders and repositories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from click.testing import CliRunner
from tests.support import Repo

from backcheck.surfaces.cli.main import COMMANDS, run
from backcheck.testing import write_tree

HEAD = "version: 1\nrequirements:\n"
GOOD = HEAD + (
    "  - {id: readme, check: file-exists, description: There is a readme, with: {file: README.md}}\n"
    "  - {id: clean, check: absent, with: {glob: 'src/**', pattern: TODO}}\n"
    "  - {id: runs, check: command, with: {run: 'test -f README.md'}}\n"
)


def check(root: Path, *arguments: str) -> tuple[int, Any, str]:
    """Exit code, document (None where there is none) and stderr of a real process."""
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(root), "--json", *arguments],
        capture_output=True, text=True, check=False, cwd=root if root.is_dir() else None,
    )  # fmt: skip
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def project(root: Path, contract: str = GOOD, **files: str) -> Path:
    write_tree(root, {".backcheck/contract.yaml": contract, "README.md": "# x\n", "src/a.py": "x = 1\n", **files})
    return root


def test_pass_reject_unclear(tmp_path: Path) -> None:
    root = project(tmp_path)
    code, document, _ = check(root)
    assert (code, document["verdict"]) == (0, "PASS")
    (root / "src/a.py").write_text("x = 1  # TODO\n")
    code, document, _ = check(root)
    assert (code, document["verdict"]) == (1, "REJECT")
    assert [(f["requirement"], f["status"]) for f in document["findings"]] == [
        ("readme", "pass"),
        ("clean", "fail"),
        ("runs", "pass"),
    ]
    assert document["findings"][1]["where"] == [{"path": "src/a.py", "line": 1}]
    (root / "src/a.py").unlink()
    code, document, _ = check(root)
    assert (code, document["verdict"]) == (3, "UNCLEAR")


@pytest.mark.parametrize("contract", [HEAD + "  []\n", "version: 1\nrequirements: []\n"])
def test_no_requirement_is_never_a_pass(tmp_path: Path, contract: str) -> None:
    code, document, _ = check(project(tmp_path, contract))
    assert (code, document["why"]) == (3, "no blocking requirement was answered")


def test_only_leaves_the_others_unanswered(tmp_path: Path) -> None:
    code, document, _ = check(project(tmp_path), "--only", "readme")
    assert (code, document["verdict"], document["unanswered"]) == (3, "UNCLEAR", ["clean", "runs"])
    code, document, error = check(tmp_path, "--only", "raedme")
    assert (code, document) == (2, None)
    assert (
        error
        == "backcheck: --only raedme: the contract has no such requirement; did you mean `readme`? Known: clean, readme, runs\n"
    )


def test_doors(tmp_path: Path) -> None:
    contract = HEAD + (
        "  - {id: quick, check: file-exists, with: {file: README.md}}\n"
        "  - {id: slow, check: command, with: {run: 'exit 1'}, at: [push, server]}\n"
    )
    code, document, _ = check(project(tmp_path, contract), "--at", "stop")
    assert (code, document["deferred"], document["unanswered"]) == (0, ["slow"], [])
    assert check(tmp_path, "--at", "push")[0] == 1
    assert check(tmp_path)[0] == 1
    only_later = HEAD + "  - {id: slow, check: file-exists, with: {file: README.md}, at: push}\n"
    code, document, _ = check(project(tmp_path / "b", only_later), "--at", "stop")
    assert (code, document["deferred"]) == (3, ["slow"])


def test_a_warning_is_listed_and_does_not_block(tmp_path: Path) -> None:
    contract = GOOD + "  - {id: nice, check: file-exists, with: {file: NICE.md}, severity: P3}\n"
    code, document, _ = check(project(tmp_path, contract))
    assert code == 0
    assert document["findings"][-1]["severity"] == "warn"


def test_everything_is_refused_before_anything_runs(tmp_path: Path) -> None:
    contract = GOOD.replace("test -f README.md", "touch ran") + "  - {id: z, check: absnt, with: {}}\n"
    code, _, error = check(project(tmp_path, contract))
    assert code == 2
    assert error.startswith("backcheck: .backcheck/contract.yaml:6:20: no check `absnt`; did you mean `absent`?")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--base", "HEAD"], "there is no git repository"), (["--tree", "index"], "there is no git repository"),
        (["--at", "noon"], "Invalid value"), (["--nonsense"], "No such option"), (["a", "b"], "unexpected extra argument"),
        (["none.yaml"], "there is no such contract"), (["--tree", "HEAD"], "there is no git repository"),
    ],
)  # fmt: skip
def test_wrong_calls(tmp_path: Path, arguments: list[str], message: str) -> None:
    code, _, error = check(project(tmp_path), *arguments)
    assert code == 2
    assert error.startswith("backcheck: ")
    assert error.count("\n") == 1
    assert message in error


def test_no_folder() -> None:
    code, _, error = check(Path("/nonexistent/folder"))
    assert (code, error) == (2, "backcheck: there is no folder /nonexistent/folder\n")


def test_a_provenance_that_a_check_cannot_give_is_refused(tmp_path: Path) -> None:
    contract = HEAD + "  - {id: e, check: evidence, with: {file: README.md}, provenance: observed}\n"
    code, _, error = check(project(tmp_path, contract))
    assert code == 2
    assert "check `evidence` can give `asserted` evidence at most, never `observed`" in error


def test_a_budget_that_is_exceeded_is_unclear(tmp_path: Path) -> None:
    contract = HEAD + "  - {id: slow, check: command, with: {run: 'sleep 0.2'}, budget: 50ms}\n"
    code, document, _ = check(project(tmp_path, contract))
    assert code == 3
    assert "its budget is 0.05 s" in document["findings"][0]["reason"]


def test_a_command_that_changes_the_tree_keeps_from_passing(tmp_path: Path) -> None:
    contract = HEAD + "  - {id: c, check: command, with: {run: 'echo y >> src/a.py'}}\n"
    code, document, _ = check(project(tmp_path, contract))
    assert code == 3
    assert document["findings"][-1]["requirement"] == "backcheck:tree-changed"
    assert "src/a.py" in document["findings"][-1]["reason"]


def test_a_command_that_rewrites_the_contract_changes_nothing(tmp_path: Path) -> None:
    contract = HEAD + (
        "  - {id: a, check: command, with: {run: \"printf 'version: 1\\\\nrequirements: []' > .backcheck/contract.yaml\"}}\n"
        "  - {id: b, check: file-exists, with: {file: NONE}}\n"
    )
    assert check(project(tmp_path, contract))[0] == 1


def test_new_files_of_a_command_are_told(tmp_path: Path) -> None:
    contract = HEAD + "  - {id: c, check: command, with: {run: 'echo y > report.txt'}}\n"
    code, document, _ = check(project(tmp_path, contract))
    assert code == 0
    assert any("left new files in the tree: report.txt" in notice for notice in document["notices"])


def test_require_base(repo: Repo) -> None:
    project(repo.root)
    base = repo.commit()
    assert check(repo.root, "--require-base")[0] == 3
    assert check(repo.root, "--require-base", "--base", base)[0] == 0


def test_require_base_takes_none_that_could_have_been_moved(repo: Repo) -> None:
    project(repo.root)
    base = repo.commit()
    repo.git("update-ref", "refs/remotes/origin/main", base)
    code, document, _ = check(repo.root)
    assert (code, document["base"]["movable"], document["contract"]["from"]) == (0, True, "base")
    code, document, _ = check(repo.root, "--require-base")
    own = document["findings"][-1]
    assert (code, own["requirement"], own["status"], own["blame"]) == (3, "backcheck:base", "unclear", "environment")
    assert "found by refs/remotes/origin/main, which the agent could have moved" in own["reason"]
    assert own["remedy"].startswith("Give `--base COMMIT`")
    assert check(repo.root, "--require-base", "--base", base)[0] == 0


def test_quiet_tells_a_base_that_could_have_been_moved(repo: Repo) -> None:
    project(repo.root)
    base = repo.commit()
    repo.git("update-ref", "refs/remotes/origin/main", base)
    call = [sys.executable, "-m", "backcheck", "check", "-q", "-C", str(repo.root)]
    quiet = subprocess.run(call, capture_output=True, text=True, check=False).stdout.splitlines()
    told = f"base      {base[:12]}, the merge base with refs/remotes/origin/main, which the agent could have moved"
    assert quiet == ["PASS  every blocking requirement holds: 3 passed", "", told]
    given = subprocess.run([*call, "--base", base], capture_output=True, text=True, check=False).stdout
    assert given == "PASS  every blocking requirement holds: 3 passed\n"


def test_index_and_disk_are_judged_apart(repo: Repo) -> None:
    contract = HEAD + "  - {id: clean, check: absent, with: {glob: 'src/**', pattern: TODO}}\n"
    project(repo.root, contract)
    repo.commit()
    repo.write("src/a.py", "# TODO\n")
    repo.git("add", "-A")
    repo.write("src/a.py", "fine\n")
    assert check(repo.root)[0] == 0
    assert check(repo.root, "--tree", "index")[0] == 1
    assert check(repo.root, "--tree", "HEAD")[0] == 0


def test_commands_are_not_run_for_another_tree(repo: Repo) -> None:
    project(repo.root, HEAD + "  - {id: c, check: command, with: {run: 'true'}}\n")
    repo.commit()
    assert check(repo.root, "--tree", "HEAD")[0] == 0
    repo.write("src/a.py", "other\n")
    code, document, _ = check(repo.root, "--tree", "HEAD")
    assert code == 3
    assert "was not run" in document["findings"][0]["reason"]


def test_a_gate_that_breaks_is_an_error_and_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from backcheck.checks.gates.file_exists import Gate

    def explode(self: Gate, evidence: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(Gate, "answer", explode)
    project(tmp_path, HEAD + "  - {id: r, check: file-exists, with: {file: README.md}}\n")
    result = CliRunner().invoke(_main(), ["check", "-C", str(tmp_path), "--json"], standalone_mode=False)
    document = json.loads(result.stdout)
    assert document["findings"][0]["status"] == "error"
    assert document["findings"][0]["blame"] == "verifier"
    assert document["exit_code"] == 3


def _main() -> Any:
    from backcheck.surfaces.cli.main import main

    return main


def test_a_bug_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("backcheck.surfaces.cli.check.judge", lambda *_: 1 / 0)
    project(tmp_path)
    assert run(["check", "-C", str(tmp_path)]) == 4
    assert "no verdict; a fault in backcheck: ZeroDivisionError" in capsys.readouterr().err


def test_json_is_whole_over_a_slow_pipe(tmp_path: Path) -> None:
    lines = "".join(f"  - {{id: r{n}, check: file-exists, with: {{file: none-{n}-{'x' * 150}}}}}\n" for n in range(400))
    project(tmp_path, HEAD + lines)
    script = f"{sys.executable} -m backcheck check --json -C {tmp_path} | (sleep 1; cat)"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=False)
    document = json.loads(done.stdout)
    assert len(document["findings"]) == 400
    assert len(done.stdout) > 256 * 1024


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    lines = "".join(f"  - {{id: r{n}, check: file-exists, with: {{file: none-{n}-{'x' * 150}}}}}\n" for n in range(400))
    project(tmp_path, HEAD + lines)
    # 1 is what click and Python leave with, and what REJECT is.
    for arguments, code in ((f"check --json -C {tmp_path}", 4), ("check -C nowhere", 2), ("explain", 4)):
        command = f"{sys.executable} -m backcheck {arguments} 2>&1"
        script = f"{{ {command}; echo $? >&3; }} 3>{tmp_path}/code | :"
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
        assert ("Traceback" in done.stderr + done.stdout, (tmp_path / "code").read_text()) == (False, f"{code}\n")


def test_the_document_fits_its_schema(tmp_path: Path) -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs/reference/verdict.schema.json").read_text())
    root = project(tmp_path, GOOD + "  - {id: nice, check: file-exists, with: {file: NICE.md}, severity: warn}\n")
    (root / "src/a.py").write_text("TODO")
    validator = jsonschema_rs.validator_for(schema)
    _, document, _ = check(root)
    validator.validate(document)
    assert not validator.is_valid({**document, "verdict": "MAYBE"})
    assert not validator.is_valid({**document, "surprise": 1})


def test_text_says_what_where_why_and_what_to_do(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "src/a.py").write_text("ok\n# TODO \x1b[31m\n")
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(root)], capture_output=True, text=True, check=False
    )
    text = done.stdout
    assert text.startswith("REJECT  ")
    order = [
        text.index(part)
        for part in ("✗ clean", "where  src/a.py:2", "why    /TODO/ stands in", "do     Remove", "✓ readme")
    ]
    assert order == sorted(order)
    assert "✓ runs" in text
    assert "1 of 2 passes rest only on text that somebody wrote: readme" in text
    assert "recall    not measured" in text
    assert "\x1b" not in text


def test_quiet(tmp_path: Path) -> None:
    project(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-q", "-C", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "PASS  every blocking requirement holds: 3 passed\n"


def test_sub_folders_find_the_contract_above(tmp_path: Path) -> None:
    project(tmp_path, GOOD, **{"src/deep/er/x.py": ""})
    assert check(tmp_path / "src/deep/er")[0] == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: backcheck {name}")
    assert "--help" in out


def test_help_of_all_and_unknown_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert all(name in capsys.readouterr().out for name in ("check",))
    assert run(["chekc"]) == 2
    assert "did you mean `check`?" in capsys.readouterr().err
    assert run([]) in (0, 2)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_BACKCHECK_COMPLETE" in capsys.readouterr().out


def test_completion_answers_with_command_names() -> None:
    env = {**os.environ, "_BACKCHECK_COMPLETE": "bash_complete", "COMP_WORDS": "backcheck ch", "COMP_CWORD": "1"}
    script = Path(sys.executable).parent / "backcheck"
    done = subprocess.run([str(script)], env=env, capture_output=True, text=True, check=False)
    assert "check" in done.stdout


def test_explain_and_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    assert "absent" in capsys.readouterr().out
    assert run(["explain", "absent", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["check"] == "absent"
    assert run(["explain", "absnt"]) == 2
    assert "did you mean `absent`" in capsys.readouterr().err
    project(tmp_path)
    assert run(["doctor", "-C", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["checks"]
    assert [(row["requirement"], row["canary"]) for row in rows] == [
        ("readme", "red"),
        ("clean", "red"),
        ("runs", "red"),
    ]


def test_doctor_finds_a_requirement_that_looks_at_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, HEAD + "  - {id: idle, check: command, with: {run: 'true'}}\n")
    assert run(["doctor", "-C", str(tmp_path)]) == 1
    assert "it passes in an empty folder" in capsys.readouterr().out


def test_progress_on_a_terminal_only_and_only_for_what_takes_long(tmp_path: Path) -> None:
    project(tmp_path, HEAD + "  - {id: slow, check: command, with: {run: 'sleep 1.6'}}\n")

    def stderr_of(root: Path) -> str:
        leader, follower = os.openpty()
        done = subprocess.Popen(
            [sys.executable, "-m", "backcheck", "check", "-C", str(root)], stdout=subprocess.DEVNULL, stderr=follower
        )
        done.wait(timeout=60)
        os.close(follower)
        os.set_blocking(leader, False)
        try:
            return os.read(leader, 65536).decode()
        except (BlockingIOError, OSError):
            return ""
        finally:
            os.close(leader)

    assert "1/1 slow" in stderr_of(tmp_path)
    assert stderr_of(project(tmp_path / "quick")) == ""
    done = subprocess.run(
        [sys.executable, "-m", "backcheck", "check", "-C", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_many_commands_cost_little_each(tmp_path: Path) -> None:
    lines = "".join(f"  - {{id: r{n}, check: command, with: {{run: ['true']}}}}\n" for n in range(200))
    project(tmp_path, HEAD + lines)
    code, document, _ = check(tmp_path)
    assert code == 0
    assert document["seconds"] / 200 < 0.1
