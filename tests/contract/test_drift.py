"""`lint-contract --drift`: both errors of a keyword pattern, counted on sentences made by rule."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.contract.drift import MAX_EXAMPLES, Drift, measure_drift, true_sentences, untrue_sentences
from backcheck.contract.find import parse_contract
from backcheck.contract.patternuse import PatternRunner, PatternUse
from backcheck.contract.phrases import UNTRUE, fill
from backcheck.contract.synonyms import completed, is_chinese, rewordings
from backcheck.surfaces.cli.main import run
from backcheck.surfaces.cli.pattern_runner import Runner


def drifts_of(*requirements: dict[str, Any], runner: PatternRunner | None = None) -> tuple[Drift, ...]:
    data = {"version": 1, "requirements": list(requirements)}
    return measure_drift(parse_contract(json.dumps(data).encode(), "c.yaml"), runner or Runner())


def drift_of(pattern: str, description: str = "", **more: Any) -> Drift:
    (found,) = drifts_of({"id": "a", "check": "file-contains", "description": description,
                          "with": {"file": "a.md", "pattern": pattern, **more}})  # fmt: skip
    return found


class Always:
    """A runner that gives every sentence the same answer."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer

    def finds(self, use: PatternUse, text: str) -> bool | None:
        return self.answer

    def is_linear(self, use: PatternUse) -> bool:
        return True


def test_a_plain_keyword_misses_other_words_and_matches_every_denial():
    drift = drift_of("write-invalidation")
    assert 0 < drift.missed.k < drift.missed.n
    assert drift.matched.k == drift.matched.n == sum(len(set(templates)) for templates in UNTRUE.values())
    assert any("evict" in example or "purge" in example for example in drift.missed.examples)
    assert all("write-invalidation" in example for example in drift.matched.examples)


def test_the_two_counts_are_what_the_pattern_says_of_the_sentences():
    pattern, description = "(?i)invalidat|失效", "A write drops the cached value"
    drift = drift_of(pattern, description)
    runner, use = Runner(), drift.use
    true = list(dict.fromkeys([*true_sentences("invalidate", description), *true_sentences("失效", description)]))
    assert drift.missed.n == len(true)
    assert drift.missed.k == sum(not runner.finds(use, sentence) for sentence in true)
    for kind, count in drift.by_kind.items():
        made = [*untrue_sentences("invalidate", description)[kind], *untrue_sentences("失效", description)[kind]]
        sentences = list(dict.fromkeys(made))
        assert (count.k, count.n) == (sum(bool(runner.finds(use, s)) for s in sentences), len(sentences))
    assert (drift.matched.k, drift.matched.n) == (
        sum(count.k for count in drift.by_kind.values()), sum(count.n for count in drift.by_kind.values()),
    )  # fmt: skip


def test_a_pattern_that_takes_everything_misses_nothing_and_matches_all():
    drift = drifts_of({"id": "a", "check": "file-contains", "with": {"file": "a", "pattern": "words"}},
                      runner=Always(True))[0]  # fmt: skip
    assert drift.missed.k == 0 < drift.missed.n
    assert drift.matched.k == drift.matched.n


def test_anchors_keep_denials_out_and_the_count_says_so():
    drift = drift_of("^write-through is in place and works$")
    assert drift.matched.k == 0 < drift.matched.n
    assert drift.missed.k == drift.missed.n


def test_a_wider_pattern_misses_fewer_true_sentences():
    narrow = drift_of("write-invalidation", "x")
    wide = drift_of("(?i)write[- _]?invalidation|(update|store|写入).{0,9}(invalidat|失效)|evict|purge|drop|clear", "x")
    assert wide.missed.k / wide.missed.n < narrow.missed.k / narrow.missed.n


def test_every_kind_of_untrue_sentence_is_made_in_both_languages():
    made = untrue_sentences("write-invalidation", "A write drops the value")
    assert sorted(made) == ["denial", "excuse", "plan", "question", "quote"]
    for sentences in made.values():
        assert any(is_chinese(sentence) for sentence in sentences)
        assert any(not is_chinese(sentence) for sentence in sentences)
        assert all("write-invalidation" in s or "A write drops the value" in s for s in sentences)


def test_true_sentences_are_in_other_words_and_in_both_languages():
    made = true_sentences("write-invalidation", "A write drops the value")
    assert "A write drops the value" in made
    assert "write-invalidation is implemented" not in made
    assert any("写入失效" in sentence for sentence in made)
    assert any("invalidation on write" in sentence for sentence in made)
    assert len(made) == len(set(made))


@pytest.mark.parametrize(
    ("words", "some"),
    [
        ("write-invalidation", {"write-evict", "invalidation on write", "写入失效", "write\ninvalidation", "writeInvalidation"}),
        ("写入失效", {"写入清除", "invalidate write"}),
        ("0 errors", {"no errors", "zero errors", "errors: 0"}),
        ("90 %", {"90 percent", "百分之90"}),
        ("user limit", {"user throttle", "account limit", "用户限流"}),
        ("Node", {"NODE", "Nodes"}),
    ],
)  # fmt: skip
def test_rewordings(words, some):
    made = rewordings(words)
    assert some <= set(made)
    assert words not in made


def test_beginnings_of_words_are_made_whole():
    assert completed("write invalidat") == "write invalidate"
    assert completed("purg") == "purge"
    assert completed("Node 写入") == "Node 写入"


@given(st.text(max_size=30))
def test_any_words_can_be_reworded_and_put_into_sentences(words):
    made = rewordings(words)
    assert words not in made
    assert len(set(made)) == len(made)
    for template in (template for templates in UNTRUE.values() for template in templates):
        assert words in fill(template, words)


def test_words_that_look_like_a_template_stay_as_they_are():
    assert fill("TODO: {w}", "{w} and {d}", "other") == "TODO: {w} and {d}"


def test_all_and_any_and_keywords_are_measured_one_by_one():
    found = drifts_of(
        {"id": "a", "check": "file-contains", "with": {"file": "a", "all": ["alpha", "beta"], "any": ["gamma"]}},
        {"id": "b", "check": "content", "with": {"file": "a", "keywords": ["Redis (v7)"], "forbidden": ["todo"]}},
        {"id": "c", "check": "file-lacks", "with": {"file": "a", "patterns": ["todo"]}},
        {"id": "d", "check": "absent", "with": {"glob": "**", "pattern": "todo"}},
    )
    assert [(one.use.requirement, one.use.argument) for one in found] == [
        ("a", "all.0"), ("a", "all.1"), ("a", "any.0"), ("b", "keywords.0"),
    ]  # fmt: skip
    assert found[3].use.shown == "Redis (v7)"
    assert found[3].matched.k == found[3].matched.n


@pytest.mark.parametrize("pattern", [r"8[5-9]|9\d", r"\w+", "---", "ab"])
def test_a_pattern_without_words_is_told_as_not_tried(pattern):
    drift = drift_of(pattern)
    assert "no word" in drift.skipped
    assert (drift.missed.n, drift.matched.n) == (0, 0)


def test_a_pattern_that_runs_out_of_time_is_told_as_not_tried():
    class Slow(Always):
        def finds(self, use: PatternUse, text: str) -> bool | None:
            return None if len(text) > 8 else True

    (drift,) = drifts_of({"id": "a", "check": "file-contains", "with": {"file": "a", "pattern": "words"}},
                         runner=Slow(True))  # fmt: skip
    assert "ran out of time" in drift.skipped
    assert drift.missed.n == 0


def test_examples_are_few():
    assert len(drift_of("write-invalidation").missed.examples) == MAX_EXAMPLES


def test_the_command_prints_counts_with_denominators_and_says_what_they_are(tmp_path, capsys):
    contract = tmp_path / "c.yaml"
    contract.write_text("version: 1\nrequirements:\n  - id: wi\n    description: A write drops the value\n"
                        "    check: file-contains\n    with: {file: a.md, pattern: write-invalidation}\n"
                        "  - {id: n, check: file-contains, with: {file: a.md, pattern: '[0-9]+ ?%'}}\n")  # fmt: skip
    assert run(["lint-contract", str(contract), "-C", str(tmp_path), "--drift"]) == 0
    text = capsys.readouterr().out
    drift = drift_of("write-invalidation", "A write drops the value")
    assert "made by rule" in text
    assert "was not measured" in text
    assert f"true statements missed: {drift.missed.k} of {drift.missed.n}, such as “A write drops the value”" in text
    assert f"untrue statements matched: {drift.matched.k} of {drift.matched.n}" in text
    assert "not tried: it writes out no word" in text
    assert run(["lint-contract", str(contract), "-C", str(tmp_path)]) == 0
    assert "statements" not in capsys.readouterr().out


def test_the_json_document_has_both_counts(tmp_path, capsys):
    contract = tmp_path / "c.yaml"
    contract.write_text("version: 1\nrequirements:\n  - {id: wi, check: file-contains, "
                        "with: {file: a.md, pattern: write-invalidation}}\n")  # fmt: skip
    assert run(["lint-contract", str(contract), "-C", str(tmp_path), "--drift", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["drift"]["patterns"]
    drift = drift_of("write-invalidation")
    assert (one["missed"]["k"], one["missed"]["n"]) == (drift.missed.k, drift.missed.n)
    assert one["matched"]["by_kind"]["denial"] == {"k": 13, "n": 13}
    assert one["skipped"] is None
    assert one["pattern"] == "write-invalidation"
