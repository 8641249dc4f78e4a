"""Definition of the kernels ``exp_f32`` and ``log_f32``, in double precision."""

import math


def exp(x):
    try:
        return [math.exp(v) if math.isfinite(v) else (math.inf if v > 0 else 0.0) for v in x]
    except OverflowError as too_large:
        raise AssertionError("the reference serves arguments below 709") from too_large


def log(x):
    return [math.log(v) if 0 < v < math.inf else (-math.inf if v == 0 else v) for v in x]
