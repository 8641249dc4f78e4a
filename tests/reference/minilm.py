"""all-MiniLM-L6-v2 in plain NumPy, one text at a time: the definition the ONNX graph must equal.

Source: Devlin et al., BERT, 2019; the weights' own config.json (6 layers, 12 heads, epsilon 1e-12).
"""

import math

import numpy as np

LAYERS, HEADS, DIM = 6, 12, 384
erf = np.vectorize(math.erf)


def embed(tensors, ids):
    """Return the unit vector (384,) float64 of one text's token ids, special tokens included."""
    weights = {name: np.asarray(value, np.float64) for name, value in tensors.items()}
    return unit(encode(weights, ids).mean(axis=0))


def encode(weights, ids):
    """Return one vector per token (t, 384)."""
    table = "embeddings.{}_embeddings.weight"
    x = weights[table.format("word")][ids] + weights[table.format("position")][: len(ids)]
    x = norm(weights, "embeddings", x + weights[table.format("token_type")][0])
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}"
        attended = attend(weights, f"{prefix}.attention.self", x)
        x = norm(
            weights,
            f"{prefix}.attention.output",
            x + linear(weights, f"{prefix}.attention.output.dense", attended),
        )
        inner = gelu(linear(weights, f"{prefix}.intermediate.dense", x))
        x = norm(weights, f"{prefix}.output", x + linear(weights, f"{prefix}.output.dense", inner))
    return x


def attend(weights, prefix, x):
    """Return the heads' weighted values, side by side."""
    query, key, value = (
        linear(weights, f"{prefix}.{name}", x).reshape(len(x), HEADS, -1).swapaxes(0, 1)
        for name in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / math.sqrt(DIM / HEADS)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    return (scores @ value).swapaxes(0, 1).reshape(len(x), DIM)


def linear(weights, name, x):
    """Return x W' + b."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def norm(weights, prefix, x):
    """Return x with mean 0 and variance 1 per token, scaled and shifted."""
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return scaled * weights[f"{prefix}.LayerNorm.weight"] + weights[f"{prefix}.LayerNorm.bias"]


def gelu(x):
    """Return x times the standard normal distribution function of x."""
    return x * 0.5 * (1 + erf(x / math.sqrt(2)))


def unit(x):
    """Return x scaled to length 1."""
    return x / np.linalg.norm(x)
