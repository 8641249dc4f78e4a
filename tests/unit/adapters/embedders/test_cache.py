import hashlib

import numpy as np
import pytest

from scrubjay.adapters.embedders.cache import CachedEmbedder
from scrubjay.adapters.embedders.callables import from_callable
from scrubjay.base.errors import ArgumentTypeError, EmbedderError
from scrubjay.base.ports import Embedding


class Shelf:
    """A cache in memory."""

    def __init__(self):
        self.rows = {}

    def cached_embeddings(self, space, digests):
        return {d: self.rows[space, d] for d in digests if (space, d) in self.rows}

    def cache_embeddings(self, space, rows):
        self.rows.update({(space, digest): data for digest, data in rows})


@pytest.fixture
def asked():
    return []


@pytest.fixture
def inner(asked):
    def function(texts):
        asked.append(list(texts))
        return [[len(text) / 3, 1.0, -0.1] for text in texts]

    return from_callable(function, name="lengths", dim=3)


def test_each_distinct_text_is_embedded_once(inner, asked):
    embedder = CachedEmbedder(inner, Shelf())
    first = embedder.embed(["a", "bb", "a"])
    second = embedder.embed(["bb", "ccc", "a"])
    assert [["a", "bb"], ["ccc"]] == asked
    assert first.vectors[[1, 0]].tolist() == second.vectors[[0, 2]].tolist()


def test_a_hit_gives_the_bits_of_a_miss(inner):
    shelf = Shelf()
    direct = inner.embed(["one", "two"])
    for _ in range(2):
        cached = CachedEmbedder(inner, shelf).embed(["one", "two"])
        assert direct.vectors.tobytes() == cached.vectors.tobytes()
        assert direct.norms.tobytes() == cached.norms.tobytes()
        assert np.float32 == cached.vectors.dtype
        assert cached.vectors.flags.c_contiguous


def test_rows_are_kept_under_the_hash_of_the_text_and_the_identity(inner):
    shelf = Shelf()
    CachedEmbedder(inner, shelf).embed(["é"])
    key = ("callable/lengths", hashlib.sha256("é".encode()).digest())
    assert [key] == list(shelf.rows)
    assert 4 * 4 == len(shelf.rows[key])


def test_a_row_of_the_wrong_length_is_as_good_as_absent(inner, asked):
    shelf = Shelf()
    shelf.cache_embeddings(inner.identity, [(hashlib.sha256(b"a").digest(), b"short")])
    assert (
        inner.embed(["a"]).vectors.tolist()
        == CachedEmbedder(inner, shelf).embed(["a"]).vectors.tolist()
    )
    assert [["a"], ["a"]] == asked


@pytest.mark.parametrize(
    ("vectors", "norms"),
    [
        ([[float("nan"), 1.0]], [1.0]),
        ([[0.6, 0.8]], [float("inf")]),
        ([[0.6, 0.8, 0.0]], [1.0]),
        ([[0.6, 0.8]] * 2, [1.0, 1.0]),
        ([[0.6, 0.8]], [1.0, 1.0]),
    ],
)
def test_r11_what_may_not_be_stored_is_not_kept_either(vectors, norms):
    class Broken:
        identity, dim = "broken", 2

        def embed(self, texts):
            return Embedding(np.array(vectors, np.float32), np.array(norms, np.float32))

        def embed_query(self, text):
            return np.zeros(2, np.float32)

    shelf = Shelf()
    with pytest.raises(EmbedderError):
        CachedEmbedder(Broken(), shelf).embed(["a"])
    assert {} == shelf.rows


def test_questions_leave_no_trace(inner):
    shelf = Shelf()
    embedder = CachedEmbedder(inner, shelf)
    assert inner.embed_query("who?").tolist() == embedder.embed_query("who?").tolist()
    assert {} == shelf.rows


def test_it_stands_for_the_inner_embedder(inner):
    embedder = CachedEmbedder(inner, Shelf())
    assert (inner.identity, inner.dim, None) == (
        embedder.identity,
        embedder.dim,
        embedder.reference_norm,
    )
    assert (0, 3) == embedder.embed([]).vectors.shape
    with pytest.raises(ArgumentTypeError):
        embedder.embed("text")
