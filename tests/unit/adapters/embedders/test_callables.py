import numpy as np
import pytest

from scrubjay.adapters.embedders.callables import CallableEmbedder, from_callable
from scrubjay.base.errors import ArgumentTypeError, EmbedderError, InvalidArgumentError


def lengths(texts):
    return [[float(len(text)), 0.0] for text in texts]


def test_a_function_becomes_an_embedder_named_after_it():
    embedder = from_callable(lengths)
    assert "callable/" + f"{lengths.__module__}.lengths" == embedder.identity
    embedding = embedder.embed(["abc", ""])
    assert [[1.0, 0.0], [0.0, 0.0]] == embedding.vectors.tolist()
    assert [1.0, 0.0] == embedding.norms.tolist()
    assert [1.0, 0.0] == embedder.embed_query("x").tolist()


def test_the_dimension_is_asked_for_once():
    asked = []

    def function(texts):
        asked.append(list(texts))
        return np.ones((len(texts), 3), np.float64)

    embedder = from_callable(function, name="ones")
    assert [] == asked
    assert (3, 3) == (embedder.dim, embedder.dim)
    assert [["dimension"]] == asked
    assert (0, 3) == embedder.embed([]).vectors.shape
    known = from_callable(function, name="ones", dim=3)
    assert 3 == known.dim
    assert 1 == len(asked)


def test_an_object_with_call_is_named_after_its_class():
    class Model:
        def __call__(self, texts):
            return np.ones((len(texts), 2))

    assert from_callable(Model()).identity.endswith("Model")


def test_a_model_that_changes_its_dimension_is_refused():
    sizes = iter([2, 3])
    embedder = from_callable(lambda texts: np.ones((len(texts), next(sizes))), name="moody")
    embedder.embed(["a"])
    with pytest.raises(EmbedderError, match="callable/moody: wrong shape"):
        embedder.embed(["a"])


def test_what_the_function_raises_passes_through():
    def function(texts):
        raise ConnectionError("model is gone")

    with pytest.raises(ConnectionError):
        from_callable(function).embed(["a"])


def test_impossible_arguments_are_refused():
    with pytest.raises(ArgumentTypeError):
        from_callable("not callable")
    for arguments in ({"name": " "}, {"dim": 0}):
        with pytest.raises(InvalidArgumentError):
            from_callable(lengths, **arguments)
    assert isinstance(from_callable(lengths, name="n", dim=2), CallableEmbedder)
