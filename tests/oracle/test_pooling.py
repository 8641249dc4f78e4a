"""Pooling and the measuring sticks against their definitions; exact to the bit."""

from itertools import pairwise

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed, same_bits
from tests.reference import bandwidth
from tests.reference import pooling as reference


@each_isa
@pytest.mark.parametrize("dim", [*range(1, 34), 63, 64, 65, 80, 127, 128, 130, 256])
def test_pool_rows_equals_its_definition(dim, isa, seed):
    draw = np.random.default_rng(seed + dim)
    table = placed(draw.normal(size=(50, dim)).astype(np.float16), 1)
    counts = np.array([0, 1, 2, 3, 20, 0, 7])
    ids = draw.integers(0, 50, counts.sum()).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    sums, norms = _kernels.pool_rows(table, ids, offsets, isa=isa)
    for m, (begin, end) in enumerate(pairwise(offsets)):
        total, norm = reference.pool(table, ids[begin:end])
        assert same_bits(total, sums[m])
        assert norm == norms[m]


@each_isa
@pytest.mark.parametrize("tokens", [*range(18), 64, 130])
def test_every_text_length_is_summed_in_order(tokens, isa, seed):
    draw = np.random.default_rng(seed + tokens)
    table = draw.normal(size=(300, 96)).astype(np.float16)
    ids = draw.integers(0, 300, tokens).astype(np.int32)
    sums, norms = _kernels.pool_rows(table, ids, np.array([0, tokens]), isa=isa)
    total, norm = reference.pool(table, ids)
    assert same_bits(total, sums[0])
    assert norm == norms[0]


@each_isa
def test_every_finite_half_is_widened_exactly(isa):
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)].reshape(-1, 32)
    ids = np.arange(len(halves), dtype=np.int32)
    sums, _ = _kernels.pool_rows(halves, ids, np.arange(len(halves) + 1), isa=isa)
    # A sum starts from +0, so -0 comes out as +0.
    assert same_bits(halves.astype(np.float32) + np.float32(0), sums)


def test_no_texts_and_no_tokens():
    table = np.ones((3, 4), np.float16)
    sums, norms = _kernels.pool_rows(table, np.empty(0, np.int32), np.zeros(1, np.int64))
    assert ((0, 4), (0,)) == (sums.shape, norms.shape)
    sums, norms = _kernels.pool_rows(table, np.empty(0, np.int32), np.zeros(2, np.int64))
    assert ([[0.0] * 4], [0.0]) == (sums.tolist(), norms.tolist())


@each_isa
@each_offset
def test_measuring_sticks_equal_their_definitions(offset, isa, seed):
    draw = np.random.default_rng(seed)
    b, c = draw.normal(size=(2, MOST)).astype(np.float32)
    for length in LENGTHS:
        first, second = placed(b[:length], offset), placed(c[:length], offset)
        assert same_bits(
            bandwidth.triad(first, second, 3), _kernels.triad(first, second, s=3, isa=isa)
        )
        assert bandwidth.read_sum(first) == np.float32(_kernels.read_sum(first, isa=isa))
