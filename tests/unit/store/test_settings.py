"""Settings, progress and cached embeddings are kept, replaced and forgotten."""

import hashlib

import pytest

from scrubjay.base.errors import StorageError
from tests.rows import NOW_US, abandoned, add_all, open_at


def test_settings_are_kept_and_replaced(tmp_path):
    with open_at(tmp_path / "m").write(now_us=NOW_US) as tx:
        tx.put_meta("embedder", "a")
        tx.put_meta("embedder", "b")
    store = open_at(tmp_path / "m")
    assert "b" == store.meta("embedder")
    assert None is store.meta("unknown")


def test_progress_is_kept_for_each_source(store):
    with store.write(now_us=NOW_US) as tx:
        tx.put_progress("one", position=5, digest="d")
        tx.put_progress("one", position=9, digest="e")
    assert (9, "e") == store.progress("one")
    assert None is store.progress("two")


def test_embeddings_are_cached_by_space_outside_and_inside_a_write(store):
    seq = store.last_seq()
    store.cache_embeddings("s", [(b"1", b"x"), (b"2", b"y")])
    assert {b"1": b"x"} == store.cached_embeddings("s", [b"1", b"3"])
    assert {} == store.cached_embeddings("t", [b"1"])
    assert seq == store.last_seq()
    with abandoned(store):
        store.cache_embeddings("s", [(b"3", b"z")])
        assert {b"3": b"z"} == store.cached_embeddings("s", [b"3"])
    assert {} == store.cached_embeddings("s", [b"3"])


def test_a_cached_embedding_goes_with_its_text(store):
    rows = add_all(store, ["secret", "other"])
    digests = [hashlib.sha256(text).digest() for text in (b"secret", b"other")]
    for space in ("s", "t"):
        store.cache_embeddings(space, [(digest, b"v") for digest in digests])
    with store.write(now_us=NOW_US) as tx:
        tx.erase([rows[0].id])
    for space in ("s", "t"):
        assert {digests[1]: b"v"} == store.cached_embeddings(space, digests)


def test_a_reader_caches_nothing(tmp_path):
    open_at(tmp_path / "m").close()
    store = open_at(tmp_path / "m", read_only=True)
    store.cache_embeddings("s", [(b"1", b"x")])
    assert {} == store.cached_embeddings("s", [b"1"])
    with pytest.raises(StorageError, match="read_only"), store.write(now_us=NOW_US):
        pass
