"""The command line: a table of commands, each imported only when it is called, and one error boundary."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import click

from backcheck.errors import UserError
from backcheck.verdict import EXIT_BUG, EXIT_WRONG

#: Name → (module that holds `command`, one line of help).
COMMANDS = {
    "check": ("check", "Judge the tree against its contract."),
    "begin": ("begin", "Settle the base of a task, before the work."),
    "run": ("run", "Run a command and record what was seen, signed."),
    "records": ("records", "List, export and verify records of runs."),
    "audit": ("audit", "Say which corners could be cut in a project now."),
    "init": ("init", "Write a contract made from what is there."),
    "explain": ("explain", "Show what a check asks and when it passes."),
    "doctor": ("doctor", "Show that each check of the contract can go red."),
    "lint-contract": ("lint_contract", "Warn of requirements that prove little."),
    "convert": ("convert", "Turn a foreign contract into a native one."),
    "schema": ("schema", "Print the JSON Schema of contracts, for editors."),
    "log": ("log", "List what the ledger holds."),
    "show": ("show", "Show one verdict whole."),
    "queue": ("queue", "List what waits for a person."),
    "decide": ("decide", "Answer an unclear requirement, signed."),
    "keys": ("keys", "Make and list reviewers' keys."),
    "install": ("install", "Put backcheck's hooks into a harness's settings."),
    "uninstall": ("uninstall", "Take them out again."),
    "completion": ("completion", "Print shell completion."),
}


#: Longest line that an error prints.
MAX_MESSAGE = 2000


class LazyGroup(click.Group):
    """A group that knows its commands' names and help lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        import importlib

        module = importlib.import_module(f"backcheck.surfaces.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, with the nearest name in the error."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            import difflib

            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"; did you mean `{close[0]}`?" if close else "."
            raise click.UsageError(f"no command `{name}`{hint} Commands: {', '.join(COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table, from memory."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata

        click.echo(f"backcheck {metadata.version('backcheck')}")
        ctx.exit()


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def main() -> None:
    """Check an AI agent's word "done" against evidence that it does not control.

    Exit codes: 0 PASS, 1 REJECT, 2 wrong contract or call, 3 UNCLEAR (a person must look), 4 no verdict (a bug).
    """


def run(arguments: list[str] | None = None) -> int:
    """The one error boundary: every ending is an exit code, and every user error one line."""
    try:
        result: Any = main.main(args=arguments, prog_name="backcheck", standalone_mode=False)
    except UserError as error:
        _say(f"backcheck: {one_line(str(error))}")
        return EXIT_WRONG
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.ClickException as error:
        message = error.format_message()
        # Where no command was given, click's message is the whole help.
        _say(message if message.startswith("Usage: ") else f"backcheck: {one_line(message)}")
        return EXIT_WRONG
    except (KeyboardInterrupt, click.Abort):
        _say("backcheck: interrupted; no verdict")
        return 130
    except BrokenPipeError:
        _silence_stdout()
        return EXIT_BUG
    except SystemExit as error:
        # Only click's completion ends so; any other exit would choose what reads as a verdict.
        if "_BACKCHECK_COMPLETE" in os.environ:
            raise
        # Click leaves with 1, which is REJECT, where a reader went away.
        if isinstance(error.__context__, BrokenPipeError):
            _silence_stdout()
        else:
            _report_bug(error)
        return EXIT_BUG
    except Exception as error:  # noqa: BLE001 - the last boundary: a bug is told as one, and is never a verdict
        _report_bug(error)
        return EXIT_BUG
    return result if isinstance(result, int) else 0


def one_line(message: str) -> str:
    """A message as one line of bounded length that can do nothing to a terminal, whatever stood in the input."""

    def shown(c: str) -> str:
        if c.isprintable():
            return c
        return " " if c in "\n\r\t" else c.encode("unicode_escape", "backslashreplace").decode("ascii")

    words = message if message.isprintable() else "".join(map(shown, message))
    return words if len(words) <= MAX_MESSAGE else f"{words[: MAX_MESSAGE // 2]} … {words[-MAX_MESSAGE // 2 :]}"


def leave(code: int) -> int:
    """Flush what was printed; the exit code, which is a bug's where the reader went away."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (BrokenPipeError, ValueError, OSError):
        return EXIT_BUG
    return code


def _silence_stdout() -> None:
    """The reader went away: nothing more can be said there."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    """A message on stderr; where nobody reads it any more the exit code still says what happened."""
    with contextlib.suppress(OSError):
        click.echo(message, err=True)


def _report_bug(error: BaseException) -> None:
    import traceback

    _say(f"backcheck: no verdict; a fault in backcheck: {type(error).__name__}: {error}")
    if os.environ.get("BACKCHECK_DEBUG"):
        _say("".join(traceback.format_exception(error)))
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = os.path.basename(last.filename)
        _say(f"backcheck: at {place}:{last.lineno}; set BACKCHECK_DEBUG=1 for the whole trace, and report it")
