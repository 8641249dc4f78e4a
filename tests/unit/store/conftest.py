"""An open, empty store for each test."""

from collections.abc import Iterator

import pytest

from scrubjay.store import SqliteStore
from tests.rows import open_at


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    """A store in a directory of its own."""
    opened = open_at(tmp_path / "memory")
    yield opened
    opened.close()
