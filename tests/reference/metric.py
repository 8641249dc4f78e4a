"""Definition of the metrics of an index, in double precision: larger is nearer, 1 the most."""

import numpy as np


def similarity(metric, rows, query):
    rows, query = rows.astype(np.float64), query.astype(np.float64)
    if metric == "l2":
        return 1 / (1 + np.linalg.norm(rows - query, axis=1))
    dots = rows @ query
    if metric == "ip":
        return np.clip(dots, -1, 1)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    return np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
