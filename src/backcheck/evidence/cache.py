"""What a pass over an unchanged folder found last time, kept in the user's cache folder, outside the tree.

Local convenience only: never read or written under CI or at the server door, and never for a folder that changed within
the clock's grain or lies in a repository within the tree. An agent that can write the user's cache folder can write
backcheck itself.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from backcheck.evidence.folder import Row

FORMAT = "backcheck survey 4"
MAX_FILES = 32
MAX_BYTES = 256 * 1024 * 1024
#: A tree with fewer folders is read faster than remembered.
MIN_ROWS = 50


def folder() -> Path:
    """`$XDG_CACHE_HOME/backcheck`, or `~/.cache/backcheck`."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "backcheck"


class SurveyCache:
    """Rows of one tree and one set of searches. With `enabled=False` it remembers nothing."""

    def __init__(self, top: str, identity: str, *, enabled: bool) -> None:
        name = hashlib.sha256(f"{FORMAT}\0{top}\0{identity}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.path = folder() / f"survey-{name}.msgpack"
        self.enabled = enabled

    def load(self) -> dict[str, Row]:
        """Rows by folder path; empty where there are none or they cannot be read."""
        if not self.enabled:
            return {}
        try:
            state = self.path.lstat()
            import msgspec

            if state.st_size > MAX_BYTES or state.st_uid != os.getuid():
                return {}
            return {row[0]: row for row in msgspec.msgpack.decode(self.path.read_bytes(), type=list[Row])}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, IndexError, TypeError):
            # msgspec's errors are ValueErrors; a cache that cannot be read is none.
            return {}

    def save(self, rows: dict[str, Row]) -> None:
        """Replace the file at once; a cache that cannot be written is no error."""
        if not self.enabled or len(rows) < MIN_ROWS:
            return
        import msgspec

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".survey-")
            with os.fdopen(descriptor, "wb") as handle:
                handle.write(msgspec.msgpack.encode(list(rows.values())))
            os.replace(temporary, self.path)
            self._prune()
        except (OSError, UnicodeEncodeError):
            return

    def _prune(self) -> None:
        files = sorted(self.path.parent.glob("survey-*.msgpack"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in files[MAX_FILES:]:
            old.unlink(missing_ok=True)
