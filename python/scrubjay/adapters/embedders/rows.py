"""Turn what a model returned into unit rows and their lengths, or refuse it.

Every embedder ends here, so the promises of ``Embedding`` are kept in one place: shape, dtype,
finiteness, unit length, and a zero row where there was nothing to embed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.errors import ArgumentTypeError, EmbedderError, InvalidArgumentError
from scrubjay.base.ports import Embedding

__all__ = ["check_texts", "checked_matrix", "unit_rows"]

_MATRIX = 2
_MOST = float(np.finfo(np.float32).max)


def check_texts(function: str, texts: Sequence[str]) -> list[str]:
    """Return ``texts`` as a list of str that can be encoded as UTF-8.

    Raises:
        ArgumentTypeError: a single str, or an item that is not a str.
        InvalidArgumentError: an item holds a lone surrogate.
    """
    if isinstance(texts, (str, bytes)):
        msg = f"{function}: texts must be a sequence, got one {type(texts).__name__}, expected list"
        raise ArgumentTypeError(msg)
    items = list(texts)
    for index, text in enumerate(items):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise ArgumentTypeError(
                f"{function}: text {index} is no text, got {kind}, expected str"
            )
        try:
            text.encode()
        except UnicodeEncodeError as error:
            msg = (
                f"{function}: text {index} holds a lone surrogate, got "
                f"{text[error.start]!a} at {error.start}, expected text that UTF-8 can hold; "
                "replace it with U+FFFD"
            )
            raise InvalidArgumentError(msg) from None
    return items


def checked_matrix(
    function: str, value: object, *, rows: int, dim: int | None
) -> NDArray[np.float32]:
    """Return what a model gave as float32 of shape (rows, dim); ``dim`` None accepts any.

    Raises:
        EmbedderError: not numbers, another shape, NaN or infinity; names the first bad row.
    """
    try:
        given = np.asarray(value)
        if given.dtype.kind == "c":
            msg = f"{function}: not an array of numbers, got complex ones"
            raise EmbedderError(f"{msg}, expected real ones of shape ({rows}, dim)")
        with np.errstate(over="ignore"):
            matrix = np.ascontiguousarray(given, dtype=np.float32)
    except (TypeError, ValueError) as error:
        msg = f"{function}: not an array of numbers, got {type(value).__name__} ({error})"
        raise EmbedderError(f"{msg}, expected shape ({rows}, dim)") from None
    wanted = "dim" if dim is None else str(dim)
    if (
        matrix.ndim != _MATRIX
        or len(matrix) != rows
        or (dim is not None and matrix.shape[1] != dim)
    ):
        msg = f"{function}: wrong shape, got {matrix.shape}, expected ({rows}, {wanted})"
        raise EmbedderError(msg)
    if matrix.shape[1] == 0:
        msg = f"{function}: vectors without dimensions, got {matrix.shape}, expected dim >= 1"
        raise EmbedderError(msg)
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        msg = f"{function}: row {bad[0]} holds NaN or infinity, got {len(bad)} such, expected 0"
        raise EmbedderError(msg)
    return matrix


def unit_rows(matrix: NDArray[np.float32]) -> Embedding:
    """Scale each row to unit length; ``norms`` are the lengths before. A zero row stays zero.

    The square sum runs in float64, so that large finite rows do not overflow.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).norms
    array([5., 0.], dtype=float32)
    """
    wide = matrix.astype(np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    vectors = (wide * scale[:, None]).astype(np.float32)
    return Embedding(vectors=vectors, norms=np.minimum(norms, _MOST).astype(np.float32))
