"""Files of every version so far open, answer as they did, and are written again byte for byte."""

import json

import pytest

from scrubjay.index import Index
from tests.golden.index.generate import HERE, STORAGES, answers, built, place
from tests.oracle.isas import each_isa

each_storage = pytest.mark.parametrize("storage", STORAGES)


@each_isa
@each_storage
def test_version_1_opens_and_answers_as_it_did(storage, isa):
    expected = json.loads((HERE / "v1-answers.json").read_text(encoding="ascii"))
    index = Index.open(place(storage, 1), isa=isa)
    assert (1234, b"golden") == (index.watermark, index.epoch)
    assert expected[storage] == answers(index)


@each_storage
def test_version_1_is_written_as_it_was(tmp_path, storage):
    golden = place(storage, 1).read_bytes()
    index = Index.open(place(storage, 1))
    index.save(tmp_path / "again", watermark=index.watermark, epoch=index.epoch)
    assert golden == (tmp_path / "again").read_bytes()
    built(storage).save(tmp_path / "built", watermark=1234, epoch=b"golden")
    assert golden == (tmp_path / "built").read_bytes()
