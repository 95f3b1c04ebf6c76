"""How often one session was sent back in a row: an end, so that no agent is held in a circle by its own failure."""

from __future__ import annotations

from collections.abc import Sequence

from backcheck.errors import UserError
from backcheck.ledger.location import open_ledger
from backcheck.ledger.store import Ledger, text_at
from backcheck.surfaces.locate import locate

KIND = "hook"
#: Claude Code gives up by itself after eight in a row; a person should hear of it sooner.
LIMITS = {"Stop": 3, "TaskCompleted": 3, "SubagentStop": 1}
MAX_READ = 100


class Loop:
    """One session's run of refusals. `again`: the harness says that it goes on because of a refusal."""

    def __init__(self, folder: str, session: str, *, again: bool) -> None:
        self.folder, self.session, self.again = folder, session, again

    def limit(self, event: str) -> int:
        """How often a session may be sent back in a row."""
        return LIMITS.get(event, 3)

    def count(self, failing: Sequence[str]) -> int:
        """The number of this refusal in its row, from 1, kept for the next one.

        A ledger that cannot be used makes it the last one: better an end that is told than a circle.
        """
        try:
            place = locate(self.folder, None)
            ledger = open_ledger(place.repository, place.root)
            number = 1 + (self._before(ledger) if self.again else 0)
            ledger.append(KIND, {"session": self.session, "number": number, "failing": list(failing)[:50]})
        except UserError:
            return 1 if not self.again else max(LIMITS.values()) + 1
        return number

    def _before(self, ledger: Ledger) -> int:
        for entry in ledger.entries(KIND, newest_first=True, limit=MAX_READ):
            if text_at(entry.body, "session") == self.session:
                number = entry.body.get("number")
                return number if isinstance(number, int) and number > 0 else 0
        return 0
