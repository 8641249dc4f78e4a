"""Definition of pooling: rows added in order, squares added in sixteen lanes; exact."""

import numpy as np

from tests.reference.lanes import blocks, tree


def pool(table, ids):
    total = np.zeros(table.shape[1], np.float32)
    for row in ids:
        total = total + table[row].astype(np.float32)
    squares = np.zeros(16, np.float32)
    for block in blocks(total):
        squares = squares + block * block
    return total, np.sqrt(tree(squares))
