"""Text in, unit vectors out: the embedders and the one function that opens them.

=====================  ==========================================================  ====
spec                   what it is                                                  dim
=====================  ==========================================================  ====
``static``             a table of token vectors, offline, no model run (default)   256
``minilm``             all-MiniLM-L6-v2 through onnxruntime                        384
``minilm-int8``        the same with 8-bit weights                                 384
``openai:MODEL@URL``   any OpenAI-compatible ``/embeddings`` endpoint              any
a callable             ``list[str] -> (n, d)`` array                               any
an ``Embedder``        taken as it is                                              any
=====================  ==========================================================  ====
"""

from __future__ import annotations

from scrubjay.adapters.embedders.cache import CachedEmbedder, VectorCache
from scrubjay.adapters.embedders.callables import CallableEmbedder, EmbedFunction, from_callable
from scrubjay.adapters.embedders.static import StaticEmbedder
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.base.ports import Embedder

__all__ = [
    "SPECS",
    "CachedEmbedder",
    "CallableEmbedder",
    "StaticEmbedder",
    "from_callable",
    "open_embedder",
    "with_cache",
]

SPECS = ("static", "minilm", "minilm-int8", "openai:MODEL@URL")
"""What ``open_embedder`` accepts as a string."""


def open_embedder(
    spec: str | Embedder | EmbedFunction = "static", *, cache: VectorCache | None = None
) -> Embedder:
    """Return the embedder that ``spec`` names.

    Args:
        spec: One of ``SPECS``, a callable, or an embedder.
        cache: A store. Given one, vectors are read from it first, except for ``static``, which
            computes a vector faster than a database finds it, and for a ready embedder.

    Raises:
        InvalidArgumentError: an unknown string; the message lists the valid ones.
        ArgumentTypeError: neither string, callable nor embedder.
        DependencyError: the packages of that embedder are missing; names the lines that install
            them.

    >>> open_embedder("static").dim
    256
    """
    if isinstance(spec, str):
        embedder = _open_named(spec)
    elif _is_embedder(spec):
        return spec  # type: ignore[return-value]
    elif callable(spec):
        embedder = from_callable(spec)
    else:
        msg = (
            f"open_embedder: not an embedder, got {type(spec).__name__}, expected one of "
            f"{', '.join(SPECS)}, a callable or an Embedder"
        )
        raise ArgumentTypeError(msg)
    return with_cache(embedder, cache)


def with_cache(embedder: Embedder, cache: VectorCache | None) -> Embedder:
    """Return ``embedder`` behind a cache, or itself where computing is faster than a look-up.

    >>> with_cache(StaticEmbedder(), None).identity
    'static/wordllama-0.4.0.post1-256'
    """
    if cache is None or isinstance(embedder, StaticEmbedder | CachedEmbedder):
        return embedder
    return CachedEmbedder(embedder, cache)


def _is_embedder(value: object) -> bool:
    """Tell by the class, since asking an instance for ``dim`` may run its model."""
    return all(hasattr(type(value), name) for name in ("embed", "embed_query"))


def _open_named(spec: str) -> Embedder:
    if spec == "static":
        return StaticEmbedder()
    if spec in {"minilm", "minilm-int8"}:
        from scrubjay.adapters.embedders.minilm import MiniLMEmbedder

        return MiniLMEmbedder(precision="int8" if spec.endswith("int8") else "f32")
    if spec.startswith("openai:"):
        from scrubjay.adapters.embedders.openai_compatible import (
            OpenAICompatibleEmbedder,
            parse_spec,
        )

        return OpenAICompatibleEmbedder(*parse_spec(spec))
    msg = f"open_embedder: unknown embedder, got {spec!r:.80}, expected one of {', '.join(SPECS)}"
    raise InvalidArgumentError(msg)
