"""Definition of the distance kernels: sixteen lanes, then the tree; single precision throughout."""

import math

import numpy as np

from tests.reference.lanes import blocks, tree


def dot(a, b):
    """Element i belongs to lane i mod 16; products and sums round once each, never fused."""
    lanes = np.zeros(16, np.float32)
    for x, y in zip(blocks(a), blocks(b), strict=True):
        lanes = lanes + x * y
    return tree(lanes)


def cosine(a, b):
    if not any(a) or not any(b):
        return np.float32(0)
    quotient = dot(a, b) / (np.sqrt(dot(a, a)) * np.sqrt(dot(b, b)))
    return min(max(quotient, np.float32(-1)), np.float32(1))


def squared_distance(a, b):
    lanes = np.zeros(16, np.float32)
    for x, y in zip(blocks(a), blocks(b), strict=True):
        lanes = lanes + (x - y) * (x - y)
    return tree(lanes)


def dot_codes(a, b):
    return sum(int(x) * int(y) for x, y in zip(a, b, strict=True))


def encode(x, largest_code):
    """Codes round half to even; the residual is the length of what they leave out."""
    scale = np.float32(max(map(abs, x), default=0)) / np.float32(largest_code)
    codes = [0 if scale == 0 else round(float(np.float32(v) / scale)) for v in x]
    left = math.hypot(*(float(v) - float(scale) * c for v, c in zip(x, codes, strict=True)))
    return codes, float(scale), left


def amplitude(dim):
    """Return the largest query code whose dot with 127s still fits 31 bits."""
    return min(32767, (2**31 - 1) // (127 * max(dim, 1)))
