"""Types of the compiled core; ``scrubjay._kernels`` says what each function promises."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# The builtin, where a class has a method of that name.
_Bytes: TypeAlias = bytes
Bools: TypeAlias = NDArray[np.bool_]
Codes8: TypeAlias = NDArray[np.int8]
Codes16: TypeAlias = NDArray[np.int16]
Ints8: TypeAlias = NDArray[np.uint8]
Sums16: TypeAlias = NDArray[np.uint16]
Ints32: TypeAlias = NDArray[np.int32]
Ints64: TypeAlias = NDArray[np.int64]
Numbers32: TypeAlias = NDArray[np.uint32]
Words: TypeAlias = NDArray[np.uint64]
Floats16: TypeAlias = NDArray[np.float16]
Floats32: TypeAlias = NDArray[np.float32]
Floats64: TypeAlias = NDArray[np.float64]

def active_isa() -> str: ...
def supported_isas() -> list[str]: ...
def exp_f32(x: Floats32, *, out: Floats32 | None = None, isa: str | None = None) -> Floats32: ...
def log_f32(x: Floats32, *, out: Floats32 | None = None, isa: str | None = None) -> Floats32: ...
def decay_by_item(
    value: Floats32,
    lambda_per_s: Floats32,
    dt_s: Floats32,
    *,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32: ...
def decay_by_category(
    value: Floats32,
    category: Ints8,
    lambda_per_s: Floats32,
    dt_s: Floats32,
    *,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32: ...
def decay_constants(half_life_us: Ints64, *, out: Floats64 | None = None) -> Floats64: ...
def retention_prior(
    age_s: Floats32,
    lambda_per_s: Floats32,
    salience: Floats32,
    frequency: Floats32,
    *,
    w_recency: float,
    w_salience: float,
    w_frequency: float,
    frequency_ceiling: float | None = None,
    fading: bool = False,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32: ...
def retention_score(
    similarity: Floats32,
    prior: Floats32,
    *,
    w_relevance: float,
    out: Floats32 | None = None,
    isa: str | None = None,
) -> Floats32: ...
def eviction_delay(
    lambda_per_s: Floats64,
    salience: Floats32,
    frequency: Floats32,
    *,
    w_recency: float,
    w_salience: float,
    w_frequency: float,
    threshold: float,
    frequency_ceiling: float | None = None,
    out: Floats64 | None = None,
    isa: str | None = None,
) -> Floats64: ...
def displace(
    salience: Floats32,
    sequence: Ints64,
    incoming: Floats32,
    *,
    out: Ints32 | None = None,
    isa: str | None = None,
) -> Ints32: ...
def bank_activation(
    anchor_us: Ints64,
    sequence: Ints64,
    *,
    now_us: int,
    decay_rate_per_s: float,
    threshold: float,
    isa: str | None = None,
) -> tuple[Floats32, Bools]: ...
def expired(
    created_us: Ints64,
    ttl_us: Ints64,
    *,
    now_us: int,
    out: Bools | None = None,
    isa: str | None = None,
) -> Bools: ...
def filter_codes(column: Ints8, allowed: int, *, isa: str | None = None) -> Words: ...
def filter_at_least(column: Ints8 | Floats32, least: float, *, isa: str | None = None) -> Words: ...
def filter_bits(column: Ints8, *, mask: int, value: int, isa: str | None = None) -> Words: ...
def filter_window(column: Ints64, *, from_us: int, to_us: int, isa: str | None = None) -> Words: ...
def filter_among(column: Numbers32, members: Numbers32, *, isa: str | None = None) -> Words: ...
def filter_folded(
    column: Numbers32, map: Numbers32, *, most: int, isa: str | None = None
) -> Words: ...
def pool_rows(
    table: Floats16, ids: Ints32, offsets: Ints64, *, isa: str | None = None
) -> tuple[Floats32, Floats32]: ...
def triad(
    b: Floats32, c: Floats32, s: float, *, out: Floats32 | None = None, isa: str | None = None
) -> Floats32: ...
def read_sum(x: Floats32, *, isa: str | None = None) -> float: ...
def dot(
    a: Floats32 | Floats16 | Codes8,
    b: Floats32 | Codes16,
    *,
    isa: str | None = ...,
) -> float | int: ...
def cosine(a: Floats32, b: Floats32, *, isa: str | None = ...) -> float: ...
def dot_rows(
    rows: Floats32 | Floats16 | Codes8,
    query: Floats32 | Codes16,
    *,
    isa: str | None = ...,
) -> Floats32 | Ints64: ...
def cosine_rows(rows: Floats32, query: Floats32, *, isa: str | None = ...) -> Floats32: ...
def squared_distance_rows(
    rows: Floats32, query: Floats32, *, isa: str | None = ...
) -> Floats32: ...
def encode_i8(x: Floats32) -> tuple[Codes8, float, float]: ...
def encode_query(query: Floats32) -> tuple[Codes16, float, float, float]: ...
def top_k(
    scores: Floats32, k: int, *, ids: Ints64 | None = ..., isa: str | None = ...
) -> Ints64: ...
def sketch_sums(table: Ints8, tile: Ints8, *, isa: str | None = ...) -> Sums16: ...

class Predicate:
    def __init__(
        self,
        *,
        scopes: NDArray[np.uint32] | None = ...,
        keys: Ints64 | None = ...,
        kinds: int = ...,
        categories: int = ...,
        states: int = ...,
        planes: int = ...,
        authority_min: int = ...,
        flags_all: int = ...,
        flags_none: int = ...,
        quality_min: float = ...,
        event_from_us: int | None = ...,
        event_to_us: int | None = ...,
    ) -> None: ...

_Answer: TypeAlias = tuple[
    Ints64, Floats32, Floats32, Floats32, Floats32, Floats32, Floats32, int, int, bool, bool, str
]

class GraphOptions:
    def __init__(self, *, links: int, ef_construction: int, seed: int) -> None: ...

class RetentionIndex:
    @property
    def dim(self) -> int: ...
    @property
    def storage(self) -> str: ...
    @property
    def metric(self) -> str: ...
    def __init__(
        self,
        dim: int,
        *,
        metric: str = ...,
        storage: str,
        frequency_ceiling: int | None = ...,
        keep_originals: bool = ...,
        capacity: int = ...,
        isa: str | None = ...,
        threads: int = ...,
        graph: GraphOptions,
        exact_below: int | None = ...,
    ) -> None: ...
    def add(
        self,
        keys: Ints64,
        vectors: Floats32,
        columns: dict[str, NDArray[np.generic]],
        *,
        replace: bool,
        allow_zero: bool,
    ) -> None: ...
    def update(
        self,
        keys: Ints64,
        vectors: Floats32 | None,
        columns: dict[str, NDArray[np.generic]],
        *,
        allow_zero: bool,
    ) -> None: ...
    def reinforce(self, keys: Ints64, *, now_us: int, count: int) -> None: ...
    def remove(self, keys: Ints64, *, ignore_missing: bool) -> int: ...
    def reserve(self, rows: int) -> None: ...
    def shrink(self) -> None: ...
    def search(
        self,
        queries: Floats32 | None,
        k: int,
        *,
        now_us: int,
        weights: tuple[float, float, float, float],
        where: Predicate,
        ef: int = ...,
        exact: bool = ...,
    ) -> list[_Answer]: ...
    def similarity(self, query: Floats32, where: Predicate) -> tuple[Ints64, Floats32]: ...
    def columns(self, keys: Ints64) -> dict[str, NDArray[np.generic]]: ...
    def vectors(self, keys: Ints64) -> Floats32: ...
    def keys(self) -> Ints64: ...
    def read_sum(self) -> tuple[int, int, int]: ...
    def contains(self, key: int) -> bool: ...
    def size(self) -> int: ...
    def save(self, path: str | _Bytes, *, watermark: int, epoch: _Bytes) -> None: ...
    @staticmethod
    def open(
        path: str | _Bytes, *, full: bool, isa: str | None = ..., threads: int = ...
    ) -> tuple[RetentionIndex, int, _Bytes]: ...
    def bytes(self) -> int: ...

def crc32c(data: Ints8, *, seed: int = ..., isa: str | None = ...) -> int: ...
