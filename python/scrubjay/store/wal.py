"""What SQLite would silently drop from a damaged write-ahead log.

SQLite reads its log up to the first frame whose checksum fails and takes the rest for the end of an
unfinished write. That is right after a power cut: the frames of the one transaction that was being
written may have reached the disk in any order. It is wrong when a commit lies behind the damage and
another commit behind that one, for under durability "commit" the first was synced before the second
began. Here such a log is told apart, before SQLite sees it.

What cannot be told: damage to the newest transaction, which looks like a write cut short; and a log
written under durability "batch", where a power cut may drop synced order as well.

Source: the format of the log and its checksum, https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scrubjay.store import failures

__all__ = ["commits_behind_damage"]

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_CHECKED_OF_FRAME_HEADER: Final = 8
_MAGIC: Final = 0x377F0682
_SMALLEST_PAGE: Final = 512
_LARGEST_PAGE: Final = 65_536
_FRAMES_AT_ONCE: Final = 512
_TRIES: Final = 3

_Words = NDArray[np.uint32]


def commits_behind_damage(database: Path) -> int:
    """Return how many commits of a database's log lie at or behind its first damaged frame.

    0 means that the log is sound, or that there is none. 1 may be a write that a power cut stopped.

    Raises:
        StorageError: the log cannot be read.

    Cost: one pass over the log, some 10 ms for the 4 MB at which SQLite empties it.
    """
    path = database.with_name(f"{database.name}-wal")
    found = _look(path)
    # A frame that was being written as it was read is whole at the second look.
    return min(found, _look(path)) if found else 0


def _look(path: Path) -> int:
    for _ in range(_TRIES):
        try:
            log = path.read_bytes()
            with path.open("rb") as file:
                begun_anew = file.read(_HEADER) != log[:_HEADER]
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise failures.of_system("open", error, path) from error
        if not begun_anew:
            return _commits_behind(log)
    return 0  # Others write it faster than it can be read, so it is not what a crash left behind.


def _commits_behind(log: bytes) -> int:
    page = int.from_bytes(log[8:12], "big")
    if len(log) < _HEADER + _FRAME_HEADER or not _is_page_size(page):
        page = 4096
    count = (len(log) - _HEADER) // (_FRAME_HEADER + page)
    if count <= 0:
        return 0
    size = count * (_FRAME_HEADER + page)
    frames = np.frombuffer(log, np.uint8, size, _HEADER).reshape(count, -1)
    heads = np.ascontiguousarray(frames[:, :_FRAME_HEADER]).view(">u4").astype(np.uint32)
    start = np.frombuffer(log, ">u4", 8).astype(np.uint32)
    sound = int(start[0]) & ~1 == _MAGIC and _is_sound(log[:24], start[6:8], start)
    salts = start[4:6] if sound else heads[0, 2:4]
    ours = (heads[:, 2:4] == salts).all(axis=1)
    broken = _first_broken(frames, heads, start, ours) if sound else 0
    return int((ours[broken:] & (heads[broken:, 1] != 0)).sum())


def _is_page_size(size: int) -> bool:
    return _SMALLEST_PAGE <= size <= _LARGEST_PAGE and size & (size - 1) == 0


def _is_sound(head: bytes, stored: _Words, start: _Words) -> bool:
    """Return whether the header of the log has its checksum."""
    words = np.frombuffer(head, _order(start)).astype(np.uint32)[None]
    _, first, second = _weights(words.shape[1] // 2)
    return [int(v) for v in stored] == [_dot(words, first)[0], _dot(words, second)[0]]


def _first_broken(
    frames: NDArray[np.uint8], heads: _Words, start: _Words, ours: NDArray[np.bool_]
) -> int:
    """Return the first frame whose salts or running checksum are wrong, or how many there are."""
    checked = np.r_[0:_CHECKED_OF_FRAME_HEADER, _FRAME_HEADER : frames.shape[1]]
    power, first, second = _weights(len(checked) // 8)
    last = (int(start[6]), int(start[7]))
    for begin in range(0, len(frames), _FRAMES_AT_ONCE):
        block = np.ascontiguousarray(frames[begin : begin + _FRAMES_AT_ONCE, checked])
        words = block.view(_order(start)).astype(np.uint32)
        for at, added in enumerate(zip(_dot(words, first), _dot(words, second), strict=True)):
            last = (
                (power[0] * last[0] + power[1] * last[1] + added[0]) & 0xFFFF_FFFF,
                (power[2] * last[0] + power[3] * last[1] + added[1]) & 0xFFFF_FFFF,
            )
            if not ours[begin + at] or last != (
                int(heads[begin + at, 4]),
                int(heads[begin + at, 5]),
            ):
                return begin + at
    return len(frames)


def _order(start: _Words) -> str:
    return ">u4" if int(start[0]) & 1 else "<u4"


def _dot(words: _Words, weights: _Words) -> list[int]:
    """Return the weighted sum of each row, modulo 2^32."""
    sums: list[int] = (words * weights).sum(axis=1, dtype=np.uint32).tolist()
    return sums


def _weights(pairs: int) -> tuple[tuple[int, int, int, int], _Words, _Words]:
    """Return how the two sums after some pairs of words depend on the sums before and the words.

    A pair (a, b) takes (s, t) to (s + a + t, s + 2 t + a + b), which is linear: n pairs apply the
    n-th power of that matrix, and each word counts by a lower power of it.
    """
    first, second = np.zeros(2 * pairs, np.uint32), np.zeros(2 * pairs, np.uint32)
    p, q, r, s = 1, 0, 0, 1
    for pair in range(pairs - 1, -1, -1):
        first[2 * pair : 2 * pair + 2] = ((p + q) & 0xFFFF_FFFF, q)
        second[2 * pair : 2 * pair + 2] = ((r + s) & 0xFFFF_FFFF, s)
        p, q, r, s = (
            (p + q) & 0xFFFF_FFFF,
            (p + 2 * q) & 0xFFFF_FFFF,
            (r + s) & 0xFFFF_FFFF,
            (r + 2 * s) & 0xFFFF_FFFF,
        )
    return (p, q, r, s), first, second
