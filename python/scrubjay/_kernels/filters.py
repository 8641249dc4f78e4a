"""The kernels of filters: conditions on a column as one 64-bit word for every 64 rows.

Bit ``i`` of word ``t`` says whether row ``64 t + i`` passes. All of them:

Shapes: column ``(64 t,)``; result ``(t,)`` uint64. Ensures: exact; the same words on every
instruction set. Raises: ShapeError, also for a length that is no multiple of 64; UnitError with the
first bad index. Cost: one pass. Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay import _core

if TYPE_CHECKING:
    from scrubjay._core import Floats32, Ints8, Ints64, Numbers32, Words

__all__ = [
    "filter_among",
    "filter_at_least",
    "filter_bits",
    "filter_codes",
    "filter_folded",
    "filter_window",
]


def filter_codes(column: Ints8, allowed: int, *, isa: str | None = None) -> Words:
    """Return which rows hold a code whose bit of ``allowed`` is set.

    Shapes: column ``(64 t,)``, result ``(t,)``. Types: uint8, uint64. Units: none.
    Requires: codes below 64; 0 <= allowed < 2^64. Ensures: exact.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_codes(np.arange(64, dtype=np.uint8), 0b110)
    array([6], dtype=uint64)
    """
    return _core.filter_codes(column, allowed, isa=isa)


def filter_at_least(column: Ints8 | Floats32, least: float, *, isa: str | None = None) -> Words:
    """Return which rows hold at least ``least``.

    Shapes: column ``(64 t,)``, result ``(t,)``. Types: uint8 or float32, uint64. Units: none.
    Requires: no NaN; for uint8, an integer from 0 to 255. Ensures: exact.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_at_least(np.eye(8, dtype=np.float32).ravel(), 0.5) == sum(
    ...     1 << 9 * i for i in range(8)
    ... )
    array([ True])
    """
    return _core.filter_at_least(column, least, isa=isa)


def filter_bits(column: Ints8, *, mask: int, value: int, isa: str | None = None) -> Words:
    """Return which rows satisfy ``column & mask == value``.

    Shapes: column ``(64 t,)``, result ``(t,)``. Types: uint8, uint64. Units: none.
    Requires: mask and value from 0 to 255. Ensures: exact.
    Raises: ShapeError. Cost: one pass.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_bits(np.arange(64, dtype=np.uint8), mask=0b111110, value=2)
    array([12], dtype=uint64)
    """
    return _core.filter_bits(column, mask=mask, value=value, isa=isa)


def filter_window(column: Ints64, *, from_us: int, to_us: int, isa: str | None = None) -> Words:
    """Return which rows satisfy ``from_us <= column < to_us``.

    Shapes: column ``(64 t,)``, result ``(t,)``. Types: int64, uint64. Units: microseconds.
    Requires: 64-bit instants. Ensures: exact at both ends of their range.
    Raises: ShapeError. Cost: one pass.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_window(np.arange(64), from_us=1, to_us=3)
    array([6], dtype=uint64)
    """
    return _core.filter_window(column, from_us=from_us, to_us=to_us, isa=isa)


def filter_among(column: Numbers32, members: Numbers32, *, isa: str | None = None) -> Words:
    """Return which rows hold one of a few numbers.

    Shapes: column ``(64 t,)``, members ``(m,)``, result ``(t,)``. Types: uint32, uint64.
    Units: none. Requires: nothing. Ensures: exact; no members let nothing pass.
    Raises: ShapeError. Cost: m comparisons a row.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_among(np.arange(64, dtype=np.uint32), np.array([1, 2, 99], np.uint32))
    array([6], dtype=uint64)
    """
    return _core.filter_among(column, members, isa=isa)


def filter_folded(column: Numbers32, map: Numbers32, *, most: int, isa: str | None = None) -> Words:
    """Return which rows hold a number up to ``most`` whose bit, counted round the map, is set.

    Shapes: column ``(64 t,)``, map ``(n / 32,)``, result ``(t,)``. Types: uint32, uint64.
    Units: none. Requires: n a power of two, 32 to 2^32; 0 <= most < 2^32. Ensures: exact.
    Raises: ShapeError, UnitError. Cost: one look-up a row.
    Source: DESIGN section 5. Spec: ``tests/reference/filter.py``.

    >>> import numpy as np
    >>> filter_folded(np.arange(64, dtype=np.uint32), np.array([6], np.uint32), most=33)
    array([8589934598], dtype=uint64)
    """
    return _core.filter_folded(column, map, most=most, isa=isa)
