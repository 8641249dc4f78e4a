"""Any function from texts to vectors, as an embedder.

The caller's model stays the caller's: it is trusted to be deterministic, and checked for
everything else (row count, shape, finiteness, one dimension for good).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.adapters.embedders.rows import check_texts, checked_matrix, unit_rows
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.base.ports import Embedding

__all__ = ["CallableEmbedder", "EmbedFunction", "from_callable"]

EmbedFunction = Callable[[list[str]], object]
"""Takes n texts, returns anything NumPy reads as an (n, d) array of numbers."""


class CallableEmbedder:
    """Wraps a function; its dimension is discovered at the first use.

    Vectors are scaled to unit length. ``norms`` is 1 for every row that is not zero, since the
    length of a foreign model's vectors means nothing here.
    """

    reference_norm: float | None = None

    def __init__(self, function: EmbedFunction, *, name: str, dim: int | None = None) -> None:
        """Keep the function; nothing is called yet."""
        self._function = function
        self._dim = dim
        self.identity = f"callable/{name}"

    @property
    def dim(self) -> int:
        """The number of dimensions; asks the function once if nothing was embedded yet."""
        if self._dim is None:
            self._call(["dimension"])
        assert self._dim is not None  # noqa: S101 - set by every call that returns
        return self._dim

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed n texts: unit vectors (n, dim) and norms (n,), float32.

        Raises:
            ArgumentTypeError, InvalidArgumentError: not a sequence of encodable str.
            EmbedderError: the function returned another number of rows, another dimension, or
                something that is not a finite number. What it raises itself passes through.
        """
        items = check_texts("embed", texts)
        if not items:
            return Embedding(np.zeros((0, self.dim), np.float32), np.zeros(0, np.float32))
        embedding = unit_rows(self._call(items))
        return Embedding(embedding.vectors, (embedding.norms > 0).astype(np.float32))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; (dim,) float32 of unit length, or zero. Raises as ``embed``."""
        vector: NDArray[np.float32] = self.embed([text]).vectors[0]
        return vector

    def _call(self, items: list[str]) -> NDArray[np.float32]:
        matrix = checked_matrix(
            self.identity, self._function(items), rows=len(items), dim=self._dim
        )
        self._dim = matrix.shape[1]
        return matrix


def from_callable(
    function: EmbedFunction, *, name: str | None = None, dim: int | None = None
) -> CallableEmbedder:
    """Make an embedder of a function ``list[str] -> (n, d) array``.

    Args:
        function: Called with a list of texts; must give the same vectors for the same texts.
        name: What the store remembers the model by. Change it when the model changes. By default
            the qualified name of the function.
        dim: The number of dimensions, where it is known; else discovered at the first use.

    Raises:
        ArgumentTypeError: not callable.
        InvalidArgumentError: an empty name, or a dimension below 1.

    >>> embedder = from_callable(lambda texts: [[len(t), 1.0] for t in texts], name="length")
    >>> embedder.identity, embedder.dim
    ('callable/length', 2)
    """
    if not callable(function):
        msg = f"from_callable: not callable, got {type(function).__name__}, expected a function"
        raise ArgumentTypeError(msg)
    if name is None:
        named = function if hasattr(function, "__qualname__") else type(function)
        name = f"{named.__module__}.{named.__qualname__}"
    if not name.strip():
        msg = f"from_callable: the name is empty, got {name!r}, expected the model's name"
        raise InvalidArgumentError(msg)
    if dim is not None and dim < 1:
        msg = f"from_callable: dim is too small, got {dim}, expected >= 1"
        raise InvalidArgumentError(msg)
    return CallableEmbedder(function, name=name, dim=dim)
