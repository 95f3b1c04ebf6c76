"""Numerals, strict JSON, addresses of values, and where a report's paths lie in a tree."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backcheck.evidence.reports.numerals import count_of, decimal_of, fraction_of, is_count, written
from backcheck.evidence.reports.places import located
from backcheck.evidence.reports.problem import ReportProblem
from backcheck.evidence.reports.strictjson import parse
from backcheck.evidence.reports.values import Cell, csv_value, json_value, number_of, xml_value, yaml_value


@pytest.mark.parametrize("text", ["85", "085", "0", "-3", "+3", "8.5", ".5", "5.", "8.5e1", "85E-1", "-0"])
def test_numbers_are_read(text: str) -> None:
    assert decimal_of(text) == Decimal(text)


NO_NUMBERS = ["", " ", "85 ", " 85", "８５", "٨٥", "85%", "8_5", "84,99", "1,000", "NaN", "nan", "inf", "-Infinity", "0x55", "1e", "e5",
              "--5", "8 5", "85\n", "½", "1e99999", "1e-99999", "9" * 401, "1e1000000000000", "true", "None"]  # fmt: skip


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ReportProblem):
        decimal_of(text)


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "1e3", "１", " 1", "1 ", "1_0", "9" * 16])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(ReportProblem):
        count_of(text)


def test_counts() -> None:
    assert (count_of("0"), count_of("0012"), count_of("9" * 15)) == (0, 12, 10**15 - 1)
    assert [is_count(value) for value in (0, 5, -1, True, 1.0, Decimal(1), "1", 10**15)] == [True, True] + [False] * 6


def test_a_float_of_a_contract_is_what_was_written() -> None:
    assert fraction_of(0.1) == Fraction(1, 10)
    assert fraction_of(84.99) == Fraction(8499, 100)
    assert fraction_of(Decimal("84.990")) == Fraction(8499, 100)
    for value in (True, None, float("nan"), float("inf"), [85], "８５"):
        with pytest.raises(ReportProblem):
            fraction_of(value)


@given(st.fractions())
def test_what_is_shown_is_never_rounded_up(value: Fraction) -> None:
    shown = written(value)
    exact = Fraction(shown.removesuffix("…")) if "E" not in shown else value
    assert abs(exact) <= abs(value)
    assert shown.endswith("…") or exact == value


def test_shown_numbers() -> None:
    assert [written(Fraction(n)) for n in ("85", "84.99", "2/3", "-2/3", "0")] == [
        "85",
        "84.99",
        "0.66666…",
        "-0.66666…",
        "0",
    ]
    assert written(Fraction(10) ** 308) == "1.000000E+308"


BAD_JSON = ["", "{", '{"a": 1, "a": 1}', '{"a": {"b": 1, "b": 2}}', "NaN", "[Infinity]", "-Infinity", "{'a': 1}", "[1,]", "01", "1.", "+1",
            "１", "1e999999", "9" * 500, "[" * 100_000, '{"a": 1} x', '{"a": 1}{"a": 1}', "// c\n1", '"\ud800'.encode("utf-8", "surrogatepass").decode("latin-1"), "\0"]  # fmt: skip


@pytest.mark.parametrize("text", BAD_JSON, ids=range(len(BAD_JSON)))
def test_json_is_strict(text: str) -> None:
    with pytest.raises(ReportProblem):
        parse(text.encode())


JSON: list[tuple[str, str, Any]] = [
    ('{"a": {"b": [1, 2.50]}}', "a.b.1", Decimal("2.50")), ('{"a": {"b": [1]}}', "/a/b/0", 1), ('{"a/b": {"~": 3}}', "/a~1b/~0", 3),
    ('{"": 4}', "/", 4), ('{"a.b": 5}', "/a.b", 5), ('{"0": 6}', "0", 6), ("[7]", "0", 7), ('{"a": true}', "a", True),
    ('{"a": null}', "a", None), ('{"a": "85"}', "a", "85"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "address", "value"), JSON)
def test_json_addresses(text: str, address: str, value: Any) -> None:
    found = json_value(text.encode(), address)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(("text", "address"), [
    ("{}", "a"), ('{"a": 1}', "a.b"), ("[1]", "1"), ("[1]", "-1"), ("[1]", "00"), ("[1]", "０"), ('{"a.b": 5}', "a.b"), ("5", "a"),
    ('{"a": 1}', "/a~2"), ('{"A": 1}', "a"),
])  # fmt: skip
def test_an_address_of_nothing(text: str, address: str) -> None:
    with pytest.raises(ReportProblem):
        json_value(text.encode(), address)


YAML: list[tuple[str, Any]] = [
    ("a: 85", Decimal(85)), ("a: 84.99999999999999999999", Decimal("84.99999999999999999999")), ("a: 8.5e1", Decimal(85)),
    ("a: '85'", "85"), ("a: 85 %", "85 %"), ("a: no", "no"), ("a: true", True), ("a: ~", None), ("a: .nan", ".nan"), ("a: .inf", ".inf"),
    ("a: 1_000", "1_000"), ("a: 0x55", "0x55"), ("a: [1]", []), ("a: ８５", "８５"), ("a: 12:30", "12:30"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), YAML)
def test_yaml_values(text: str, value: Any) -> None:
    found = yaml_value(text.encode(), "a")
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2", "a: &x 1\nb: *x", "a: !!int 1", "a: 1\n---\na: 2", "- 1", "a: [", "", "5"]
)
def test_bad_yaml(text: str) -> None:
    with pytest.raises(ReportProblem):
        yaml_value(text.encode(), "a")


TABLE = 'name,p95,note\napi,99.5,"a, b"\ndb,200,\n'


def cell(text: str = TABLE, column: str = "p95", delimiter: str = ",", **row: str) -> str:
    return csv_value(text.encode(), Cell(column=column, row=row, delimiter=delimiter))


def test_csv_cells() -> None:
    assert cell(name="api") == "99.5"
    assert cell("p95\n 85 \n") == "85"
    assert cell("a;p95\nx;84,99\n", delimiter=";", a="x") == "84,99"
    assert cell(TABLE.replace("\n", "\r\n"), name="db") == "200"


@pytest.mark.parametrize(("text", "row"), [
    (TABLE, {}), (TABLE, {"name": "none"}), (TABLE, {"nam": "api"}), ("p95,p95\n1,2\n", {}), ("p95\n", {}), ("", {}),
    ("name,p95\napi\n", {"name": "api"}), ("name,p95\napi,1,2\n", {"name": "api"}), ("name,p95\napi,1\napi,2\n", {"name": "api"}),
    ('name,p95\napi,"1\n', {"name": "api"}), ("name,p95\napi,1\nbad\n", {"name": "api"}),
])  # fmt: skip
def test_bad_tables(text: str, row: dict[str, str]) -> None:
    with pytest.raises(ReportProblem):
        cell(text, **row)


TREE = '<r><s n="a" t="1"><v>5</v></s><s n="b" t="2"><v> 6 </v></s><o:x xmlns:o="u" t="7"/></r>'


@pytest.mark.parametrize(("address", "value"), [
    ("r/s[1]/@t", "1"), ("r/s[2]/@t", "2"), ("r/s[@n='b']/@t", "2"), ('r/s[@n="a"]/v', "5"), ("r/s[2]/v", "6"), ("r/x/@t", "7"),
])  # fmt: skip
def test_xml_addresses(address: str, value: str) -> None:
    assert xml_value(TREE.encode(), address) == value


@pytest.mark.parametrize("address", [
    "r/s/@t", "r/s/v", "s/@t", "r/s[3]/@t", "r/s[@n='c']/@t", "r//v", "/r", "r/s[0]/@t", "r/s[-1]/@t", "r/*/@t", "r/s[1]/", "@t", "r/@",
    "r/s[last()]/@t", "r/s[1]x/@t", "", "v",
])  # fmt: skip
def test_xml_addresses_that_name_no_one_thing(address: str) -> None:
    with pytest.raises(ReportProblem):
        xml_value(TREE.encode(), address)


def test_units_come_off_only_where_they_are_named() -> None:
    assert number_of("85 %", "%") == 85
    assert number_of("85ms", "ms") == 85
    assert number_of("85", "%") == 85
    for value, unit in (
        ("85 %", ""),
        ("85 s", "ms"),
        ("85 % %", "%"),
        ("%", "%"),
        (True, ""),
        (None, ""),
        ([], ""),
        ({}, ""),
    ):
        with pytest.raises(ReportProblem):
            number_of(value, unit)


FILES = {"src/a.py", "src/b.py", "app.py", "backend/src/a.js", "shapes/area.go", "x/__init__.py", "y/__init__.py"}


def places(*paths: str, roots: tuple[str, ...] = ("/w/t",), **more: Any) -> dict[str, str]:
    return located(paths, FILES.__contains__, roots=roots, **more)


def test_paths_are_found() -> None:
    assert places("src/a.py", "./src/b.py", "/w/t/app.py", "src\\a.py") == {
        "src/a.py": "src/a.py", "./src/b.py": "src/b.py", "/w/t/app.py": "app.py", "src\\a.py": "src/a.py",
    }  # fmt: skip
    assert places("a.py", "b.py", sources=["/w/t/src"]) == {"a.py": "src/a.py", "b.py": "src/b.py"}
    assert places("a.py", sources=["src"]) == {"a.py": "src/a.py"}
    assert places("a.py", "b.py", sources=["/elsewhere/src"]) == {"a.py": "src/a.py", "b.py": "src/b.py"}
    assert places("src/a.js", folder="backend/coverage") == {"src/a.js": "backend/src/a.js"}
    assert places("example.com/m/shapes/area.go") == {"example.com/m/shapes/area.go": "shapes/area.go"}
    assert places("/build/1/src/a.py", "/build/1/src/b.py", "/usr/lib/x.py") == {
        "/build/1/src/a.py": "src/a.py", "/build/1/src/b.py": "src/b.py",
    }  # fmt: skip


def test_paths_of_other_projects_are_none() -> None:
    assert places("src/a.py", "/usr/lib/python3/app.py") == {"src/a.py": "src/a.py"}
    assert places("/w/t2/app.py", "/w/t/src/a.py") == {"/w/t/src/a.py": "src/a.py"}
    assert places("../../etc/passwd", "/etc/passwd", "..", "/", "", "src") == {}
    assert places("../t/app.py", "app.py/..") == {}


def test_a_path_that_may_be_two_files_is_none() -> None:
    assert places("__init__.py", sources=["/w/t/x", "/w/t/y"]) == {}
    assert places("__init__.py", sources=["/w/t/x"]) == {"__init__.py": "x/__init__.py"}
