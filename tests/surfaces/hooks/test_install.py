"""Installing hooks keeps what was there; a proof shows that they block."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.surfaces.cli.main import run
from backcheck.surfaces.hooks.installing import HARNESSES, ours_in, with_ours, without_ours
from backcheck.surfaces.hooks.proving import prove

OTHERS: dict[str, Any] = {
    "permissions": {"allow": ["x"]},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo mine"}]}], "Notification": []},
}


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.root)
    return repo.root


@pytest.mark.parametrize("harness", HARNESSES)
def test_install_and_uninstall_leave_what_others_wrote(project, harness, capsys):
    path = HARNESSES[harness].path(project, user=False)
    path.parent.mkdir()
    path.write_text(json.dumps(OTHERS))
    assert run(["install", harness]) == 0
    said = capsys.readouterr().out
    assert "+" in said
    assert said.count("it blocks where it must") == len(HARNESSES[harness].events)
    made = json.loads(path.read_text())
    assert made["permissions"] == OTHERS["permissions"]
    assert made["hooks"]["Stop"][0] == OTHERS["hooks"]["Stop"][0]
    assert {event for event, _ in ours_in(made)} == set(HARNESSES[harness].events)
    run(["install", harness])
    assert "nothing to change" in capsys.readouterr().out
    assert run(["uninstall", harness]) == 0
    assert json.loads(path.read_text()) == OTHERS


def test_settings_that_were_not_there_are_gone_again(project):
    run(["install", "codex"])
    run(["uninstall", "codex"])
    assert not (project / ".codex/hooks.json").exists()


@pytest.mark.parametrize("text", ["{broken", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_settings_that_cannot_be_read_are_not_replaced(project, text, capsys):
    path = project / ".claude/settings.local.json"
    path.parent.mkdir()
    path.write_text(text)
    assert run(["install", "claude-code"]) == 2
    assert path.read_text() == text
    assert capsys.readouterr().err.count("\n") == 1


def test_for_the_user_it_is_written_at_home(project, tmp_path):
    run(["install", "claude-code", "--user"])
    assert not (project / ".claude").exists()
    run(["uninstall", "claude-code", "--user"])


ENTRY = st.fixed_dictionaries(
    {"hooks": st.lists(st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=8)}))}
)


@given(st.dictionaries(st.sampled_from(["Stop", "PreToolUse", "Notification"]), st.lists(ENTRY, max_size=3)))
def test_what_is_put_in_comes_out_again(hooks):
    for harness in HARNESSES.values():
        before = {"hooks": hooks} if hooks else {}
        once = with_ours(harness, before)
        assert with_ours(harness, once) == once
        after = without_ours(once)
        assert after.get("hooks", {}) == {
            event: groups for event, groups in hooks.items() if groups or event not in harness.events
        }


def test_doctor_tells_a_hook_that_lets_everything_through(project, capsys):
    (project / ".backcheck").mkdir()
    (project / ".backcheck/contract.yaml").write_text(
        "version: 1\nrequirements:\n  - {id: a, check: file-exists, with: {file: x}}\n"
    )
    run(["install", "codex"])
    path = project / ".codex/hooks.json"
    fake = project / "backcheck"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    text = path.read_text()
    path.write_text(text.replace(text.split('"command": "')[1].split(" hook")[0], str(fake)))
    capsys.readouterr()
    assert run(["doctor"]) == 1
    assert "it let the event pass" in capsys.readouterr().out


@pytest.mark.parametrize("call", [["/nowhere/backcheck", "hook", "codex"], [sys.executable, "-c", "print('{')"]])
def test_a_hook_that_cannot_answer_is_told(call):
    assert prove(call, "Stop")
