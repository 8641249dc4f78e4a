"""A process that writes until it is killed, and says after each commit what it has done.

It is started once and forks a writer for each line ``path seed`` on its input, so that a hundred
kills do not cost a hundred imports. Lines of a writer: ``+id`` stored, ``?id`` about to be erased,
``-id`` erased.
"""

import os
import random
import sys
from pathlib import Path

import pyarrow.parquet  # noqa: F401 - loaded before the forks

from scrubjay.base.ids import SystemEntropy
from scrubjay.base.trace import RowFilter, State
from tests.rows import NOW_US, add, index, open_at


def say(lines: list[str]) -> None:
    """Write lines at once; a kill never cuts one."""
    os.write(1, "".join(line + "\n" for line in lines).encode())


def write_for_ever(path: Path, seed: int) -> None:
    """Store, archive, restore and erase rows in an order that ``seed`` gives."""
    draw = random.Random(seed)
    store = open_at(path, durability="commit", entropy=SystemEntropy())
    say([f"pid {os.getpid()}"])
    for step in range(10_000):
        with store.write(now_us=NOW_US + step) as tx:
            rows = [add(tx, f"row {seed}.{step}.{n}") for n in range(draw.randint(1, 3))]
            tx.journal("observe", subject=rows[0].id.hex())
        say([f"+{row.id.hex()}" for row in rows])
        act = draw.random()
        hot = list(store.engrams())
        cold = list(store.engrams(where=RowFilter(states=(State.ARCHIVED,))))
        if act < 0.25 and hot:
            with store.write(now_us=NOW_US + step) as tx:
                tx.archive(draw.sample(hot, min(len(hot), 3)))
        elif act < 0.4 and cold:
            with store.write(now_us=NOW_US + step) as tx:
                for row in draw.sample(cold, min(len(cold), 2)):
                    tx.restore([row.id])
                    index(tx, row.local, row.content)
        elif act < 0.55:
            victim = draw.choice(hot + cold)
            say([f"?{victim.id.hex()}"])
            with store.write(now_us=NOW_US + step) as tx:
                tx.erase([victim.id])
            say([f"-{victim.id.hex()}"])


def main() -> None:
    """Fork a writer for each line of input and wait for it to die."""
    for line in sys.stdin:
        path, seed = line.rsplit(" ", 1)
        pid = os.fork()
        if pid == 0:
            write_for_ever(Path(path), int(seed))
        os.waitpid(pid, 0)
        say(["dead"])


if __name__ == "__main__":
    main()
