import pytest

from scrubjay.adapters.embedders import SPECS, open_embedder, with_cache
from scrubjay.adapters.embedders.cache import CachedEmbedder
from scrubjay.adapters.embedders.callables import CallableEmbedder
from scrubjay.adapters.embedders.openai_compatible import OpenAICompatibleEmbedder
from scrubjay.adapters.embedders.static import StaticEmbedder
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError


class NoCache:
    def cached_embeddings(self, space, digests):
        return {}

    def cache_embeddings(self, space, rows):
        pass


def double(texts):
    return [[1.0, 2.0] for _ in texts]


def test_each_spec_opens_its_embedder():
    assert isinstance(open_embedder(), StaticEmbedder)
    assert isinstance(open_embedder("static"), StaticEmbedder)
    assert isinstance(open_embedder(double), CallableEmbedder)
    remote = open_embedder("openai:m@http://localhost:9/v1")
    assert isinstance(remote, OpenAICompatibleEmbedder)
    assert "openai/m@localhost:9" == remote.identity


def test_a_ready_embedder_is_taken_as_it_is():
    ready = open_embedder(double)
    assert ready is open_embedder(ready)
    assert ready is open_embedder(ready, cache=NoCache())


def test_only_what_costs_more_than_a_look_up_is_cached():
    assert isinstance(open_embedder("static", cache=NoCache()), StaticEmbedder)
    cached = open_embedder(double, cache=NoCache())
    assert isinstance(cached, CachedEmbedder)
    assert cached is with_cache(cached, NoCache())


def test_an_embedder_is_told_without_asking_it_anything():
    class Touchy:
        identity = "touchy"

        @property
        def dim(self):
            raise AssertionError("asked")

        def embed(self, texts):
            raise AssertionError("asked")

        def embed_query(self, text):
            raise AssertionError("asked")

    touchy = Touchy()
    assert touchy is open_embedder(touchy)


@pytest.mark.parametrize("spec", ["", "Static", "minilm-int4", "bert", "openai", "x" * 500])
def test_an_unknown_spec_is_refused_with_the_valid_ones(spec):
    with pytest.raises(InvalidArgumentError, match=", ".join(SPECS)) as caught:
        open_embedder(spec)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("spec", [None, 3, b"static", ["static"]])
def test_what_is_no_embedder_is_refused(spec):
    with pytest.raises(ArgumentTypeError, match="a callable or an Embedder"):
        open_embedder(spec)
