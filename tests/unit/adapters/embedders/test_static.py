import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.adapters.embedders import static as module
from scrubjay.adapters.embedders.static import StaticEmbedder
from scrubjay.base.errors import ArgumentTypeError, DependencyError, InvalidArgumentError


@pytest.fixture(scope="module")
def embedder():
    return StaticEmbedder()


def test_a_vector_is_the_scaled_sum_of_the_rows_of_its_tokens(embedder):
    text = "The queue worker stalled, again."
    ids = embedder._load_tokenizer().encode(text, add_special_tokens=False).ids
    total = embedder._table[ids].astype(np.float64).sum(axis=0)
    embedding = embedder.embed([text])
    assert pytest.approx(float(np.linalg.norm(total)), rel=1e-5) == float(embedding.norms[0])
    assert np.abs(total / np.linalg.norm(total) - embedding.vectors[0]).max() < 1e-6


def test_promises_of_the_port_are_kept(embedder):
    embedding = embedder.embed(["", "hello there", "\0", "日本語", "🙂"])
    assert ((5, 256), np.float32) == (embedding.vectors.shape, embedding.vectors.dtype)
    assert ((5,), np.float32) == (embedding.norms.shape, embedding.norms.dtype)
    assert 0.0 == embedding.norms[0]
    assert not embedding.vectors[0].any()
    lengths = np.linalg.norm(embedding.vectors[1:], axis=1)
    assert np.abs(lengths - 1).max() < 1e-6
    assert ("static/wordllama-0.4.0.post1-256", 256) == (embedder.identity, embedder.dim)
    assert (0, 256) == embedder.embed([]).vectors.shape


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=40), max_size=5))
def test_a_text_has_the_same_bits_in_any_company(embedder, texts):
    together = embedder.embed(texts).vectors
    assert [embedder.embed_query(text).tolist() for text in texts] == together.tolist()


def test_only_the_first_32768_characters_count(embedder):
    start = "word " * 8000
    first, second = embedder.embed([start[:32_768], start[:32_768] + "tail"]).vectors
    assert first.tolist() == second.tolist()


def test_what_is_no_text_is_refused(embedder):
    for texts in ("one string", b"bytes", [1], [None]):
        with pytest.raises(ArgumentTypeError):
            embedder.embed(texts)
    with pytest.raises(InvalidArgumentError, match="lone surrogate"):
        embedder.embed(["fine", "not \ud800"])


def test_related_texts_are_nearer_than_unrelated_ones(embedder):
    query = embedder.embed_query("database migration")
    near, far = embedder.embed(
        ["We moved the tables to another server.", "The cat sleeps."]
    ).vectors
    assert float(query @ near) > float(query @ far)


def test_another_table_is_refused_with_the_line_that_installs_the_right_one(monkeypatch, tmp_path):
    wrong = tmp_path / "tokenizer.json"
    wrong.write_text("{}")
    embedder = StaticEmbedder()
    monkeypatch.setattr(embedder, "_tokenizer_path", wrong)
    with pytest.raises(DependencyError, match=r'other content.*pip install "wordllama==0'):
        embedder.embed(["x"])
    monkeypatch.setattr(module, "map_tensors", lambda _: {"embedding.weight": np.zeros((2, 2))})
    with pytest.raises(DependencyError, match=r"got float64 \(2, 2\)"):
        StaticEmbedder()


def test_the_carrier_package_is_never_imported():
    code = """
import sys
from scrubjay.adapters.embedders import open_embedder
open_embedder("static").embed(["hello"])
unwanted = ("wordllama", "onnx", "onnxruntime", "urllib.request", "importlib.metadata")
print([name for name in unwanted if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == run.stdout
