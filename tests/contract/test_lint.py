"""`lint-contract`: every rule warns where it should, stays silent where it should, and says where to go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backcheck.contract.claims import Claim, claim_of, forbids
from backcheck.contract.find import parse_contract
from backcheck.contract.hazards import try_to_stall
from backcheck.contract.lint import lint
from backcheck.contract.patternuse import PatternUse, pattern_uses
from backcheck.contract.warning import RULES, LintWarning
from backcheck.errors import Position
from backcheck.surfaces.cli.main import run
from backcheck.surfaces.cli.pattern_runner import Runner

#: A second requirement that keeps the rules about whole contracts silent.
STRONG = {"id": "suite", "check": "tests", "description": "x", "with": {"run": ["pytest", "-q"]}}
#: What keeps the rule about commands silent.
SCOPE = {"id": "scope", "check": "diff-scope", "description": "y", "with": {"allowed": ["src/**"]}}


def warnings_of(
    *requirements: dict[str, Any],
    files: dict[str, int] | None = None,
    path: str = "c.yaml",
    scoped: bool = True,
    **top: Any,
) -> tuple[LintWarning, ...]:
    """All warnings; contracts with a command get a scope, but where that is the subject."""
    if scoped and any("run" in one.get("with", {}) and one.get("severity") != "warn" for one in requirements):
        requirements = (*requirements, SCOPE)
    data = {"version": 1, "requirements": list(requirements), **top}
    return lint(parse_contract(json.dumps(data).encode(), path), Runner(), files=files)


def rules(*requirements: dict[str, Any], **more: Any) -> list[str]:
    return [warning.rule for warning in warnings_of(*requirements, **more)]


def contains(pattern: str, description: str = "x", **more: Any) -> dict[str, Any]:
    return {"id": "a", "check": "file-contains", "description": description,
            "with": {"file": "src/a.py", "pattern": pattern, **more}}  # fmt: skip


def lacks(pattern: str, description: str = "x") -> dict[str, Any]:
    return {"id": "a", "check": "file-lacks", "description": description,
            "with": {"file": "src/a.py", "patterns": [pattern]}}  # fmt: skip


def about(pattern: str, rule: str) -> LintWarning | None:
    found = [warning for warning in warnings_of(contains(pattern), STRONG) if warning.rule == rule]
    return found[0] if found else None


# Numbers and formats


@pytest.mark.parametrize(
    "pattern",
    [r"8[5-9]|9\d", r"\b(8[5-9]|9[0-9])(\.\d+)? ?%", "[1-9][0-9]* passed", "0 errors", "90|91|92", ">= ?85",
     "(?:85|90) ?%", r"coverage: [[:digit:]]+", "不低于 ?85", "0个错误", "REQ-[0-9]+", "took 300 ms"],
)  # fmt: skip
def test_a_number_by_pattern_belongs_to_metric(pattern):
    warning = about(pattern, "number-by-pattern")
    assert warning is not None
    assert (warning.route, warning.requirement) == ("metric", "a")


@pytest.mark.parametrize(
    "pattern",
    ["Node 20", "AKIA[0-9A-Z]{16}", "utf-8", r"http/1\.1", "ISO 8601", "write-invalidation", r"\w+", "[^a-z]+",
     r"\d{4}-\d{2}-\d{2}", r"v\d+\.\d+\.\d+", "sha256 [0-9a-f]{64}"],
)  # fmt: skip
def test_digits_that_are_no_number(pattern):
    assert about(pattern, "number-by-pattern") is None


@pytest.mark.parametrize(
    ("pattern", "name"),
    [(r"\d{4}-\d{2}-\d{2}", "a date"), (r"\d{1,2}:\d{2}", "a time"), (r"v\d+\.\d+\.\d+", "a version"),
     (r"\S+@\S+\.\S+", "an e-mail address"), (r'"status"\s*:\s*"ok"', "JSON"), (r"^\{\s*\"", "JSON"),
     ("<title>", "markup"), (r"https?://\S+", "an address of the web"), ("[0-9a-f]{40}", "a hash")],
)  # fmt: skip
def test_a_format_by_pattern_belongs_to_schema(pattern, name):
    warning = about(pattern, "format-by-pattern")
    assert warning is not None
    assert warning.route == "schema"
    assert warning.message.startswith(name)


@pytest.mark.parametrize("pattern", ["2026-01-31", "version 1.2.3", "deadbeef", "a < b", "the {list}"])
def test_what_only_looks_like_a_format(pattern):
    assert about(pattern, "format-by-pattern") is None


def test_a_date_beside_a_number_is_both():
    assert {"format-by-pattern", "number-by-pattern"} <= set(rules(contains(r"\d{4}-\d\d-\d\d: \d+ %"), STRONG))


@pytest.mark.parametrize("pattern", [r"coverage|\d+%", r"coverage:? ?(\d+%)?", r"passed\s*\d*", "(ok|0 errors)"])
def test_an_or_makes_the_number_optional(pattern):
    warning = about(pattern, "number-optional")
    assert warning is not None
    assert warning.route == "metric"


@pytest.mark.parametrize("pattern", [r"coverage \d+(\.\d+)?%", "0 errors?|0 warnings?"])
def test_a_number_that_must_stand_there(pattern):
    assert about(pattern, "number-optional") is None


def test_any_makes_a_number_optional_and_all_does_not():
    mixed = {"id": "a", "check": "file-contains", "description": "x",
             "with": {"file": "src/a.py", "any": ["coverage", r"\d+ ?%"]}}  # fmt: skip
    found = [w for w in warnings_of(mixed, STRONG) if w.rule == "number-optional"]
    assert len(found) == 1
    assert "/coverage/ alone" in found[0].message
    both = {**mixed, "with": {"file": "src/a.py", "all": ["coverage", r"\d+ ?%"]}}
    numbers = {**mixed, "with": {"file": "src/a.py", "any": [r"\d+ ?%", r"\d+ percent"]}}
    assert "number-optional" not in rules(both, STRONG) + rules(numbers, STRONG)


def test_of_what_is_forbidden_only_counted_things_are_numbers():
    assert "number-by-pattern" in rules(lacks(r"[1-9]\d* failed"), STRONG)
    assert "number-by-pattern" not in rules(lacks(r"AKIA\d+"), STRONG)


# Denials and look-around


@pytest.mark.parametrize("pattern", ["write-invalidation", "notification", "normalise", "写入(失效|清除)", r"Node\b"])
def test_a_keyword_is_run_on_its_denials(pattern):
    warning = about(pattern, "matches-denial")
    assert warning is not None
    assert "13 of 13 denials" in warning.message


def test_the_denial_shown_is_one_that_matches():
    warning = about(r"\binvalidat\w*$", "matches-denial")
    assert warning is not None
    assert "“there is no invalidate”" in warning.message
    assert "13 of 13" not in warning.message


@pytest.mark.parametrize("pattern", ["^write-through$", "---", r"\d+", r"^写入失效$"])
def test_a_pattern_that_takes_no_denial(pattern):
    assert about(pattern, "matches-denial") is None


def test_words_are_recognised_by_running_and_not_by_a_syllable():
    """`not` in a pattern is no sign of anything: this one demands the denial itself."""
    assert about("^not implemented$", "matches-denial") is None


@pytest.mark.parametrize(
    ("pattern", "told"),
    [(r"^(?!.*not ).*write", "“there is no write” still matches"), (r"(?<!no )write", "“write is not implemented”"),
     (r"^(?!.*(not|no|missing|without|out|get|failed|没有|未|尚未|缺少|不)).*write$", "another wording")],
)  # fmt: skip
def test_a_negative_look_around_is_no_cure(pattern, told):
    warning = about(pattern, "lookahead-no-cure")
    assert warning is not None
    assert told in warning.message
    assert about(pattern, "matches-denial") is None


def test_a_positive_look_ahead_is_not_called_a_cure():
    assert about(r"(?=.*write).*invalidation", "lookahead-no-cure") is None


def test_javascript_patterns_are_run_as_javascript():
    assert "matches-denial" in rules(contains(r"\u0077rite", dialect="javascript"), STRONG)


def test_keywords_of_content_are_plain_words_in_any_case():
    words = {"id": "a", "check": "content", "description": "x", "with": {"file": "a.md", "keywords": ["C++", "Redis"]}}
    found = [w for w in warnings_of(words, STRONG) if w.rule == "matches-denial"]
    assert [w.requirement for w in found] == ["a"]
    assert "Redis is not" in found[0].message
    (_, redis) = pattern_uses(
        parse_contract(json.dumps({"version": 1, "requirements": [words]}).encode(), "c").requirements[0]
    )
    assert [Runner().finds(redis, text) for text in ("on REDIS 7", "on Redi")] == [True, False]


# Polarity


@pytest.mark.parametrize("pattern", ["no", "not", "不", "无", "error", "failed"])
def test_a_forbidden_word_that_harmless_text_holds(pattern):
    assert "polarity-trap" in rules(lacks(pattern), STRONG)


@pytest.mark.parametrize("pattern", ["TODO", "FIXME", r"\bERROR\b", r"[^\x00-\x7f]", r"未实现"])
def test_a_forbidden_word_that_it_does_not_hold(pattern):
    assert "polarity-trap" not in rules(lacks(pattern), STRONG)


@pytest.mark.parametrize(
    "description",
    ["No secrets in the log", "The log must not hold passwords", "日志中没有密码", "不得出现明文密码"],
)
def test_a_prohibition_asked_as_a_match(description):
    assert "polarity" in rules(contains("zz", description), STRONG)
    assert "polarity" not in rules(lacks("zz", description), STRONG)


@pytest.mark.parametrize(
    "description",
    ["Uses Node 20", "A notification goes out", "The input is normalised", "Coverage is not lower than 85 %",
     "覆盖率不低于 85%", "No fewer than 3 cases", "Whether or not it rains"],
)  # fmt: skip
def test_what_only_holds_the_letters_of_a_prohibition(description):
    assert not forbids(description)
    assert "polarity" not in rules(contains("zz", description), STRONG)


def test_a_pattern_that_says_the_prohibition_itself():
    assert "polarity" not in rules(contains("no secrets found", "No secrets in the log"), STRONG)


@pytest.mark.parametrize("description", ["Coverage is not lower than 85 %", "覆盖率不低于 85%", "At least 3 tests"])
def test_a_quantity_asked_as_a_forbidden_text(description):
    found = [w for w in warnings_of(lacks("zz", description), STRONG) if w.rule == "polarity"]
    assert [w.route for w in found] == ["metric"]


# Claims that only text backs


@pytest.mark.parametrize(
    ("description", "rule", "route"),
    [
        ("Coverage is at least 85 %", "number-by-text", "metric"),
        ("不超过 3 个错误", "number-by-text", "metric"),
        ("The config is valid JSON", "format-by-text", "schema"),
        ("The suite passes", "run-by-text", "tests"),
        ("所有测试均通过", "run-by-text", "tests"),
        ("The README explains how to install", "meaning-by-text", "human"),
        ("说明清晰易读", "meaning-by-text", "human"),
        ("A write drops the cached limit", "behaviour-by-text", "human"),
        ("写入后缓存失效", "behaviour-by-text", "human"),
    ],
)
def test_a_claim_is_sent_to_the_check_that_can_settle_it(description, rule, route):
    found = [w for w in warnings_of(contains("zz", description), STRONG) if w.rule == rule]
    assert [w.route for w in found] == [route]
    exists = {"id": "a", "check": "evidence", "description": description, "with": {"file": "a.txt"}}
    assert rule in rules(exists, STRONG)


def test_meaning_names_a_person_too():
    (warning,) = [w for w in warnings_of(contains("zz", "It reads clearly"), STRONG) if w.rule == "meaning-by-text"]
    assert (warning.route, "ask a person" in warning.message) == ("human", True)


def test_claims_of_checks_that_do_not_read_text_are_no_claims():
    suite = {"id": "a", "check": "tests", "description": "The suite passes", "with": {"run": ["pytest"]}}
    assert rules(suite) == []


def test_a_description_that_a_stronger_check_shares_is_answered_there():
    text = {"id": "e", "check": "evidence", "description": "The suite passes", "with": {"file": "a.txt"}}
    suite = {"id": "a", "check": "tests", "description": "The suite passes", "with": {"run": ["pytest"]}}
    assert rules(text, suite) == []
    again = {**contains("zz", "The suite passes"), "id": "c"}
    assert [w.requirement for w in warnings_of(text, again, STRONG) if w.rule == "run-by-text"] == ["c"]


def test_a_number_that_the_pattern_has_is_told_once():
    found = rules(contains(r"\d+ ?%", "At least 85 %"), STRONG)
    assert "number-by-pattern" in found
    assert "number-by-text" not in found


def test_the_claim_decides_the_route_of_a_denial():
    found = [w for w in warnings_of(contains("suite passes", "The suite passes"), STRONG) if w.rule == "matches-denial"]
    assert [w.route for w in found] == ["tests"]


def test_kinds_of_claims():
    assert claim_of("0 errors and 0 warnings") is Claim.NUMBER
    assert claim_of("Renames the module") is None


# Slow patterns


def test_a_slow_pattern_is_found_by_trying():
    warning = about(r"(?!x)(a+)+$", "catastrophic-pattern")
    assert warning is not None
    assert "made it run out of time" in warning.message
    assert "repetition inside a repetition" in warning.message


def test_a_slow_pattern_without_a_telling_structure_is_found_by_trying():
    warning = about(r"(?!q)(x+)(x+)(x+)(x+)(x+)(x+)\1\2$", "catastrophic-pattern")
    assert warning is not None
    assert "made it run out of time" in warning.message


def test_a_slow_structure_that_runs_in_linear_time_here_is_told_as_that():
    warning = about("(a+)+$", "catastrophic-pattern")
    assert warning is not None
    assert "backcheck runs it in linear time" in warning.message


def test_a_pattern_that_runs_in_linear_time_is_not_tried():
    class Refuses(Runner):
        def finds(self, use: PatternUse, text: str) -> bool | None:
            raise AssertionError(text)

    data = {"version": 1, "requirements": [contains("(a+)+$")]}
    (use,) = pattern_uses(parse_contract(json.dumps(data).encode(), "c").requirements[0])
    assert try_to_stall(use, Refuses()) is None


@pytest.mark.parametrize("pattern", [r"(?!x)\w+ \w+", r"(ab|ac)*$", r"^(?=.*foo)(?=.*bar).*$", r"(\w+,)*$"])
def test_a_quick_pattern(pattern):
    assert about(pattern, "catastrophic-pattern") is None


def test_a_pattern_that_cannot_be_looked_at_is_told():
    assert "pattern-unread" in rules(contains("(" * 70 + "a" + ")" * 70), STRONG)


# Commands, globs, descriptions


def test_a_command_that_cannot_fail():
    asked = {"id": "a", "check": "command", "description": "x", "with": {"run": "pytest || true"}}
    (warning,) = warnings_of(asked)
    assert (warning.rule, warning.route) == ("command-cannot-fail", "tests")
    listed = {**asked, "with": {"run": ["sh", "-c", "pytest; exit 0"]}}
    assert rules(listed) == ["command-cannot-fail"]
    assert rules({**asked, "with": {"run": "pytest"}}) == []


def test_a_glob_that_matches_nothing():
    asked = {"id": "a", "check": "absent", "description": "x", "with": {"glob": "srcc/**", "pattern": "TODO"}}
    assert rules(asked, files={"a": 0}) == ["glob-matches-nothing"]
    assert rules(asked, files={"a": 1}) == rules(asked) == []


def test_a_requirement_without_a_description():
    asked = {"id": "a", "check": "tests", "with": {"run": ["pytest"]}}
    assert rules(asked) == ["no-description"]
    assert rules({**asked, "description": " "}) == ["no-description"]


# The whole contract


def test_no_requirement():
    (warning,) = warnings_of()
    assert (warning.rule, warning.requirement, warning.position.line) == ("no-requirement", "", 1)


def test_every_requirement_only_warns():
    assert rules({**STRONG, "severity": "warn"}) == ["all-warn"]
    assert rules({**STRONG, "severity": "P3"}, {**STRONG, "id": "b", "with": {"run": "x"}}) == []


WEAK = {"id": "a", "check": "file-exists", "description": "x", "with": {"file": "README.md"}}
EVIDENCE = {"id": "b", "check": "evidence", "description": "x", "with": {"file": "out/run.log"}}


def test_every_requirement_is_of_the_weakest_kind():
    assert rules(WEAK, EVIDENCE) == ["weakest-kind"]
    assert rules(WEAK, EVIDENCE, {**STRONG, "severity": "warn"}) == ["weakest-kind"]
    assert rules(WEAK, EVIDENCE, STRONG) == []
    assert rules(WEAK, {**EVIDENCE, "provenance": "recorded"}, trusted_keys=[KEY]) == []


def test_everything_rests_on_texts():
    text = {"id": "c", "check": "file-contains", "description": "x", "with": {"file": "out/a.md", "pattern": "^z$"}}
    assert rules(WEAK, text) == ["prose-only"]
    assert rules(WEAK, {**text, "with": {"file": "src/a.py", "pattern": "^z$"}}) == []
    assert rules(WEAK, text, STRONG) == []


def unprotected(*requirements: dict[str, Any]) -> list[str]:
    found = warnings_of(*requirements, scoped=False)
    return [w.requirement for w in found if (w.rule, w.route) == ("command-unprotected", "diff-scope")]


def scope(**fields: Any) -> dict[str, Any]:
    return {**SCOPE, **fields}


@pytest.mark.parametrize(
    "other",
    [
        WEAK,
        scope(**{"with": {"protected": ["tests/**"]}}),
        scope(**{"with": {"allowed": []}}),
        scope(**{"with": {"allowed": ["src/**", "**"]}}),
        scope(severity="warn"),
        scope(at=["push"]),
    ],
)
def test_a_command_that_new_files_could_turn_green(other):
    assert unprotected(STRONG, other, {**STRONG, "id": "again"}) == ["suite"]


def test_a_command_whose_files_are_limited():
    assert unprotected(STRONG, SCOPE) == unprotected(SCOPE, STRONG) == []
    assert unprotected({**STRONG, "at": ["push"]}, scope(at=["push", "server"])) == []
    assert unprotected(WEAK, EVIDENCE) == unprotected(contains("zz")) == []
    assert unprotected({**STRONG, "severity": "warn"}) == []


KEY = "ed25519:" + "A" * 43 + "="


def test_a_person_is_asked_but_nobody_is_trusted():
    asked = {"id": "a", "check": "human", "description": "x", "with": {"question": "Is it kind?"}}
    assert rules(asked) == ["no-trusted-keys"]
    assert rules(asked, trusted_keys=[KEY]) == []
    recorded = {**EVIDENCE, "provenance": "recorded"}
    assert rules(recorded, STRONG) == ["no-trusted-keys"]
    assert rules(recorded, STRONG, recorder_keys=[KEY]) == []
    assert rules(asked, recorder_keys=[KEY]) == ["no-trusted-keys"]


def test_the_same_question_twice():
    again = {**STRONG, "id": "b", "description": "other words"}
    (warning,) = warnings_of(STRONG, again)
    assert (warning.rule, warning.requirement) == ("same-question", "b")
    assert "`suite`" in warning.message
    assert rules(STRONG, {**again, "with": {"run": ["pytest"]}}) == []
    one = {"id": "p", "check": "command", "description": "x", "with": {"run": "a", "timeout": 3}}
    assert rules(one, {**one, "id": "q", "with": {"timeout": 3, "run": "a"}}) == ["same-question"]


# Places, foreign contracts, robustness


def test_every_warning_points_into_the_file():
    text = b"""version: 1
requirements:
  - id: cov
    description: Coverage is at least 85 %
    check: file-contains
    with:
      file: out/cov.txt
      any:
        - coverage
        - '\\d+ ?%'
"""
    found = {(w.rule, w.position.line, w.position.column) for w in lint(parse_contract(text, "c.yaml"), Runner())}
    assert found == {
        ("prose-only", 1, 1), ("matches-denial", 9, 11), ("number-by-pattern", 10, 11), ("number-optional", 10, 11),
    }  # fmt: skip


def test_foreign_contracts_are_linted_too():
    gates = {"gates": [{"id": "t", "type": "command", "run": "npm test || true"},
                       {"id": "c", "type": "file-contains", "file": "CHANGELOG.md", "pattern": r"(\w+\s?)*$"}]}  # fmt: skip
    found = lint(parse_contract(json.dumps(gates).encode(), ".skillgate.json"), Runner())
    expected = {"command-cannot-fail", "command-unprotected", "catastrophic-pattern", "no-description"}
    assert {w.rule for w in found} == expected
    task = {"task": "t", "evidence_gates": {"requirements": [
        {"id": "R1", "desc": "Reads well and clearly", "type": "llm", "evidence_file": "r.md"},
        {"id": "R2", "desc": "Coverage is at least 85%", "evidence_file": "c.txt", "pattern": r"8[5-9]|9\d"}]}}  # fmt: skip
    found = lint(parse_contract(json.dumps(task).encode(), ".forge/content-verify.json"), Runner())
    assert {(w.requirement, w.rule) for w in found} == {("R1", "no-trusted-keys"), ("R2", "number-by-pattern")}


def test_a_rule_that_is_not_listed_cannot_be_used():
    with pytest.raises(ValueError, match="no rule"):
        LintWarning(rule="nonsense", requirement="", position=Position(path="c"), message="m")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=4), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["file-contains", "content", "absent", "command", "file-lacks"]),
       st.dictionaries(st.sampled_from(["file", "run", "glob", "keywords", "dialect", "flags"]), VALUES))  # fmt: skip
def test_arguments_of_any_shape_get_an_answer(check, arguments):
    asked = {"id": "a", "check": check, "description": "x", "with": arguments}
    arguments.pop("dialect", None)
    arguments.pop("flags", None)
    assert {warning.requirement for warning in warnings_of(asked)} <= {"", "a"}


# The command


def write(folder: Path, path: str, text: str) -> Path:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


NATIVE = """\
version: 1
requirements:
  - id: todo
    description: Nothing is left to do
    check: absent
    with: {glob: "lib/**", pattern: TODO}
  - id: words
    description: Written down
    check: file-contains
    with: {file: a.txt, pattern: "invalidat(e|ion)"}
"""


def test_the_command_prints_place_rule_and_route(tmp_path, capsys):
    write(tmp_path, ".backcheck/contract.yaml", NATIVE)
    write(tmp_path, "src/a.py", "x = 1\n")
    assert run(["lint-contract", "-C", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(".backcheck/contract.yaml:6:18: glob-matches-nothing: `todo`:")
    assert lines[1].startswith(".backcheck/contract.yaml:10:34: matches-denial: `words`:")
    assert lines[1].endswith("-> human")
    assert lines[-1] == "2 warnings"


def test_a_glob_counts_the_files_of_the_tree_and_not_ignored_ones(repo, capsys):
    repo.write(".backcheck/contract.yaml", NATIVE)
    repo.write("lib/a.py", "x = 1\n")
    assert run(["lint-contract", "-C", str(repo.root), "--json"]) == 0
    assert "glob-matches-nothing" not in capsys.readouterr().out
    repo.write(".gitignore", "lib/\n")
    assert run(["lint-contract", "-C", str(repo.root), "--json"]) == 0
    assert "glob-matches-nothing" in capsys.readouterr().out


def test_strict_makes_warnings_an_exit_code(tmp_path, capsys):
    write(tmp_path, ".backcheck/contract.yaml", NATIVE)
    assert run(["lint-contract", "-C", str(tmp_path), "--strict"]) == 1
    write(tmp_path, "lib/a.py", "x = 1\n")
    clean = NATIVE[: NATIVE.index("  - id: words")]
    write(tmp_path, ".backcheck/contract.yaml", clean)
    assert run(["lint-contract", "-C", str(tmp_path), "--strict"]) == 0
    assert capsys.readouterr().out.endswith("0 warnings\n")


def test_a_wrong_contract_is_no_lint(tmp_path, capsys):
    for wrong in ("version: 1\nrequirments: []\n", NATIVE.replace("pattern: TODO", "pattern: 'TODO('"),
                  NATIVE.replace("absent", "absnt")):  # fmt: skip
        write(tmp_path, ".backcheck/contract.yaml", wrong)
        assert run(["lint-contract", "-C", str(tmp_path)]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith("backcheck: .backcheck/contract.yaml:")
    assert run(["lint-contract", "-C", str(tmp_path / "nowhere")]) == 2


def test_the_tree_s_contract_is_linted_and_not_the_base_s(repo, capsys):
    repo.write(".backcheck/contract.yaml", NATIVE)
    base = repo.commit()
    repo.git("update-ref", "refs/remotes/origin/main", base)
    repo.write(".backcheck/contract.yaml", "version: 1\nrequirements: []\n")
    assert run(["lint-contract", "-C", str(repo.root), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [warning["rule"] for warning in document["warnings"]] == ["no-requirement"]


def test_the_json_document(tmp_path, capsys):
    path = write(tmp_path, "odd.yaml", NATIVE)
    assert run(["lint-contract", str(path), "-C", str(tmp_path), "--json", "--drift"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "backcheck.lint/1"
    assert document["contract"] == {"path": "odd.yaml", "format": "native"}
    assert document["warnings"][0] == {
        "rule": "glob-matches-nothing", "requirement": "todo", "where": {"path": "odd.yaml", "line": 6, "column": 18},
        "message": "no file of the tree matches the glob, so nothing is searched", "route": None,
    }  # fmt: skip
    assert [one["requirement"] for one in document["drift"]["patterns"]] == ["words"]
    assert document["notices"] == []


def test_every_rule_has_its_paragraph_in_the_docs(project_root):
    text = (project_root / "docs/how-to/write-a-contract.md").read_text(encoding="utf-8")
    assert [rule for rule in sorted(RULES) if f"`{rule}`" not in text] == []


@pytest.fixture
def project_root(pytestconfig):
    return pytestconfig.rootpath
