"""Definition of the closed-form eviction delay."""

import math

from tests.reference.retention import use


def delay(lambda_per_s, salience, frequency, weights, threshold, *, ceiling=None):
    w_t, w_s, w_f = weights
    lasting = w_s * salience
    if lambda_per_s == 0 or threshold <= lasting:
        return math.inf
    fading = w_t + w_f * use(frequency, ceiling)
    if fading <= threshold - lasting:
        return 0.0
    return math.log(fading / (threshold - lasting)) / lambda_per_s
