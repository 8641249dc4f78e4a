"""The demo's life: five weeks of sessions go in, and the agent sleeps after each.

Time is a ManualClock that jumps from session to session, and chance is a seed, so that two runs
leave the same journal and the same export. What happened is returned as values; telling it is
another module's work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Final, NamedTuple

import scrubjay
from scrubjay.base.clock import MINUTE_US, ManualClock, instant_of
from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.memory import Memory
from scrubjay.policies.consolidation.plan import CycleReport

__all__ = ["SCOPE", "Day", "live", "open_story", "sessions_of", "story_folder"]

SCOPE: Final = "ops/agent"
SEED: Final = 2026

WAKES: Final = datetime(2026, 4, 8, 8, 0, tzinfo=timezone(timedelta(hours=2)))
"""When the agent is switched on again after the holidays, a day after its reminder was due."""


class Day(NamedTuple):
    """One session and the sleep after it; the last day has a sleep only."""

    session: str
    turns: int
    slept_us: int
    report: CycleReport


def story_folder() -> Path:
    """Return the folder of the sessions: beside the sources, or inside the installed package.

    Raises:
        NotFoundError: this installation came without the example.
    """
    package = Path(scrubjay.__file__).parent
    places = (
        package.parents[1] / "examples" / "ops_agent" / "sessions",
        package / "examples" / "ops_agent" / "sessions",
    )
    for place in places:
        if place.is_dir():
            return place
    msg = (
        f"demo: the example's sessions are not here, got {str(places[0])!r}, expected a source "
        "tree; clone it, or name a folder of message files with --data"
    )
    raise NotFoundError(msg)


def sessions_of(folder: Path) -> list[Path]:
    """Return the session files of a folder in the order of their names, which are dates.

    Raises:
        NotFoundError: there are none.
    """
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        msg = f"demo: no sessions, got {str(folder)!r} without *.jsonl, expected message files"
        raise NotFoundError(msg)
    return files


def open_story(directory: Path, sessions: Sequence[Path]) -> tuple[Memory, ManualClock]:
    """Open a new memory at the instant the first session ends."""
    clock = ManualClock(end_of(sessions[0]))
    return Memory.open(directory, clock=clock, seed=SEED, scope=SCOPE), clock


def live(memory: Memory, clock: ManualClock, sessions: Sequence[Path]) -> Iterator[Day]:
    """Ingest session after session, sleeping a minute after each, and once more on waking."""
    for session in sessions:
        clock.set(end_of(session))
        turns = memory.ingest(session, scope=SCOPE, strict=True).stored
        clock.advance(us=MINUTE_US)
        yield Day(session.stem, turns, clock.now_us(), memory.sleep())
    clock.set(max(clock.now_us(), instant_of("demo", WAKES)))
    yield Day("", 0, clock.now_us(), memory.sleep())


def end_of(session: Path) -> int:
    """Return the instant of the last message of a session, in microseconds.

    Raises:
        InvalidArgumentError: the last line is no message with a timestamp.
    """
    try:
        last = session.read_text(encoding="utf-8").splitlines()[-1]
        moment = datetime.fromisoformat(json.loads(last)["timestamp"])
    except (ValueError, LookupError, TypeError) as error:
        msg = (
            f"demo: not a session, got {session.name} whose last line has no timestamp, "
            "expected OpenAI-style messages with 'timestamp'"
        )
        raise InvalidArgumentError(msg) from error
    return instant_of("demo", moment)
