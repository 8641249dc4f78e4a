"""Displacement and activation of banks against their definitions; displacement is exact."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, each_isa, placed, same_bits, ulps
from tests.reference import displacement as reference

LAW = {"now_us": 60_000_000, "decay_rate_per_s": 0.05, "threshold": 0.1}


def banks(count, slots, seed):
    draw = np.random.default_rng(seed + slots)
    # Few different saliences, so that ties are common.
    salience = (draw.integers(0, 4, (count, slots)) / 3).astype(np.float32)
    sequence = draw.permuted(np.tile(np.arange(slots), (count, 1)), axis=1).astype(np.int64)
    sequence[draw.random((count, slots)) < 0.1] = -1
    salience[sequence < 0] = np.nan  # Free slots may hold anything.
    incoming = (draw.integers(0, 4, count) / 3).astype(np.float32)
    return salience, sequence, incoming


@each_isa
@pytest.mark.parametrize("slots", [1, 2, 4, 5, 7, 16, 33])
def test_displace_equals_its_definition(slots, isa, seed):
    salience, sequence, incoming = banks(len(LENGTHS) - 1, slots, seed)
    expected = [reference.displace(*row) for row in zip(salience, sequence, incoming, strict=True)]
    for count in LENGTHS:
        part = [placed(column[:count], 3) for column in (salience, sequence, incoming)]
        got = _kernels.displace(*part, isa=isa)
        assert expected[:count] == got.tolist()


@each_isa
def test_all_three_outcomes_occur(isa, seed):
    salience, sequence, incoming = banks(1000, 5, seed)
    got = _kernels.displace(salience, sequence, incoming, isa=isa)
    free = (sequence < 0).any(axis=1)
    assert np.all(sequence[free, got[free]] < 0)
    assert (got[~free] == reference.REFUSED).any()
    assert (got[~free] >= 0).any()


@each_isa
def test_activation_equals_its_definition(isa, seed):
    draw = np.random.default_rng(seed)
    for slots in range(1, 27):
        anchor = draw.integers(0, 80_000_000, (5, slots))  # Some lie after now.
        sequence = draw.integers(-1, 9, (5, slots))
        activation, kept = _kernels.bank_activation(anchor, sequence, **LAW, isa=isa)
        expected = [
            reference.activation(a, s, *LAW.values())
            for a, s in zip(anchor.ravel().tolist(), sequence.ravel().tolist(), strict=True)
        ]
        assert [k for _, k in expected] == kept.ravel().tolist()
        assert np.all(ulps(activation.ravel(), [a for a, _ in expected]) <= 2)


@each_isa
def test_activation_has_the_same_bits_on_every_set(isa, seed):
    anchor = np.random.default_rng(seed).integers(-(2**62), 2**62, (999, 5))
    sequence = np.zeros_like(anchor)
    expected = _kernels.bank_activation(anchor, sequence, **LAW, isa="scalar")
    got = _kernels.bank_activation(anchor, sequence, **LAW, isa=isa)
    assert same_bits(expected[0], got[0])
    assert same_bits(expected[1], got[1])


@each_isa
def test_activation_survives_the_ends_of_time(isa):
    ends = np.array([[-(2**63), 2**63 - 1]])
    law = {"decay_rate_per_s": 0.05, "threshold": 0.1, "isa": isa}
    late, _ = _kernels.bank_activation(ends, np.zeros_like(ends), now_us=2**63 - 1, **law)
    early, _ = _kernels.bank_activation(ends, np.zeros_like(ends), now_us=-(2**63), **law)
    assert [[0.0, 1.0]] == late.tolist()
    assert [[1.0, 1.0]] == early.tolist()
