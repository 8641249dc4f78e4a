"""Files of every version so far open, answer as they did, and today's is written byte for byte."""

import json

import numpy as np
import pytest

from scrubjay.index import Index, Weights
from tests.golden.index.generate import DIM, GRAPH, HERE, MEASURED, STORAGES, answers, built, place
from tests.oracle.isas import each_isa

each_storage = pytest.mark.parametrize("storage", STORAGES)
each_measured = pytest.mark.parametrize(
    ("metric", "storage"),
    [(m, storage) for m, storages in MEASURED.items() for storage in storages],
)
SIMILARITY = Weights(relevance=1, recency=0, salience=0, frequency=0)


@each_isa
@each_storage
@pytest.mark.parametrize("version", [1, 2])
def test_every_version_opens_and_answers_as_it_did(storage, version, isa):
    expected = json.loads((HERE / f"v{version}-answers.json").read_text(encoding="ascii"))
    index = Index.open(place(storage, version), isa=isa)
    assert (1234, b"golden") == (index.watermark, index.epoch)
    assert expected[storage] == answers(index)


@each_storage
def test_version_1_goes_on_as_version_2_without_a_graph(tmp_path, storage):
    index = Index.open(place(storage, 1))
    index.save(tmp_path / "again", watermark=index.watermark, epoch=index.epoch)
    built(storage).save(tmp_path / "built", watermark=1234, epoch=b"golden")
    assert (tmp_path / "built").read_bytes() == (tmp_path / "again").read_bytes()
    assert 2 == (tmp_path / "again").read_bytes()[8]


@each_storage
def test_version_2_is_written_as_it_was(tmp_path, storage):
    golden = place(storage, 2).read_bytes()
    index = Index.open(place(storage, 2))
    index.save(tmp_path / "again", watermark=index.watermark, epoch=index.epoch)
    assert golden == (tmp_path / "again").read_bytes()
    built(storage, **GRAPH).save(tmp_path / "built", watermark=1234, epoch=b"golden")
    assert golden == (tmp_path / "built").read_bytes()


@each_isa
@each_measured
def test_every_metric_opens_and_answers_as_it_did(metric, storage, isa):
    expected = json.loads((HERE / f"v2-{metric}-answers.json").read_text(encoding="ascii"))
    index = Index.open(place(storage, 2, metric), isa=isa)
    assert (1234, b"golden", metric) == (index.watermark, index.epoch, index.metric)
    assert expected[storage] == answers(index)


@each_measured
def test_every_metric_is_written_as_it_was(tmp_path, metric, storage):
    golden = place(storage, 2, metric).read_bytes()
    index = Index.open(place(storage, 2, metric))
    index.save(tmp_path / "again", watermark=index.watermark, epoch=index.epoch)
    assert golden == (tmp_path / "again").read_bytes()
    built(storage, metric, **GRAPH).save(tmp_path / "built", watermark=1234, epoch=b"golden")
    assert golden == (tmp_path / "built").read_bytes()


def test_the_answers_of_l2_are_those_of_its_definition():
    """The files were written by the code that reads them; here is what it has to agree with."""
    index = Index.open(place("i8", 2, "l2"))
    expected = json.loads((HERE / "v2-l2-answers.json").read_text(encoding="ascii"))["i8"][1]
    keys = index.keys()
    distances = np.linalg.norm(index.vectors(keys) - np.array([10, -20, 30, 5, 2.5]), axis=1)
    scores = index.columns(keys).gain / (1 + distances)
    best = np.argsort(-scores)[:8]
    assert expected["keys"] == keys[best].tolist()
    got = [float.fromhex(score) for score in expected["scores"]]
    assert got == pytest.approx(scores[best], rel=1e-6)


@each_storage
def test_version_2_holds_a_graph_that_is_walked_at_once_and_version_1_none(storage):
    plans = [
        Index.open(place(storage, version))
        .search(np.ones(DIM, np.float32), 3, now_us=0, weights=SIMILARITY)
        .plan
        for version in (1, 2)
    ]
    assert ["scan", "walk"] == plans
