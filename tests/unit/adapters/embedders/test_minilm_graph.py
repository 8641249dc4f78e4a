import pytest

from tests.data import missing

onnx = pytest.importorskip("onnx")

from scrubjay.adapters.embedders.minilm import _WEIGHTS  # noqa: E402 - after the skip
from scrubjay.adapters.embedders.minilm_graph import build_graph  # noqa: E402
from scrubjay.adapters.embedders.packages import locate  # noqa: E402
from scrubjay.adapters.embedders.safetensors_file import map_tensors  # noqa: E402
from scrubjay.base.errors import DependencyError  # noqa: E402


@pytest.fixture(scope="module")
def model():
    try:
        return build_graph(map_tensors(locate("test", _WEIGHTS)))
    except DependencyError as error:
        return missing(str(error))


def test_the_graph_is_valid_and_its_shapes_agree(model):
    onnx.checker.check_model(model, full_check=True)
    assert ["ids", "mask"] == [value.name for value in model.graph.input]
    assert ["embedding"] == [value.name for value in model.graph.output]


def test_the_graph_is_the_same_bytes_every_time(model):
    again = build_graph(map_tensors(locate("test", _WEIGHTS)))
    assert model.SerializeToString(deterministic=True) == again.SerializeToString(
        deterministic=True
    )
