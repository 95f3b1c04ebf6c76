"""Where the reference data lies: only through BACKCHECK_DATA, and said plainly where it is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder BACKCHECK_DATA names. Unset: skip. Set but no folder: skip, and in CI (CI=true) fail."""
    named = os.environ.get("BACKCHECK_DATA")
    if not named:
        pytest.skip("BACKCHECK_DATA is not set: this comparison with the reference data did not run")
    if not Path(named).is_dir():
        message = "BACKCHECK_DATA names no folder: this comparison with the reference data did not run"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return Path(named)
