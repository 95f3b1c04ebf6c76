"""`doctor` tells a check that can go red from one that cannot, and says what it tried."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from backcheck import engine
from backcheck.checks.api import Answer, failed, passed
from backcheck.checks.canary import Canary
from backcheck.contract.model import Requirement
from backcheck.errors import Position
from backcheck.surfaces.cli.doctor import LEGEND, examine
from backcheck.surfaces.cli.main import run
from backcheck.verdict import Channel, Provenance

HEAD = "version: 1\nrequirements:\n"
GOOD = "  - {id: readme, description: d, check: file-exists, with: {file: README.md}}\n"
IDLE = "  - {id: idle, description: d, check: command, with: {run: 'true'}}\n"
ASKED = "  - {id: kind, description: d, check: human, with: {question: Is it kind?}}\n"


def doctor(folder: Path, contract: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    target = folder / ".backcheck/contract.yaml"
    target.parent.mkdir(exist_ok=True)
    target.write_text(contract)
    capsys.readouterr()
    code = run(["doctor", "-C", str(folder), *more])
    return code, *capsys.readouterr()


def test_what_was_tried_is_said_and_the_marks_are_explained(tmp_path, capsys):
    code, out, err = doctor(tmp_path, HEAD + GOOD + ASKED, capsys)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "✓ readme  [file-exists]  known-wrong case: fails; empty folder: fail"
    assert lines[1] == "✓ kind  [human]  a person answers; empty folder: unclear"
    assert LEGEND[True] in lines
    assert LEGEND[False] not in lines


def test_a_requirement_that_passes_in_an_empty_folder(tmp_path, capsys):
    code, out, _ = doctor(tmp_path, HEAD + GOOD + IDLE, capsys)
    assert code == 1
    assert "✗ idle  [command]  known-wrong case: fails; empty folder: pass\n    it passes in an empty folder" in out
    assert all(text in out for text in LEGEND.values())


def test_an_empty_contract_is_told_as_one(tmp_path, capsys):
    code, out, _ = doctor(tmp_path, "version: 1\nrequirements: []\n", capsys)
    assert code == 0
    assert out.startswith("the contract has no requirement: there is nothing to try\n")
    assert "✓" not in out


def test_without_a_contract_the_machine_is_shown_all_the_same(tmp_path, capsys):
    assert run(["doctor", "-C", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "git         " in out
    assert err.startswith("backcheck: no contract")
    assert run(["doctor", "-C", str(tmp_path), "--json"]) == 2
    assert capsys.readouterr().out == ""


class Foreign:
    """What a gate of another distribution may look like."""

    channel: ClassVar[Channel] = Channel.TEXT
    provenance: ClassVar[Provenance] = Provenance.ASSERTED

    def answer(self, _evidence: object) -> Answer:
        return failed("no")


class Raises(Foreign):
    canary: ClassVar[Canary] = Canary(arguments={}, files={"a": ""})

    def answer(self, _evidence: object) -> Answer:
        raise RuntimeError("it broke")


class Blind(Raises):
    def answer(self, _evidence: object) -> Answer:
        return passed("yes")


class WrongCanary(Raises):
    canary: ClassVar[Canary] = Canary(arguments={"nonsense": 1}, files={"a": ""})


@pytest.mark.parametrize(
    ("gate", "canary", "note"),
    [
        (Foreign, "none", "brings no case that is known to be wrong"),
        (Raises, "error", "RuntimeError: it broke"),
        (Blind, "pass", "it passes in an empty folder"),
        (WrongCanary, "error", "has no argument `nonsense`"),
    ],
)
def test_a_check_that_cannot_show_it_goes_red_is_not_in_order(gate: type[Any], canary: str, note: str):
    import dataclasses

    made = dataclasses.dataclass(frozen=True)(gate)
    asked = Requirement(id="r", check="theirs", arguments={}, position=Position(path="c"))
    row = examine(engine.Bound(requirement=asked, gate=made()))
    assert (row["ok"], row["canary"], note in row["note"]) == (False, canary, True), row
    json.dumps(row)
