"""Definition of the measuring sticks, exact to the bit."""

import numpy as np

from tests.reference.lanes import blocks, tree


def triad(b, c, s):
    return b + np.float32(s) * c


def read_sum(x):
    """Add whole stretches of four blocks side by side, what is left onto the first."""
    lanes = np.zeros((4, 16), np.float32)
    whole = len(x) // 64 * 64
    for stretch in x[:whole].reshape(-1, 4, 16):
        lanes = lanes + stretch
    for block in blocks(x[whole:]):
        lanes[0] = lanes[0] + block
    return tree((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
