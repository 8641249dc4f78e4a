"""The entry point: registers the commands and turns typed errors into exit codes.

Exit codes: 0 done · 1 the command ran and found something wrong · 2 the request was wrong ·
3 the directory or a file could not be read or written · 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from scrubjay.base.errors import ScrubjayError, StorageError
from scrubjay.cli import (
    agenda,
    beliefs,
    demo,
    erasure,
    ingest,
    mcp,
    recall,
    sleep,
    transfer,
    upkeep,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["app", "main"]

WRONG_REQUEST: Final = 2
WRONG_STORAGE: Final = 3
INTERRUPTED: Final = 130


class Commands(TyperGroup):
    """The group of all commands; a typed error ends as one line on stderr, never a traceback."""

    # Typer keeps the class of contexts that its own signature names private, hence Any.
    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command and map what it raises to an exit code."""
        try:
            return super().invoke(ctx)
        except ScrubjayError as error:
            line = " ".join(str(error).split())
            typer.echo(f"scrubjay: error: {line}", err=True)
            code = WRONG_STORAGE if isinstance(error, StorageError) else WRONG_REQUEST
            raise typer.Exit(code) from error
        except KeyboardInterrupt as interrupt:
            typer.echo("scrubjay: interrupted; what was committed is kept", err=True)
            raise typer.Exit(INTERRUPTED) from interrupt
        except BrokenPipeError as error:
            # Left to typer it would be exit code 1, which says that something was found wrong.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit from error


app = typer.Typer(
    name="scrubjay",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=(
        "A memory for agents: one directory, no server, no key.\n\n"
        "See it work:\n\n"
        "  scrubjay demo\n\n"
        "Give it a history of your own and ask:\n\n"
        "  scrubjay ingest sessions/*.jsonl\n\n"
        "  scrubjay recall 'what did we decide about backups?' --explain\n\n"
        "Commands use the directory --dir, else $SCRUBJAY_DIR, else ./scrubjay.memory. "
        "Exit codes: 0 done, 1 something was found wrong, 2 the request was wrong, 3 a directory "
        "or file failed, 130 interrupted."
    ),
    # Plain help: the rich one takes twice the time to come up.
    rich_markup_mode=None,
)
for family in (demo, ingest, recall, beliefs, sleep, agenda, upkeep, erasure, transfer, mcp):
    family.register(app)


@app.callback(invoke_without_command=True)
def root(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Handle what comes before a command's name."""
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"scrubjay {version_of('scrubjay')}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code.

    A reader that closes the pipe early (``scrubjay recall … | head -1``) is not an error, and
    neither is a terminal that lacks a letter: it shows a question mark.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(args=None if arguments is None else list(arguments), prog_name="scrubjay")
