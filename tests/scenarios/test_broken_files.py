"""A file of a memory emptied, lost or changed on disk: said so, never taken for a beginning."""

import shutil
from pathlib import Path

import pytest

from scrubjay import ManualClock, Memory
from scrubjay.base.errors import CorruptionError


def _embed(texts: list[str]) -> list[list[float]]:
    return [[1.0, float(len(text) % 7)] for text in texts]


@pytest.fixture
def kept(tmp_path) -> Path:
    """A closed memory with hot and cold rows."""
    clock = ManualClock()
    with Memory.open(tmp_path / "m", embedder=_embed, clock=clock, seed=1) as memory:
        for at in range(5):
            memory.observe(f"old turn {at} about the failing disk", session="old")
        memory.sleep()
        clock.advance(days=400)
        memory.sleep()
        memory.observe("a fresh turn about host web-3")
        assert memory.stats().counts["state_archived"] == 5
    return tmp_path / "m"


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("loss", ["emptied", "deleted"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_lost_database_is_told_and_its_archive_is_left_alone(kept, loss, read_only):
    database = kept / "tenants/default/memory.sqlite"
    database.write_bytes(b"") if loss == "emptied" else database.unlink()
    archive = kept / "tenants/default/archive"
    before = _files(archive)
    with pytest.raises(CorruptionError, match=r"memory\.sqlite"):
        Memory.open(kept, embedder=_embed, read_only=read_only)
    assert 1 == len(before)
    assert before == _files(archive)
    shutil.rmtree(archive)
    with pytest.raises(CorruptionError, match="gone or empty"):
        Memory.open(kept, embedder=_embed)


def test_a_lost_mark_is_told_and_no_other_one_is_made(kept):
    (kept / "scrubjay.json").unlink()
    with pytest.raises(CorruptionError, match=r"scrubjay\.json"):
        Memory.open(kept, embedder=_embed)
    assert not (kept / "scrubjay.json").exists()
