"""Remember vectors by what they were computed from, so that no text is embedded twice.

Key: (identity of the embedder, SHA-256 of the text as UTF-8). The store holds the rows and removes
them when the text is erased. Value: d little-endian float32, then the norm as float32; exact, so a
hit and a miss give the same bits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrubjay.adapters.embedders.rows import check_texts, checked_matrix
from scrubjay.base.ports import Embedder, Embedding

__all__ = ["CachedEmbedder", "VectorCache"]

_F4 = np.dtype("<f4")


class VectorCache(Protocol):
    """The part of a store that this module needs."""

    def cached_embeddings(self, space: str, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return cached values by digest."""
        ...

    def cache_embeddings(self, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Add values by digest."""
        ...


class CachedEmbedder:
    """Asks the cache first and the inner embedder for the rest, each distinct text once.

    Questions are not cached: they are rarely asked twice, and the cache would keep a trace of them.
    """

    def __init__(self, inner: Embedder, cache: VectorCache) -> None:
        """Wrap ``inner``; identity and dimension are its own."""
        self.inner = inner
        self._cache = cache
        self.identity = inner.identity
        self.reference_norm: float | None = getattr(inner, "reference_norm", None)
        self.noise_cosine: float | None = getattr(inner, "noise_cosine", None)

    @property
    def dim(self) -> int:
        """The number of dimensions of the inner embedder."""
        return self.inner.dim

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed n texts, those seen before from the cache.

        Raises:
            EmbedderError: the inner embedder returned another shape, NaN or infinity; nothing of
                this call is kept. What it raises itself passes through.

        Cost: one read of the cache, one call of the inner embedder with the distinct new texts,
        one write of the cache.
        """
        items = check_texts("embed", texts)
        digests = [hashlib.sha256(text.encode()).digest() for text in items]
        known = self._read(digests)
        missing = {d: t for d, t in zip(digests, items, strict=True) if d not in known}
        if missing:
            packed = self._compute(list(missing.values()))
            known.update(zip(missing, packed, strict=True))
            self._cache.cache_embeddings(
                self.identity,
                [(digest, row.tobytes()) for digest, row in zip(missing, packed, strict=True)],
            )
        if not items:
            return self.inner.embed([])
        table = np.stack([known[digest] for digest in digests])
        return Embedding(np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1]))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question with the inner embedder."""
        return self.inner.embed_query(text)

    def _compute(self, texts: list[str]) -> NDArray[np.float32]:
        """Return new rows, checked first: what is kept here is given out for ever."""
        fresh = self.inner.embed(texts)
        vectors = checked_matrix(self.identity, fresh.vectors, rows=len(texts), dim=self.dim)
        norms = np.reshape(fresh.norms, (-1, 1))
        norms = checked_matrix(self.identity, norms, rows=len(texts), dim=1)
        return np.concatenate([vectors, norms], axis=1).astype(_F4)

    def _read(self, digests: list[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return usable rows; a row of the wrong length is as good as absent."""
        distinct = list(dict.fromkeys(digests))
        if not distinct:
            return {}
        size = (self.dim + 1) * _F4.itemsize
        return {
            digest: np.frombuffer(value, _F4)
            for digest, value in self._cache.cached_embeddings(self.identity, distinct).items()
            if len(value) == size
        }
