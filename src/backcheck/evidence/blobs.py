"""git's own ids of what lies on disk, computed here from raw bytes: no filter, no index, no attribute has a say."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from backcheck.evidence.limits import MAX_FILE
from backcheck.evidence.objects import blob_id
from backcheck.evidence.parallel import fork_map
from backcheck.evidence.reading import Unreadable, read_whole


def disk_blobs(top: str, paths: Sequence[str], id_length: int) -> dict[str, tuple[str, str]]:
    """(mode, blob id) of files and links below `top`; `unread:…` stands for an id that could not be had."""
    rows = fork_map(lambda part: [list(_blob(top, path, id_length)) for path in part], list(paths))
    return {str(path): (str(mode), str(oid)) for path, mode, oid in rows}


def _blob(top: str, path: str, id_length: int) -> tuple[str, str, str]:
    full = os.path.join(top, path)
    try:
        state = os.lstat(full)
        if stat.S_ISLNK(state.st_mode):
            return path, "120000", blob_id(os.fsencode(os.readlink(full)), id_length)
        mode = "100755" if state.st_mode & 0o100 else "100644"
        return path, mode, blob_id(read_whole(full, limit=MAX_FILE, expected=state.st_size), id_length)
    except (OSError, Unreadable) as error:
        return path, "100644", f"unread:{error}"
