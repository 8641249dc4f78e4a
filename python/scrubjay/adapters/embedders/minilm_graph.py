"""Write the network of all-MiniLM-L6-v2 down as an ONNX graph, from its weights.

BERT with 6 layers, 12 heads of 32 dimensions, then the mean over the tokens of a text, scaled to
unit length::

    ids, mask (n, t) int64 -> embedding (n, 384) float32

    x    = norm(word[ids] + position[0..t) + type[0])
    each layer:
        q, k, v = heads(x Wq + bq), heads(x Wk + bk), heads(x Wv + bv)
        a       = softmax(q k' / sqrt(32) + (1 - mask) * -1e9) v
        x       = norm(x + merge(a) Wo + bo)
        x       = norm(x + gelu(x Wi + bi) Wd + bd)
    out  = unit(sum(x * mask) / sum(mask))

The three projections of a layer are one matrix, with 1/sqrt(32) folded into the query part.
``norm`` is layer normalisation with epsilon 1e-12; ``gelu`` is the exact one.

Source: Devlin et al., BERT, 2019; Wang et al., MiniLM, 2020; the weights' own config.json.
Spec: ``tests/reference/minilm.py``.
"""

from __future__ import annotations

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

__all__ = ["build_graph"]

Tensors = dict[str, NDArray[np.generic]]

_LAYERS, _HEADS, _HEAD_DIM, _DIM = 6, 12, 32, 384
_EPSILON = 1e-12
_OPSET = 20
_IR_VERSION = 9


class _Graph:
    """Collects nodes and constants; each method returns the name of a value."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def ints(self, *values: int) -> str:
        name = "ints_" + "_".join(map(str, values)).replace("-", "m")
        return self.constant(name, np.array(values, np.int64))

    def add(self, op: str, *inputs: str, **attributes: float | list[int]) -> str:
        name = f"{op.lower()}_{len(self.nodes)}"
        node = helper.make_node(op, list(inputs), [name], name)
        node.attribute.extend(helper.make_attribute(*pair) for pair in attributes.items())
        self.nodes.append(node)
        return name

    def linear(
        self, x: str, name: str, weight: NDArray[np.generic], bias: NDArray[np.generic]
    ) -> str:
        product = self.add("MatMul", x, self.constant(f"{name}.weight", weight.T))
        return self.add("Add", product, self.constant(f"{name}.bias", bias))

    def norm(self, x: str, name: str, tensors: Tensors) -> str:
        scale = self.constant(f"{name}.weight", tensors[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", tensors[f"{name}.bias"])
        return self.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=_EPSILON)


def build_graph(tensors: Tensors) -> onnx.ModelProto:
    """Return the model; its size is that of the weights, about 90 MB.

    Requires: the tensors of all-MiniLM-L6-v2 under their own names (content checked by hash).
    """
    graph = _Graph()
    mask = graph.add("Cast", "mask", to=TensorProto.FLOAT)
    x = _embed(graph, tensors)
    wide = graph.add("Unsqueeze", mask, graph.ints(1, 2))
    absent = graph.add("Sub", graph.constant("one", np.float32(1.0).reshape(1)), wide)
    bias = graph.add("Mul", absent, graph.constant("far", np.float32(-1e9).reshape(1)))
    for layer in range(_LAYERS):
        x = _layer(graph, tensors, f"encoder.layer.{layer}", x, bias)
    _pool(graph, x, mask)
    ids, marks = (
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"])
        for name in ("ids", "mask")
    )
    out = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", _DIM])
    body = helper.make_graph(
        graph.nodes, "all-MiniLM-L6-v2", [ids, marks], [out], list(graph.constants.values())
    )
    opset = helper.make_opsetid("", _OPSET)
    model = helper.make_model(body, opset_imports=[opset], ir_version=_IR_VERSION)
    # Tells the quantiser that shapes need no inference here; it would write to the root logger.
    helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    return model


def _embed(graph: _Graph, tensors: Tensors) -> str:
    prefix = "embeddings"
    words = graph.constant("word", tensors[f"{prefix}.word_embeddings.weight"])
    places = (
        tensors[f"{prefix}.position_embeddings.weight"]
        + tensors[f"{prefix}.token_type_embeddings.weight"][0]
    )
    length = graph.add("Gather", graph.add("Shape", "ids"), graph.ints(1), axis=0)
    near = graph.add(
        "Slice", graph.constant("position", places), graph.ints(0), length, graph.ints(0)
    )
    looked_up = graph.add("Gather", words, "ids", axis=0)
    return graph.norm(graph.add("Add", looked_up, near), f"{prefix}.LayerNorm", tensors)


def _layer(graph: _Graph, tensors: Tensors, prefix: str, x: str, bias: str) -> str:
    own = f"{prefix}.attention.self"
    names = ("query", "key", "value")
    scale = np.repeat(np.array([_HEAD_DIM**-0.5, 1, 1], np.float32), _DIM)
    weight = np.concatenate([tensors[f"{own}.{name}.weight"] for name in names])
    shift = np.concatenate([tensors[f"{own}.{name}.bias"] for name in names])
    packed = graph.linear(x, own, weight * scale[:, None], shift * scale)
    heads = graph.add("Reshape", packed, graph.ints(0, 0, 3, _HEADS, _HEAD_DIM))
    query, key, value = (
        graph.add("Gather", heads, graph.constant(f"part_{part}", np.array(part)), axis=2)
        for part in range(3)
    )
    query = graph.add("Transpose", query, perm=[0, 2, 1, 3])
    key = graph.add("Transpose", key, perm=[0, 2, 3, 1])
    value = graph.add("Transpose", value, perm=[0, 2, 1, 3])
    scores = graph.add("Add", graph.add("MatMul", query, key), bias)
    seen = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
    merged = graph.add("Transpose", seen, perm=[0, 2, 1, 3])
    merged = graph.add("Reshape", merged, graph.ints(0, 0, _DIM))
    x = _residual(graph, tensors, f"{prefix}.attention.output", merged, x)
    name = f"{prefix}.intermediate.dense"
    inner = graph.linear(x, name, tensors[f"{name}.weight"], tensors[f"{name}.bias"])
    return _residual(graph, tensors, f"{prefix}.output", graph.add("Gelu", inner), x)


def _residual(graph: _Graph, tensors: Tensors, prefix: str, branch: str, x: str) -> str:
    dense = f"{prefix}.dense"
    out = graph.linear(branch, dense, tensors[f"{dense}.weight"], tensors[f"{dense}.bias"])
    return graph.norm(graph.add("Add", out, x), f"{prefix}.LayerNorm", tensors)


def _pool(graph: _Graph, x: str, mask: str) -> None:
    """Sum over the tokens and scale; the mean's divisor cancels in the unit length."""
    kept = graph.add("Mul", x, graph.add("Unsqueeze", mask, graph.ints(2)))
    total = graph.add("ReduceSum", kept, graph.ints(1), keepdims=0)
    length = graph.add("ReduceL2", total, graph.ints(1), keepdims=1)
    floor = graph.constant("tiny", np.float32(1e-12).reshape(1))
    graph.nodes.append(
        helper.make_node("Div", [total, graph.add("Max", length, floor)], ["embedding"], "unit")
    )
