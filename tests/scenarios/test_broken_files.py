"""A file of a memory emptied, lost or changed on disk: said so, never taken for a beginning."""

import shutil
from pathlib import Path

import apsw
import pytest

from scrubjay import ManualClock, Memory
from scrubjay.base.clock import DAY_US
from scrubjay.base.errors import CorruptionError

OPENED_US = ManualClock().now_us() + 400 * DAY_US


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


DAMAGE = {
    "a word of a text": "UPDATE engram SET content = replace(content, 'web-3', 'web-9')",
    "a role": "UPDATE engram SET role = 'usfr' WHERE state = 0",
    "a channel": "UPDATE engram SET channel = 'xpi' WHERE state = 0",
    "an authority": "UPDATE engram SET authority = 11 WHERE state = 0",
    "a kind": "UPDATE engram SET kind = 77 WHERE state = 0",
    "bytes in a text": "UPDATE engram SET content = CAST(x'ff41' AS TEXT) WHERE state = 0",
    "bytes in a name": "UPDATE engram SET principal = CAST(x'ff41' AS TEXT) WHERE state = 0",
    "a tool call": "UPDATE engram SET tool_calls = '[{' WHERE state = 0",
    "an instant": "UPDATE engram SET last_us = 9000000000000000000 WHERE state = 0",
    "a salience": "UPDATE engram SET salience = 7 WHERE state = 0",
    "a vector that is no number": "UPDATE vector SET data = x'00fe00fe'",
    "a vector cut short": "UPDATE vector SET data = x'0000'",
    "a gain": "UPDATE vector SET gain = 5.0",
    "a dimension": "UPDATE space SET dim = 7",
}


def _damage(kept: Path, sql: str) -> None:
    database = apsw.Connection(str(kept / "tenants/default/memory.sqlite"))
    database.pragma("ignore_check_constraints", "1")
    database.execute(sql)
    database.close()


@pytest.mark.parametrize("what", DAMAGE)
def test_i15_a_damaged_row_is_an_error_to_recall_and_a_finding_of_the_doctor(kept, what):
    _damage(kept, DAMAGE[what])
    with Memory.open(kept, embedder=_embed, clock=ManualClock(OPENED_US)) as memory:
        with pytest.raises(CorruptionError, match=r"doctor|reembed"):
            memory.recall("which host is fresh?", k=10)
        assert () != memory.doctor().findings


def test_i15_a_vector_that_is_not_of_unit_length_is_found_by_the_doctor(kept):
    _damage(kept, "UPDATE vector SET data = x'ff7b0000'")
    with Memory.open(kept, embedder=_embed, clock=ManualClock(OPENED_US)) as memory:
        assert ["vectors"] == [finding.part for finding in memory.doctor().findings]


def test_i15_a_damaged_dimension_in_the_settings_is_told_at_opening(kept):
    _damage(kept, "UPDATE meta SET value = 'zz' WHERE value = '2'")
    with pytest.raises(CorruptionError, match="dimension"):
        Memory.open(kept, embedder=_embed)
