"""What an index says of itself."""

import numpy as np
import pytest

from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.index import Index


def test_the_form_of_an_index_is_told():
    index = Index(2, metric="l2", storage="i8")
    assert (2, "l2", "i8", 0, b"") == (
        index.dim,
        index.metric,
        index.storage,
        index.watermark,
        index.epoch,
    )
    assert "Index(dim=2, metric='l2', storage='i8', rows=0)" == repr(index)
    assert "cosine" == Index(2).metric


@pytest.mark.parametrize("metric", ["L2", "dot", 2, None])
def test_an_unknown_metric_is_refused(metric):
    with pytest.raises(InvalidArgumentError, match="Index: metric is unknown"):
        Index(2, metric=metric)


def test_rows_columns_and_keys_are_given_back():
    index = Index(2, metric="l2")
    rows = np.array([[3, 4], [0, 0]], np.float32)
    index.add(np.array([9, 4]), rows, now_us=0, kind=[1, 2])
    assert (2, True, False) == (len(index), 9 in index, 5 in index)
    assert [4, 9] == index.keys().tolist()
    assert np.array_equal(rows, index.vectors(np.array([9, 4])))
    assert [2, 1] == index.columns(np.array([4, 9])).kind.tolist()
    with pytest.raises(NotFoundError):
        index.vectors(np.array([5]))
