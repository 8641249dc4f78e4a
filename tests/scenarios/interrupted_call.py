"""A process that makes one long call of an index, is interrupted, and looks at what is left.

    python interrupted_call.py CALL FOLDER

It prints ``ready`` just before the call, and afterwards one JSON object: the exception that ended
the call, the instant it surfaced (monotonic, in seconds) and what was wrong with the index or with
the snapshot in the folder.
"""

import json
import signal
import sys
import time
from pathlib import Path

import numpy as np

from scrubjay.index import Index, Weights

ROWS, DIM, GROWN, SHRUNK = 400_000, 64, 60_000, 20_000
SNAPSHOT = "whole.scrubjay"
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)


def world(rows: int) -> np.ndarray:
    """Return rows of numbers from a fixed seed."""
    return np.random.default_rng(20_000_101).standard_normal((rows, DIM), np.float32)


def add(index: Index, rows: np.ndarray, _: Path) -> None:
    """Add many rows in one call."""
    say("ready")
    index.add(np.arange(len(rows)), rows, now_us=0)


def grow(index: Index, rows: np.ndarray, _: Path) -> None:
    """Grow a graph over many rows by adding the one that it takes."""
    last = GROWN - 1
    index.add(np.arange(last), rows[:last], now_us=0)
    say("ready")
    index.add(np.arange(last, GROWN), rows[last:GROWN], now_us=0)


def shrink(index: Index, rows: np.ndarray, _: Path) -> None:
    """Shrink to half of the rows, which makes a graph over them anew."""
    index.add(np.arange(2 * SHRUNK), rows[: 2 * SHRUNK], now_us=0)
    index.remove(np.arange(SHRUNK, 2 * SHRUNK))
    say("ready")
    index.shrink()


def search_batch(index: Index, rows: np.ndarray, _: Path) -> None:
    """Ask a great many queries in one call."""
    index.add(np.arange(20_000), rows[:20_000], now_us=0)
    queries = np.tile(rows, (3, 1))
    say("ready")
    index.search_batch(queries, 10, now_us=0)


def save(index: Index, rows: np.ndarray, folder: Path) -> None:
    """Save again and again over a snapshot that is whole."""
    index.add(np.arange(len(rows)), rows, now_us=0)
    index.save(folder / SNAPSHOT)
    say("ready")
    while True:
        index.save(folder / SNAPSHOT)


def open_snapshot(index: Index, rows: np.ndarray, folder: Path) -> None:
    """Open a snapshot again and again, every byte of it checked."""
    index.add(np.arange(len(rows)), rows, now_us=0)
    index.save(folder / SNAPSHOT)
    say("ready")
    while True:
        Index.open(folder / SNAPSHOT)


def say(line: str) -> None:
    """Print one line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def wrong_with(index: Index, rows: np.ndarray) -> list[str]:
    """Return what an interruption must not leave behind."""
    keys = index.keys()
    found = []
    if keys.tolist() != list(range(len(index))):
        found.append("the rows are not a prefix of the batch")
    found += [
        f"row {key} is not found by its own vector"
        for key in keys[:: max(1, len(keys) // 200)]
        if index.search(rows[key], 1, now_us=0, weights=NEAREST, exact=True).keys.tolist() != [key]
    ]
    rest = slice(len(keys), len(keys) + 100)
    index.add(np.arange(len(rows))[rest], rows[rest], now_us=0)
    if len(index) != len(keys) + len(rows[rest]):
        found.append("rows added afterwards are missing")
    return found


def wrong_in(folder: Path, index: Index) -> list[str]:
    """Return what is wrong with the snapshot: another content, or files left beside it."""
    found = [f"left behind: {path.name}" for path in folder.iterdir() if path.name != SNAPSHOT]
    if not np.array_equal(Index.open(folder / SNAPSHOT).keys(), index.keys()):
        found.append("the snapshot is not the index")
    return found


CALLS = {
    "add": add,
    "grow": grow,
    "shrink": shrink,
    "search_batch": search_batch,
    "save": save,
    "open": open_snapshot,
}


def main(call: str, folder: Path) -> None:
    """Make the call and report."""
    # A shell that starts us in the background leaves Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = world(ROWS)
    index = Index(DIM, exact_below={"grow": GROWN, "shrink": SHRUNK}.get(call, ROWS + 1))
    ended, at = "nothing", 0.0
    try:
        CALLS[call](index, rows, folder)
    except BaseException as error:  # noqa: BLE001 - the test says which one it must be
        ended, at = type(error).__name__, time.monotonic()
    wrong = wrong_in(folder, index) if call in ("save", "open") else wrong_with(index, rows)
    say(json.dumps({"ended": ended, "at": at, "wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
