"""Wrong contracts, wrong calls and trees that are traps: one honest answer each, in time, and never a pass."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.hostile import bad_arguments, bad_contracts, bad_places, mutations
from tests.hostile.bad_model import NATIVE, Bad, ask, problems
from tests.hostile.runner import Outcome, Runner

ALL = [*bad_contracts.fixed(), *bad_arguments.arguments(), *bad_places.places()]
#: Inputs that are not yet answered as they must be, with the fault.
KNOWN: dict[str, str] = {}


def marked(bad: Bad) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=KNOWN[bad.id])] if bad.id in KNOWN else []
    return pytest.param(bad, id=ascii(bad.id)[1:-1], marks=marks)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Runner(tmp_path_factory.mktemp("home")) as made:
        yield made


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's: some of these trees it could not remove."""
    made = Path(tempfile.mkdtemp(prefix="backcheck-hostile-"))
    yield made
    bad_places.clear(made)


@pytest.mark.parametrize("bad", [marked(bad) for bad in ALL])
def test_a_hostile_input_gets_one_honest_answer(bad: Bad, folder: Path, runner: Runner) -> None:
    inside = folder / "tree"
    inside.mkdir()
    assert problems(bad, ask(bad, inside, runner)) == []


def test_there_are_enough_of_them() -> None:
    assert len(ALL) >= 400
    assert all(bad.exits <= {1, 2, 3} for bad in ALL)
    assert set(KNOWN) <= {bad.id for bad in ALL}


def test_the_good_ones_pass(folder: Path, runner: Runner) -> None:
    """What the wrong ones were made from passes, so it is the wrong in them that is refused."""
    for number, (name, text) in enumerate([(NATIVE, bad_contracts.GOOD), *bad_places.FOREIGN_GOOD.items()]):
        tree = folder / str(number)
        (tree / name).parent.mkdir(parents=True)
        (tree / name).write_text(text)
        (tree / "a.txt").write_text("The limiter keeps a window of ten seconds per key and refuses what is over it.\n")
        assert runner.ask(["check", "-C", str(tree)]).code == 0


def on_nothing(runner: Runner, name: str, raw: bytes) -> Outcome:
    """A contract from elsewhere about an empty tree."""
    with tempfile.TemporaryDirectory(prefix="backcheck-hostile-") as made:
        contract = Path(made) / "given" / name
        contract.parent.mkdir(parents=True)
        contract.write_bytes(raw)
        empty = Path(made) / "empty"
        empty.mkdir()
        outcome = runner.ask(["check", str(contract), "--json", "-C", str(empty)], cwd=empty)
        assert list(empty.iterdir()) in ([], [empty / ".backcheck"]), "something was made in the tree"
    return outcome


def assert_honest(outcome: Outcome) -> None:
    bad = Bad(kind="mutation", name="", exits=frozenset({1, 2, 3}))
    assert problems(bad, outcome, plain=False) == []


MANY = settings(max_examples=150, deadline=None, database=None, derandomize=True,
                suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])  # fmt: skip


@pytest.mark.parametrize("name", mutations.VALID)
def test_a_valid_contract_fails_on_nothing(name: str, runner: Runner) -> None:
    outcome = on_nothing(runner, name, mutations.VALID[name].encode())
    assert outcome.code == 1, outcome.told()


@pytest.mark.parametrize("name", mutations.VALID)
@given(data=st.data())
@MANY
def test_edited_contracts(name: str, runner: Runner, data: st.DataObject) -> None:
    text = data.draw(mutations.edited(mutations.VALID[name]))
    assert_honest(on_nothing(runner, name, text.encode("utf-8", "surrogatepass")))


@pytest.mark.parametrize("name", mutations.VALID)
@given(data=st.data())
@MANY
def test_flipped_contracts(name: str, runner: Runner, data: st.DataObject) -> None:
    assert_honest(on_nothing(runner, name, data.draw(mutations.flipped(mutations.VALID[name]))))


@pytest.mark.parametrize("name", mutations.VALID)
@given(data=st.data())
@MANY
def test_revalued_contracts(name: str, runner: Runner, data: st.DataObject) -> None:
    from ruamel.yaml import YAML

    valid = YAML(typ="safe", pure=True).load(mutations.VALID[name])
    assert_honest(on_nothing(runner, name, json.dumps(data.draw(mutations.revalued(valid))).encode()))


def test_a_file_that_grows_while_it_is_read(folder: Path, runner: Runner) -> None:
    """A writer that never stops holds nothing up, and what it wrote is not half read in silence."""
    (folder / ".backcheck").mkdir()
    (folder / NATIVE).write_text(bad_places.TREE_CONTRACT)
    target = folder / "grows.txt"
    target.write_bytes(b"fine\n" * 200_000)
    child = os.fork()
    if child == 0:
        handle = os.open(target, os.O_WRONLY | os.O_APPEND)
        for _ in range(200_000):
            os.write(handle, b"fine\n" * 50)
        os._exit(0)
    try:
        outcome = runner.ask(["check", "--json", "-C", str(folder)])
        assert outcome.answered, outcome.told()
        assert outcome.code in (0, 3)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
