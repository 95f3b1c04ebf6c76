"""git's own ids of what lies on disk, computed here from raw bytes: no filter, no index, no attribute has a say."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Any

from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.objects import blob_id
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.reading import Unreadable, kind_of_mode, read_whole
from backcheck.evidence.steady import Seen, state_of

#: Stands before why an id could not be had; the mode of a FIFO and its like, which git does not have.
UNREAD, SPECIAL = "unread:", "000000"


def disk_blobs(top: str, paths: Sequence[str], id_length: int, seen: Seen | None = None) -> dict[str, tuple[str, str]]:
    """(mode, blob id) of files and links below `top`; see UNREAD and SPECIAL.

    Where `paths` are all of a tree, `seen` keeps what was met.
    """
    rows = fork_map(lambda part: [_blob(top, path, id_length) for path in part], list(paths))
    if seen is not None:
        seen.note_all({row[0]: tuple(row[3:]) or None for row in rows})
    return {str(row[0]): (str(row[1]), str(row[2])) for row in rows}


def _blob(top: str, path: str, id_length: int) -> list[Any]:
    """Path, mode, id, and the state that the file was read in; none where nothing is there."""
    full = os.path.join(top, path)
    met: Sequence[int] = ()
    mode = "100644"
    try:
        state = os.lstat(full)
        met = state_of(state)
        if stat.S_ISLNK(state.st_mode):
            return [path, "120000", blob_id(os.fsencode(os.readlink(full)), id_length), *met]
        if not stat.S_ISREG(state.st_mode):
            return [path, SPECIAL, f"{UNREAD}is {kind_of_mode(state.st_mode)}", *met]
        mode = "100755" if state.st_mode & 0o100 else "100644"
        return [path, mode, blob_id(read_whole(full, limit=MAX_FILE, expected=state.st_size), id_length), *met]
    except (OSError, Unreadable) as error:
        return [path, mode, f"{UNREAD}{error}", *met]
