"""The ranking against its definition: every length, every k, ties, places and instruction sets."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed
from tests.reference import top_k as reference


def drawn(seed):
    draw = np.random.default_rng(seed)
    # Few distinct scores, so that ids decide often.
    return draw.integers(-4, 5, MOST).astype(np.float32), draw.permutation(MOST).astype(np.int64)


@each_isa
@each_offset
def test_every_length_ranks_as_the_definition(offset, isa, seed):
    scores, ids = drawn(seed)
    for length in LENGTHS:
        s, i = placed(scores[:length], offset), placed(ids[:length], offset)
        for k in (1, 2, 17, length + 1):
            assert reference.top_k(s, i, k) == _kernels.top_k(s, k, ids=i, isa=isa).tolist()


@each_isa
@pytest.mark.parametrize("order", ["ascending", "descending", "equal", "random"])
def test_thousands_of_scores_rank_as_the_definition_in_any_order(order, isa, seed):
    scores = np.random.default_rng(seed).standard_normal(3000).astype(np.float32)
    scores[[5, 900]] = np.inf, -np.inf
    arranged = {
        "ascending": np.sort(scores),
        "descending": np.sort(scores)[::-1].copy(),
        "equal": np.zeros_like(scores),
        "random": scores,
    }[order]
    for k in (1, 10, 999, 3000):
        expected = reference.top_k(arranged, range(3000), k)
        assert expected == _kernels.top_k(arranged, k, isa=isa).tolist()
