"""Fixed-window limits per client, read through a cache that a write empties."""

from __future__ import annotations

import time
from collections.abc import Callable

WINDOW_SECONDS = 60


class LimitStore:
    """Where limits are kept; `reads` counts how often it was asked."""

    def __init__(self, default: int) -> None:
        self.default = default
        self.limits: dict[str, int] = {}
        self.reads = 0

    def read(self, client: str) -> int:
        """The limit of a client, requests a minute."""
        self.reads += 1
        return self.limits.get(client, self.default)

    def write(self, client: str, limit: int) -> None:
        """Set the limit of a client."""
        if limit < 1:
            raise ValueError("a limit is at least 1")
        self.limits[client] = limit


class RateLimiter:
    """Allows each client so many requests in a window of 60 seconds."""

    def __init__(self, store: LimitStore, now: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self.now = now
        self.cache: dict[str, int] = {}
        self.windows: dict[str, tuple[int, int]] = {}

    def limit_of(self, client: str) -> int:
        """The client's limit, from the cache where it is known."""
        if client not in self.cache:
            self.cache[client] = self.store.read(client)
        return self.cache[client]

    def set_limit(self, client: str, limit: int) -> None:
        """Write a limit; the cached one is dropped, so the next request sees the new one."""
        self.store.write(client, limit)
        self.cache.pop(client, None)

    def allow(self, client: str) -> bool:
        """Count a request; False where the client has used up its window."""
        window = int(self.now() // WINDOW_SECONDS)
        last, used = self.windows.get(client, (window, 0))
        if last != window:
            used = 0
        if used >= self.limit_of(client):
            return False
        self.windows[client] = (window, used + 1)
        return True
