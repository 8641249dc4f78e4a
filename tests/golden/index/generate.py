"""Write the golden snapshots again: ``python tests/golden/index/generate.py``, from the root.

A file of a version that was released is never written again: its bytes are the promise that every
later version opens it or refuses it by name. Run this only while a version is being made.
"""

import json
from pathlib import Path

import numpy as np

from scrubjay.index import FOREVER_US, Filter, Index, Weights

HERE = Path(__file__).parent
VERSION = 2
STORAGES = ("f32", "f16", "i8")
DIM = 5
ROWS = 40
NOW_US = 3_000_000_000
# Few links, so that some rows have upper lists; version 1 knew no graph.
GRAPH = {"connectivity": 3, "ef_construction": 20, "seed": 7, "exact_below": 16}


def built(storage, **graph):
    """Return an index with rows of every kind, of which some were removed and slots used again."""
    index = Index(DIM, storage=storage, frequency="saturating", frequency_ceiling=20, **graph)
    step = np.arange(ROWS)
    vectors = np.stack([(step * (7 + 2 * c) + 3 * c) % 31 - 15 for c in range(DIM)], axis=1)
    index.add(
        step * 10,
        np.ascontiguousarray(vectors, np.float32),
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
            query = np.array([1, -2, 3, 0.5, 0.25], np.float32)
            result = index.search(query, 8, now_us=NOW_US, weights=weights, where=where)
            scores = [float(score).hex() for score in result.scores]
            found.append({"keys": result.keys.tolist(), "scores": scores})
    return found


def place(storage, version=VERSION):
    """Return where the snapshot of that storage lies."""
    return HERE / f"v{version}-{storage}.sji"


def main():
    """Write every file and the answers."""
    for storage in STORAGES:
        built(storage, **GRAPH).save(place(storage), watermark=1234, epoch=b"golden")
    expected = {storage: answers(built(storage, **GRAPH)) for storage in STORAGES}
    text = json.dumps(expected, indent=1, sort_keys=True) + "\n"
    (HERE / f"v{VERSION}-answers.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
