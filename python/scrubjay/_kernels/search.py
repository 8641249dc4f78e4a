"""The kernels of search, and the compiled index that ``scrubjay.index`` wraps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay import _core
from scrubjay.base.errors import UnitError

if TYPE_CHECKING:
    from scrubjay._core import Codes8, Codes16, Floats16, Floats32, Ints8, Ints64, Sums16

__all__ = [
    "GraphOptions",
    "Predicate",
    "RetentionIndex",
    "cosine",
    "cosine_rows",
    "dot",
    "dot_rows",
    "encode_i8",
    "encode_query",
    "sketch_sums",
    "squared_distance_rows",
    "top_k",
]

RetentionIndex = _core.RetentionIndex
Predicate = _core.Predicate
GraphOptions = _core.GraphOptions


def dot(
    a: Floats32 | Floats16 | Codes8, b: Floats32 | Codes16, *, isa: str | None = None
) -> float | int:
    """Return the sum of ``a * b``; the dtype of a chooses the form.

    Shapes: both ``(d,)``. Types: float32 or float16 against float32; int8 against int16.
    Units: none. Requires: finite values, and a sum within the range of the result.
    Ensures: floats are added in sixteen lanes, never fused, so every instruction set gives the same
    bits; integers are exact.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: Higham, Accuracy and Stability, chapter 3. Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> dot(np.array([1, 2], np.float32), np.array([3, 4], np.float32))
    11.0
    """
    return _core.dot(a, b, isa=isa)


def cosine(a: Floats32, b: Floats32, *, isa: str | None = None) -> float:
    """Return the cosine of two vectors; 0 where either is zero.

    Shapes: both ``(d,)``. Types: float32. Units: none. Requires: finite values of any magnitude.
    Ensures: within [-1, 1]; symmetric; same bits on every instruction set.
    Raises: ShapeError, UnitError with the first bad index. Cost: three passes.
    Source: Salton and McGill (1983). Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> cosine(np.array([3, 0], np.float32), np.array([1, 0], np.float32))
    1.0
    """
    return _core.cosine(a, b, isa=isa)


def dot_rows(
    rows: Floats32 | Floats16 | Codes8, query: Floats32 | Codes16, *, isa: str | None = None
) -> Floats32 | Ints64:
    """Return the dot of every row with one query.

    Shapes: rows ``(n, d)``, query ``(d,)``; result ``(n,)``. Types: as in dot. Units: none.
    Requires: as dot. Ensures: each row equals its own dot, bit for bit.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass over rows.
    Source: Higham, Accuracy and Stability, chapter 3. Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> dot_rows(np.eye(2, dtype=np.float16), np.array([3, 4], np.float32))
    array([3., 4.], dtype=float32)
    """
    return _core.dot_rows(rows, query, isa=isa)


def cosine_rows(rows: Floats32, query: Floats32, *, isa: str | None = None) -> Floats32:
    """Return the cosine of every row with one query; 0 where either is zero.

    Shapes: rows ``(n, d)``, query ``(d,)``; result ``(n,)``. Types: float32. Units: none.
    Requires: finite values. Ensures: each row equals its own cosine, bit for bit.
    Raises: ShapeError, UnitError with the first bad index. Cost: two passes over rows.
    Source: Salton and McGill (1983). Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> cosine_rows(np.array([[2, 0], [0, 0]], np.float32), np.array([1, 0], np.float32))
    array([1., 0.], dtype=float32)
    """
    return _core.cosine_rows(rows, query, isa=isa)


def squared_distance_rows(rows: Floats32, query: Floats32, *, isa: str | None = None) -> Floats32:
    """Return the squared Euclidean distance of every row from one query.

    Shapes: rows ``(n, d)``, query ``(d,)``; result ``(n,)``. Types: float32. Units: none.
    Requires: finite values, and sums within the range of float32.
    Ensures: sums of squared differences in the order of dot, so nothing cancels and every
    instruction set gives the same bits; exactly 0 between equal vectors.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass over rows.
    Source: Higham, Accuracy and Stability, chapter 3. Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> squared_distance_rows(np.eye(2, dtype=np.float32), np.array([1, 2], np.float32))
    array([4., 2.], dtype=float32)
    """
    return _core.squared_distance_rows(rows, query, isa=isa)


def encode_i8(x: Floats32) -> tuple[Codes8, float, float]:
    """Return codes, scale and residual of a row: ``|x - scale * codes| <= residual``.

    Shapes: ``(d,)``. Types: float32 in, int8 codes. Units: none. Requires: finite values.
    Ensures: codes within [-127, 127]; the residual is the true length, rounded up.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: Gray and Neuhoff, Quantization (1998). Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> encode_i8(np.array([1, -1], np.float32))[0]
    array([ 127, -127], dtype=int8)
    """
    return _core.encode_i8(x)


def encode_query(query: Floats32) -> tuple[Codes16, float, float, float]:
    """Return codes, step and the two numbers that bound an i8 row's estimate.

    ``|dot - step * scale * (codes . row codes)| <= per_residual * residual + fixed`` for every row
    of length 1, float rounding included.

    Shapes: ``(d,)``, d <= 65,536. Types: float32 in, int16 codes. Units: none.
    Requires: finite values. Ensures: no integer dot with a row's codes passes 2^31.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: Gray and Neuhoff, Quantization (1998). Spec: ``tests/reference/distance.py``.

    >>> import numpy as np
    >>> encode_query(np.array([1, -1], np.float32))[0]
    array([ 32767, -32767], dtype=int16)
    """
    return _core.encode_query(query)


def top_k(scores: Floats32, k: int, *, ids: Ints64 | None = None, isa: str | None = None) -> Ints64:
    """Return the positions of the k best scores, best first; equal scores by ascending id.

    Shapes: scores and ids ``(n,)``; result ``(min(k, n),)``. Types: float32, int64. Units: none.
    Requires: k >= 1; no NaN. Ensures: a total order, in which -0 and 0 tie; without ids the
    position is the id. Raises: ShapeError, UnitError with the first bad index.
    Cost: O(n + k log k) for scores in no particular order.
    Source: DESIGN section 5. Spec: ``tests/reference/top_k.py``.

    >>> import numpy as np
    >>> top_k(np.array([1, 3, 3], np.float32), 2)
    array([1, 2])
    """
    if k < 1:
        raise UnitError(f"top_k: k is too small, got {k}, expected at least 1")
    return _core.top_k(scores, k, ids=ids, isa=isa)


def sketch_sums(table: Ints8, tile: Ints8, *, isa: str | None = None) -> Sums16:
    """Return for each of the 64 rows of a tile the sum of the table's entries at its nibbles.

    Shapes: table ``(16 * groups,)``, tile ``(32 * groups,)``; result ``(64,)``. Types: uint8 in,
    uint16 out. Units: none. Requires: groups even, at most 256.
    Ensures: exact integers. Raises: ShapeError. Cost: 0.1 us for 64 groups.
    Source: Andre, Kermarrec and Le Scouarnec, VLDB 2015. Spec: ``tests/reference/sketch.py``.

    >>> import numpy as np
    >>> table = np.arange(32, dtype=np.uint8)
    >>> sketch_sums(table, np.full(64, 0x21, np.uint8))[[0, 31, 32, 63]]
    array([18, 18, 20, 20], dtype=uint16)
    """
    return _core.sketch_sums(table, tile, isa=isa)
