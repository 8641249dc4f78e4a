"""Saving an index to a file and opening it again; the format is docs/formats/index.md."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from scrubjay import _kernels
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, UnitError
from scrubjay.index.columns import choice, machine_of, whole

if TYPE_CHECKING:
    from scrubjay._kernels import RetentionIndex

__all__ = ["MOST_EPOCH_BYTES", "open_core", "save_core"]

MOST_EPOCH_BYTES: Final = 256


def save_core(
    core: RetentionIndex, path: str | os.PathLike[str], watermark: int, epoch: bytes
) -> None:
    """Write the compiled index to a file; see ``Index.save``."""
    if not isinstance(epoch, bytes):
        got = type(epoch).__name__
        raise ArgumentTypeError(f"Index.save: epoch has the wrong type, got {got}, expected bytes")
    if len(epoch) > MOST_EPOCH_BYTES:
        message = (
            f"Index.save: epoch is too long, got {len(epoch)} bytes, expected at most "
            f"{MOST_EPOCH_BYTES}"
        )
        raise UnitError(message)
    seq = whole("Index.save: watermark", watermark, 0, 2**64 - 1)
    core.save(_place("Index.save", path), watermark=seq, epoch=epoch)


def open_core(
    path: str | os.PathLike[str], verify: str, threads: int | None, isa: str | None
) -> tuple[RetentionIndex, int, bytes]:
    """Open a file as a compiled index, and return its watermark and epoch; see ``Index.open``."""
    full = choice("Index.open: verify", verify, ("full", "header")) == "full"
    place = _place("Index.open", path)
    return _kernels.RetentionIndex.open(place, full=full, **machine_of("Index.open", threads, isa))


def _place(call: str, path: object) -> bytes:
    """Return a path as the operating system takes it."""
    if not isinstance(path, (str, os.PathLike)):
        got = type(path).__name__
        raise ArgumentTypeError(f"{call}: path has the wrong type, got {got}, expected str or Path")
    place = os.fsencode(path)
    if b"\0" in place:
        raise InvalidArgumentError(f"{call}: path holds a zero byte, got {path!r:.60}")
    return place
