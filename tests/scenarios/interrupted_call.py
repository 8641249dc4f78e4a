"""A process that makes one long call of an index, is interrupted, and looks at what is left.

    python interrupted_call.py CALL

It prints ``ready`` just before the call, and afterwards one JSON object: the exception that ended
the call, the instant it surfaced (monotonic, in seconds) and what was wrong with the index.
"""

import json
import signal
import sys
import time

import numpy as np

from scrubjay.index import Index, Weights

ROWS, DIM = 400_000, 64
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)


def world(rows: int) -> np.ndarray:
    """Return rows of numbers from a fixed seed."""
    return np.random.default_rng(20_000_101).standard_normal((rows, DIM), np.float32)


def add(index: Index, rows: np.ndarray) -> None:
    """Add many rows in one call."""
    index.add(np.arange(len(rows)), rows, now_us=0)


def search_batch(index: Index, rows: np.ndarray) -> None:
    """Ask a great many queries in one call."""
    index.add(np.arange(20_000), rows[:20_000], now_us=0)
    queries = np.tile(rows, (3, 1))
    say("ready")
    index.search_batch(queries, 10, now_us=0)


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
        if index.search(rows[key], 1, now_us=0, weights=NEAREST).keys.tolist() != [key]
    ]
    rest = slice(len(keys), len(keys) + 100)
    index.add(np.arange(len(rows))[rest], rows[rest], now_us=0)
    if len(index) != len(keys) + len(rows[rest]):
        found.append("rows added afterwards are missing")
    return found


def main(call: str) -> None:
    """Make the call and report."""
    # A shell that starts us in the background leaves Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = world(ROWS)
    index = Index(DIM, exact_below=ROWS + 1)  # No graph: rows alone.
    ended, at = "nothing", 0.0
    try:
        if call == "add":
            say("ready")
            add(index, rows)
        else:
            search_batch(index, rows)
    except BaseException as error:  # noqa: BLE001 - the test says which one it must be
        ended, at = type(error).__name__, time.monotonic()
    say(json.dumps({"ended": ended, "at": at, "wrong": wrong_with(index, rows)}))


if __name__ == "__main__":
    main(sys.argv[1])
