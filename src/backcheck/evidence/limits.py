"""The limits of reading, in one place; hitting one is a finding, never a silent cut."""

from __future__ import annotations

#: A file up to this is read whole by a check that needs its text at once.
MAX_TEXT = 16 * 1024 * 1024
#: A file up to this is searched and hashed; beyond it the answer is unclear.
MAX_FILE = 512 * 1024 * 1024
#: Files are searched in windows of this size.
WINDOW = 8 * 1024 * 1024
#: How far two windows overlap where a line is longer than a window.
OVERLAP = 64 * 1024
#: Places that one finding shows.
MAX_PLACES = 20
#: Seconds that one pass over the tree may take.
SURVEY_SECONDS = 300.0


def size(count: int) -> str:
    """A byte count for people: `512 MiB`, `3 KiB`, `17 bytes`."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor:
            return f"{count / factor:.1f}".removesuffix(".0") + f" {unit}"
    return f"{count} bytes"
