"""Expiry against its definition; exact."""

import numpy as np

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed
from tests.reference import expiry as reference

ENDS = [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1]


@each_isa
@each_offset
def test_expired_equals_its_definition_at_every_length(offset, isa, seed):
    draw = np.random.default_rng(seed)
    created = draw.integers(0, 200, MOST)
    ttl = draw.integers(0, 100, MOST)
    expected = reference.expired(created.tolist(), ttl.tolist(), 120)
    assert {True, False} == set(expected)
    for length in LENGTHS:
        part = placed(created[:length], offset), placed(ttl[:length], offset)
        assert expected[:length] == _kernels.expired(*part, now_us=120, isa=isa).tolist()


@each_isa
def test_expired_is_exact_at_the_ends_of_time(isa):
    created = np.array([c for c in ENDS for t in ENDS if t >= 0])
    ttl = np.array([t for _ in ENDS for t in ENDS if t >= 0])
    for now in ENDS:
        expected = reference.expired(created.tolist(), ttl.tolist(), now)
        assert expected == _kernels.expired(created, ttl, now_us=now, isa=isa).tolist()
