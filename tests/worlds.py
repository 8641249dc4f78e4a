"""Worlds for tests of the index: rows with drawn columns, and whatever may be asked of them."""

import numpy as np
from hypothesis import strategies as st

from scrubjay.index import FOREVER_US, Filter, Weights

DAY_US = 86_400_000_000
NOW_US = 90 * DAY_US
HALF_LIVES_US = (DAY_US // 24, DAY_US, 60 * DAY_US, FOREVER_US)

few = st.sets(st.integers(0, 3), max_size=3) | st.none()
filters = st.builds(
    Filter,
    scopes=few,
    kinds=few,
    categories=few,
    states=few,
    planes=few,
    keys=st.sets(st.integers(0, 400), max_size=60) | st.none(),
    authority_min=st.integers(0, 3),
    quality_min=st.sampled_from([0.0, 0.25, 0.5]),
    event_from_us=st.integers(0, 100) | st.none(),
    event_to_us=st.integers(0, 100) | st.none(),
    flags_all=st.integers(0, 3),
    flags_none=st.sampled_from([0, 4]),
)
weights = (
    st.tuples(*[st.integers(0, 4)] * 4)
    .filter(any)
    .map(lambda w: Weights(**{n: x / sum(w) for n, x in zip(Weights.__slots__, w, strict=True)}))
)


def world(count, dim, seed, half_lives_us=HALF_LIVES_US):
    """Columns and vectors of ``count`` rows, last used before ``NOW_US``."""
    draw = np.random.default_rng(seed)
    columns = {
        **{n: draw.integers(0, 4, count) for n in ("scope", "kind", "category", "state", "plane")},
        "authority": draw.integers(0, 4, count),
        "flags": draw.integers(0, 8, count),
        "quality": draw.random(count, np.float32),
        "salience": draw.random(count, np.float32),
        "frequency": draw.integers(0, 50, count),
        "half_life_us": draw.choice(half_lives_us, count),
        "last_us": draw.integers(0, NOW_US, count),
        "event_us": draw.integers(0, 100, count),
        "gain": draw.uniform(0.25, 1, count).astype(np.float32),
    }
    return columns, draw.standard_normal((count, dim), np.float32)
