"""`backcheck run`."""

from __future__ import annotations

import contextlib
import sys

import click

from backcheck.errors import UserError
from backcheck.evidence.parallel import WorkerDied
from backcheck.evidence.vault import VaultError
from backcheck.evidence.walk import TooLarge
from backcheck.surfaces.cli.ledger_view import HELP, directory_option
from backcheck.surfaces.running import DEFAULT_KEY, DEFAULT_SECONDS, Wanted, run_and_record

#: What the shell's own `timeout` ends with, and what means "nothing was recorded".
EXIT_STOPPED, EXIT_NOT_RECORDED, EXIT_MISSING, SIGNALLED = 124, 125, 127, 128


@click.command("run", context_settings=HELP | {"ignore_unknown_options": False})
@click.option("--as", "name", default="", metavar="ID", help="The requirement that the run is for.")
@click.option(
    "--report", "reports", multiple=True, metavar="PATH", help="A report that the command writes; kept with it."
)
@click.option("--timeout", default=DEFAULT_SECONDS, show_default=True, type=click.FloatRange(0, min_open=True),
              metavar="SECONDS", help="End the command after this time.")  # fmt: skip
@click.option("--key", default=DEFAULT_KEY, show_default=True, metavar="NAME", help="The key that signs the record.")
@directory_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, name: str, reports: tuple[str, ...], timeout: float, key: str, directory: str,
            command: tuple[str, ...]) -> None:  # fmt: skip
    """Run COMMAND, pass its output on, and record what was seen, signed.

    Without COMMAND the one of the requirement ID is run, as the contract says it. Ends with the command's own exit code;
    124 where it was stopped at a limit, 125 where nothing could be recorded, 127 where it could not be started.
    """
    wanted = Wanted(name=name, command=command, reports=reports, seconds=timeout, key=key)
    try:
        ran = run_and_record(directory, wanted, _pass_on)
    except (UserError, VaultError, WorkerDied, TooLarge, OSError) as error:
        click.echo(f"backcheck: nothing was recorded: {error}", err=True)
        ctx.exit(EXIT_NOT_RECORDED)
    for notice in ran.notices:
        click.echo(f"backcheck: {notice}", err=True)
    record = ran.record
    tree = record.after[:12]
    click.echo(f"backcheck: recorded {ran.entry}: {_ending(record.exit_code, record.signal, record.stopped)}, tree {tree}",
               err=True)  # fmt: skip
    ctx.exit(_code(record.exit_code, record.signal, record.stopped))


def _pass_on(descriptor: int, chunk: bytes) -> None:
    """A reader that went away does not end the command: the record is still wanted."""
    stream = sys.stdout if descriptor == 1 else sys.stderr
    with contextlib.suppress(BrokenPipeError, ValueError):
        stream.buffer.write(chunk)
        stream.buffer.flush()


def _ending(code: int | None, signal: str, stopped: str) -> str:
    return stopped or (f"ended by {signal}" if signal else f"exit {code}")


def _code(code: int | None, signal: str, stopped: str) -> int:
    import signal as signals

    if stopped:
        return EXIT_MISSING if "cannot be started" in stopped else EXIT_STOPPED
    if signal:
        number = getattr(signals, signal, None)
        return SIGNALLED + (number.value if number is not None else 0)
    return code if code is not None else EXIT_NOT_RECORDED
