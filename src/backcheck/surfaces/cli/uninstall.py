"""`backcheck uninstall`."""

from __future__ import annotations

from backcheck.surfaces.cli.install import uninstall as command

__all__ = ("command",)
