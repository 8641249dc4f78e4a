"""Definition of the decay kernels; their arithmetic before exp is single precision."""

import math

import numpy as np

FOREVER_US = 2**63 - 1

# What has faded to less than e^-80 of itself has faded to nothing.
FADED = 80.0


def factor(lambda_per_s, dt_s):
    exponent = 0.0 if lambda_per_s == 0 else float(np.float32(lambda_per_s) * np.float32(dt_s))
    return math.exp(-exponent) if exponent <= FADED else 0.0


def by_item(value, lambda_per_s, dt_s):
    return [v * factor(a, t) for v, a, t in zip(value, lambda_per_s, dt_s, strict=True)]


def by_category(value, category, lambda_per_s, dt_s):
    return [v * factor(lambda_per_s[c], dt_s[c]) for v, c in zip(value, category, strict=True)]


def constants(half_life_us):
    return [0.0 if us == FOREVER_US else math.log(2) / (us * 1e-6) for us in half_life_us]
