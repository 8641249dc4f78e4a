"""The checksum against its definition: every length and place, every seed, every set."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed
from tests.reference import checksum as reference


@each_isa
@each_offset
def test_crc32c_equals_its_definition_at_every_length(offset, isa, seed):
    data = np.random.default_rng(seed).integers(0, 256, MOST).astype(np.uint8)
    for length in LENGTHS:
        expected = reference.crc32c(data[:length], seed=length)
        part = placed(data[:length], offset)
        assert expected == _kernels.crc32c(part, seed=length, isa=isa)


@each_isa
@pytest.mark.parametrize("length", [4_095, 12_287, 12_288, 12_289, 24_576 + 13])
def test_crc32c_equals_its_definition_across_its_three_streams(length, isa, seed):
    data = np.random.default_rng(seed).integers(0, 256, length).astype(np.uint8)
    assert reference.crc32c(data) == _kernels.crc32c(data, isa=isa)


@each_isa
def test_crc32c_gives_the_published_check_values(isa):
    up = bytes(range(32))
    published = {
        b"123456789": 0xE3069283,
        bytes(32): 0x8A9136AA,
        b"\xff" * 32: 0x62A8AB43,
        up: 0x46DD794E,
        up[::-1]: 0x113FDB5C,
    }
    for data, value in published.items():
        assert value == _kernels.crc32c(data, isa=isa) == reference.crc32c(data)
