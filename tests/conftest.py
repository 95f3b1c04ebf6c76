"""No test touches the user's own folders, and none inherits git's or CI's variables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support import Repo


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home, cache and configuration in a folder of this test; no GIT_*, CI or BACKCHECK_* but BACKCHECK_DATA."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "BACKCHECK_")) and name not in ("BACKCHECK_DATA", "BACKCHECK_SKILLGATE"):
            monkeypatch.delenv(name)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository."""
    return Repo(tmp_path / "repo")
