"""Any endpoint that speaks OpenAI's ``/embeddings``: a hosted model, a local server, a gateway.

*What it models*: whatever the model behind it does. *What it promises*: one request per batch,
bounded retries, typed errors, no key in any message. *What it forgets*: nothing; what leaves the
machine is the text itself. *Whom it may call*: the one URL it was given.

Only the standard library is used. The key is read from ``OPENAI_API_KEY`` at the moment of a
request, and kept nowhere; without one the request goes out without authorization, which local
servers accept. Redirects are refused, so that the key goes nowhere else.
"""

from __future__ import annotations

import email.message
import http.client
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.adapters.embedders.rows import check_texts, checked_matrix, unit_rows
from scrubjay.base.errors import EmbedderError, InvalidArgumentError
from scrubjay.base.ports import Embedding

__all__ = ["DEFAULT_URL", "OpenAICompatibleEmbedder", "parse_spec"]

DEFAULT_URL = "https://api.openai.com/v1"
_KEY_VARIABLE = "OPENAI_API_KEY"
_BATCH = 128
_ATTEMPTS = 4
_FIRST_DELAY_S = 0.5
_LONGEST_DELAY_S = 30.0
_TIMEOUT_S = 60.0
_TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LONGEST_ANSWER_BYTES = 256 * 1024 * 1024

Sleeper = Callable[[float], object]


class _Row(msgspec.Struct, frozen=True):
    embedding: list[float]
    index: int | None = None


class _Answer(msgspec.Struct, frozen=True):
    data: list[_Row]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Refuse: a redirect would carry the key to a place nobody chose."""


def parse_spec(spec: str) -> tuple[str, str]:
    """Return model and base URL of ``openai:MODEL`` or ``openai:MODEL@URL``.

    Raises:
        InvalidArgumentError: no model, or a URL that is not http or https.

    >>> parse_spec("openai:nomic-embed-text@http://127.0.0.1:11434/v1")
    ('nomic-embed-text', 'http://127.0.0.1:11434/v1')
    """
    model, at, url = spec.removeprefix("openai:").partition("@")
    url = url.rstrip("/") if at else DEFAULT_URL
    parts = urlsplit(url)
    if not model.strip() or parts.scheme not in {"http", "https"} or not parts.hostname:
        msg = (
            f"open_embedder: not a model at a URL, got {spec!r:.120}, expected openai:MODEL@URL, "
            "for example openai:nomic-embed-text@http://127.0.0.1:11434/v1"
        )
        raise InvalidArgumentError(msg)
    return model, url


class OpenAICompatibleEmbedder:
    """Sends texts to ``URL/embeddings``; the dimension is discovered at the first use.

    The identity names model and host, not the whole URL, so a moved path keeps its vectors.
    Thread-safe.
    """

    reference_norm: float | None = None

    def __init__(
        self,
        model: str,
        url: str = DEFAULT_URL,
        *,
        dim: int | None = None,
        timeout_s: float = _TIMEOUT_S,
        sleep: Sleeper | None = None,
    ) -> None:
        """Keep the address; nothing is sent yet.

        Args:
            model: The name the endpoint knows.
            url: The base, usually ending in ``/v1``.
            dim: The number of dimensions where it is known; saves one request at opening.
            timeout_s: Seconds one request may take to connect, and between bytes of its answer.
            sleep: Called with the seconds to wait between attempts.
        """
        self.identity = f"openai/{model}@{urlsplit(url).netloc.rpartition('@')[2]}"
        self._model = model
        self._url = f"{url.rstrip('/')}/embeddings"
        self._dim = dim
        self._timeout_s = timeout_s
        self._sleep = threading.Event().wait if sleep is None else sleep
        self._opener = urllib.request.build_opener(_NoRedirect())

    @property
    def dim(self) -> int:
        """The number of dimensions; asks the endpoint once if nothing was embedded yet."""
        if self._dim is None:
            return int(self._ask(["dimension"]).shape[1])
        return self._dim

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed n texts: unit vectors (n, dim) and norms (n,), float32.

        An empty text is not sent (endpoints refuse it) and has a zero row and norm 0; any other
        has norm 1.

        Raises:
            ArgumentTypeError, InvalidArgumentError: not a sequence of encodable str.
            EmbedderError: no answer after four attempts, a refusal, or an answer that is not one
                finite vector of the right length per text.
        """
        items = check_texts("embed", texts)
        wanted = [index for index, text in enumerate(items) if text.strip()]
        rows = [
            self._ask([items[index] for index in wanted[start : start + _BATCH]])
            for start in range(0, len(wanted), _BATCH)
        ]
        vectors = np.zeros((len(items), self.dim), np.float32)
        if rows:
            vectors[wanted] = unit_rows(np.concatenate(rows)).vectors
        return Embedding(vectors, (vectors != 0).any(axis=1).astype(np.float32))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; (dim,) float32 of unit length, or zero. Raises as ``embed``."""
        vector: NDArray[np.float32] = self.embed([text]).vectors[0]
        return vector

    def _ask(self, items: list[str]) -> NDArray[np.float32]:
        request = {"model": self._model, "input": items, "encoding_format": "float"}
        body = self._post(msgspec.json.encode(request))
        try:
            rows = msgspec.json.decode(body, type=_Answer).data
        except (msgspec.DecodeError, RecursionError) as error:
            msg = f"{self.identity}: the answer is not an embedding list, got {error}"
            raise EmbedderError(f"{msg}, expected data[].embedding") from None
        order = [index if row.index is None else row.index for index, row in enumerate(rows)]
        if sorted(order) != list(range(len(items))):
            msg = f"{self.identity}: wrong rows, got {len(rows)}, expected 0 to {len(items) - 1}"
            raise EmbedderError(msg)
        by_index = dict(zip(order, rows, strict=True))
        table = [by_index[index].embedding for index in range(len(items))]
        matrix = checked_matrix(self.identity, table, rows=len(items), dim=self._dim)
        self._dim = matrix.shape[1]
        return matrix

    def _post(self, data: bytes) -> bytes:
        """Return the answer's body, trying again where that may help."""
        delays = _delays()
        while True:
            try:
                return self._send(data)
            except urllib.error.HTTPError as error:
                reason, asked = f"HTTP {error.code}", _retry_after(error.headers)
                again = error.code in _TRY_AGAIN
                error.close()
            except (OSError, http.client.HTTPException) as error:
                reason, asked, again = f"{type(error).__name__}: {error}"[:200], None, True
            delay = next(delays, None) if again else None
            if delay is None:
                msg = (
                    f"{self.identity}: no embedding, got {reason} from {urlsplit(self._url).netloc}"
                    f", expected HTTP 200; check the URL, the model's name and {_KEY_VARIABLE}"
                )
                raise EmbedderError(msg)
            self._sleep(delay if asked is None else min(asked, _LONGEST_DELAY_S))

    def _send(self, data: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        key = os.environ.get(_KEY_VARIABLE)
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self._url, data, headers, method="POST")  # noqa: S310 - http(s) only, see parse_spec
        with self._opener.open(request, timeout=self._timeout_s) as response:
            body: bytes = response.read(_LONGEST_ANSWER_BYTES)
        return body


def _delays() -> Iterator[float]:
    """Yield the waits between attempts: doubling, without jitter, so that tests repeat."""
    delay = _FIRST_DELAY_S
    for _ in range(_ATTEMPTS - 1):
        yield delay
        delay = min(2 * delay, _LONGEST_DELAY_S)


def _retry_after(headers: email.message.Message | None) -> float | None:
    """Return the seconds a server asks to wait; dates are ignored."""
    text = "" if headers is None else str(headers.get("Retry-After", ""))
    return float(text) if text.isdecimal() else None
