"""Write the golden snapshots again: ``python tests/golden/index/generate.py``, from the root.

A file of a version that was released is never written again: its bytes are the promise that every
later version opens it or refuses it by name. Run this only while a version is being made.
"""

import json
import math
from pathlib import Path

import numpy as np

from scrubjay.index import FOREVER_US, Filter, Index, Weights

HERE = Path(__file__).parent
VERSION = 2
STORAGES = ("f32", "f16", "i8")
# Metrics other than cosine came with version 2. What l2 keeps depends on the storage; ip keeps what
# cosine does, but as given.
MEASURED = {"ip": ("i8",), "l2": STORAGES}
DIM = 5
ROWS = 40
NOW_US = 3_000_000_000
QUERIES = {
    "cosine": (1, -2, 3, 0.5, 0.25),
    "ip": (0.5, -0.5, 0.5, 0.5, 0),
    "l2": (10, -20, 30, 5, 2.5),
}
# Few links, so that some rows have upper lists; version 1 knew no graph.
GRAPH = {"connectivity": 3, "ef_construction": 20, "seed": 7, "exact_below": 16}


def vectors_for(metric):
    """Return the rows: whole numbers, under l2 of very different lengths, under ip of length 1."""
    step = np.arange(ROWS)
    whole = np.stack([(step * (7 + 2 * c) + 3 * c) % 31 - 15 for c in range(DIM)], axis=1)
    if metric == "l2":
        whole = whole * (step[:, None] + 1)
    elif metric == "ip":
        whole[:, 0] += step
        lengths = [math.sqrt(sum(int(x) ** 2 for x in row)) for row in whole]
        return (whole / np.array(lengths)[:, None]).astype(np.float32)
    return np.ascontiguousarray(whole, np.float32)


def built(storage, metric="cosine", **graph):
    """Return an index with rows of every kind, of which some were removed and slots used again."""
    options = {"storage": storage, "metric": metric, "frequency": "saturating"}
    index = Index(DIM, **options, frequency_ceiling=20, **graph)
    step = np.arange(ROWS)
    index.add(
        step * 10,
        vectors_for(metric),
        now_us=0,
        scope=step % 3,
        kind=step % 4,
        authority=step,
        flags=step % 8,
        quality=step / ROWS,
        salience=(step * 7 % ROWS) / ROWS,
        frequency=step % 20,
        half_life_us=np.where(step % 5 == 0, FOREVER_US, 1_000_000 * (1 + step)),
        event_us=step * 1_000,
        gain=0.25 + step / (2 * ROWS),
        allow_zero=True,
    )
    index.remove(step[::6] * 10)
    index.add(np.array([-7, 2**62]), np.eye(DIM, dtype=np.float32)[:2], now_us=5)
    index.reinforce(np.array([10, -7]), now_us=2_000_000_000, count=4)
    return index


def answers(index):
    """Return what a few searches answer, floats as exact text."""
    found = []
    for where in (None, Filter(kinds=[1, 3], quality_min=0.25)):
        for weights in (Weights(), Weights(relevance=1, recency=0, salience=0, frequency=0)):
            query = np.array(QUERIES[index.metric], np.float32)
            result = index.search(query, 8, now_us=NOW_US, weights=weights, where=where)
            scores = [float(score).hex() for score in result.scores]
            found.append({"keys": result.keys.tolist(), "scores": scores})
    return found


def place(storage, version=VERSION, metric="cosine"):
    """Return where the snapshot of that storage lies."""
    form = storage if metric == "cosine" else f"{metric}-{storage}"
    return HERE / f"v{version}-{form}.sji"


def write(name, metric, storages):
    """Write the files of one metric and the answers to be had from them."""
    expected = {}
    for storage in storages:
        index = built(storage, metric, **GRAPH)
        index.save(place(storage, metric=metric), watermark=1234, epoch=b"golden")
        expected[storage] = answers(index)
    text = json.dumps(expected, indent=1, sort_keys=True) + "\n"
    (HERE / f"{name}-answers.json").write_text(text, encoding="ascii")


def main():
    """Write every file and the answers."""
    write(f"v{VERSION}", "cosine", STORAGES)
    for metric, storages in MEASURED.items():
        write(f"v{VERSION}-{metric}", metric, storages)


if __name__ == "__main__":
    main()
