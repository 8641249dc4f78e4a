"""Looking after an open memory: rows by id, counts, health, closing."""

import pytest

from scrubjay import Memory
from scrubjay.base.errors import ArgumentTypeError, ClosedError
from scrubjay.base.trace import State
from scrubjay.upkeep import Upkeep


def test_rows_are_found_by_id_as_bytes_or_digits_in_any_state(memory, clock):
    id_ = memory.observe("gauge reads 7", role="tool")
    assert memory.engram(id_) == memory.engram(id_.hex())
    memory.sleep()
    clock.advance(days=30)
    memory.sleep()
    assert (State.ARCHIVED, "gauge reads 7") == ((row := memory.engram(id_)).state, row.content)
    assert [] == list(memory.engrams())
    assert [id_] == [row.id for row in memory.engrams(include_archived=True)]


def test_leaving_the_block_closes_and_an_error_inside_still_does(tmp_path):
    class BoomError(Exception):
        pass

    with pytest.raises(BoomError), Memory.open(tmp_path / "m") as memory:
        raise BoomError
    assert isinstance(memory, Upkeep)
    with pytest.raises(ClosedError):
        memory.stats()


def test_the_doctor_counts_what_stats_count(memory):
    for n in range(3):
        memory.observe(f"turn {n}")
    report, stats = memory.doctor(), memory.stats()
    assert (3, 3, 3) == (report.rows, report.index_rows, stats.counts["engrams"])
    assert report.ok


def test_a_memory_says_where_it_is_and_whether_it_is_closed(tmp_path):
    memory = Memory.open(tmp_path / "m")
    assert f"Memory({str(tmp_path / 'm')!r}, tenant 'default')" == repr(memory)
    memory.close()
    assert repr(memory).endswith(", closed)")


def test_the_constructor_names_the_way_to_open(tmp_path):
    with pytest.raises(ArgumentTypeError, match=r"use Memory\.open\(path\)"):
        Memory(str(tmp_path / "m"))
