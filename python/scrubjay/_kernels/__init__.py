"""The one door to the compiled core.

Every other module reaches ``scrubjay._core`` through here. Arrays are taken exactly as they are:
right dtype, C-contiguous, aligned; nothing is converted silently (``ShapeError``; a value that is
no array is an ``ArgumentTypeError``). Each kernel releases the GIL, is safe from any thread and
gives the same bits on every instruction set. ``out`` receives the result in place of a fresh array;
after a refusal a separate ``out`` holds unspecified values, one shared with an input is untouched.
``isa`` names one instruction set for a test; ``None`` means the one chosen at load, which the
environment variable ``SCRUBJAY_ISA`` (``scalar``, ``avx2``, ``avx512``, ``neon``) overrides.

The full contract of a family stands in ``cpp/include/scrubjay/kernels/<family>.h``, its definition
in plain Python in ``tests/reference/<family>.py``.
"""

from __future__ import annotations

from typing import Final

from scrubjay.base.errors import DependencyError

try:
    from scrubjay import _core
except ImportError as missing:
    raise DependencyError(
        "scrubjay: the compiled core scrubjay._core cannot be loaded, got "
        f"{missing}, expected a built package; run ./dev or pip install ."
    ) from missing

from scrubjay._kernels.checksum import crc32c
from scrubjay._kernels.fading import (
    FOREVER_US,
    bank_activation,
    decay_by_category,
    decay_by_item,
    decay_constants,
    displace,
    eviction_delay,
    exp_f32,
    expired,
    log_f32,
    pool_rows,
    read_sum,
    retention_prior,
    retention_score,
    triad,
)
from scrubjay._kernels.filters import (
    filter_among,
    filter_at_least,
    filter_bits,
    filter_codes,
    filter_folded,
    filter_window,
)
from scrubjay._kernels.search import (
    GraphOptions,
    Predicate,
    RetentionIndex,
    cosine,
    cosine_rows,
    dot,
    dot_rows,
    encode_i8,
    encode_query,
    sketch_sums,
    squared_distance_rows,
    top_k,
)

__all__ = [
    "ACTIVE_ISA",
    "FOREVER_US",
    "SUPPORTED_ISAS",
    "GraphOptions",
    "Predicate",
    "RetentionIndex",
    "bank_activation",
    "cosine",
    "cosine_rows",
    "crc32c",
    "decay_by_category",
    "decay_by_item",
    "decay_constants",
    "displace",
    "dot",
    "dot_rows",
    "encode_i8",
    "encode_query",
    "eviction_delay",
    "exp_f32",
    "expired",
    "filter_among",
    "filter_at_least",
    "filter_bits",
    "filter_codes",
    "filter_folded",
    "filter_window",
    "log_f32",
    "pool_rows",
    "read_sum",
    "retention_prior",
    "retention_score",
    "sketch_sums",
    "squared_distance_rows",
    "top_k",
    "triad",
]

ACTIVE_ISA: Final[str] = _core.active_isa()
"""The instruction set in use; the first call reads ``SCRUBJAY_ISA`` and refuses a wrong one."""

SUPPORTED_ISAS: Final[tuple[str, ...]] = tuple(_core.supported_isas())
"""Every instruction set that this build contains and this CPU runs, slowest first."""
