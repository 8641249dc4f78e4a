import json

import numpy as np
import pytest

from scrubjay.adapters.embedders.safetensors_file import map_tensors
from scrubjay.base.errors import DependencyError


def file_of(header, body, *, length=None):
    text = json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + body


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_equals_what_the_writing_library_saved(tmp_path):
    numpy_module = pytest.importorskip("safetensors.numpy")
    tensors = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([1.5, -2], np.float16),
        "c": np.zeros((0, 4), np.float32),
        "d": np.array(7, np.int64),
    }
    numpy_module.save_file(tensors, tmp_path / "x", metadata={"format": "np"})
    mapped = map_tensors(tmp_path / "x")
    assert sorted(tensors) == sorted(mapped)
    for name, value in tensors.items():
        assert (value.dtype, value.shape, value.tolist()) == (
            mapped[name].dtype,
            mapped[name].shape,
            mapped[name].tolist(),
        )


def test_a_mapped_tensor_cannot_be_written(tmp_path):
    (tmp_path / "x").write_bytes(file_of({"a": entry()}, bytes(8)))
    with pytest.raises(ValueError, match="read-only"):
        map_tensors(tmp_path / "x")["a"][0] = 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x05",
        file_of({}, b"", length=10**12),
        file_of({"a": entry()}, bytes(4)),
        file_of({"a": entry(shape=(3,))}, bytes(8)),
        file_of({"a": entry(offsets=(8, 0))}, bytes(8)),
        file_of({"a": entry(offsets=(-8, 0))}, bytes(8)),
        file_of({"a": entry(dtype="F8")}, bytes(8)),
        file_of({"a": {"dtype": "F32"}}, bytes(8)),
        file_of([], bytes(8)),
        (3).to_bytes(8, "little") + b"{{{" + bytes(8),
    ],
)
def test_a_damaged_file_is_a_typed_error(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(DependencyError, match="not a whole safetensors file"):
        map_tensors(tmp_path / "x")
