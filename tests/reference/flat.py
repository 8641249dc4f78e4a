"""Definition of the exact index: every row that matches is scored, in double precision."""

import math
from types import SimpleNamespace

FOREVER_US = 2**63 - 1


def cosine(a, b):
    length = math.hypot(*a) * math.hypot(*b)
    return 0.0 if length == 0 else sum(x * y for x, y in zip(a, b, strict=True)) / length


def recency(row, now_us):
    if row.half_life_us == FOREVER_US:
        return 1.0
    return math.exp(-math.log(2) * max(0, now_us - row.last_us) / row.half_life_us)


def use(row, ceiling):
    raw = math.log1p(row.frequency)
    return raw if ceiling is None else min(1.0, raw / math.log1p(ceiling))


def terms(row, query, now_us, weights, ceiling=None):
    similarity = 0.0 if query is None else row.gain * cosine(row.vector, query)
    return SimpleNamespace(
        relevance=weights.relevance * similarity,
        recency=weights.recency * recency(row, now_us),
        salience=weights.salience * row.salience,
        frequency=weights.frequency * use(row, ceiling),
        similarity=similarity,
    )


def score(row, query, now_us, weights, ceiling=None):
    t = terms(row, query, now_us, weights, ceiling)
    return t.relevance + t.recency + t.salience + t.frequency


def matches(row, where):
    """Every condition that is asked for holds; a set admits its members."""
    return (
        all(
            allowed is None or getattr(row, name) in allowed
            for name, allowed in (
                ("key", where.keys),
                ("scope", where.scopes),
                ("kind", where.kinds),
                ("category", where.categories),
                ("state", where.states),
                ("plane", where.planes),
            )
        )
        and row.authority >= where.authority_min
        and row.quality >= where.quality_min
        and row.flags & where.flags_all == where.flags_all
        and row.flags & where.flags_none == 0
        and (where.event_from_us is None or row.event_us >= where.event_from_us)
        and (where.event_to_us is None or row.event_us < where.event_to_us)
    )


def search(rows, query, k, *, now_us, weights, where, ceiling=None):
    """Return the keys of the best k."""
    scored = [
        (-score(row, query, now_us, weights, ceiling), row.key)
        for row in rows
        if matches(row, where)
    ]
    return [key for _, key in sorted(scored)[:k]]
