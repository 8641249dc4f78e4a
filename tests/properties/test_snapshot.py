"""Whatever was done to an index, a file in between changes nothing of what comes after."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.index import FOREVER_US, Index

DIM = 3
KEYS = st.integers(0, 40)

steps = st.one_of(
    st.tuples(st.just("add"), st.lists(KEYS, min_size=1, max_size=30, unique=True)),
    st.tuples(st.just("remove"), st.lists(KEYS, max_size=20, unique=True)),
    st.tuples(st.just("reinforce"), st.lists(KEYS, max_size=5)),
    st.tuples(st.just("update"), st.lists(KEYS, max_size=5, unique=True)),
)
histories = st.lists(steps, max_size=8)


def apply(index, history, seed):
    """Take the steps that are possible; what they write follows from the seed alone."""
    draw = np.random.default_rng(seed)
    for name, wanted in history:
        known = np.array([key for key in wanted if key in index], np.int64)
        vectors = draw.standard_normal((len(wanted), DIM), np.float32)
        if name == "add":
            index.add(
                np.array(wanted),
                vectors,
                now_us=100,
                kind=draw.integers(0, 64, len(wanted)),
                salience=draw.random(len(wanted), np.float32),
                half_life_us=draw.choice([1_000, 10**9, FOREVER_US], len(wanted)),
                replace=True,
            )
        elif name == "remove":
            index.remove(known)
        elif name == "reinforce":
            index.reinforce(known, now_us=500, count=3)
        else:
            index.update(known, vectors=vectors[: len(known)], quality=0.5)


def observed(index):
    """Everything a caller can see."""
    keys = index.keys()
    kept = index.columns(keys)
    found = index.search(np.ones(DIM, np.float32), 50, now_us=10_000)
    return (
        keys.tolist(),
        [getattr(kept, name).tolist() for name in kept.__slots__],
        index.vectors(keys).tobytes(),
        found.keys.tolist(),
        found.scores.tolist(),
    )


@settings(max_examples=60)
@given(
    histories,
    histories,
    st.fixed_dictionaries(
        {
            "storage": st.sampled_from(["f32", "f16", "i8"]),
            "keep_originals": st.booleans(),
            "exact_below": st.sampled_from([None, 0, 12]),
            "connectivity": st.sampled_from([2, 5]),
        }
    ),
    st.sampled_from(["full", "header"]),
)
def test_a_file_in_between_changes_nothing(tmp_path_factory, before, after, options, verify):
    path = tmp_path_factory.mktemp("snapshot") / "a"
    index = Index(DIM, **options)
    apply(index, before, 1)
    index.save(path)
    saved = path.read_bytes()
    again = Index.open(path, verify=verify)
    assert observed(index) == observed(again)
    apply(index, after, 2)
    apply(again, after, 2)
    assert observed(index) == observed(again)
    assert saved == path.read_bytes()
    index.save(path)
    grown = path.read_bytes()
    again.save(path)
    assert grown == path.read_bytes()
