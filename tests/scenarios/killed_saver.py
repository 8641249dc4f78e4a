"""A process that saves one index after the other to one path until it is killed.

It is started once and forks a saver for each line ``path seed`` on its input. Each index holds as
many rows as its number says, so a file tells which one it is. Lines of a saver: ``number`` once
that index has been saved.
"""

import os
import sys

import numpy as np

from scrubjay.index import Index

DIM = 64


def rows(number: int) -> int:
    """Return how many rows index ``number`` has: many and few in turn."""
    return 2_000 + number if number % 2 else 10 + number


def numbered(number: int) -> Index:
    """Return the index of that number."""
    index = Index(DIM, storage="i8")
    count = rows(number)
    vectors = np.random.default_rng(number).standard_normal((count, DIM), np.float32)
    index.add(np.arange(count), vectors, now_us=number)
    return index


def say(line: str) -> None:
    """Write a line at once; a kill never cuts one."""
    os.write(1, (line + "\n").encode())


def save_for_ever(path: str) -> None:
    """Save index after index."""
    say(f"pid {os.getpid()}")
    indexes = [numbered(number) for number in range(6)]
    for step in range(1_000_000):
        number = step % len(indexes)
        indexes[number].save(path, watermark=step)
        say(str(step))


def main() -> None:
    """Fork a saver for each line of input and wait for it to die."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            save_for_ever(line.strip())
        os.waitpid(pid, 0)
        say("dead")


if __name__ == "__main__":
    main()
