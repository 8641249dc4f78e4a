"""Map the tensors of a ``.safetensors`` file without copying them.

Layout: 8 bytes little-endian header length n · n bytes of JSON ``{name: {dtype, shape,
data_offsets: [begin, end]}}`` · tensor bytes, offsets counted from the end of the header. A mapped
tensor costs nothing until it is read, and all processes share its pages.

Source: the safetensors format description (github.com/huggingface/safetensors).
"""

from __future__ import annotations

from math import prod
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.base.errors import DependencyError

__all__ = ["map_tensors"]

_DTYPES: dict[str, np.dtype[np.generic]] = {
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I32": np.dtype("<i4"),
    "I64": np.dtype("<i8"),
}
_LENGTH_BYTES = 8
_MAX_HEADER_BYTES = 100_000_000


class _Entry(msgspec.Struct, frozen=True):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def map_tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return every tensor of ``path`` by name, as read-only views of one memory map.

    Raises:
        DependencyError: the file is not safetensors, is cut short, or uses another dtype.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        header_bytes = int.from_bytes(stream.read(_LENGTH_BYTES), "little")
        base = _LENGTH_BYTES + header_bytes
        if header_bytes > _MAX_HEADER_BYTES or base > size:
            raise _damaged(path, f"a header of {header_bytes} bytes in a file of {size}")
        header = stream.read(header_bytes)
    try:
        raw = msgspec.json.decode(header, type=dict[str, msgspec.Raw])
        raw.pop("__metadata__", None)
        entries = {name: msgspec.json.decode(value, type=_Entry) for name, value in raw.items()}
    except msgspec.DecodeError as error:
        raise _damaged(path, f"a header that does not parse ({error})") from None
    data = np.memmap(path, dtype=np.uint8, mode="r")
    return {name: _view(path, data, base, name, entry) for name, entry in entries.items()}


def _view(
    path: Path, data: NDArray[np.uint8], base: int, name: str, entry: _Entry
) -> NDArray[np.generic]:
    begin, end = entry.data_offsets
    dtype = _DTYPES.get(entry.dtype)
    if dtype is None:
        raise _damaged(path, f"tensor {name} of type {entry.dtype}")
    if not 0 <= begin <= end <= len(data) - base or end - begin != dtype.itemsize * prod(
        entry.shape
    ):
        raise _damaged(path, f"tensor {name} at {begin}:{end} with shape {entry.shape}")
    flat: NDArray[np.generic] = np.frombuffer(
        data, dtype=dtype, count=prod(entry.shape), offset=base + begin
    )
    return flat.reshape(entry.shape)


def _damaged(path: Path, found: str) -> DependencyError:
    return DependencyError(
        f"map_tensors: {path.name} is not a whole safetensors file, got {found}, "
        "expected consistent offsets; reinstall the package that carries it"
    )
