"""The kernels of fading and keeping: numerics, decay, retention, eviction, buffers, pooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrubjay import _core

if TYPE_CHECKING:
    from scrubjay._core import Bools, Floats16, Floats32, Floats64, Ints8, Ints32, Ints64

__all__ = [
    "FOREVER_US",
    "bank_activation",
    "decay_by_category",
    "decay_by_item",
    "decay_constants",
    "displace",
    "eviction_delay",
    "exp_f32",
    "expired",
    "log_f32",
    "pool_rows",
    "read_sum",
    "retention_prior",
    "retention_score",
    "triad",
]

FOREVER_US: Final[int] = 2**63 - 1
"""The half-life, in microseconds, of what never fades."""


def exp_f32(x: Floats32, *, out: Floats32 | None = None, isa: str | None = None) -> Floats32:
    """Return ``e ** x`` within 2 ulp, subnormal results included.

    Shapes: ``(n,)``. Types: float32. Units: none.
    Requires: x not NaN; infinities are arguments like any other.
    Ensures: exp(0) is 1; inf comes out only where the true value exceeds float32.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: Cody and Waite (1980). Spec: ``tests/reference/numerics.py``.

    >>> import numpy as np
    >>> exp_f32(np.array([0, -np.inf], np.float32))
    array([1., 0.], dtype=float32)
    """
    return _core.exp_f32(x, out=out, isa=isa)


def log_f32(x: Floats32, *, out: Floats32 | None = None, isa: str | None = None) -> Floats32:
    """Return the natural logarithm of x within 2 ulp.

    Shapes: ``(n,)``. Types: float32. Units: none.
    Requires: x >= 0, not NaN. Ensures: log(1) is 0, log(0) is -inf.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: Cody and Waite (1980). Spec: ``tests/reference/numerics.py``.

    >>> import numpy as np
    >>> log_f32(np.array([1, 0], np.float32))
    array([  0., -inf], dtype=float32)
    """
    return _core.log_f32(x, out=out, isa=isa)


def decay_by_item(
    value: Floats32,
    lambda_per_s: Floats32,
    dt_s: Floats32,
    *,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32:
    """Return ``value * exp(-lambda * dt)``, each item with its own decay constant and time.

    Shapes: all ``(n,)``. Types: float32. Units: 1/s and s.
    Requires: value finite; 0 <= lambda_per_s < inf; dt_s >= 0, inf meaning never reinforced.
    Ensures: lambda 0 changes nothing, exactly, even for dt inf; ``|out| <= |value|``.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass, two in place.
    Source: DESIGN section 4. Spec: ``tests/reference/decay.py``.

    >>> import numpy as np
    >>> value, dt = np.ones(2, np.float32), np.array([np.inf, 10], np.float32)
    >>> decay_by_item(value, np.array([0, np.log(2) / 10], np.float32), dt)
    array([1. , 0.5], dtype=float32)
    """
    return _core.decay_by_item(value, lambda_per_s, dt_s, out=out, isa=isa)


def decay_by_category(
    value: Floats32,
    category: Ints8,
    lambda_per_s: Floats32,
    dt_s: Floats32,
    *,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32:
    """Return ``value * exp(-lambda * dt)`` with lambda and dt looked up by category.

    Shapes: value, category ``(n,)``; lambda_per_s, dt_s ``(c,)``, c <= 256.
    Types: float32, category uint8. Units: 1/s and s.
    Requires: as decay_by_item; category < c.
    Ensures: the bits of decay_by_item; one exponential per category, however many items.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass, two in place.
    Source: DESIGN section 4. Spec: ``tests/reference/decay.py``.

    >>> import numpy as np
    >>> tables = np.array([0, np.log(2) / 10], np.float32), np.array([10, 10], np.float32)
    >>> decay_by_category(np.ones(3, np.float32), np.array([0, 1, 0], np.uint8), *tables)
    array([1. , 0.5, 1. ], dtype=float32)
    """
    return _core.decay_by_category(value, category, lambda_per_s, dt_s, out=out, isa=isa)


def decay_constants(half_life_us: Ints64, *, out: Floats64 | None = None) -> Floats64:
    """Return the decay constants ``ln 2 / half-life``.

    Shapes: ``(n,)``. Types: int64 in, float64 out. Units: microseconds in, 1/s out.
    Requires: half_life_us > 0. Ensures: FOREVER_US gives exactly 0.
    Raises: ShapeError, UnitError with the first bad index. Cost: O(n).
    Source: DESIGN section 4. Spec: ``tests/reference/decay.py``.

    >>> import numpy as np
    >>> decay_constants(np.array([1_000_000, FOREVER_US]))
    array([0.69314718, 0.        ])
    """
    return _core.decay_constants(half_life_us, out=out)


def retention_prior(
    age_s: Floats32,
    lambda_per_s: Floats32,
    salience: Floats32,
    frequency: Floats32,
    *,
    w_recency: float,
    w_salience: float,
    w_frequency: float,
    frequency_ceiling: float | None = None,
    fading: bool = False,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32:
    """Return ``(w_t e^(-lambda age) + w_s salience) + w_f ln(1 + frequency)``.

    With a ceiling F the last term is ``w_f min(1, ln(1 + f) / ln(1 + F))``; fading, it decays with
    the first: ``(w_t + w_f use) e^(-lambda age) + w_s salience``, the form eviction compares.

    Shapes: all ``(n,)``. Types: float32. Units: s, 1/s, [0, 1], accesses.
    Requires: age_s not NaN (negative counts as 0); 0 <= lambda_per_s < inf; 0 <= salience <= 1;
        0 <= frequency < inf; weights in [0, 1], sum <= 1.
    Ensures: non-increasing in age, non-decreasing in salience and frequency; no NaN.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass, two in place.
    Source: DESIGN section 4. Spec: ``tests/reference/retention.py``.

    >>> import numpy as np
    >>> one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    >>> retention_prior(zero, one, one, zero, w_recency=0.5, w_salience=0.25, w_frequency=0.25)
    array([0.75], dtype=float32)
    """
    return _core.retention_prior(
        age_s,
        lambda_per_s,
        salience,
        frequency,
        w_recency=w_recency,
        w_salience=w_salience,
        w_frequency=w_frequency,
        frequency_ceiling=frequency_ceiling,
        fading=fading,
        out=out,
        isa=isa,
    )


def retention_score(
    similarity: Floats32,
    prior: Floats32,
    *,
    w_relevance: float,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32:
    """Return ``w_r similarity + prior``, the retention score S.

    Shapes: ``(n,)``. Types: float32. Units: none.
    Requires: similarity and prior finite; w_relevance in [0, 1]. Ensures: no NaN.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass, two in place.
    Source: DESIGN section 4. Spec: ``tests/reference/retention.py``.

    >>> import numpy as np
    >>> retention_score(np.ones(1, np.float32), np.ones(1, np.float32), w_relevance=0.5)
    array([1.5], dtype=float32)
    """
    return _core.retention_score(similarity, prior, w_relevance=w_relevance, out=out, isa=isa)


def eviction_delay(
    lambda_per_s: Floats64,
    salience: Floats32,
    frequency: Floats32,
    *,
    w_recency: float,
    w_salience: float,
    w_frequency: float,
    threshold: float,
    frequency_ceiling: float | None = None,
    out: Floats64 | None = None,
    isa: str | None = None,
) -> Floats64:
    """Return how long after its last reinforcement a memory falls below the threshold.

    ``ln((w_t + w_f use) / (threshold - w_s salience)) / lambda``; inf means never, 0 at once.

    Shapes: ``(n,)``. Types: float64 lambda_per_s and result, float32 salience and frequency.
    Units: 1/s, [0, 1], accesses; result in s.
    Requires: as retention_prior; 0 < threshold <= 1.
    Ensures: the fading prior is at the threshold there, above before, below after; no NaN.
    Raises: ShapeError, UnitError with the first bad index. Cost: O(n), two logarithms an item.
    Source: DESIGN section 4. Spec: ``tests/reference/eviction.py``.

    >>> import numpy as np
    >>> weights = dict(w_recency=0.2, w_salience=0.2, w_frequency=0.1)
    >>> column = np.zeros(2, np.float32)
    >>> eviction_delay(np.array([0, np.log(2)]), column, column, threshold=0.1, **weights)
    array([inf,  1.])
    """
    return _core.eviction_delay(
        lambda_per_s,
        salience,
        frequency,
        w_recency=w_recency,
        w_salience=w_salience,
        w_frequency=w_frequency,
        threshold=threshold,
        frequency_ceiling=frequency_ceiling,
        out=out,
        isa=isa,
    )


def displace(
    salience: Floats32,
    sequence: Ints64,
    incoming: Floats32,
    *,
    out: Ints32 | None = None,
    isa: str | None = None,
) -> Ints32:
    """Choose, for many buffers at once, the slot an incoming chunk takes; -1 refuses it.

    The first free slot; else the least salient (the older of equals), if incoming beats it.

    Shapes: salience, sequence ``(b, c)``; incoming and result ``(b,)``.
    Types: float32, int64 (negative marks a free slot), int32 result. Units: salience in [0, 1].
    Requires: c >= 1; sequences of a row's occupied slots differ. Ensures: deterministic.
    Raises: ShapeError, UnitError with the first bad index. Cost: O(b c).
    Source: DESIGN section 7. Spec: ``tests/reference/displacement.py``.

    >>> import numpy as np
    >>> full = np.array([[0.5, 0.2]], np.float32), np.array([[1, 2]])
    >>> displace(*full, np.array([0.3], np.float32)), displace(*full, np.array([0.2], np.float32))
    (array([1], dtype=int32), array([-1], dtype=int32))
    """
    return _core.displace(salience, sequence, incoming, out=out, isa=isa)


def bank_activation(
    anchor_us: Ints64,
    sequence: Ints64,
    *,
    now_us: int,
    decay_rate_per_s: float,
    threshold: float,
    isa: str | None = None,
) -> tuple[Floats32, Bools]:
    """Return ``(1 - rate) ** age`` of every slot and whether it is kept.

    Shapes: all ``(b, c)``. Types: int64 in; float32 activation and bool kept out.
    Units: microseconds, 1/s. Requires: 0 <= rate < 1; 0 <= threshold <= 1.
    Ensures: 1 at age 0 and for instants to come; free slots (sequence < 0) have 0 and are not
        kept; evaluating moves nothing, so the last evaluation alone counts.
    Raises: ShapeError, UnitError. Cost: O(b c).
    Source: DESIGN section 4. Spec: ``tests/reference/displacement.py``.

    >>> import numpy as np
    >>> bank_activation(
    ...     np.array([[0, 0]]),
    ...     np.array([[1, -1]]),
    ...     now_us=1_000_000,
    ...     decay_rate_per_s=0.5,
    ...     threshold=0.1,
    ... )
    (array([[0.5, 0. ]], dtype=float32), array([[ True, False]]))
    """
    return _core.bank_activation(
        anchor_us,
        sequence,
        now_us=now_us,
        decay_rate_per_s=decay_rate_per_s,
        threshold=threshold,
        isa=isa,
    )


def expired(
    created_us: Ints64,
    ttl_us: Ints64,
    *,
    now_us: int,
    out: Bools | None = None,
    isa: str | None = None,
) -> Bools:
    """Return which traces have outlived their time to live: ``max(0, now - created) >= ttl``.

    Shapes: ``(n,)``. Types: int64 in, bool out. Units: microseconds.
    Requires: ttl_us >= 0. Ensures: exact for all int64; traces to come have age 0.
    Raises: ShapeError, UnitError with the first bad index. Cost: one pass.
    Source: DESIGN section 7. Spec: ``tests/reference/expiry.py``.

    >>> import numpy as np
    >>> expired(np.array([0, 1]), np.array([10, 10]), now_us=10)
    array([ True, False])
    """
    return _core.expired(created_us, ttl_us, now_us=now_us, out=out, isa=isa)


def pool_rows(
    table: Floats16, ids: Ints32, offsets: Ints64, *, isa: str | None = None
) -> tuple[Floats32, Floats32]:
    """Return the sums of the table rows each text names, and their Euclidean norms.

    Shapes: table ``(v, d)``, ids ``(t,)``, offsets ``(m + 1,)``; sums ``(m, d)``, norms ``(m,)``.
    Types: float16, int32, int64; float32 results. Units: none.
    Requires: 0 <= ids < v; offsets start at 0, never decrease and end at t; table finite.
    Ensures: rows are added in order; a text without tokens gives zeros.
    Raises: ShapeError, UnitError with the first bad index. Cost: O(t d).
    Source: DESIGN section 13. Spec: ``tests/reference/pooling.py``.

    >>> import numpy as np
    >>> pool_rows(np.eye(2, dtype=np.float16), np.array([0, 1], np.int32), np.array([0, 0, 2]))[1]
    array([0.       , 1.4142135], dtype=float32)
    """
    return _core.pool_rows(table, ids, offsets, isa=isa)


def triad(
    b: Floats32, c: Floats32, *, s: float, out: Floats32 | None = None, isa: str | None = None
) -> Floats32:
    """Return ``b + s * c``: the stick beside which memory-bound kernels are measured.

    Shapes: ``(n,)``. Types: float32. Units: none. Requires: nothing of the values.
    Ensures: writes as the kernels do, past the cache where the result is large.
    Raises: ShapeError. Cost: one pass, 12 bytes an element.
    Source: McCalpin, STREAM (1991). Spec: ``tests/reference/bandwidth.py``.

    >>> import numpy as np
    >>> triad(np.ones(2, np.float32), np.ones(2, np.float32), s=2.0)
    array([3., 3.], dtype=float32)
    """
    return _core.triad(b, c, s=s, out=out, isa=isa)


def read_sum(x: Floats32, *, isa: str | None = None) -> float:
    """Return the sum of x: the stick beside which kernels that only read are measured.

    Shapes: ``(n,)``. Types: float32. Units: none. Requires: finite sums.
    Ensures: one order of addition on every instruction set. Raises: ShapeError.
    Cost: one pass, 4 bytes an element.
    Source: McCalpin, STREAM (1991). Spec: ``tests/reference/bandwidth.py``.

    >>> import numpy as np
    >>> read_sum(np.ones(3, np.float32))
    3.0
    """
    return _core.read_sum(x, isa=isa)
