"""The demo's life: sessions in order, time that only moves forward, a sleep after each."""

import json

import pytest

from scrubjay.base.clock import format_us
from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.cli.story import end_of, live, open_story, sessions_of, story_folder


def session(folder, name, *stamps):
    path = folder / f"{name}.jsonl"
    lines = [
        json.dumps({"role": "user", "name": "operator", "content": f"Line {n}.", "timestamp": at})
        for n, at in enumerate(stamps)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_sessions_come_in_the_order_of_their_names():
    files = sessions_of(story_folder())
    assert 11 == len(files)
    assert sorted(files) == files


def test_a_session_ends_with_its_last_message(tmp_path):
    path = session(tmp_path, "a", "2026-03-01T10:00:00+01:00", "2026-03-01T10:05:00+01:00")
    assert 1_772_355_900_000_000 == end_of(path)


def test_the_agent_sleeps_a_minute_after_each_session_and_on_waking(tmp_path):
    (tmp_path / "in").mkdir()
    first = session(tmp_path / "in", "a", "2026-03-01T10:00:00+01:00")
    second = session(tmp_path / "in", "b", "2026-03-02T10:00:00+01:00")
    memory, clock = open_story(tmp_path / "m", [first, second])
    with memory:
        days = list(live(memory, clock, [first, second]))
    assert ["a", "b", ""] == [one.session for one in days]
    assert [1, 1, 0] == [one.turns for one in days]
    assert [60_000_000] * 2 == [
        one.slept_us - end_of(path) for one, path in zip(days, (first, second), strict=False)
    ]
    assert "2026-04-08T06:00:00Z" == format_us(days[2].slept_us)


def test_no_sessions_and_no_message_files_are_refused(tmp_path):
    with pytest.raises(NotFoundError, match="no sessions"):
        sessions_of(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"role": "user"}\n')
    with pytest.raises(InvalidArgumentError, match=r"a\.jsonl"):
        end_of(tmp_path / "a.jsonl")
