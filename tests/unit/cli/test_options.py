"""Shared options: dates in words become instants, and a missing memory is refused politely."""

import pytest

from scrubjay.base.errors import ClockError, InvalidArgumentError, NotFoundError, StorageError
from scrubjay.cli.options import instant_at, instant_end, open_memory

DAY_US = 86_400_000_000
MARCH_23_US = 1_774_224_000_000_000  # 2026-03-23T00:00:00Z


def test_a_day_covers_all_of_itself():
    assert MARCH_23_US == instant_at("--since", "2026-03-23")
    assert MARCH_23_US + DAY_US - 1 == instant_end("--until", "2026-03-23")


def test_a_month_and_a_year_cover_their_units():
    assert 31 * DAY_US - 1 == instant_end("x", "2026-03") - instant_at("x", "2026-03")
    assert 31 * DAY_US - 1 == instant_end("x", "2026-12") - instant_at("x", "2026-12")
    assert 366 * DAY_US - 1 == instant_end("x", "2024") - instant_at("x", "2024")


def test_an_instant_with_an_offset_is_itself():
    text = "2026-03-23T02:00+02:00"
    assert MARCH_23_US == instant_at("--at", text) == instant_end("--at", text)


def test_the_last_year_has_an_end():
    assert 253_402_300_800_000_000 - 1 == instant_end("--until", "9999")


def test_a_time_without_offset_is_refused_with_the_remedy():
    with pytest.raises(ClockError, match=r"--at: the time has no offset.*2026-03-23T09:00\+01:00"):
        instant_at("--at", "2026-03-23T09:00")


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "2026-13", "", "0000", "20260", "\0"])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(InvalidArgumentError, match="not a date"):
        instant_at("--since", text)


def test_a_missing_memory_is_not_created_by_asking(tmp_path):
    path = tmp_path / "none.memory"
    with pytest.raises(NotFoundError, match="there is no memory here"):
        open_memory(path)
    assert not path.exists()


def test_a_file_is_not_a_memory(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(StorageError, match="a memory is a directory"):
        open_memory(path, must_exist=False)
    assert "mine" == path.read_text()
