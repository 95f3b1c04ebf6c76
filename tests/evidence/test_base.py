from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import Repo

from backcheck.errors import UserError
from backcheck.evidence.base import Origin
from backcheck.surfaces.session import open_session

OLD = "version: 1\nrequirements:\n  - {id: strict, check: file-exists, with: {file: a.txt}}\n"
NEW = "version: 1\nrequirements:\n  - {id: lax, check: file-exists, with: {file: b.txt}}\n"


def clone(repo: Repo, tmp_path: Path) -> Repo:
    copy = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.root), str(copy))
    made = Repo.__new__(Repo)
    made.root = copy
    return made


def ids(**call: object) -> tuple[list[str], str, list[str]]:
    session = open_session(cache=False, **call)  # type: ignore[arg-type]
    session.close()
    contract = session.place.contract
    assert contract is not None
    return [r.id for r in contract.requirements], session.place.contract_from, session.notices


def test_the_bases_contract_counts(repo: Repo, tmp_path: Path) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    repo.commit()
    work = clone(repo, tmp_path)
    work.write(".backcheck/contract.yaml", NEW)
    work.commit("the agent rewrites the contract")
    found, source, notices = ids(folder=str(work.root))
    assert (found, source) == (["strict"], "base")
    assert any("was changed in the tree" in notice for notice in notices)
    (work.root / ".backcheck/contract.yaml").unlink()
    found, source, notices = ids(folder=str(work.root))
    assert (found, source) == (["strict"], "base")
    assert any("is missing in the tree" in notice for notice in notices)


def test_a_contract_named_by_path_is_the_bases_too(repo: Repo, tmp_path: Path) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    repo.commit()
    work = clone(repo, tmp_path)
    path = work.write(".backcheck/contract.yaml", NEW)
    assert ids(folder=str(work.root), contract=str(path))[0] == ["strict"]


def test_without_a_base_the_trees_contract_is_used_and_told(repo: Repo) -> None:
    repo.write(".backcheck/contract.yaml", NEW)
    repo.commit()
    assert ids(folder=str(repo.root))[:2] == (["lax"], "tree")


def test_base_by_revision(repo: Repo) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    first = repo.commit()
    repo.write(".backcheck/contract.yaml", NEW)
    repo.commit()
    session = open_session(folder=str(repo.root), base="HEAD~1", cache=False)
    session.close()
    assert session.place.base is not None
    assert (session.place.base.commit, session.place.base.origin, session.place.base.movable) == (
        first,
        Origin.GIVEN,
        False,
    )
    assert ids(folder=str(repo.root), base=first)[0] == ["strict"]


@pytest.mark.parametrize("revision", ["nonsense", "--help", "", "HEAD:a", "-x", "a\0b"])
def test_a_base_that_is_none_is_refused(repo: Repo, revision: str) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    repo.commit()
    with pytest.raises(UserError, match="no such commit"):
        open_session(folder=str(repo.root), base=revision)


def test_the_nearest_contract_upwards_and_its_root(repo: Repo) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    repo.write("pkg/.skillgate/done.yaml", "gates: [{id: inner, type: file-exists, file: x}]")
    repo.write("pkg/src/deep/x", "")
    repo.commit()
    session = open_session(folder=str(repo.root / "pkg/src/deep"), cache=False)
    session.close()
    assert session.place.prefix == "pkg"
    assert ids(folder=str(repo.root / "pkg/src/deep"))[0] == ["inner"]


def test_no_contract_and_no_folder(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no contract"):
        open_session(folder=str(repo.root))
    with pytest.raises(UserError, match="there is no folder"):
        open_session(folder=str(tmp_path / "none"))


def test_the_index_and_a_revision_bring_their_own_contract(repo: Repo) -> None:
    repo.write(".backcheck/contract.yaml", OLD)
    repo.commit()
    repo.write(".backcheck/contract.yaml", NEW)
    repo.git("add", "-A")
    repo.write(".backcheck/contract.yaml", "broken: [")
    assert ids(folder=str(repo.root), tree="index")[0] == ["lax"]
    assert ids(folder=str(repo.root), tree="HEAD")[0] == ["strict"]
