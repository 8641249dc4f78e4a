"""What displacement, activation and expiry promise for every bank."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scrubjay import _kernels

US = 1_000_000
saliences = st.floats(0, 1, width=32)


@st.composite
def banks(draw):
    shape = draw(st.tuples(st.integers(0, 9), st.integers(1, 7)))
    salience = draw(arrays.arrays(np.float32, shape, elements=saliences))
    order = [draw(st.permutations(range(shape[1]))) for _ in range(shape[0])]
    sequence = np.array(order, np.int64).reshape(shape)
    sequence[draw(arrays.arrays(np.bool_, shape))] = -1
    return salience, sequence, draw(arrays.arrays(np.float32, shape[0], elements=saliences))


@given(banks())
def test_displaced_chunk_is_least_salient_and_beaten(bank):
    for row, order, new, slot in zip(*bank, _kernels.displace(*bank).tolist(), strict=True):
        if (order < 0).any():
            assert np.flatnonzero(order < 0)[0] == slot
        elif slot >= 0:
            assert row[slot] == row.min()
            assert new > row[slot]
            assert order[slot] == order[row == row.min()].min()
        else:
            assert new <= row.min()


@given(
    st.integers(0, 10**15),
    st.lists(st.integers(0, 10**9), min_size=1, max_size=20),
    st.floats(0, 0.99),
    st.floats(0, 1),
)
def test_any_sequence_of_ticks_equals_the_last_one(anchor, steps, rate, threshold):
    anchors, sequence = np.full((1, 5), anchor), np.arange(5).reshape(1, 5)
    law = {"decay_rate_per_s": rate, "threshold": threshold}
    now, last = anchor, None
    before = anchors.copy()
    for step in steps:
        now += step
        last = _kernels.bank_activation(anchors, sequence, now_us=now, **law)[0].tolist()
    assert before.tolist() == anchors.tolist()
    assert last == _kernels.bank_activation(anchors, sequence, now_us=now, **law)[0].tolist()


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.floats(0, 0.99))
def test_activation_falls_from_one(first, second, rate):
    early, late = sorted((first, second))
    column = np.zeros((1, 1), np.int64)
    a, b = (
        _kernels.bank_activation(column, column, now_us=now, decay_rate_per_s=rate, threshold=0)[0]
        for now in (early, late)
    )
    assert 0 <= b[0, 0] <= a[0, 0] + 2.0**-23 <= 1 + 2.0**-23


def test_activation_follows_the_law_of_working_memory():
    # 0.05 per second is a half-life of 13.5 s; 0.1 is reached after 44.9 s (DESIGN, section 11).
    column = np.zeros((1, 1), np.int64)
    law = {"decay_rate_per_s": 0.05, "threshold": 0.1}
    kept = {
        now: bool(_kernels.bank_activation(column, column, now_us=now, **law)[1][0, 0])
        for now in (0, 44 * US, 45 * US)
    }
    assert {0: True, 44 * US: True, 45 * US: False} == kept


@given(st.integers(0, 2**62), st.integers(0, 2**61))
def test_a_trace_lives_on_a_half_open_interval(created, ttl):
    column = np.array([created]), np.array([ttl])
    assert [True] == _kernels.expired(*column, now_us=created + ttl).tolist()
    if ttl > 0:
        assert [False] == _kernels.expired(*column, now_us=created + ttl - 1).tolist()
