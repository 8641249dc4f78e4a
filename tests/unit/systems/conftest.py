"""A real store in a directory of its own, and rows to put into it."""

import pytest

from scrubjay.base.ids import SeededEntropy
from scrubjay.store import open_store


@pytest.fixture
def store(tmp_path):
    opened = open_store(
        tmp_path / "test.memory",
        tenant="default",
        create=True,
        entropy=SeededEntropy(7),
        now_us=0,
        durability="batch",
    )
    yield opened
    opened.close()
