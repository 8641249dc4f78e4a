"""The default embedder: a table of 32,000 token vectors, looked up and summed.

*What it models*: the topic of a text, as the sum of what its tokens mean on average. No word order,
no context. *What it promises*: offline right after install, no key, tens of microseconds a text,
the same bits on every machine. *What it forgets*: everything past the first 32,768 characters of
one text. *Whom it may call*: the pooling kernel and the tokenizer.

The length of the sum carries meaning that a cosine throws away: short chatter ("Ok, thanks!") has a
short sum. It is returned as ``norms``, and the engine turns it into a gain.

Source: the table of the package wordllama 0.4.0.post1 (MIT), read directly, since its own loader
asks the network for a tokenizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from scrubjay import _kernels
from scrubjay.adapters.embedders.packages import PackagedFile, locate, require_digest
from scrubjay.adapters.embedders.rows import check_texts
from scrubjay.adapters.embedders.safetensors_file import map_tensors
from scrubjay.base.errors import DependencyError
from scrubjay.base.ports import Embedding

__all__ = ["StaticEmbedder"]

_INSTALL = 'pip install "wordllama==0.4.0.post1"'
_WEIGHTS = PackagedFile(
    package="wordllama",
    path="weights/l2_supercat_256.safetensors",
    sha256="64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    install=_INSTALL,
)
_TOKENIZER = PackagedFile(
    package="wordllama",
    path="tokenizers/l2_supercat_tokenizer_config.json",
    sha256="93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    install=_INSTALL,
)
_TENSOR = "embedding.weight"
_TOKENS = 32_000
_DIM = 256
_MAX_CHARS = 32_768
"""The tokenizer has no word boundaries, so its time grows with the text: about 1.3 s a million
characters. Past this many, a sum of token vectors no longer changes its direction."""


class StaticEmbedder:
    """Sums static token vectors; see the module for what that is good for.

    Opening finds the files and maps the table; the tokenizer and the digests are read at the first
    text. Thread-safe after that first text.

    >>> embedder = StaticEmbedder()
    >>> embedder.identity, embedder.dim
    ('static/wordllama-0.4.0.post1-256', 256)
    >>> embedding = embedder.embed(["the queue worker stalled", ""])
    >>> embedding.vectors.shape, float(embedding.norms[1])
    ((2, 256), 0.0)
    """

    identity = "static/wordllama-0.4.0.post1-256"
    dim = _DIM
    reference_norm: float | None = 120.0
    """The sum's length from which a gain of 1 is given: 99 of 100 dialogue turns stay below 103."""
    noise_cosine: float | None = 0.28
    """The best cosine of random syllables among 2,760 turns stays below it 95 times of 100."""

    def __init__(self) -> None:
        """Find and map the files.

        Raises:
            DependencyError: the package is missing or holds other files; names the pip line.

        Cost: about 3 ms.
        """
        self._weights_path = locate("StaticEmbedder", _WEIGHTS)
        self._tokenizer_path = locate("StaticEmbedder", _TOKENIZER)
        table = map_tensors(self._weights_path).get(_TENSOR)
        if table is None or table.shape != (_TOKENS, _DIM) or table.dtype != np.float16:
            found = "no such tensor" if table is None else f"{table.dtype} {table.shape}"
            msg = (
                f"StaticEmbedder: {_TENSOR} is not the pinned table, got {found}, "
                f"expected float16 ({_TOKENS}, {_DIM}); run: {_INSTALL}"
            )
            raise DependencyError(msg)
        self._table: NDArray[np.float16] = table.view(np.float16)
        self._tokenizer: Tokenizer | None = None

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed n texts: unit vectors (n, 256) and the lengths of their sums (n,), float32.

        A text without tokens has a zero row and norm 0.

        Raises:
            ArgumentTypeError, InvalidArgumentError: not a sequence of encodable str.
            DependencyError: a file has other content than the pinned one (first call only).

        Cost: about 50 us a text of 35 tokens; the first call adds about 0.1 s.
        """
        items = [text[:_MAX_CHARS] for text in check_texts("embed", texts)]
        ids = self._token_ids(items)
        offsets = np.fromiter(accumulate(map(len, ids), initial=0), np.int64, len(ids) + 1)
        flat = np.fromiter(chain.from_iterable(ids), np.int32, int(offsets[-1]))
        sums, norms = _kernels.pool_rows(self._table, flat, offsets)
        divisors = np.maximum(norms, np.finfo(np.float32).tiny)
        return Embedding(np.divide(sums, divisors[:, None], dtype=np.float32), norms)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; (256,) float32 of unit length, or zero. Raises as ``embed``."""
        vector: NDArray[np.float32] = self.embed([text]).vectors[0]
        return vector

    def _token_ids(self, items: list[str]) -> list[list[int]]:
        tokenizer = self._tokenizer or self._load_tokenizer()
        if len(items) == 1:
            return [tokenizer.encode(items[0], add_special_tokens=False).ids]
        encodings = tokenizer.encode_batch_fast(items, add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def _load_tokenizer(self) -> Tokenizer:
        require_digest("StaticEmbedder", self._weights_path, _WEIGHTS)
        require_digest("StaticEmbedder", self._tokenizer_path, _TOKENIZER)
        tokenizer = Tokenizer.from_file(str(self._tokenizer_path))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        return tokenizer
