"""What every oracle test shares: instruction sets, lengths, places in memory, and ulps."""

import numpy as np
import pytest

from scrubjay._kernels import SUPPORTED_ISAS

LENGTHS = range(131)
MOST = LENGTHS[-1]

# In items from a 64-byte boundary: aligned, and three kinds of odd.
OFFSETS = (0, 1, 5, 15)

each_isa = pytest.mark.parametrize("isa", SUPPORTED_ISAS)
each_offset = pytest.mark.parametrize("offset", OFFSETS)


def placed(values, offset):
    """Copy ``values`` to ``offset`` items past a 64-byte boundary."""
    room = np.empty(values.size + 64 + offset, values.dtype)
    start = (-room.ctypes.data % 64) // values.itemsize + offset
    view = room[start : start + values.size].reshape(values.shape)
    view[...] = values
    return view


def ulps(got, expected):
    """Distance of float32 results from float64 truths, in units of the truth's last place."""
    truth = np.asarray(expected, np.float64)
    exponent = np.clip(np.floor(np.log2(np.maximum(np.abs(truth), 2.0**-126))), -126, 127)
    return np.abs(got.astype(np.float64) - truth) / np.exp2(exponent - 23)


def same_bits(a, b):
    """Return whether two arrays hold the same bytes."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
