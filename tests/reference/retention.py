"""Definition of the retention prior and score."""

import math

from tests.reference.decay import factor


def use(frequency, ceiling=None):
    raw = math.log1p(frequency)
    return raw if ceiling is None else min(1.0, raw / math.log1p(ceiling))


def prior(age_s, lambda_per_s, salience, frequency, weights, *, ceiling=None, fading=False):
    w_t, w_s, w_f = weights
    kept = factor(lambda_per_s, max(0.0, age_s))
    if fading:
        return (w_t + w_f * use(frequency, ceiling)) * kept + w_s * salience
    return w_t * kept + w_s * salience + w_f * use(frequency, ceiling)


def score(similarity, prior_value, w_relevance):
    return w_relevance * similarity + prior_value
