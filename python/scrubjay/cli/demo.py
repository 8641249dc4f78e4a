"""``scrubjay demo``: an agent's five weeks go in, fade, settle and come back."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from scrubjay.base.errors import InvalidArgumentError

__all__ = ["prepared", "register"]

MARK: Final = "made-by-scrubjay-demo.txt"
"""Tells a directory that a new demo may replace from one that it must not touch."""


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("demo")(demo)


def demo(
    *,
    directory: Annotated[
        Path,
        typer.Option("--dir", "-d", metavar="DIR", help="A new directory, or one of an old demo."),
    ] = Path("scrubjay-demo"),
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Other sessions (*.jsonl).")
    ] = None,
) -> None:
    """Show what a memory does, on five weeks of an agent's life.

    For example:

      scrubjay demo

      scrubjay demo --dir /tmp/demo
    """
    from scrubjay.cli.screen import console, waiting
    from scrubjay.cli.story import end_of, live, open_story, sessions_of, story_folder
    from scrubjay.cli.telling import WIDTH, tell

    sessions = sessions_of(story_folder() if data is None else data)
    for session in sessions:
        end_of(session)
    place = prepared(directory)
    memory, clock = open_story(place / "memory", sessions)
    with memory:
        with waiting(f"living through {len(sessions)} sessions"):
            days = list(live(memory, clock, sessions))
        tell(console(width=WIDTH), memory, days, place)


def prepared(directory: Path) -> Path:
    """Return a directory for the demo: new, or cleared of what an earlier demo left.

    Raises:
        InvalidArgumentError: there is something else in it; nothing was touched.
    """
    if directory.exists():
        mine = directory.is_dir() and (directory / MARK).exists()
        if not mine and not (directory.is_dir() and not any(directory.iterdir())):
            msg = (
                f"demo: there is something else here, got {str(directory)!r}, expected a new "
                "directory or one of an earlier demo; choose another --dir"
            )
            raise InvalidArgumentError(msg)
        shutil.rmtree(directory / "memory", ignore_errors=True)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / MARK).write_text("A new demo may replace what is in here.\n", encoding="utf-8")
    return directory
