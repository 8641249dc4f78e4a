"""What the checksum takes and refuses at the door."""

import numpy as np
import pytest

from scrubjay import _kernels
from scrubjay._kernels import checksum
from scrubjay.base.errors import ArgumentTypeError, ShapeError


def test_bytes_and_arrays_of_bytes_are_the_same():
    assert _kernels.crc32c is checksum.crc32c
    data = b"some bytes"
    assert _kernels.crc32c(data) == _kernels.crc32c(np.frombuffer(data, np.uint8))
    assert 0 == _kernels.crc32c(b"")


def test_pieces_continue_each_other():
    assert _kernels.crc32c(b"some bytes") == _kernels.crc32c(
        b" bytes", seed=_kernels.crc32c(b"some")
    )


def test_what_is_no_run_of_bytes_is_refused():
    with pytest.raises(ShapeError, match="crc32c: data has the wrong dtype"):
        _kernels.crc32c(np.zeros(4, np.int8))
    with pytest.raises(ShapeError, match="crc32c: data"):
        _kernels.crc32c(np.zeros((2, 2), np.uint8))
    with pytest.raises(ArgumentTypeError, match="crc32c: data"):
        _kernels.crc32c([1, 2])
