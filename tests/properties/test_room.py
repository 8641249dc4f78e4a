"""Whatever room is taken or given back, an index answers as one that was never touched so."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.index import FOREVER_US, Index
from tests.oracle.isas import same_bits

DIM = 4
KEYS = st.integers(0, 150)

steps = st.one_of(
    st.tuples(st.just("add"), st.lists(KEYS, min_size=1, max_size=120, unique=True)),
    st.tuples(st.just("thin"), st.integers(2, 12)),
    st.tuples(st.just("use"), st.lists(KEYS, max_size=5)),
    st.tuples(st.just("reserve"), st.integers(0, 2000)),
    st.tuples(st.just("shrink"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
)
options = st.fixed_dictionaries(
    {
        "metric": st.sampled_from(["cosine", "l2"]),
        "storage": st.sampled_from(["f32", "f16", "i8"]),
        "exact_below": st.sampled_from([None, 0, 12, 60]),
        "connectivity": st.sampled_from([2, 5]),
    }
)
ROOM = ("reserve", "shrink", "reopen")


def change(index, name, given_, draw):
    """Take one step that changes rows; what it writes follows from the draw alone."""
    if name == "add":
        count = len(given_)
        index.add(
            np.array(given_),
            draw.standard_normal((count, DIM), np.float32),
            now_us=100,
            kind=draw.integers(0, 64, count),
            salience=draw.random(count, np.float32),
            half_life_us=draw.choice([1_000, 10**9, FOREVER_US], count),
            replace=True,
        )
    elif name == "thin":
        keys = index.keys()
        index.remove(keys[np.arange(len(keys)) % given_ != 0])
    else:
        index.reinforce(np.array([key for key in given_ if key in index], np.int64), now_us=500)


def settle(index, name, given_, path):
    """Take one step that changes none, and return the index to go on with."""
    if name == "reserve":
        index.reserve(given_)
    elif name == "shrink":
        index.shrink()
    else:
        index.save(path)
        return Index.open(path)
    return index


def assert_same(expected, got):
    """Compare all that a caller can see, walks left out."""
    keys = expected.keys()
    assert keys.tolist() == got.keys().tolist()
    assert same_bits(expected.vectors(keys), got.vectors(keys))
    one, other = expected.columns(keys), got.columns(keys)
    for name in one.__slots__:
        assert same_bits(getattr(one, name), getattr(other, name)), name
    for k in (1, 7, len(keys) + 1):
        asked = {"now_us": 10_000, "exact": True}
        first, second = (i.search(np.ones(DIM, np.float32), k, **asked) for i in (expected, got))
        assert same_bits(first.keys, second.keys)
        assert same_bits(first.scores, second.scores)
        walked = got.search(np.ones(DIM, np.float32), k, now_us=10_000)
        assert min(k, len(keys)) == len(walked)


@settings(max_examples=80, deadline=None)
@given(st.lists(steps, max_size=14), options)
def test_a_history_with_room_in_it_is_that_without(tmp_path_factory, history, form):
    path = tmp_path_factory.mktemp("room") / "a"
    plain, roomy = Index(DIM, **form), Index(DIM, **form)
    for turn, (name, given_) in enumerate(history):
        if name in ROOM:
            roomy = settle(roomy, name, given_, path)
        else:
            for index in (plain, roomy):
                change(index, name, given_, np.random.default_rng(turn))
        assert_same(plain, roomy)
    again = settle(roomy, "reopen", None, path)
    assert_same(plain, again)


@pytest.mark.parametrize("threads", [1, 2, 3])
@settings(max_examples=15, deadline=None)
@given(history=st.lists(steps, max_size=10), form=options)
def test_files_do_not_depend_on_threads_or_instruction_set(
    tmp_path_factory, threads, history, form
):
    folder = tmp_path_factory.mktemp("room")
    machines = [{"threads": 1, "isa": "scalar"}, {"threads": threads}]
    files = []
    for number, machine in enumerate(machines):
        index = Index(DIM, **form, **machine)
        for turn, (name, given_) in enumerate(history):
            if name == "reserve":
                index.reserve(given_)
            elif name == "shrink":
                index.shrink()
            elif name != "reopen":
                change(index, name, given_, np.random.default_rng(turn))
        index.shrink()
        index.save(folder / str(number))
        files.append((folder / str(number)).read_bytes())
    assert files[0] == files[1]
