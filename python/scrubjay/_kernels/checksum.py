"""The checksum that guards stored bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrubjay import _core

if TYPE_CHECKING:
    from scrubjay._core import Ints8

__all__ = ["crc32c"]


def crc32c(data: Ints8 | bytes, *, seed: int = 0, isa: str | None = None) -> int:
    """Return the CRC-32C of some bytes.

    Shapes: ``(n,)``. Types: bytes, or an array of uint8; seed and result are unsigned 32 bits.
    Units: none. Requires: nothing.
    Ensures: ``crc32c(a + b) == crc32c(b, seed=crc32c(a))``; same value on every instruction set.
    Raises: ShapeError. Cost: one pass, an eighth of a cycle a byte with the CPU's instruction.
    Source: Castagnoli, Brauer and Herrmann, IEEE Trans. Communications 41 (1993); RFC 3720.
    Spec: ``tests/reference/checksum.py``.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    run = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    return _core.crc32c(run, seed=seed, isa=isa)
