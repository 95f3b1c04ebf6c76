"""The measurement of `says` on labelled prose: its bars bite, and they hold on the reference data where these are."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from backcheck.verdict import Status

SCRIPT = Path(__file__).parents[2] / "bench" / "says.py"
SHARED = {"lang": "en", "requirement": "Branch coverage is at least 80 %", "keywords": [["branch"], ["coverage"]],
          "as_of": "2026-10-01"}  # fmt: skip


def item(name: str, label: str, cls: str, evidence: str, split: str = "dev") -> dict[str, object]:
    return {"id": name, "split": split, "cls": cls, "label": label, "evidence": evidence, **SHARED}


GOOD = [
    item("a", "proven", "plain", "Branch coverage: 84 %"),
    item("b", "contradicted", "numeric_not_met", "Branch coverage: 64 %"),
    item("c", "not_proven", "hedged", "Branch coverage is probably fine."),
    item("d", "not_proven", "vague", "Branch coverage is excellent.", "adv"),
]


@pytest.fixture
def bench(monkeypatch):
    spec = importlib.util.spec_from_file_location("bench_says", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def measured(bench, monkeypatch, folder: Path, items: list[dict[str, object]]) -> int:
    (folder / bench.DATA).write_text("".join(json.dumps(one) + "\n" for one in items), encoding="utf-8")
    monkeypatch.setenv("BACKCHECK_DATA", str(folder))
    code: int = bench.main(["--items"])
    return code


def test_splits_are_printed_apart_with_counts_and_intervals(bench, monkeypatch, tmp_path, capsys):
    assert measured(bench, monkeypatch, tmp_path, GOOD) == 0
    text = capsys.readouterr().out
    dev, adv = text.split("\nadv ")
    assert "3 items, 1 proven, 2 not proven or contradicted" in dev
    assert "  for the right reason    1/2 = 50.0 % (9-91)" in dev
    assert "proven, failed            0/1 = 0.0 % (0-79)" in dev
    assert "left to a person          2/3 = 66.7 %" in dev
    assert "1 items, 0 proven, 1 not proven or contradicted" in adv
    assert "Branch coverage is probably fine." in text
    assert "Branch coverage is excellent." not in text


@pytest.mark.parametrize(
    ("more", "bar"),
    [
        ([item(f"p{n}", "proven", "plain", "Branch coverage: 64 %") for n in range(3)], "3 proven items failed; 2 may"),
        ([item("h", "not_proven", "hedged", "Perhaps.")], "1 of 3 items of dev failed for the right reason; half must"),
        ([item("w", "not_proven", "vague", "Branch coverage: 64 %")], "1 of 3 items of dev"),
    ],
)
def test_a_bar_that_is_missed_fails_the_script(more, bar, bench, monkeypatch, tmp_path, capsys):
    assert measured(bench, monkeypatch, tmp_path, [*GOOD, *more]) == 1
    assert f"MISSED {bar}" in capsys.readouterr().out


def test_a_pass_fails_the_script(bench, monkeypatch, tmp_path, capsys):
    ask = bench.ask

    def generous(*arguments):
        answer = ask(*arguments)
        return replace(answer, status=Status.PASS)

    monkeypatch.setattr(bench, "ask", generous)
    assert measured(bench, monkeypatch, tmp_path, GOOD) == 1
    assert "MISSED 4 items passed; none may" in capsys.readouterr().out


def test_no_item_of_the_split_is_no_success(bench, monkeypatch, tmp_path, capsys):
    assert measured(bench, monkeypatch, tmp_path, GOOD[3:]) == 1
    assert "MISSED 0 of 0 items of dev" in capsys.readouterr().out


def test_without_the_data_it_says_so(bench, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("BACKCHECK_DATA", raising=False)
    assert bench.main([]) == 0
    assert "nothing was measured" in capsys.readouterr().out
    monkeypatch.setenv("BACKCHECK_DATA", str(tmp_path))
    assert bench.main([]) == 2


def test_the_bars_hold_on_the_reference_data(bench, reference_data, monkeypatch, capsys):
    monkeypatch.setenv("BACKCHECK_DATA", str(reference_data))
    assert bench.main([]) == 0
    assert "MISSED" not in capsys.readouterr().out
