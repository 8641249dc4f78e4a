"""The worlds that the comparison searches: rows, held-out queries and the exact answers.

| world | what it is | rows x dim |
|---|---|---|
| clustered | a seeded mixture of Gaussians, queries held out of the same draw | any x any |
| static | nl2bash commands and requests, LoCoMo turns; default embedder | 25,000 x 256 |
| minilm | the same texts through all-MiniLM-L6-v2 | 25,000 x 384 |

The mixture: 200 cluster centres, a cluster's share falling with the root of its rank, and noise of
1.2 times the centres' length. Both are stretched: the i-th axis has scale i^-0.3, for the noise in
an order of axes of the cluster's own. So near neighbours come from the own cluster, which is far
larger than one node's links, and tell little apart: libraries need ef of 40 to 100 for a recall@10
of 0.99. ``World.cosines`` states the difficulty of each world. Real texts that occur twice are kept
once; every 25th, at most 1,000, is held out as a query.
"""

import gzip
import hashlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix, exact_top

ROOT = Path(__file__).resolve().parents[2]
SEED = 20_000_101
DEPTH = 100
CLUSTERS, SPREAD, DECAY = 200, 1.2, 0.3


@dataclass(frozen=True)
class World:
    """Unit rows and queries, with the ``DEPTH`` nearest rows of each query, best first."""

    name: str
    rows: Matrix
    queries: Matrix
    nearest: NDArray[np.int64]
    similarity: Matrix

    @property
    def dim(self) -> int:
        return self.rows.shape[1]

    @property
    def cosines(self) -> tuple[float, float]:
        """Return the mean cosine of the 1st and the 10th neighbour."""
        tenth = min(9, self.similarity.shape[1] - 1)
        return float(self.similarity[:, 0].mean()), float(self.similarity[:, tenth].mean())

    def asked(self, count: int) -> "World":
        """Return the same world with its first queries only."""
        queries, nearest = self.queries[:count], self.nearest[:count]
        return replace(self, queries=queries, nearest=nearest, similarity=self.similarity[:count])


def unit(rows: Matrix) -> Matrix:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def world_of(name: str, rows: Matrix, queries: Matrix) -> World:
    """Return a world with its exact answers."""
    nearest, similarity = exact_top(rows, queries, min(DEPTH, len(rows)))
    return World(name, rows, queries, nearest, similarity)


def mixture(rows: int, dim: int, *, clusters: int = CLUSTERS, seed: int = SEED) -> Matrix:
    """Return unit rows drawn from the mixture; equal seeds give equal bytes."""
    draw = np.random.default_rng(seed)
    scale = np.arange(1, dim + 1, dtype=np.float32) ** np.float32(-DECAY)
    scale /= np.linalg.norm(scale)
    centres = draw.standard_normal((clusters, dim), np.float32) * scale
    stretch = np.stack([scale[draw.permutation(dim)] for _ in range(clusters)]) * np.float32(SPREAD)
    share = np.arange(1, clusters + 1) ** -0.5
    drawn = np.empty((rows, dim), np.float32)
    for start in range(0, rows, 50_000):
        part = drawn[start : start + 50_000]
        own = draw.choice(clusters, len(part), p=share / share.sum())
        part[:] = draw.standard_normal(part.shape, np.float32) * stretch[own] + centres[own]
    return unit(drawn)


def clustered(rows: int, dim: int, queries: int) -> World:
    """Return the synthetic world."""
    drawn = mixture(rows + queries, dim)
    return world_of("clustered", drawn[:rows], drawn[rows:])


def data_folder() -> Path:
    """Return the folder of the data sets: SCRUBJAY_DATA, else ../shared/data."""
    configured = os.environ.get("SCRUBJAY_DATA")
    return Path(configured) if configured else ROOT.parent / "shared" / "data"


def texts(folder: Path) -> list[str]:
    """Return the distinct texts of nl2bash (requests, commands) and LoCoMo (turns), as filed."""
    with gzip.open(folder / "nl2bash/pairs.jsonl.gz", "rt", encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    found = [pair[part] for part in ("nl", "cmd") for pair in pairs]
    with gzip.open(folder / "locomo/locomo5.json.gz", "rt", encoding="utf-8") as file:
        samples = json.load(file)
    for sample in samples:
        for part in sample["conversation"].values():
            if isinstance(part, list):
                found += [turn["text"] for turn in part]
    return list(dict.fromkeys(text.strip() for text in found if text.strip()))


def embedded(embedder: str, lines: list[str], cache: Path) -> Matrix:
    """Return one unit row per text, from the cache where these texts were embedded before."""
    from scrubjay.adapters.embedders import open_embedder

    opened = open_embedder(embedder)
    words = "\0".join([opened.identity, *lines]).encode()
    path = cache / f"{embedder}-{hashlib.sha256(words).hexdigest()[:16]}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        rows = [opened.embed(lines[at : at + 256]).vectors for at in range(0, len(lines), 256)]
        np.save(path.with_suffix(".part.npy"), np.concatenate(rows))
        path.with_suffix(".part.npy").rename(path)
    return np.load(path)


def real(embedder: str, cache: Path) -> World:
    """Return the world of real texts; a text without any known token is left out."""
    vectors = embedded(embedder, texts(data_folder()), cache)
    vectors = unit(vectors[np.linalg.norm(vectors, axis=1) > 0])
    held = np.zeros(len(vectors), bool)
    held[np.arange(0, len(vectors), 25)[:1000]] = True
    return world_of(embedder, vectors[~held], vectors[held])
