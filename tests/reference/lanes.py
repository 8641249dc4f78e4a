"""The order in which sixteen lanes are added: distance 8, then 4, 2, 1, in single precision."""

import numpy as np


def blocks(values):
    """Pad with zeros to whole blocks of sixteen."""
    padded = np.zeros(-(-len(values) // 16) * 16, np.float32)
    padded[: len(values)] = values
    return padded.reshape(-1, 16)


def tree(lanes):
    for distance in (8, 4, 2, 1):
        lanes = lanes[:distance] + lanes[distance : 2 * distance]
    return np.float32(lanes[0])
