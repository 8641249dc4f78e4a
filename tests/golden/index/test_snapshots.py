"""Files of every version so far open, answer as they did, and today's is written byte for byte."""

import json

import numpy as np
import pytest

from scrubjay.index import Index, Weights
from tests.golden.index.generate import DIM, GRAPH, HERE, STORAGES, answers, built, place
from tests.oracle.isas import each_isa

each_storage = pytest.mark.parametrize("storage", STORAGES)
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


@each_storage
def test_version_2_holds_a_graph_that_is_walked_at_once_and_version_1_none(storage):
    plans = [
        Index.open(place(storage, version))
        .search(np.ones(DIM, np.float32), 3, now_us=0, weights=SIMILARITY)
        .plan
        for version in (1, 2)
    ]
    assert ["scan", "walk"] == plans
