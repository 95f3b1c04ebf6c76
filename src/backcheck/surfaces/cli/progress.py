"""One line on stderr that says what is being done, on a terminal and from the second second on."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

import click

DELAY = 1.0


class Progress:
    """A context manager; `tell` is what the engine calls. Says nothing where stderr is no terminal, or when silent."""

    def __init__(self, *, silent: bool) -> None:
        self.active = not silent and sys.stderr.isatty()
        self.line = ""
        self.shown = False
        self.lock = threading.Lock()
        self.timer = threading.Timer(DELAY, self._show)
        self.timer.daemon = True

    def __enter__(self) -> Progress:
        if self.active:
            self.timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.timer.cancel()
        with self.lock:
            if self.shown:
                click.echo("\r\033[K", nl=False, err=True)
            self.active = False

    def tell(self, number: int, total: int, name: str) -> None:
        """Note what begins now; shown at once where the line is there already."""
        with self.lock:
            self.line = f"{number}/{total} {name}"
        if self.shown:
            self._show()

    def _show(self) -> None:
        with self.lock:
            if self.active:
                self.shown = True
                click.echo(f"\r\033[K{self.line}", nl=False, err=True)
