"""The columns of the index: their types, their ranges, and how a caller's values become arrays."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

from scrubjay import _kernels
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, ShapeError, UnitError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "CODES",
    "DTYPES",
    "FOREVER_US",
    "LARGEST_U32",
    "MOST_EF",
    "Columns",
    "ceiling_of",
    "choice",
    "column",
    "flag",
    "graph_of",
    "instant",
    "machine_of",
    "rows_of",
    "whole",
]

FOREVER_US: Final = _kernels.FOREVER_US
"""The half-life of what never fades; its decay constant is exactly 0."""

CODES: Final = 64
"""Kinds, categories, states and planes are codes below this: a set of them is one 64-bit mask."""

LARGEST_U32: Final = 2**32 - 1
LATEST_US: Final = 2**61
MOST_EF: Final = 10_000
MOST_THREADS: Final = 1024

DTYPES: Final[dict[str, np.dtype[np.generic]]] = {
    "scope": np.dtype(np.uint32),
    **dict.fromkeys(
        ("kind", "category", "state", "authority", "plane", "flags"), np.dtype(np.uint8)
    ),
    "quality": np.dtype(np.float32),
    "salience": np.dtype(np.float32),
    "frequency": np.dtype(np.uint32),
    "half_life_us": np.dtype(np.int64),
    "last_us": np.dtype(np.int64),
    "event_us": np.dtype(np.int64),
    "gain": np.dtype(np.float32),
}


class Machine(TypedDict):
    """How many threads, 0 for every CPU, and which instruction set, None for the active one."""

    threads: int
    isa: str | None


def whole(where: str, value: int, low: int, high: int) -> int:
    """Return value as an int of the closed range, whatever integer type it came in."""
    try:
        number = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        got = type(value).__name__
        raise ArgumentTypeError(f"{where} is not an integer, got {got}, expected {low} to {high}")
    if not low <= number <= high:
        raise UnitError(f"{where} is out of range, got {number}, expected {low} to {high}")
    return number


def flag(where: str, value: object) -> bool:
    """Return True or False; what is only truthy is refused."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise ArgumentTypeError(f"{where} is not a bool, got {type(value).__name__}, expected one")


def choice(where: str, value: object, among: tuple[str, ...]) -> str:
    """Return one of a few words."""
    if isinstance(value, str) and value in among:
        return str(value)
    got = repr(value)[:40] if isinstance(value, str) else type(value).__name__
    raise InvalidArgumentError(f"{where} is unknown, got {got}, expected one of {among}")


def ceiling_of(frequency: str, frequency_ceiling: int | None) -> int | None:
    """Return F of the saturating form, or None for the raw one."""
    form = choice("Index: frequency", frequency, ("raw", "saturating"))
    if (form == "raw") != (frequency_ceiling is None):
        message = (
            f"Index: frequency form is incomplete, got {form!r} with frequency_ceiling "
            f"{frequency_ceiling!r:.40}, expected 'raw' without or 'saturating' with one"
        )
        raise InvalidArgumentError(message)
    if frequency_ceiling is None:
        return None
    return whole("Index: frequency_ceiling", frequency_ceiling, 1, LARGEST_U32)


class Growth(TypedDict):
    """When a graph is grown, and how."""

    graph: _kernels.GraphOptions
    exact_below: int | None


def graph_of(connectivity: int, ef_construction: int, seed: int, exact_below: int | None) -> Growth:
    """Return the arguments that the graph depends on."""
    most = "Index: exact_below"
    return {
        "graph": _kernels.GraphOptions(
            links=whole("Index: connectivity", connectivity, 2, 128),
            ef_construction=whole("Index: ef_construction", ef_construction, 1, MOST_EF),
            seed=whole("Index: seed", seed, 0, 2**64 - 1),
        ),
        "exact_below": None if exact_below is None else whole(most, exact_below, 0, LARGEST_U32),
    }


def machine_of(call: str, threads: int | None, isa: str | None) -> Machine:
    """Return the arguments that change speed alone."""
    return {
        "threads": 0 if threads is None else whole(f"{call}: threads", threads, 1, MOST_THREADS),
        "isa": None if isa is None else choice(f"{call}: isa", isa, _kernels.SUPPORTED_ISAS),
    }


def instant(where: str, instant_us: int) -> int:
    """Return an instant the core can subtract from any other without wrapping."""
    return whole(where, instant_us, -LATEST_US, LATEST_US)


def rows_of(call: str, keys: object) -> int:
    """Return how many rows the keys name; their dtype is checked by the core."""
    if not isinstance(keys, np.ndarray):
        got = type(keys).__name__
        raise ArgumentTypeError(f"{call}: keys is not a NumPy array, got {got}, expected int64")
    if keys.ndim != 1:
        raise ShapeError(f"{call}: keys is not a vector, got shape {keys.shape}, expected (n,)")
    return len(keys)


def column(call: str, name: str, given: ArrayLike, length: int) -> NDArray[np.generic]:
    """Return one column as an array of its dtype; a scalar stands for every row."""
    dtype = DTYPES[name]
    if type(given) is int and dtype.kind in "iu":
        low, high = _range(dtype)
        if low <= given <= high:
            return np.full(length, given, dtype)
    elif type(given) is float and abs(given) <= 1 and dtype.kind == "f":
        return np.full(length, given, dtype)
    return _converted(call, name, given, length)


def _range(dtype: np.dtype[np.generic]) -> tuple[int, int]:
    """Return the ends of an integer dtype."""
    bits = 8 * dtype.itemsize
    return (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _converted(call: str, name: str, given: ArrayLike, length: int) -> NDArray[np.generic]:
    """Return an array or scalar as a column; nothing is cut, wrapped or reshaped on the way."""
    array = np.asarray(given)
    dtype = DTYPES[name]
    if array.dtype.kind not in ("iu" if dtype.kind in "iu" else "iuf"):
        wanted = "integers" if dtype.kind in "iu" else "numbers"
        message = f"{call}: {name} has the wrong dtype, got {array.dtype}, expected {wanted}"
        raise ArgumentTypeError(message)
    if array.shape not in ((), (length,)):
        message = (
            f"{call}: {name} has the wrong shape, got {array.shape}, expected one value or "
            f"{(length,)}"
        )
        raise ShapeError(message)
    if dtype.kind in "iu" and array.dtype != dtype and array.size:
        low, high = _range(dtype)
        bad = np.flatnonzero((array < low) | (array > high))
        if bad.size:
            at, value = int(bad[0]), array.reshape(-1)[bad[0]]
            message = f"{call}: {name}[{at}] is out of range, got {value}, expected {low} to {high}"
            raise UnitError(message)
    with np.errstate(over="ignore"):  # An overflow is an infinity, which the core refuses.
        return np.ascontiguousarray(np.broadcast_to(array, (length,)), dtype)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of some rows, in the order of the keys asked for; one entry a row."""

    scope: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    category: NDArray[np.uint8]
    state: NDArray[np.uint8]
    authority: NDArray[np.uint8]
    plane: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    quality: NDArray[np.float32]
    salience: NDArray[np.float32]
    frequency: NDArray[np.uint32]
    half_life_us: NDArray[np.int64]
    last_us: NDArray[np.int64]
    event_us: NDArray[np.int64]
    gain: NDArray[np.float32]
